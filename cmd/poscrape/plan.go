package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// plan is what a run would do with each row of a sheet.
type plan struct {
	sheet *orders.Sheet
	// specs are the tasks that would be stored, in input order.
	specs []tasks.Spec
	// run, leftOut and noOrder count tasks; rows that cannot be used are invalid.
	run, leftOut, noOrder, invalid int
}

func planFor(sheet *orders.Sheet) plan {
	p := plan{sheet: sheet, specs: sheet.Specs(), noOrder: len(sheet.Skipped)}
	for _, spec := range p.specs {
		switch {
		case spec.Skipped != "":
			p.leftOut++
		case spec.Invalid != nil:
			p.invalid++
		default:
			p.run++
		}
	}
	p.leftOut -= p.noOrder
	return p
}

func (p plan) code() int {
	if p.invalid > 0 {
		return exitNotWell
	}
	return exitWell
}

// dryRun says what a run of a sheet would do, and does nothing.
func (p *program) dryRun(s *settings, read func() (*orders.Sheet, error)) error {
	if err := s.output.validate(); err != nil {
		return err
	}
	sheet, err := read()
	if err != nil {
		return err
	}
	plan := planFor(sheet)
	v := p.newView(s.output)
	if !s.output.quiet {
		for _, n := range sheet.Notes {
			v.Notice(session.Notice{Level: session.NoticeInfo, Message: n})
		}
		for _, problem := range sheet.Problems {
			if problem.Warning {
				v.Notice(session.Notice{Level: session.NoticeWarning, Message: problem.Error()})
			}
		}
	}
	switch {
	case s.output.json:
		err = json.NewEncoder(p.jsonOutput()).Encode(plan.message())
	case !s.output.quiet:
		out := bufio.NewWriter(p.stdout)
		plan.write(out)
		err = out.Flush()
	}
	if err != nil {
		return fmt.Errorf("writing the plan: %w", err)
	}
	if plan.invalid == 0 {
		return nil
	}
	ended := &endedError{code: plan.code()}
	if s.output.quiet && !s.output.json {
		ended.message = fmt.Sprintf("%s cannot be used", counted(plan.invalid, "row"))
	}
	return ended
}

// write lists the orders with their addresses and rows, what is left out, and the rows that
// cannot be used.
func (p plan) write(out *bufio.Writer) {
	p.list(out, "Orders that would be run:", func(s tasks.Spec) string {
		if s.Invalid != nil || s.Skipped != "" {
			return ""
		}
		text := fmt.Sprintf("%s  %s  (%s", s.PO, cmp.Or(s.URL, "as its recipe opens it"), linesOf(s.Rows))
		if s.Priority != 0 {
			text += fmt.Sprintf(", priority %d", s.Priority)
		}
		if s.Portal != "" {
			text += ", portal " + s.Portal
		}
		return text + ")"
	})
	p.list(out, "Left out:", func(s tasks.Spec) string {
		if s.Skipped == "" {
			return ""
		}
		return strings.TrimLeft(fmt.Sprintf("%s  %s: %s", s.PO, linesOf(s.Rows), s.Skipped), " ")
	})
	p.list(out, "Rows that cannot be used:", func(s tasks.Spec) string {
		if s.Invalid == nil || s.Skipped != "" {
			return ""
		}
		return s.Invalid.Message
	})
	fmt.Fprintf(out, "%s: %s to run, %d left out; %s without an order, %d that cannot be used. Nothing was opened or written.\n",
		counted(p.sheet.Input.Rows, "row"), counted(p.run, "order"), p.leftOut, counted(p.noOrder, "row"), p.invalid)
}

func (p plan) list(out *bufio.Writer, title string, text func(tasks.Spec) string) {
	for _, spec := range p.specs {
		line := text(spec)
		if line == "" {
			continue
		}
		if title != "" {
			fmt.Fprintln(out, title)
			title = ""
		}
		fmt.Fprintln(out, "  "+printable(strings.ReplaceAll(line, "\n", " ")))
	}
	if title == "" {
		fmt.Fprintln(out)
	}
}

func linesOf(rows []tasks.Row) string {
	lines := make([]string, len(rows))
	for i, row := range rows {
		lines[i] = strconv.Itoa(row.Line)
	}
	return plural(len(rows), "line") + " " + strings.Join(lines, ", ")
}

// planMessage is the only line, and the last one, of a dry run with --json.
type planMessage struct {
	MessageType string                `json:"message_type"`
	DryRun      bool                  `json:"dry_run"`
	Rows        int                   `json:"rows"`
	Total       int                   `json:"total"`
	Run         int                   `json:"run"`
	ByOutcome   map[tasks.Outcome]int `json:"by_outcome"`
	Tasks       []plannedTask         `json:"tasks"`
	ExitCode    int                   `json:"exit_code"`
}

// plannedTask is an order, or a row that is none.
type plannedTask struct {
	PO       string        `json:"po"`
	Rows     []int         `json:"rows"`
	URL      string        `json:"url"`
	Portal   string        `json:"portal,omitempty"`
	Priority int           `json:"priority"`
	Outcome  tasks.Outcome `json:"outcome"`
	Skipped  string        `json:"skipped,omitempty"`
	Column   string        `json:"column,omitempty"`
	Error    string        `json:"error,omitempty"`
}

func (p plan) message() planMessage {
	m := planMessage{MessageType: "summary", DryRun: true, Rows: p.sheet.Input.Rows, Total: len(p.specs), Run: p.run,
		ByOutcome: map[tasks.Outcome]int{}, Tasks: make([]plannedTask, 0, len(p.specs)), ExitCode: p.code()}
	columns := map[int]string{}
	for _, row := range p.sheet.Unusable {
		columns[row.Row.Line] = row.Problem.Column
	}
	for _, spec := range p.specs {
		t := plannedTask{PO: spec.PO, URL: spec.URL, Portal: spec.Portal, Priority: spec.Priority, Skipped: spec.Skipped}
		for _, row := range spec.Rows {
			t.Rows = append(t.Rows, row.Line)
		}
		switch {
		case spec.Skipped != "":
			t.Outcome = tasks.OutcomeSkipped
		case spec.Invalid != nil:
			t.Outcome, t.Error, t.Column = tasks.OutcomeInvalidInput, spec.Invalid.Message, columns[t.Rows[0]]
		}
		if t.Outcome != "" {
			m.ByOutcome[t.Outcome]++
		}
		m.Tasks = append(m.Tasks, t)
	}
	return m
}
