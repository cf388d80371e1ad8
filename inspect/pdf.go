package inspect

import (
	"bytes"
	"io"
	"regexp"
	"strconv"
)

// pdfTail is how much of a PDF's end is looked at. Readers look at its last 1024 bytes;
// producers pad it, and servers add to it, some a whole page.
const pdfTail = 1 << 20

var (
	lastXref     = regexp.MustCompile(`startxref[\s\0]*(\d{1,19})[\s\0]`)
	nextObject   = regexp.MustCompile(`\d[ \t\r\n]+obj\b`)
	linearLength = regexp.MustCompile(`/Linearized[^>]*?/L[ \t\r\n]+(\d{1,19})`)
)

// endOfPDF looks for the trailer: startxref, a place within the file, and %%EOF. An
// update that was cut has objects behind its predecessor's trailer. A file without objects is
// in doubt, as is one whose trailer lacks something.
func endOfPDF(file io.ReaderAt, size int64) (Verdict, string) {
	end, err := tail(file, size, pdfTail)
	if err != nil {
		return Unknown, "cannot be read: " + err.Error()
	}
	end = bytes.TrimRight(end, "\x00 \t\r\n\f\x1a")
	head := beginning(file, size)
	all := lastXref.FindAllSubmatchIndex(append(end, '\n'), -1)
	if len(all) == 0 {
		verdict := Cut
		if !nextObject.Match(head) {
			verdict = Doubtful
		}
		return verdict, "has no startxref at its end, as a whole PDF has"
	}
	m := all[len(all)-1]
	eof := bytes.LastIndex(end, []byte("%%EOF"))
	if eof < m[1]-1 {
		return Doubtful, "has no %%EOF at its end, as a whole PDF has"
	}
	if nextObject.Match(end[eof:]) {
		return Cut, "ends within an update: objects follow its last %%EOF"
	}
	if m := linearLength.FindSubmatch(head); m != nil {
		if length, err := strconv.ParseInt(string(m[1]), 10, 64); err == nil && length > size {
			return Doubtful, "has fewer bytes than it says itself (/Linearized, /L)"
		}
	}
	if place, err := strconv.ParseInt(string(end[m[2]:m[3]]), 10, 64); err != nil || place >= size {
		return Doubtful, "has its table of contents (startxref) beyond its end"
	}
	return Whole, "has a PDF's trailer"
}

// beginning returns a file's first bytes.
func beginning(file io.ReaderAt, size int64) []byte {
	buf := make([]byte, min(size, HeadSize))
	n, err := file.ReadAt(buf, 0)
	if err != nil && n == 0 {
		return nil
	}
	return buf[:n]
}
