package session_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit/portalkit"
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
	synctest.Test(t, downForAWhile)
}

func downForAWhile(t *testing.T) {
	cfg := standing(t, 40)
	var gone, paused atomic.Bool
	var looks atomic.Int64
	on := &session.StandIns{
		Act: func(*tasks.ProcessingTask) session.Act {
			if gone.Load() {
				return session.Act{Takes: 20 * time.Millisecond, Err: down("portal.example")}
			}
			return session.Act{Takes: 500 * time.Millisecond}
		},
		Reach: func(address string) error {
			if address != "portal.example:443" {
				t.Errorf("%s was looked at", address)
			}
			if !gone.Load() {
				return nil
			}
			if paused.Load() && looks.Add(1) == 3 {
				gone.Store(false) // the next look finds it
			}
			return errors.New("connection refused")
		},
	}
	cfg.OnProgress = func(p session.Progress) {
		if p.Done >= 5 && looks.Load() == 0 {
			gone.Store(true)
		}
		if p.Status == tasks.SessionPaused && strings.Contains(p.Reason, "is down since") {
			paused.Store(true)
		}
	}
	end, r := runOn(t, cfg, on)
	if end.Status != tasks.SessionCompleted || !end.Well() {
		t.Errorf("got %+v", end)
	}
	waited := 0
	for _, task := range r.Tasks {
		_, released := charges(task)
		waited += released
	}
	if n := checkBrought(t, end.Dir, r); n != 40 || waited == 0 {
		t.Errorf("%d orders have ended, and the history shows %d attempts that waited", n, waited)
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

// TestPortalThatIsDownAndStaysSo has a Chrome say what it meets: the words for an order that was
// not reached are its own.
func TestPortalThatIsDownAndStaysSo(t *testing.T) {
	t.Parallel()
	p := portalkit.New(t, portal.Config{Orders: 12, Variations: []portal.Variation{portal.Plain}})
	cfg := config(t, portalkit.Sheet(t, p, "http://"+ownPort(t)))
	cfg.BreakerPatience = 300 * time.Millisecond
	end, r := run(t, cfg)
	checkGivenUp(t, end, r, 12)
}

// TestPortalThatStaysDown is given up after the patience that it is given, and not before.
func TestPortalThatStaysDown(t *testing.T) {
	t.Parallel()
	for _, retries := range []int{2, 0} {
		inBubble(t, fmt.Sprintf("%d retries", retries), func(t *testing.T) {
			cfg := standing(t, 12)
			cfg.Retries = retries
			on := &session.StandIns{
				Act:   func(*tasks.ProcessingTask) session.Act { return session.Act{Err: down("portal.example")} },
				Reach: func(string) error { return errors.New("connection refused") },
			}
			end, r := runOn(t, cfg, on)
			checkGivenUp(t, end, r, 12)
			if end.Took < cfg.BreakerPatience || end.Took > cfg.BreakerPatience+10*time.Second {
				t.Errorf("it was given up after %v, want %v", end.Took, cfg.BreakerPatience)
			}
		})
	}
}

func TestPortalThatRefusesAll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const orders = 80
		cfg := standing(t, orders)
		cfg.BreakerPatience, cfg.Retries = 300*time.Millisecond, 100
		var mu sync.Mutex
		asked := map[string]bool{}
		on := &session.StandIns{Act: func(task *tasks.ProcessingTask) session.Act {
			mu.Lock()
			defer mu.Unlock()
			asked[task.PO] = true
			return session.Act{Takes: 10 * time.Millisecond, Err: tasks.Retry(tasks.ClassHTTPStatus, "portal.example answered 503")}
		}}
		end, r := runOn(t, cfg, on)
		checkGivenUp(t, end, r, orders)
		if n := len(asked); n < 25 || n >= 25+cfg.Workers {
			t.Errorf("%d orders were opened, want 25 and those in progress", n)
		}
	})
}

func TestInterruptWhileThePortalIsDown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		cfg := standing(t, 12)
		cfg.Grace, cfg.TaskTimeout, cfg.BreakerPatience = time.Hour, time.Hour, time.Hour
		on := &session.StandIns{
			Act:   func(*tasks.ProcessingTask) session.Act { return session.Act{Err: down("portal.example")} },
			Reach: func(string) error { return errors.New("connection refused") },
		}
		end, r := runOnUntil(t, cfg, on, func(p session.Progress) bool { return p.Status == tasks.SessionPaused },
			func(s *session.ProcessingSession) { s.Interrupt("Ctrl-C") })
		if end.Cause != session.CauseUser || end.Reason != "Ctrl-C" || r.Totals.Pending != 12 {
			t.Errorf("got %+v", end)
		}
		checkCleared(t, end)
	})
}

// TestTroubleOfTheirOwn: one row names a host that is not there, one order's page
// is always cut off. They fail, and the others do not notice.
func TestTroubleOfTheirOwn(t *testing.T) {
	t.Parallel()
	const orders = 12
	p := portalkit.New(t, portal.Config{Orders: orders, Variations: []portal.Variation{portal.Plain}})
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
	end, r := run(t, config(t, portalkit.Sheet(t, p, server.URL, "PO9999999,Nobody,1,EUR,"+elsewhere)))
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
