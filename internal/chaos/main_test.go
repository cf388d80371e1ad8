//go:build linux

package chaos

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/internal/testkit/chromekit"
)

var (
	full = flag.Bool("chaos", false, "inject every fault as often as it must be seen, and write docs/chaos.md")
	seed = flag.Uint64("seed", uint64(time.Now().UnixNano()), "of everything that is random; each test logs it")
)

func TestMain(m *testing.M) {
	if os.Getenv(gluttonVariable) != "" {
		beGlutton()
		return
	}
	flag.Parse()
	chromekit.NoSandbox() // sets its variable, for the programs
	goleak.VerifyTestMain(testkit.OwnState{M: m}, goleak.Cleanup(func(code int) {
		if err := os.RemoveAll(filepath.Dir(built.path)); err != nil && built.path != "" {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
		os.Exit(code)
	}))
}

// flagsVariable names the environment's variable with the flags that make test builds the tests
// with. The program is built with the same, so that nearly all that is compiled for one serves
// the other, and so that the race detector sees what faults do to it. A plain go test sets none.
const flagsVariable = "POSCRAPE_BUILD_FLAGS"

// built is the program once it is built.
var built struct {
	once sync.Once
	path string
	err  error
}

// program returns the path of a poscrape that can be told to die.
func program(t *testing.T) string {
	t.Helper()
	built.once.Do(func() {
		dir, err := os.MkdirTemp("", "chaos-") //nolint:usetesting // it outlives the test that builds it
		if err != nil {
			built.err = err
			return
		}
		built.path = filepath.Join(dir, "poscrape")
		args := append([]string{"build", "-tags", "chaos", "-o", built.path}, strings.Fields(os.Getenv(flagsVariable))...)
		out, err := exec.Command("go", append(args, "github.com/poscrape/poscrape/cmd/poscrape")...).CombinedOutput()
		if err != nil {
			built.err = fmt.Errorf("building poscrape: %w\n%s", err, out)
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return built.path
}

// beside lets a test of the short selection run beside others. The full suite
// runs one at a time: it measures how long recovery takes.
func beside(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds poscrape and starts Chromes")
	}
	if !*full {
		t.Parallel()
	}
	t.Logf("seed %d", *seed)
}

// fullOnly passes by a test that the short selection has no time for.
func fullOnly(t *testing.T) {
	t.Helper()
	if !*full {
		t.Skip("part of make chaos")
	}
	t.Logf("seed %d", *seed)
}
