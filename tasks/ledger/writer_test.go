package ledger

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/tasks"
)

// TestGatherTakesAllThatWait: what arrives while the disk is busy shares the next
// transaction, and so its sync.
func TestGatherTakesAllThatWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &writer{ops: make(chan *op)}
		var senders sync.WaitGroup
		for range maxBatch + 10 {
			senders.Go(func() { w.ops <- &op{} })
		}
		synctest.Wait()
		if n := len(w.gather(&op{})); n != maxBatch {
			t.Errorf("the first batch has %d operations", n)
		}
		synctest.Wait()
		if n := len(w.gather(<-w.ops)); n != 11 {
			t.Errorf("the second batch has %d operations", n)
		}
		senders.Wait()
	})
}

// execWithin runs statements on the connection that writes.
func execWithin(t *testing.T, l *Ledger, statements ...string) {
	t.Helper()
	testkit.Must(t, l.write(t.Context(), "a test", &op{run: func(time.Time) error {
		for _, statement := range statements {
			if _, err := l.owner.writer.tx.conn.ExecContext(background, statement); err != nil {
				return err
			}
		}
		return nil
	}}))
}

// TestFullDisk lets SQLite run out of pages in the middle of an operation: that
// one fails with its reason, and everything else goes on.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	l := openNew(t)
	testkit.Must(t, errOf(l.Enqueue(t.Context(), manySpecs(2)...)))
	lease := claimOne(t, l, "w")
	testkit.Must(t, l.Start(t.Context(), lease))
	execWithin(t, l, "PRAGMA max_page_count = 40")
	err := errOf(l.Enqueue(t.Context(), manySpecs(2000)...))
	var refused *FileError
	if !errors.As(err, &refused) || !errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EIO) || !strings.Contains(err.Error(), "disk is full") || !strings.Contains(err.Error(), l.path) {
		t.Errorf("Enqueue on a full disk: %v", err)
	}
	if s, err := l.Stats(t.Context()); err != nil || s.Total != 2 {
		t.Errorf("stats after it: %+v, %v", s, err)
	}
	execWithin(t, l, "PRAGMA max_page_count = 100000")
	testkit.Must(t, l.Record(t.Context(), lease, completed()))
	testkit.Must(t, errOf(l.Enqueue(t.Context(), manySpecs(2000)...)))
}

// TestFileInUse holds the file from another program for longer than the ledger
// waits: what cannot be written is refused, claims that wait learn it too.
func TestFileInUse(t *testing.T) {
	t.Parallel()
	l := openNew(t)
	testkit.Must(t, errOf(l.Enqueue(t.Context(), manySpecs(1)...)))
	lease := claimOne(t, l, "w")
	waiting := make(chan error, 1)
	go func() {
		_, err := l.Claim(t.Context(), tasks.ClaimRequest{Worker: "w2"})
		waiting <- err
	}()
	execWithin(t, l, "PRAGMA busy_timeout = 1")
	db, err := connect(l.path, readWrite)
	testkit.Must(t, err)
	other, err := db.Conn(t.Context())
	testkit.Must(t, err)
	_, err = other.ExecContext(t.Context(), "BEGIN IMMEDIATE")
	testkit.Must(t, err)
	var refused *FileError
	for range 2 {
		if err := l.Start(t.Context(), lease); !errors.As(err, &refused) || !strings.Contains(err.Error(), "in use by another program") {
			t.Errorf("Start: %v", err)
		}
	}
	if err := <-waiting; !errors.As(err, &refused) {
		t.Errorf("the claim that waited: %v", err)
	}
	_, err = other.ExecContext(t.Context(), "ROLLBACK")
	testkit.Must(t, errors.Join(err, other.Close(), db.Close()))
	testkit.Must(t, l.Start(t.Context(), lease))
}

