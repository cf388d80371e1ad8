package protocol

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestOptionsAreReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	want := Options{
		Sheet: "orders.csv", Out: "out dir", Workers: 3, Mode: ModeDocuments, Patience: 3100 * time.Millisecond,
		Chrome: "/usr/bin/chrome", Variant: "tabs", Recipe: "recipe.yaml",
	}
	got, err := Parse(want.Args())
	if err != nil || got != want {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
	}
	if _, err := Parse([]string{"--workers", "0"}); err == nil {
		t.Error("no worker at all was accepted")
	}
}

func TestSheetIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	want := []Order{{"PO1", "http://127.0.0.1/orders/PO1"}, {"PO2", "http://127.0.0.1/orders/PO2"}}
	got, err := Options{Sheet: sheetOf(t, want)}.Orders()
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	other := filepath.Join(t.TempDir(), "other.csv")
	if err := os.WriteFile(other, []byte("number,address\n1,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (Options{Sheet: other}).Orders(); err == nil {
		t.Error("a sheet with other columns was accepted")
	}
}

func TestExtractionIsACall(t *testing.T) {
	t.Parallel()
	got := Extraction(3100 * time.Millisecond)
	if !strings.HasPrefix(got, "(") || !strings.HasSuffix(got, ")(3100)") {
		t.Errorf("%.20q ... %q is no call with the milliseconds", got, got[len(got)-20:])
	}
}

func sheetOf(t *testing.T, orders []Order) string {
	t.Helper()
	var text bytes.Buffer
	if err := WriteSheet(&text, orders); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "orders.csv")
	if err := os.WriteFile(name, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// standIn is a worker that needs no browser.
type standIn struct {
	fail   string
	closed *sync.Map
	n      int
}

var errBroken = errors.New("broken")

func (w standIn) Do(_ context.Context, o Order) (Result, error) {
	if o.PO == w.fail {
		return Result{}, errBroken
	}
	return Result{PO: o.PO}, nil
}

func (w standIn) Close() error { w.closed.Store(w.n, true); return nil }

func TestEachOrderIsDoneOnce(t *testing.T) {
	t.Parallel()
	var orders []Order
	for i := range 50 {
		orders = append(orders, Order{PO: "PO" + strconv.Itoa(i), URL: "http://x"})
	}
	var out bytes.Buffer
	var closed sync.Map
	args := Options{Sheet: sheetOf(t, orders), Workers: 4}.Args()
	err := run(args, &Writer{to: &out}, func(_ context.Context, _ Options, n int) (Worker, error) {
		return standIn{closed: &closed, n: n}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	done := map[string]int{}
	for line := range strings.Lines(out.String()) {
		var r Result
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		done[r.PO]++
	}
	for _, o := range orders {
		if done[o.PO] != 1 {
			t.Errorf("%s was done %d times", o.PO, done[o.PO])
		}
	}
	for n := range 4 {
		if _, ok := closed.Load(n); !ok {
			t.Errorf("worker %d was not closed", n)
		}
	}
}

func TestTheFirstErrorEndsTheTool(t *testing.T) {
	t.Parallel()
	args := Options{Sheet: sheetOf(t, []Order{{"PO1", "x"}, {"PO2", "x"}}), Workers: 1}.Args()
	var closed sync.Map
	var out bytes.Buffer
	err := run(args, &Writer{to: &out}, func(_ context.Context, _ Options, n int) (Worker, error) {
		return standIn{fail: "PO1", closed: &closed, n: n}, nil
	})
	if !errors.Is(err, errBroken) || !strings.Contains(err.Error(), "PO1") || out.Len() > 0 {
		t.Errorf("error %v and output %q, want one that names PO1, and none", err, &out)
	}
	if _, ok := closed.Load(0); !ok {
		t.Error("the worker was not closed")
	}
	err = run(args, &Writer{to: &out}, func(context.Context, Options, int) (Worker, error) { return nil, errBroken })
	if !errors.Is(err, errBroken) {
		t.Errorf("error %v, want that of opening", err)
	}
}
