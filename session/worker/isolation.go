package worker

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os/exec"
	"strings"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/container"
	"github.com/poscrape/poscrape/internal/egress"
	"github.com/poscrape/poscrape/tasks"
)

// CodeNoContainer is the code of messages about browsers that cannot live in containers.
const CodeNoContainer = "WORKER-006"

// Isolation says what each worker's Chrome runs in.
type Isolation string

// The kinds of isolation.
const (
	// AsProcess: all are processes of this machine.
	AsProcess Isolation = "process"
	// InContainer: each has a container of its own.
	InContainer Isolation = "container"
	// Mixed: half of them do, rounded up.
	Mixed Isolation = "mixed"
)

// Isolations are all kinds.
func Isolations() []Isolation { return []Isolation{AsProcess, InContainer, Mixed} }

// isolation returns what the worker's browser runs in.
func (w *Worker) isolation() Isolation {
	if w.contained {
		return InContainer
	}
	return AsProcess
}

// IsolationError says that browsers cannot live in containers, as they are required to. It wraps
// browser.ErrLaunch.
type IsolationError struct{ Why error }

func (e *IsolationError) Error() string {
	return fmt.Sprintf("%s: browsers cannot live in containers, which --isolation-required asks for: %v", CodeNoContainer, e.Why)
}

// Unwrap returns the error behind it, and browser.ErrLaunch.
func (e *IsolationError) Unwrap() []error { return []error{e.Why, browser.ErrLaunch} }

// containedMemory in bytes is what a container may use at the most where no limit is set: what Chrome
// lets one page have (browser.DefaultConfig), and a third of that.
const containedMemory = 4 << 30

// surplus is by how much what a container has exceeds what its processes are counted with, as the
// kernel counts what it keeps of their files too.
const surplus = 1.25

// containerLimits are what a container is given: what ends the browser, or slows it down.
func (l Limits) containerLimits() container.Limits {
	limits := container.Limits{Memory: containedMemory}
	if l.MemoryLimit > 0 && l.Action == LimitKill {
		limits.Memory = int64(surplus * float64(l.MemoryLimit))
	}
	if l.CPULimit > 0 && l.Action != LimitWarn {
		limits.CPUs = l.CPULimit
	}
	return limits
}

// begin counts a browser that is being opened, and returns the engine that it is to be a container of, or nil.
func (o *Opener) begin() *container.Engine {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.opening++
	if o.Engine == nil || o.Isolation == Mixed && 2*o.contained >= o.live+o.opening {
		return nil
	}
	o.contained++
	return o.Engine
}

// begun counts a browser that was opened, or was not because of an error: then its container is gone, unless
// that says otherwise.
func (o *Opener) begun(engine *container.Engine, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.opening--
	if err != nil && engine != nil && !errors.As(err, new(*container.LeftError)) {
		o.contained--
	}
}

// maxContainerFailures is how many containers in a row may fail to come up before no more are tried. After
// the very first, none is.
const maxContainerFailures = 2

// withoutContainer says what becomes of a browser whose container did not come up: an error, or nil,
// and then it is to be a process.
func (o *Opener) withoutContainer(ctx context.Context, why error) error {
	if ctx.Err() != nil {
		return why
	}
	if o.Required {
		return &IsolationError{why}
	}
	o.mu.Lock()
	o.containerFailures++
	first := !o.toldContainer
	o.toldContainer = true
	if o.made == 1 { // the session has no story yet
		o.NoEngine, first = why, false
	}
	if o.made == 1 || o.containerFailures >= maxContainerFailures {
		o.Engine = nil
	}
	o.mu.Unlock()
	if first {
		text := o.uncontained(why)
		o.Tell(tasks.Event{Type: tasks.EventNotice, Detail: text})
		o.Warn("%s", text)
	}
	return nil
}

// Uncontained says, once Start has returned, why browsers are processes that were to live in containers, or
// is empty.
func (o *Opener) Uncontained() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.NoEngine == nil {
		return ""
	}
	return o.uncontained(o.NoEngine)
}

func (o *Opener) uncontained(why error) string {
	return fmt.Sprintf("%s: browsers are processes of this machine, not containers (--isolation %s): %v", CodeNoContainer, o.Isolation, why)
}

// Contained returns how many containers are not proven gone.
func (o *Opener) Contained() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.contained
}

// isolate has a browser start in a container. What it returns is to be called when the browser is gone,
// or did not start.
func (o *Opener) isolate(cfg *browser.Config, site Site, engine *container.Engine) (close func(), err error) {
	cfg.Chrome = browser.Chrome{Path: engine.Chrome(), Version: cfg.Chrome.Version, HeadlessShell: true}
	spec := container.Spec{Profile: cfg.ProfileDir, UID: cfg.Sandbox.UID, GID: cfg.Sandbox.GID, Limits: o.containerLimits()}
	close = func() {}
	if strings.HasPrefix(o.Proxy, "pac+") || o.Proxy == browser.ProxyOfSystem {
		return nil, &container.UnusableError{Why: "no container can use a proxy that a script or the system chooses (--proxy " + o.Proxy + ")",
			Remedy: "name the proxy itself with --proxy"}
	}
	if !engine.NamesNetwork() {
		out, err := o.wayOut(site)
		if err != nil {
			return nil, err
		}
		close, cfg.Egress, spec.Gate = out.Close, out, out.Serve
	}
	cfg.Start = func(cmd *exec.Cmd) (browser.Group, error) { return engine.Start(cmd, spec) }
	return close, nil
}

// maxRefusedHosts bounds of how many hosts it is told that they are not let through.
const maxRefusedHosts = 20

// tellRefused tells of a host and port, once, that containers do not let through to.
func (o *Opener) tellRefused(host string) {
	o.mu.Lock()
	_, told := o.refusedHosts[host]
	tell := !told && len(o.refusedHosts) < maxRefusedHosts
	if tell {
		o.refusedHosts[host] = struct{}{}
	}
	o.mu.Unlock()
	if tell {
		text := "a page asked for something of " + host + ", which containers do not let through to: name it in the recipe, under allowed_hosts if pages need it, or else under block.hosts"
		o.Tell(tasks.Event{Type: tasks.EventNotice, Detail: text})
		o.Warn("%s", text)
	}
}

// wayOut is a browser's way out of a container.
type wayOut struct{ *egress.Proxy }

// Server implements browser.Egress.
func (w wayOut) Server() string {
	return w.Scheme() + "://" + net.JoinHostPort("127.0.0.1", fmt.Sprint(container.GatePort))
}

func (o *Opener) wayOut(site Site) (wayOut, error) {
	cfg := egress.Config{Allowed: site.Portal.Reaches, Judge: site.Portal.JudgeServer, Refused: o.tellRefused}
	if o.Proxy != "" {
		upstream, err := url.Parse(o.Proxy)
		if err != nil {
			return wayOut{}, err
		}
		if cfg.Roots, err = browser.Authorities(o.CA); err != nil {
			return wayOut{}, err
		}
		upstream.User = nil // the browser answers
		cfg.Upstream = upstream
	}
	proxy, err := egress.New(cfg)
	var unknown *egress.UpstreamError
	if errors.As(err, &unknown) {
		err = &container.UnusableError{Why: "no container can use the proxy " + browser.Redact(o.Proxy) + ": " + err.Error(),
			Remedy: "name another with --proxy, or a network with --container-args"}
	}
	return wayOut{proxy}, err
}
