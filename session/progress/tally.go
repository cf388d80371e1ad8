package progress

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

const (
	// tellAtMost is the shortest time between two calls of OnProgress.
	tellAtMost = 100 * time.Millisecond
	// tellAtLeast is the longest: time passes and workers change also while no
	// order ends.
	tellAtLeast = time.Second
	// rateWindow is how far back the rate looks.
	rateWindow = time.Minute
	// lastCall is how long the end waits for a call of tell.
	lastCall = time.Second
)

// Tally counts what has ended, and tells watchers how the session stands. Its methods may be
// called by any goroutine.
type Tally struct {
	tell    func(Progress)
	changed chan struct{}

	mu       sync.Mutex
	progress Progress
	pool     *pool.WorkerPool
	pace     pace
	work     map[string]Work // by worker
	last     time.Time       // when an attempt was last recorded
	waiting  string          // why orders wait for the portal
	aside    func() string
	stop     string // why the session is stopping

	// over is closed, once, with the last figures, and told when tell was called with them.
	over, told chan struct{}
	stopped    sync.Once
}

// New returns the Tally of a session that wants so many workers. tell may be nil.
func New(tell func(Progress), workers int) *Tally {
	return &Tally{tell: tell, changed: make(chan struct{}, 1), over: make(chan struct{}), work: map[string]Work{}, pace: pace{began: time.Now()},
		progress: Progress{Status: tasks.SessionInitializing, Wanted: workers, ETA: -1, ByOutcome: map[tasks.Outcome]int{}}}
}

// Begin takes over what the ledger counts.
func (t *Tally) Begin(stats tasks.Stats) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.take(stats)
}

func (t *Tally) take(stats tasks.Stats) {
	p := &t.progress
	p.Total, p.Skipped, p.ByOutcome = stats.Total, stats.ByOutcome[tasks.OutcomeSkipped], map[tasks.Outcome]int{}
	for outcome, n := range stats.ByOutcome {
		if outcome.State().Final() || outcome == tasks.OutcomeSkipped {
			p.ByOutcome[outcome] = n
		}
	}
}

// Watch takes over how the pool stands, from now on.
func (t *Tally) Watch(p *pool.WorkerPool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pool, t.progress.Status = p, tasks.SessionRunning
	t.pace.begin(time.Now())
}

// Queue returns a queue that counts each attempt before Record returns: as long as an order is
// not counted, the pool has it in hand.
func (t *Tally) Queue(q tasks.TaskQueue) tasks.TaskQueue { return counted{q, t} }

type counted struct {
	tasks.TaskQueue
	tally *Tally
}

// Record implements tasks.TaskQueue.
func (q counted) Record(ctx context.Context, lease *tasks.Lease, d tasks.Decision) error {
	err := q.TaskQueue.Record(ctx, lease, d)
	if err == nil {
		q.tally.worked(lease.Worker, d)
		q.tally.ended(d.To, d.Outcome)
	}
	return err
}

// Work is what a worker has done in this run: its charged attempts, for how long, how many were not an
// order's first, and at how many orders it gave up a lighter way.
type Work struct {
	Attempts, Retries, FellBack int
	Took                        time.Duration
}

// worked counts an attempt of a worker.
func (t *Tally) worked(worker string, d tasks.Decision) {
	if d.Released {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	w := t.work[worker]
	w.Attempts++
	w.Took += max(0, d.Attempt.EndedAt.Sub(d.Attempt.StartedAt))
	if d.Attempt.N > 1 {
		w.Retries++
	}
	if d.To.Final() && d.Result != nil && d.Result.FellBack != "" {
		w.FellBack++
	}
	t.work[worker] = w
}

// WorkOf returns what a worker has done in this run.
func (t *Tally) WorkOf(worker string) Work {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.work[worker]
}

func (t *Tally) ended(state tasks.State, outcome tasks.Outcome) {
	t.mu.Lock()
	t.last = time.Now()
	if state.Final() {
		t.progress.ByOutcome[outcome]++
		t.pace.ended(t.last)
	}
	t.mu.Unlock()
	t.Poke()
}

// ProvenLater counts orders that had ended not well, and have got their proof since.
func (t *Tally) ProvenLater(orders int) {
	t.mu.Lock()
	t.progress.ByOutcome[tasks.OutcomePartial] -= orders
	t.progress.ByOutcome[tasks.OutcomeNoAttachments] += orders
	t.mu.Unlock()
	t.Poke()
}

// LastEnd returns when an attempt was last recorded, or the zero time.
func (t *Tally) LastEnd() time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last
}

// Aside has the Tally ask at which of several portals no order is begun, and why. ask must not
// block.
func (t *Tally) Aside(ask func() string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.aside = ask
}

// Waits takes over why orders wait for the portal, or "".
func (t *Tally) Waits(why string) {
	t.mu.Lock()
	changed := t.waiting != why
	t.waiting = why
	t.mu.Unlock()
	if changed {
		t.Poke()
	}
}

// Held takes over the session's status, and who holds it.
func (t *Tally) Held(status tasks.SessionStatus, holds []pool.Hold) {
	t.mu.Lock()
	t.progress.Status, t.progress.Holds = status, holds
	t.pace.hold(time.Now(), len(pausing(holds)) > 0)
	t.mu.Unlock()
	t.Poke()
}

