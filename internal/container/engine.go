package container

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"
)

// DefaultImage is what 'make image' makes.
const DefaultImage = "poscrape-chrome"

// chromeLabel is the label of an image that says where Chrome is in it.
const chromeLabel = "org.poscrape.chrome"

// engines are looked for, in this order.
var engines = []string{"podman", "docker"}

// askTimeout bounds what an engine is asked: it answers in a tenth of a second, Docker's daemon
// in two or three where it has much to do.
const askTimeout = 20 * time.Second

// Config says which engine to use, and how.
type Config struct {
	// Command is the engine's, with arguments if need be, "podman --runtime runc"; empty: podman,
	// else docker.
	Command string
	// Image to run; empty: DefaultImage.
	Image string
	// Args are further arguments to the engine's run.
	Args string
}

// UnusableError says why browsers cannot live in containers.
type UnusableError struct {
	// Why is what was found, and Remedy what helps.
	Why, Remedy string
}

func (e *UnusableError) Error() string {
	if e.Remedy == "" {
		return e.Why
	}
	return e.Why + "; " + e.Remedy
}

// Engine runs containers. It does not change.
type Engine struct {
	command []string
	image   string
	args    []string
	docker  bool
	// maps: the user is mapped to itself, as the containers are an ordinary user's own.
	maps bool
	// unlimited: this engine keeps no limits.
	unlimited bool
	// chrome is where Chrome is in the image.
	chrome string
	// owner are the labels that say whose the containers are.
	owner owner
}

// Find returns the engine that is to be used. It asks it what it is and whether it has the image,
// all at once, which takes a tenth of a second. What it cannot be used for is an *UnusableError.
func Find(ctx context.Context, cfg Config) (*Engine, error) {
	if runtime.GOOS != "linux" { // elsewhere containers are in another machine
		return nil, &UnusableError{Why: "browsers can live in containers on Linux alone"}
	}
	e := &Engine{command: strings.Fields(cfg.Command), image: cmp.Or(cfg.Image, DefaultImage), args: strings.Fields(cfg.Args), owner: thisProcess()}
	if err := e.locate(); err != nil {
		return nil, err
	}
	var said, info, label string
	var errs [3]error
	var all sync.WaitGroup
	all.Go(func() { said, errs[0] = e.ask(ctx, "--version") })
	all.Go(func() {
		label, errs[1] = e.ask(ctx, "image", "inspect", "--format", `{{index .Config.Labels "`+chromeLabel+`"}}`, e.image)
	})
	all.Go(func() { info, errs[2] = e.ask(ctx, "info", "--format", "{{json .}}") })
	all.Wait()
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errs[0] != nil:
		return nil, unusable(errs[0], "")
	case errs[2] != nil: // before the image, as without a daemon there is none
		return nil, unusable(errs[2], "see to it that '%s info' works", strings.Join(e.command, " "))
	}
	e.docker = strings.Contains(strings.ToLower(said), "docker")
	if err := e.know(info); err != nil {
		return nil, err
	}
	if err := e.local(ctx); err != nil {
		return nil, err
	}
	if errs[1] != nil {
		return nil, &UnusableError{Why: fmt.Sprintf("%s has no image %s (%s)", e, e.image, message(errs[1])), Remedy: "make it with 'make image', or name another with --container-image"}
	}
	if e.chrome = label; !strings.HasPrefix(label, "/") {
		return nil, &UnusableError{Why: fmt.Sprintf("the image %s does not say where Chrome is: it has no label %s", e.image, chromeLabel), Remedy: "make one with 'make image'"}
	}
	return e, nil
}

// locate finds the engine's program.
func (e *Engine) locate() error {
	if len(e.command) > 0 {
		if _, err := exec.LookPath(e.command[0]); err != nil {
			return &UnusableError{Why: fmt.Sprintf("there is no container engine %s", e.command[0]), Remedy: "correct --container-engine"}
		}
		return nil
	}
	for _, name := range engines {
		if _, err := exec.LookPath(name); err == nil {
			e.command = []string{name}
			return nil
		}
	}
	return &UnusableError{Why: "there is no container engine (" + strings.Join(engines, ", ") + ")", Remedy: "install Podman, or name an engine with --container-engine"}
}

// know takes what the engine says of itself, as JSON, and says whether it will do.
func (e *Engine) know(info string) error {
	about, err := parseInfo(e.docker, info)
	switch {
	case err != nil:
		return unusable(err, "")
	case about.remote:
		return elsewhere(e)
	case e.docker && about.rootless:
		return &UnusableError{Why: "Docker runs without root here, and cannot map this user to itself", Remedy: "use Podman"}
	}
	e.maps = !e.docker && about.rootless
	e.unlimited = about.unlimited
	return nil
}

// local returns an error where Docker's command talks to another machine, which sees other files.
func (e *Engine) local(ctx context.Context) error {
	if !e.docker {
		return nil
	}
	endpoint := os.Getenv("DOCKER_HOST")
	if endpoint == "" {
		var err error
		if endpoint, err = e.ask(ctx, "context", "inspect", "--format", "{{.Endpoints.docker.Host}}"); err != nil {
			return unusable(err, "")
		}
	}
	if !strings.HasPrefix(endpoint, "unix://") {
		return elsewhere(e)
	}
	return nil
}

func elsewhere(e *Engine) error {
	return &UnusableError{Why: fmt.Sprintf("%s runs containers on another machine, which sees other files", e), Remedy: "name an engine of this machine with --container-engine"}
}

// String returns the engine's command.
func (e *Engine) String() string { return strings.Join(e.command, " ") }

// Chrome returns where Chrome is in the image.
func (e *Engine) Chrome() string { return e.chrome }

// Unlimited reports whether the engine keeps no limits of what a container uses.
func (e *Engine) Unlimited() bool { return e.unlimited }

// EngineError is what an engine's command said as it failed.
type EngineError struct {
	// Command that was run, and what it Said.
	Command, Said string
	Err           error
}

func (e *EngineError) Error() string {
	if e.Said == "" {
		return fmt.Sprintf("%s: %v", e.Command, e.Err)
	}
	return fmt.Sprintf("%s: %s", e.Command, e.Said)
}

// Unwrap returns the error behind it.
func (e *EngineError) Unwrap() error { return e.Err }

// ask runs one of the engine's commands, and returns what it prints, without spaces around it.
func (e *Engine) ask(ctx context.Context, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, e.command[0], append(e.command[1:len(e.command):len(e.command)], args...)...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &errs, time.Second
	leadGroup(cmd)
	err := cmd.Run()
	if ctx.Err() != nil && err != nil {
		err = fmt.Errorf("it did not answer within %v", askTimeout)
	}
	if err != nil {
		return "", &EngineError{Command: e.String() + " " + args[0], Said: lastLine(errs.String()), Err: err}
	}
	return strings.TrimSpace(out.String()), nil
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// message returns what an engine said, or the error.
func message(err error) string {
	var engine *EngineError
	if errors.As(err, &engine) && engine.Said != "" {
		return engine.Said
	}
	return err.Error()
}

func unusable(err error, remedy string, args ...any) error {
	return &UnusableError{Why: err.Error(), Remedy: fmt.Sprintf(remedy, args...)}
}
