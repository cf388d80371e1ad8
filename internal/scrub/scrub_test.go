package scrub

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/testkit"
)

const most = 1 << 20

// traps run a script or load something when a page is opened, or may: %[1]s is a
// server's address, %[2]s a script.
var traps = []string{
	`<script>%[2]s</script>`, `<script src="%[1]s/script.js"></script>`, `<SCRIPT>%[2]s</SCRIPT >`,
	`<img src="%[1]s/img.png" onerror="%[2]s">`, `<img src=x srcset="%[1]s/srcset.png 1x, %[1]s/srcset2.png 2x">`,
	`<picture><source srcset="%[1]s/source.png"><img src="%[1]s/picture.png"></picture>`,
	`<iframe src="%[1]s/frame"></iframe>`, `<iframe srcdoc="&lt;script>parent.%[2]s&lt;/script>&lt;img src=%[1]s/srcdoc.png>"></iframe>`,
	`<iframe src="javascript:parent.%[2]s"></iframe>`, `<frameset><frame src="%[1]s/frameset"></frameset>`,
	`<noembed><img src="%[1]s/noembed.png" title="</noembed><img src=%[1]s/noembed2.png onerror='%[2]s'>"></noembed>`,
	`<noframes><img src="%[1]s/noframes.png" title="</noframes><script>%[2]s</script>"></noframes>`,
	`<noscript><img src="%[1]s/noscript.png" title="</noscript><script>%[2]s</script>"></noscript>`,
	`<xmp></xmp><script>%[2]s</script>`, `<template shadowrootmode=open><img src="%[1]s/shadow.png" onerror="%[2]s"></template>`,
	`<template><script>%[2]s</script><img src="%[1]s/template.png"></template>`,
	`<svg onload="%[2]s"><script>%[2]s</script><image href="%[1]s/svg.png"/><use href="%[1]s/use.svg#a"/><foreignObject><img src="%[1]s/foreign.png" onerror="%[2]s"></foreignObject></svg>`,
	`<svg><style><img src="</style><img src=%[1]s/svgstyle.png onerror='%[2]s'>"></style></svg>`,
	`<math><mtext><table><mglyph><style><img src="</style><img src=%[1]s/math.png onerror='%[2]s'>"></style></mglyph></table></mtext></math>`,
	`<object data="%[1]s/object"></object>`, `<embed src="%[1]s/embed">`, `<object data="data:text/html,<script>%[2]s</script>"></object>`,
	`<meta http-equiv=refresh content="0;url=%[1]s/refresh">`, `<base href="%[1]s/base/"><img src="relative.png">`,
	`<link rel=stylesheet href="%[1]s/link.css">`, `<link rel=prefetch href="%[1]s/prefetch">`, `<link rel=icon href="%[1]s/icon.ico">`,
	`<style>@import "%[1]s/import.css"; p { background: url(%[1]s/url.png) }</style><p>`,
	`<style>@\69mport "%[1]s/escaped.css"; p { background: \75rl(%[1]s/escaped.png); list-style: image-set("%[1]s/set.png" 1x) }</style>`,
	`<style>@font-face { font-family: f; src: url(%[1]s/font.woff) } body { font-family: f }</style>`,
	`<style>/* </style><script>%[2]s</script> */</style>`,
	`<p style="background:url(%[1]s/style.png)" onclick="%[2]s">`, `<p style="background:u\72l(%[1]s/style2.png)">`, `<body background="%[1]s/background.png">`,
	`<table background="%[1]s/table.png"><td background="%[1]s/td.png">`, `<video src="%[1]s/video" poster="%[1]s/poster.png" autoplay></video>`,
	`<audio src="%[1]s/audio" autoplay></audio>`, `<video><source src="%[1]s/videosource"><track default src="%[1]s/track"></video>`,
	`<input type=image src="%[1]s/input.png" onerror="%[2]s">`, `<form action="%[1]s/form"><input autofocus onfocus="%[2]s"><button formaction="%[1]s/formaction">x</button></form>`,
	`<a href="javascript:%[2]s" ping="%[1]s/ping">x</a>`, "<a href=\"java\tscript:%[2]s\">x</a>", `<a href="&#1;javascript:%[2]s">x</a>`,
	`<details open ontoggle="%[2]s">x</details>`, `<marquee onstart="%[2]s">x</marquee>`, `<x-y onanimationstart="%[2]s" is="x-z">`,
	`<style>@keyframes k{} p{animation:k}</style><p onanimationstart="%[2]s">`, `<p popover onbeforetoggle="%[2]s">`,
	`<p a"><script>%[2]s</script>b=1 x='"><script>%[2]s</script>'>`, `<p/onclick="%[2]s"/class=x>`, `<!--><script>%[2]s</script>-->`, `<!-- --!><script>%[2]s</script>`,
	`<textarea></textarea><script>%[2]s</script></textarea>`, `<title><!--</title><script>%[2]s</script>`, `<![CDATA[<script>%[2]s</script>]]>`,
	`<select><style></select><script>%[2]s</script>`, `<portal src="%[1]s/portal"></portal><fencedframe src="%[1]s/fenced"></fencedframe><image src="%[1]s/image.png">`,
	`<plaintext><script>%[2]s</script>`,
}

