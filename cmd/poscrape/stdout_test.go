package main

import (
	"bytes"
	"errors"
	"strings"
	"syscall"
	"testing"
)

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

func TestLostOutputIsNoSuccess(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		code int
		says string
	}{
		{syscall.ENOSPC, exitInternal, "standard output cannot be written"},
		{syscall.EPIPE, exitWell, ""}, // a reader that has enough
		{errors.New("closed"), exitInternal, "closed"},
	} {
		var stderr bytes.Buffer
		if code := run(t.Context(), []string{"version"}, strings.NewReader(""), brokenWriter{c.err}, &stderr); code != c.code || !strings.Contains(stderr.String(), c.says) {
			t.Errorf("%v: exit code %d, %q", c.err, code, stderr.String())
		}
	}
}
