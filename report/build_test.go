package report

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

func outcomes(t *testing.T, r *Report) map[string]tasks.Outcome {
	t.Helper()
	got := map[string]tasks.Outcome{}
	for task, err := range r.Tasks() {
		if err != nil {
			t.Fatal(err)
		}
		got[task.PO] = task.Outcome
	}
	return got
}

func TestOutcomesOfWhatHasNotEnded(t *testing.T) {
	t.Parallel()
	stopped := map[string]tasks.Outcome{
		"PO1": tasks.OutcomeComplete, "PO2": tasks.OutcomeInterrupted, "PO3": tasks.OutcomeInterrupted,
		"PO4": tasks.OutcomeInterrupted, "PO5": "",
	}
	running := map[string]tasks.Outcome{"PO1": tasks.OutcomeComplete, "PO2": "", "PO3": "", "PO4": "", "PO5": ""}
	for status, want := range map[tasks.SessionStatus]map[string]tasks.Outcome{
		tasks.SessionInterrupted: stopped, tasks.SessionFailed: stopped,
		tasks.SessionRunning: running, tasks.SessionPaused: running, tasks.SessionInitializing: running,
	} {
		m := interrupted()
		m.session.Status = status
		got := outcomes(t, build(t, m))
		for po, o := range want {
			if got[po] != o {
				t.Errorf("%s: %s is %q, want %q", status, po, got[po], o)
			}
		}
	}
}

// TestWhatWorkersHold: each worker of a session that runs names the orders that it holds,
// one by one, whatever its own record says; one of a session that has stopped holds none.
func TestWhatWorkersHold(t *testing.T) {
	t.Parallel()
	for status, want := range map[tasks.SessionStatus][]string{
		tasks.SessionRunning: {"PO4", "PO6"}, tasks.SessionPaused: {"PO4", "PO6"}, tasks.SessionInterrupted: {},
	} {
		m := interrupted()
		m.session.Status = status
		m.tasks = append(m.tasks, newOrder(6, "PO6", tasks.StateAssigned, "", 7), newOrder(7, "PO7", tasks.StateProcessing, "", 8))
		for i, holder := range map[int]string{3: "worker_002", 5: "worker_002", 6: "worker_003", 0: "worker_001"} {
			m.tasks[i].Worker = holder
		}
		m.workers[0].Task, m.workers[1].Task = "PO1", "PO2"
		m.workers[1].Processed, m.workers[1].Failed = 5, 2
		r := build(t, m)
		first := ""
		if len(want) > 0 {
			first = want[0]
		}
		if w := r.Workers[1]; !slices.Equal(w.Tasks, want) || w.Task != first || w.Processed != 5 || w.Succeeded != 3 || w.Failed != 2 {
			t.Errorf("%s: got %+v", status, w)
		}
		if w := r.Workers[0]; w.Tasks == nil || len(w.Tasks) != 0 || w.Task != "" {
			t.Errorf("%s: got %+v", status, w)
		}
	}
}

// TestTimesOfTasks: each order says when it was enqueued, first begun and ended, as far
// as that has happened.
func TestTimesOfTasks(t *testing.T) {
	t.Parallel()
	seconds := func(at *time.Time) float64 {
		if at == nil {
			return -1
		}
		return at.Sub(noon).Seconds()
	}
	for name, test := range map[string]struct {
		session *memory
		want    map[string][3]float64 // created, started, completed; -1: not yet
	}{
		"ended": {finished(), map[string][3]float64{
			"PO1001": {0, 1, 3.3}, "PO1002": {0, 1, 9.55}, "": {0, -1, 0}, "PO1006": {0, -1, -1},
		}},
		"stopped": {interrupted(), map[string][3]float64{
			"PO1": {0, 1, 2.05}, "PO2": {0, 2, -1}, "PO3": {0, 1, -1}, "PO4": {0, 4, -1}, "PO5": {0, -1, -1},
		}},
	} {
		met := 0
		for task, err := range build(t, test.session).Tasks() {
			if err != nil {
				t.Fatal(err)
			}
			want, listed := test.want[task.PO]
			if !listed {
				continue
			}
			met++
			if got := [3]float64{seconds(task.CreatedAt), seconds(task.StartedAt), seconds(task.CompletedAt)}; got != want {
				t.Errorf("%s: %q has the times %v, want %v", name, task.PO, got, want)
			}
		}
		if met != len(test.want) {
			t.Errorf("%s: %d of %d orders were met", name, met, len(test.want))
		}
	}
}

