//go:build !linux

package main

import (
	"errors"
	"os"
	"os/exec"
	"time"
)

// runAlone runs the command to its end and returns its exit code. This system
// does not hand orphans to an ancestor, so it searches for none.
func runAlone(command []string, temp string, _ time.Duration,
	_ <-chan os.Signal, stdout, stderr *os.File,
) (code int, left []string, err error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = environment(temp)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, stdout, stderr
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return 0, nil, err
	}
	return cmd.ProcessState.ExitCode(), nil, nil
}
