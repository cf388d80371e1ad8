//go:build unix

package browser_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/testkit"
)

// aheadOf returns how far the page's clock is ahead of the real one.
func aheadOf(t *testing.T, tab *browser.Tab) time.Duration {
	t.Helper()
	var ms float64
	if err := tab.Evaluate(t.Context(), "Date.now()", &ms); err != nil {
		t.Fatal(err)
	}
	return time.Until(time.UnixMilli(int64(ms)))
}

// TestRunAhead has an hour of a page's time pass, and looks at what its clock does
// beside that.
func TestRunAhead(t *testing.T) {
	t.Parallel()
	asked, answer := make(chan struct{}), make(chan struct{})
	url := serve(t, map[string]http.HandlerFunc{
		"/":     html("fine"),
		"/slow": func(_ http.ResponseWriter, r *http.Request) { meet(r, asked, answer) },
		"/never": func(_ http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
		},
	})
	b := share(t)
	began := time.Now()
	ahead := func(script, waitsFor string, limit time.Duration) error {
		return b.Tab().RunAhead(t.Context(), browser.Ahead{Script: script, WaitsFor: waitsFor, Limit: limit}, nil)
	}
	open(t, b.Tab(), url)
	if by := aheadOf(t, b.Tab()); by.Abs() > time.Minute {
		t.Fatalf("the clock of a new tab is %v ahead", by)
	}
	if err := ahead(`new Promise((over) => setTimeout(over, 3600000))`, `""`, time.Minute); err != nil {
		t.Fatal(err)
	}
	by := aheadOf(t, b.Tab())
	if passed := time.Since(began); passed > time.Hour/2 || by < time.Hour-passed-time.Minute {
		t.Errorf("after %v the page's clock is %v ahead, and not an hour", passed, by)
	}

	t.Log("it stands still for an answer")
	result := make(chan error, 1)
	go func() {
		result <- ahead(`fetch("/slow").then(() => new Promise((over) => setTimeout(over, 1000)))`, `"more"`, time.Minute)
	}()
	<-asked
	close(answer)
	if err := <-result; err != nil {
		t.Error(err)
	}
	if err := ahead(`fetch("/never"), new Promise((over) => setTimeout(over, 60000))`, `""`, time.Minute); !errors.Is(err, browser.ErrClockHeld) {
		t.Errorf("a page that waits for nothing, and whose clock is held: %v", err)
	}
	b.TidyUp(t.Context())
	open(t, b.Tab(), url)
	if err := ahead(`fetch("/never"), new Promise((over) => setTimeout(over, 60000))`, `"more"`, time.Second); err != nil {
		t.Errorf("beyond the limit the clock goes on without an answer: %v", err)
	}

	t.Log("it keeps pace, and is made real again")
	open(t, b.Tab(), url)
	stop := b.Tab().KeepPace(t.Context())
	began = time.Now()
	if err := b.Tab().Evaluate(t.Context(), `new Promise((over) => setTimeout(over, 1000))`, nil); err != nil {
		t.Error(err)
	}
	if passed := time.Since(began); passed < 500*time.Millisecond {
		t.Errorf("a second of the page took %v", passed)
	}
	stop()
	if err := ahead(`new Promise((over) => setTimeout(over, 3600000))`, `""`, time.Minute); err != nil {
		t.Fatal(err)
	}
	b.TidyUp(t.Context())
	open(t, b.Tab(), url)
	if by := aheadOf(t, b.Tab()); by.Abs() > time.Minute {
		t.Errorf("a tab that is an hour ahead was kept: %v", by)
	}
	if err := ahead(`0`, `""`, time.Minute); err != nil {
		t.Error(err)
	}
	virtual := b.Tab()
	if err := b.RealTime(t.Context()); err != nil || b.Tab() == virtual {
		t.Errorf("RealTime kept a tab whose clock has run ahead: %v", err)
	}
	was := b.Tab()
	if err := b.RealTime(t.Context()); err != nil || b.Tab() != was {
		t.Errorf("RealTime replaced a tab whose clock is real: %v", err)
	}
	if lost, why := b.LostTabs(); lost > 0 || b.Fit() != nil {
		t.Errorf("%d tabs count as lost (%v), and the browser says %v", lost, why, b.Fit())
	}
}

