package documents_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/uuid"
	"go.uber.org/goleak"

	"github.com/poscrape/poscrape/session/documents"
	"github.com/poscrape/poscrape/tasks"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// bench is a Store in a folder of its own, with one order.
type bench struct {
	*documents.Store
	t     *testing.T
	queue *tasks.Memory
	order *tasks.ProcessingTask
}

func newBench(t *testing.T) *bench {
	t.Helper()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	queue := tasks.NewMemory()
	if _, err := queue.Enqueue(t.Context(), tasks.Spec{Key: "1", PO: "PO1"}); err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, queue: queue, Store: documents.New(documents.Config{Dir: dir, Root: root, Queue: queue, Log: slog.New(slog.DiscardHandler)})}
	err = queue.Each(t.Context(), func(task *tasks.ProcessingTask) error {
		b.order = task
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	b.prepare()
	return b
}

func (b *bench) prepare() {
	b.t.Helper()
	if err := b.Prepare(); err != nil {
		b.t.Fatal(err)
	}
}

// published is the result of an attempt that has brought one document and published it.
func (b *bench) published(attempt int, text string) (*tasks.Lease, *tasks.Result) {
	b.t.Helper()
	staging := filepath.Join(b.Staging(), uuid.NewString())
	if err := os.Mkdir(staging, 0o700); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(staging, "a.pdf"), []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
	lease := &tasks.Lease{Task: b.order, Attempt: int64(attempt)}
	res := &tasks.Result{Outcome: tasks.OutcomeComplete, Folder: "PO1", Staging: staging,
		Attachments: []tasks.Attachment{{Name: "a.pdf", Staged: "a.pdf", State: tasks.AttachmentDone, Size: int64(len(text))}}}
	if err := b.Publish(b.t.Context(), lease, res); err != nil {
		b.t.Fatal(err)
	}
	return lease, res
}

// holds checks what is in the document's place; "" is nothing.
func (b *bench) holds(want string) {
	b.t.Helper()
	text, err := os.ReadFile(filepath.Join(b.Dir, "orders", "PO1", "a.pdf"))
	if string(text) != want || (want == "") != os.IsNotExist(err) {
		b.t.Errorf("the document's place holds %q (%v), want %q", text, err, want)
	}
}

func TestAnAttemptThatIsNotRecordedIsTakenBack(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	lease, res := b.published(1, "first")
	b.holds("first")
	b.Settle(lease, res, false)
	b.holds("")
	if _, err := os.Stat(filepath.Join(b.Dir, "orders", "PO1")); !os.IsNotExist(err) {
		t.Errorf("the order's empty folder is there: %v", err)
	}
}

func TestALateAttemptTakesNothingOfTheNextOneBack(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	late, lost := b.published(1, "first")
	lease, res := b.published(2, "second")
	b.Settle(late, lost, false)
	b.holds("second")
	b.Settle(lease, res, true)
	b.holds("second")
}

func TestWhatWasNotRecordedIsTakenBackByRecover(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.published(1, "first")
	if err := b.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.holds("")
	if _, err := os.Stat(b.Staging()); !os.IsNotExist(err) {
		t.Errorf("the staging directory is there: %v", err)
	}
	b.prepare()
}

// Attempts at one order change its folder one after the other, in any order of coming.
func TestManyAttemptsAtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var all sync.WaitGroup
	for n := range 20 {
		all.Go(func() {
			lease, res := b.published(n+1, "same")
			if n%2 == 0 {
				b.Settle(lease, res, false)
			}
		})
	}
	all.Wait()
	if err := b.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.holds("")
}

// TestOriginOf: the mark of a document names no query, user or fragment.
func TestOriginOf(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://user:pass@portal.example:8443/a%2Fb/inv%20oice.pdf?token=secret#page=2": "https://portal.example:8443/a%2Fb/inv%20oice.pdf",
		"http://127.0.0.1/x": "http://127.0.0.1/x", "data:...": "", "javascript:alert(1)": "", "file:///etc/passwd": "", "": "", "://": "",
		"https://portal.example/a\r\nZoneId=0": "",
	} {
		if got := documents.OriginOf(address); got != want {
			t.Errorf("%q came from %q, want %q", address, got, want)
		}
	}
}
