package scrape_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/internal/testkit/portalkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// TestFetchedEqualsRendered reads an order of each variation in a portal whose plain
// pages are trusted, and one more time rendered: the results are the same.
func TestFetchedEqualsRendered(t *testing.T) {
	t.Parallel()
	for name, recipe := range map[string]func() *scrape.Recipe{"auto": scrape.AutoRecipe, "demo": func() *scrape.Recipe { return demoRecipe(t) }} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			variations, least := slices.Repeat([]portal.Variation{portal.Plain}, 6), 15
			for i, v := range portal.Variations() {
				if !inTurn(i, name == "auto") {
					least = 6
					continue // the other one reads it
				}
				variations = append(variations, v)
			}
			p, url := portalkit.Start(t, portal.Config{Orders: len(variations), Variations: variations, MaxDocument: 8 << 10, Mount: 100 * time.Millisecond,
				Wave: 200 * time.Millisecond, Busy: 300 * time.Millisecond, Late: 400 * time.Millisecond, Slow: 100 * time.Millisecond})
			auto, render := recipe(), recipe()
			for _, r := range []*scrape.Recipe{auto, render} {
				r.Ready.Timeout, r.Limits.Rate = patience, 1e6
			}
			render.Mode = scrape.ModeRender
			shared := scrape.NewPortal(auto, nil)
			light := newBenchOf(t, shared)
			heavy := light.with(scrape.NewPortal(render, nil))
			fetched := 0
			for i, order := range p.Orders() {
				if i >= 6 {
					shared.TrustAgain()
				}
				_, got := light.once(t, url, order, 10*time.Minute)
				p.Reset() // some answer otherwise when they are asked again
				_, want := heavy.once(t, url, order, 10*time.Minute)
				if got.Result != nil && got.Result.Executor == tasks.ExecutorFetch {
					fetched++
				}
				if want.Result != nil && want.Result.Executor != tasks.ExecutorRender {
					t.Errorf("%s: it was not rendered", order.Variation)
				}
				if order.Variation == portal.ServerErrors {
					continue // it answers each request otherwise, and fetching was one more
				}
				if g, w := gist(got), gist(want); g != w {
					t.Errorf("%s: got\n%s\nrendered\n%s", order.Variation, g, w)
				}
			}
			if fetched < least {
				t.Errorf("only %d orders were fetched", fetched)
			}
		})
	}
}

// gist is what an order's result says, without where it was found.
func gist(d tasks.Decision) string {
	text := string(d.Outcome) + " " + classOf(d)
	if d.Result == nil {
		return text
	}
	for _, name := range slices.Sorted(maps.Keys(d.Result.Fields)) {
		text += fmt.Sprintf("\n%s=%+v", name, d.Result.Fields[name])
	}
	for _, line := range d.Result.Lines {
		text += fmt.Sprintf("\n%v", line)
	}
	for _, a := range d.Result.Attachments {
		text += fmt.Sprintf("\n%s %s %s %d %s %s", a.State, a.Name, a.URL, a.Size, a.SHA256, a.Source)
	}
	return text
}

// plainPage does all that a page can do to what fetching needs, and nothing else.
const plainPage = `<!doctype html><meta charset=utf-8><title>PO%[1]d</title>
<script>window.fetch = () => Promise.reject(1); window.DOMParser = window.TextDecoder = window.URL = null; Document.parseHTMLUnsafe = null; window.poscrape = 1</script>
<body><h1>Order <b id=po>PO%[1]d</b></h1><p id=note>Größe 5 €</p><a class=att href="doc/%[1]d.pdf">a.pdf</a>`