// TestHeldClock runs pages whose clock is slow, or held by what an earlier page of the
// tab has left behind.
func TestHeldClock(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{})
	url := serve(t, map[string]http.HandlerFunc{
		"/":       html("fine"),
		"/worker": html(`<script>new Worker("/worker.js")</script>`),
		"/worker.js": func(_ http.ResponseWriter, r *http.Request) {
			meet(r, asked, nil)
		},
		"/slow": func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-time.After(500 * time.Millisecond):
			case <-r.Context().Done():
			}
		},
	})
	b := share(t)
	open(t, b.Tab(), url)
	slow := browser.Ahead{Limit: time.Minute, WaitsFor: `""`, Script: `(async () => {
		for (let i = 0; i < 11; i++) {
			await fetch("/slow");
			await new Promise((over) => setTimeout(over, 100));
		}
	})()`}
	if err := b.Tab().RunAhead(t.Context(), slow, nil); err != nil {
		t.Errorf("a clock that goes on slowly: %v", err)
	}
	if err := b.Replace(t.Context()); err != nil {
		t.Fatal(err)
	}
	open(t, b.Tab(), url+"/worker")
	<-asked
	open(t, b.Tab(), url)
	late := browser.Ahead{Limit: time.Minute, WaitsFor: `"time"`, Script: `new Promise((over) => setTimeout(over, 60000))`}
	if err := b.Tab().RunAhead(t.Context(), late, nil); !errors.Is(err, browser.ErrClockHeld) {
		t.Errorf("a page whose clock is held, though it waits for a timer only: %v", err)
	}
	if err := b.Replace(t.Context()); err != nil {
		t.Fatal(err)
	}
	open(t, b.Tab(), url)
	if err := b.Tab().RunAhead(t.Context(), late, nil); err != nil {
		t.Errorf("in another tab: %v", err)
	}
}

// TestRunAheadGivenUp ends what is waited for while a page's clock runs ahead.
func TestRunAheadGivenUp(t *testing.T) {
	t.Parallel()
	url := serve(t, map[string]http.HandlerFunc{"/": html("fine")})
	b := launch(t)
	open(t, b.Tab(), url)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	err := b.Tab().RunAhead(ctx, browser.Ahead{Script: forever, WaitsFor: `"more"`, Limit: time.Minute}, nil)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	b.TidyUp(t.Context())
	open(t, b.Tab(), url)
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if err := b.Tab().RunAhead(t.Context(), browser.Ahead{Script: "0", WaitsFor: `""`, Limit: time.Minute}, nil); !errors.Is(err, browser.ErrLost) {
		t.Errorf("a lost browser: %v", err)
	}
}