// TestScrubbedPagesAreDead opens each trap in Chrome as it is kept, and as it is kept but
// without the policy: what is kept is to be harmless by itself.
func TestScrubbedPagesAreDead(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	asked := map[string]bool{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked[r.URL.Path] = true
		w.WriteHeader(http.StatusNotFound)
	}))
	t.Cleanup(func() { testkit.EndServer(server) })
	tab, dir := openChrome(t), t.TempDir()
	const script = `document.title=String(/ran/.source)`
	open := func(name, content string) (loaded []string, title, at string) {
		mu.Lock()
		clear(asked)
		mu.Unlock()
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		address := (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String()
		if _, err := tab.Navigate(t.Context(), address, ""); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		shown := []string{"", ""}
		// A page that leads on to another does so at once.
		err := tab.Evaluate(ctx, `new Promise(done => { const end = () => setTimeout(() => done([document.title, location.href]), 20);
			document.readyState === "complete" ? end() : addEventListener("load", end) })`, &shown)
		if err != nil {
			shown = []string{err.Error(), ""}
		}
		mu.Lock()
		defer mu.Unlock()
		for path := range asked {
			loaded = append(loaded, path)
		}
		return loaded, shown[0], shown[1]
	}
	control := fmt.Sprintf(`<title>dead</title><img src="%s/img.png"><script>%s</script>`, server.URL, script)
	if loaded, title, _ := open("control.html", control); len(loaded) != 1 || title == "dead" {
		t.Fatalf("the test does not see what a page does: it loaded %v, title %q", loaded, title)
	}
	for i, trap := range traps {
		kept := string(Page("<html><head><title>dead</title></head><body>"+fmt.Sprintf(trap, server.URL, script)+"</body></html>", most))
		if !strings.HasPrefix(kept, "<!doctype html>\n<html><head><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';") {
			t.Fatalf("it begins with %.100s", kept)
		}
		_, bare, _ := strings.Cut(kept, ">\n<html><head>")
		_, bare, _ = strings.Cut(bare, ">") // the policy
		for name, content := range map[string]string{"kept": kept, "without its policy": bare} {
			loaded, title, at := open("kept.html", content)
			if len(loaded) > 0 || title != "dead" && title != "" || !strings.HasSuffix(at, "/kept.html") {
				t.Errorf("%d %s, %s: loaded %v, title %q, at %s\n%s", i, trap, name, loaded, title, at, content)
			}
		}
	}
}

// TestScrubTakesSecretsOut: no secret of a page stays, and what is none does.
func TestScrubTakesSecretsOut(t *testing.T) {
	t.Parallel()
	const secret = "s3cr3tV4lu3"
	for _, source := range []string{
		`<input type=hidden name=x value="%s">`, `<input type="PASSWORD" value="%s">`, `<input name=csrf_token value="%s">`,
		`<input id=userPassword type=text value="%s">`, `<input autocomplete="current-password" value="%s">`, `<input placeholder="API key" aria-label="api-key" value="%s">`,
		`<meta name=csrf-token content="%s">`, `<meta property="session" content="%s">`, `<meta name=description content="%s">`,
		`<textarea name=SAMLResponse>%s</textarea>`, `<textarea>%s</textarea>`, `<div data-token="%s">`, `<div data-session-id="%s">`, `<div data-key="token" data-value="%s">`,
		`<div data-config='{"apiKey":"%s"}'>`, `<div data-x="{&quot;user&quot;:{&quot;password&quot;: &quot;%s&quot;}}">`, `<a href="/d?token=%s&amp;n=1">x</a>`,
		`<a href="https://user:%s@a.example/">x</a>`, `<a href="https://%s@a.example/">x</a>`, `<p>see https://u:%s@a.example/ there</p>`, `<img src="/i.png?sig=%s">`,
		`<form action="/f?session=%s"></form>`, `<button formaction="/f;jsessionid=%s">x</button>`, `<script>token = "%s"</script>`, `<script type="application/json">{"token":"%s"}</script>`,
		`<!-- token %s -->`, `<svg data-token="%s"></svg>`, `<p nonce="%s">`, `<pre>{"access_token": "%s"}</pre>`, `<p>Authorization: Bearer %s</p>`,
		`<iframe src="/x?auth=%s"></iframe>`, `<iframe srcdoc="%s"></iframe>`, `<noscript>%s</noscript>`, `<object><param name=token value="%s"></object>`,
		`<param name=token value="%s">`, `<span id=csrfToken hidden>%s</span>`, `<code id="api-token">%s</code>`, `<x-app :session="%s" password="%s">`, `<div ng-init="token='%s'">`,
		`<a onclick="go('%s')">x</a>`, `<div style="--token:url(%s)">`, `<option data-password="%s">`, `<a href="data:text/plain,%s">x</a>`, `<a href="/next?to=%%2Fx%%3Ftoken%%3D%s">x</a>`,
	} {
		source = strings.ReplaceAll(source, "%s", secret)
		source = strings.ReplaceAll(source, "%%", "%")
		if kept := string(Page(source, most)); strings.Contains(kept, secret) {
			t.Errorf("%s\nis kept as\n%s", source, kept)
		}
	}
}

