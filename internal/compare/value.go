package compare

import (
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/poscrape/poscrape/internal/amount"
	"github.com/poscrape/poscrape/internal/calendar"
	"github.com/poscrape/poscrape/tasks"
)

// shown is what the portal shows of a field.
type shown struct {
	text                   string
	amount, date, currency bool
	// canonical: the text is an amount or a date in canonical form.
	canonical bool
}

// shownOf returns what counts of a field. Its text is empty where there is nothing to compare.
func shownOf(f tasks.Field) shown {
	s := shown{text: strings.TrimSpace(f.Value), amount: f.Type == "amount", date: f.Type == "date"}
	s.canonical = s.amount || s.date
	if s.text == "" && !s.canonical && f.Error == "" {
		s.text = strings.TrimSpace(f.Raw)
	}
	return s
}

// ways counts the cells that can be read in each way of writing.
type ways map[string]int

// allowed returns those meanings that are in a way which reads all cells of the column that
// any way reads. Where no way does, all are allowed.
func (w ways) allowed(meanings map[string]string, read int) []string {
	whole := slices.Contains(slices.Collect(maps.Values(w)), read)
	var list []string
	for way, meaning := range meanings {
		if !whole || w[way] == read {
			list = append(list, meaning)
		}
	}
	return list
}

// Column is what is known of how the cells of a column are written. It has to See all of them
// before it is asked. From then on, many goroutines may ask it.
type Column struct {
	numbers, dates             ways
	filled, numbered, datelike int
	// codes: a cell is a number that no spreadsheet keeps as it is, or that isCode.
	codes bool
	// longest in characters.
	longest int
}

// NewColumn returns a Column that has seen no cell.
func NewColumn() *Column { return &Column{numbers: ways{}, dates: ways{}} }

// See looks at a cell, for how numbers and dates are written in its column.
func (c *Column) See(cell string) {
	cell = strings.TrimSpace(cell)
	if cell == "" {
		return
	}
	c.filled++
	c.longest = max(c.longest, utf8.RuneCountInString(cell))
	if !strings.ContainsAny(cell, "0123456789") {
		return
	}
	c.codes = c.codes || isCode(cell) || isLong(cell)
	if meanings := amount.Readings(cell); len(meanings) > 0 {
		c.numbered++
		for way := range meanings {
			c.numbers[way]++
		}
	}
	if meanings := dates(cell); len(meanings) > 0 {
		c.datelike++
		for way := range meanings {
			c.dates[way]++
		}
	}
}

// same reports whether a cell says what the portal shows.
func (c *Column) same(cell string, s shown) bool {
	cell = strings.TrimSpace(cell)
	switch days := s.days(); {
	case s.date || c.filled == c.datelike && len(days) > 0:
		return slices.ContainsFunc(c.dates.allowed(dates(cell), c.datelike), func(day string) bool { return slices.Contains(days, day) })
	case s.amount || c.filled == c.numbered && !isCode(cell) && !isCode(s.text):
		values := s.values()
		cells := c.numbers.allowed(amount.Readings(cell), c.numbered)
		if len(values) > 0 && (s.amount || len(cells) > 0) {
			return slices.ContainsFunc(cells, func(text string) bool { return isAny(values, number(text)) })
		}
	case s.currency && sameCurrency(cell, s.text):
		return true
	}
	return fold(cell) == fold(s.text) || isTurned(cell, s.text) || isTurned(s.text, cell)
}

// isTurned reports whether a text is the other one as a name with its last part first, as "Meyer, Dana" is
// "Dana Meyer".
func isTurned(text, other string) bool {
	last, first, ok := strings.Cut(text, ",")
	last, first = fold(last), fold(first)
	return ok && last != "" && first != "" && !strings.ContainsFunc(text, unicode.IsDigit) && first+last == fold(other)
}

// sum reports whether the cells have what the portal shows as their sum.
func (c *Column) sum(cells []string, s shown) bool {
	if !s.amount && c.filled != c.numbered {
		return false
	}
	sums, count := map[string]*big.Rat{}, map[string]int{}
	for _, cell := range cells {
		for way, text := range amount.Readings(cell) {
			if sums[way] == nil {
				sums[way] = new(big.Rat)
			}
			sums[way].Add(sums[way], number(text))
			count[way]++
		}
	}
	for way, sum := range sums {
		if count[way] == len(cells) && len(c.numbers.allowed(map[string]string{way: ""}, c.numbered)) > 0 && isAny(s.values(), sum) {
			return true
		}
	}
	return false
}

