package session

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/breaker"
	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/session/worker"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// withoutChrome returns a session of n orders, with an opener that opens nothing.
func withoutChrome(b *testing.B, n int) *ProcessingSession {
	b.Helper()
	var rows strings.Builder
	rows.WriteString("po,supplier,amount,currency,url\n")
	for i := range n {
		fmt.Fprintf(&rows, "PO%08d,Supplier GmbH & Co. KG,5099.00,EUR,http://127.0.0.1:1/orders/%08d\n", i, i)
	}
	s := withoutBrowsers(b, rows.String())
	s.workers = worker.NewOpener(worker.Config{Portal: s.portals.ByName()[""], Breaker: s.breaker, Leaving: s.life.Leaving})
	return s
}

// immediate is a worker that needs no time for an order without documents, and
// asks the breaker as a browser's worker does.
type immediate struct {
	breaker *breaker.Breaker
	ended   func()
}

func (w immediate) Do(ctx context.Context, task *tasks.ProcessingTask) (*tasks.Result, error) {
	pass, err := w.breaker.Admit(ctx, task, func() bool { return false })
	if err != nil {
		return nil, err
	}
	defer pass.End()
	w.ended()
	res := &tasks.Result{Outcome: tasks.OutcomeNoAttachments, Executor: tasks.ExecutorFetch, URL: task.URL,
		Folder: task.PO, Fields: map[string]tasks.Field{}, PhaseMS: map[string]float64{"navigate": 1.5, "extract": 2.5}}
	for _, name := range []string{"supplier", "total", "currency", "issued", "buyer"} {
		res.Fields[name] = tasks.Field{Raw: "Supplier GmbH & Co. KG", Value: "Supplier GmbH & Co. KG", Type: "text"}
	}
	return tasks.WithFacts(res, nil, tasks.Facts{Host: pass.Observe(ctx, res, nil)})
}

func (immediate) Room() int                   { return 8 }
func (immediate) Fit() error                  { return nil }
func (immediate) Close(context.Context) error { return nil }
func (immediate) Info() pool.Info             { return pool.Info{} }

// pace measures the first and the last thousand orders of a run.
type pace struct {
	n       int64
	ended   atomic.Int64
	began   time.Time     // with the first order
	first   time.Duration // for the first thousand
	late    time.Time     // when the last thousand began
	last    time.Duration
	at, end uint64 // bytes of heap in use after the first thousand, and at the end
}

func (p *pace) count() {
	switch p.ended.Add(1) {
	case 1:
		p.began = time.Now()
	case 1000:
		p.first = time.Since(p.began)
		p.at = heapInUse()
	case p.n - 1000:
		p.late = time.Now()
	case p.n:
		p.last = time.Since(p.late)
		p.end = heapInUse()
	}
}

func heapInUse() uint64 {
	runtime.GC()
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	return mem.HeapInuse
}

// BenchmarkSession is a session of 10,000 orders whose workers need no time: what
// all of poscrape but the browsers costs, and whether that grows.
func BenchmarkSession(b *testing.B) {
	const orders = 10_000
	for b.Loop() {
		b.StopTimer()
		s := withoutChrome(b, orders)
		b.StartTimer()
		run := &pace{n: orders}
		runWithout(b, s, run)
		b.ReportMetric(1000/run.first.Seconds(), "first-orders/s")
		b.ReportMetric(run.first.Seconds()/run.last.Seconds(), "last/first")
		b.ReportMetric(float64(run.at)/1e6, "first-MB")
		b.ReportMetric(float64(run.end)/1e6, "last-MB")
	}
}

// runWithout does what Run does, with workers that need no time.
func runWithout(b *testing.B, s *ProcessingSession, run *pace) {
	b.Helper()
	p, err := s.newPool(func(context.Context, string) (pool.Worker, error) { return immediate{s.breaker, run.count}, nil })
	testkit.Must(b, err)
	_, err = s.life.Begin(p)
	testkit.Must(b, err)
	end, err := s.finish(b.Context(), p, s.work(b.Context(), p), time.Now())
	testkit.Must(b, err)
	if end.Status != tasks.SessionCompleted || end.ByOutcome[tasks.OutcomeNoAttachments] != int(run.n) {
		b.Fatalf("the session ended %s (%s), %v", end.Status, end.Reason, end.ByOutcome)
	}
}

// largeVariable names the environment's variable that lets BenchmarkLarge run.
const largeVariable = "POSCRAPE_BENCH_LARGE"

// BenchmarkLarge is a session of 100,000 orders: storing them, claiming them, and
// writing the report in a process of its own. It takes a minute, and runs only
// where POSCRAPE_BENCH_LARGE is set.
func BenchmarkLarge(b *testing.B) {
	if os.Getenv(largeVariable) == "" {
		b.Skipf("takes a minute; set %s=1 to run it", largeVariable)
	}
	const orders = 100_000
	for b.Loop() {
		s := withoutChrome(b, orders)
		b.ReportMetric(enqueueAgain(b, s).Seconds(), "enqueue-s")
		run := &pace{n: orders}
		runWithout(b, s, run)
		b.ReportMetric(orders/run.late.Add(run.last).Sub(run.began).Seconds(), "orders/s")
		b.ReportMetric(run.first.Seconds()/run.last.Seconds(), "last/first")
		r := reportApart(b, s.cfg.Out)
		b.ReportMetric(r.Seconds, "report-s")
		b.ReportMetric(r.PeakMB, "report-MB")
		b.ReportMetric(r.ClaimP50, "claim-p50-ms")
		b.ReportMetric(r.ClaimP99, "claim-p99-ms")
	}
}

// enqueueAgain returns how long it takes to store the session's orders in a new
// session file.
func enqueueAgain(b *testing.B, s *ProcessingSession) time.Duration {
	b.Helper()
	sheet, err := setup.ReadSheet(s.cfg, setup.Recipes{{Recipe: scrape.AutoRecipe()}})
	testkit.Must(b, err)
	specs := sheet.Specs()
	l, err := ledger.Open(filepath.Join(b.TempDir(), folder.LedgerName))
	testkit.Must(b, err)
	began := time.Now()
	_, err = l.Enqueue(b.Context(), specs...)
	took := time.Since(began)
	testkit.Must(b, err)
	testkit.Must(b, l.Close())
	return took
}

// reportApart has a process of its own write the report of a session.
func reportApart(b *testing.B, dir string) (r ReportFigures) {
	b.Helper()
	child := exec.CommandContext(b.Context(), os.Args[0])
	child.Env = append(os.Environ(), ReportVariable+"="+dir)
	child.Stderr = os.Stderr
	out, err := child.Output()
	testkit.Must(b, err)
	testkit.Must(b, json.Unmarshal(out, &r))
	return r
}
