package tasks_test

import (
	"strings"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

// deal returns who gets the tasks from one number to another.
func deal(d *tasks.Dealer, from, to int64) string {
	var got []string
	for seq := from; seq <= to; seq++ {
		got = append(got, d.Deal(seq))
	}
	return strings.Join(got, "")
}

func wantDeal(t *testing.T, d *tasks.Dealer, from, to int64, want string) {
	t.Helper()
	if got := deal(d, from, to); got != want {
		t.Errorf("tasks %d to %d went to %s, want %s", from, to, got, want)
	}
}

func TestDealer(t *testing.T) {
	t.Parallel()
	var d tasks.Dealer
	if got := d.Deal(1); got != "" {
		t.Errorf("with nobody seated, %q got a task", got)
	}
	if !d.Seat("a", []string{"a", "b", "c"}) || d.Seat("b", []string{"a", "b", "c"}) {
		t.Error("Seat does not tell a new list from the same")
	}
	wantDeal(t, &d, 1, 7, "abcabca")
	wantDeal(t, &d, 1, 7, "abcabca")
	d.Forget(1)
	wantDeal(t, &d, 1, 1, "b")
	if !d.Seat("a", []string{"a", "c"}) {
		t.Error("b has left, and the list is not new")
	}
	if got := deal(&d, 1, 7); strings.Contains(got, "b") || got[2:4] != "ca" {
		t.Errorf("after b has left the tasks go to %s", got)
	}
	d.Join("d")
	d.Join("d")
	if got := deal(&d, 8, 10); strings.Count(got, "d") != 1 {
		t.Errorf("with d the next go to %s", got)
	}
	if !d.Seat("e", []string{"a"}) || d.Seat("e", []string{"a"}) {
		t.Error("one who is not on its own list has no lasting seat")
	}
}

func TestDealerLosesPatience(t *testing.T) {
	t.Parallel()
	var d tasks.Dealer
	d.Seat("a", []string{"a", "b"})
	wantDeal(t, &d, 1, 4, "abab")
	alive := map[string]bool{"a": true}
	if d.Check(alive) {
		t.Error("the first check took tasks from b")
	}
	d.Check(map[string]bool{"a": true, "b": true})
	if d.Check(alive) || !d.Check(alive) {
		t.Error("it takes two checks in a row")
	}
	if d.Check(alive) {
		t.Error("a third check took something again")
	}
	wantDeal(t, &d, 1, 6, "aaaaaa")
	d.Seat("b", []string{"a", "b"})
	if got := deal(&d, 7, 10); strings.Count(got, "b") != 2 {
		t.Errorf("b is back, and the next go to %s", got)
	}
}

func TestPulse(t *testing.T) {
	t.Parallel()
	var p tasks.Pulse
	for i, step := range []struct{ beat, lost bool }{
		{true, false}, {false, false}, {true, false}, {false, false}, {false, true}, {false, true},
	} {
		if step.beat {
			p.Beat()
		}
		if got := p.Check(); got != step.lost {
			t.Errorf("check %d: lost %t, want %t", i+1, got, step.lost)
		}
	}
}
