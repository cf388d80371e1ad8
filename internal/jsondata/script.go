package jsondata

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
)

// maxAssigned bounds how many values of one script are looked at.
const maxAssigned = 100

// assigned is where a script assigns something that may be JSON.
var assigned = regexp.MustCompile(`=\s*(?:JSON\.parse\(\s*(?:"|')|[{\[])`)

// InScript returns the JSON values of a script: its whole text, or what it assigns.
func InScript(text []byte) []any {
	if value, err := Read(text); err == nil {
		return []any{value}
	}
	var values []any
	for from := 0; len(values) < maxAssigned; {
		at := assigned.FindIndex(text[from:])
		if at == nil {
			break
		}
		begins, next := from+at[1]-1, from+at[1]
		value, size := valueAt(text[begins:])
		if size > 0 {
			values, next = append(values, value), begins+size
		}
		from = next
	}
	return values
}

// valueAt returns the JSON value that a text begins with, an object, a list, or a quoted text of
// one, and how long it is; 0 where there is none.
func valueAt(text []byte) (any, int) {
	quoted := text[0] == '"' || text[0] == '\''
	if !quoted {
		raw, size := First(text)
		if size == 0 {
			return nil, 0
		}
		value, err := Read(raw)
		if err != nil {
			return nil, 0
		}
		return value, size
	}
	inner, size := unquoted(text)
	value, err := Read([]byte(inner))
	if err != nil {
		return nil, 0
	}
	return value, size
}

// First returns the JSON value that a text begins with, and how long it is.
func First(text []byte) (json.RawMessage, int) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	var raw json.RawMessage
	if decoder.Decode(&raw) != nil {
		return nil, 0
	}
	return raw, int(decoder.InputOffset())
}

// unquoted returns what the text in quotes says that a script begins with, and how long that is
// with its quotes; 0 where it does not end.
func unquoted(text []byte) (string, int) {
	quote := text[0]
	var b bytes.Buffer
	b.WriteByte('"')
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == quote:
			b.WriteByte('"')
			var inner string
			if json.Unmarshal(b.Bytes(), &inner) != nil {
				return "", 0
			}
			return inner, i + 1
		case c == '"':
			b.WriteString(`\"`)
		case c == '\\' && i+1 < len(text):
			i++
			b.WriteString(escaped(text[i:]))
			if text[i] == 'x' && i+2 < len(text) {
				i += 2
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", 0
}

// escaped returns how JSON writes what a script writes behind a backslash.
func escaped(text []byte) string {
	switch c := text[0]; {
	case c == 'x' && len(text) > 2:
		return `\u00` + string(text[1:3])
	case strings.IndexByte(`"\/bfnrtu`, c) >= 0:
		return `\` + string(c)
	default:
		return string(c)
	}
}
