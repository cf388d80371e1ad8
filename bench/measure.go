package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/poscrape/poscrape/internal/proc"
)

// usage is what a tool's run has cost.
type usage struct {
	// began is when its process was started, wall the time from then to its end.
	began time.Time
	wall  time.Duration
	// own is the CPU time of its own process, browsers that of all others.
	own, browsers time.Duration
	// memory is the highest PSS of all its processes together that was seen, in
	// bytes, or 0 where it could not be read.
	memory int64
	// seen is the CPU time of each of its processes when that was last looked at.
	// Of a process that nobody waits for, as of those of a sandbox that is ended with
	// all that is in it, no one is told; and here what is used after the last look at
	// a process is missing.
	seen map[int]time.Duration
}

// count takes the larger of the two accounts of what the browsers have used.
func (u *usage) count(root int) {
	var seen time.Duration
	for pid, used := range u.seen {
		if pid != root {
			seen += used
		}
	}
	u.browsers = max(u.browsers, seen)
}

// meter runs tools and reads what they cost.
type meter struct {
	// portal is a process that is not taken for one of a tool's.
	portal int
	// every is how often memory is looked at; CPU time is looked at more often.
	every time.Duration
	// grace is how long a tool has to end after it was asked to, and how long its
	// processes may outlive it.
	grace time.Duration
}

// grace is enough for a tool that ends at all.
const grace = 5 * time.Second

// run runs a tool to its end, or asks it to end when ctx does. No process of it
// is left afterwards; where one had to be ended, that is an error.
func (m meter) run(ctx context.Context, cmd *exec.Cmd) (usage, error) {
	// A child dies with the thread that started it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	u := usage{seen: map[int]time.Duration{}}
	said := &tail{}
	cmd.Stderr, cmd.WaitDelay = said, m.grace
	shield(cmd)
	u.began = time.Now()
	if err := cmd.Start(); err != nil {
		return u, err
	}
	root := cmd.Process.Pid
	ended := make(chan error, 1)
	go func() { ended <- awaitExit(root) }()

	err := m.watch(ctx, cmd.Process, ended, &u)
	u.wall = time.Since(u.began)
	last, statErr := proc.Read(root)
	u.own, u.browsers = last.Own, u.browsers+last.Children
	if waitErr := cmd.Wait(); waitErr != nil {
		err = errors.Join(err, fmt.Errorf("it ended with %w; it said: %s", waitErr, said))
	}
	err = errors.Join(err, statErr, m.clear(&u))
	u.count(root)
	return u, err
}

// watch looks at the tool until it has ended.
func (m meter) watch(ctx context.Context, root *os.Process, ended <-chan error, u *usage) error {
	tick, glance := time.NewTicker(m.every), time.NewTicker(max(m.every/10, time.Millisecond))
	defer tick.Stop()
	defer glance.Stop()
	var readable error
	stopping, kill := ctx.Done(), (<-chan time.Time)(nil)
	for {
		select {
		case err := <-ended:
			if readable != nil {
				u.memory = 0
			}
			return errors.Join(err, context.Cause(ctx))
		case <-stopping:
			stopping, kill = nil, time.After(m.grace)
			_ = root.Signal(syscall.SIGTERM) // it may have ended just now
		case <-kill:
			_ = root.Kill()
		case <-glance.C:
			used, err := processorTime(m.portal)
			if err != nil {
				return errors.Join(err, root.Kill(), <-ended)
			}
			maps.Copy(u.seen, used)
		case <-tick.C:
			used, _, err := reap(m.portal, root.Pid)
			if err != nil {
				return errors.Join(err, root.Kill(), <-ended)
			}
			u.browsers += used
			n, err := memory(m.portal)
			readable = errors.Join(readable, err)
			u.memory = max(u.memory, n)
		}
	}
}

// clear waits for the processes that the tool has left, and ends those that
// stay. All of them are children of this process by then.
func (m meter) clear(u *usage) error {
	var err error
	deadline := time.After(m.grace)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		used, running, reapErr := reap(m.portal)
		u.browsers += used
		if reapErr != nil || len(running) == 0 {
			return errors.Join(err, reapErr)
		}
		select {
		case <-tick.C:
		case <-deadline:
			err = fmt.Errorf("it left %d processes behind", len(running))
			for _, pid := range running {
				if p, findErr := os.FindProcess(pid); findErr == nil {
					_ = p.Kill() // it may have ended just now
				}
			}
		}
	}
}

// tail keeps the end of what is written to it.
type tail struct{ text []byte }

func (t *tail) Write(b []byte) (int, error) {
	const most = 4 << 10
	t.text = append(t.text, b...)
	t.text = t.text[max(0, len(t.text)-most):]
	return len(b), nil
}

// String returns the last lines.
func (t *tail) String() string {
	lines := strings.Split(string(bytes.TrimSpace(t.text)), "\n")
	return strings.Join(lines[max(0, len(lines)-8):], " | ")
}

// lines passes on each line that is written to it, with the time that it came.
type lines struct {
	rest []byte
	each func(line []byte, at time.Time)
}

var _ io.Writer = (*lines)(nil)

func (l *lines) Write(b []byte) (int, error) {
	now := time.Now()
	l.rest = append(l.rest, b...)
	for {
		line, rest, whole := bytes.Cut(l.rest, []byte("\n"))
		if !whole {
			return len(b), nil
		}
		l.each(bytes.Clone(line), now)
		l.rest = rest
	}
}
