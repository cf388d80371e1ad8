package main

import (
	"log/slog"
	"strings"
	"time"
)

// newDetailHandler returns a handler that shows the log as lines of text.
func newDetailHandler(d *display) slog.Handler {
	return slog.NewTextHandler(detailWriter{d}, &slog.HandlerOptions{
		Level: slog.LevelDebug,
		ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			switch {
			case len(groups) > 0:
				return a
			case a.Key == slog.TimeKey:
				return slog.String(slog.TimeKey, a.Value.Time().Format(time.TimeOnly))
			case a.Key == "session" || a.Value.String() == "": // there is one session; nothing is no detail
				return slog.Attr{}
			}
			return a
		},
	})
}

// detailWriter hands each line that is written to it to a display.
type detailWriter struct{ display *display }

func (w detailWriter) Write(line []byte) (int, error) {
	w.display.Detail(strings.TrimSuffix(string(line), "\n"))
	return len(line), nil
}
