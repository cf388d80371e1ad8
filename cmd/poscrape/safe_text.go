package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// steers reports whether a rune could steer a terminal, or show a line in another order than it has.
func steers(r rune) bool {
	return r != '\n' && r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}

// safeText passes text on, with other text for each rune that could steer a terminal. A rune may come in several
// writes.
type safeText struct {
	to         io.Writer
	inPlace    func(rune) string
	unfinished []byte
}

func (w *safeText) Write(p []byte) (int, error) {
	text := slices.Concat(w.unfinished, p)
	whole := len(text)
	for i := whole - 1; i >= 0 && i >= whole-utf8.UTFMax; i-- {
		if utf8.RuneStart(text[i]) {
			if !utf8.FullRune(text[i:]) {
				whole = i
			}
			break
		}
	}
	w.unfinished = bytes.Clone(text[whole:])
	safe := bytes.ToValidUTF8(text[:whole], []byte("\uFFFD"))
	for len(safe) > 0 {
		at := bytes.IndexFunc(safe, steers)
		if at < 0 {
			at = len(safe)
		}
		if _, err := w.to.Write(safe[:at]); err != nil {
			return 0, err
		}
		if safe = safe[at:]; len(safe) == 0 {
			break
		}
		r, size := utf8.DecodeRune(safe)
		if _, err := io.WriteString(w.to, w.inPlace(r)); err != nil {
			return 0, err
		}
		safe = safe[size:]
	}
	return len(p), nil
}

// jsonOutput returns standard output for JSON, which then has the same values in characters that steer no terminal.
func (p *program) jsonOutput() io.Writer {
	return &safeText{to: p.stdout, inPlace: func(r rune) string { return fmt.Sprintf(`\u%04x`, r) }}
}

// shownOutput returns standard output for what is also for files: what a terminal shows of it does not steer it.
func (p *program) shownOutput() io.Writer {
	if !isTerminal(p.stdout) {
		return p.stdout
	}
	return &safeText{to: p.stdout, inPlace: func(r rune) string {
		if r == '\r' {
			return "" // of a line's end
		}
		return "\uFFFD"
	}}
}

// isTerminal reports whether w is written to a terminal, of whatever kind.
func isTerminal(w io.Writer) bool {
	if watched, is := w.(*watchedOutput); is {
		w = watched.to
	}
	f, is := w.(*os.File)
	return is && term.IsTerminal(int(f.Fd()))
}
