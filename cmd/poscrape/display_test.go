package main

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/session"
)

// slowView notes its calls, each of which takes a while.
type slowView struct {
	takes time.Duration
	busy  sync.Mutex
	calls []string
	t     *testing.T
}

func (v *slowView) note(call string) {
	if !v.busy.TryLock() {
		v.t.Error("two calls of a view at the same time")
		return
	}
	defer v.busy.Unlock()
	<-time.After(v.takes)
	v.calls = append(v.calls, call)
}

func (v *slowView) Progress(_ time.Time, p session.Progress) {
	v.note(fmt.Sprintf("progress %d", p.Done))
}
func (v *slowView) Tick(time.Time)           {}
func (v *slowView) Notice(n session.Notice)  { v.note(n.Message) }
func (v *slowView) Detail(line string)       { v.note(line) }
func (v *slowView) End()                     { v.note("end") }
func (v *slowView) Summary(session.End, int) {}

func TestDisplayNeverHoldsUpTheWork(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := &slowView{t: t, takes: time.Second}
		d := newDisplay(v)
		began := time.Now()
		var tellers sync.WaitGroup
		for i := range 3 {
			tellers.Go(func() { d.Notice(session.Notice{Message: fmt.Sprintf("notice %d", i)}) })
		}
		for i := range 100 {
			d.Progress(session.Progress{Done: i})
		}
		tellers.Wait()
		d.Detail("detail")
		if took := time.Since(began); took > 0 {
			t.Errorf("telling took %v, want none of the view's time", took)
		}
		d.Close()
		d.Close()
		for _, want := range []string{"notice 0", "notice 1", "notice 2", "detail", "progress 99"} {
			if !slices.Contains(v.calls, want) {
				t.Errorf("%q was not shown: %q", want, v.calls)
			}
		}
		if last := v.calls[len(v.calls)-1]; last != "end" {
			t.Errorf("the last call is %q, want the end", last)
		}
		if len(v.calls) > 20 {
			t.Errorf("%d calls: old figures should be passed over", len(v.calls))
		}
		d.Notice(session.Notice{Message: "too late"}) // from work that was given up; must not block
	})
}

func TestDisplayLeavesAStuckView(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDisplay(&slowView{t: t, takes: time.Hour})
		d.Notice(session.Notice{Message: "stuck"})
		began := time.Now()
		d.Leave(time.Second)
		if took := time.Since(began); took != time.Second {
			t.Errorf("leaving took %v, want 1s", took)
		}
		d.Close()
	})
}

func TestDisplayTicks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out syncBuffer
		d := newDisplay(&plainView{err: &out, progress: true})
		d.Progress(session.Progress{At: time.Now(), Total: 10, ETA: -1, Wanted: 1, Running: 1})
		synctest.Wait()
		d.Progress(session.Progress{At: time.Now(), Total: 10, Done: 1, ETA: -1, Wanted: 1, Running: 1})
		synctest.Wait()
		if want := "0/10 orders (0 %), 1 worker, 0 busy\n"; out.String() != want {
			t.Errorf("at once: got %q, want %q", out.String(), want)
		}
		<-time.After(3 * time.Second)
		synctest.Wait()
		if want := "0/10 orders (0 %), 1 worker, 0 busy\n1/10 orders (10 %), 1 worker, 0 busy\n"; out.String() != want {
			t.Errorf("after 3 s: got %q, want %q", out.String(), want)
		}
		d.Close()
	})
}
