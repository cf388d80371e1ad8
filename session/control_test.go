package session_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/control"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

func codeOf(err error) control.Code {
	var e *control.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// TestControl: a session that is steered by others does what it is told, loses and charges
// nothing, and its last figures are those of its report.
func TestControl(t *testing.T) {
	t.Parallel()
	synctest.Test(t, controlled)
}

func controlled(t *testing.T) {
	on := &session.StandIns{Act: func(task *tasks.ProcessingTask) session.Act {
		act := session.Act{Takes: time.Second}
		if task.Rows[0].Line%2 == 0 {
			act.Err = tasks.Permanent(tasks.OutcomeNotFound, tasks.ClassNotFound, "there is no such order")
		}
		if task.Rows[0].Line%4 == 1 {
			act.Shown = &tasks.Shown{Number: true, Row: []tasks.Value{{Column: "supplier", Text: "ACME", At: 1, Meaning: 2}},
				Lists: []tasks.List{{Met: 1, Count: &tasks.Counted{N: 1, Text: "1 document"}}}}
		}
		return act
	}}
	s := openOn(t, standing(t, 60), on)
	c := s.Control()
	if _, err := c.Pause(); codeOf(err) != control.NotRunning {
		t.Errorf("Pause before Run: %v", err)
	}
	if err := c.Scale(9); codeOf(err) != control.OutOfBounds {
		t.Errorf("Scale(9): %v", err)
	}
	if shot := c.Snapshot(); shot.Status.Total != 60 || shot.Status.Status != tasks.SessionInitializing || shot.Workers == nil {
		t.Errorf("before Run it is %+v", shot)
	}
	var end session.End
	var runErr error
	ran := make(chan struct{})
	go func() {
		defer close(ran)
		end, runErr = s.Run(context.WithoutCancel(t.Context()))
	}()
	until := func(what string, is func(control.Snapshot) bool) control.Snapshot {
		t.Helper()
		for shot := range control.Watch(t.Context(), c) {
			if is(shot) {
				return shot
			}
		}
		t.Fatalf("it has ended, or the test, before %s", what)
		return control.Snapshot{}
	}
	until("its first orders", func(s control.Snapshot) bool { return s.Status.Completed > 2 })
	if already, err := c.Pause(); already || err != nil {
		t.Errorf("Pause: %v, %v", already, err)
	}
	if already, err := c.Pause(); !already || err != nil {
		t.Errorf("Pause again: %v, %v", already, err)
	}
	paused := until("its pause", func(s control.Snapshot) bool {
		return s.Status.Status == tasks.SessionPaused && s.Status.Active == 0 && s.Status.Confirmed+s.Status.Listed == s.Status.Well
	})
	if len(paused.Status.Holds) != 1 || paused.Status.Holds[0].Owner != control.HeldByPerson || len(paused.Workers) == 0 || paused.Workers[0].PID == 0 {
		t.Errorf("paused, it is %+v", paused)
	}
	if paused.Status.Confirmed == 0 || paused.Status.Listed == 0 {
		t.Errorf("%d are confirmed, and %d are not", paused.Status.Confirmed, paused.Status.Listed)
	}
	if h := paused.Status.History; h.CreatedAt.IsZero() || h.Opened == 0 || h.Claims < 3 || h.WaitedMS <= 0 {
		t.Errorf("the history of its pool is %+v", h)
	}
	for _, w := range paused.Workers {
		if w.TaskMS.N != w.Processed || w.Processed > 0 && w.TaskMS.Mean <= 0 {
			t.Errorf("%s has had %d orders, which took %+v", w.ID, w.Processed, w.TaskMS)
		}
	}
	if err := c.Scale(1); err != nil {
		t.Error(err)
	}
	until("one worker", func(s control.Snapshot) bool { return s.Status.Workers.Allowed == 1 && len(s.Workers) == 1 })
	if done := c.Snapshot().Status; done.Well+done.NotWell != paused.Status.Well+paused.Status.NotWell {
		t.Errorf("while it was paused, orders ended: %+v", done)
	}
	if ended, err := c.GoOn(); !ended || err != nil {
		t.Errorf("GoOn: %v, %v", ended, err)
	}
	if ended, err := c.GoOn(); ended || err != nil {
		t.Errorf("GoOn again: %v, %v", ended, err)
	}
	until("more orders", func(s control.Snapshot) bool { return s.Status.Well > paused.Status.Well })
	if err := c.Stop("stopped by a test", false); err != nil {
		t.Error(err)
	}
	<-c.Ended()
	<-ran
	if runErr != nil || end.Cause != session.CauseUser || end.Reason != "stopped by a test" {
		t.Errorf("it ended as %+v: %v", end, runErr)
	}
	if err := c.Stop("again", true); codeOf(err) != control.NotRunning {
		t.Errorf("Stop after the end: %v", err)
	}
	checkCleared(t, end)
	last, r := c.Snapshot().Status, readReport(t, end.Dir)
	if last.Completed != r.Totals.Completed || last.Failed != r.Totals.Failed || last.Total != r.Totals.Tasks || last.Pending != r.Totals.Pending ||
		last.Status != tasks.SessionInterrupted || last.Workers.Running != 0 {
		t.Errorf("at last it is %+v, and the report says %+v", last, r.Totals)
	}
	for outcome, n := range r.Totals.ByOutcome {
		if outcome.State().Final() && last.ByOutcome[outcome] != n {
			t.Errorf("%d orders are %s at last, and %d in the report", last.ByOutcome[outcome], outcome, n)
		}
	}
	for _, task := range r.Tasks {
		if len(task.Attempts) > 1 {
			t.Errorf("%s has %d attempts", task.PO, len(task.Attempts))
		}
	}
	attempts := 0
	for _, w := range r.Workers {
		attempts += w.TaskMS.N
	}
	if p := r.Performance; attempts != r.Totals.Attempts || p.TaskMS.Mean <= 0 || p.QueuedMS.N < attempts ||
		math.Abs(p.SuccessRate-float64(last.Well)/float64(last.Well+last.NotWell)) > 0.0001 {
		t.Errorf("%d attempts by workers, %d in all; performance %+v", attempts, r.Totals.Attempts, p)
	}
}
