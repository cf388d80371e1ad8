package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// patience is how long processes get to end after their command has ended: a
// Chrome whose pipe was closed needs a second or two on a busy machine.
const patience = 10 * time.Second

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: leftovers COMMAND [ARG...]")
		os.Exit(2)
	}
	os.Exit(run(os.Args[1:], patience, os.Stdout, os.Stderr))
}

// run runs the command, says on stderr what it left, and returns the exit code.
func run(command []string, patience time.Duration, stdout, stderr *os.File) int {
	temp, err := makeTemp()
	if err != nil {
		fmt.Fprintln(stderr, "leftovers: making a temporary directory:", err)
		return 1
	}
	defer os.RemoveAll(temp)

	// The terminal interrupts the command as well, and the command's end is
	// waited for; a caught signal, unlike an ignored one, is not inherited.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)

	code, processes, err := runAlone(command, temp, patience, signals, stdout, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "leftovers: running %s: %v\n", command[0], err)
		return 1
	}
	files, err := listFiles(temp)
	if err != nil {
		fmt.Fprintln(stderr, "leftovers: looking for files:", err)
		return 1
	}
	if len(processes)+len(files) == 0 {
		return code
	}
	say(stderr, "processes that had not ended after "+patience.String(), processes)
	say(stderr, "files in the temporary directory", files)
	if code == 0 {
		code = 1
	}
	return code
}

// makeTemp makes a directory that, as the system's own, can be used by all: a
// browser may run as another user.
func makeTemp() (string, error) {
	temp, err := os.MkdirTemp("", "pstest-")
	if err != nil {
		return "", err
	}
	return temp, os.Chmod(temp, 0o777|os.ModeSticky)
}

// environment is that of this process, with temp as the temporary directory.
func environment(temp string) []string {
	return append(os.Environ(), "TMPDIR="+temp, "TEMP="+temp, "TMP="+temp)
}

// listFiles returns what lies in the directory, but for the go command's own.
func listFiles(temp string) ([]string, error) {
	entries, err := os.ReadDir(temp)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), "go-") {
			names = append(names, entry.Name())
		}
	}
	return names, nil
}

func say(w io.Writer, what string, things []string) {
	if len(things) == 0 {
		return
	}
	fmt.Fprintf(w, "FAIL: the command left %d %s:\n", len(things), what)
	for _, thing := range things {
		fmt.Fprintln(w, "  "+thing)
	}
}
