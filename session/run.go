package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/profiles"
	"github.com/poscrape/poscrape/report"
	"github.com/poscrape/poscrape/session/documents"
	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/session/space"
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
	if s.opener != nil { // else nothing is left to do
		if p, err = s.newPool(s.opener.Open); err != nil {
			return End{}, errors.Join(err, s.Close())
		}
	}
	s.mu.Lock()
	if s.ended {
		s.mu.Unlock()
		return End{}, ErrClosed
	}
	s.ended = true
	err = s.become(tasks.SessionRunning)
	record := s.record
	s.pool = p
	stopped := s.stopped != ""
	s.mu.Unlock()
	// What is recorded must be recorded also when ctx has ended.
	keep := context.WithoutCancel(ctx)
	err = errors.Join(err, s.folder.Ledger.SaveSession(keep, record))
	s.story.Add(keep, startEvent(record))

	s.space.TakeReserve(s.folder.Root)
	var workErr error
	if err == nil && !stopped && p != nil && s.haltedBy() == nil {
		workErr = s.work(ctx, p)
	}
	defer s.story.Told()
	return s.finish(keep, p, errors.Join(err, workErr), began)
}

func startEvent(record tasks.Session) tasks.Event {
	e := tasks.Event{Type: tasks.EventSessionStarted, Detail: fmt.Sprintf("%d workers, %s", record.Workers, record.Chrome)}
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
		Queue: s.space.Queue(s.proofs), Open: open, Size: s.cfg.Workers, Lifetime: lifetime, Policy: policy,
		Distribution: s.cfg.Distribution, TaskTimeout: s.cfg.TaskTimeout, StopTimeout: max(s.cfg.Grace, time.Second),
		Publish: s.documents.Publish, Settled: s.documents.Settle, Drained: s.drained, OnEvent: s.onPoolEvent, HeadStart: headStartFor(s.cfg.Workers),
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
	s.mu.Lock()
	stopped, aborted := s.stopped != "", s.aborted
	s.mu.Unlock()
	if stopped {
		p.StopFetching()
	}
	if aborted {
		p.Kill(errInterrupted)
	}
	if halted := s.haltedBy(); halted != nil {
		p.Kill(halted)
	}
	beside, stop := context.WithCancel(context.WithoutCancel(ctx))
	var helpers sync.WaitGroup
	helpers.Go(s.fillReserve)
	helpers.Go(func() { s.watchPortal(beside) })
	helpers.Go(func() { s.watchDisk(beside) })
	helpers.Go(func() { s.every(beside, reapInterval, s.reap) })
	helpers.Go(func() { s.every(beside, keepInterval, s.keepWorkers) })
	helpers.Go(func() { s.opener.Watch(beside, s.cfg.UsageInterval, s.cannotMeasure) })
	if !s.cfg.NoScale {
		helpers.Go(func() { s.watchLoad(beside, p) })
	}
	err := p.Wait(context.WithoutCancel(ctx))
	stop()
	helpers.Wait()
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
	for _, w := range s.pool.Workers() {
		errs = append(errs, s.folder.Ledger.SaveWorker(ctx, s.opener.Used(w.ID, tasks.Worker{
			ID: w.ID, PID: w.PID, Profile: w.Profile, State: string(w.State), Draining: w.Draining, Task: w.Task,
			Processed: w.Processed, Failed: w.Failed,
			StartedAt: w.StartedAt, LastActivity: w.LastActivity, Restarts: w.Restarts, Error: w.Error,
		})))
	}
	return errors.Join(errs...)
}

// finish clears up, gives the session its last status, and writes the report.
func (s *ProcessingSession) finish(ctx context.Context, p *pool.WorkerPool, workErr error, began time.Time) (End, error) {
	s.space.SpendReserve()
	s.mu.Lock()
	if s.graceOver != nil {
		s.graceOver()
	}
	s.mu.Unlock()
	cleanup, clearErr := s.clearUp(ctx, p)
	s.mu.Lock()
	s.finishing = true
	s.mu.Unlock()
	s.story.End()
	if clearErr != nil {
		s.story.Log.Error("clearing up", "error", clearErr)
		if s.space.OwnFault(clearErr) == nil {
			s.story.Warn("%v", clearErr)
		}
	}
	if gone := s.space.Displaced(); gone != nil {
		return s.abandon(gone, cleanup, began)
	}
	if _, err := s.putBack(ctx, true); err != nil {
		s.story.Log.Error("putting back orders that were only fetched", "error", err)
	}
	if err := s.proofs.ProveAll(ctx); err != nil && !s.space.Struck(err) {
		s.story.Log.Error("giving late proofs", "error", err)
	}
	stats, err := s.folder.Ledger.Stats(ctx)
	if err != nil {
		return End{}, s.clarify(err, s.release())
	}
	status, cause, why := s.verdict(workErr, stats)
	s.mu.Lock()
	if s.record.Status == tasks.SessionPaused {
		err = s.become(tasks.SessionRunning) // what was in progress has ended meanwhile
	}
	err = errors.Join(err, s.become(status))
	s.record.Reason, s.record.EndedAt, s.record.Cleanup = why, time.Now(), cleanup
	s.record.Worked += time.Since(began)
	record := s.record
	s.mu.Unlock()
	s.story.Add(ctx, tasks.Event{Type: tasks.EventSessionEnded, Detail: string(status) + detail(why)})
	err = errors.Join(err, s.folder.Ledger.SaveSession(ctx, record))
	told, reportErr := report.WriteFiles(ctx, s.cfg.Out, withFaults(s.folder.Ledger))
	if reportErr != nil {
		reportErr = fmt.Errorf("writing the report of %s: %w", s.cfg.Out, reportErr)
	}
	if err = errors.Join(err, reportErr); err != nil {
		s.story.Log.Error("ending the session", "error", err)
	}
	missing, missingErr := s.stillMissing(ctx, record)
	err = errors.Join(err, missingErr)
	s.tally.End(stats, status, why)
	end := End{Dir: s.cfg.Out, Files: s.files(), Status: status, Cause: cause, Reason: why, Total: stats.Total,
		ByOutcome: stats.ByOutcome, Missing: missing, Cleanup: cleanup, Took: time.Since(began)}
	end.Warnings, end.Notes = s.aboutRecipe(told)
	return end, s.clarify(err, s.release())
}