// isCode reports whether a text is a number whose leading zeros count.
func isCode(text string) bool {
	return len(text) > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9'
}

// days are the days that the portal's text can mean.
func (s shown) days() []string {
	if s.date {
		return []string{s.text}
	}
	return slices.Collect(maps.Values(dates(s.text)))
}

// values are the amounts that the portal's text can mean.
func (s shown) values() (values []*big.Rat) {
	if s.canonical {
		return []*big.Rat{number(s.text)}
	}
	for _, text := range amount.Readings(s.text) {
		values = append(values, number(text))
	}
	return values
}

// number reads an amount in canonical form.
func number(text string) *big.Rat {
	n, ok := new(big.Rat).SetString(text)
	if !ok {
		return new(big.Rat)
	}
	return n
}

func isAny(values []*big.Rat, n *big.Rat) bool {
	return slices.ContainsFunc(values, func(v *big.Rat) bool { return v.Cmp(n) == 0 })
}

// layouts are the ways in which sheets write dates.
var layouts = []string{
	"2006-1-2", "2006/1/2", "2006.1.2", "20060102",
	"2/1/2006", "1/2/2006", "2.1.2006", "2-1-2006", "1-2-2006",
	"2/1/06", "1/2/06", "2.1.06", "2-1-06", "1-2-06",
	"2 Jan 2006", "2-Jan-2006", "2-Jan-06", "Jan 2, 2006", "2 January 2006", "January 2, 2006", "2. January 2006",
	"2. Jan. 2006", "2 de January de 2006", "2. 1. 2006", "2006. 1. 2", "2006. 1. 2.", "2006年1月2日", "2006년 1월 2일",
}

// longestDate in bytes: what is longer is no date with a time.
const longestDate = 40

// dates returns the days that a text can mean, by the layout. A time of day after it is left out.
func dates(text string) map[string]string {
	if len(text) > longestDate {
		return nil
	}
	day := text
	if at := strings.IndexByte(text, ':'); at > 0 {
		if at = strings.LastIndexAny(text[:at], " T"); at > 0 {
			day = strings.TrimRight(text[:at], ", ")
		}
	}
	var meanings map[string]string
	for _, layout := range layouts {
		if t, err := calendar.Parse(layout, day, ""); err == nil && t.Year() > 0 {
			if meanings == nil {
				meanings = map[string]string{}
			}
			meanings[layout] = t.Format(time.DateOnly)
		}
	}
	return meanings
}

// codes are the currencies that a symbol stands for.
var codes = map[string][]string{
	"€": {"EUR"}, "£": {"GBP"}, "¥": {"JPY", "CNY"}, "₹": {"INR"}, "₩": {"KRW"}, "₺": {"TRY"}, "₽": {"RUB"}, "₴": {"UAH"}, "₪": {"ILS"},
	"฿": {"THB"}, "₫": {"VND"}, "₱": {"PHP"}, "zł": {"PLN"}, "円": {"JPY"}, "元": {"CNY"}, "원": {"KRW"},
	"$":   {"USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN"},
	"US$": {"USD"}, "$US": {"USD"}, "C$": {"CAD"}, "CA$": {"CAD"}, "$CA": {"CAD"}, "A$": {"AUD"}, "AU$": {"AUD"}, "$AU": {"AUD"},
	"NZ$": {"NZD"}, "S$": {"SGD"}, "HK$": {"HKD"}, "MX$": {"MXN"}, "£GB": {"GBP"},
	"Kč": {"CZK"}, "Ft": {"HUF"}, "lei": {"RON"}, "RM": {"MYR"}, "Rp": {"IDR"}, "R$": {"BRL"}, "Fr.": {"CHF"}, "SFr.": {"CHF"},
	"kr": {"SEK", "NOK", "DKK", "ISK"}, "kr.": {"SEK", "NOK", "DKK", "ISK"}, "Rs": {"INR", "PKR", "LKR"}, "Rs.": {"INR", "PKR", "LKR"},
}

// sameCurrency reports whether one text is the symbol of the other's currency.
func sameCurrency(a, b string) bool {
	return slices.Contains(codes[a], strings.ToUpper(b)) || slices.Contains(codes[b], strings.ToUpper(a))
}

// fold returns what counts of a text.
func fold(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsPunct(r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, cases.Fold().String(norm.NFKC.String(text)))
}
