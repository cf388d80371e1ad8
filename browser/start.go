package browser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/chromedp"
)

// maxOutput in bytes is how much is kept of what a Chrome prints, which is told where its
// start fails; and outputGrace is how long after its end a child of it may hold that up.
const (
	maxOutput   = 64 << 10
	outputGrace = time.Second
)

// output keeps the beginning of what is written to it.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text.Write(b[:min(len(b), maxOutput-o.text.Len())])
	return len(b), nil
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// allocator is what chromedp starts the browser with.
type allocator struct{ browser *Browser }

// Allocate satisfies chromedp.Allocator: it starts Chrome.
func (a allocator) Allocate(ctx context.Context, opts ...chromedp.BrowserOption) (*chromedp.Browser, error) {
	b := a.browser
	p, err := newPipes()
	if err != nil {
		return nil, err
	}
	defer p.closeTheirs()
	cmd := exec.Command(b.cfg.Chrome.Path, b.cfg.arguments()...)
	cmd.Env, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = b.cfg.environment(), &b.said, &b.said, outputGrace
	if err := b.group.prepare(cmd, b.cfg.Sandbox, p); err != nil {
		return nil, errors.Join(err, p.closeOurs())
	}
	conn, err := newConnection(p, &b.vigil.heard)
	if err != nil {
		return nil, errors.Join(err, p.closeOurs())
	}
	if err := b.run(cmd); err != nil {
		return nil, errors.Join(err, p.closeOurs())
	}
	spoken, err := chromedp.NewBrowserTransport(ctx, conn, opts...)
	if err != nil {
		return nil, errors.Join(err, p.closeOurs())
	}
	b.connection = spoken.LostConnection
	b.jobs.Go(func() {
		<-b.connection
		b.group.kill() // nobody can talk to it any more
		b.disconnect()
	})
	return spoken, nil
}

// Wait satisfies chromedp.Allocator. Close waits for all that there is to wait for.
func (a allocator) Wait() {}

// run starts Chrome, and waits for its end in the background. The system's thread that
// starts it is kept for that: when the thread ends, Linux ends what is to end with its
// parent.
func (b *Browser) run(cmd *exec.Cmd) error {
	started := make(chan error)
	b.jobs.Go(func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // ended has the status
			b.ended <- cmd.ProcessState.String()
		}
	})
	if err := <-started; err != nil {
		return fmt.Errorf("starting Chrome: %w", err)
	}
	b.group.found(cmd.Process)
	return nil
}

// stillborn says why a start failed with an error: if Chrome has ended, what it printed,
// and how it ended.
func (b *Browser) stillborn(err error) error {
	select {
	case <-b.connection:
	default:
		return err
	}
	select {
	case status := <-b.ended:
		return errors.New(strings.TrimSpace(b.said.String() + "\n" + status))
	case <-b.life.Done():
		return err
	}
}

// pipes are the two pipes between poscrape and a Chrome.
type pipes struct {
	// commands and messages are Chrome's ends, to and from are ours.
	commands, to   *os.File
	from, messages *os.File
}

func newPipes() (p pipes, err error) {
	if p.commands, p.to, err = os.Pipe(); err != nil {
		return p, fmt.Errorf("making a pipe to Chrome: %w", err)
	}
	if p.from, p.messages, err = os.Pipe(); err != nil {
		return p, errors.Join(fmt.Errorf("making a pipe from Chrome: %w", err), p.commands.Close(), p.to.Close())
	}
	return p, nil
}

// closeTheirs closes what Chrome has its own copies of.
func (p pipes) closeTheirs() {
	_ = p.commands.Close()
	_ = p.messages.Close()
}

func (p pipes) closeOurs() error { return errors.Join(p.to.Close(), p.from.Close()) }
