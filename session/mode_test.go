package session_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit/portalkit"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// turning is a portal that serves three documents with each page until it has
// answered so many times; from then on its script mounts two of them.
type turning struct {
	at       int64
	answered atomic.Int64
	// stop is called once it has turned, and has served some more; or nil.
	stop func()
}

func (p *turning) mounts() bool { return p.answered.Load() > p.at }

func (p *turning) serve(t *testing.T, orders int) (sheet string) {
	t.Helper()
	link := func(number, name string) string {
		return fmt.Sprintf(`<a href="/orders/%s/files/%s.pdf">%s.pdf</a> `, number, name, name)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/orders/{number}", func(w http.ResponseWriter, r *http.Request) {
		number := r.PathValue("number")
		if p.answered.Add(1) == p.at+5 && p.stop != nil {
			p.stop()
		}
		served := link(number, "first")
		if !p.mounts() {
			served += link(number, "second") + link(number, "third")
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>%[1]s</title><h1>Order %[1]s</h1><main id=m>%[2]s</main><script src="/app.js"></script>`, number, served)
	})
	mux.HandleFunc("/app.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		w.Header().Set("Cache-Control", "no-store")
		fmt.Fprint(w, `var number = location.pathname.split("/")[2];
			if (document.links.length < 3) ["second", "third"].forEach(function (name) {
				m.insertAdjacentHTML("beforeend", '<a href="/orders/' + number + '/files/' + name + '.pdf">' + name + '.pdf</a> ') })`)
	})
	mux.HandleFunc("/orders/{number}/files/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprint(w, "%PDF-1.4 ", r.URL.Path)
	})
	s := httptest.NewServer(mux)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	rows := "po,url\n"
	for n := range orders {
		rows += fmt.Sprintf("PO%d,%s/orders/PO%d\n", 70000+n, s.URL, 70000+n)
	}
	sheet = filepath.Join(t.TempDir(), "pos.csv")
	if err := os.WriteFile(sheet, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	return sheet
}

// TestPortalThatTurns changes from pages that have all documents to pages whose
// script mounts some: long before an audit, and shortly before the end.
func TestPortalThatTurns(t *testing.T) {
	t.Parallel()
	for name, at := range map[string]int64{"thorough: never": 1 << 40, "thorough: early": 14, "thorough: between audits": 40, "at the end": 58} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			longOnly(t, name)
			p := &turning{at: at}
			cfg := config(t, p.serve(t, 60))
			cfg.Workers = 2
			end, r := run(t, cfg)
			if end.ByOutcome[tasks.OutcomeComplete] != 60 || r.Session.Mode != "auto" {
				t.Errorf("the session ended with %v in mode %s", end.ByOutcome, r.Session.Mode)
			}
			var again int
			for _, task := range r.Tasks {
				if len(task.Attachments) != 3 {
					t.Errorf("%s, read by %s, has %d documents", task.PO, task.Executor, len(task.Attachments))
				}
				if len(task.Attempts) > 1 {
					again++
				}
			}
			types := map[string]int{}
			for _, e := range r.Events {
				types[e.Type]++
			}
			if types[tasks.EventTrustEarned] == 0 {
				t.Error("trust was never earned")
			}
			if lost := types[tasks.EventTrustLost] > 0; lost != !strings.HasSuffix(name, "never") {
				t.Errorf("trust was lost: %t", lost)
			}
			if strings.HasSuffix(name, "never") && (r.Totals.Fetched < 40 || again > 2) || !strings.HasSuffix(name, "never") && again == 0 {
				t.Errorf("%d orders were fetched, %d were read again", r.Totals.Fetched, again)
			}
			t.Logf("%d rendered, %d fetched, %d read again, %d fell back", r.Totals.Rendered, r.Totals.Fetched, again, r.Totals.Fallbacks)
		})
	}
}

// TestModeIsRemembered runs a session in each mode, whatever the recipe says.
func TestModeIsRemembered(t *testing.T) {
	t.Parallel()
	for _, mode := range []session.Mode{session.ModeRender, session.ModeFetch} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			if mode == session.ModeRender {
				longOnly(t, "thorough")
			}
			_, sheet := portalkit.StartWithSheet(t, portal.Config{Orders: 8, Variations: []portal.Variation{portal.Plain}, MaxDocument: 8 << 10})
			cfg := config(t, sheet)
			cfg.Workers, cfg.Mode = 1, mode
			end, r := run(t, cfg)
			want := 0
			if mode == session.ModeFetch {
				want = 7 // all but the one that brings the tab there
			}
			if end.ByOutcome[tasks.OutcomeComplete] != 8 || r.Session.Mode != string(mode) || r.Totals.Fetched != want {
				t.Errorf("mode %s: %v, %d fetched", r.Session.Mode, end.ByOutcome, r.Totals.Fetched)
			}
			for _, task := range r.Tasks {
				if last := task.Attempts[len(task.Attempts)-1]; last.Executor != task.Executor {
					t.Errorf("%s: its attempt was by %s, it by %s", task.PO, last.Executor, task.Executor)
				}
			}
			s, err := session.Resume(t.Context(), end.Dir, session.ResumeConfig{})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			if r := readReport(t, end.Dir); r.Session.Mode != string(mode) {
				t.Errorf("gone on with, its mode is %s", r.Session.Mode)
			}
		})
	}
}

// TestFetchedBeforeAStop stops a session among orders that were only fetched from a
// portal that has turned: they are not done, and are read again when it goes on.
func TestFetchedBeforeAStop(t *testing.T) {
	t.Parallel()
	p := &turning{at: 12}
	cfg := config(t, p.serve(t, 24))
	cfg.Workers = 1
	s := open(t, cfg)
	p.stop = func() { s.Interrupt("the test wants it") }
	end, r := finish(t, s)
	for _, task := range r.Tasks {
		if task.State == tasks.StateCompleted && len(task.Attachments) != 3 {
			t.Errorf("%s, read by %s, counts as done with %d documents", task.PO, task.Executor, len(task.Attachments))
		}
	}
	s, err := session.Resume(t.Context(), end.Dir, session.ResumeConfig{})
	if err != nil {
		t.Fatal(err)
	}
	end, r = finish(t, s)
	if end.ByOutcome[tasks.OutcomeComplete] != 24 {
		t.Errorf("it ended with %v", end.ByOutcome)
	}
	again := 0
	for _, task := range r.Tasks {
		if len(task.Attachments) != 3 {
			t.Errorf("%s, read by %s, has %d documents", task.PO, task.Executor, len(task.Attachments))
		}
		if len(task.Attempts) > 1 {
			again++
		}
	}
	if again == 0 {
		t.Error("no order was read again")
	}
}

// TestFetchedBeforeAKill resumes a session that was killed when all orders were done:
// none is touched.
func TestFetchedBeforeAKill(t *testing.T) {
	t.Parallel()
	longOnly(t, "thorough")
	p := &turning{at: 1 << 40}
	cfg := config(t, p.serve(t, 24))
	cfg.Workers = 1
	end, before := finish(t, open(t, cfg))
	markRunning(t, end.Dir)
	s, err := session.Resume(t.Context(), end.Dir, session.ResumeConfig{})
	if err != nil {
		t.Fatal(err)
	}
	end, after := finish(t, s)
	if end.ByOutcome[tasks.OutcomeComplete] != 24 || before.Totals.Fetched == 0 {
		t.Errorf("it ended with %v, of which %d were only fetched", end.ByOutcome, before.Totals.Fetched)
	}
	if before.Totals.Attempts != after.Totals.Attempts {
		t.Errorf("there were %d attempts, and then %d", before.Totals.Attempts, after.Totals.Attempts)
	}
}

// markRunning makes an ended session look as one that was killed.
func markRunning(t *testing.T, dir string) {
	t.Helper()
	l, err := ledger.OpenExisting(filepath.Join(dir, "session.db"))
	if err != nil {
		t.Fatal(err)
	}
	record, err := l.Session(t.Context())
	record.Status = tasks.SessionRunning
	if err = errors.Join(err, l.SaveSession(t.Context(), record), l.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestUnknownModes are refused.
func TestUnknownModes(t *testing.T) {
	t.Parallel()
	cfg := session.DefaultConfig()
	cfg.Mode = "swift"
	if err := cfg.Validate(); err == nil || !strings.HasPrefix(err.Error(), "--mode") || slices.Contains(session.Modes(), cfg.Mode) {
		t.Errorf("got %v", err)
	}
}