// oddities are pages that are served in place of a plain one once its like are
// trusted: why each is rendered, or "" where fetching is enough.
var oddities = map[string]struct {
	serve func(w http.ResponseWriter, r *http.Request, page string)
	fell  string
}{
	"plain":           {write("text/html; charset=utf-8", "", ""), ""},
	"windows-1252":    {encoded("text/html; charset=windows-1252"), ""},
	"by its own meta": {encoded("text/html"), ""},
	"utf-16":          {wide, ""},
	"no character set": {func(w http.ResponseWriter, r *http.Request, page string) {
		write("text/html", "", "")(w, r, strings.Replace(page, "<meta charset=utf-8>", "", 1))
	}, "character set"},
	"a base":        {write("text/html; charset=utf-8", "<body>", `<base href="/other/"><body>`), ""},
	"in noscript":   {write("text/html; charset=utf-8", "<h1>", `<noscript><a class=att href=/doc/no.pdf>no.pdf</a></noscript><h1>`), "shape"},
	"hidden":        {write("text/html; charset=utf-8", "<h1>", `<div style="display: none"><a class=att href=doc/old.pdf>old.pdf</a></div><h1>`), "shape"},
	"shadow root":   {write("text/html; charset=utf-8", "<h1>", `<div><template shadowrootmode=open><a class=att href=doc/in.pdf>in.pdf</a></template></div><h1>`), ""},
	"a frame":       {write("text/html; charset=utf-8", "<h1>", `<iframe src=/doc/frame.html></iframe><h1>`), "frames"},
	"leads on":      {write("text/html; charset=utf-8", "<h1>", `<meta http-equiv=refresh content="60;url=/orders/2"><h1>`), "another page"},
	"other scripts": {write("text/html; charset=utf-8", "<h1>", `<script>document.title += "!"</script><h1>`), "scripts"},
	"a form":        {write("text/html; charset=utf-8", "<h1>", `<form><input type=password></form><h1>`), ""},
	"a click":       {write("text/html; charset=utf-8", "<h1>", `<a class=att href="#" onclick="location = '/doc/c.pdf'">c.pdf</a><h1>`), "clicked"},
	"busy":          {write("text/html; charset=utf-8", "<h1>", `<p aria-busy=true>Loading</p><h1>`), "loading"},
	"redirected":    {redirectOnce, "led on"},
	"not found":     {func(w http.ResponseWriter, _ *http.Request, page string) { w.WriteHeader(http.StatusNotFound) }, ""},
}

func write(kind, old, new string) func(http.ResponseWriter, *http.Request, string) {
	return func(w http.ResponseWriter, _ *http.Request, page string) {
		w.Header().Set("Content-Type", kind)
		fmt.Fprint(w, strings.Replace(page, old, new, 1))
	}
}

func encoded(kind string) func(http.ResponseWriter, *http.Request, string) {
	return func(w http.ResponseWriter, _ *http.Request, page string) {
		w.Header().Set("Content-Type", kind)
		fmt.Fprint(w, strings.NewReplacer("charset=utf-8", "charset=windows-1252", "ö", "\xf6", "ß", "\xdf", "€", "\x80").Replace(page))
	}
}

func wide(w http.ResponseWriter, _ *http.Request, page string) {
	w.Header().Set("Content-Type", "text/html")
	_ = binary.Write(w, binary.LittleEndian, utf16.Encode([]rune("\ufeff"+page)))
}

func redirectOnce(w http.ResponseWriter, r *http.Request, page string) {
	if r.URL.Query().Get("again") == "" {
		http.Redirect(w, r, "?again=1", http.StatusFound)
		return
	}
	write("text/html; charset=utf-8", "", "")(w, r, page)
}

// serveOrders serves plain pages, but for the orders that are answered otherwise.
// Its policy forbids what fetching does.
func serveOrders(t *testing.T, answer func(number string) func(http.ResponseWriter, *http.Request, string)) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/orders/{number}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'")
		var number int
		_, _ = fmt.Sscan(r.PathValue("number"), &number)
		do := answer(r.PathValue("number"))
		if do == nil {
			do = write("text/html; charset=utf-8", "", "")
		}
		do(w, r, fmt.Sprintf(plainPage, number))
	})
	document := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprint(w, "%PDF-1.4 ", r.URL.Path)
	}
	mux.HandleFunc("/orders/doc/{name}", document)
	mux.HandleFunc("/other/doc/{name}", document)
	mux.HandleFunc("/doc/{name}", document)
	s := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(s) })
	return s.URL
}

func plainRecipe(t *testing.T) *scrape.Recipe {
	t.Helper()
	recipe, err := scrape.ReadRecipe("plain.yaml", strings.NewReader("version: 1\nname: plain\nready: {timeout: 60s}\nidentity: {selector: '#po'}\nfields: {note: {selector: '#note'}}\nattachments: {item: .att}\n"))
	if err != nil {
		t.Fatal(err)
	}
	return recipe
}

func numberedTask(url string, number int) *tasks.ProcessingTask {
	text := fmt.Sprint(number)
	return &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO" + text, Digits: text, Dir: "PO" + text, URL: url + "/orders/" + text}}
}

