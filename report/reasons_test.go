package report

import (
	"fmt"
	"slices"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

func unwellOrder(n int, class tasks.Class, format string, args ...any) *tasks.ProcessingTask {
	t := newOrder(n, fmt.Sprintf("PO%d", 1000+n), tasks.StateFailed, tasks.OutcomeFailed, n+1)
	t.Failure = tasks.Permanent(tasks.OutcomeFailed, class, format, args...)
	return t
}

func TestReasonsAreWhatMessagesHaveInCommon(t *testing.T) {
	t.Parallel()
	m := &memory{}
	for n := range 30 {
		m.tasks = append(m.tasks, unwellOrder(n, tasks.ClassHTTPStatus, "https://portal.example/orders/PO%d answered 503", 1000+n))
	}
	for n := range 20 { // no two of them are alike
		m.tasks = append(m.tasks, unwellOrder(100+n, tasks.ClassStep, "step %s failed", string(rune('a'+n))))
	}
	m.tasks = append(m.tasks, unwellOrder(200, tasks.ClassHTTPStatus, "the portal answered 403"), withResult(newOrder(201, "PO7", tasks.StateCompleted, tasks.OutcomeComplete, 9)))
	r := build(t, m)
	var got []string
	for _, reason := range r.Reasons() {
		got = append(got, fmt.Sprintf("%d %s %s: %s", reason.Orders, reason.Class, reason.First[0], reason.Message))
	}
	want := []string{
		"30 http_status PO1000: https://portal.example/orders/PO1000 answered 503", "20 step PO1100: step a failed",
		"1 http_status PO1200: the portal answered 403",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the reasons are %q, want %q", got, want)
	}
	counts := map[int]int{}
	for order := range r.Tasks() {
		counts[r.reasonAt(order)]++
	}
	for i, n := range map[int]int{0: 30, 1: 20, 2: 1, -1: 1} {
		if counts[i] != n {
			t.Errorf("reason %d has %d orders, want %d", i, counts[i], n)
		}
	}
}

func TestWhatMessagesHaveInCommon(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ a, b, want string }{
		{"status 404 from https://files.example/a/1", "status 404 from https://files.example/b/2", "status 404 from https://files.example/…"},
		{`the page shows "PO1" within 20s (https://a.example/1)`, `the page shows "PO2" within 20s (https://b.example/1)`, `the page shows "…" within 20s (…)`},
		{"all the same", "all the same", "all the same"},
		{"a word more", "a word", "a word more"},
		{"2 of 3: Invoice 1.pdf: empty", "1 of 3: Invoice 2.pdf: empty", "… of 3: Invoice …: empty"},
		{"(…)", "(PO1)", "(…)"},
	} {
		if got := alike(c.a, c.b); got != c.want {
			t.Errorf("%q and %q have %q in common, want %q", c.a, c.b, got, c.want)
		}
	}
}

func TestStatusesAreReasonsOfTheirOwn(t *testing.T) {
	t.Parallel()
	m := &memory{}
	for n := range 4 {
		m.tasks = append(m.tasks, unwellOrder(n, tasks.ClassHTTPStatus, "status %d from https://portal.example/orders/%d", 500+n%2, n))
	}
	var got []string
	for _, reason := range build(t, m).Reasons() {
		got = append(got, fmt.Sprint(reason.Orders, " ", reason.Text))
	}
	if want := []string{"2 status 500 from https://portal.example/…", "2 status 501 from https://portal.example/…"}; !slices.Equal(got, want) {
		t.Errorf("the reasons are %q, want %q", got, want)
	}
}