// TestFailedOperationSpoilsNoOther puts a failing operation between two others in
// one transaction.
func TestFailedOperationSpoilsNoOther(t *testing.T) {
	t.Parallel()
	l := openNew(t)
	w := l.owner.writer
	holding, let := make(chan struct{}), make(chan struct{})
	holder := &op{run: func(time.Time) error { close(holding); <-let; return nil }}
	testkit.Must(t, w.submit(t.Context(), holder))
	<-holding
	broken := errors.New("broken on purpose")
	add := func(key string, then error) *op {
		return &op{run: func(now time.Time) error {
			_, err := w.tx.add(tasks.Spec{Key: key}, now)
			return errors.Join(err, then)
		}}
	}
	ops := []*op{add("a", nil), add("b", broken), add("c", nil)}
	var all sync.WaitGroup
	errs := make([]error, len(ops))
	for i, o := range ops {
		all.Go(func() { errs[i] = w.do(t.Context(), o) })
	}
	close(let)
	all.Wait()
	if errs[0] != nil || !errors.Is(errs[1], broken) || errs[2] != nil {
		t.Errorf("errors: %v", errs)
	}
	if s, err := l.Stats(t.Context()); err != nil || s.Total != 2 {
		t.Errorf("stats %+v, %v", s, err)
	}
}

// TestClaimsDoNotWaitForASync: what needs no sync is done, and answered, before
// what needs one.
func TestClaimsDoNotWaitForASync(t *testing.T) {
	t.Parallel()
	outcome, quick, tasksAdded, event := &op{durable: true}, &op{claim: &claim{}}, &op{durable: true}, &op{}
	first, second := split([]*op{outcome, quick, tasksAdded, event})
	if !slices.Equal(first, []*op{quick, event}) || !slices.Equal(second, []*op{outcome, tasksAdded}) {
		t.Errorf("first %v, then %v", first, second)
	}
}

// TestOutcomesAreSynced asks SQLite how it will commit what it is at.
func TestOutcomesAreSynced(t *testing.T) {
	t.Parallel()
	const normal, full = 1, 2
	l := openNew(t)
	for _, durable := range []bool{false, true, true, false} {
		var got int
		testkit.Must(t, l.write(t.Context(), "a test", &op{durable: durable, run: func(time.Time) error {
			return l.owner.writer.tx.row("PRAGMA synchronous").Scan(&got)
		}}))
		want := normal
		if durable {
			want = full
		}
		if got != want {
			t.Errorf("durable %t: synchronous is %d, want %d", durable, got, want)
		}
	}
}

func TestEachMayCallTheLedger(t *testing.T) {
	t.Parallel()
	l := openNew(t)
	testkit.Must(t, errOf(l.Enqueue(t.Context(), manySpecs(20)...)))
	visits := 0
	testkit.Must(t, l.Each(t.Context(), func(task *tasks.ProcessingTask) error {
		visits++
		lease := claimOne(t, l, "w")
		if err := l.Start(t.Context(), lease); err != nil {
			return err
		}
		if task.State != tasks.StatePending {
			t.Errorf("%s is %s, but Each began before", task.Key, task.State)
		}
		return l.Record(t.Context(), lease, completed())
	}))
	if visits != 20 {
		t.Errorf("%d visits", visits)
	}
}

// TestCloseWaitsForReaders closes while Each is under way: its visits go on, what
// they ask for is refused.
func TestCloseWaitsForReaders(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	l := openAt(t, path)
	testkit.Must(t, errOf(l.Enqueue(t.Context(), manySpecs(5)...)))
	closed := make(chan error, 1)
	visits := 0
	err := l.Each(t.Context(), func(task *tasks.ProcessingTask) error {
		if visits++; visits == 1 {
			go func() { closed <- l.Close() }()
			<-l.owner.writer.stopped
		}
		err := l.AppendEvent(t.Context(), tasks.Event{Type: tasks.EventNotice})
		if !errors.Is(err, tasks.ErrClosed) {
			t.Errorf("AppendEvent while closing: %v", err)
		}
		return nil
	})
	if err != nil || visits != 5 {
		t.Errorf("Each: %v after %d visits", err, visits)
	}
	testkit.Must(t, <-closed)
	wantAlone(t, path)
}

func TestCancelledRead(t *testing.T) {
	t.Parallel()
	l := openNew(t)
	stop := errors.New("stopped by hand")
	ctx, cancel := context.WithCancelCause(t.Context())
	testkit.Must(t, errOf(l.Enqueue(ctx, manySpecs(5)...)))
	err := l.Each(ctx, func(*tasks.ProcessingTask) error { cancel(stop); return nil })
	if !errors.Is(err, stop) {
		t.Errorf("Each: %v, want the cause", err)
	}
}
