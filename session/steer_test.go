package session_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// TestAPersonHoldsAndScalesASession: it pauses, says who holds it, takes the number of
// workers that is asked for, and goes on when the last hold has ended.
func TestAPersonHoldsAndScalesASession(t *testing.T) {
	t.Parallel()
	synctest.Test(t, personHoldsAndScales)
}

func personHoldsAndScales(t *testing.T) {
	cfg := standing(t, 30)
	cfg.Workers = 3
	var s *session.ProcessingSession
	var releases []func(string)
	hold := func(why string) {
		release, err := s.Hold("user", why)
		if err != nil {
			t.Error(err)
			return
		}
		releases = append(releases, release)
	}
	var paused session.Progress
	resumed, stage := false, 0
	cfg.OnProgress = func(p session.Progress) {
		switch {
		case stage == 0 && p.Done > 2:
			stage = 1
			hold("lunch")
			hold("coffee")
		case stage == 1 && p.Status == tasks.SessionPaused && p.Active == 0 && len(p.Holds) == 2:
			stage = 2
			paused = p
			releases[0]("lunch is over")
			if err := s.Scale(2); err != nil {
				t.Error(err)
			}
		case stage == 2 && len(p.Holds) == 1:
			stage = 3
			if p.Status != tasks.SessionPaused || p.Done != paused.Done || p.Wanted != 2 || p.Reason != "paused: coffee" {
				t.Errorf("with one hold left: %+v", p)
			}
			releases[1]("coffee is over")
		case stage == 3 && p.Status == tasks.SessionRunning:
			resumed = true
			if p.Pool.Opened == 0 || p.Pool.Claims < paused.Done || p.Pool.Waited == 0 || p.Pool.Made.After(p.At) {
				t.Errorf("of its pool it says %+v", p.Pool)
			}
		}
	}
	s = openOn(t, cfg, takes(200*time.Millisecond))
	if _, err := s.Hold("user", "too early"); !errors.Is(err, session.ErrNotRunning) {
		t.Errorf("Hold before Run: %v", err)
	}
	if err := s.Scale(3); !errors.Is(err, session.ErrNotRunning) {
		t.Errorf("Scale before Run: %v", err)
	}
	var config *session.ConfigError
	if err := s.Scale(9); !errors.As(err, &config) || config.Field != "workers" {
		t.Errorf("Scale(9): %v", err)
	}
	end, err := s.Run(context.WithoutCancel(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Hold("user", "too late"); !errors.Is(err, session.ErrNotRunning) {
		t.Errorf("Hold after Run: %v", err)
	}
	r := readReport(t, end.Dir)
	if n := checkBrought(t, end.Dir, r); n != 30 {
		t.Errorf("%d orders have ended", n)
	}
	checkCleared(t, end)
	if paused.Reason != "paused: lunch; coffee" || paused.Pending == 0 || !resumed {
		t.Errorf("it paused as %+v, and went on: %v", paused, resumed)
	}
	if r.Pool.CreatedAt == nil || r.Pool.Opened == 0 || r.Pool.Claims < 30 || r.Pool.WaitedMS.N != r.Pool.Claims || r.Pool.WaitedMS.P99 <= 0 {
		t.Errorf("the report says of the pool %+v", r.Pool)
	}
	var story []string
	for _, e := range r.Events {
		switch e.Type {
		case tasks.EventPaused, tasks.EventResumed, tasks.EventScaled, tasks.EventNotice:
			story = append(story, e.Type+": "+e.Detail)
		}
	}
	want := []string{"session_paused: lunch", "session_paused: coffee", "notice: lunch is over; still paused: coffee",
		"scaled: 2 of 2 workers", "session_resumed: coffee is over"}
	if !slices.Equal(story, want) {
		t.Errorf("the story is %q, want %q", story, want)
	}
}
