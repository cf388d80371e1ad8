package check

import (
	"fmt"
	"strings"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/spelling"
	"github.com/poscrape/poscrape/tasks"
)

const (
	// mostNear is among how many orders one of a like number is looked for.
	mostNear = 5000
	// mostListed is how many orders of one number are named.
	mostListed = 10
	// mostAlike is how many numbers are offered that have what was typed in them.
	mostAlike = 3
)

// search looks for one order among a session's, which see is shown one after another.
type search struct {
	// number is the order's, as people write it, or its address.
	number string
	// called are the orders of that number or address, byDigits those that have it without its
	// prefix; near are numbers of others.
	called, byDigits []*tasks.ProcessingTask
	near             []string
}

func (s *search) see(task *tasks.ProcessingTask) {
	switch {
	case isCalled(&task.Spec, s.number), task.URL != "" && task.URL == s.number:
		s.called = append(s.called, task)
	case task.PO != "" && folded(task.Digits) == folded(s.number):
		s.byDigits = append(s.byDigits, task)
	case task.PO != "" && len(s.near) < mostNear:
		s.near = append(s.near, task.PO)
	}
}

// found returns the one order that was meant, or an *OrderError.
func (s *search) found() (*tasks.ProcessingTask, error) {
	all := s.called
	if len(all) == 0 {
		all = s.byDigits
	}
	switch len(all) {
	case 1:
		return all[0], nil
	case 0:
		text := fmt.Sprintf("the session has no order %q", s.number)
		if near := s.like(); len(near) > 0 {
			text += fmt.Sprintf("; did you mean %s?", strings.Join(near, " or "))
		}
		return nil, &OrderError{text}
	}
	text := fmt.Sprintf("%d orders are called %q; name one of them by its address:", len(all), s.number)
	for i, task := range all {
		if i == mostListed {
			text += fmt.Sprintf("\nand %d more", len(all)-i)
			break
		}
		text += fmt.Sprintf("\n%s %s (%s)", task.PO, browser.Redact(task.URL), linesOf(task))
	}
	return nil, &OrderError{text}
}

// like returns numbers of orders that may have been meant: those that the number is a part of, if
// they are few, or the one that is spelled most like it.
func (s *search) like() (numbers []string) {
	want := folded(s.number)
	for _, number := range s.near {
		if len(want) >= 3 && strings.Contains(folded(number), want) {
			numbers = append(numbers, number)
		}
	}
	if n := len(numbers); n > 0 && n <= mostAlike {
		return numbers
	}
	if near := spelling.Nearest(strings.ToUpper(strings.TrimSpace(s.number)), s.near); near != "" {
		return []string{near}
	}
	return nil
}

// linesOf names the rows of the sheet that ask for an order.
func linesOf(task *tasks.ProcessingTask) string {
	var lines []string
	for _, row := range task.Rows {
		lines = append(lines, fmt.Sprint(row.Line))
	}
	if len(lines) == 1 {
		return "line " + lines[0] + " of the sheet"
	}
	return "lines " + strings.Join(lines, ", ") + " of the sheet"
}
