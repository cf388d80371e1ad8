package report

import (
	"io"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
)

// plainText returns a writer that passes text on to w with a mark in place of each character
// that would have the text after it shown in another order: "invoice\u202efdp.exe" must not
// look like "invoiceexe.pdf". Close writes what is left, and does not close w.
func plainText(w io.Writer) io.WriteCloser {
	return transform.NewWriter(w, runes.Map(func(c rune) rune {
		switch {
		case c == '\u061c', c == '\u200e', c == '\u200f', c >= '\u202a' && c <= '\u202e', c >= '\u2066' && c <= '\u2069':
			return '\ufffd'
		}
		return c
	}))
}
