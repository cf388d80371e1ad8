//go:build unix

package browser_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/testkit"
)

// actTimeout is how long an act may take that is to succeed.
const actTimeout = testkit.Patience

// told is a script of pages that keeps what happens to their elements, by their ids.
const told = `<script>
	const told = [];
	for (const kind of ["keydown", "input", "change", "click", "submit"])
		addEventListener(kind, (e) => { told.push(e.target.id + ":" + kind + ":" + e.isTrusted); }, true);
</script>`

// elsewhere returns the same server's address as another site.
func elsewhere(address string) string { return strings.Replace(address, "127.0.0.1", "localhost", 1) }

// acts opens a page and returns the tab that shows it, and the context of acts on it.
func acts(t *testing.T, virtual bool, routes map[string]string) (*browser.Tab, context.Context) {
	t.Helper()
	handlers := map[string]http.HandlerFunc{}
	var url string
	for path, body := range routes {
		handlers[path] = func(w http.ResponseWriter, r *http.Request) {
			html("<!doctype html>"+strings.ReplaceAll(body, "ELSEWHERE", elsewhere(url)))(w, r)
		}
	}
	url = serve(t, handlers)
	tab := share(t).Tab()
	open(t, tab, url+"/")
	if virtual {
		if err := tab.RunAhead(t.Context(), browser.Ahead{Script: "0", Limit: time.Second}, nil); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), actTimeout)
	t.Cleanup(cancel)
	return tab, ctx
}

func says(t *testing.T, tab *browser.Tab, script, want string) {
	t.Helper()
	var got string
	if err := tab.Evaluate(t.Context(), script, &got); err != nil || got != want {
		t.Errorf("%s is %q, %v, want %q", script, got, err, want)
	}
}

