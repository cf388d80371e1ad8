package main

import (
	"cmp"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/poscrape/poscrape/control"
	"github.com/poscrape/poscrape/internal/disk"
	"github.com/poscrape/poscrape/internal/shell"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// workersText lists workers in a table.
func workersText(workers []control.Worker, now time.Time) string {
	if len(workers) == 0 {
		return "no worker is there now\n"
	}
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "WORKER\tSTATE\tORDER\tDONE\tFAILED\tMEMORY\tCPU\tAGE\tIN\tPID")
	for _, w := range workers {
		state := w.State
		if w.Draining {
			state += ", draining"
		}
		order := strings.Join(w.Tasks, " ")
		if order == "" {
			order = "-"
		}
		age := "-"
		if !w.StartedAt.IsZero() {
			age = roundDuration(now.Sub(w.StartedAt))
		}
		memory, cpu := "-", "-"
		if w.MemoryBytes > 0 {
			memory, cpu = disk.Bytes(w.MemoryBytes), fmt.Sprintf("%.2f", w.CPU)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%d\t%s\t%s\t%s\t%s\t%d\n", w.ID, state, order, w.Succeeded, w.Failed, memory, cpu, age, cmp.Or(w.Isolation, "-"), w.PID)
	}
	_ = table.Flush() // a Builder takes everything
	return text.String()
}

// progressOf returns what a status says as a progress, whose words the bar has.
func progressOf(s control.Status) session.Progress {
	p := session.Progress{
		At: s.At, Status: s.Status, Total: s.Total, Done: s.Well + s.NotWell, Well: s.Well, NotWell: s.NotWell,
		Pending: s.Pending, Active: s.Active, Skipped: s.Skipped, Wanted: s.Workers.Wanted, Running: s.Workers.Running,
		Busy: s.Workers.Busy, RatePerMinute: s.RatePerMinute, ETA: -1, Reason: s.Reason,
	}
	if s.ETAMS != nil {
		p.ETA = time.Duration(*s.ETAMS) * time.Millisecond
	}
	return p
}

// statusText says how a session stands, a fact a line.
func statusText(s control.Status, now time.Time) string {
	p := progressOf(s)
	var text strings.Builder
	line := func(name string, facts ...string) {
		fmt.Fprintf(&text, "%-8s %s\n", name, cmp.Or(join(facts), "none"))
	}
	line("session", nearby(s.Dir), fmt.Sprintf("%s, begun at %s", s.Status, s.StartedAt.Local().Format(time.DateTime)), fmt.Sprintf("process %d", s.PID))
	line("orders", fmt.Sprintf("%s ended (%d %%)", countOf(p), percentOf(p)), failuresOf(p), fmt.Sprintf("%d wait", s.Pending),
		fmt.Sprintf("%d in progress", s.Active), leftOut(s.Skipped))
	if s.Confirmed+s.Listed > 0 {
		line("sure", fmt.Sprintf("%d confirmed so far", s.Confirmed), fmt.Sprintf("%d only listed", s.Listed))
	}
	line("pace", paceOf(now, p))
	line("workers", workersOf(p), counts(s.Workers.Starting, "starting"), counts(s.Workers.Draining, "draining"))
	if h := s.History; !h.CreatedAt.IsZero() {
		line("pool", fmt.Sprintf("made at %s", h.CreatedAt.Local().Format(time.TimeOnly)), fmt.Sprintf("%d workers opened", h.Opened),
			counts(h.Replaced, "replaced"), counts(h.Lost, "lost"), claimsOf(h))
	}
	if u := s.Usage; u.Memory > 0 {
		line("use", fmt.Sprintf("%.2f processors", u.CPU), disk.Bytes(u.Memory)+" of memory", disk.Bytes(u.Disk)+" of profiles")
	}
	if s.Load != nil {
		load := fmt.Sprintf("CPU %.0f %%, memory %.0f %%", 100*s.Load.CPU, 100*s.Load.Memory)
		if s.Load.Pressure != nil {
			load += fmt.Sprintf(", pressure %.0f %%", 100**s.Load.Pressure)
		}
		line("load", load)
	}
	if s.Reason != "" {
		line("why", s.Reason)
	}
	return text.String()
}

// claimsOf says how often orders were claimed, and how long one had waited for that.
func claimsOf(h control.History) string {
	if h.Claims == 0 {
		return ""
	}
	waited := time.Duration(h.WaitedMS) * time.Millisecond / time.Duration(h.Claims)
	return fmt.Sprintf("%d orders claimed, after %v on average", h.Claims, waited.Round(time.Millisecond))
}

func paceOf(now time.Time, p session.Progress) string {
	if pace := join([]string{rateOf(p), timeLeftOf(now, p)}); pace != "" {
		return pace
	}
	return "not known yet"
}

func leftOut(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d left out", n)
}

func counts(n int, what string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d %s", n, what)
}

// join joins the facts that there are.
func join(facts []string) string {
	var there []string
	for _, fact := range facts {
		if fact != "" {
			there = append(there, fact)
		}
	}
	return strings.Join(there, ", ")
}

// endText says how a session that was stopped has ended.
func endText(s control.Status) string {
	p := progressOf(s)
	text := join([]string{fmt.Sprintf("%s: %s, %d of %d orders ended", nearby(s.Dir), s.Status, p.Done, s.Total), leftOut(s.Skipped)})
	if s.Status == tasks.SessionCompleted {
		return text + "\n"
	}
	return fmt.Sprintf("%s, %d still open; go on with: poscrape resume %s\n", text, s.Total-p.Done-s.Skipped, shell.Word(nearby(s.Dir)))
}
