//go:build !linux

package main

import (
	"errors"
	"os/exec"
	"time"
)

// errNotLinux: what is measured is read from /proc.
var errNotLinux = errors.New("the benchmark reads CPU time and memory from /proc, so it runs on Linux only")

var errUnreadable = errNotLinux

func adoptOrphans() error { return errNotLinux }

func shield(*exec.Cmd) {}

func awaitExit(int) error { return errNotLinux }

func memory(int) (int64, error) { return 0, errNotLinux }

func processorTime(int) (map[int]time.Duration, error) { return nil, errNotLinux }

func reap(...int) (time.Duration, []int, error) { return 0, nil, errNotLinux }
