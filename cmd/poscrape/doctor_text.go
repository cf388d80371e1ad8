package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/internal/doctor"
)

// diagnosis is all that doctor has found, as it is told to scripts.
type diagnosis struct {
	Version string `json:"version"`
	// CanRun: no finding is a problem.
	CanRun    bool             `json:"can_run"`
	Findings  []doctor.Finding `json:"findings"`
	Leftovers []leftover       `json:"leftovers"`
	Removed   []leftover       `json:"removed"`
}

// leftoversSubject is what findings about leftovers are about.
const leftoversSubject = "leftovers"

func (d *diagnosis) add(level doctor.Level, message, advice string) {
	d.Findings = append(d.Findings, doctor.Finding{Subject: leftoversSubject, Level: level, Message: message, Advice: advice})
}

// left notes something that is still there. The advice is for what nothing is in
// the way of.
func (d *diagnosis) left(l leftover, what, advice string) {
	message := l.about("still running")
	if what != "" {
		message += ": " + what
	}
	if l.Reason != "" {
		message, advice = message+"; "+l.Reason, ""
	}
	d.Leftovers = append(d.Leftovers, l)
	d.add(doctor.LevelWarning, message, advice)
}

func (d *diagnosis) removed(l leftover) {
	d.Removed = append(d.Removed, l)
	d.add(doctor.LevelOK, "removed "+l.about("ended"), "")
}

func (d *diagnosis) canRun() bool {
	return !slices.ContainsFunc(d.Findings, func(f doctor.Finding) bool { return f.Level == doctor.LevelProblem })
}

// writeText writes a line for each finding, and one that sums up.
func (d *diagnosis) writeText(out io.Writer, clean bool) error {
	width := 0
	for _, f := range d.Findings {
		width = max(width, len(f.Subject))
	}
	var text strings.Builder
	for _, f := range d.Findings {
		line := fmt.Sprintf("%-7s  %-*s  %s", f.Level, width, f.Subject, f.Message)
		if f.Advice != "" {
			line += "; " + f.Advice
		}
		text.WriteString(oneLineOf(line) + "\n")
	}
	text.WriteString("\n" + d.summary(clean) + "\n")
	_, err := io.WriteString(out, text.String())
	return err
}

// oneLineOf returns text without line breaks and control characters.
func oneLineOf(text string) string {
	return printable(strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), " | "))
}

func (d *diagnosis) summary(clean bool) string {
	if !d.canRun() {
		return "poscrape cannot run here."
	}
	removable := slices.ContainsFunc(d.Leftovers, func(l leftover) bool { return l.Reason == "" && l.Kind != "session" })
	if removable && !clean {
		return "poscrape can run here. With --clean, doctor removes what earlier runs have left."
	}
	return "poscrape can run here."
}

// writeJSON writes all of it as one object in one line.
func (d *diagnosis) writeJSON(out io.Writer) error {
	d.CanRun = d.canRun()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(d)
}
