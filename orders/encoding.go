package orders

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
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

// decode returns the text of a file without its byte order mark, and the name of its encoding: the one that is asked
// for, or else what it is. What is not UTF-8 or UTF-16 is taken for Windows-1252, where each line that is UTF-8 counts
// as that; the note says so.
func decode(name string, data []byte, asked string) (text, enc, note string, err *FileError) {
	enc = asked
	if enc == "" {
		enc = detectEncoding(data)
	}
	switch {
	case asked != "":
		text, err = decodeAs(name, data, asked)
	case enc == encodingUTF8:
		text = string(data)
	case enc == encodingUTF16LE:
		text, err = decodeUTF16(name, data, unicode.LittleEndian, enc)
	case enc == encodingUTF16BE:
		text, err = decodeUTF16(name, data, unicode.BigEndian, enc)
	default:
		text, note, err = decodeGuessed(name, data)
	}
	if err != nil {
		return "", enc, "", err
	}
	if i := strings.IndexByte(text, 0); i >= 0 {
		return "", enc, "", &FileError{File: name, Line: lineAt(text, i), Message: nulBytes(text[i:])}
	}
	for strings.HasPrefix(text, byteOrderMark) {
		text = strings.TrimPrefix(text, byteOrderMark)
	}
	return text, enc, note, nil
}

// nulBytes says what is wrong with a text that goes on with a NUL byte.
func nulBytes(rest string) string {
	zeros := strings.Count(rest, "\x00")
	switch {
	case zeros == len(rest) && zeros > 1:
		return fmt.Sprintf("from here on the file has nothing but %d NUL bytes: its end may be lost; compare it with the original, and save that as CSV UTF-8", zeros)
	case zeros > 2 && 3*zeros > len(rest):
		return "from here on each second byte is a NUL byte: what was added to the file is UTF-16, and the rest is not; save the sheet as CSV UTF-8"
	}
	return "there is a NUL byte: this is not a text file, or it is damaged; save the sheet as CSV UTF-8"
}

// decodeGuessed takes each line for UTF-8, or else for Windows-1252.
func decodeGuessed(name string, data []byte) (text, note string, err *FileError) {
	var out strings.Builder
	guessed, mixed := 0, 0 // the first line of Windows-1252, and of UTF-8 that is not ASCII
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if utf8.Valid(line) {
			if mixed == 0 && slices.ContainsFunc(line, func(b byte) bool { return b >= utf8.RuneSelf }) {
				mixed = n
			}
			out.Write(line)
			continue
		}
		if guessed == 0 {
			guessed = n
		}
		read, _ := charmap.Windows1252.NewDecoder().Bytes(line) // it takes any bytes
		if bytes.ContainsRune(read, utf8.RuneError) {
			return "", "", &FileError{File: name, Line: n, Message: "it has bytes that are neither UTF-8 nor Windows-1252: name what the file is, such as --encoding shift_jis, gbk or cp850, or save it as CSV UTF-8"}
		}
		out.Write(read)
	}
	note = fmt.Sprintf("it is not UTF-8, and was read as %s, from line %d on; if letters are wrong, name its encoding with --encoding", encodingCP1252, guessed)
	if mixed > 0 {
		note = fmt.Sprintf("it mixes encodings: line %d is UTF-8, and line %d is not, and was read as %s; if letters are wrong, save it as CSV UTF-8", mixed, guessed, encodingCP1252)
	}
	return out.String(), note, nil
}

// decodeAs takes a file for what the person says that it is.
func decodeAs(name string, data []byte, asked string) (string, *FileError) {
	enc, _ := encodingOf(asked) // it was validated
	data = bytes.TrimPrefix(data, []byte(byteOrderMark))
	if enc == unicode.UTF8 && utf8.Valid(data) {
		return string(data), nil
	}
	read, err := enc.NewDecoder().Bytes(data)
	if err != nil {
		return "", &FileError{File: name, Message: "the file cannot be read as " + asked, Err: err}
	}
	if i := bytes.IndexRune(read, utf8.RuneError); i >= 0 {
		return "", &FileError{File: name, Line: lineAt(string(read), i), Message: "there are bytes that are not " + asked + ": see whether --encoding is right"}
	}
	return string(read), nil
}

// encodingOf returns the encoding that people call so.
func encodingOf(name string) (encoding.Encoding, error) {
	enc, err := htmlindex.Get(name)
	if err != nil {
		enc, err = ianaindex.IANA.Encoding(name)
	}
	if err == nil && (enc == nil || enc == encoding.Replacement) {
		err = errors.ErrUnsupported
	}
	return enc, err
}

// plain reports whether a file is UTF-8 without a byte order mark.
func plain(data []byte, enc string) bool {
	return enc == encodingUTF8 && !bytes.HasPrefix(data, []byte(byteOrderMark))
}

func detectEncoding(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte(byteOrderMark)) && utf8.Valid(data):
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
// lower ones. A first line of ASCII is not UTF-16, whatever was added to it.
func utf16WithoutMark(data []byte) string {
	sample := data[:min(len(data), 4096)]
	if end := bytes.IndexByte(sample, '\n'); end > 0 && end+1 < len(sample) && sample[end+1] != 0 &&
		!slices.ContainsFunc(sample[:end], func(b byte) bool { return b == 0 || b >= utf8.RuneSelf }) {
		return ""
	}
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

func decodeUTF16(name string, data []byte, order unicode.Endianness, enc string) (string, *FileError) {
	if len(data)%2 != 0 {
		return "", &FileError{File: name, Message: fmt.Sprintf("the file is %s, and its last character is cut off: save it again", enc)}
	}
	text, err := unicode.UTF16(order, unicode.IgnoreBOM).NewDecoder().Bytes(data)
	if err != nil {
		return "", &FileError{File: name, Message: "the file cannot be read as " + enc, Err: err}
	}
	return string(text), nil
}

// lineAt returns the number of the line of the byte at i, from 1.
func lineAt(text string, i int) int { return 1 + countLines(text[:i]) }

// countLines counts the line ends as editors do: LF, CRLF, and CR alone.
func countLines(text string) int {
	return strings.Count(text, "\n") + strings.Count(text, "\r") - strings.Count(text, "\r\n")
}
