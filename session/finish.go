package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/faultpoint"
	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/profiles"
	"github.com/poscrape/poscrape/report"
	"github.com/poscrape/poscrape/session/documents"
	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/session/space"
	"github.com/poscrape/poscrape/tasks"
)

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
	status, cause, why := s.ending(workErr, stats)
	s.mu.Lock()
	if s.record.Status == tasks.SessionPaused {
		err = s.become(tasks.SessionRunning) // what was in progress has ended meanwhile
	}
	err = errors.Join(err, s.become(status))
	s.record.Reason, s.record.EndedAt, s.record.Cleanup = why, time.Now(), cleanup
	s.record.Worked += time.Since(began)
	if s.proofs.Unread() != nil || s.killed && status != tasks.SessionCompleted {
		var markErr error
		s.record.Config, markErr = setup.MarkUnconfirmed(s.record.Config)
		err = errors.Join(err, markErr)
	}
	record := s.record
	s.mu.Unlock()
	s.story.Add(ctx, tasks.Event{Type: tasks.EventSessionEnded, Detail: string(status) + detail(why)})
	err = errors.Join(err, s.folder.Ledger.SaveSession(ctx, record))
	told, reportErr := report.WriteFiles(ctx, s.cfg.Out, faultpoint.In(s.folder.Ledger))
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
	if told != nil {
		end.Update, end.New = record.Update, told.Totals.Attachments.New
		end.Differences, end.Reasons = told.Totals.Differences, told.Reasons()
		end.Logins = s.logins(cause, end.Reasons)
	}
	return end, s.clarify(err, s.release())
}

// logins returns what a person types to sign in: at the portals that have stopped the session or
// were left alone, or where orders have met a sign-in page all the same.
func (s *ProcessingSession) logins(cause Cause, reasons []Reason) (commands []string) {
	met := slices.ContainsFunc(reasons, func(r Reason) bool { return r.Class == tasks.ClassLogin })
	var left map[string]string
	if s.turns != nil {
		left = s.turns.Left()
	}
	for _, w := range s.sites {
		if left[w.name] != "" || len(s.sites) == 1 && (met || cause == CauseLogin) {
			commands = append(commands, s.loginCommand(w))
		}
	}
	return commands
}

// clearUp ends the workers and removes their profiles.
func (s *ProcessingSession) clearUp(ctx context.Context, p *pool.WorkerPool) (tasks.Cleanup, error) {
	if p == nil {
		return tasks.Cleanup{}, nil
	}
	clearing := time.Now()
	err := p.Stop(ctx)
	s.endSignIns(ctx)
	err = errors.Join(err, s.closeBrowsers(), s.keepWorkers(ctx))
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

// ending says how the session ended.
func (s *ProcessingSession) ending(workErr error, stats tasks.Stats) (tasks.SessionStatus, Cause, string) {
	stopped, cause, halted := s.whyStopped()
	unread := s.proofs.Unread()
	switch {
	case unread != nil && (space.IsStorage(unread) || halted != nil):
		return tasks.SessionInterrupted, CauseEnvironment, unread.Error()
	case unread != nil:
		return tasks.SessionFailed, CauseInternal, unread.Error()
	case stats.Open() == 0 && (workErr == nil || errors.Is(workErr, pool.ErrStopped)) && s.distrusted() != nil:
		return tasks.SessionCompleted, CauseEnvironment, fmt.Sprintf("no order could be opened: %v; then go on with: poscrape retry %s", s.distrusted(), quoted(s.cfg.Out))
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

// distrusted returns the error about a certificate that every order of this run has met, or
// nil.
func (s *ProcessingSession) distrusted() error {
	if s.opener == nil {
		return nil
	}
	return s.opener.Distrusted()
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
	for _, w := range s.sites {
		if !w.portal.LooksForDocuments() {
			notes = append(notes, w.about("documents were not looked for: the recipe has no attachments"))
		}
	}
	for _, w := range warnings {
		s.story.Log.Warn("a selector of the recipe met nothing", "selector", w)
	}
	return warnings, notes
}

// files returns the names of what is in the session folder for people.
func (s *ProcessingSession) files() []string {
	var there []string
	for _, name := range []string{report.JSONFile, report.HTMLFile, report.ResultsFile, report.WorkbookFile, report.FailedFile, documents.OrdersName, "evidence", folder.LogName, folder.LedgerName} {
		if _, err := os.Stat(s.cfg.Out + string(os.PathSeparator) + name); err == nil {
			there = append(there, name)
		}
	}
	return there
}
