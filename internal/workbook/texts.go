package workbook

import (
	"encoding/xml"
	"regexp"
	"strconv"
	"strings"
)

// readTexts reads the shared strings.
func (w *Workbook) readTexts(part string) error {
	r, found, err := w.openPart(part)
	if err != nil || !found {
		return broken(part, err)
	}
	defer r.Close()
	d, size := xml.NewDecoder(r), 0
	for {
		token, err := d.RawToken()
		if err != nil {
			return partError(part, err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if t.Name.Local != "si" {
				continue
			}
			text, err := readText(d)
			if err != nil {
				return partError(part, err)
			}
			if size += len(text); size > w.limits.text || len(w.texts) == w.limits.shared {
				return broken(part, tooLarge("it has more than %d shared texts, or more than %d MiB", w.limits.shared, w.limits.text>>20))
			}
			w.texts = append(w.texts, text)
		case xml.EndElement:
			if t.Name.Local == "sst" {
				return nil
			}
		}
	}
}

// readText returns the text of the element that d stands in, up to its end: all runs of a
// rich text, without what says how they are pronounced.
func readText(d *xml.Decoder) (string, error) {
	var text strings.Builder
	inText, spoken := false, 0
	for depth := 1; depth > 0; {
		token, err := d.RawToken()
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			depth++
			if t.Name.Local == "rPh" {
				spoken++
			}
			inText = t.Name.Local == "t" && spoken == 0
		case xml.EndElement:
			depth--
			if t.Name.Local == "rPh" {
				spoken--
			}
			inText = false
		case xml.CharData:
			if inText {
				text.Write(t)
			}
		}
	}
	return unescape(text.String()), nil
}

// escaped is a character that XML cannot hold: _x000D_.
var escaped = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

func unescape(text string) string {
	if !strings.Contains(text, "_x") {
		return text
	}
	return escaped.ReplaceAllStringFunc(text, func(code string) string {
		n, _ := strconv.ParseUint(code[2:6], 16, 32)
		return string(rune(n))
	})
}
