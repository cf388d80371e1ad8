package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

const (
	// maxReasons is how many reasons the end of a run names.
	maxReasons = 6
	// fewOrders is how many orders a reason may have for all of them to be named.
	fewOrders = 5
)

// reasonLines say why orders did not end well, those of most orders first.
func reasonLines(reasons []session.Reason) []string {
	var lines []string
	left := 0
	for i, r := range reasons {
		if i >= maxReasons {
			left += r.Orders
			continue
		}
		text := string(r.Outcome)
		if r.Text != "" {
			text = r.Text
		}
		line := fmt.Sprintf("%s: %s", counted(r.Orders, "order"), printable(text))
		if r.Orders <= fewOrders {
			line += fmt.Sprintf(" [%s]", printable(strings.Join(r.First, ", ")))
		}
		lines = append(lines, line)
	}
	if left > 0 {
		lines = append(lines, fmt.Sprintf("%s: %s; report.html has them all", counted(left, "order"), counted(len(reasons)-maxReasons, "other reason")))
	}
	return lines
}

// nextCommands are what to type to go on, each with what it does.
func nextCommands(end session.End) [][2]string {
	dir := shellWord(nearby(end.Dir))
	var next [][2]string
	for _, login := range end.Logins {
		next = append(next, [2]string{login, "signs in by hand"})
	}
	if openOrders(end) > 0 {
		next = append(next, [2]string{"poscrape resume " + dir, "goes on with the orders that are open"})
	}
	if slices.ContainsFunc(end.Reasons, againHelps) {
		next = append(next, [2]string{"poscrape retry " + dir, "tries once more what did not end well"})
	}
	return next
}

// againHelps reports whether orders of a reason can end better when they are tried again.
func againHelps(r session.Reason) bool {
	return !slices.Contains([]tasks.Outcome{tasks.OutcomeNotFound, tasks.OutcomeAccessDenied, tasks.OutcomeInvalidInput}, r.Outcome)
}

func writeReasons(text *strings.Builder, end session.End) {
	if lines := reasonLines(end.Reasons); len(lines) > 0 {
		text.WriteString("\nWhy orders did not end well:\n")
		for _, line := range lines {
			fmt.Fprintf(text, "  %s\n", line)
		}
	}
}

func writeNext(text *strings.Builder, end session.End) {
	if len(end.Files) == 0 {
		return
	}
	commands := nextCommands(end)
	if len(commands) > 0 {
		text.WriteString("\nNext:\n")
	}
	for _, c := range commands {
		fmt.Fprintf(text, "  %s  (%s)\n", c[0], c[1])
	}
}
