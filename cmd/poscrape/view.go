package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/poscrape/poscrape/session"
)

// view shows a session to whoever started it. Its methods are called one at a
// time; an error of a stream that it writes to has nowhere to go and is dropped.
type view interface {
	// Progress shows how the session stands.
	Progress(now time.Time, p session.Progress)
	// Tick gives the view a chance to show what it held back.
	Tick(now time.Time)
	// Notice shows something that a person should know.
	Notice(n session.Notice)
	// Detail shows a line of the log.
	Detail(line string)
	// End shows the last progress, and leaves a clean line behind.
	End()
	// Summary tells, after End, how the session ended and with which exit code.
	Summary(end session.End, code int)
}

// newView returns the view that fits to where the output goes.
func (p *program) newView(o output) view {
	progress := !o.quiet && !o.noProgress
	plain := plainView{out: p.stdout, err: p.stderr, progress: progress, quiet: o.quiet}
	if o.json {
		return &jsonView{out: p.jsonOutput(), err: p.stderr, progress: progress, quiet: o.quiet}
	}
	if t, ok := terminalOf(p.stderr); ok && progress {
		return &barView{plainView: plain, terminal: t}
	}
	return &plain
}

// terminal is what a bar must know of the terminal that it is drawn on.
type terminal struct {
	// width returns how many columns it has now.
	width func() int
	// erases: it understands the control sequences that erase.
	erases bool
}

// standardWidth is taken where a terminal does not tell its width.
const standardWidth = 80

// terminalOf returns the terminal that w writes to, and false where there is
// none, or one on which a line cannot be written twice.
func terminalOf(w io.Writer) (terminal, bool) {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || os.Getenv("TERM") == "dumb" {
		return terminal{}, false
	}
	return terminal{
		erases: runtime.GOOS != "windows",
		width: func() int {
			if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
				return width
			}
			return standardWidth
		},
	}, true
}

// tell writes a message for people, without what could steer a terminal.
func (p *program) tell(format string, args ...any) {
	fmt.Fprintln(p.stderr, printable(fmt.Sprintf(format, args...)))
}

// printable returns text without what could steer a terminal: a message may
// quote what a sheet or a portal says.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if steers(r) {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}
