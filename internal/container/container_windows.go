package container

import (
	"errors"
	"os"
	"os/exec"
)

func userLimits() map[string]uint64 { return nil }

func leadGroup(*exec.Cmd) {}

// probe: here nobody can say, so that only the engine's word counts.
func probe(*os.Process) error { return errors.Join(os.ErrProcessDone, errors.ErrUnsupported) }

func noProcess(int) bool { return false }

func findChrome(string, string) (pid int, start uint64) { return 0, 0 }

func killGroup(int, uint64) {}
