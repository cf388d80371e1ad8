package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/poscrape/poscrape/control"
)

// watching is what somebody sees who watches a session.
type watching struct {
	s          *steering
	screen     terminal
	onTerminal bool
	// rows are how many of the terminal were written, line is the last one elsewhere.
	rows int
	line string
	// last is what the session has said last, seen: it has said something. silent: it was told
	// that it does not answer any more.
	last         control.Snapshot
	seen, silent bool
}

// watch says how the session stands until it ends: on a terminal in one place, else a line
// for each change. While the session does not answer, that is said with what it has said last.
func (s *steering) watch(ctx context.Context, c *control.Client) error {
	w := &watching{s: s}
	w.screen, w.onTerminal = s.screen()
	for now, err := range c.Watch(ctx) {
		refused := (*control.Error)(nil)
		switch {
		case err == nil:
			w.last, w.seen, w.silent = now, true, false
			err = w.show()
		case w.seen && errors.As(err, &refused) && refused.Code == control.Timeout:
			err = w.showSilence(refused)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// show shows what the session has said last.
func (w *watching) show() (err error) {
	at := w.s.program.now()
	switch {
	case w.s.json:
		return w.s.write(w.last.Status)
	case w.onTerminal:
		w.rows, err = w.s.redraw(w.rows, statusText(w.last.Status, at)+"\n"+workersText(w.last.Workers, at), w.screen.width())
		return err
	}
	return w.print(plainLine(at, progressOf(w.last.Status)))
}

// showSilence says that the session does not answer, and how old what it has said is: on a terminal
// above that, else once.
func (w *watching) showSilence(silence *control.Error) (err error) {
	at := w.last.Status.At
	since := at.Local().Format(time.TimeOnly)
	first := !w.silent
	w.silent = true
	switch {
	case w.onTerminal && !w.s.json:
		text := fmt.Sprintf("NO ANSWER since %s, %s ago: its process may be stopped\n", since, roundDuration(w.s.program.now().Sub(at))) + statusText(w.last.Status, at) + "\n" + workersText(w.last.Workers, at)
		w.rows, err = w.s.redraw(w.rows, text, w.screen.width())
	case first && w.s.json:
		return w.s.write(map[string]*control.Error{"error": silence})
	case first:
		return w.print(fmt.Sprintf("no answer since %s: %s", since, silence.Message))
	}
	return err
}

// print writes a line that is another than the last.
func (w *watching) print(line string) error {
	if line == w.line {
		return nil
	}
	w.line = line
	return w.s.print(line + "\n")
}

// screen returns the terminal that standard output is, and false where it is none on which
// something can be written twice.
func (s *steering) screen() (terminal, bool) {
	out, ok := s.program.stdout.(*watchedOutput)
	if !ok {
		return terminal{}, false
	}
	t, ok := out.terminal()
	return t, ok && t.erases
}

// redraw writes text over so many rows, no line longer than a row of the terminal, and returns
// how many it has taken.
func (s *steering) redraw(rows int, text string, width int) (int, error) {
	var out strings.Builder
	if rows > 0 {
		fmt.Fprintf(&out, "\x1b[%dA\r\x1b[J", rows)
	}
	for line := range strings.Lines(printable(text)) {
		out.WriteString(cut(strings.TrimSuffix(line, "\n"), width) + "\n")
	}
	_, err := fmt.Fprint(s.program.stdout, out.String())
	return strings.Count(text, "\n"), err
}
