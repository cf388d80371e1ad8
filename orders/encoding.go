package orders

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// The encodings as they are named in Sheet.Encoding.
const (
	encodingUTF8    = "UTF-8"
	encodingUTF16LE = "UTF-16LE"
	encodingUTF16BE = "UTF-16BE"
	encodingCP1252  = "Windows-1252"
)

const byteOrderMark = "\ufeff"

// decode returns the text of a file without its byte order mark, and the name
// of its encoding. What is not UTF-8 or UTF-16 is taken for Windows-1252. The
// problem, if any, is a warning.
func decode(name string, data []byte) (text, enc string, problem *Problem, err *FileError) {
	enc = detectEncoding(data)
	switch enc {
	case encodingUTF8:
		text = string(data)
	case encodingUTF16LE:
		text, err = decodeWith(name, data, unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), enc)
	case encodingUTF16BE:
		text, err = decodeWith(name, data, unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), enc)
	default:
		text, err = decodeWith(name, data, charmap.Windows1252, enc)
	}
	if err != nil {
		return "", enc, nil, err
	}
	if i := strings.IndexByte(text, 0); i >= 0 {
		return "", enc, nil, &FileError{File: name, Line: lineAt(text, i),
			Message: "there is a NUL byte: this is not a text file, or it is damaged; save the sheet as CSV UTF-8"}
	}
	if i := invalidUTF8(text); i >= 0 {
		problem = &Problem{File: name, Line: lineAt(text, i), Warning: true,
			Message: "the file begins as UTF-8, but here is a character that is not: it is shown as \ufffd"}
		text = strings.ToValidUTF8(text, "\ufffd")
	}
	for strings.HasPrefix(text, byteOrderMark) {
		text = strings.TrimPrefix(text, byteOrderMark)
	}
	return text, enc, problem, nil
}

// plain reports whether a file is UTF-8 without a byte order mark.
func plain(data []byte, enc string) bool {
	return enc == encodingUTF8 && !bytes.HasPrefix(data, []byte(byteOrderMark))
}

func detectEncoding(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte(byteOrderMark)):
		return encodingUTF8
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		return encodingUTF16LE
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return encodingUTF16BE
	}
	if enc := utf16WithoutMark(data); enc != "" {
		return enc
	}
	if utf8.Valid(data) {
		return encodingUTF8
	}
	return encodingCP1252
}

// utf16WithoutMark recognises UTF-16 by its zero bytes: in the text of a sheet,
// with its digits and delimiters, many are in the upper bytes and none in the
// lower ones.
func utf16WithoutMark(data []byte) string {
	sample := data[:min(len(data), 4096)]
	var zeros [2]int
	for i, b := range sample {
		if b == 0 {
			zeros[i%2]++
		}
	}
	const many = 8 // one zero in so many bytes
	switch {
	case zeros[1]*many >= len(sample) && zeros[1] > 0 && zeros[0] == 0:
		return encodingUTF16LE
	case zeros[0]*many >= len(sample) && zeros[0] > 0 && zeros[1] == 0:
		return encodingUTF16BE
	}
	return ""
}

func decodeWith(name string, data []byte, enc encoding.Encoding, encName string) (string, *FileError) {
	if encName != encodingCP1252 && len(data)%2 != 0 {
		return "", &FileError{File: name, Message: fmt.Sprintf("the file is %s, and its last character is cut off: save it again", encName)}
	}
	text, err := enc.NewDecoder().Bytes(data)
	if err != nil {
		return "", &FileError{File: name, Message: "the file cannot be read as " + encName, Err: err}
	}
	return string(text), nil
}

// invalidUTF8 returns where the first invalid byte is, or -1.
func invalidUTF8(text string) int {
	if utf8.ValidString(text) {
		return -1
	}
	for i, r := range text {
		if _, size := utf8.DecodeRuneInString(text[i:]); r == utf8.RuneError && size == 1 {
			return i
		}
	}
	return -1
}

// lineAt returns the number of the line of the byte at i, from 1.
func lineAt(text string, i int) int { return 1 + countLines(text[:i]) }

// countLines counts the line ends as editors do: LF, CRLF, and CR alone.
func countLines(text string) int {
	return strings.Count(text, "\n") + strings.Count(text, "\r") - strings.Count(text, "\r\n")
}