// attempt makes one attempt at an order.
func (b *bench) attempt(ctx context.Context, t *testing.T, task *tasks.ProcessingTask) tasks.Decision {
	t.Helper()
	res, err := b.scraper.Do(ctx, task)
	if res != nil {
		b.publish(t, task, res)
	}
	return tasks.DefaultPolicy().After(task, res, err, time.Now())
}

// learn reads plain orders until they are trusted.
func (b *bench) learn(t *testing.T, url string) {
	t.Helper()
	for n := range 5 {
		if b.scraper.Room() != 1 {
			t.Errorf("there is room for %d orders before any is trusted", b.scraper.Room())
		}
		if d := b.attempt(t.Context(), t, numberedTask(url, 1000+n)); d.Outcome != tasks.OutcomeComplete || d.Result.Executor != tasks.ExecutorRender {
			t.Fatalf("order %d: %s, %v", n, gist(d), d.Failure)
		}
	}
	if b.scraper.Room() < 2 {
		t.Fatal("five orders that are the same both ways are not enough")
	}
}

// TestOddPages has one odd page among many that are trusted: it is rendered where
// fetching cannot do it justice, and shows the same either way.
func TestOddPages(t *testing.T) {
	t.Parallel()
	names := slices.Sorted(maps.Keys(oddities))
	url := serveOrders(t, func(number string) func(http.ResponseWriter, *http.Request, string) {
		var n int
		if _, err := fmt.Sscan(number, &n); err == nil && n >= 2000 {
			return oddities[names[n-2000]].serve
		}
		return nil
	})
	recipe := plainRecipe(t)
	recipe.Mode = scrape.ModeRender
	shared := scrape.NewPortal(plainRecipe(t), nil)
	light := newBenchOf(t, shared)
	heavy := light.with(scrape.NewPortal(recipe, nil))
	light.learn(t, url)
	read := kinds(oddities, "windows-1252", "utf-16", "no character set", "a base", "in noscript", "a frame", "leads on", "other scripts", "a click", "busy", "redirected", "not found")
	for i, name := range names {
		if !slices.Contains(read, name) {
			continue
		}
		shared.TrustAgain()
		if d := light.attempt(t.Context(), t, numberedTask(url, 1500+i)); d.Result == nil || d.Result.Executor != tasks.ExecutorFetch {
			t.Fatalf("before %s: a plain page was not fetched: %+v", name, d)
		}
		got := light.attempt(t.Context(), t, numberedTask(url, 2000+i))
		want := heavy.attempt(t.Context(), t, numberedTask(url, 2000+i))
		if g, w := gist(got), gist(want); g != w {
			t.Errorf("%s: got\n%s\nrendered\n%s", name, g, w)
		}
		if got.Result == nil {
			continue
		}
		executor := tasks.ExecutorFetch
		if oddities[name].fell != "" {
			executor = tasks.ExecutorRender
		}
		if got.Result.Executor != executor || !strings.Contains(got.Result.FellBack, oddities[name].fell) || got.Result.FellBack != "" && oddities[name].fell == "" {
			t.Errorf("%s: it was read by %s (%s)", name, got.Result.Executor, got.Result.FellBack)
		}
	}
}

// TestSideBySide has a tab fetch several orders at once. One that is cancelled ends
// alone, and the portal is told.
func TestSideBySide(t *testing.T) {
	t.Parallel()
	asked, gone := make(chan struct{}), make(chan struct{})
	url := serveOrders(t, func(number string) func(http.ResponseWriter, *http.Request, string) {
		if number != "3000" {
			return nil
		}
		return func(_ http.ResponseWriter, r *http.Request, _ string) {
			close(asked)
			<-r.Context().Done()
			close(gone)
		}
	})
	b := newBench(t, plainRecipe(t))
	b.learn(t, url)
	ctx, cancel := context.WithCancelCause(t.Context())
	held := make(chan tasks.Decision, 1)
	go func() { held <- b.attempt(ctx, t, numberedTask(url, 3000)) }()
	<-asked
	for n := range 5 {
		if d := b.attempt(t.Context(), t, numberedTask(url, 4000+n)); d.Outcome != tasks.OutcomeComplete || d.Result.Executor != tasks.ExecutorFetch {
			t.Errorf("beside it: %s", gist(d))
		}
	}
	cancel(fmt.Errorf("nobody wants it"))
	if d := <-held; !d.Released {
		t.Errorf("the cancelled order is %s", gist(d))
	}
	<-gone
	if d := b.attempt(t.Context(), t, numberedTask(url, 4100)); d.Outcome != tasks.OutcomeComplete || d.Result.Executor != tasks.ExecutorFetch {
		t.Errorf("after it: %s", gist(d))
	}
}

