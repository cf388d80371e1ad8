package session_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

const (
	// randomSessions is the environment variable that says how many sessions TestRandomSessions
	// runs: 2,000 with make thorough.
	randomSessions = "POSCRAPE_RANDOM_SESSIONS"
	// randomSeed names one of them, to be run alone.
	randomSeed = "POSCRAPE_RANDOM_SEED"
)

// TestRandomSessions runs sessions of 50 orders with everything that may happen to them, at random:
// workers are lost or do not start, attempts fail or find no host, the disk fails, people pause,
// scale, stop and go on. In the end every order has ended as it has to, with its documents.
func TestRandomSessions(t *testing.T) {
	t.Parallel()
	if seed, err := strconv.ParseUint(os.Getenv(randomSeed), 10, 64); err == nil {
		synctest.Test(t, func(t *testing.T) { newStorm(seed).ride(t) })
		return
	}
	rounds := 6
	if n, err := strconv.Atoi(os.Getenv(randomSessions)); err == nil {
		rounds = n
	}
	for range rounds {
		seed := rand.Uint64()
		inBubble(t, fmt.Sprint("seed ", seed), func(t *testing.T) { newStorm(seed).ride(t) })
	}
}

const stormOrders = 50

// storm is one session, in as many runs as it takes, and what happens to it.
type storm struct {
	mu     sync.Mutex
	random *rand.Rand
	// calm: nothing happens any more but what orders have to meet.
	calm atomic.Bool
	// unreached is how many attempts will still find no host.
	unreached int
	// full is how many results will still find no room to be recorded in.
	full int
	// what has happened, for the account of a failure.
	log []string
}

func newStorm(seed uint64) *storm { return &storm{random: rand.New(rand.NewPCG(seed, seed))} }

// chance is true n times in a thousand, and never when all is calm.
func (s *storm) chance(n int) bool { return s.intN(1000) < n && !s.calm.Load() }

func (s *storm) intN(n int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.random.IntN(n)
}

func (s *storm) note(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = append(s.log, what)
}

// line is the order's, from 0.
func line(task *tasks.ProcessingTask) int { return task.Rows[0].Line - 2 }

// meant says how an order ends, whatever happens on the way.
func meant(line int) tasks.Outcome {
	switch {
	case line%10 == 3:
		return tasks.OutcomeNoAttachments
	case line%10 == 5:
		return tasks.OutcomeNotFound
	case line%25 == 7:
		return tasks.OutcomeFailed
	}
	return tasks.OutcomeComplete
}

func breaksOnce(line int) bool { return line%6 == 1 }

func (s *storm) act(task *tasks.ProcessingTask) session.Act {
	act := session.Act{Takes: time.Duration(s.intN(3000)) * time.Millisecond}
	s.mu.Lock()
	unreached := s.unreached > 0
	if unreached {
		s.unreached--
	}
	s.mu.Unlock()
	switch {
	case unreached && !s.calm.Load():
		act.Err = down("portal.example")
	case s.chance(10):
		act.Loses = true
	case s.chance(5):
		act.Ended = errors.New("it was over a limit")
	case s.chance(2):
		act.Err = tasks.Retry(tasks.ClassStorage, "writing: %w", syscall.ENOSPC)
	case s.chance(6):
		s.mu.Lock()
		s.unreached = s.random.IntN(20)
		s.mu.Unlock()
		act.Err = down("portal.example")
	case meant(line(task)) == tasks.OutcomeNotFound:
		act.Err = tasks.Permanent(tasks.OutcomeNotFound, tasks.ClassNotFound, "there is no such order")
	case meant(line(task)) == tasks.OutcomeFailed:
		act.Err = tasks.Retry(tasks.ClassPage, "it is broken")
	case breaksOnce(line(task)) && task.Attempts == 0:
		act.Err = tasks.Retry(tasks.ClassPage, "it breaks once")
	default:
		act.Outcome = meant(line(task))
		// What an attempt leaves that does not count is not hidden by the next one.
		name := fmt.Sprintf("%s-%d.pdf", task.PO, len(task.History)+1)
		act.Documents = map[string]string{name: "%PDF-1.4 " + name}
	}
	return act
}