// Loaded takes over how loaded the machine is.
func (t *Tally) Loaded(load Load) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.progress.Load = load
}

// Stopping takes over why the session takes no more orders.
func (t *Tally) Stopping(why string) {
	t.mu.Lock()
	t.stop = why
	t.mu.Unlock()
	t.Poke()
}

// Poke has watchers told soon: something has changed that a Tally asks for.
func (t *Tally) Poke() {
	select {
	case t.changed <- struct{}{}:
	default:
	}
}

// crew is how a pool stands.
type crew struct {
	pool.Stats
	history pool.History
	// reason says why there are fewer workers than were asked for, or is empty.
	reason string
}

func crewOf(p *pool.WorkerPool) crew {
	if p == nil {
		return crew{}
	}
	c, limits := crew{Stats: p.Stats(), history: p.History()}, p.Limits()
	if len(limits) == 0 {
		return c
	}
	lowest := slices.MinFunc(limits, func(a, b pool.Limit) int { return cmp.Compare(a.Workers, b.Workers) })
	if lowest.Workers < c.Asked {
		c.reason = fmt.Sprintf("%d of %d workers: %s", lowest.Workers, c.Asked, lowest.Reason)
	}
	return c
}

// Now returns how the session stands.
func (t *Tally) Now() Progress {
	t.mu.Lock()
	working, ask := t.pool, t.aside
	t.mu.Unlock()
	c, aside := crewOf(working), "" // both have locks of their own
	if ask != nil {
		aside = ask()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	if t.pool != nil && t.pool == working {
		t.progress.Wanted, t.progress.Pool = c.Asked, c.history
	} else {
		c = crew{}
	}
	p := t.progress
	p.At = now
	p.count()
	p.Reason = c.reason
	if t.waiting != "" {
		p.Reason = t.waiting
	}
	if p.Reason != "" && aside != "" {
		aside = "; " + aside
	}
	p.Reason += aside
	holds := pausing(p.Holds)
	if len(holds) > 0 {
		p.Reason = "paused: " + Reasons(holds)
	}
	if t.stop != "" {
		p.Reason = t.stop
	}
	p.Running, p.Busy, p.Active = c.Running, c.Busy, c.InHand
	p.Pending = max(0, p.Total-p.Done-p.Skipped-p.Active)
	p.RatePerMinute = t.pace.perMinute(now)
	if p.RatePerMinute > 0 && len(holds) == 0 && t.stop == "" {
		p.ETA = time.Duration(float64(p.Pending+p.Active) / p.RatePerMinute * float64(time.Minute))
	}
	return p
}

// pausing returns the holds for which no order is begun. Why others wait with their workers is in
// waiting, as it is now.
func pausing(holds []pool.Hold) []pool.Hold {
	return slices.DeleteFunc(slices.Clone(holds), func(h pool.Hold) bool { return h.Claiming })
}

// count sets what follows from how many have ended in which way.
func (p *Progress) count() {
	p.ByOutcome = maps.Clone(p.ByOutcome)
	p.Well, p.NotWell = 0, 0
	for outcome, n := range p.ByOutcome {
		switch {
		case n == 0:
			delete(p.ByOutcome, outcome)
		case !outcome.State().Final():
		case outcome.Well():
			p.Well += n
		default:
			p.NotWell += n
		}
	}
	p.Done = p.Well + p.NotWell
}

// Start has tell called again and again, until End.
func (t *Tally) Start() {
	if t.tell == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.told != nil {
		return
	}
	t.told = make(chan struct{})
	go t.run(t.told)
}

// run calls tell until it was told the last figures. If tell blocks, that delays nobody.
func (t *Tally) run(told chan<- struct{}) {
	defer close(told)
	for {
		over := false
		select {
		case <-t.over:
			over = true
		default:
		}
		t.tell(t.Now())
		if over {
			return
		}
		t.wait(tellAtMost, nil)
		t.wait(tellAtLeast-tellAtMost, t.changed)
	}
}

// wait returns after d, or earlier when something comes on wake, or nothing more will.
func (t *Tally) wait(d time.Duration, wake <-chan struct{}) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-wake:
	case <-t.over:
	}
}

// Stop has tell called once more, and then no more. It may be called again.
func (t *Tally) Stop() { t.stopped.Do(func() { close(t.over) }) }

// End tells the last figures, which are the ledger's. It returns when they are told, or
// after a second: who watches must not keep a session from ending.
func (t *Tally) End(stats tasks.Stats, status tasks.SessionStatus, why string) {
	t.mu.Lock()
	t.take(stats)
	t.progress.Status, t.stop, t.waiting, t.pool = status, why, "", nil
	t.progress.Running, t.progress.Busy, t.progress.Holds = 0, 0, nil
	t.mu.Unlock()
	t.Start()
	t.Stop()
	if t.told == nil {
		return
	}
	select {
	case <-t.told:
	case <-time.After(lastCall):
	}
}

// Reasons says why there are these holds.
func Reasons(holds []pool.Hold) string {
	var list []string
	for _, h := range holds {
		list = append(list, h.Reason)
	}
	return strings.Join(list, "; ")
}
