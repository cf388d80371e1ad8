package main

import (
	"strings"
	"testing"
	"time"

	"github.com/poscrape/poscrape/control"
)

// TestWatchingSilence: who watches a session is told once that it does not answer, and of when its
// last figures are; and how it stands again, once it does.
func TestWatchingSilence(t *testing.T) {
	t.Parallel()
	for name, json := range map[string]bool{"plain": false, "json": true} {
		var out syncBuffer
		w := &watching{s: &steering{program: &program{stdout: &out, now: time.Now}, json: json}}
		w.last.Status = control.Status{Total: 3, At: time.Date(2026, 3, 2, 9, 15, 0, 0, time.Local)}
		silence := control.Errorf(control.Timeout, "it has not answered for 5s")
		for _, show := range []func() error{w.show, func() error { return w.showSilence(silence) }, func() error { return w.showSilence(silence) }, w.show} {
			if err := show(); err != nil {
				t.Fatal(err)
			}
		}
		want := "no answer since 09:15:00: it has not answered for 5s"
		if json {
			want = `{"error":{"code":"WORKER-004","message":"it has not answered for 5s"}}`
		}
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if len(lines) != 3 || lines[1] != want || lines[0] != lines[2] {
			t.Errorf("%s: %q", name, lines)
		}
	}
}
