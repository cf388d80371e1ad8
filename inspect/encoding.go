package inspect

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	utf "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// marked returns the encoding that a text's first bytes show, or nil: by a byte order
// mark, or by the zeros between the letters of UTF-16.
func marked(head []byte) encoding.Encoding {
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		return utf.UTF8BOM
	case bytes.HasPrefix(head, []byte("\xff\xfe\x00\x00")):
		return utf32.UTF32(utf32.LittleEndian, utf32.ExpectBOM)
	case bytes.HasPrefix(head, []byte("\x00\x00\xfe\xff")):
		return utf32.UTF32(utf32.BigEndian, utf32.ExpectBOM)
	case bytes.HasPrefix(head, []byte("\xff\xfe")), zeros(head, 1):
		return utf.UTF16(utf.LittleEndian, utf.UseBOM)
	case bytes.HasPrefix(head, []byte("\xfe\xff")), zeros(head, 0):
		return utf.UTF16(utf.BigEndian, utf.UseBOM)
	}
	return nil
}

// zeros reports whether every other byte is zero, from this one on, nearly always, and
// those between them are not.
func zeros(head []byte, from int) bool {
	pairs, zero := 0, 0
	for i := 0; i+1 < len(head); i += 2 {
		letter := head[i+1-from]
		if letter == 0 {
			return false
		}
		pairs++
		if head[i+from] == 0 {
			zero++
		}
	}
	return pairs >= 4 && zero*10 >= pairs*9
}

// decode returns the beginning of a text that says how it is encoded, and whether it is
// one. What does not say so is taken as it is.
func decode(head []byte) (string, bool) {
	if enc := marked(head); enc != nil {
		text, err := enc.NewDecoder().Bytes(head[:len(head)&^3])
		if err != nil {
			return "", false
		}
		for _, r := range string(text) {
			if r != utf8.RuneError && unicode.IsControl(r) && !unicode.IsSpace(r) {
				return "", false
			}
		}
		return string(text), true
	}
	return string(head), !bytes.ContainsRune(head, 0)
}

// Decode returns the beginning of a text as UTF-8, whatever its first bytes show that it is in.
func Decode(head []byte) string {
	text, _ := decode(head)
	text = strings.TrimPrefix(text, "\ufeff")
	if !utf8.ValidString(text) {
		if western, err := charmap.Windows1252.NewDecoder().String(text); err == nil {
			return western
		}
	}
	return text
}

// Blank reports whether there is nothing but white space and zeros, to the end.
func Blank(file io.Reader) (bool, error) {
	for r := bufio.NewReader(file); ; {
		c, err := r.ReadByte()
		switch {
		case errors.Is(err, io.EOF):
			return true, nil
		case err != nil:
			return false, err
		case c != 0 && !unicode.IsSpace(rune(c)):
			return false, nil
		}
	}
}

// reader returns a text's bytes as UTF-8, where its first bytes show another encoding.
func reader(r io.Reader, head []byte) io.Reader {
	if enc := marked(head); enc != nil {
		return enc.NewDecoder().Reader(r)
	}
	return r
}

// named returns a text's bytes as UTF-8, by the name of its encoding.
func named(label string, input io.Reader) (io.Reader, error) {
	enc, err := htmlindex.Get(label)
	if err != nil {
		return nil, err
	}
	return enc.NewDecoder().Reader(input), nil
}
