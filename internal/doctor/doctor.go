// Package doctor says whether a session can run on this machine, and what killed runs have
// left on it. It looks, starts Chrome once, and changes nothing but what it is asked to
// clear.
package doctor

import (
	"context"
	"fmt"
)

// Config is what is known of the session that is to run.
type Config struct {
	// Chrome, Headful, NoSandbox and Proxy are as in session.Config.
	Chrome    string
	Headful   bool
	NoSandbox bool
	Proxy     string
	// Temp is where profiles are made; empty: the system's directory for temporary files.
	Temp string
	// Workers is how many browsers are to work at once, and MostWorkers how many can.
	Workers, MostWorkers int
	// Out is where sessions go that name no folder, below the working directory.
	Out string
}

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

// Examine checks what a session with these settings would find here: Chrome,
// which it starts once in a profile of its own, the sandbox, memory, processors,
// limits, and the disks that are written to. What is wrong is a finding, not an
// error; the error is that of ctx. It blocks for as long as Chrome takes, half a
// minute at the most for each way to start it, and leaves nothing behind.
func Examine(ctx context.Context, cfg Config) ([]Finding, error) {
	findings := examineChrome(ctx, cfg)
	findings = append(findings, examineCapacity(ctx, cfg)...)
	findings = append(findings, examineSharedMemory(), examineTemp(cfg), examineOut(cfg), examineContainers(ctx))
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
