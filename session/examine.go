package session

import (
	"context"
	"fmt"
)

// Level says how serious a finding is.
type Level string

// The levels of findings.
const (
	LevelOK Level = "ok"
	// LevelWarning: a session can run, and a person should know.
	LevelWarning Level = "warning"
	// LevelProblem: no session can run here.
	LevelProblem Level = "problem"
)

// Finding is one fact about this machine.
type Finding struct {
	// Subject is what it is about, "memory".
	Subject string `json:"subject"`
	Level   Level  `json:"level"`
	// Message is the fact, for people.
	Message string `json:"message"`
	// Advice is what to do about it, or empty.
	Advice string `json:"advice,omitempty"`
	// Figures are the numbers in it; a name ends in the unit, unless it is a count.
	Figures map[string]float64 `json:"figures,omitempty"`
}

// Examine looks at what a session with these settings would find here: Chrome,
// which it starts once in a profile of its own, the sandbox, memory, processors,
// limits, and the disks that are written to. What is wrong is a finding, not an
// error; the error is that of ctx. It blocks for as long as Chrome takes, half a
// minute at the most for each way to start it, and leaves nothing behind.
func Examine(ctx context.Context, cfg Config) ([]Finding, error) {
	findings := examineChrome(ctx, cfg)
	findings = append(findings, examineCapacity(ctx, cfg)...)
	findings = append(findings, examineSharedMemory(), examineTemp(), examineOut())
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return findings, nil
}

func fact(subject, format string, args ...any) Finding {
	return Finding{Subject: subject, Level: LevelOK, Message: fmt.Sprintf(format, args...)}
}

func (f Finding) warn(advice string) Finding {
	f.Level, f.Advice = LevelWarning, advice
	return f
}

func (f Finding) fail(advice string) Finding {
	f.Level, f.Advice = LevelProblem, advice
	return f
}

func (f Finding) with(name string, figure float64) Finding {
	figures := map[string]float64{name: figure}
	for name, figure := range f.Figures {
		figures[name] = figure
	}
	f.Figures = figures
	return f
}

// amount writes a number of bytes for people.
func amount(bytes int64) string {
	switch {
	case bytes >= 10_000_000_000:
		return fmt.Sprintf("%d GB", bytes/1_000_000_000)
	case bytes >= 1_000_000_000:
		return fmt.Sprintf("%.1f GB", float64(bytes)/1e9)
	}
	return fmt.Sprintf("%d MB", bytes/1_000_000)
}
