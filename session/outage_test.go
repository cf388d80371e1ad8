package session_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/report"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// ownPort returns an address of this machine that nobody else is given by
// chance: systems take the ports that they choose themselves from above 32767.
func ownPort(t *testing.T) string {
	t.Helper()
	for range 100 {
		address := fmt.Sprintf("127.0.0.1:%d", 20000+rand.IntN(10000))
		if l, err := net.Listen("tcp", address); err == nil {
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			return address
		}
	}
	t.Fatal("no port is free")
	return ""
}

// writeSheet writes the orders of a portal at this address to a sheet, and what
// more rows there are.
func writeSheet(t *testing.T, p *portal.Portal, base, more string) string {
	t.Helper()
	var text strings.Builder
	if err := p.WriteCSV(&text, base); err != nil {
		t.Fatal(err)
	}
	sheet := filepath.Join(t.TempDir(), "pos.csv")
	if err := os.WriteFile(sheet, []byte(text.String()+more), 0o600); err != nil {
		t.Fatal(err)
	}
	return sheet
}

func newPortal(t *testing.T, cfg portal.Config) *portal.Portal {
	t.Helper()
	cfg.MaxDocument = cmp.Or(cfg.MaxDocument, smallDocument)
	p, err := portal.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// charges counts the attempts of a task that were charged, and those that were not.
func charges(task report.Task) (charged, released int) {
	for _, a := range task.Attempts {
		if a.Released {
			released++
		} else {
			charged++
		}
	}
	return charged, released
}

func eventTypes(r wholeReport) (types []string) {
	for _, e := range r.Events {
		types = append(types, e.Type)
	}
	return types
}

// TestPortalThatIsDownForAWhile takes the portal away in the middle of a run, and
// brings it back when the session has paused and looked for it a few times.
func TestPortalThatIsDownForAWhile(t *testing.T) {
	t.Parallel()
	mix := portal.Config{Orders: 40, Variations: []portal.Variation{portal.Plain, portal.Several, portal.JSONMount}}
	first, second := newPortal(t, mix), newPortal(t, mix)
	address := ownPort(t)
	base, err := first.Start(address)
	if err != nil {
		t.Fatal(err)
	}
	cfg := config(t, writeSheet(t, first, base, ""))
	gone, paused := make(chan struct{}), make(chan struct{})
	var goneOnce, pausedOnce sync.Once
	cfg.OnProgress = func(p session.Progress) {
		if p.Done >= 5 {
			goneOnce.Do(func() { close(gone) })
		}
		if p.Status == tasks.SessionPaused && strings.Contains(p.Reason, "is down since") {
			pausedOnce.Do(func() { close(paused) })
		}
	}
	s, err := session.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	looks := make(chan struct{}, 100)
	session.OnLook(s, func(string) {
		select {
		case looks <- struct{}{}:
		default:
		}
	})
	var beside sync.WaitGroup
	beside.Go(func() {
		<-gone
		if err := first.Close(); err != nil {
			t.Error(err)
		}
		<-paused
		for range 3 {
			<-looks
		}
		if _, err := second.Start(address); err != nil {
			t.Error(err)
		}
	})
	end, err := s.Run(context.WithoutCancel(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	beside.Wait()
	r := readReport(t, end.Dir)
	if end.Status != tasks.SessionCompleted || !end.Well() {
		t.Errorf("got %+v", end)
	}
	waited := 0
	for i := range r.Tasks {
		attempts := &r.Tasks[i].Attempts
		made := len(*attempts)
		*attempts = slices.DeleteFunc(*attempts, func(a report.Attempt) bool { return a.Released })
		waited += made - len(*attempts)
	}
	checkAsMeant(t, second, end.Dir, r) // at the one attempt that is left
	if waited == 0 {
		t.Error("the history shows no waiting")
	}
	types := eventTypes(r)
	for _, want := range []string{tasks.EventBreakerOpened, tasks.EventPaused, tasks.EventBreakerClosed, tasks.EventResumed} {
		if !slices.Contains(types, want) {
			t.Errorf("there is no event %s: %v", want, types)
		}
	}
	checkCleared(t, end)
}

// checkGivenUp checks that a session ended because of its portal, with every
// order accounted for and none failed.
func checkGivenUp(t *testing.T, end session.End, r wholeReport, orders int) {
	t.Helper()
	if end.Status != tasks.SessionInterrupted || end.Cause != session.CauseBreaker || r.Session.Status != tasks.SessionInterrupted {
		t.Errorf("got %+v", end)
	}
	for _, part := range []string{fmt.Sprintf("%d orders are left", orders), "since ", "last seen: ", "poscrape resume " + end.Dir} {
		if !strings.Contains(end.Reason, part) {
			t.Errorf("%q is missing in %q", part, end.Reason)
		}
	}
	if r.Totals.Pending != orders || r.Totals.Tasks != orders {
		t.Errorf("%d of %d orders are pending", r.Totals.Pending, orders)
	}
	if !slices.Contains(eventTypes(r), tasks.EventBreakerGaveUp) {
		t.Errorf("no event says that the breaker gave up: %v", eventTypes(r))
	}
	checkCleared(t, end)
}

func TestPortalThatIsDownAndStaysSo(t *testing.T) {
	t.Parallel()
	for _, retries := range []int{2, 0} {
		t.Run(fmt.Sprintf("%d retries", retries), func(t *testing.T) {
			t.Parallel()
			p := newPortal(t, portal.Config{Orders: 12, Variations: []portal.Variation{portal.Plain}})
			cfg := config(t, writeSheet(t, p, "http://"+ownPort(t), ""))
			cfg.BreakerPatience, cfg.Retries = 300*time.Millisecond, retries
			end, r := run(t, cfg)
			checkGivenUp(t, end, r, 12)
		})
	}
}

func TestPortalThatRefusesAll(t *testing.T) {
	t.Parallel()
	const orders = 80
	p := newPortal(t, portal.Config{Orders: orders, Variations: []portal.Variation{portal.Plain}})
	var mu sync.Mutex
	asked := map[string]bool{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if strings.HasPrefix(r.URL.Path, "/orders/") {
			asked[r.URL.Path] = true
		}
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer server.Close()
	cfg := config(t, writeSheet(t, p, server.URL, ""))
	cfg.BreakerPatience, cfg.Retries = 300*time.Millisecond, 100
	end, r := run(t, cfg)
	checkGivenUp(t, end, r, orders)
	if n := len(asked); n < 25 || n >= 25+cfg.Workers {
		t.Errorf("%d orders were opened, want 25 and those in progress", n)
	}
}

func TestInterruptWhileThePortalIsDown(t *testing.T) {
	t.Parallel()
	p := newPortal(t, portal.Config{Orders: 12, Variations: []portal.Variation{portal.Plain}})
	cfg := config(t, writeSheet(t, p, "http://"+ownPort(t), ""))
	cfg.Grace, cfg.TaskTimeout = time.Hour, time.Hour
	end, r := runUntil(t, cfg, func(p session.Progress) bool { return p.Status == tasks.SessionPaused },
		func(s *session.ProcessingSession) { s.Interrupt("Ctrl-C") })
	if end.Cause != session.CauseUser || end.Reason != "Ctrl-C" || r.Totals.Pending != 12 {
		t.Errorf("got %+v", end)
	}
	checkCleared(t, end)
}

// TestTroubleOfTheirOwn: one row names a host that is not there, one order's page
// is always cut off. They fail, and the others do not notice.
func TestTroubleOfTheirOwn(t *testing.T) {
	t.Parallel()
	const orders = 30
	p := newPortal(t, portal.Config{Orders: orders, Variations: []portal.Variation{portal.Plain}})
	cut := p.Orders()[3]
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != cut.Path {
			p.ServeHTTP(w, r)
			return
		}
		conn, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			err = errors.Join(conn.(*net.TCPConn).SetLinger(0), conn.Close())
		}
		if err != nil {
			t.Error(err)
		}
	}))
	defer server.Close()
	elsewhere := "http://" + ownPort(t) + "/orders/PO9999999"
	end, r := run(t, config(t, writeSheet(t, p, server.URL, "PO9999999,Nobody,1,EUR,"+elsewhere+"\n")))
	if end.Status != tasks.SessionCompleted || r.Totals.Failed != 2 || r.Totals.Completed != orders-1 {
		t.Errorf("got %+v, %+v", end, r.Totals)
	}
	for _, task := range r.Tasks {
		want, outcome := 1, tasks.OutcomeComplete
		if task.PO == cut.Number || task.PO == "PO9999999" {
			want, outcome = 3, tasks.OutcomeFailed
		}
		if charged, _ := charges(task); charged != want || task.Outcome != outcome {
			t.Errorf("%s is %s after %d attempts, want %s after %d", task.PO, task.Outcome, charged, outcome, want)
		}
	}
	if slices.Contains(eventTypes(r), tasks.EventBreakerOpened) {
		t.Error("the breaker opened")
	}
	checkCleared(t, end)
}