// TestNothingIsFetchedInVain reads orders that list no documents, where only a rendered
// page proves that: however many there are, they are not fetched first.
func TestNothingIsFetchedInVain(t *testing.T) {
	t.Parallel()
	url := serveOrders(t, func(number string) func(http.ResponseWriter, *http.Request, string) {
		if number < "5000" {
			return nil
		}
		return func(w http.ResponseWriter, _ *http.Request, page string) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			head, _, _ := strings.Cut(page, "<a class=att")
			fmt.Fprint(w, head)
		}
	})
	b := newBench(t, plainRecipe(t))
	if d := b.attempt(t.Context(), t, numberedTask(url, 1000)); d.Outcome != tasks.OutcomeComplete {
		t.Fatalf("with documents: %s", gist(d))
	}
	for n := range 10 {
		d := b.attempt(t.Context(), t, numberedTask(url, 5000+n))
		if d.Outcome != tasks.OutcomeNoAttachments || d.Result.Executor != tasks.ExecutorRender || d.Result.FellBack != "" {
			t.Errorf("order %d: %s", n, gist(d))
		}
	}
}

// TestKindThatFallsBackIsRenderedAtOnce has orders of which all that are fetched have to
// be rendered: after ten of them, none is fetched any more.
func TestKindThatFallsBackIsRenderedAtOnce(t *testing.T) {
	t.Parallel()
	var fetched atomic.Int32
	url := serveOrders(t, func(number string) func(http.ResponseWriter, *http.Request, string) {
		if number < "7000" {
			return nil
		}
		return func(w http.ResponseWriter, r *http.Request, page string) {
			if r.Header.Get("Sec-Fetch-Mode") != "navigate" {
				fetched.Add(1)
			}
			oddities["a frame"].serve(w, r, page)
		}
	})
	b := newBench(t, plainRecipe(t))
	b.learn(t, url)
	for n := range 14 {
		d := b.attempt(t.Context(), t, numberedTask(url, 7000+n))
		if d.Result == nil || d.Result.Executor != tasks.ExecutorRender || (d.Result.FellBack != "") != (n < 10) {
			t.Errorf("order %d: %s, %+v", n, gist(d), d.Result)
		}
	}
	if n := fetched.Load(); n != 10 {
		t.Errorf("%d orders were fetched, want 10", n)
	}
	if room := b.scraper.Room(); room != 1 {
		t.Errorf("there is room for %d orders that are all rendered", room)
	}
}

// TestBothFail has an order whose fetched page is not enough, and whose rendered page
// cannot be had: its error names both. One that is not there is that, and nothing else.
func TestBothFail(t *testing.T) {
	t.Parallel()
	url := serveOrders(t, func(number string) func(http.ResponseWriter, *http.Request, string) {
		status := map[string]int{"6000": http.StatusInternalServerError, "6001": http.StatusNotFound}[number]
		if status == 0 {
			return nil
		}
		return func(w http.ResponseWriter, r *http.Request, page string) {
			if r.Header.Get("Sec-Fetch-Mode") == "navigate" {
				w.WriteHeader(status)
				return
			}
			oddities["a click"].serve(w, r, page)
		}
	})
	b := newBench(t, plainRecipe(t))
	b.learn(t, url)
	d := b.attempt(t.Context(), t, numberedTask(url, 6000))
	if d.Failure == nil || d.Failure.Class != tasks.ClassHTTPStatus || d.Failure.Executor != tasks.ExecutorRender ||
		!strings.Contains(d.Failure.Message, "status 500") || !strings.Contains(d.Failure.Message, "a document of it has to be clicked") {
		t.Errorf("both failed: %+v", d.Failure)
	}
	d = b.attempt(t.Context(), t, numberedTask(url, 6001))
	if d.Outcome != tasks.OutcomeNotFound || strings.Contains(d.Failure.Message, "clicked") {
		t.Errorf("it is not there: %+v", d.Failure)
	}
}
