package main

import (
	"errors"
	"strings"
	"testing"
)

// TestIsolation: browsers are processes, and where something else was asked for that is said, with
// the code of a missing container engine, or refused.
func TestIsolation(t *testing.T) {
	t.Parallel()
	none := func(string) (string, error) { return "", errors.New("not found") }
	docker := func(name string) (string, error) {
		if name == "docker" {
			return "/usr/bin/docker", nil
		}
		return none(name)
	}
	if n, err := isolate(isolationProcess, docker); n != nil || err != nil {
		t.Errorf("process: %v, %v", n, err)
	}
	for _, asked := range []isolation{isolationContainer, isolationMixed} {
		n, err := isolate(asked, none)
		if err != nil || n == nil || !strings.HasPrefix(n.Message, "WORKER-006: there is no container engine (podman, docker)") ||
			!strings.Contains(n.Message, "--isolation "+string(asked)+" becomes process") {
			t.Errorf("%s without an engine: %v, %v", asked, n, err)
		}
		if _, err := isolate(asked, docker); exitCode(err) != exitUsage || !strings.Contains(err.Error(), "/usr/bin/docker") {
			t.Errorf("%s with an engine: %v", asked, err)
		}
	}
}
