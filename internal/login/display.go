package login

import (
	"os"
	"runtime"
)

// HasDisplay reports whether this machine has a display, as far as its environment says.
func HasDisplay() bool {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return true
	}
	return os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
}
