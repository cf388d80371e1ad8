package report

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

// thorough reports whether long tests are to do all that they can, as in make thorough.
func thorough() bool { return os.Getenv("POSCRAPE_THOROUGH") != "" }

// TestCountsAddUp makes sessions at random and checks that what a report says in
// one place agrees with what it says in every other.
func TestCountsAddUp(t *testing.T) {
	t.Parallel()
	s := schema(t)
	sessions := uint64(30)
	if thorough() {
		sessions = 150
	}
	for seed := range sessions {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			m := randomSession(rand.New(rand.NewPCG(seed, 2)))
			r := build(t, m)
			if err := s.Validate(decoded(t, r)); err != nil {
				t.Error(err)
			}
			checkTotals(t, r)
			checkResults(t, r, m)
			checkFailed(t, r, m)
			if rows := tableOf(t, written(t, r.WriteHTML)); len(rows) != len(m.tasks) {
				t.Errorf("the page shows %d orders of %d", len(rows), len(m.tasks))
			}
		})
	}
}

// checkTotals counts the tasks once more and compares.
func checkTotals(t *testing.T, r *Report) {
	t.Helper()
	want := Totals{ByOutcome: map[tasks.Outcome]int{}}
	tried := 0
	for task, err := range r.Tasks() {
		if err != nil {
			t.Fatal(err)
		}
		want.Tasks++
		want.Rows += len(task.Rows)
		want.ByOutcome[task.Outcome]++
		charged := 0
		for _, a := range task.Attempts {
			if !a.Released {
				charged++
			}
		}
		want.Attempts += charged
		want.Retries += max(0, charged-1)
		if len(task.Attempts) > 0 {
			tried++
		}
		for _, a := range task.Attachments {
			want.Attachments.Found++
			if a.State == tasks.AttachmentDone {
				want.Attachments.Bytes += a.Size
			}
		}
	}
	got := r.Totals
	sum := 0
	for o, n := range got.ByOutcome {
		sum += n
		if n != want.ByOutcome[o] {
			t.Errorf("%s: %d, but %d tasks have it", o, n, want.ByOutcome[o])
		}
	}
	files := got.Attachments
	for name, pair := range map[string][2]int{
		"rows":                            {got.Rows, want.Rows},
		"rows of the input":               {got.Rows, r.Session.Input.Rows},
		"tasks":                           {got.Tasks, want.Tasks},
		"completed + failed + pending":    {got.Completed + got.Failed + got.Pending, want.Tasks},
		"all outcomes, and none":          {sum + want.ByOutcome[""], want.Tasks},
		"attempts":                        {got.Attempts, want.Attempts},
		"retries":                         {got.Retries, want.Retries},
		"samples of task_ms":              {r.Performance.TaskMS.N, want.Attempts},
		"documents":                       {files.Found, want.Attachments.Found},
		"done + failed + skipped":         {files.Done + files.Failed + files.Skipped, want.Attachments.Found},
		"bytes":                           {int(files.Bytes), int(want.Attachments.Bytes)},
		"rendered + fetched, every tried": {got.Rendered + got.Fetched, tried},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %d, want %d", name, pair[0], pair[1])
		}
	}
}

// checkResults checks that results.csv has every row of the input, in its order.
func checkResults(t *testing.T, r *Report, m *memory) {
	t.Helper()
	records := records(t, written(t, r.WriteResultsCSV))
	if len(records) != m.session.Input.Rows+1 {
		t.Fatalf("results.csv has %d lines for %d rows", len(records)-1, m.session.Input.Rows)
	}
	outcomes := map[string]int{}
	for i, record := range records[1:] {
		if want := strconv.Itoa(i + 2); record[0] != want {
			t.Fatalf("line %d of results.csv is row %s", i+2, record[0])
		}
		outcomes[record[2]]++
	}
	for task := range r.Tasks() {
		outcomes[string(task.Outcome)] -= len(task.Rows)
	}
	for o, n := range outcomes {
		if n != 0 {
			t.Errorf("results.csv has %d rows too many with the outcome %q", n, o)
		}
	}
}