// stand returns the workers of one run.
func (s *storm) stand() *session.StandIns {
	return &session.StandIns{
		Act: s.act,
		Launch: func(int) error {
			if s.chance(30) {
				return errors.New("no Chrome today")
			}
			return nil
		},
		Record: func() error {
			if s.chance(3) {
				s.mu.Lock()
				s.full = 1 + s.random.IntN(6)
				s.mu.Unlock()
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.full == 0 {
				return nil
			}
			s.full--
			return fmt.Errorf("recording: %w", syscall.ENOSPC)
		},
		Reach: func(string) error {
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.unreached > 0 && !s.calm.Load() {
				s.unreached--
				return errors.New("connection refused")
			}
			return nil
		},
	}
}

// ride runs the session to its end.
func (s *storm) ride(t *testing.T) {
	defer func() {
		if t.Failed() {
			t.Logf("what happened: %q", s.log)
		}
	}()
	cfg := standing(t, stormOrders)
	cfg.Workers = 1 + s.intN(session.MaxWorkers)
	on := s.stand()
	run := openOn(t, cfg, on)
	for round := 1; ; round++ {
		s.calm.Store(round > 5)
		result := s.run(t, run, on)
		browsers, _ := on.Left()
		if browsers != 0 || result.Cleanup.BrowsersLeft != 0 || result.Cleanup.ProfilesLeft != 0 {
			t.Errorf("%d workers are left: %+v", browsers, result.Cleanup)
		}
		checkCleared(t, result)
		checkRows(t, result, readReport(t, result.Dir), result.Status == tasks.SessionCompleted)
		if result.Status == tasks.SessionCompleted {
			return
		}
		if round > 8 {
			t.Fatalf("it does not end: %+v", result)
		}
		on = s.stand()
		var err error
		if run, err = session.ResumeOn(t.Context(), cfg.Out, session.ResumeConfig{}, on); err != nil {
			t.Fatal(err)
		}
	}
}

// run runs the session once, while people and accidents meddle.
func (s *storm) run(t *testing.T, run *session.ProcessingSession, on *session.StandIns) session.End {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(t.Context()))
	defer cancel(nil)
	ended := make(chan struct{})
	var beside sync.WaitGroup
	beside.Go(func() {
		for {
			pause := time.NewTimer(time.Duration(1+s.intN(4000)) * time.Millisecond)
			select {
			case <-ended:
				pause.Stop()
				return
			case <-pause.C:
			}
			if !s.calm.Load() {
				s.meddle(run, on, cancel)
			}
		}
	})
	result, err := run.Run(ctx)
	close(ended)
	beside.Wait()
	if err != nil {
		t.Fatal(err)
	}
	s.note(fmt.Sprintf("%s: %s", result.Status, result.Reason))
	return result
}

func (s *storm) meddle(run *session.ProcessingSession, on *session.StandIns, cancel context.CancelCauseFunc) {
	var did string
	switch n := s.intN(100); {
	case n < 25:
		on.Lose()
		did = "a worker was lost"
	case n < 45:
		size := 1 + s.intN(session.MaxWorkers)
		did = fmt.Sprintf("scaled to %d: %v", size, run.Scale(size))
	case n < 65:
		release, err := run.Hold("user", "at random")
		did = fmt.Sprintf("paused: %v", err)
		if err == nil {
			pause := time.NewTimer(time.Duration(s.intN(2000)) * time.Millisecond)
			<-pause.C
			release("at random")
		}
	case n < 68:
		did = "interrupted"
		run.Interrupt(did)
	case n < 70:
		did = "aborted"
		run.Abort(did)
	case n < 71:
		did = "its context has ended"
		cancel(errors.New(did))
	case n < 72:
		did = "interrupted, and aborted"
		run.Interrupt(did)
		run.Abort(did)
	default:
		return
	}
	s.note(did)
}

// losses counts the attempts at which an order lost its worker, and unreached those that were charged to it as its
// host was not reached, and could be a moment later.
func losses(task reportTask) (n int) {
	for _, a := range task.Attempts {
		if a.Error != nil && a.Error.Class == tasks.ClassBrowserLost {
			n++
		}
	}
	return n
}

func unreached(task reportTask) (n int) {
	for _, a := range task.Attempts {
		if a.Error != nil && a.Error.Class == tasks.ClassNavigation && !a.Released {
			n++
		}
	}
	return n
}

// checkRows accounts for every row of a session that was stopped, or has completed.
func checkRows(t *testing.T, result session.End, r wholeReport, completed bool) {
	t.Helper()
	if completed {
		checkCounts(t, r, stormOrders)
	}
	if got := r.Totals; got.Rows != stormOrders || got.Completed+got.Failed+got.Pending != stormOrders || completed != (got.Pending == 0) {
		t.Errorf("the counts do not add up: %+v", got)
	}
	seen := map[int]bool{}
	documents := 0
	for _, task := range r.Tasks {
		if len(task.Rows) != 1 || seen[task.Rows[0]] {
			t.Errorf("%s has the rows %v", task.PO, task.Rows)
			continue
		}
		seen[task.Rows[0]] = true
		want := meant(task.Rows[0] - 2)
		charged, _ := charges(task)
		attempts := 3
		if breaksOnce(task.Rows[0] - 2) {
			attempts--
		}
		if task.Outcome == tasks.OutcomeFailed && (losses(task) > 1 || unreached(task) >= attempts) {
			want = tasks.OutcomeFailed // it is taken for what browsers die of, or for one that nobody can open
		}
		switch {
		case !task.State.Final():
			if completed {
				t.Errorf("%s is %s", task.PO, task.State)
			}
			if charged > 2 || len(task.Attachments) > 0 {
				t.Errorf("%s is %s after %d attempts, with %v", task.PO, task.State, charged, task.Attachments)
			}
			continue
		case task.Outcome != want || charged < 1 || charged > 3:
			t.Errorf("%s ended %s after %d attempts, want %s: %+v", task.PO, task.Outcome, charged, want, task.Error)
		}
		if want == tasks.OutcomeComplete {
			documents++
		}
	}
	if len(seen) != stormOrders {
		t.Errorf("%d orders are in the report", len(seen))
	}
	// What is there is what the report says is there.
	there := files(t, result.Dir)
	for _, task := range r.Tasks {
		for _, doc := range task.Attachments {
			path := doc.Path[len("orders"):]
			if there[path] != doc.SHA256 || doc.SHA256 != sumOf("%PDF-1.4 "+doc.Name) || !strings.HasPrefix(doc.Name, task.PO+"-") {
				t.Errorf("%s: %s is not its own", task.PO, doc.Path)
			}
			delete(there, path)
		}
	}
	if len(there) > 0 || r.Totals.Attachments.Done != documents {
		t.Errorf("files that no order has: %v; %d documents, want %d", there, r.Totals.Attachments.Done, documents)
	}
}
