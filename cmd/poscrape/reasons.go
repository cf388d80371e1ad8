package main

import (
	"fmt"
	"strings"

	"github.com/poscrape/poscrape/session"
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
	var next [][2]string
	for _, path := range []*string{&end.Sheet, &end.Recipe} {
		if *path != "" {
			*path = nearby(*path)
		}
	}
	for _, step := range session.NextSteps(end, openOrders(end), nearby(end.Dir)) {
		does := strings.ToLower(step.Title[:1]) + step.Title[1:]
		for command := range strings.SplitSeq(step.Command, "\n") {
			next = append(next, [2]string{command, does})
			does = "then"
		}
	}
	return next
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
