//go:build linux

package chaos

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger" // brings the driver "sqlite" as well
)

// memory is what a session had recorded, and the portal had been asked for, when
// poscrape was killed.
type memory struct {
	tasks map[string]*tasks.ProcessingTask
	steps map[string][]tasks.Transition
	asked map[string]portal.Requests
}

// remember reads a copy of the session file, so that whoever comes next finds
// the file as the killed process left it. It returns nil where there is no
// session yet.
func (p *workspace) remember(s *site) *memory {
	p.t.Helper()
	dir := p.t.TempDir()
	for _, name := range []string{"session.db", "session.db-wal"} {
		content, err := os.ReadFile(filepath.Join(p.out, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), content, 0o600)
		}
		if err != nil {
			p.t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "session.db")
	if _, err := os.Stat(file); err != nil {
		return nil
	}
	m := p.read(file)
	if m != nil {
		m.asked = s.asked()
	}
	return m
}

// recorded reads the session file as it is.
func (p *workspace) recorded() *memory {
	p.t.Helper()
	return p.read(filepath.Join(p.out, "session.db"))
}

// read returns nil for a file in which there is no order yet.
func (p *workspace) read(file string) *memory {
	p.t.Helper()
	l, err := ledger.OpenReadOnly(file)
	var unusable *ledger.FileError
	if errors.As(err, &unusable) {
		p.t.Logf("no session yet: %v", err)
		return nil
	}
	if err != nil {
		p.t.Fatal(err)
	}
	m := &memory{tasks: map[string]*tasks.ProcessingTask{}, steps: map[string][]tasks.Transition{}}
	ctx := context.Background()
	err = l.Each(ctx, func(t *tasks.ProcessingTask) error {
		m.tasks[t.PO] = t
		m.steps[t.PO], err = l.Transitions(ctx, t.ID)
		return err
	})
	if err := errors.Join(err, l.Close()); err != nil {
		p.t.Fatal(err)
	}
	if len(m.tasks) == 0 {
		return nil
	}
	return m
}

// confirmed returns the orders that had ended before, and that poscrape itself has put back
// since: they were only fetched, and nothing had shown when it was killed that rendering
// gives the same.
func (m *memory) confirmed(now *memory) map[string]bool {
	orders := map[string]bool{}
	for po, before := range m.tasks {
		steps := now.steps[po][min(len(m.steps[po]), len(now.steps[po])):]
		if before.State.Final() && before.Result != nil && before.Result.Executor == tasks.ExecutorFetch &&
			len(steps) > 0 && strings.HasPrefix(steps[0].Reason, "read again: ") {
			orders[po] = true
		}
	}
	return orders
}

// repeated returns the orders that had ended before, and have been worked on or
// asked for again since, but for those that were confirmed.
func (m *memory) repeated(now *memory) []string {
	var again []string
	confirmed := m.confirmed(now)
	for po, before := range m.tasks {
		after := now.tasks[po]
		if !before.State.Final() || after == nil || confirmed[po] {
			continue
		}
		if !reflect.DeepEqual(before.History, after.History) {
			again = append(again, fmt.Sprintf("order %s had ended, and has had further attempts", po))
		}
		if now.asked != nil && !reflect.DeepEqual(m.asked[po], now.asked[po]) {
			again = append(again, fmt.Sprintf("order %s had ended, and was asked for again: %+v, before %+v", po, now.asked[po], m.asked[po]))
		}
	}
	return again
}

// forgotten returns the orders of which something was recorded that is not there
// any more.
func (m *memory) forgotten(now *memory) []string {
	var lost []string
	confirmed := m.confirmed(now)
	for po, before := range m.tasks {
		after := now.tasks[po]
		recorded := slices.Clone(before.History)
		if confirmed[po] { // its last attempt does not count any more
			recorded[len(recorded)-1].Released = true
		}
		switch {
		case after == nil:
			lost = append(lost, fmt.Sprintf("order %s is not there any more", po))
		case !begins(after.History, recorded):
			lost = append(lost, fmt.Sprintf("order %s: recorded attempts are not there any more", po))
		case before.State.Final() && (before.State != after.State || before.Outcome != after.Outcome):
			lost = append(lost, fmt.Sprintf("order %s was %s, and is %s", po, before.Outcome, after.Outcome))
		}
	}
	return lost
}

// begins reports whether the attempts begin with those of before.
func begins(attempts, before []tasks.Attempt) bool {
	return len(attempts) >= len(before) &&
		slices.EqualFunc(before, attempts[:len(before)], func(a, b tasks.Attempt) bool { return reflect.DeepEqual(a, b) })
}

// charged returns the orders whose attempt was in progress at the kill and was
// counted. One that was claimed and not started had no attempt.
func (m *memory) charged(now *memory) []string {
	var charged []string
	for po, before := range m.tasks {
		n, after := len(before.History), now.tasks[po]
		if before.State == tasks.StateProcessing && after != nil && len(after.History) > n && !after.History[n].Released {
			charged = append(charged, fmt.Sprintf("order %s was in progress, and its attempt was charged", po))
		}
	}
	return charged
}

// dueAgain returns how long after the restart the last of the orders that were
// in progress was due again, and how many there were.
func (m *memory) dueAgain(now *memory, restart time.Time) (time.Duration, int) {
	var longest time.Duration
	n := 0
	for po, before := range m.tasks {
		if before.State != tasks.StateAssigned && before.State != tasks.StateProcessing {
			continue
		}
		n++
		due := testkit.Patience // in vain
		for _, step := range now.steps[po] {
			if step.At.After(restart) && step.To == tasks.StatePending {
				due = step.At.Sub(restart)
				break
			}
		}
		longest = max(longest, due)
	}
	return longest, n
}

// begunAgain returns how long after the restart the first order was begun, or
// false if none was.
func (m *memory) begunAgain(restart time.Time) (time.Duration, bool) {
	first, any := testkit.Patience, false
	for _, steps := range m.steps {
		for _, step := range steps {
			if step.At.After(restart) && step.To == tasks.StateProcessing {
				first, any = min(first, step.At.Sub(restart)), true
			}
		}
	}
	return first, any
}

// intact returns what SQLite finds wrong with the session file, or "".
func (p *workspace) intact() string {
	p.t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(p.out, "session.db")+"?mode=ro")
	if err != nil {
		p.t.Fatal(err)
	}
	defer db.Close()
	var answer string
	if err := db.QueryRowContext(p.t.Context(), "PRAGMA integrity_check").Scan(&answer); err != nil {
		return err.Error()
	}
	if answer != "ok" {
		return answer
	}
	return ""
}