// TestActAsAPersonDoes fills in and sends a form; the page takes it for a person's doing.
func TestActAsAPersonDoes(t *testing.T) {
	t.Parallel()
	for _, virtual := range []bool{false, true} {
		t.Run(fmt.Sprint(virtual), func(t *testing.T) {
			t.Parallel()
			tab, ctx := acts(t, virtual, map[string]string{"/": told + `<div style="height:3000px"></div>
				<form id=form onsubmit="event.preventDefault(); setTimeout(() => { done.hidden = false }, 100)"><input id=user value=old><input id=hidden type=text style="display:none">
				<select id=org><option value=1>One<option value=2>  Two
				 words</select><textarea id=area></textarea><div id=rich contenteditable>rich</div><input id=day type=date>
				<button id=go>Go</button></form><p id=done hidden>done`})
			for name, do := range map[string]func() error{
				"fill": func() error { return tab.Fill(ctx, browser.Target{Selector: "#user"}, "Jörg 1-a") },
				"long": func() error { return tab.Fill(ctx, browser.Target{Selector: "#area"}, strings.Repeat("long ", 100)) },
				"rich": func() error { return tab.Fill(ctx, browser.Target{Selector: "#rich"}, "new") },
				"date": func() error { return tab.Fill(ctx, browser.Target{Selector: "#day"}, "2026-01-31") },
				"text": func() error { return tab.Select(ctx, browser.Target{Selector: "#org"}, "Two words") },
			} {
				if err := do(); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
			if shown, err := tab.Shown(ctx, browser.Target{Selector: "#done"}); shown || err != nil {
				t.Errorf("#done is shown: %v, %v", shown, err)
			}
			if err := tab.Click(ctx, browser.Target{Selector: "#go"}); err != nil {
				t.Fatal(err)
			}
			if err := tab.Wait(ctx, browser.Target{Selector: "#done"}); err != nil {
				t.Fatal(err)
			}
			says(t, tab, "[user.value, org.value, area.value.length, rich.innerText, day.value].join()", "Jörg 1-a,2,500,new,2026-01-31")
			says(t, tab, `["user:keydown:true", "user:input:true", "user:change:true", "go:click:true", "form:submit:true"].filter((e) => !told.includes(e)).join()`, "")
			if err := tab.Press(ctx, browser.Target{Selector: "#user"}, "Enter"); err != nil {
				t.Fatal(err)
			}
			says(t, tab, `String(told.filter((e) => e === "form:submit:true").length)`, "2")
		})
	}
}

// TestActOnDifficultPages acts on elements that are not there, or not fit, at first.
func TestActOnDifficultPages(t *testing.T) {
	t.Parallel()
	for name, page := range map[string]string{
		"covered":         `<button id=b>b</button><div id=banner style="position:fixed;inset:0"></div><script>setTimeout(() => banner.remove(), 500)</script>`,
		"moving":          `<button id=b style="position:absolute">b</button><script>let n = 0; const i = setInterval(() => { b.style.left = (n += 40) + "px"; if (n > 800) clearInterval(i) }, 20)</script>`,
		"disabled":        `<fieldset id=f disabled><button id=b>b</button></fieldset><script>setTimeout(() => { f.disabled = false }, 300)</script>`,
		"late":            `<script>setTimeout(() => { document.body.innerHTML = "<button id=b>b</button>" }, 300)</script>`,
		"under a header":  `<div style="position:sticky;top:0;height:600px;background:red"></div><div style="height:4000px"></div><button id=b>b</button><div style="height:4000px"></div>`,
		"a hidden twin":   `<p id=b hidden>b</p><button id=b>b</button>`,
		"wrapped":         `<div style="width:120px">some words before <a id=b href="#x">a link that goes over several lines</a></div>`,
		"drawn again":     `<div id=list></div><script>let n = 0; const i = setInterval(() => { list.innerHTML = "<button id=b>b</button>"; if (++n > 30) clearInterval(i) }, 20)</script>`,
		"moves on hover":  `<button id=b style="position:absolute;left:0">b</button><script>b.onmouseenter = () => { b.style.left = "300px" }</script>`,
		"a part":          `<button id=out><span id=b style="pointer-events:none">b</span></button>`,
		"names":           `<form><input name=contains><button type=button id=b>b</button><img name=defaultView><img name=body></form>`,
		"a trap":          `<button id=b>b</button><button id=trap style="position:absolute;left:0;top:0;width:300px;height:300px;display:none">t</button><script>b.onmousemove = () => { b.onmousemove = null; trap.style.display = "block"; setTimeout(() => { trap.style.display = "none" }, 400) }</script>`,
		"in shadow roots": `<x-a></x-a><script>const r = document.querySelector("x-a").attachShadow({ mode: "open" }); r.innerHTML = "<x-b></x-b>"; r.firstChild.attachShadow({ mode: "open" }).innerHTML = "<button id=b>b</button>"</script>`,
		"a frame":         `<iframe id=out style="margin:50px;border:20px solid;padding:9px" srcdoc="<iframe style='margin-top:900px' srcdoc='<button id=b>b</button>'></iframe>"></iframe>`,
		"another site's":  `<div style="height:2000px"></div><iframe style="margin:50px;border:20px solid;padding:9px" src="ELSEWHERE/inner"></iframe>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clicked := `<script>addEventListener("click", (e) => { top.postMessage("clicked " + (e.composedPath()[0].closest("#b, #out").id), "*") }, true)</script>`
			tab, ctx := acts(t, name == "moving", map[string]string{"/": `<script>const heard = []; addEventListener("message", (e) => heard.push(e.data))</script>` + clicked + page +
				`<script>for (const f of document.querySelectorAll("iframe[srcdoc]")) f.onload = () => { for (let w = f.contentWindow; w; w = w.frames[0]) w.addEventListener("click", (e) => heard.push("clicked " + e.target.id)) }</script>`,
				"/inner": clicked + `<iframe srcdoc="<button id=b onclick='parent.postMessage(0), top.postMessage(&quot;clicked b&quot;, &quot;*&quot;)'>b</button>"></iframe>`})
			if err := tab.Click(ctx, browser.Target{Selector: "#b"}); err != nil {
				t.Fatal(err)
			}
			want := "clicked b"
			if name == "a part" {
				want = "clicked out"
			}
			stop := tab.KeepPace(ctx)
			defer stop()
			if err := tab.Evaluate(ctx, `new Promise((over) => { const i = setInterval(() => { if (heard.length) { clearInterval(i); over() } }, 10) })`, nil); err != nil {
				t.Fatal(err)
			}
			says(t, tab, `[...new Set(heard)].join()`, want)
		})
	}
}

// TestActInAFrame finds the element in the frame that is named, of any origin.
func TestActInAFrame(t *testing.T) {
	t.Parallel()
	form := `<form action=/done><input id=i name=i><button id=go>go</button></form>`
	tab, ctx := acts(t, false, map[string]string{"/": `<input id=i><iframe id=one srcdoc="<input id=i>"></iframe><iframe id=two src="ELSEWHERE/outer"></iframe>`,
		"/outer": `<iframe id=three srcdoc="<input id=j>"></iframe>` + form, "/done": `<p id=done>done`})
	for _, target := range []browser.Target{{Selector: "#i", Frame: "#two"}, {Selector: "#j", Frame: "#three"}, {Selector: "#i"}, {Selector: "#i", Frame: "#one"}} {
		if err := tab.Fill(ctx, target, "x"+target.Frame); err != nil {
			t.Fatal(err)
		}
	}
	says(t, tab, `i.value + one.contentDocument.getElementById("i").value`, "xx#one")
	if err := tab.Press(ctx, browser.Target{Selector: "#i", Frame: "#two"}, "Enter"); err != nil {
		t.Fatal(err)
	}
	if err := tab.Wait(ctx, browser.Target{Selector: "#done", Frame: "#two"}); err != nil {
		t.Error(err)
	}
	brief, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	var failed *browser.ElementError
	if err := tab.Click(brief, browser.Target{Selector: "#done", Frame: "#four"}); !errors.As(err, &failed) || failed.Frame != "#four" {
		t.Errorf("in a frame that is not there: %v", err)
	}
}

// TestActSaysWhyNot cannot act, and says what it has seen, but never a text.
func TestActSaysWhyNot(t *testing.T) {
	t.Parallel()
	tab, ctx := acts(t, false, map[string]string{"/": `<button id=hidden hidden>b</button><button id=off disabled>b</button><input id=keeps maxlength=2><input id=fixed readonly>
		<select id=list><option>one</select><button id=under>b</button><div id=banner class="cookie bar" style="position:fixed;inset:0"></div>`})
	for selector, want := range map[string]string{"#none": "nothing met it", "#hidden": "hidden", "#off": "disabled", "#under": `covered by <div id="banner" class="cookie bar">`,
		"#keeps": "did not keep", "#fixed": "read-only", "#list": "no such option"} {
		target := browser.Target{Selector: selector}
		testkit.InVain(t, time.Second, func(limit time.Duration) (err error) {
			brief, cancel := context.WithTimeout(ctx, limit)
			defer cancel()
			switch selector {
			case "#keeps", "#fixed":
				err = tab.Fill(brief, target, "s3cret")
			case "#list":
				err = tab.Select(brief, target, "s3cret")
			default:
				err = tab.Click(brief, target)
			}
			if err != nil && strings.Contains(err.Error(), "s3cret") {
				t.Errorf("%s: it tells the text: %v", selector, err)
			}
			var failed *browser.ElementError
			if !errors.As(err, &failed) || !strings.Contains(failed.Why, want) || !errors.Is(err, context.DeadlineExceeded) {
				return fmt.Errorf("%s: %w, want %q", selector, err, want)
			}
			return nil
		})
	}
}

// TestActByText clicks what people read, where only one visible element shows it.
func TestActByText(t *testing.T) {
	t.Parallel()
	tab, ctx := acts(t, false, map[string]string{"/": told + `<p>Export</p><a id=more href="#">Export all</a>
		<button id=out>  EXPORT
		<i></i></button><button style="display:none">Export</button>
		<a href="#" role=button id=one>Twice</a><div id=list><button id=two>Twice</button></div>
		<button id=icon aria-label="Print order">x</button><input id=send type=submit value="Send it"><div id=plain>Plain</div>
		<label>Find <input></label><button id=find><i aria-hidden=true>x</i> Find</button><button>Account 1234 5678</button>`})
	for text, target := range map[string]browser.Target{
		"out": {Text: "Export"}, "more": {Text: "export all"}, "icon": {Text: "Print order"}, "send": {Text: "Send it"},
		"two": {Text: "Twice", Selector: "#list button"}, "plain": {Text: "plain", Selector: "#plain"}, "find": {Text: "Find"},
	} {
		if err := tab.Click(ctx, target); err != nil {
			t.Errorf("%+v: %v", target, err)
		}
		says(t, tab, fmt.Sprintf(`String(told.some((it) => it.startsWith(%q)))`, text+":click"), "true")
	}
	for want, target := range map[string]browser.Target{
		`the text "Twice": several elements show it ("twice", "twice"); name the one that is meant by its selector too`: {Text: "Twice"},
		`the text "Plain": nothing met it`:            {Text: "Plain"},
		`the text "Expo": nothing met it`:             {Text: "Expo"},
		`the text "Twice" on "#more": nothing met it`: {Text: "Twice", Selector: "#more"},
		`a text with "1234" in it: nothing met it`:    {Text: "1234", Part: true},
	} {
		testkit.InVain(t, time.Second, func(limit time.Duration) error {
			short, cancel := context.WithTimeout(ctx, limit)
			defer cancel()
			if err := tab.Click(short, target); err == nil || err.Error() != want {
				return fmt.Errorf("%+v says %w, want %s", target, err, want)
			}
			return nil
		})
	}
}

// TestActWhileThePageGoes acts on the page that comes, also in the middle of it; Calm returns when that
// is there.
func TestActWhileThePageGoes(t *testing.T) {
	t.Parallel()
	tab, ctx := acts(t, false, map[string]string{"/": `<button id=wait disabled>b</button><script>setTimeout(() => { location = "/two" }, 300)</script>`,
		"/two": `<a id=wait href=/three>b</a>`, "/three": `<title>three</title><script>fetch("/slow")</script>`, "/slow": ""})
	if err := tab.Click(ctx, browser.Target{Selector: "#wait"}); err != nil {
		t.Fatal(err)
	}
	if err := tab.Calm(ctx, 200*time.Millisecond, actTimeout); err != nil {
		t.Fatal(err)
	}
	says(t, tab, "document.title", "three")
}

// TestActWritesACodeOfManyFields types a code where each digit has a field of its own.
func TestActWritesACodeOfManyFields(t *testing.T) {
	t.Parallel()
	tab, ctx := acts(t, false, map[string]string{"/": strings.Repeat(`<input maxlength=1 class=code oninput="this.nextElementSibling?.focus()">`, 6)})
	if err := tab.Fill(ctx, browser.Target{Selector: ".code"}, "123456"); err != nil {
		t.Fatal(err)
	}
	says(t, tab, `[...document.querySelectorAll("input")].map((i) => i.value).join("")`, "123456")
}

// TestActWritesTheWholeOfIt: where the page puts another field in the place of one while it is
// written, or moves the focus away, no part of a text stands for the whole, and nothing else gets any.
func TestActWritesTheWholeOfIt(t *testing.T) {
	t.Parallel()
	const secret = "pa55-Wörd!"
	for name, script := range map[string]string{
		"replaced once":      `p.oninput = () => { if (p.value.length === 3) { const n = p.cloneNode(); n.value = ""; p.replaceWith(n); n.focus() } }`,
		"replaced each time": `const again = (e) => { const n = e.target.cloneNode(); n.value = e.target.value; n.oninput = again; e.target.replaceWith(n); n.focus(); n.setSelectionRange(99, 99) }; p.oninput = again`,
		"a pop-up":           `p.oninput = () => { if (p.value.length === 3) { mail.hidden = false; mail.focus(); p.oninput = null } }`,
		"another form's":     `p.oninput = () => { if (p.value.length === 3) { other.focus(); p.oninput = null } }`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tab, ctx := acts(t, false, map[string]string{"/": `<form><input id=p type=password class=p></form><input id=mail hidden><form><input id=other type=password></form><script>` + script + `</script>`})
			if err := tab.Fill(ctx, browser.Target{Selector: ".p"}, secret); err != nil {
				t.Fatal(err)
			}
			says(t, tab, `document.querySelector(".p").value + "|" + mail.value + "|" + other.value`, secret+"||")
		})
	}
}

func TestKnownKey(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]bool{"Enter": true, "Tab": true, "Escape": true, "ArrowDown": true, "F3": true, "Space": true, "a": true, "": false, "Entre": false, "\n": false} {
		if browser.KnownKey(key) != want {
			t.Errorf("KnownKey(%q) is %v", key, !want)
		}
	}
}
