package session_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// twoPortals serves two portals whose orders have the same numbers, the supplier in the recipe
// of the first and the total in that of the second, and returns the session of both and the
// settings of each.
func twoPortals(t *testing.T, a, b *portal.Door, orders int, more string) (both, first, second session.Config) {
	t.Helper()
	first = behindDoor(t, a, orders, more+"fields: {supplier: {selector: \"#supplier\", required: true}}\n")
	second = behindDoor(t, b, orders, "fields: {total: {selector: \"#total\", type: amount, required: true}}\n")
	var rows []string
	for i, cfg := range []session.Config{first, second} {
		text, err := os.ReadFile(cfg.File)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		rows = append(rows, lines[min(i, 1):]...)
	}
	both = first
	both.File, both.MoreRecipes, both.Workers = filepath.Join(t.TempDir(), "pos.csv"), []string{second.RecipeFile}, 2
	testkit.Write(t, both.File, strings.Join(rows, "\n")+"\n")
	return both, first, second
}

// checkFields: each order that is complete has the fields of its own recipe, and its own documents.
func checkFields(t *testing.T, r wholeReport, first session.Config) {
	t.Helper()
	text, err := os.ReadFile(first.RecipeFile)
	if err != nil {
		t.Fatal(err)
	}
	folders := map[string]bool{}
	for _, task := range r.Tasks {
		if task.Outcome != tasks.OutcomeComplete {
			continue
		}
		host := strings.Join(strings.Split(task.URL, "/")[:3], "/")
		want := "total"
		if strings.Contains(string(text), "base_url: "+host+"\n") {
			want = "supplier"
		}
		if got := slices.Collect(maps.Keys(task.Fields)); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: the fields are %q, want %q", task.URL, got, want)
		}
		for _, doc := range task.Attachments {
			if folders[doc.Path] || !strings.HasPrefix(doc.Source, host) {
				t.Errorf("%s: its document is %s, from %s", task.URL, doc.Path, doc.Source)
			}
			folders[doc.Path] = true
		}
	}
}

// TestAWallAtOneOfSeveralPortals: the other goes on, and signs out; the session goes on where
// somebody can sign in.
func TestAWallAtOneOfSeveralPortals(t *testing.T) {
	t.Parallel()
	const orders = 5
	open, walled := &portal.Door{Lasts: 3}, &portal.Door{}
	cfg, first, second := twoPortals(t, open, walled, orders, "  logout: {url: \"{base_url}"+portal.DoorLogout+"\"}\n")
	cfg.Mode = session.ModeRender
	password := filepath.Join(filepath.Dir(second.RecipeFile), "password")
	testkit.Write(t, password, "wrong-one-99")
	end, r := run(t, cfg)
	if end.Status != tasks.SessionInterrupted || end.Cause != session.CauseLogin || end.ByOutcome[tasks.OutcomeComplete] != orders {
		t.Fatalf("it ended %s, %s: %s; %v", end.Status, end.Cause, end.Reason, end.ByOutcome)
	}
	for _, says := range []string{"127.0.0.1:", "still asks for a password", "poscrape login --recipe " + second.RecipeFile + ";", "poscrape resume " + end.Dir} {
		if !strings.Contains(end.Reason, says) {
			t.Errorf("the reason is %q, want %q in it", end.Reason, says)
		}
	}
	if seen := walled.Counts(); seen.Refused != 1 || seen.Orders > 0 || seen.Walled > cfg.Workers {
		t.Errorf("the door that was not passed has seen %+v", seen)
	}
	// Documents of an order that was shown may meet the end of its sign-in; then it is read again.
	if seen := open.Counts(); seen.SignIns < 2 || seen.SignIns-seen.Expired > 1 || seen.SignOuts != 1 || seen.Orders < orders || seen.Orders > orders+cfg.Workers || isThere(stateOf(first)) {
		t.Errorf("the other door has seen %+v; its state is there: %v", seen, isThere(stateOf(first)))
	}
	if n := lostAttempts(t, r); n > 0 {
		t.Errorf("%d attempts were lost", n)
	}
	checkFields(t, r, first)

	before := open.Counts()
	testkit.Write(t, password, doorPassword)
	end, r = resume(t, end.Dir, session.ResumeConfig{})
	if end.Status != tasks.SessionCompleted || end.ByOutcome[tasks.OutcomeComplete] != 2*orders || len(r.Tasks) != 2*orders {
		t.Errorf("resumed it ended %s: %s; %v", end.Status, end.Reason, end.ByOutcome)
	}
	if seen := walled.Counts(); seen.SignIns != 1 || open.Counts() != before || !isThere(stateOf(second)) {
		t.Errorf("the doors have seen %+v and %+v", seen, open.Counts())
	}
	if n := lostAttempts(t, r); n > 0 {
		t.Errorf("%d attempts were lost", n)
	}
	checkFields(t, r, first)
	checkSecret(t, end.Dir, doorPassword)
}