func TestSheetIsShown(t *testing.T) {
	t.Parallel()
	r := build(t, finished())
	want := []tasks.Sheet{{Supplier: "Acme GmbH", Amount: "1.250,00", Currency: "EUR"}, {Amount: "1.250,00"}, {}}
	var got []tasks.Sheet
	for task, err := range r.Tasks() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, task.Sheet)
	}
	if !slices.Equal(got[:len(want)], want) {
		t.Errorf("the sheets are %+v, want %+v", got[:len(want)], want)
	}
	text, page := written(t, r.WriteJSON), written(t, r.WriteHTML)
	if n := strings.Count(text, `"sheet":`); n != 2 {
		t.Errorf("%d orders have a sheet in report.json, want 2", n)
	}
	rows := tableOf(t, page)
	if first := rows[0]; first.Supplier != "Acme GmbH" || first.Amount != "1.250,00 EUR" || first.Value == nil || *first.Value != 1250 {
		t.Errorf("report.html shows %+v", first)
	}
	if !strings.Contains(page, `<td class="n">1.250,00</td>`) {
		t.Error("report.html does not show the amount of an order that did not end well")
	}
}

func TestReleasedAttemptsAreListedAndNotCharged(t *testing.T) {
	t.Parallel()
	r := build(t, interrupted())
	if r.Totals.Attempts != 2 || r.Totals.Retries != 0 || r.Performance.TaskMS.N != 2 {
		t.Errorf("attempts %d, retries %d, samples %d; want 2, 0, 2", r.Totals.Attempts, r.Totals.Retries, r.Performance.TaskMS.N)
	}
	for task := range r.Tasks() {
		if task.PO != "PO2" {
			continue
		}
		if a := task.Attempts[0]; !a.Released || a.Outcome != tasks.OutcomeInterrupted || task.Error == nil {
			t.Errorf("the released attempt is %+v, the task's error %v", a, task.Error)
		}
	}
}

func TestPerformance(t *testing.T) {
	t.Parallel()
	got := build(t, finished()).Performance
	want := Performance{
		TasksPerMinute: 18, SuccessRate: 0.2222, // 9 tried orders in 30 s
		TaskMS:        TaskTimes{N: 10, Mean: 1965, P50: 2000, P95: 5500, P99: 5500, Max: 5500},
		ClaimMS:       ClaimTimes{N: 10, P50: 0.29, P99: 0.34},
		WorkerStartMS: StartTimes{N: 4, P50: 500, Max: 540},
		FallbackRate:  0.5, // one was fetched, one fell back
		// 2,648,320 bytes in ten times 250 ms
		DownloadsBytesPerS: 1_059_328,
	}
	if got != want {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

// TestFallbackRate: orders that were only rendered, be it to audit those that were
// fetched, do not count.
func TestFallbackRate(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fetched, fellBack, rendered int
		want                        float64
	}{
		"no order":      {0, 0, 0, 0},
		"only rendered": {0, 0, 7, 0},
		"only fetched":  {7, 0, 1, 0},
		"some":          {3, 1, 4, 0.25},
		"a third":       {2, 1, 0, 0.3333},
		"all":           {0, 2, 2, 1},
	} {
		m := &memory{}
		add := func(executor, fellBack string) {
			n := len(m.tasks) + 1
			task := withResult(newOrder(n, fmt.Sprintf("PO%d", n), tasks.StateCompleted, tasks.OutcomeComplete, n+1))
			task.Result.Executor, task.Result.FellBack = executor, fellBack
			m.tasks = append(m.tasks, task)
		}
		for range test.fetched {
			add(tasks.ExecutorFetch, "")
		}
		for range test.fellBack {
			add(tasks.ExecutorRender, "it has frames")
		}
		for range test.rendered {
			add(tasks.ExecutorRender, "")
		}
		m.addLog()
		if got := build(t, m).Performance.FallbackRate; got != test.want {
			t.Errorf("%s: the rate is %v, want %v", name, got, test.want)
		}
	}
}

func TestPercentile(t *testing.T) {
	t.Parallel()
	hundred := make([]float64, 100)
	for i := range hundred {
		hundred[i] = float64(i + 1)
	}
	for _, test := range []struct {
		samples []float64
		p, want float64
	}{
		{nil, 50, 0}, {[]float64{7}, 50, 7}, {[]float64{7}, 99, 7}, {[]float64{1, 2}, 50, 1}, {[]float64{1, 2, 3}, 50, 2},
		{hundred, 50, 50}, {hundred, 95, 95}, {hundred, 99, 99}, {hundred, 100, 100}, {hundred, 0, 1},
	} {
		if got := percentile(test.samples, test.p); got != test.want {
			t.Errorf("percentile %v of %d samples is %v, want %v", test.p, len(test.samples), got, test.want)
		}
	}
}

func TestHowLongItRan(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(*memory)
		want   float64
	}{
		"as recorded":       {func(m *memory) { m.session.Worked = 12 * time.Second }, 12_000},
		"until its end":     {func(m *memory) { m.session.Worked, m.session.EndedAt = 0, at(20) }, 20_000},
		"until its events":  {func(m *memory) { m.session.Worked, m.session.EndedAt = 0, time.Time{} }, 30_000},
		"until its answers": {func(m *memory) { m.session.Worked, m.session.EndedAt, m.events = 0, time.Time{}, nil }, 11_000},
		"not begun":         {func(m *memory) { m.session = tasks.Session{Status: tasks.SessionCompleted} }, 0},
	} {
		m := finished()
		test.change(m)
		if got := build(t, m).Session.DurationMS; got != test.want {
			t.Errorf("%s: %v ms, want %v", name, got, test.want)
		}
	}
}

