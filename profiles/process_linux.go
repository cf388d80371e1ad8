package profiles

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// processStart returns when the process started, in clock ticks since the
// machine's start, and which start of the machine that was; 0 if the process is
// gone already.
func processStart(pid int) (ticks uint64, boot string) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, ""
	}
	// The second field is the command in parentheses, and may hold anything.
	// Behind it, the start is the twentieth field, see proc_pid_stat(5).
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 20 {
		return 0, ""
	}
	ticks, err = strconv.ParseUint(string(fields[19]), 10, 64)
	if err != nil {
		return 0, ""
	}
	return ticks, bootID()
}

func bootID() string {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(id))
}