// TestLead opens a page in a tab whose clock has fallen behind: it is put forward, which
// the page that is left does not notice, and the next one runs its scripts as ever.
func TestLead(t *testing.T) {
	t.Parallel()
	late := make(chan struct{}, 1)
	url := serve(t, map[string]http.HandlerFunc{
		"/":      html(`<script>fetch("/never")</script>`),
		"/next":  html(`<script>document.title = "it runs"</script>`),
		"/never": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"/late": func(http.ResponseWriter, *http.Request) {
			select {
			case late <- struct{}{}:
			default:
			}
		},
	})
	b := share(t)
	open(t, b.Tab(), url)
	// Its clock stands still for the answer that never comes, and then altogether.
	if err := b.Tab().RunAhead(t.Context(), browser.Ahead{Script: "0", WaitsFor: `"more"`, Limit: time.Minute}, nil); err != nil {
		t.Fatal(err)
	}
	const plan = `setTimeout(() => fetch("/late", { keepalive: true }), 600);
		document.head.append(Object.assign(document.createElement("meta"), { httpEquiv: "refresh", content: "1; url=/late" }))`
	if err := b.Tab().Evaluate(t.Context(), plan, nil); err != nil {
		t.Fatal(err)
	}
	testkit.Wait(t, "its clock to fall behind", func() bool { return aheadOf(t, b.Tab()) < -time.Second })
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Tab().Navigate(ended, url+"/next", ""); !errors.Is(err, context.Canceled) {
		t.Errorf("a navigation that was given up: %v", err)
	}
	b.TidyUp(t.Context())
	open(t, b.Tab(), url+"/next")
	if by := aheadOf(t, b.Tab()); by < 0 {
		t.Errorf("the next page's clock is %v behind", -by)
	}
	var title string
	if err := b.Tab().Evaluate(t.Context(), "document.title", &title); err != nil || title != "it runs" {
		t.Errorf("the next page's script has left %q, %v", title, err)
	}
	select {
	case <-late:
		t.Error("what the page had planned was done when its clock was put forward")
	default:
	}
}

// TestAwaitLoad waits for pages to be loaded, in a tab whose clock is real and in the
// same tab when it has run ahead: what the page plans for later is not due before.
func TestAwaitLoad(t *testing.T) {
	t.Parallel()
	asked, answer := make(chan struct{}), make(chan struct{})
	url := serve(t, map[string]http.HandlerFunc{
		"/": html(`<script>
			const began = Date.now();
			let tooSoon = false, took;
			setTimeout(() => { tooSoon = document.readyState !== "complete" }, 3000);
			addEventListener("load", () => { took = Date.now() - began });
		</script><script src="/held.js"></script>`),
		"/held.js":   func(_ http.ResponseWriter, r *http.Request) { meet(r, asked, answer) },
		"/endless":   html(`<img src="/never.png">`),
		"/never.png": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	})
	b := share(t)
	for _, clock := range []string{"real", "virtual"} {
		if _, err := b.Tab().Navigate(t.Context(), url, ""); err != nil {
			t.Fatal(err)
		}
		result := make(chan error, 1)
		go func() { result <- b.Tab().AwaitLoad(t.Context(), time.Minute, 300*time.Millisecond) }()
		<-asked
		for range 50 { // time to get ahead
			if err := b.Tab().EvaluateApart(t.Context(), "0", "0", nil); err != nil {
				t.Fatal(err)
			}
		}
		answer <- struct{}{}
		if err := <-result; err != nil {
			t.Errorf("%s clock: %v", clock, err)
		}
		var page struct {
			Loaded, TooSoon bool
			Took            float64
		}
		if err := b.Tab().Evaluate(t.Context(), `({ loaded: document.readyState === "complete", tooSoon, took })`, &page); err != nil {
			t.Fatal(err)
		}
		if !page.Loaded || page.TooSoon && clock == "virtual" { // real time passes
			t.Errorf("%s clock: %+v", clock, page)
		}

		if _, err := b.Tab().Navigate(t.Context(), url+"/endless", ""); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if err := b.Tab().AwaitLoad(t.Context(), 100*time.Millisecond, 0); err != nil || time.Since(began) < 100*time.Millisecond {
			t.Errorf("%s clock: a page that is never loaded was waited for %v: %v", clock, time.Since(began), err)
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if err := b.Tab().AwaitLoad(ended, time.Minute, 0); !errors.Is(err, context.Canceled) {
			t.Errorf("%s clock: what was given up returned %v", clock, err)
		}
		if err := b.Tab().RunAhead(t.Context(), browser.Ahead{Script: "0", WaitsFor: `"more"`, Limit: time.Minute}, nil); err != nil {
			t.Fatal(err)
		}
	}
}
