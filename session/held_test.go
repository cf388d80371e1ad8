package session_test

import (
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/report"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// TestWorkersSayWhatTheyDo: the report of a session that runs names the orders that each
// worker holds; that of one that has ended counts them, and when the last thing was done.
func TestWorkersSayWhatTheyDo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, workersSay)
}

func workersSay(t *testing.T) {
	answer := make(chan struct{})
	on := &session.StandIns{Act: func(task *tasks.ProcessingTask) session.Act {
		if task.PO == "PO1002" {
			return session.Act{Until: answer, Err: tasks.Permanent(tasks.OutcomeNotFound, tasks.ClassNotFound, "there is no such order")}
		}
		return session.Act{Until: answer}
	}}
	cfg := standing(t, 2)
	s := openOn(t, cfg, on)
	var answered time.Time
	seen := make(chan struct{})
	go func() {
		defer close(seen)
		defer close(answer)
		held := heldBy(t, cfg.Out, 2)
		slices.Sort(held)
		if !slices.Equal(held, []string{"PO1001", "PO1002"}) {
			t.Errorf("the workers hold %q", held)
		}
		answered = time.Now()
	}()
	end, err := s.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	<-seen
	r := readReport(t, end.Dir)
	var succeeded, failed int
	for _, w := range r.Workers {
		succeeded, failed = succeeded+w.Succeeded, failed+w.Failed
		if len(w.Tasks) != 0 || w.Processed != 1 || w.LastActivity.Before(answered) {
			t.Errorf("in the end: %+v, answered at %v", w, answered)
		}
	}
	if succeeded != 1 || failed != 1 {
		t.Errorf("%d succeeded and %d failed, want one of each", succeeded, failed)
	}
}

// heldBy waits until the report of a session that runs has so many workers that hold orders,
// and returns those.
func heldBy(t *testing.T, dir string, workers int) (held []string) {
	l, err := ledger.OpenReadOnly(filepath.Join(dir, "session.db"))
	if err != nil {
		t.Error(err)
		return nil
	}
	defer l.Close()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		r, err := report.Build(t.Context(), l)
		if err != nil {
			t.Error(err)
			return nil
		}
		idle := func(w report.Worker) bool { return len(w.Tasks) == 0 }
		if len(r.Workers) < workers || slices.ContainsFunc(r.Workers, idle) {
			<-tick.C
			continue
		}
		for _, w := range r.Workers {
			if len(w.Tasks) != 1 || w.Task != w.Tasks[0] {
				t.Errorf("%s holds %q, %q first", w.ID, w.Tasks, w.Task)
			}
			held = append(held, w.Tasks...)
		}
		return held
	}
}
