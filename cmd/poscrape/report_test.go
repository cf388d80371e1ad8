package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// newSessionFolder returns the folder of a session with so many orders, which runs while its
// ledger is open.
func newSessionFolder(t *testing.T, orders int) (dir string, l *ledger.Ledger) {
	t.Helper()
	dir = t.TempDir()
	l, err := ledger.Open(filepath.Join(dir, "session.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	specs := make([]tasks.Spec, orders)
	for i := range specs {
		po := fmt.Sprintf("PO%d", 1001+i)
		specs[i] = tasks.Spec{Key: po, PO: po, Dir: po, URL: "https://portal.example/" + po, Rows: []tasks.Row{{Line: i + 2, Raw: po, Cells: []string{po}}}}
	}
	_, err = l.Enqueue(t.Context(), specs...)
	record := tasks.Session{ID: uuid.Must(uuid.NewV7()), Status: tasks.SessionRunning, StartedAt: time.Now(),
		Input: tasks.Input{Columns: []string{"PO"}, Rows: orders, Roles: map[string]int{"po": 0}}}
	if err := errors.Join(err, l.SaveSession(t.Context(), record)); err != nil {
		t.Fatal(err)
	}
	return dir, l
}

// reportOf runs the command, and returns its exit code and what it has printed.
func reportOf(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	tr := newTrial(nil, nil)
	tr.hasDisplay, tr.show = func() bool { return false }, func(string) error { return errors.New("no viewer") }
	tr.start(t, append([]string{"report"}, args...)...)
	code = tr.wait(t)
	return code, tr.out.String(), tr.err.String()
}

type reported struct {
	Session struct{ Status, Reason string }
	Totals  struct {
		Rows, Tasks, Completed, Failed, Pending int
		ByOutcome                               map[string]int `json:"by_outcome"`
	}
	Tasks []struct{ State string }
}

// The numbers of a session that goes on add up in each report, and the reports do not keep it
// from going on.
func TestReportOfARunningSession(t *testing.T) {
	t.Parallel()
	const orders = 60
	dir, l := newSessionFolder(t, orders)
	ended := make(chan struct{})
	var work sync.WaitGroup
	work.Go(func() {
		defer close(ended)
		for {
			leases, err := l.Claim(t.Context(), tasks.ClaimRequest{Worker: "worker_001"})
			if errors.Is(err, tasks.ErrDrained) {
				return
			}
			if err == nil {
				err = errors.Join(l.Start(t.Context(), leases[0]), l.Record(t.Context(), leases[0], tasks.Decision{
					To: tasks.StateCompleted, Outcome: tasks.OutcomeComplete, Result: &tasks.Result{Outcome: tasks.OutcomeComplete}}))
			}
			if err != nil {
				t.Errorf("the session is disturbed: %v", err)
				return
			}
		}
	})
	defer work.Wait()
	for done := false; !done; {
		select {
		case <-ended:
			done = true
		default:
		}
		code, out, errs := reportOf(t, dir)
		var r reported
		if err := json.Unmarshal([]byte(out), &r); err != nil || code != 0 || errs != "" {
			t.Fatalf("exit code %d, %v, %s", code, err, errs)
		}
		states := map[string]int{}
		for _, task := range r.Tasks {
			states[task.State]++
		}
		n := r.Totals
		if n.Rows != orders || n.Tasks != orders || len(r.Tasks) != orders || n.Completed+n.Failed+n.Pending != orders ||
			n.Completed != states["COMPLETED"] || n.Completed != n.ByOutcome["complete"] || r.Session.Status != "RUNNING" {
			t.Fatalf("%+v does not add up with %v", r.Totals, states)
		}
		if done && n.Completed != orders {
			t.Errorf("%d are completed in the end, want %d", n.Completed, orders)
		}
	}
}

func TestReportFormats(t *testing.T) {
	t.Parallel()
	dir, l := newSessionFolder(t, 3)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	var r reported
	_, out, _ := reportOf(t, dir)
	if err := json.Unmarshal([]byte(out), &r); err != nil || r.Session.Status != "INTERRUPTED" || r.Session.Reason != "the last run has recorded no end" {
		t.Errorf("nobody works on it, and it is %+v (%v)", r.Session, err)
	}
	code, out, errs := reportOf(t, "--format", "csv", dir)
	if rows, err := csv.NewReader(strings.NewReader(out)).ReadAll(); code != 0 || errs != "" || err != nil || len(rows) != 4 {
		t.Errorf("exit code %d, %d lines of CSV, %v: %s", code, len(rows), err, errs)
	}
	elsewhere := t.TempDir()
	for _, c := range []struct{ name, format, begins string }{
		{"a.xlsx", "", "PK"}, {"b", "xlsx", "PK"}, {"c.HTML", "", "<!"}, {"d.txt", "", "{"}, {"e.csv", "", "PO,"}, {"f.csv", "json", "{"},
	} {
		file := filepath.Join(elsewhere, c.name)
		for range 2 { // it takes the place of an earlier one
			args := []string{"-o", file, dir}
			if c.format != "" {
				args = append(args, "--format", c.format)
			}
			if code, out, errs := reportOf(t, args...); code != 0 || out+errs != "" {
				t.Errorf("%s: exit code %d, %s%s", c.name, code, out, errs)
			}
		}
		if text, err := os.ReadFile(file); err != nil || !strings.HasPrefix(strings.ToLower(string(text)), strings.ToLower(c.begins)) {
			t.Errorf("%s does not begin with %q (%v)", c.name, c.begins, err)
		}
	}
	if entries, err := os.ReadDir(elsewhere); err != nil || len(entries) != 6 {
		t.Errorf("%v is left (%v)", entries, err)
	}
}

func TestReportOpen(t *testing.T) {
	t.Parallel()
	dir, _ := newSessionFolder(t, 1)
	page := filepath.Join(dir, "report.html")
	if code, out, errs := reportOf(t, "--open", dir); code != 0 || out != page+"\n" || !strings.HasPrefix(errs, "There is no display") {
		t.Errorf("exit code %d, %s%s", code, out, errs)
	}
	// It knows its folder: without that it has no pictures, and its commands name none.
	if text, err := os.ReadFile(page); err != nil || !strings.Contains(string(text), "<b>"+filepath.Base(dir)+"</b>") {
		t.Errorf("the page does not name the session's folder (%v)", err)
	}
	var shown []string
	tr := newTrial(nil, nil)
	tr.hasDisplay, tr.show = func() bool { return true }, func(path string) error { shown = append(shown, path); return nil }
	tr.start(t, "report", "--open", "--format", "html", dir)
	if code := tr.wait(t); code != 0 || !slices.Equal(shown, []string{page}) || tr.err.String() != "" {
		t.Errorf("exit code %d, shown are %q; %s", code, shown, tr.err.String())
	}
}

func TestReportRefuses(t *testing.T) {
	t.Parallel()
	dir, _ := newSessionFolder(t, 1)
	damaged, empty := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(damaged, "session.db"), []byte(strings.Repeat("no ledger ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	looped := t.TempDir()
	if err := os.Symlink("session.db", filepath.Join(looped, "session.db")); err != nil {
		t.Fatal(err)
	}
	unbegun, err := ledger.Open(filepath.Join(empty, "session.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer unbegun.Close()
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{}, "no DIR is named"},
		{[]string{dir, dir}, "2 are named"},
		{[]string{filepath.Join(dir, "nowhere")}, "does not exist; name the folder of a session"},
		{[]string{filepath.Join(dir, "session.db")}, "is no folder"},
		{[]string{t.TempDir()}, "is not the folder of a session: there is no session.db in it"},
		{[]string{looped}, "cannot be used"},
		{[]string{damaged}, "is not a session of poscrape, or is damaged"},
		{[]string{empty}, "was stopped before its orders were stored"},
		{[]string{"--format", "pdf", dir}, `there is no format "pdf"; there are json, csv, xlsx, html`},
		{[]string{"--format", "xlsx", dir}, "name a file with -o"},
		{[]string{"-o", "", dir}, "the name of FILE is empty"},
		{[]string{"-o", filepath.Join(dir, "session.db"), dir}, "is the session's own record"},
		{[]string{"-o", filepath.Join(dir, "no", "x.json"), dir}, "look at its folder"},
		{[]string{"--open", "--format", "csv", dir}, "leave out --format and -o"},
		{[]string{"--open", "-o", "x.html", dir}, "leave out --format and -o"},
	} {
		if code, out, errs := reportOf(t, c.args...); code != exitUsage || out != "" || !strings.Contains(errs, c.says) {
			t.Errorf("report %q: exit code %d, %s%s", c.args, code, out, errs)
		}
	}
}
