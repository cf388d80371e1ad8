package report

import (
	"math"
	"slices"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// The phases of an attempt that a report draws figures from.
const (
	phaseClaim    = "claim"
	phaseWait     = "wait"
	phaseDownload = "download"
)

// tally counts tasks as they pass by.
type tally struct {
	totals Totals
	// tried are the tasks that have ended and had an attempt.
	tried int
	// light are the tasks that were to be read in a lighter way.
	light           int
	taskMS, claimMS []float64
	downloadMS      float64
	// claims counts all attempts, waitMS is how long each had been due before.
	claims int
	waitMS []float64
	// lastEnd is when the latest attempt ended.
	lastEnd time.Time
	// held are the orders that workers hold, and work what workers have done, by the worker's id.
	held map[string][]string
	work map[string]work
	// well counts the tried tasks that ended well.
	well int
}

// work is what a worker has done: its charged attempts, for how long, how many were not an order's
// first, and at how many orders a lighter way was given up.
type work struct {
	attempts, retries, fellBack int
	ms                          float64
}

func newTally() *tally {
	t := &tally{totals: Totals{ByOutcome: map[tasks.Outcome]int{}}, held: map[string][]string{}, work: map[string]work{}}
	for _, o := range tasks.Outcomes() {
		t.totals.ByOutcome[o] = 0
	}
	return t
}

func (c *tally) add(t *Task) {
	c.totals.Tasks++
	c.totals.Rows += len(t.Rows)
	c.totals.Differences += len(t.Differences)
	switch t.State {
	case tasks.StateCompleted:
		c.totals.Completed++
	case tasks.StateFailed:
		c.totals.Failed++
	default:
		c.totals.Pending++
	}
	if t.Outcome != "" {
		c.totals.ByOutcome[t.Outcome]++
	}
	switch {
	case t.Confirmed == nil:
	case *t.Confirmed:
		c.totals.Confirmed++
	default:
		c.totals.Listed++
	}
	switch t.Executor {
	case tasks.ExecutorRender:
		c.totals.Rendered++
	case tasks.ExecutorFetch:
		c.totals.Fetched++
	}
	if t.FellBack != "" {
		c.totals.Fallbacks++
	}
	if t.FellBack != "" || t.Executor == tasks.ExecutorFetch {
		c.light++
	}
	if t.State.Final() && len(t.Attempts) > 0 {
		c.tried++
		if t.Outcome.Well() {
			c.well++
		}
	}
	c.addAttachments(t.Attachments)
	c.addAttempts(t)
}

// assign notes a task that is with a worker.
func (c *tally) assign(t *tasks.ProcessingTask) {
	if t.State == tasks.StateAssigned || t.State == tasks.StateProcessing {
		c.held[t.Worker] = append(c.held[t.Worker], t.Name())
	}
}

func (c *tally) addAttachments(list []Attachment) {
	sum := &c.totals.Attachments
	sum.Found += len(list)
	for _, a := range list {
		switch a.State {
		case tasks.AttachmentDone:
			sum.Done++
			sum.Bytes += a.Size
			if a.New != nil && *a.New {
				sum.New++
			}
		case tasks.AttachmentSkipped:
			sum.Skipped++
		default:
			sum.Failed++
		}
	}
}

func (c *tally) addAttempts(t *Task) {
	charged := chargedAttempts(t)
	c.totals.Attempts += charged
	c.claims += len(t.Attempts)
	c.totals.Retries += max(0, charged-1)
	for i := range t.Attempts {
		a := &t.Attempts[i]
		c.downloadMS += a.PhaseMS[phaseDownload]
		if ms, ok := a.PhaseMS[phaseClaim]; ok {
			c.claimMS = append(c.claimMS, ms)
		}
		if ms, ok := a.PhaseMS[phaseWait]; ok {
			c.waitMS = append(c.waitMS, ms)
		}
		if a.EndedAt != nil && a.EndedAt.After(c.lastEnd) {
			c.lastEnd = *a.EndedAt
		}
		if !a.Released {
			c.taskMS = append(c.taskMS, wallMS(a))
			w := c.work[a.Worker]
			w.attempts++
			w.ms += wallMS(a)
			if a.N > 1 {
				w.retries++
			}
			if t.FellBack != "" && a.N == charged {
				w.fellBack++
			}
			c.work[a.Worker] = w
		}
	}
}

// performance returns the figures, given how long the session ran and how long
// its workers took to start.
func (c *tally) performance(ranMS float64, startMS []float64) Performance {
	for _, samples := range [][]float64{c.taskMS, c.claimMS, c.waitMS, startMS} {
		slices.Sort(samples)
	}
	return Performance{
		TasksPerMinute: perUnit(float64(c.tried), ranMS/float64(time.Minute.Milliseconds())),
		TaskMS: TaskTimes{
			N: len(c.taskMS), Mean: meanOf(c.taskMS), P50: percentile(c.taskMS, 50), P95: percentile(c.taskMS, 95),
			P99: percentile(c.taskMS, 99), Max: percentile(c.taskMS, 100),
		},
		SuccessRate:        rate(c.well, c.tried),
		QueuedMS:           QueueTimes{N: len(c.waitMS), Mean: meanOf(c.waitMS), P50: percentile(c.waitMS, 50), P99: percentile(c.waitMS, 99)},
		ClaimMS:            ClaimTimes{N: len(c.claimMS), P50: percentile(c.claimMS, 50), P99: percentile(c.claimMS, 99)},
		WorkerStartMS:      StartTimes{N: len(startMS), P50: percentile(startMS, 50), Max: percentile(startMS, 100)},
		FallbackRate:       rate(c.totals.Fallbacks, c.light),
		DownloadsBytesPerS: perUnit(float64(c.totals.Attachments.Bytes), c.downloadMS/1000),
	}
}

// percentile returns the p-th percentile of sorted samples by nearest rank: the
// smallest sample that at least p percent of all are not above.
func percentile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	rank := int(math.Ceil(p / 100 * float64(len(sorted))))
	return round(sorted[max(rank, 1)-1])
}

// meanOf returns the mean of samples, or 0 without any.
func meanOf(samples []float64) float64 {
	sum := 0.0
	for _, s := range samples {
		sum += s
	}
	return mean(sum, len(samples))
}

func mean(sum float64, n int) float64 {
	if n == 0 {
		return 0
	}
	return round(sum / float64(n))
}

// round returns milliseconds to the microsecond.
func round(ms float64) float64 { return math.Round(ms*1000) / 1000 }

// perUnit returns amount for each unit to two decimals, or 0 where there are none.
func perUnit(amount, units float64) float64 {
	if units <= 0 {
		return 0
	}
	return math.Round(amount/units*100) / 100
}

// rate returns part as a share of whole, 0.0 to 1.0 to four decimals, or 0 where there
// is nothing.
func rate(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return math.Round(10_000*float64(part)/float64(whole)) / 10_000
}

// chargedAttempts counts the attempts that were not given back.
func chargedAttempts(t *Task) int {
	n := 0
	for i := range t.Attempts {
		if !t.Attempts[i].Released {
			n++
		}
	}
	return n
}

// wallMS returns how long an attempt took, in milliseconds; 0 where the clock was
// set back meanwhile.
func wallMS(a *Attempt) float64 {
	if a.StartedAt == nil || a.EndedAt == nil {
		return 0
	}
	return milliseconds(max(0, a.EndedAt.Sub(*a.StartedAt)))
}

// milliseconds returns d, to the microsecond.
func milliseconds(d time.Duration) float64 {
	return float64(d.Microseconds()) / 1000
}
