package report

import (
	"testing"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

func TestPoolIsToldByTheLedger(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	event := func(kind, worker string) Event { return Event{At: &began, Type: kind, Worker: worker} }
	events := []Event{
		event(tasks.EventSessionStarted, ""),
		event(tasks.EventWorkerFailed, "worker_001"), // a launch
		event(tasks.EventWorkerStarted, "worker_001"),
		event(tasks.EventWorkerStarted, "worker_002"),
		event(tasks.EventWorkerFailed, "worker_002"), // lost
		event(tasks.EventWorkerFailed, "worker_002"), // not opened again at once
		event(tasks.EventWorkerStarted, "worker_002"),
		event(tasks.EventWorkerRecycled, "worker_001"),
		event(tasks.EventWorkerStarted, "worker_001"),
		event(tasks.EventWorkerStopped, "worker_001"),
		event(tasks.EventWorkerFailed, "worker_001"), // a launch
		event(tasks.EventResumed, ""),
	}
	counts := newTally()
	for _, ms := range []float64{300, 100, 200} {
		counts.add(&Task{Attempts: []Attempt{{PhaseMS: map[string]float64{"wait": ms}}}})
	}
	counts.add(&Task{Attempts: []Attempt{{}}}) // of an earlier version
	got := newPool([]Worker{{Restarts: 1}, {Restarts: 1}}, events, counts)
	want := Pool{CreatedAt: &began, Opened: 4, Replaced: 2, Lost: 1, Claims: 4, WaitedMS: WaitTimes{N: 3, P50: 200, P99: 300}}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := newPool(nil, nil, newTally()); got != (Pool{}) {
		t.Errorf("of a session that has not run: %+v", got)
	}
}
