package session_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/internal/testkit/chromekit"
	"github.com/poscrape/poscrape/internal/testkit/portalkit"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/session/worker"
	"github.com/poscrape/poscrape/tasks"
)

// uncontained are the events that say why browsers are processes.
func uncontained(r wholeReport) (why []string) {
	for _, e := range r.Events {
		if e.Type == tasks.EventNotice && strings.HasPrefix(e.Detail, worker.CodeNoContainer) {
			why = append(why, e.Detail)
		}
	}
	return why
}

// TestContainers: in containers, orders come to what they come to in processes.
func TestContainers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		isolation    worker.Isolation
		orders, want int
	}{{worker.InContainer, 24, 2}, {worker.Mixed, 6, 1}} {
		t.Run(string(c.isolation), func(t *testing.T) {
			t.Parallel()
			p, sheet := portalkit.StartWithSheet(t, portal.Config{Orders: c.orders})
			cfg := config(t, sheet)
			cfg.Isolation, cfg.NoSandbox = c.isolation, false
			end, r := run(t, cfg)
			if why := uncontained(r); len(why) > 0 {
				t.Skip("no containers here: ", why)
			}
			checkAsMeant(t, p, end.Dir, r)
			in := map[string]int{}
			for _, w := range r.Workers {
				in[w.Isolation]++
			}
			if in["container"] != c.want || in["container"]+in["process"] != len(r.Workers) {
				t.Errorf("the workers' browsers were in %v, want %d in containers", in, c.want)
			}
			if left := r.Cleanup; left.BrowsersLeft+left.ProfilesLeft+left.ContainersLeft != 0 {
				t.Errorf("left behind: %+v", left)
			}
		})
	}
}

// TestNoContainers: without an engine browsers are processes, and that is said, or the session does not
// begin.
func TestNoContainers(t *testing.T) {
	t.Parallel()
	_, sheet := portalkit.StartWithSheet(t, portal.Config{Orders: 1})
	cfg := alone(t, sheet)
	cfg.Isolation, cfg.ContainerEngine = worker.InContainer, "/nowhere/podman"
	required := cfg
	required.IsolationRequired, required.NoSandbox = true, false
	_, err := session.Open(t.Context(), required)
	var isolation *worker.IsolationError
	if !errors.As(err, &isolation) || !errors.Is(err, browser.ErrLaunch) || !strings.Contains(err.Error(), "there is no container engine /nowhere/podman") {
		t.Errorf("where they are required: %v", err)
	}
	if _, err := os.Stat(required.Out); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is there: %v", err)
	}
	chromekit.NeedSandbox(t)
	_, r := run(t, cfg)
	if why := uncontained(r); len(why) != 1 || !strings.Contains(why[0], "there is no container engine /nowhere/podman") {
		t.Errorf("it said %q", why)
	}
	if len(r.Workers) != 1 || r.Workers[0].Isolation != "process" {
		t.Errorf("the workers are %+v", r.Workers)
	}
}

// TestEngineGoesAway: an engine that makes no more containers in mid-run costs no order an attempt.
func TestEngineGoesAway(t *testing.T) {
	t.Parallel()
	podman, err := exec.LookPath("podman")
	if err != nil {
		t.Skip("there is no podman: ", err)
	}
	_, sheet := portalkit.StartWithSheet(t, portal.Config{Orders: 8, Variations: []portal.Variation{portal.Plain}})
	cfg := config(t, sheet)
	chromekit.NeedSandbox(t) // for those that are processes
	dir := t.TempDir()
	engine := filepath.Join(dir, "engine")
	testkit.Write(t, engine, fmt.Sprintf("#!/bin/sh\n"+
		"if [ \"$1\" = run ] && ! mkdir %[1]s/1 2>/dev/null && ! mkdir %[1]s/2 2>/dev/null && ! mkdir %[1]s/3 2>/dev/null; then echo 'the engine is gone' >&2; exit 125; fi\n"+
		"exec %[2]s \"$@\"\n", dir, podman))
	testkit.Must(t, os.Chmod(engine, 0o755))
	cfg.Isolation, cfg.ContainerEngine, cfg.Lifetime = worker.InContainer, engine, session.Once
	_, r := run(t, cfg)
	why := uncontained(r)
	if _, err := os.Stat(filepath.Join(dir, "3")); err != nil {
		t.Skip("no containers here: ", why)
	}
	if len(why) != 1 || !strings.Contains(why[0], "the engine is gone") {
		t.Errorf("it said %q", why)
	}
	for _, task := range r.Tasks {
		if len(task.Attempts) != 1 || task.State != tasks.StateCompleted {
			t.Errorf("%s: %s after %+v", task.PO, task.State, task.Attempts)
		}
	}
}
