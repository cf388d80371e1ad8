// Package story keeps what happens in a session: as events in its ledger, as lines in its
// log, and as notices for the person who watches it.
package story

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/tasks"
)

// Level says how much a notice matters.
type Level string

// The levels of notices.
const (
	LevelInfo    Level = "info"
	LevelWarning Level = "warning"
)

// Notice is something that a person should know.
type Notice struct {
	Level   Level
	Message string
}

// Story is that of one session. Notices need OnNotice alone; the other fields are set when the
// session has a folder, before the first event. Its methods may be called by any goroutine.
type Story struct {
	// OnNotice is told what a person should know. Nil is fine.
	OnNotice func(Notice)
	// Log and Events are where events go.
	Log    *slog.Logger
	Events tasks.SessionLog
	// Struck is told why an event could not be stored, and reports whether the disk is to
	// blame for that.
	Struck func(error) bool

	mu     sync.Mutex
	over   bool
	beside sync.WaitGroup
	// waiting are notices that OnNotice has not been called with, and told is closed when
	// there are none; nil without any.
	waiting []Notice
	told    chan struct{}
}

// lastCall is how long the end of a session waits for OnNotice.
const lastCall = time.Second

// Add adds an event, as of now. It blocks until that is stored.
func (s *Story) Add(ctx context.Context, e tasks.Event) {
	e.At = time.Now()
	about := []any{"worker", e.Worker, "detail", e.Detail, "took_ms", e.Took.Milliseconds()}
	if e.BrowserID != uuid.Nil {
		about = append(about, "browser_id", e.BrowserID)
	}
	s.Log.Info(e.Type, about...)
	if err := s.Events.AppendEvent(ctx, e); err != nil && !s.Struck(err) {
		s.Log.Error("storing an event", "type", e.Type, "error", err)
	}
}

// AddBeside adds an event without waiting for a disk that hangs. After End it is dropped.
func (s *Story) AddBeside(e tasks.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over {
		s.beside.Go(func() { s.Add(context.Background(), e) })
	}
}

// End lets no further event be stored beside the work, and waits for those that are.
func (s *Story) End() {
	s.mu.Lock()
	s.over = true
	s.mu.Unlock()
	s.beside.Wait()
}

// Warn tells a person of something that may be wrong.
func (s *Story) Warn(format string, args ...any) { s.notice(LevelWarning, format, args) }

// Inform tells a person of something good to know.
func (s *Story) Inform(format string, args ...any) { s.notice(LevelInfo, format, args) }

// notice has OnNotice called, one notice after another: if it blocks, that delays nobody.
func (s *Story) notice(level Level, format string, args []any) {
	if s.OnNotice == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = append(s.waiting, Notice{Level: level, Message: fmt.Sprintf(format, args...)})
	if s.told == nil {
		s.told = make(chan struct{})
		go s.tell(s.told)
	}
}

func (s *Story) tell(told chan struct{}) {
	for {
		s.mu.Lock()
		if len(s.waiting) == 0 {
			s.told = nil
			close(told)
			s.mu.Unlock()
			return
		}
		next := s.waiting[0]
		s.waiting = s.waiting[1:]
		s.mu.Unlock()
		s.OnNotice(next)
	}
}

// Told returns when OnNotice has been called with all there is, or after a second: what it
// does must not keep a session from ending.
func (s *Story) Told() {
	s.mu.Lock()
	told := s.told
	s.mu.Unlock()
	if told == nil {
		return
	}
	select {
	case <-told:
	case <-time.After(lastCall):
	}
}

// WarnAndAdd tells a person of something that may be wrong, and adds it.
func (s *Story) WarnAndAdd(ctx context.Context, text string) {
	s.Warn("%s", text)
	s.Add(ctx, tasks.Event{Type: tasks.EventNotice, Detail: text})
}
