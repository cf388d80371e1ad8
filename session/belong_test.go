package session_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit/portalkit"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// belongOrders is the environment variable that says how many orders the sessions of
// TestDocumentsBelongToTheirOrders have: 200 with make belong.
const belongOrders = "POSCRAPE_BELONG_ORDERS"

// TestDocumentsBelongToTheirOrders has orders read whose downloads begin late and are
// doubled, and whose documents have one address for all orders: each file is what the
// portal meant its order to have. It is short unless told otherwise.
func TestDocumentsBelongToTheirOrders(t *testing.T) { //nolint:tparallel // one session at a time: the long form has eight workers
	t.Parallel()
	type trial struct {
		mode    session.Mode
		workers int
	}
	n, _ := strconv.Atoi(os.Getenv(belongOrders))
	trials := []trial{{session.ModeAuto, 2}}
	switch {
	case n > 0:
		trials = nil
		for _, mode := range session.Modes() {
			for _, workers := range []int{1, 4, 8} {
				trials = append(trials, trial{mode, workers})
			}
		}
	default:
		n = 12
		if os.Getenv(thorough) != "" {
			trials = append(trials, trial{session.ModeFetch, 1})
		}
	}
	for _, c := range trials {
		t.Run(fmt.Sprintf("%s with %d workers", c.mode, c.workers), func(t *testing.T) {
			mix := append(portal.Mixups(), portal.Remembered, portal.Remembered, portal.SharedTerms, portal.Plain)
			p, sheet := portalkit.StartWithSheet(t, portal.Config{Orders: n, Variations: mix, MaxDocument: 16 << 10, Slow: 300 * time.Millisecond})
			cfg := config(t, sheet)
			cfg.Mode, cfg.Workers = c.mode, c.workers
			end, r := run(t, cfg)
			checkBelongings(t, p, end.Dir, r, c.mode)
		})
	}
}

// checkBelongings holds each document against what the portal meant its order to have.
// What has to be clicked is not brought where pages are only fetched.
func checkBelongings(t *testing.T, p *portal.Portal, dir string, r wholeReport, mode session.Mode) {
	t.Helper()
	byNumber := map[string]reportTask{}
	for _, task := range r.Tasks {
		byNumber[task.PO] = task
	}
	for _, order := range p.Orders() {
		task := byNumber[order.Number]
		clicks := order.Variation == portal.LateDownload || order.Variation == portal.DoubledDownload
		if clicks && mode == session.ModeFetch {
			continue
		}
		// A page that was only fetched may have all documents, and not prove it.
		unproven := mode == session.ModeFetch && task.Error != nil && task.Error.Class == tasks.ClassUnproven
		if task.Outcome != tasks.OutcomeComplete && !unproven || len(task.Attachments) != len(order.Documents) {
			t.Errorf("%s (%s) ended %s with %d documents: %+v", order.Number, order.Variation, task.Outcome, len(task.Attachments), task.Error)
			continue
		}
		for i, doc := range task.Attachments {
			if got := sum(t, filepath.Join(dir, filepath.FromSlash(doc.Path))); got != order.Documents[i].SHA256 || got != doc.SHA256 {
				t.Errorf("%s (%s): %s is not its own", order.Number, order.Variation, doc.Name)
			}
		}
	}
}
