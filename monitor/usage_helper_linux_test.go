package monitor

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	helperVariable = "POSCRAPE_USAGE_HELPER"
	helperBytes    = 64 << 20
	helperBurn     = 300 * time.Millisecond
)

// TestUsageHelper is no test: it is the program of the processes that the others
// measure. It maps the file that it is given, writes all over it, and does at each
// line of its standard input what that says, and then reports its processor time.
func TestUsageHelper(t *testing.T) {
	file := os.Getenv(helperVariable)
	if file == "" {
		t.Skip("it runs only as a process of its own")
	}
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	shared, err := syscall.Mmap(int(f.Fd()), 0, helperBytes, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < helperBytes; i += os.Getpagesize() {
		shared[i]++
	}
	for orders := bufio.NewScanner(os.Stdin); orders.Scan(); {
		for end := processorTime() + helperBurn; orders.Text() == "burn" && processorTime() < end; {
			shared[0]++
		}
		fmt.Println("used", processorTime().Microseconds())
	}
}

func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// helper is a process that is measured.
type helper struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

// startHelper starts one in the group with this id, or in a new one of its own
// for 0, and returns when it has touched its memory.
func startHelper(t *testing.T, group int, file string) *helper {
	t.Helper()
	h := &helper{cmd: exec.Command(os.Args[0], "-test.run=^TestUsageHelper$")}
	h.cmd.Env = append(os.Environ(), helperVariable+"="+file)
	h.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: group}
	var err error
	if h.in, err = h.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := h.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	h.out = bufio.NewScanner(out)
	if err := h.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.end)
	h.do(t, "begin")
	return h
}

// end has it end, and returns when it has. It may be called again.
func (h *helper) end() {
	_ = h.in.Close()
	for h.out.Scan() { // to the end of what it says
	}
	_ = h.cmd.Wait()
}

// do gives it an order and returns its processor time after that.
func (h *helper) do(t *testing.T, order string) time.Duration {
	t.Helper()
	if _, err := fmt.Fprintln(h.in, order); err != nil {
		t.Fatal(err)
	}
	for h.out.Scan() {
		if micro, ok := strings.CutPrefix(h.out.Text(), "used "); ok {
			n, err := strconv.Atoi(micro)
			if err != nil {
				t.Fatal(err)
			}
			return time.Duration(n) * time.Microsecond
		}
	}
	t.Fatalf("the helper has ended: %v", h.out.Err())
	return 0
}