func TestLoadsStayInTheirBounds(t *testing.T) {
	t.Parallel()
	m := finished()
	m.scalings = []tasks.Scaling{{CPU: 1.02, Memory: -0.1, Pressure: 1.5}}
	if got := build(t, m).Scaling[0]; got.CPU != 1 || got.Memory != 0 || *got.Pressure != 1 {
		t.Errorf("cpu %v, memory %v, pressure %v", got.CPU, got.Memory, *got.Pressure)
	}
}

func TestErrorsOfTheSource(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"Session", "Each", "Stats", "Workers", "Scalings", "Events"} {
		fault := errors.New("the disk is gone")
		m := finished()
		m.faults = map[string]error{method: fault}
		if _, err := Build(t.Context(), m); !errors.Is(err, fault) {
			t.Errorf("%s fails: Build returns %v", method, err)
		}
	}
}

func TestTasksThatAreMissing(t *testing.T) {
	t.Parallel()
	m := finished()
	m.more = 1
	if _, err := Build(t.Context(), m); err == nil || !strings.Contains(err.Error(), "12 tasks") {
		t.Errorf("Build returns %v where a task was not read", err)
	}
	m.session.Status = tasks.SessionRunning
	if _, err := Build(t.Context(), m); err != nil {
		t.Errorf("a task that was added while a report was made: %v", err)
	}
}

func TestBuildStopsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Build(ctx, finished()); !errors.Is(err, context.Canceled) {
		t.Errorf("Build returns %v", err)
	}
}

// TestReadingAReport shows that report.json reads back into the types that it
// was written from.
func TestReadingAReport(t *testing.T) {
	t.Parallel()
	r := build(t, finished())
	var back struct {
		Report
		Tasks []Task `json:"tasks"`
	}
	if err := json.Unmarshal([]byte(written(t, r.WriteJSON)), &back); err != nil {
		t.Fatal(err)
	}
	if len(back.Tasks) != r.Totals.Tasks || back.Session.Host != r.Session.Host || back.Totals.Rows != r.Totals.Rows {
		t.Errorf("read back: %d tasks, %+v", len(back.Tasks), back.Totals)
	}
}

// TestTasksMayBeLeftEarly shows that a reader need not read all.
func TestTasksMayBeLeftEarly(t *testing.T) {
	t.Parallel()
	n := 0
	for range build(t, finished()).Tasks() {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("read %d tasks", n)
	}
}

// TestDocumentsOfTheSheet: where the sheet says how many documents an order has, and the portal lists another number,
// that is a difference, whoever named the column; one that a recipe does not ask for is none.
func TestDocumentsOfTheSheet(t *testing.T) {
	t.Parallel()
	m := finished()
	m.session.Input.Columns = append(m.session.Input.Columns, "Documents")
	m.session.Input.Roles = map[string]int{"po": 0, "url": 1, "documents": 4}
	for i, cell := range map[int]string{0: "3", 1: "3", 2: "0", 3: "7"} {
		m.tasks[i].Rows[0].Cells = append(m.tasks[i].Rows[0].Cells, cell)
	}
	r := build(t, m)
	var got []string
	for task, err := range r.Tasks() {
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range task.Differences {
			got = append(got, fmt.Sprintf("%s %d %s %s: %s | %s", task.PO, d.Row, d.Field, d.Column, d.Sheet, d.Portal))
		}
	}
	if want := "PO1001 2 documents Documents: 3 | 2"; strings.Join(got, "; ") != want || r.Totals.Differences != 1 {
		t.Errorf("the differences are %q (%d), want %q", got, r.Totals.Differences, want)
	}
	m.tasks[0].Result.Proof = &tasks.Proof{By: tasks.ProofFields}
	if r := build(t, m); r.Totals.Differences != 0 {
		t.Errorf("%d differences of documents that are not asked for", r.Totals.Differences)
	}
}
