package session_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/poscrape/poscrape/report"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// changing serves orders whose page is another one from the so-manyth on that is asked for.
func changing(t *testing.T, from int64) (url string) {
	t.Helper()
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		class := "total"
		if asked.Add(1) > from {
			class = "sum"
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Portal</title><h1>Order <b id=po>%s</b></h1><p class=%s>%d.50</p><p class=buyer>Jane %s</p>`,
			filepath.Base(r.URL.Path), class, len(r.URL.Path)*100+int(asked.Load()), r.URL.Path)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// watched returns the settings of a session of so many orders, and what it warns of.
func watched(t *testing.T, dir, url string, orders int) (session.Config, func() []string) {
	t.Helper()
	var rows strings.Builder
	for n := range orders {
		fmt.Fprintf(&rows, "PO%d,%s/PO%d\n", 1001+n, url, 1001+n)
	}
	cfg := config(t, filepath.Join(dir, "pos.csv"))
	write(t, cfg.File, "po,url\n"+rows.String())
	cfg.RecipeFile = filepath.Join(dir, "acme.yaml")
	write(t, cfg.RecipeFile, "version: 1\nidentity: {selector: '#po'}\nfields:\n  total: {selector: .total, type: amount, locale: en}\n  buyer: {selector: .buyer}\n")
	cfg.Mode, cfg.Workers = session.ModeFetch, 1
	var told []string
	cfg.OnNotice = func(n session.Notice) { told = append(told, n.Message) }
	return cfg, func() []string { return told }
}

// TestAPortalThatChanges has the page of a portal change in the middle of a session, and before
// the second session with the same recipe.
func TestAPortalThatChanges(t *testing.T) {
	t.Parallel()
	const says = `the portal has changed: fields.total ".total" met nothing on the last `
	dir := t.TempDir()
	for n, c := range []struct {
		from    int64
		orders  int
		noticed bool
	}{{1 << 40, 20, false}, {0, 8, true}, {25, 40, true}} {
		cfg, told := watched(t, dir, changing(t, c.from), c.orders)
		cfg.Out = filepath.Join(dir, "sessions", fmt.Sprint(n))
		if c.from == 25 { // a folder of its own, so that there is no earlier one
			cfg.Out = filepath.Join(dir, "others", fmt.Sprint(n))
		}
		end, got := run(t, cfg)
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
