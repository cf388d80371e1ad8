package workbook

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// format is what counts of a number format.
type format struct {
	// date: numbers are days, or times of a day.
	date bool
	// digits is how many a whole number is filled up to with zeros.
	digits int
}

// maxFormat is how many bytes of a format's code are looked at. Excel allows 255 characters.
const maxFormat = 1024

// readFormats reads which styles are of dates, and which put zeros before a number.
func (w *Workbook) readFormats(part string) error {
	var styles struct {
		Formats []struct {
			ID   int    `xml:"numFmtId,attr"`
			Code string `xml:"formatCode,attr"`
		} `xml:"numFmts>numFmt"`
		Cells []struct {
			Format int `xml:"numFmtId,attr"`
		} `xml:"cellXfs>xf"`
	}
	if found, err := w.decode(part, maxStyling, &styles); err != nil || !found {
		return broken(part, err)
	}
	codes := map[int]format{}
	for _, f := range styles.Formats {
		codes[f.ID] = parseFormat(f.Code[:min(len(f.Code), maxFormat)])
	}
	for _, c := range styles.Cells {
		f, own := codes[c.Format]
		if !own {
			f = format{date: builtInDate(c.Format)}
		}
		w.formats = append(w.formats, f)
	}
	return nil
}

// builtInDate reports whether a format that needs no code is of dates: those of all
// languages, and those of East Asian ones.
func builtInDate(id int) bool {
	return id >= 14 && id <= 22 || id >= 27 && id <= 36 || id >= 45 && id <= 47 || id >= 50 && id <= 58
}

// parseFormat reads the first section of a format's code, that of positive numbers.
func parseFormat(code string) (f format) {
	whole := true // before the decimal point
	for i := 0; i < len(code); i++ {
		if strings.HasPrefix(strings.ToLower(code[i:]), "general") {
			return f
		}
		switch c := code[i]; c {
		case '"':
			if n := strings.IndexByte(code[i+1:], '"'); n >= 0 {
				i += n + 1
			}
		case '\\', '_', '*':
			i++ // the next character stands for itself, for its width, or fills
		case '[': // a colour, a condition, a language; or a length of time, [h], which is no date
			n := strings.IndexByte(code[i:], ']')
			if n > 0 && strings.Trim(strings.ToLower(code[i+1:i+n]), "hms") == "" {
				return format{}
			}
			i += max(n, 0)
		case ';':
			return f
		case 'y', 'Y', 'm', 'M', 'd', 'D', 'h', 'H', 's', 'S', 'g', 'e', 'b':
			return format{date: true}
		case '0':
			if whole {
				f.digits++
			}
		case '.':
			whole = false
		case 'E', '/', '%': // what is shown is no whole number with zeros before it
			return format{}
		}
	}
	return f
}

// exactDigits is how many digits of a number Excel keeps.
const exactDigits = 15

// number returns the text of a stored number, and what it is.
func (w *Workbook) number(stored string, style int) (string, Kind) {
	value, err := strconv.ParseFloat(strings.TrimSpace(stored), 64)
	if err != nil || math.IsInf(value, 0) || math.IsNaN(value) {
		return stored, Text
	}
	var f format
	if style >= 0 && style < len(w.formats) {
		f = w.formats[style]
	}
	if f.date {
		if date, ok := w.date(value); ok {
			return date, Date
		}
	}
	text := plainNumber(strings.TrimSpace(stored), value)
	if missing := f.digits - len(text); missing > 0 && strings.Trim(text, "0123456789") == "" {
		text = strings.Repeat("0", min(missing, 64)) + text
	}
	return text, Number
}

// plainNumber writes a stored number without an exponent, and without the noise behind the
// digits that count. A number that is so large that digits were lost keeps its exponent.
func plainNumber(stored string, value float64) string {
	if math.Abs(value) >= 1e15 {
		if digits := strings.TrimPrefix(stored, "-"); strings.Trim(digits, "0123456789") == "" && strings.TrimRight(digits[min(len(digits), exactDigits):], "0") != "" {
			return stored // by a program that keeps more
		}
		return strconv.FormatFloat(value, 'E', -1, 64)
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(value, 'e', exactDigits-1, 64), 64)
	if err != nil {
		rounded = value
	}
	if rounded == 0 {
		return "0"
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// date returns the date of a number of days, with its time if it has one.
func (w *Workbook) date(days float64) (string, bool) {
	const last = 2_958_465 // the end of the year 9999
	if days < 0 || days > last+1 {
		return "", false
	}
	seconds := int64(math.Round(days * 86_400))
	clock := time.Unix(seconds%86_400, 0).UTC().Format("15:04:05")
	if days < 1 && !w.from1904 {
		return clock, true
	}
	day := int(seconds / 86_400)
	first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case w.from1904:
		first = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case day == 60:
		return "1900-02-29", true // a day that only Excel knows
	case day < 60:
		day++
	}
	date := first.AddDate(0, 0, day).Format(time.DateOnly)
	if clock == "00:00:00" {
		return date, true
	}
	return fmt.Sprintf("%s %s", date, clock), true
}
