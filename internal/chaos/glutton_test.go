//go:build linux

package chaos

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"testing"
	"time"
)

// gluttonVariable has the test's program take memory or processors, as it is told on standard input,
// and end with that.
const gluttonVariable = "POSCRAPE_CHAOS_GLUTTON"

// beGlutton is the program.
func beGlutton() {
	lines := bufio.NewScanner(os.Stdin)
	var taken [][]byte
	for lines.Scan() {
		var megabytes int
		if _, err := fmt.Sscanf(lines.Text(), "take %d", &megabytes); err == nil {
			part := make([]byte, megabytes<<20)
			for i := 0; i < len(part); i += 4096 {
				part[i] = 1
			}
			taken = append(taken, part)
			continue
		}
		for range runtime.NumCPU() {
			go func() {
				for n := 0; ; n++ {
					runtime.KeepAlive(n)
				}
			}()
		}
	}
	runtime.KeepAlive(taken)
}

// glutton is another program in the cage.
type glutton struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
}

func newGlutton(t *testing.T, c *cage) *glutton {
	t.Helper()
	args := append(c.around(), os.Args[0])
	g := &glutton{t: t, cmd: exec.Command(args[0], args[1:]...)}
	g.cmd.Env = append(slices.Clone(os.Environ()), gluttonVariable+"=1")
	var err error
	if g.in, err = g.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := g.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.end)
	return g
}

// takes has it take so many megabytes more, ten at a time, at so many per second.
func (g *glutton) takes(megabytes, perSecond int) {
	g.t.Helper()
	ticker := time.NewTicker(10 * time.Second / time.Duration(perSecond))
	defer ticker.Stop()
	for ; megabytes > 0; megabytes -= 10 {
		<-ticker.C
		g.tell("take 10")
	}
}

// burns has it keep all processors busy.
func (g *glutton) burns() { g.t.Helper(); g.tell("burn") }

func (g *glutton) tell(what string) {
	g.t.Helper()
	if _, err := fmt.Fprintln(g.in, what); err != nil {
		g.t.Error(err)
	}
}

// end ends it; it may be called twice.
func (g *glutton) end() {
	_ = g.in.Close()
	_ = g.cmd.Wait()
}
