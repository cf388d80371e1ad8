package queuetest

import (
	"maps"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

var statsCases = []testCase{
	{"of an empty queue", statsEmpty},
	{"count each task once", statsCounts},
}

func statsEmpty(k *kit) {
	if s := k.stats(); s.Total != 0 || s.Open() != 0 || s.Active() != 0 || !s.NextDue.IsZero() {
		k.Errorf("stats: %+v", s)
	}
}

func statsCounts(k *kit) {
	invalid, skipped := spec("invalid"), spec("skipped")
	invalid.Invalid = tasks.Permanent(tasks.OutcomeInvalidInput, tasks.ClassInvalidInput, "no number")
	skipped.Skipped = "--limit"
	k.enqueue(append(specs(8), invalid, skipped)...)
	k.work("w", complete())
	k.work("w", partial())
	k.work("w", failed(tasks.OutcomeNotFound))
	soon := time.Now().Add(time.Hour).Round(0).Truncate(time.Microsecond)
	k.work("w", retryAt(soon.Add(time.Hour)))
	k.work("w", retryAt(soon))
	k.start(k.claim("w"))
	k.claim("w")
	s := k.stats()
	byState := map[tasks.State]int{
		tasks.StatePending: 4, tasks.StateAssigned: 1, tasks.StateProcessing: 1, tasks.StateCompleted: 2, tasks.StateFailed: 2,
	}
	byOutcome := map[tasks.Outcome]int{
		tasks.OutcomeComplete: 1, tasks.OutcomePartial: 1, tasks.OutcomeNotFound: 1, tasks.OutcomeInvalidInput: 1, tasks.OutcomeSkipped: 1,
	}
	if s.Total != 10 || !maps.Equal(s.ByState, byState) || !maps.Equal(s.ByOutcome, byOutcome) {
		k.Errorf("stats: %+v", s)
	}
	if s.Ready != 1 || s.Waiting != 2 || !s.NextDue.Equal(soon) || s.Active() != 2 || s.Open() != 5 {
		k.Errorf("ready %d, waiting %d, next due %v, active %d, open %d", s.Ready, s.Waiting, s.NextDue, s.Active(), s.Open())
	}
}
