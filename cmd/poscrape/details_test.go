package main

import (
	"log/slog"
	"regexp"
	"testing"
)

func TestDetailsAreLinesOfText(t *testing.T) {
	t.Parallel()
	var out syncBuffer
	d := newDisplay(&plainView{err: &out})
	log := slog.New(newDetailHandler(d)).With("session", "the only one")
	log.Debug("task_ended", "worker", "worker_001", "detail", "", "took_ms", 12)
	log.Info("two\nlines")
	d.Close()
	want := regexp.MustCompile(`^time=\d\d:\d\d:\d\d level=DEBUG msg=task_ended worker=worker_001 took_ms=12
time=\d\d:\d\d:\d\d level=INFO msg="two\\nlines"
$`)
	if !want.MatchString(out.String()) {
		t.Errorf("got\n%s", out.String())
	}
}