// checkFailed checks that failed.csv has the rows that did not end well, and
// no other.
func checkFailed(t *testing.T, r *Report, m *memory) {
	t.Helper()
	want := map[string]bool{}
	for _, task := range m.tasks {
		if task.State.Final() && !task.Outcome.Well() {
			for _, row := range task.Rows {
				want[row.Cells[0]] = true
			}
		}
	}
	if r.HasFailed() != (len(want) > 0) {
		t.Errorf("HasFailed is %v for %d rows", r.HasFailed(), len(want))
	}
	last := 0
	for _, record := range records(t, written(t, r.WriteFailedCSV))[1:] {
		line, err := strconv.Atoi(record[0])
		if err != nil || line <= last || !want[record[0]] {
			t.Errorf("failed.csv has row %q after row %d", record[0], last)
		}
		last = line
		delete(want, record[0])
	}
	if len(want) > 0 {
		t.Errorf("failed.csv lacks the rows %v", want)
	}
}

func records(t *testing.T, text string) [][]string {
	t.Helper()
	in := csv.NewReader(strings.NewReader(text))
	in.FieldsPerRecord = -1
	list, err := in.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// randomSession returns a session whose input's first column is the line number.
func randomSession(r *rand.Rand) *memory {
	m := &memory{}
	n := r.IntN(40)
	// Lines are dealt to the tasks at random, so that merged orders are mixed.
	holders := r.Perm(n)
	for range r.IntN(20) * min(n, 1) {
		holders = append(holders, r.IntN(n))
	}
	for i := range n {
		m.tasks = append(m.tasks, randomTask(r, i+1))
	}
	for i, holder := range holders {
		t := m.tasks[holder]
		t.Rows = append(t.Rows, tasks.Row{Line: i + 2, Raw: t.PO, Cells: []string{strconv.Itoa(i + 2), t.PO}})
	}
	m.addLog()
	m.session.Input.Columns = []string{"line", "po"}
	statuses := []tasks.SessionStatus{tasks.SessionRunning, tasks.SessionCompleted, tasks.SessionInterrupted}
	m.session.Status = statuses[r.IntN(len(statuses))]
	return m
}

func randomTask(r *rand.Rand, n int) *tasks.ProcessingTask {
	outcomes := append(tasks.Outcomes(), "")
	o := outcomes[r.IntN(len(outcomes))]
	t := newOrder(n, fmt.Sprintf("PO%d", n), o.State(), o)
	if o == tasks.OutcomeInvalidInput || o == tasks.OutcomeSkipped {
		return t
	}
	if o == "" && r.IntN(2) == 0 {
		t.State = tasks.StateProcessing
	}
	failure := tasks.Retry(tasks.ClassNavigation, "attempt of order %d", n)
	for i := range r.IntN(4) {
		f := failure
		if r.IntN(3) == 0 {
			f = tasks.Release(tasks.ClassBrowserLost, "lost")
		}
		t.History = append(t.History, ended(i+1, r.Float64()*10, 10+r.Float64()*10, tasks.OutcomeFailed, f))
	}
	if t.State == tasks.StateCompleted {
		withResult(t)
		t.History = append(t.History, ended(9, 1, 2, o, nil))
		states := []tasks.AttachmentState{tasks.AttachmentFailed, tasks.AttachmentSkipped}
		for i := range r.IntN(4) {
			if r.IntN(2) == 0 {
				t.Result.Attachments = append(t.Result.Attachments, done(t.PO, fmt.Sprint(i), r.Int64N(1e6)))
			} else {
				t.Result.Attachments = append(t.Result.Attachments, lost(t.PO, fmt.Sprint(i), states[r.IntN(2)], failure))
			}
		}
	}
	return t
}