// clearUp ends the workers and removes their profiles.
func (s *ProcessingSession) clearUp(ctx context.Context, p *pool.WorkerPool) (tasks.Cleanup, error) {
	if p == nil {
		return tasks.Cleanup{}, nil
	}
	clearing := time.Now()
	err := errors.Join(p.Stop(ctx), s.closeBrowsers(), s.keepWorkers(ctx))
	// Workers close as soon as nothing is left for them, so clearing up began
	// when the last attempt was recorded.
	if last := s.tally.LastEnd(); !last.IsZero() {
		clearing = last
	}
	browsers, directories := s.opener.Left()
	return tasks.Cleanup{BrowsersLeft: browsers, ProfilesLeft: directories, Took: time.Since(clearing)}, err
}

func detail(why string) string {
	if why == "" {
		return ""
	}
	return ": " + why
}

// verdict says how the session ended.
func (s *ProcessingSession) verdict(workErr error, stats tasks.Stats) (tasks.SessionStatus, Cause, string) {
	s.mu.Lock()
	stopped, cause, halted := s.stopped, s.cause, s.halted
	s.mu.Unlock()
	unread := s.proofs.Unread()
	switch {
	case unread != nil && (space.IsStorage(unread) || halted != nil):
		return tasks.SessionInterrupted, CauseEnvironment, unread.Error()
	case unread != nil:
		return tasks.SessionFailed, CauseInternal, unread.Error()
	case stats.Open() == 0 && (workErr == nil || halted != nil):
		return tasks.SessionCompleted, "", ""
	case halted != nil:
		return tasks.SessionInterrupted, CauseEnvironment, halted.Error()
	case stopped != "" && (workErr == nil || errors.Is(workErr, pool.ErrStopped)):
		if stats.Open() == 0 {
			return tasks.SessionCompleted, "", ""
		}
		return tasks.SessionInterrupted, cause, stopped
	case isEnvironment(workErr):
		return tasks.SessionInterrupted, CauseEnvironment, workErr.Error()
	case errors.Is(workErr, pool.ErrStopped):
		return tasks.SessionInterrupted, CauseUser, "the program that ran the session ended it"
	case workErr == nil:
		return tasks.SessionFailed, CauseInternal, fmt.Sprintf("%d orders are open although the work has ended", stats.Open())
	}
	return tasks.SessionFailed, CauseInternal, workErr.Error()
}

// isEnvironment reports whether an error is this machine's, and not poscrape's.
func isEnvironment(err error) bool {
	for _, known := range []error{pool.ErrNoWorker, browser.ErrLaunch, browser.ErrNoChrome, profiles.ErrNoSpace} {
		if errors.Is(err, known) {
			return true
		}
	}
	return space.IsStorage(err)
}

// aboutRecipe returns what the end of a session says of its recipe, by the report that
// was written, or nil.
func (s *ProcessingSession) aboutRecipe(r *report.Report) (warnings, notes []string) {
	if r != nil {
		warnings, notes = r.Warnings(), slices.Clone(r.Notes())
	}
	if !s.portal.LooksForDocuments() {
		notes = append(notes, "documents were not looked for: the recipe has no attachments")
	}
	for _, w := range warnings {
		s.story.Log.Warn("a selector of the recipe met nothing", "selector", w)
	}
	return warnings, notes
}

// files returns the names of what is in the session folder for people.
func (s *ProcessingSession) files() []string {
	var there []string
	for _, name := range []string{report.JSONFile, report.HTMLFile, report.ResultsFile, report.FailedFile, documents.OrdersName, "evidence", folder.LogName, folder.LedgerName} {
		if _, err := os.Stat(s.cfg.Out + string(os.PathSeparator) + name); err == nil {
			there = append(there, name)
		}
	}
	return there
}
