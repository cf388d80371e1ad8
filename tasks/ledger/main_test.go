package ledger

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/queuetest"
)

// childFile names the session file for a process of ours that works on it until
// it is killed.
const childFile = "POSCRAPE_TEST_LEDGER"

func TestMain(m *testing.M) {
	if path := os.Getenv(childFile); path != "" {
		if err := workForever(path); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
	}
	goleak.VerifyTestMain(testkit.OwnState{M: m})
}

func TestConforms(t *testing.T) {
	t.Parallel()
	queuetest.Run(t, func(t *testing.T) tasks.TaskQueue { return openNew(t) })
}

func newPath(tb testing.TB) string {
	tb.Helper()
	return filepath.Join(tb.TempDir(), "session.db")
}

func openNew(tb testing.TB) *Ledger {
	tb.Helper()
	return openAt(tb, newPath(tb))
}

// openAt opens a ledger that is closed when the test ends, if not before.
func openAt(tb testing.TB, path string) *Ledger {
	tb.Helper()
	l, err := Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { closeLedger(tb, l) })
	return l
}

func closeLedger(tb testing.TB, l *Ledger) {
	tb.Helper()
	if err := l.Close(); err != nil {
		tb.Error(err)
	}
}

func claimOne(tb testing.TB, l *Ledger, worker string) *tasks.Lease {
	tb.Helper()
	leases, err := l.Claim(tb.Context(), tasks.ClaimRequest{Worker: worker})
	if err != nil {
		tb.Fatal(err)
	}
	return leases[0]
}

// startChild starts a process that does the tasks of the session file, and
// returns the lines that it prints: the key of each task that it has recorded.
func startChild(t *testing.T, path string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), childFile+"="+path)
	out, err := child.StdoutPipe()
	testkit.Must(t, err)
	testkit.Must(t, child.Start())
	return child, bufio.NewScanner(out)
}

// workForever records one task after the other, and never lets go of the last.
func workForever(path string) error {
	l, err := Open(path)
	if err != nil {
		return err
	}
	ctx, worker := background, "worker_001"
	for {
		leases, err := l.Claim(ctx, tasks.ClaimRequest{Worker: worker, Max: 2})
		if err != nil {
			return err
		}
		if err := l.Start(ctx, leases[0]); err != nil {
			return err
		}
		if len(leases) == 1 {
			fmt.Println("holds", leases[0].Task.Key)
			select {}
		}
		if err := l.Record(ctx, leases[0], completed()); err != nil {
			return err
		}
		fmt.Println(leases[0].Task.Key)
		if err := l.Record(ctx, leases[1], tasks.Decision{To: tasks.StatePending, Released: true}); err != nil {
			return err
		}
	}
}
