package session

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/session/load"
	"github.com/poscrape/poscrape/tasks"
)

const (
	// reapInterval is how often leases without a heartbeat are looked for. Two
	// looks in a row make one lost; the pool extends each every 10 s.
	reapInterval = 30 * time.Second
	// keepInterval is how often the workers' records are stored, for whoever
	// looks at a running session.
	keepInterval = 2 * time.Second
	// headStart is how long the others wait at most, where processors are few, for
	// the first order of the first worker: about what that takes where nothing
	// disturbs it. A portal that is slow leaves the processors free for them.
	// What it buys is in docs/decisions/0040.
	headStart = 500 * time.Millisecond
)

// errInterrupted is the cause with which work ends at the second interrupt, or
// at the end of the grace period.
var errInterrupted = errors.New("the session was interrupted")

// Run works until every order has ended, or until the session is stopped, and
// writes the report. It blocks all that time. When ctx ends, the session is
// stopped as by Abort. It returns an error only when there is no true report;
// how the session ended otherwise is told by End. It can be called once.
func (s *ProcessingSession) Run(ctx context.Context) (End, error) {
	began := time.Now()
	var p *pool.WorkerPool
	var err error
	if s.workers != nil { // else nothing is left to do
		if p, err = s.newPool(s.workers.Open); err != nil {
			return End{}, errors.Join(err, s.Close())
		}
	}
	record, err := s.life.Begin(p)
	if errors.Is(err, ErrClosed) {
		return End{}, err
	}
	stopped := s.life.Stopped().Why != ""
	defer s.life.Free()
	// What is recorded must be recorded also when ctx has ended.
	keep := context.WithoutCancel(ctx)
	err = errors.Join(err, s.folder.Ledger.SaveSession(keep, record))
	s.story.Add(keep, startEvent(record))

	s.space.TakeReserve(s.folder.Root)
	var workErr error
	if err == nil && !stopped && p != nil && s.life.Stopped().Halted == nil {
		workErr = s.work(ctx, p)
	}
	defer s.story.Told()
	defer s.tally.Stop()
	return s.finish(keep, p, errors.Join(err, workErr), began)
}

func startEvent(record tasks.Session) tasks.Event {
	e := tasks.Event{Type: tasks.EventSessionStarted, Detail: fmt.Sprintf("%d workers, %s, sandbox %s", record.Workers, record.Chrome, record.Sandbox)}
	if record.Resumed > 0 {
		e.Type = tasks.EventResumed
		e.Detail = fmt.Sprintf("run %d of the session: %s", record.Resumed+1, e.Detail)
	}
	return e
}

func (s *ProcessingSession) newPool(open pool.Open) (*pool.WorkerPool, error) {
	policy := tasks.DefaultPolicy()
	policy.Retries = s.cfg.Retries
	lifetime := pool.LifetimeReusable
	if s.cfg.Lifetime == Once {
		lifetime = pool.LifetimeTransient
	}
	return pool.New(pool.Config{
		Queue: s.queue, Open: open, Size: s.cfg.Workers, Lifetime: lifetime, Policy: policy,
		Distribution: s.cfg.Distribution, TaskTimeout: s.cfg.TaskTimeout, StopTimeout: max(s.cfg.Grace, time.Second),
		Publish: s.documents.Publish, Settled: s.documents.Settle, Drained: s.drained, OnEvent: s.poolEvents(), HeadStart: headStartFor(s.cfg.Workers),
		Weigh: s.workers.Memory, Poll: s.cfg.PollInterval, MaxPoll: s.cfg.IdleBackoff,
	})
}

// processors is how many this program and its browsers may use.
var processors = runtime.GOMAXPROCS(0)

// headStartFor returns how long the first worker is alone. A browser that starts
// keeps nearly two processors busy for a moment.
func headStartFor(workers int) time.Duration {
	if processors >= 2*workers {
		return 0
	}
	return headStart
}

// work runs the pool, and what goes with it, until the queue is drained or the
// pool has ended.
func (s *ProcessingSession) work(ctx context.Context, p *pool.WorkerPool) error {
	s.tally.Watch(p)
	s.tally.Start()
	if err := p.Start(ctx); err != nil {
		return err
	}
	// An interrupt that came before the start found nothing to stop.
	stop := s.life.Stopped()
	if stop.Why != "" {
		p.StopFetching()
	}
	if stop.Aborted {
		p.Kill(errInterrupted)
	}
	if stop.Halted != nil {
		p.Kill(stop.Halted)
	}
	beside, end := context.WithCancel(context.WithoutCancel(ctx))
	var helpers sync.WaitGroup
	helpers.Go(s.fillReserve)
	helpers.Go(func() { s.watchPortal(beside) })
	helpers.Go(func() { s.watchDisk(beside) })
	helpers.Go(func() { s.every(beside, reapInterval, s.reap) })
	helpers.Go(func() { s.every(beside, keepInterval, s.keepWorkers) })
	helpers.Go(func() { s.workers.Watch(beside, s.cfg.UsageInterval, s.cannotMeasure) })
	helpers.Go(func() {
		load.Watch{Config: s.cfg, Pool: p, Story: s.story, Tally: s.tally, Log: s.folder.Ledger}.Run(beside)
	})
	err := p.Wait(context.WithoutCancel(ctx))
	end()
	helpers.Wait()
	s.portals.AskNobody()
	s.portals.WaitForPerson()
	return err
}

func (s *ProcessingSession) every(ctx context.Context, interval time.Duration, do func(context.Context) error) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := do(ctx); err != nil && ctx.Err() == nil && !s.space.Struck(err) {
				s.story.Log.Error("looking after the session", "error", err)
			}
		}
	}
}

// cannotMeasure is told why it is not known what the workers use.
func (s *ProcessingSession) cannotMeasure(err error) {
	if !s.space.Struck(err) {
		s.story.Log.Error("looking after the session", "error", err)
	}
}

func (s *ProcessingSession) reap(ctx context.Context) error {
	n, err := s.folder.Ledger.Reap(ctx)
	if n > 0 {
		s.story.Add(ctx, tasks.Event{Type: tasks.EventLeaseLost, Detail: fmt.Sprintf("%d orders were taken from workers that gave no sign of life", n)})
	}
	return err
}

// keepWorkers stores the workers' records.
func (s *ProcessingSession) keepWorkers(ctx context.Context) error {
	var errs []error
	for _, w := range s.pool().Workers() {
		errs = append(errs, s.folder.Ledger.SaveWorker(ctx, s.recordOf(w)))
	}
	return errors.Join(errs...)
}

// recordOf returns the record of a worker, with what earlier runs did in its slot.
func (s *ProcessingSession) recordOf(w pool.WorkerStatus) tasks.Worker {
	return s.workers.Used(w.ID, tasks.Worker{
		ID: w.ID, PID: w.PID, Profile: w.Profile, State: string(w.State), Draining: w.Draining, Task: w.Task,
		Processed: w.Processed, Failed: w.Failed,
		StartedAt: w.StartedAt, LastActivity: w.LastActivity, Restarts: w.Restarts, Error: w.Error,
	})
}
