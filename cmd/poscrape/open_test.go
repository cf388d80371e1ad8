package main

import (
	"strings"
	"testing"
)

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, c := range map[string]struct {
		args []string
		code int
		says string
	}{
		"no DIR":         {[]string{}, exitUsage, "no DIR is named"},
		"no PO":          {[]string{dir}, exitUsage, "no PO is named"},
		"two orders":     {[]string{dir, "PO1", "PO2"}, exitUsage, "one order can be shown at a time"},
		"no session":     {[]string{"--picture", "a.png", dir, "PO1"}, exitUsage, "is not the folder of a session"},
		"no display":     {[]string{dir, "PO1"}, exitEnvironment, "--picture FILE.png"},
		"no picture":     {[]string{"--picture", "", dir, "PO1"}, exitUsage, "--picture: the name of FILE is empty"},
		"another's flag": {[]string{"--workers", "2", dir, "PO1"}, exitUsage, "there is no flag --workers"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr := newTrial(nil, nil)
			tr.hasDisplay = func() bool { return false }
			tr.start(t, append([]string{"open"}, c.args...)...)
			if code := tr.wait(t); code != c.code || !strings.Contains(tr.err.String(), c.says) || tr.out.String() != "" {
				t.Errorf("exit code %d, printed %q and %q", code, tr.out.String(), tr.err.String())
			}
		})
	}
}
