package report

import (
	"io/fs"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/xuri/excelize/v2"

	"github.com/poscrape/poscrape/internal/compare"
)

// maxCell is how many UTF-16 units a cell can hold.
const maxCell = excelize.TotalCellChars

// cell returns a text of a column as a number or a date where it is certainly that.
func (b *workbook) cell(c *compare.Column, text string, amounts bool) any {
	if n, decimals, ok := c.Number(text, amounts); ok {
		return b.number(n, decimals)
	}
	if day, ok := c.Date(text); ok {
		return b.date(day, text)
	}
	return b.text(text)
}

// field returns a field's value.
func (b *workbook) field(f fieldCell) any {
	switch f.kind {
	case "amount":
		if n, decimals, ok := compare.Decimal(f.text); ok {
			return b.number(n, decimals)
		}
	case "date":
		if day, err := time.Parse(time.DateOnly, f.text); err == nil {
			return b.date(day, f.text)
		}
	}
	return b.text(f.text)
}

// text returns a text as results.csv has it, as far as a cell can hold it; nil for none.
func (b *workbook) text(text string) any {
	if text == "" {
		return nil
	}
	text = strings.ReplaceAll(strings.ReplaceAll(neutral(text), "\r\n", "\n"), "\r", "\n")
	return excelize.Cell{Value: shorten(text, maxCell)}
}

// shorten returns a text with so many UTF-16 units at most; a longer one ends in an ellipsis.
func shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	units, fits := 0, 0
	for i, r := range text {
		units += max(1, utf16.RuneLen(r))
		if units > limit {
			return text[:fits] + "…"
		}
		if units < limit {
			fits = i + len(string(r))
		}
	}
	return text
}

// number returns a number with so many digits after the point.
func (b *workbook) number(n float64, decimals int) any {
	format := "0"
	if decimals > 0 {
		format += "." + strings.Repeat("0", decimals)
	}
	return excelize.Cell{Value: n, StyleID: b.style(format, &excelize.Style{CustomNumFmt: &format})}
}

// count returns a number, or nil for none where it is negative.
func (b *workbook) count(n int) any {
	if n < 0 {
		return nil
	}
	return b.number(float64(n), 0)
}

// firstDay is the first one that all spreadsheets count alike.
var firstDay = time.Date(1900, 3, 1, 0, 0, 0, 0, time.UTC)

// date returns a day, or the text that stands for it where spreadsheets know no such day.
func (b *workbook) date(day time.Time, text string) any {
	if day.Before(firstDay) || day.Year() > 9999 {
		return b.text(text)
	}
	format := "yyyy-mm-dd"
	return excelize.Cell{Value: day, StyleID: b.style(format, &excelize.Style{CustomNumFmt: &format})}
}

// style returns the number of a style, which is made where it is not known yet.
func (b *workbook) style(name string, style *excelize.Style) int {
	id, known := b.styles[name]
	if !known {
		var err error
		if id, err = b.file.NewStyle(style); err != nil && b.err == nil {
			b.err = err
		}
		b.styles[name] = id
	}
	return id
}

func (b *workbook) headerStyle() int {
	return b.style("header", &excelize.Style{
		Font: &excelize.Font{Bold: true, Color: "FFFFFF"}, Fill: excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"1F3A5F"}},
		Alignment: &excelize.Alignment{Vertical: "center"},
	})
}

func (b *workbook) linkStyle() int {
	return b.style("link", &excelize.Style{Font: &excelize.Font{Color: "0563C1", Underline: "single"}})
}

// cellLink returns a link to a file below the folder that the workbook lies in, or "" for a
// path that could lead out of it. Letters of any script stay as they are: spreadsheets on
// Windows do not decode them.
func cellLink(name string) string {
	if !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "\\\x00") {
		return ""
	}
	var link strings.Builder
	for _, r := range name {
		switch {
		case r > 0x7e || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune("/-._~!$&()*+,;=@", r):
			link.WriteRune(r)
		default:
			const digits = "0123456789ABCDEF"
			link.Write([]byte{'%', digits[r>>4], digits[r&15]})
		}
	}
	return link.String()
}
