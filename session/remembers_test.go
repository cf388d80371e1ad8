package session_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/internal/testkit/portalkit"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// TestASharedSignInAtAPortalThatRemembers: all workers are one visitor of a portal that keeps
// which order was opened last, and no order has another's document.
func TestASharedSignInAtAPortalThatRemembers(t *testing.T) {
	t.Parallel()
	longOnly(t, "thorough")
	modes := []session.Mode{session.ModeRender}
	if os.Getenv(thorough) != "" {
		modes = append(modes, session.ModeAuto, session.ModeFetch)
	}
	for _, mode := range modes {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			p, sheet := portalkit.StartWithSheet(t, portal.Config{Orders: 10, Variations: []portal.Variation{portal.Remembered}, MaxDocument: 8 << 10})
			cfg := config(t, sheet)
			cfg.Workers, cfg.Mode, cfg.State = 4, mode, filepath.Join(t.TempDir(), "state.json")
			testkit.Write(t, cfg.State, `{"cookies": [{"name": "portal_session", "value": "ours", "domain": "127.0.0.1", "path": "/", "expires": -1, "sameSite": "Lax"}], "origins": []}`)
			end, r := run(t, cfg)
			if end.Status != tasks.SessionCompleted {
				t.Errorf("it ended %s: %s", end.Status, end.Reason)
			}
			checkBelongings(t, p, end.Dir, r, mode)
		})
	}
}

// TestPrintsAtAPortalThatRemembers: the page at one address is that of the order that was opened last, and
// does not say which that is. No order has the print of another's; where it is the same page for all, nobody
// knows whose it is.
func TestPrintsAtAPortalThatRemembers(t *testing.T) {
	t.Parallel()
	var last atomic.Value
	mux := http.NewServeMux()
	mux.HandleFunc("/{kind}/{po}", func(w http.ResponseWriter, r *http.Request) {
		last.Store(r.PathValue("po"))
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><h1>Order <b id=po>%s</b></h1><form action="/%s" method=post><input type=hidden name=csrf_token value=%d><button class=open>Invoice</button></form>`,
			r.PathValue("po"), r.PathValue("kind"), time.Now().UnixNano())
	})
	mux.HandleFunc("/own", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><h1>Invoice</h1><p class=total>%s.00`, last.Load().(string)[2:])
	})
	mux.HandleFunc("/same", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><h1>Invoice</h1><p class=total>99.00`)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	read := func(kind string, workers, orders int) (sums, doubts map[string]string) {
		dir := t.TempDir()
		rows := "po,url\n"
		for n := range orders {
			rows += fmt.Sprintf("PO%[1]d,%[2]s/%[3]s/PO%[1]d\n", 1001+n, server.URL, kind)
		}
		sheet := filepath.Join(dir, "pos.csv")
		testkit.Write(t, sheet, rows)
		cfg := config(t, sheet)
		cfg.Workers, cfg.Retries, cfg.RecipeFile = workers, 0, filepath.Join(dir, "recipe.yaml")
		testkit.Write(t, cfg.RecipeFile, "version: 1\nname: prints\nbase_url: "+server.URL+"\nidentity: {selector: '#po'}\nattachments: {item: .open, print: true, shows: .total}\n")
		_, r := run(t, cfg)
		sums, doubts = map[string]string{}, map[string]string{}
		for _, task := range r.Tasks {
			if len(task.Attachments) == 1 {
				sums[task.PO] = task.Attachments[0].SHA256
			}
			if task.Outcome != tasks.OutcomeComplete {
				doubts[task.PO] = fmt.Sprintf("%s after %d attempts: %+v", task.Outcome, len(task.Attempts), task.Error)
			}
		}
		return sums, doubts
	}
	alone, _ := read("own", 1, 3)
	beside, doubts := read("own", 2, 3)
	if len(doubts) != 0 || len(alone) != 3 || !maps.Equal(alone, beside) {
		t.Errorf("got %v, want %v; not well: %v", beside, alone, doubts)
	}
	if sums, doubts := read("same", 1, 2); len(doubts) == 0 || len(sums) != 2 {
		t.Errorf("one page for two orders: %v, not well: %v", sums, doubts)
	}
}
