package worker

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/breaker"
	"github.com/poscrape/poscrape/tasks"
)

// startTwo returns an Opener for the sites a and b, with what it tells in "slot site".
func startTwo(t *testing.T) (o *Opener, moves *[]string) {
	t.Helper()
	o, moves = startOne(t), new([]string)
	portal := o.Sites[0].Portal
	o.Sites = []Site{{Name: "a", Portal: portal, SignIn: o.Sites[0].SignIn}, {Name: "b", Portal: scrape.NewPortal(scrape.AutoRecipe(), nil), SignIn: o.Sites[0].SignIn}}
	o.spare.site = o.Sites[0]
	o.Next = func(context.Context, string) string { return "b" }
	o.At = func(slot, site string) { *moves = append(*moves, strings.TrimSpace(slot+" "+site)) }
	o.Breaker = breaker.New(breaker.Config{Timeout: time.Minute, Patience: time.Minute})
	o.Leaving = func(string) bool { return false }
	return o, moves
}

// TestAWorkerMoves: at each site it has a browser of its own, and only one at a time.
func TestAWorkerMoves(t *testing.T) {
	t.Parallel()
	o, moves := startTwo(t)
	first := o.spare
	w, err := o.Open(t.Context(), "worker_001")
	if err != nil {
		t.Fatal(err)
	}
	moving := w.(*traveller)
	for _, step := range []struct {
		site  string
		stays bool
	}{{"a", true}, {"b", false}, {"b", true}} {
		before := moving.here
		if _, err := moving.goTo(t.Context(), o.site(step.site)); err != nil {
			t.Fatal(err)
		}
		here := moving.here
		if (here == before) != step.stays || here.site.Name != step.site || here.Fit() != nil || !step.stays && !before.gone {
			t.Errorf("at %s it has %v after %v, of the site %s", step.site, here.id, before.id, here.site.Name)
		}
		if browsers, profiles := o.Left(); browsers != 1 || profiles != 1 {
			t.Errorf("at %s there are %d browsers and %d profiles", step.site, browsers, profiles)
		}
		// The pool knows the browser that it began with.
		info := moving.Info()
		if r := o.Used("worker_001", tasks.Worker{PID: first.browser.PID()}); r.BrowserID != here.id || r.PID != info.PID || r.Profile != info.Profile {
			t.Errorf("its record is %+v", r)
		}
	}
	for range 2 {
		if err := moving.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if want := []string{"worker_001 a", "worker_001 b", "worker_001"}; !slices.Equal(slices.Compact(*moves), want) {
		t.Errorf("told was %q, want %q", *moves, want)
	}
	next, err := o.Open(t.Context(), "worker_001")
	if err != nil {
		t.Fatal(err)
	}
	if site := next.(*traveller).here.site.Name; site != "b" {
		t.Errorf("another is opened at %q, and its next order is of b", site)
	}
	if err := next.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestAWorkerThatCannotMove is replaced, and its order is not charged.
func TestAWorkerThatCannotMove(t *testing.T) {
	t.Parallel()
	o, _ := startTwo(t)
	w, err := o.Open(t.Context(), "worker_001")
	if err != nil {
		t.Fatal(err)
	}
	o.Chrome.Path = "/no/such/chrome"
	order := &tasks.ProcessingTask{Spec: tasks.Spec{Key: "1", PO: "1", URL: "http://b.example/1", Portal: "b"}}
	for range 2 {
		_, err := w.Do(t.Context(), order)
		if f := tasks.AsFailure(err); f == nil || f.Advice != tasks.AdviceRelease || !strings.Contains(err.Error(), "opening a browser for b") {
			t.Errorf("the order ended with %v", err)
		}
	}
	if w.(*traveller).Fit() == nil {
		t.Error("it is fit for another order")
	}
	if err := w.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if browsers, profiles := o.Left(); browsers != 0 || profiles != 0 {
		t.Errorf("left are %d browsers and %d profiles", browsers, profiles)
	}
}
