package inspect

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
)

// maxNested bounds how deep elements may stand within each other: a decoder keeps each.
const maxNested = 10_000

// endOfXML reads a file to its end. A whole one is well-formed.
func endOfXML(file io.ReaderAt, size int64) (Verdict, string) {
	if size > maxRead {
		return Unknown, errLimit.Error()
	}
	head := beginning(file, size)
	d := xml.NewDecoder(reader(io.NewSectionReader(file, 0, size), head))
	d.Entity = xml.HTMLEntity
	d.CharsetReader = named
	if marked(head) != nil { // it is UTF-8 already
		d.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil }
	}
	depth, elements := 0, 0
	for {
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			if syntax := (*xml.SyntaxError)(nil); errors.As(err, &syntax) && syntax.Msg == "unexpected EOF" {
				return Cut, "ends within its XML"
			}
			return Unknown, "is not well-formed XML: " + err.Error()
		}
		switch token.(type) {
		case xml.StartElement:
			depth++
			elements++
		case xml.EndElement:
			depth--
		}
		if depth < 0 || depth > maxNested {
			return Unknown, "is not well-formed XML"
		}
	}
	switch {
	case depth > 0:
		return Cut, "ends before the last element of its XML is closed"
	case elements == 0:
		return Unknown, "has no element"
	}
	return Whole, "is well-formed XML"
}

// endOfJSON reads a file to its end. A whole one is a single object or list; of several
// values, nobody knows which is the last one.
func endOfJSON(file io.ReaderAt, size int64) (Verdict, string) {
	if size > maxRead {
		return Unknown, errLimit.Error()
	}
	d := json.NewDecoder(reader(io.NewSectionReader(file, 0, size), beginning(file, size)))
	depth, values := 0, 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) && depth == 0 {
			break
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return Cut, "ends within its JSON"
		}
		if err != nil {
			return Unknown, "is not valid JSON: " + err.Error()
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			values++
		}
		if depth > maxNested {
			return Unknown, "is nested too deep"
		}
	}
	if values != 1 {
		return Unknown, "has several JSON values, or none"
	}
	return Whole, "is valid JSON"
}
