package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// onEndFlag names the command that is run at the end. Its variable is kept from that command,
// which may be another poscrape.
const onEndFlag = "on-end"

// hookLinger is how long what a command has left behind may keep standard error open.
const hookLinger = 2 * time.Second

// atEnd runs the command of --on-end, if there is one, and waits for it; the next signal ends it.
// It returns what there is to say about it.
func (p *program) atEnd(ctx context.Context, command string, end session.End, code int, signals <-chan os.Signal) []session.Notice {
	if command == "" || end.Dir == "" {
		return nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	hook := shellFor(ctx, command)
	hook.Env = append(hookEnvironment(os.Environ()), endVariables(end, code)...)
	hook.Stdout, hook.Stderr, hook.WaitDelay = p.stderr, p.stderr, hookLinger
	_, err := attend(func() (struct{}, error) { return struct{}{}, hook.Run() }, signals, func(os.Signal) bool {
		cancel(errInterrupted)
		return false
	})
	switch {
	case err == nil:
		return nil
	case errors.Is(context.Cause(ctx), errInterrupted):
		err = errors.New("it was interrupted")
	}
	return []session.Notice{{Level: session.NoticeWarning, Message: fmt.Sprintf("the command of --%s failed: %v; the exit code stays %d", onEndFlag, err, code)}}
}

// shellFor returns a command of the system's shell.
func shellFor(ctx context.Context, command string) *exec.Cmd {
	if runtime.GOOS == "windows" {
		return exec.CommandContext(ctx, "cmd", "/C", command)
	}
	return exec.CommandContext(ctx, "/bin/sh", "-c", command)
}

// hookEnvironment returns an environment without the command itself.
func hookEnvironment(all []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(v string) bool { return strings.HasPrefix(v, variable(onEndFlag)+"=") })
}

// endVariables says how a session ended.
func endVariables(end session.End, code int) []string {
	dir, err := filepath.Abs(end.Dir)
	if err != nil {
		dir = end.Dir
	}
	open, notWell := openOrders(end), notWellOrders(end)
	variables := []string{
		"DIR=" + dir, "EXIT_CODE=" + strconv.Itoa(code), "STATUS=" + string(end.Status), "REASON=" + end.Reason,
		"TOTAL=" + strconv.Itoa(end.Total), "OPEN=" + strconv.Itoa(open),
		"WELL=" + strconv.Itoa(end.Total-open-notWell), "NOT_WELL=" + strconv.Itoa(notWell),
		"CONFIRMED=" + strconv.Itoa(end.Confirmed), "LISTED=" + strconv.Itoa(end.Unconfirmed()),
	}
	for _, outcome := range tasks.Outcomes() {
		variables = append(variables, strings.ToUpper(string(outcome))+"="+strconv.Itoa(end.ByOutcome[outcome]))
	}
	for i, v := range variables {
		variables[i] = environmentPrefix + strings.ReplaceAll(v, "\x00", "")
	}
	return variables
}
