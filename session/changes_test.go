package session_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/report"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// changing stands in for a portal whose page is another one from the so-manyth order on.
func changing(from int64) *session.StandIns {
	var asked atomic.Int64
	return &session.StandIns{Act: func(task *tasks.ProcessingTask) session.Act {
		n := asked.Add(1)
		total := tasks.Look{Where: "fields.total", Met: 1, Mark: tasks.MarkOf(".total")}
		fields := map[string]tasks.Field{"buyer": {Raw: "Jane " + task.PO, Value: "Jane " + task.PO, Type: "text"}}
		if n > from {
			total.Met = 0
		} else {
			fields["total"] = tasks.Field{Raw: fmt.Sprint(n, ".50"), Value: fmt.Sprint(n, ".50"), Type: "amount"}
		}
		return session.Act{Takes: time.Second, Fields: fields, Executor: tasks.ExecutorRender,
			Looks: []tasks.Look{{Where: "identity.selector", Met: 1, Mark: tasks.MarkOf("#po")}, total, {Where: "fields.buyer", Met: 1, Mark: tasks.MarkOf(".buyer")}}}
	}}
}

// watched returns the settings of a session of so many orders, and what it warns of.
func watched(t *testing.T, dir string, orders int) (session.Config, func() []string) {
	t.Helper()
	cfg := standing(t, orders)
	cfg.RecipeFile = filepath.Join(dir, "acme.yaml")
	testkit.Write(t, cfg.RecipeFile, "version: 1\nidentity: {selector: '#po'}\nfields:\n  total: {selector: .total, type: amount, locale: en}\n  buyer: {selector: .buyer}\n")
	cfg.Workers = 1
	var told []string
	cfg.OnNotice = func(n session.Notice) { told = append(told, n.Message) }
	return cfg, func() []string { return told }
}

// TestAPortalThatChanges has the page of a portal change in the middle of a session, and before
// the second session with the same recipe.
func TestAPortalThatChanges(t *testing.T) {
	t.Parallel()
	synctest.Test(t, portalChanges)
}

func portalChanges(t *testing.T) {
	const says = `the portal has changed: fields.total ".total" met nothing on the last `
	dir := t.TempDir()
	for n, c := range []struct {
		from    int64
		orders  int
		noticed bool
	}{{1 << 40, 20, false}, {0, 8, true}, {25, 40, true}} {
		cfg, told := watched(t, dir, c.orders)
		cfg.Out = filepath.Join(dir, "sessions", fmt.Sprint(n))
		if c.from == 25 { // a folder of its own, so that there is no earlier one
			cfg.Out = filepath.Join(dir, "others", fmt.Sprint(n))
		}
		end, got := runOn(t, cfg, changing(c.from))
		is := func(text string) bool { return strings.Contains(text, says) }
		event := slices.ContainsFunc(got.Events, func(e report.Event) bool {
			return e.Type == tasks.EventPortalChanged && is(e.Detail)
		})
		notices := slices.DeleteFunc(slices.Clone(told()), func(text string) bool { return !is(text) })
		if slices.ContainsFunc(end.Warnings, is) != c.noticed || event != c.noticed || (len(notices) == 1) != c.noticed || end.ByOutcome[tasks.OutcomeComplete] != c.orders {
			t.Errorf("session %d: warnings %q, event %v, notices %q, %v", n, end.Warnings, event, notices, end.ByOutcome)
		}
		if c.noticed && (len(notices) == 0 || !strings.Contains(notices[0], "look with: poscrape check ")) {
			t.Errorf("session %d: it does not say how to go on: %q", n, notices)
		}
	}
}