// TestKilledAmongSeveralPortals: each order goes on at its own portal, though the recipes'
// files are gone, and though no order was stored.
func TestKilledAmongSeveralPortals(t *testing.T) {
	t.Parallel()
	longOnly(t, "thorough")
	const orders = 6
	cfg, first, second := twoPortals(t, &portal.Door{}, &portal.Door{}, orders, "")
	cfg.Mode, cfg.Workers = session.ModeFetch, 1
	end, _ := interrupted(t, cfg)
	l, err := ledger.Open(filepath.Join(end.Dir, "session.db"))
	if err != nil {
		t.Fatal(err)
	}
	record, err := l.Session(t.Context())
	record.Status = tasks.SessionRunning // as a kill leaves it
	if err := errors.Join(err, l.SaveSession(t.Context(), record), l.Close()); err != nil {
		t.Fatal(err)
	}
	empty := t.TempDir()
	if l, err = ledger.Open(filepath.Join(empty, "session.db")); err != nil {
		t.Fatal(err)
	}
	record.Status = tasks.SessionInitializing
	if err := errors.Join(l.SaveSession(t.Context(), record), l.Close()); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(second.RecipeFile, second.RecipeFile+".away"); err != nil {
		t.Fatal(err)
	}
	end, r := resume(t, end.Dir, session.ResumeConfig{})
	if end.Status != tasks.SessionCompleted || end.ByOutcome[tasks.OutcomeComplete] != 2*orders || len(r.Tasks) != 2*orders {
		t.Errorf("resumed it ended %s: %s; %v", end.Status, end.Reason, end.ByOutcome)
	}
	checkFields(t, r, first)
	if moves := eventsOf(r, tasks.EventWorkerMoved); len(moves) == 0 {
		t.Error("the worker has never changed the portal")
	}
	if want, got := portalsOf(t, end.Dir), portalsOf(t, empty); len(got) > 0 || len(want) != 2*orders {
		t.Errorf("the ledgers have %v and %v", want, got)
	}
	s, err := session.Resume(t.Context(), empty, session.ResumeConfig{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if want, got := portalsOf(t, end.Dir), portalsOf(t, empty); !maps.Equal(got, want) {
		t.Errorf("after the sheet was read again the portals are %v, want %v", got, want)
	}
}

// portalsOf returns the portal of each order of a session, by its key.
func portalsOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	l, err := ledger.OpenReadOnly(filepath.Join(dir, "session.db"))
	if err != nil {
		t.Fatal(err)
	}
	portals := map[string]string{}
	err = l.Each(context.WithoutCancel(t.Context()), func(task *tasks.ProcessingTask) error {
		portals[task.Key] = task.Portal
		return nil
	})
	if err := errors.Join(err, l.Close()); err != nil {
		t.Fatal(err)
	}
	for key, portal := range portals {
		if !strings.Contains(key, fmt.Sprintf("http://%s/", portal)) {
			t.Errorf("the portal of %s is %q", key, portal)
		}
	}
	return portals
}
