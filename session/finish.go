package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/poscrape/poscrape/internal/faultpoint"
	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/report"
	"github.com/poscrape/poscrape/session/documents"
	"github.com/poscrape/poscrape/session/ending"
	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/tasks"
)

// finish clears up, gives the session its last status, and writes the report.
func (s *ProcessingSession) finish(ctx context.Context, p *pool.WorkerPool, workErr error, began time.Time) (End, error) {
	s.space.SpendReserve()
	s.life.EndGrace()
	cleanup, clearErr := s.clearUp(ctx, p)
	s.life.Finish()
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
	if err == nil && stats.Open() == 0 {
		if err := s.proofs.DoubtSame(ctx); err != nil && !s.space.Struck(err) {
			s.story.Log.Error("looking for documents that all orders list", "error", err)
		}
		stats, err = s.folder.Ledger.Stats(ctx)
	}
	if err != nil {
		return End{}, s.clarify(err, s.release())
	}
	status, cause, why := s.facts(workErr, stats).Judge()
	unconfirmed := s.proofs.Unread() != nil || s.killed && status != tasks.SessionCompleted
	config := s.life.Record().Config
	if unconfirmed {
		config, err = setup.MarkUnconfirmed(config)
	}
	record, endErr := s.life.End(status, func(r *tasks.Session) {
		r.Reason, r.EndedAt, r.Cleanup, r.Config = why, time.Now(), cleanup, config
		r.Worked += time.Since(began)
	})
	err = errors.Join(err, endErr)
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
		ByOutcome: stats.ByOutcome, Missing: missing, Cleanup: cleanup, Took: time.Since(began),
		Recipe: s.cfg.RecipeFile, Workers: s.cfg.Workers}
	end.StateFile, end.Again = s.cfg.State, s.cfg.AgainFlags()
	if s.cfg.File != "-" {
		end.Sheet, end.Reading = s.cfg.File, s.cfg.ReadingFlags()
	}
	end.Warnings, end.Notes = s.aboutRecipe(told)
	if told != nil {
		s.addReport(&end, told)
	}
	return end, s.clarify(err, s.release())
}

// addReport adds what the report says to how the session ended.
func (s *ProcessingSession) addReport(end *End, r *report.Report) {
	end.Documents = r.Totals.Attachments.Done
	end.Update, end.New = s.life.Record().Update, r.Totals.Attachments.New
	end.Strict = s.cfg.Strict
	end.Confirmed, end.Lacking = r.Totals.Confirmed, r.Lacking()
	end.Differences, end.Compared, end.Reasons = r.Totals.Differences, r.Totals.Compared, r.Reasons()
	met := slices.ContainsFunc(end.Reasons, func(reason Reason) bool { return reason.Class == tasks.ClassLogin })
	if end.Logins = s.portals.LoginCommands(met || end.Cause == CauseLogin); len(end.Logins) > 0 {
		end.State = s.cfg.SignInFile(s.cfg.RecipeFile)
	}
}

// clearUp ends the workers and removes their profiles.
func (s *ProcessingSession) clearUp(ctx context.Context, p *pool.WorkerPool) (tasks.Cleanup, error) {
	if p == nil {
		return tasks.Cleanup{}, nil
	}
	clearing := time.Now()
	err := p.Stop(ctx)
	stats, statsErr := s.folder.Ledger.Stats(ctx)
	stop := s.life.Stopped()
	stopped := stop.Why != "" || stop.Aborted || stop.Halted != nil
	s.portals.EndSignIns(ctx, stats, stopped || statsErr != nil, s.workers.SignOut)
	err = errors.Join(err, s.closeBrowsers(), s.keepWorkers(ctx))
	// Workers close as soon as nothing is left for them, so clearing up began
	// when the last attempt was recorded.
	if last := s.tally.LastEnd(); !last.IsZero() {
		clearing = last
	}
	browsers, directories := s.workers.Left()
	if kept := s.workers.Kept(); kept != "" {
		s.story.Inform("the browsers' profiles, with their cookies, are in %s; poscrape doctor --clean removes them", kept)
	}
	return tasks.Cleanup{BrowsersLeft: browsers, ProfilesLeft: directories, ContainersLeft: s.workers.Contained(), Took: time.Since(clearing)}, err
}

func detail(why string) string {
	if why == "" {
		return ""
	}
	return ": " + why
}

// facts are what is known of the session when its work has ended.
func (s *ProcessingSession) facts(workErr error, stats tasks.Stats) ending.Facts {
	stop := s.life.Stopped()
	f := ending.Facts{Stats: stats, Work: workErr, Halted: stop.Halted, Unread: s.proofs.Unread(),
		Stopped: stop.Why, Cause: stop.Cause, Retry: s.cfg.RetryCommand()}
	if s.workers != nil {
		f.Distrusted = s.workers.Distrusted()
	}
	switch left := s.portals.LeftAlone(); {
	case left == "":
	case f.Stopped == "":
		f.Stopped, f.Cause = left, CauseLogin
	default:
		f.Stopped += "; " + left
	}
	return f
}

// aboutRecipe returns what the end of a session says of its recipe, by the report that
// was written, or nil.
func (s *ProcessingSession) aboutRecipe(r *report.Report) (warnings, notes []string) {
	if r != nil {
		warnings, notes = r.Warnings(), slices.Clone(r.Notes())
	}
	notes = append(notes, s.portals.Notes()...)
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
