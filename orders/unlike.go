package orders

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// A number that is written unlike nearly all others of the sheet may be a slip, such as a letter among its
// digits or a hyphen that is missing. It may be right as well, so it is told and nothing else.

// fewestAlike is how many numbers of a sheet have to be written alike, and mostUnlike how many of ten may
// not be, for those to be told.
const fewestAlike, mostUnlike = 10, 1

// noteUnlike tells the numbers that are written unlike nearly all others.
func (s *Sheet) noteUnlike() {
	byForm := map[string][]*PurchaseOrder{}
	common := ""
	for i := range s.Orders {
		form := formOf(s.Orders[i].Digits)
		if byForm[form] = append(byForm[form], &s.Orders[i]); len(byForm[form]) > len(byForm[common]) {
			common = form
		}
	}
	alike, all := byForm[common], len(s.Orders)
	if len(alike) == all || len(alike) < fewestAlike || 10*(all-len(alike)) > mostUnlike*all {
		return
	}
	var unlike []string
	for i := range s.Orders {
		if o := &s.Orders[i]; formOf(o.Digits) != common {
			unlike = append(unlike, fmt.Sprintf("%s in line %d", quoted(o.Number), o.Rows[0].Line))
		}
	}
	told := slices.Clone(unlike[:min(len(unlike), 5)])
	if more := len(unlike) - len(told); more > 0 {
		told = append(told, fmt.Sprintf("and %d more", more))
	}
	verb, them := "are", "them"
	if len(unlike) == 1 {
		verb, them = "is", "it"
	}
	s.Notes = append(s.Notes, fmt.Sprintf("%s %s not written like the other %d, such as %s; check %s: %s",
		count(len(unlike), "order number"), verb, len(alike), quoted(alike[0].Number), them, strings.Join(told, ", ")))
}

// formOf returns how a number is written: A stands for its letters, and 9 for its digits.
func formOf(number string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r):
			return 'A'
		case unicode.IsDigit(r):
			return '9'
		}
		return r
	}, number)
}
