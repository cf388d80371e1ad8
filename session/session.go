package session

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"

	"github.com/poscrape/poscrape/internal/disk"
	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/profiles"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/breaker"
	"github.com/poscrape/poscrape/session/documents"
	"github.com/poscrape/poscrape/session/progress"
	"github.com/poscrape/poscrape/session/story"
	"github.com/poscrape/poscrape/session/worker"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// ErrClosed is returned by Run for a session that was closed or has run.
var ErrClosed = errors.New("the session has ended")

// ProcessingSession is one run.
type ProcessingSession struct {
	cfg      Config
	dir      string
	root     *os.Root
	ledger   *ledger.Ledger
	portal   *scrape.Portal
	opener   *worker.Opener // nil where nothing is left to do
	tally    *progress.Tally
	breaker  *breaker.Breaker
	proofs   *proofs
	evidence *scrape.Evidence
	// grace is the time that orders in progress have to end in, once the session is
	// stopped; nil before.
	grace     context.Context
	volumes   *disk.Volumes
	reserve   disk.Reserve
	documents *documents.Store
	story     *story.Story
	logFile   io.Closer
	// before are the records of the workers of earlier runs, by id.
	before map[string]tasks.Worker

	// killed: the session's last run was, so that what its audits had confirmed is
	// not known.
	killed bool

	// swept is what was removed before the start.
	swept    profiles.Swept
	sweepErr error

	mu     sync.Mutex
	record tasks.Session
	pool   *pool.WorkerPool // nil before Run
	// stopped is why the session takes no more orders, or empty; cause is what
	// kind of reason that is.
	stopped string
	cause   Cause
	aborted bool
	ended   bool
	// finishing: the last events are stored.
	finishing bool
	// unread is why orders that had to be read again could not be put back, or nil.
	unread error
	// halted is why this machine ended the session, or nil.
	halted error
	// graceOver ends the wait for orders in progress.
	graceOver context.CancelFunc
}

// Dir returns the session folder.
func (s *ProcessingSession) Dir() string { return s.dir }

// Close frees what Open made, if Run was not called, and leaves the session
// folder as it is. It may be called twice.
func (s *ProcessingSession) Close() error {
	s.mu.Lock()
	ended := s.ended
	s.ended = true
	s.mu.Unlock()
	if ended {
		return nil
	}
	defer s.story.Told()
	return errors.Join(s.closeBrowsers(), s.release())
}

// closeBrowsers ends what startBrowser has begun, if anything.
func (s *ProcessingSession) closeBrowsers() error {
	if s.opener == nil {
		return nil
	}
	return s.opener.Close()
}

// release closes everything that is open for as long as the session lives.
func (s *ProcessingSession) release() error {
	if err := s.documents.Recover(context.Background()); err != nil {
		s.story.Log.Error("clearing the staging directory; resuming the session tries again", "error", err)
	}
	return errors.Join(s.ledger.Close(), s.root.Close(), s.logFile.Close())
}
