package inspect

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// Verdict says whether a file is all there.
type Verdict string

// The verdicts.
const (
	Whole Verdict = "whole" // what its form puts last is there
	Cut   Verdict = "cut"   // that is missing, or a checksum does not fit
	// Doubtful: what a whole one has is missing, but some programs write such files.
	Doubtful Verdict = "doubtful"
	Unknown  Verdict = "unknown" // its form does not tell
)

// maxRead is how many bytes are read, or unpacked, to prove an end.
const maxRead = 256 << 20

// errLimit: more than maxRead bytes would have to be read.
var errLimit = errors.New("it is too large to be looked through")

// End says whether a file of a form is all there, and why that is believed, in words
// that go on after "the file": "has no %%EOF at its end".
func End(file io.ReaderAt, size int64, form Form) (Verdict, string) {
	whole := func() *bufio.Reader { return bufio.NewReaderSize(io.NewSectionReader(file, 0, size), 64<<10) }
	switch form {
	case PDF:
		return endOfPDF(file, size)
	case ZIP:
		return endOfZIP(file, size)
	case OLE:
		return endOfOLE(file, size)
	case PNG:
		return told(endOfPNG(whole()), "PNG")
	case JPEG:
		return told(endOfJPEG(whole()), "JPEG")
	case GIF:
		return told(endOfGIF(whole()), "GIF")
	case GZIP:
		return told(endOfGZIP(whole()), "gzip")
	case XML:
		return endOfXML(file, size)
	case JSON:
		return endOfJSON(file, size)
	case RTF:
		return told(endOfRTF(whole()), "RTF")
	case BMP, WebP, SevenZip:
		return endByHeader(file, size, form)
	}
	return Unknown, fmt.Sprintf("is %s, whose end does not show", article(form))
}

func article(form Form) string {
	if form == Other {
		return "of a form"
	}
	return "of the form " + string(form)
}

// told turns the error of walking through a file into a verdict.
func told(err error, form string) (Verdict, string) {
	switch {
	case err == nil:
		return Whole, "has the end of a " + form + " file"
	case errors.Is(err, errLimit):
		return Unknown, err.Error()
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return Cut, "ends before the end of its " + form + " data"
	}
	return Cut, "is damaged: " + err.Error()
}

// tail returns a file's last bytes.
func tail(file io.ReaderAt, size, n int64) ([]byte, error) {
	n = min(n, size)
	buf := make([]byte, n)
	_, err := file.ReadAt(buf, size-n)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return buf, err
}
