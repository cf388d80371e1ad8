package pool_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/pool"
)

func lenders(t *testing.T, cfg pool.LenderConfig) map[string]pool.Lender {
	t.Helper()
	reusable, err := pool.NewReusable(cfg)
	if err != nil {
		t.Fatal(err)
	}
	transient, err := pool.NewTransient(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]pool.Lender{"reusable": reusable, "transient": transient}
}

func get(t *testing.T, l pool.Lender) *pool.Loan {
	t.Helper()
	loan, err := l.Get(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return loan
}

func release(t *testing.T, l pool.Lender, loan *pool.Loan, reason error) {
	t.Helper()
	if err := l.Release(t.Context(), loan, reason); err != nil {
		t.Fatal(err)
	}
}

func TestLendersContract(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"reusable", "transient"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				y := &yard{}
				l := lenders(t, pool.LenderConfig{Open: y.open, ID: "worker_002"})[kind]
				if l.Size() != 0 || l.Full() {
					t.Errorf("a new lender has %d workers, full: %v", l.Size(), l.Full())
				}
				a := get(t, l)
				if a.ID != "worker_002" || !a.Fresh || !l.Full() || l.Size() != 1 {
					t.Errorf("lent %+v, size %d, full: %v", a, l.Size(), l.Full())
				}
				reason := errors.New("waited long enough")
				ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, reason)
				defer cancel()
				_, err := l.Get(ctx)
				wantErr(t, "Get from a full lender", err, reason)

				release(t, l, a, nil)
				wantErr(t, "a second Release", l.Release(t.Context(), a, nil), pool.ErrNotLent)
				wantErr(t, "a Release of nothing", l.Release(t.Context(), nil, nil), pool.ErrNotLent)
				b := get(t, l)
				if b.Fresh != (kind == "transient") || (b.Worker == a.Worker) == b.Fresh {
					t.Errorf("after a release, lent %+v", b)
				}
				release(t, l, b, errors.New("worn out"))
				if l.Size() != 0 {
					t.Errorf("a worker that is not fit was kept: size %d", l.Size())
				}
				release(t, l, get(t, l), nil)
				for range 2 {
					if err := l.Terminate(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
				if _, there, _ := y.count(); there != 0 || l.Size() != 0 {
					t.Errorf("after Terminate %d workers are left, size %d", there, l.Size())
				}
				_, err = l.Get(t.Context())
				wantErr(t, "Get after Terminate", err, pool.ErrTerminated)
			})
		})
	}
}

func TestGetWaitsForARelease(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y := &yard{}
		for _, l := range lenders(t, pool.LenderConfig{Open: y.open}) {
			first := get(t, l)
			got := make(chan *pool.Loan)
			go func() {
				loan, err := l.Get(context.Background())
				if err != nil {
					t.Error(err)
				}
				got <- loan
			}()
			synctest.Wait()
			release(t, l, first, nil)
			release(t, l, <-got, nil)
			if err := l.Terminate(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestTerminateWaitsForWhatIsLent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y := &yard{}
		for _, l := range lenders(t, pool.LenderConfig{Open: y.open}) {
			lent := get(t, l)
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			wantMessage(t, l.Terminate(ctx), "its worker is still lent")
			cancel()
			ended := make(chan error)
			go func() { ended <- l.Terminate(context.Background()) }()
			synctest.Wait()
			release(t, l, lent, nil)
			if err := <-ended; err != nil {
				t.Error(err)
			}
			if _, there, _ := y.count(); there != 0 {
				t.Errorf("%d workers are left", there)
			}
		}
	})
}

func TestNoOtherWorkerUntilOneIsGone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		gone := false
		y := &yard{make: func(_ context.Context, w *standIn) error {
			w.close = func(context.Context) error {
				if !gone {
					return errors.New("still there")
				}
				return nil
			}
			return nil
		}}
		for kind, l := range lenders(t, pool.LenderConfig{Open: y.open}) {
			gone = false
			wantMessage(t, l.Release(t.Context(), get(t, l), errors.New("lost")), "closing worker_001", "still there")
			_, err := l.Get(t.Context())
			wantMessage(t, err, "closing worker_001")
			if l.Size() != 1 || l.Full() {
				t.Errorf("%s: size %d, full: %v", kind, l.Size(), l.Full())
			}
			gone = true
			loan := get(t, l)
			if !loan.Fresh {
				t.Errorf("%s: a worker was lent again that had to be closed", kind)
			}
			release(t, l, loan, nil)
			if err := l.Terminate(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestFailedOpenLeavesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y := &yard{make: func(context.Context, *standIn) error { return errNoChrome }}
		for _, l := range lenders(t, pool.LenderConfig{Open: y.open}) {
			for range 3 {
				_, err := l.Get(t.Context())
				wantErr(t, "Get", err, errNoChrome)
			}
			if l.Size() != 0 || l.Full() {
				t.Errorf("size %d, full: %v", l.Size(), l.Full())
			}
		}
	})
}

func TestLenderConfigNamesTheField(t *testing.T) {
	t.Parallel()
	open := (&yard{}).open
	for field, cfg := range map[string]pool.LenderConfig{
		"Open": {}, "StartTimeout": {Open: open, StartTimeout: -1},
	} {
		_, err := pool.NewReusable(cfg)
		wantMessage(t, err, field)
		_, err = pool.NewTransient(cfg)
		wantMessage(t, err, field)
	}
}
