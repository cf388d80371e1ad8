package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/poscrape/poscrape/control"
	"github.com/poscrape/poscrape/internal/shell"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

const (
	// opensWithin is how long a session may need from its start to the opening of its
	// control interface.
	opensWithin = 5 * time.Second
	// dialEvery is how often that is looked for.
	dialEvery = 100 * time.Millisecond
	// maxListed is how many sessions a message names.
	maxListed = 5
)

// serveControl lets a session be watched and steered from elsewhere, until stop is called.
func serveControl(r runner, say func(session.Notice)) (stop func()) {
	c := r.Control()
	if c == nil {
		return func() {}
	}
	server, err := control.Serve(control.Config{Session: c, Dir: r.Dir()})
	if err != nil {
		say(session.Notice{Level: session.NoticeWarning, Message: fmt.Sprintf("'poscrape worker' cannot reach this session: %v", err)})
		return func() {}
	}
	return func() {
		if err := server.Close(); err != nil {
			say(session.Notice{Level: session.NoticeWarning, Message: fmt.Sprintf("what 'poscrape worker' reaches this session by could not be removed: %v", err)})
		}
	}
}

// reach finds the session, and does with a client of it what is asked for. Of a session that does
// not run it says why.
func (s *steering) reach(ctx context.Context, r request, args []string) error {
	dir, err := s.find()
	if err != nil {
		return err
	}
	file := filepath.Join(dir, folder.LedgerName)
	ran := ledger.Owner(file) != nil
	for deadline := time.Now().Add(opensWithin); ; {
		client, err := control.Dial(dir)
		if err == nil {
			err = r.do(ctx, s, client, args)
			client.Close()
		}
		var refused *control.Error
		if !errors.As(err, &refused) || refused.Code != control.NotRunning {
			return err
		}
		owner := ledger.Owner(file)
		switch {
		case owner == nil && ran && r.ended != nil:
			return r.ended(ctx, s, dir)
		case owner == nil:
			return notRunning(ctx, dir)
		case client != nil && errors.Unwrap(refused) == nil:
			return err // it answered so itself
		case time.Now().After(deadline):
			return control.Errorf(control.Timeout, "the session in %s is run by the process %d, which does not listen: it may be stopped, be just beginning or ending, or be of another version of poscrape", dir, owner.PID)
		}
		if err := pause(ctx, dialEvery); err != nil {
			return err
		}
	}
}

// pause waits, or returns why ctx has ended.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// find returns the folder of the session: that of --session, or of the one that runs.
func (s *steering) find() (string, error) {
	if s.session != "" {
		return s.session, isSession(s.session)
	}
	running, stopped, closed, err := sessionsBelow(session.DefaultPlace)
	switch {
	case err != nil:
		return "", err
	case len(running) == 1:
		return running[0], nil
	case len(running) > 1:
		return "", control.Errorf(control.NotFound, "%d sessions run below %s; name one with --session:%s", len(running), session.DefaultPlace, listed(running))
	case len(closed) > 0:
		return "", control.Errorf(control.NotPermitted, "no session of yours runs below %s; these are another user's:%s", session.DefaultPlace, listed(closed))
	case len(stopped) > 0:
		return "", control.Errorf(control.NotFound, "no session runs below %s; one that runs elsewhere is named with --session. These do not run:%s", session.DefaultPlace, listed(stopped))
	}
	return "", control.Errorf(control.NotFound, "there is no session below %s; one that runs elsewhere is named with --session", session.DefaultPlace)
}

// isSession returns an *control.Error where a folder has no session, or not this user's.
func isSession(dir string) error {
	info, err := os.Stat(dir)
	if err == nil && info.IsDir() {
		_, err = os.Stat(filepath.Join(dir, folder.LedgerName))
	}
	switch {
	case errors.Is(err, fs.ErrPermission):
		return control.Errorf(control.NotPermitted, "%s cannot be entered: it is another user's", dir)
	case errors.Is(err, fs.ErrNotExist) && info == nil:
		return control.Errorf(control.NotFound, "%s does not exist; name the folder of a session, as below %s", dir, session.DefaultPlace)
	case err != nil || !info.IsDir():
		return control.Errorf(control.NotFound, "%s is not the folder of a session: there is no %s in it", dir, folder.LedgerName)
	}
	return nil
}

// sessionsBelow returns the sessions in the folders of a directory, in their order: those that
// run, those that do not, and those that cannot be entered.
func sessionsBelow(place string) (running, stopped, closed []string, err error) {
	entries, err := os.ReadDir(place)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, nil, nil
	case errors.Is(err, fs.ErrPermission):
		return nil, nil, nil, control.Errorf(control.NotPermitted, "%s cannot be read: it is another user's", place)
	case err != nil:
		return nil, nil, nil, control.Errorf(control.NotFound, "looking for sessions: %w", err)
	}
	for _, entry := range entries {
		dir := filepath.Join(place, entry.Name())
		file := filepath.Join(dir, folder.LedgerName)
		if _, err := os.Stat(file); err != nil {
			if errors.Is(err, fs.ErrPermission) {
				closed = append(closed, dir)
			}
			continue
		}
		if ledger.Owner(file) != nil {
			running = append(running, dir)
		} else {
			stopped = append(stopped, dir)
		}
	}
	return running, stopped, closed, nil
}

// listed returns the last of these folders, each on a line of its own.
func listed(dirs []string) string {
	text := ""
	if more := len(dirs) - maxListed; more > 0 {
		text, dirs = fmt.Sprintf("\n%d more", more), dirs[more:]
	}
	return "\n" + strings.Join(dirs, "\n") + text
}

// notRunning says of a session that nobody runs how it ended, and what to do.
func notRunning(ctx context.Context, dir string) error {
	var record tasks.Session
	err := folder.ReadOnly(ctx, dir, func(ctx context.Context, l *ledger.Ledger) (err error) {
		record, err = l.Session(ctx)
		return err
	})
	resume := "go on with: poscrape resume " + shell.Word(dir)
	switch {
	case err != nil:
		return control.Errorf(control.NotRunning, "the session in %s does not run, and its ledger cannot be read: %w", dir, err)
	case record.Status == tasks.SessionCompleted:
		return control.Errorf(control.NotRunning, "the session in %s has ended: see %s", dir, filepath.Join(dir, "report.html"))
	case ended(record.Status):
		return control.Errorf(control.NotRunning, "the session in %s does not run any more (%s%s); %s", dir, record.Status, because(record.Reason), resume)
	}
	return control.Errorf(control.NotRunning, "no process runs the session in %s, whose last run has recorded no end (it stands as %s); %s", dir, record.Status, resume)
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + reason
}
