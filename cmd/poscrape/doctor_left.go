package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/poscrape/poscrape/internal/disk"
	"github.com/poscrape/poscrape/internal/doctor"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/session/folder"
)

// leftSession is the folder of a session whose owner is dead.
type leftSession struct {
	// Dir is the session folder.
	Dir string
	// Staging is the directory of half-fetched documents in it, and Bytes what
	// they take up; empty where there is none.
	Staging string
	Bytes   int64
	// Resumable: orders are open.
	Resumable bool
	// Clean removes Staging.
	Clean func() error
}

// unfinishedSessions returns the sessions below a directory that nobody works on
// and that are not done. The error names those that cannot be looked at.
func unfinishedSessions(ctx context.Context, out string) ([]leftSession, error) {
	found, err := folder.LookForUnfinished(ctx, out)
	var left []leftSession
	for _, u := range found {
		if u.Err != nil {
			err = errors.Join(err, u.Err)
		}
		left = append(left, leftSession{Dir: u.Dir, Staging: u.Staging, Bytes: u.Bytes, Resumable: u.Open > 0,
			Clean: func() error { return u.Clean(ctx) }})
	}
	return left, err
}

// leftover is something that a killed run has left, as it is told to scripts.
type leftover struct {
	// Kind is "profiles", "container", "staging" or "session".
	Kind string `json:"kind"`
	Path string `json:"path"`
	// Bytes are the lengths of all files in it.
	Bytes int64 `json:"bytes"`
	// Processes run in it or, where it was removed, were ended.
	Processes int `json:"processes"`
	// Since is when the run began; null where that is not known.
	Since *time.Time `json:"since"`
	// Reason is why it is not removed; empty where nothing is in the way.
	Reason string `json:"reason"`
	// Command goes on with a session; empty for other kinds.
	Command string `json:"command"`
}

const removeAdvice = "'poscrape doctor --clean' removes it"

// removeAdvice names the command that removes profiles, wherever they are.
func (o doctorOptions) removeAdvice() string {
	if o.config.Temp == "" {
		return removeAdvice
	}
	return fmt.Sprintf("'poscrape doctor --clean --temp-dir %s' removes it", shellQuoted(o.config.Temp))
}

// remains tells of what is left where profiles are made.
func (c clinic) remains(ctx context.Context, o doctorOptions, d *diagnosis) {
	var cleared, kept []doctor.Remains
	var err error
	if o.clean {
		cleared, kept, err = c.clear(ctx, o.config.Temp)
	} else {
		kept, err = c.find(o.config.Temp)
	}
	if err != nil {
		// The place itself cannot be read; what that means, Examine says.
		d.add(doctor.LevelWarning, err.Error(), "")
	}
	var containers []doctor.Remains
	if o.clean {
		containers, err = c.clearContainers(ctx)
		cleared = slices.Concat(cleared, containers)
	} else {
		containers, err = c.findContainers(ctx)
		kept = slices.Concat(kept, containers)
	}
	if err != nil {
		d.add(doctor.LevelWarning, "containers of killed runs may be left: "+err.Error(), "")
	}
	for _, r := range cleared {
		d.removed(leftOf(r))
	}
	for _, r := range kept {
		what := ""
		if r.Kept {
			what = "profiles that were kept to be looked at"
		}
		d.left(leftOf(r), what, o.removeAdvice())
	}
}

func leftOf(r doctor.Remains) leftover {
	if r.Container {
		return leftover{Kind: "container", Path: r.Path}
	}
	l := leftover{Kind: "profiles", Path: r.Path, Bytes: r.Bytes, Processes: r.Processes, Reason: r.Reason}
	if !r.Since.IsZero() {
		l.Since = &r.Since
	}
	return l
}

// leftSessions tells of sessions below the working directory. Those that can be
// resumed are never removed.
func (c clinic) leftSessions(ctx context.Context, clean bool, d *diagnosis) {
	all, err := c.sessions(ctx, session.DefaultPlace)
	if err != nil {
		d.add(doctor.LevelWarning, err.Error(), "")
	}
	for _, s := range all {
		if s.Staging != "" {
			s.tellStaging(clean, d)
		}
		if s.Resumable {
			command := "poscrape resume " + shellQuoted(nearby(s.Dir))
			d.left(leftover{Kind: "session", Path: s.Dir, Command: command}, "a session that was interrupted", "'"+command+"' goes on with it")
		}
	}
}

// tellStaging tells of half-fetched documents, and removes them if asked to.
func (s leftSession) tellStaging(clean bool, d *diagnosis) {
	staging := leftover{Kind: "staging", Path: s.Staging, Bytes: s.Bytes}
	if clean {
		err := s.Clean()
		if err == nil {
			d.removed(staging)
			return
		}
		staging.Reason = fmt.Sprintf("it cannot be removed: %v", err)
	}
	d.left(staging, "", removeAdvice)
}

// shellQuoted returns a path as it can be typed.
func shellQuoted(path string) string {
	if strings.ContainsAny(path, " \t'\"\\$`&|;<>()*?[]#~!{}") {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(path) + `"`
	}
	return path
}

// about says what a leftover is, in a few words.
func (l leftover) about(ended string) string {
	var facts []string
	if l.Bytes > 0 {
		facts = append(facts, disk.Bytes(l.Bytes))
	}
	switch {
	case l.Processes == 1:
		facts = append(facts, "1 process "+ended)
	case l.Processes > 1:
		facts = append(facts, fmt.Sprintf("%d processes %s", l.Processes, ended))
	}
	if l.Since != nil {
		facts = append(facts, "of a run that began "+l.Since.Local().Format("2006-01-02 15:04"))
	}
	path := l.Path
	switch l.Kind {
	case "container":
		path = "container " + path
	case "staging", "session":
		path = filepath.Clean(nearby(path))
	}
	if len(facts) == 0 {
		return path
	}
	return path + ": " + strings.Join(facts, ", ")
}
