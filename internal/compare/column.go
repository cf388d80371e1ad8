package compare

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/poscrape/poscrape/internal/amount"
)

// maxDigits is how many digits a number has that spreadsheets keep.
const maxDigits = 15

// Longest returns the length of the longest cell in characters, without spaces around it.
func (c *Column) Longest() int { return c.longest }

// Number returns a cell as a number, and how many digits it has after the point, where the
// cell is nothing but a number, means the same in every way in which the column's numbers can
// be written, and is exact as a float64. In a column with codes, such as 0012, nothing is a number; nor is
// it in one with other texts, unless amounts are expected there.
func (c *Column) Number(cell string, amounts bool) (n float64, decimals int, ok bool) {
	cell = strings.TrimSpace(cell)
	if cell == "" || c.codes || !amounts && c.filled != c.numbered || strings.Trim(cell, "0123456789.,-' \u00a0\u202f") != "" {
		return 0, 0, false
	}
	text, ok := only(c.numbers.allowed(amount.Readings(cell), c.numbered))
	if !ok {
		return 0, 0, false
	}
	return Decimal(text)
}

// Decimal reads a number in canonical form, "-1250.00", as Number does.
func Decimal(text string) (n float64, decimals int, ok bool) {
	whole, part, _ := strings.Cut(text, ".")
	if len(strings.TrimLeft(strings.TrimPrefix(whole, "-")+part, "0")) > maxDigits {
		return 0, 0, false
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, len(part), err == nil && !math.IsInf(n, 0) && !math.IsNaN(n)
}

// isLong reports whether a text is a number with more digits than spreadsheets keep.
func isLong(text string) bool {
	return len(text) > maxDigits && strings.Trim(text, "0123456789") == ""
}

// Date returns a cell as a day, where it is nothing else and means the same day in every way in
// which the column's dates can be written. In a column with other texts only 2025-03-14 is one.
func (c *Column) Date(cell string) (day time.Time, ok bool) {
	cell = strings.TrimSpace(cell)
	if cell == "" || strings.Contains(cell, ":") || strings.Trim(cell, "0123456789") == "" {
		return time.Time{}, false
	}
	if day, err := time.Parse(time.DateOnly, cell); err == nil {
		return day, true
	}
	if c.filled != c.datelike {
		return time.Time{}, false
	}
	text, ok := only(c.dates.allowed(dates(cell), c.datelike))
	if !ok {
		return time.Time{}, false
	}
	day, err := time.Parse(time.DateOnly, text)
	return day, err == nil
}

// only returns what all texts are, if they are all the same.
func only(texts []string) (string, bool) {
	for _, text := range texts {
		if text != texts[0] {
			return "", false
		}
	}
	if len(texts) == 0 {
		return "", false
	}
	return texts[0], true
}
