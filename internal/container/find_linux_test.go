package container_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/container"
)

// fake is an engine that answers as the script says, in which $1 is the command.
func fake(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "engine")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

const (
	podmanInfo = `{"host": {"cgroupVersion": "v2", "serviceIsRemote": false, "security": {"rootless": false}}}`
	good       = `case $1 in --version) echo podman version 4.3.1;; info) echo '` + podmanInfo + `';; image) echo /opt/chrome;; esac`
)

// TestUnusable: why an engine will not do is said, and what helps.
func TestUnusable(t *testing.T) {
	t.Parallel()
	with := func(change, to string) string { return strings.Replace(good, change, to, 1) }
	for name, c := range map[string]struct {
		script string
		want   []string
	}{
		"no image": {with("image) echo /opt/chrome", "image) echo Error: image not known >&2; exit 125"),
			[]string{"has no image poscrape-chrome (Error: image not known)", "make image", "--container-image"}},
		"another image":  {with("/opt/chrome", ""), []string{"the image poscrape-chrome does not say where Chrome is", "make image"}},
		"no daemon":      {with("info) echo '"+podmanInfo+"'", "info) echo Cannot connect to the daemon >&2; exit 1"), []string{"info: Cannot connect to the daemon", "info' works"}},
		"another host":   {with(`"serviceIsRemote": false`, `"serviceIsRemote": true`), []string{"on another machine", "--container-engine"}},
		"no engine":      {`echo what >&2; exit 3`, []string{"what"}},
		"not in JSON":    {with("'"+podmanInfo+"'", "nothing"), []string{"what Podman says of itself"}},
		"Docker's users": {`case $1 in --version) echo Docker version 20.10;; info) echo '{"SecurityOptions": ["name=rootless"]}';; image) echo /opt/chrome;; esac`, []string{"Docker runs without root", "Podman"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := container.Find(t.Context(), container.Config{Command: fake(t, c.script)})
			var unusable *container.UnusableError
			if !errors.As(err, &unusable) {
				t.Fatalf("got %v", err)
			}
			for _, part := range c.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q does not say %q", err, part)
				}
			}
		})
	}
	if _, err := container.Find(t.Context(), container.Config{Command: "/nowhere/podman"}); err == nil || !strings.Contains(err.Error(), "there is no container engine /nowhere/podman; correct --container-engine") {
		t.Errorf("got %v", err)
	}
}

func TestUsable(t *testing.T) {
	t.Parallel()
	engine, err := container.Find(t.Context(), container.Config{Command: fake(t, "shift\n"+good) + " verbose", Args: "--network host"})
	if err != nil {
		t.Fatal(err)
	}
	if engine.Chrome() != "/opt/chrome" || !engine.NamesNetwork() || engine.Unlimited() {
		t.Errorf("got %+v", engine)
	}
}
