package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/poscrape/poscrape/control"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// The session on stage stops at stageHalf and waits for its cue.
const (
	stageTotal = 72
	stageHalf  = stageTotal / 2
	stageCue   = "cue"
)

// runOnStage is poscrape with a session that needs no browser and shows what a
// test wants to see: it comes half way, waits until there is a file of the name
// stageCue, and goes on to its end.
func runOnStage() int {
	p := &program{
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, listen: listen, now: time.Now,
		open: func(_ context.Context, cfg session.Config) (runner, error) {
			return &stage{cfg: cfg, interrupted: make(chan struct{}, maxSignals), aborted: make(chan struct{}, maxSignals)}, nil
		},
	}
	return p.execute(context.Background(), os.Args[1:])
}

type stage struct {
	cfg                  session.Config
	interrupted, aborted chan struct{}
}

func (s *stage) Interrupt(string) { s.interrupted <- struct{}{} }
func (s *stage) Abort(string)     { s.aborted <- struct{}{} }
func (s *stage) Dir() string      { return "stage" }
func (s *stage) Close() error     { return nil }

func (*stage) Control() control.Session { return nil }

func (s *stage) Run(context.Context) (session.End, error) {
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	p := halfOnStage()
	p.Done, p.Well = 0, 0
	for {
		select {
		case <-s.interrupted:
			p.Reason = "stopping: orders in progress are finished"
		case <-s.aborted:
			p.Status = tasks.SessionInterrupted
			s.cfg.OnProgress(p)
			return s.end(p), nil
		case <-ticker.C:
			if p.Done == stageHalf && !there(stageCue) {
				break
			}
			p.Done++
			p.Well++
			s.remark(p)
		}
		s.cfg.OnProgress(p)
		if p.Done == p.Total {
			p.Status = tasks.SessionCompleted
			s.cfg.OnProgress(p)
			return s.end(p), nil
		}
	}
}

// remark says something longer than a line of the terminal now and then.
func (s *stage) remark(p session.Progress) {
	if p.Done%10 == 5 {
		text := fmt.Sprintf("order %d is odd %s", p.Done, strings.Repeat("indeed ", 15))
		s.cfg.OnNotice(session.Notice{Level: session.NoticeWarning, Message: text})
	}
}

// halfOnStage is what the session shows while it waits. Its estimate has no
// time, so that the bar looks the same at any.
func halfOnStage() session.Progress {
	return session.Progress{
		Status: tasks.SessionRunning, Total: stageTotal, Done: stageHalf, Well: stageHalf,
		Wanted: 4, Running: 4, Busy: 3, RatePerMinute: 60, ETA: time.Minute,
	}
}

func (s *stage) end(p session.Progress) session.End {
	return session.End{
		Dir: "stage", Files: []string{"report.html"}, Status: p.Status, Total: p.Total,
		ByOutcome: map[tasks.Outcome]int{tasks.OutcomeComplete: p.Well},
	}
}

func there(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
