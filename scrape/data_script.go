package scrape

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// Pages carry data in their own script elements, as JSON alone, or as JSON that a script assigns:
//
//	<script id="__NEXT_DATA__" type="application/json">{...}</script>
//	<script>window.__DATA__ = {...}; window.__LINES__ = JSON.parse("[...]")</script>

// maxAssigned bounds how many values of one script are looked at.
const maxAssigned = 100

// inScripts returns what stands in the script elements that a selector has met.
func (a *attempt) inScripts(p *page, selector string) *dataset {
	texts := p.Scripts[selector]
	set := &dataset{asked: len(texts) > 0, of: a.number()}
	if !set.asked {
		set.why = fmt.Sprintf("no script of the page met %q", selector)
	}
	for _, text := range texts {
		values := valuesIn([]byte(text))
		if len(values) == 0 {
			set.doubt = fmt.Sprintf("a script that met %q holds no JSON", selector)
		}
		for _, value := range values {
			d := datum{value: value, from: p.URL, shown: anyScalar(value, a.names), fault: faultIn(value, a.names)}
			if !d.shown {
				d.other = a.otherIn(value)
			}
			set.add(d)
		}
	}
	return set
}

// assigned is where a script assigns something that may be JSON.
var assigned = regexp.MustCompile(`=\s*(?:JSON\.parse\(\s*(?:"|')|[{\[])`)

// valuesIn returns the JSON values of a script: its whole text, or what it assigns.
func valuesIn(text []byte) []any {
	if value, err := parseJSON(text); err == nil {
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
		raw, size := firstJSON(text)
		if size == 0 {
			return nil, 0
		}
		value, err := parseJSON(raw)
		if err != nil {
			return nil, 0
		}
		return value, size
	}
	inner, size := unquoted(text)
	value, err := parseJSON([]byte(inner))
	if err != nil {
		return nil, 0
	}
	return value, size
}

// firstJSON returns the JSON value that a text begins with, and how long it is.
func firstJSON(text []byte) (json.RawMessage, int) {
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