// TestScrubKeepsWhatIsSeen: what a person needs to mend a recipe stays.
func TestScrubKeepsWhatIsSeen(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		`<div id="po" class="a b" data-po="PO1" aria-label="Order">PO1 &lt;&amp; ü</div>`:      `<div id="po" class="a b" data-po="PO1" aria-label="Order">PO1 &lt;&amp; ü</div>`,
		`<a class="doc" download="q.pdf" href="/d/1.pdf?id=7&amp;n=2" target=_blank>Quote</a>`: `<a class="doc" download="q.pdf" href="/d/1.pdf?id=7&amp;n=2" data-target="_blank">Quote</a>`,
		`<table><tbody><tr><td colspan="2">1</td></tr></tbody></table>`:                        `<table><tbody><tr><td colspan="2">1</td></tr></tbody></table>`,
		`<input name="buyer" value="Jane"><br>`:                                                `<input name="buyer" value="Jane"><br>`,
		`<img src="data:image/png;base64,AA==" alt="x">`:                                       `<img src="data:image/png;base64,AA==" alt="x">`,
		`<img src="/logo.png">`:                                                    `<img data-src="/logo.png">`,
		`<app-order><my-list>x</my-list></app-order>`:                              `<app-order><my-list>x</my-list></app-order>`,
		`<style>p > b { color: red } i { background: url(x.png); top: 0 }</style>`: `<style>p > b { color: red } i {; top: 0 }</style>`,
		`<iframe src="/inner"></iframe><b>x</b>`:                                   `<b>x</b>`,
		`<form action="/order"><button type="submit">Go</button></form>`:           `<form data-action="/order"><button type="submit">Go</button></form>`,
		`<a href="javascript:open(1)">Quote</a>`:                                   `<a data-href="javascript:open(1)">Quote</a>`,
		`<video src="/v">no</video>`:                                               `<div data-was="video" data-src="/v">no</div>`,
	} {
		kept := strings.TrimPrefix(string(Page(source, most)), scrubHead)
		if kept = strings.NewReplacer("<body>", "", "</body>", "", "/>", ">").Replace(kept); kept != want {
			t.Errorf("%s\nis kept as\n%s, want\n%s", source, kept, want)
		}
	}
	picture := `<img src="data:image/png;base64,` + strings.Repeat("A", 10_000) + `">`
	if kept := len(Page(strings.Repeat(picture, 2*most/len(picture)), most)); kept < most || kept > most+len(picture) {
		t.Errorf("%d bytes are kept, want %d and no more than a picture above that", kept, most)
	}
}

// openChrome returns the tab of a Chrome that lives as long as the test.
func openChrome(t *testing.T) *browser.Tab {
	t.Helper()
	if testing.Short() {
		t.Skip("it starts a Chrome")
	}
	chrome, err := browser.Find(t.Context(), "", false)
	if err != nil {
		t.Fatal(err)
	}
	cfg := browser.DefaultConfig()
	cfg.Chrome, cfg.Sandbox, cfg.ProfileDir, cfg.DownloadDir = chrome, browser.NoSandbox(), t.TempDir(), t.TempDir()
	b, err := browser.Launch(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b.Tab()
}
