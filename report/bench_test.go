package report

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// many is a finished session of n orders that makes them as they are asked for,
// as a ledger does: nothing of them is held but what the report holds. Each has
// two documents, three fields, two lines, and one attempt; every twentieth fails.
type many struct {
	memory
	n int
	// change changes an order before it is visited, unless it is nil.
	change func(*tasks.ProcessingTask)
}

func newMany(n int) *many {
	m := &many{n: n}
	m.addLog()
	m.session.Worked, m.session.EndedAt = time.Hour, noon.Add(time.Hour)
	return m
}

func (m *many) order(i int) *tasks.ProcessingTask {
	po := fmt.Sprintf("PO%08d", 15_000_000+i*7)
	begin := float64(i) / float64(m.n) * 3600
	if i%20 == 19 {
		t := newOrder(i+1, po, tasks.StateFailed, tasks.OutcomeNotFound, i+2)
		t.Failure = tasks.Permanent(tasks.OutcomeNotFound, tasks.ClassNotFound, "the portal has no order %s (HTTP 404)", po)
		t.History = []tasks.Attempt{ended(1, begin, begin+0.5, tasks.OutcomeNotFound, t.Failure)}
		t.History[0].Evidence = []string{"evidence/" + po + "/1-screenshot.png", "evidence/" + po + "/1-page.html"}
		return t
	}
	t := withResult(newOrder(i+1, po, tasks.StateCompleted, tasks.OutcomeComplete, i+2),
		done(po, "contract "+po+".pdf", int64(100_000+i)), done(po, "quote "+po+".pdf", int64(20_000+i)))
	for i := range t.Result.Attachments {
		a := &t.Result.Attachments[i]
		a.SHA256 = fmt.Sprintf("%x", sha256.Sum256([]byte(a.Path)))
	}
	t.History = []tasks.Attempt{ended(1, begin, begin+1+float64(i%50)/10, tasks.OutcomeComplete, nil)}
	return t
}

func (m *many) Each(ctx context.Context, visit func(*tasks.ProcessingTask) error) error {
	for i := range m.n {
		if err := ctx.Err(); err != nil {
			return err
		}
		task := m.order(i)
		if m.change != nil {
			m.change(task)
		}
		if err := visit(task); err != nil {
			return err
		}
	}
	return nil
}

func (m *many) Stats(context.Context) (tasks.Stats, error) { return tasks.Stats{Total: m.n}, nil }

// sizes are numbers of orders: with POSCRAPE_BENCH_LARGE set, more than anybody has as well.
func sizes() []int {
	if os.Getenv("POSCRAPE_BENCH_LARGE") == "" {
		return []int{10_000}
	}
	return []int{10_000, 100_000}
}

func BenchmarkBuild(b *testing.B) {
	for _, n := range sizes() {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				build(b, newMany(n))
			}
		})
	}
}

func BenchmarkWrite(b *testing.B) {
	for _, n := range sizes() {
		r := build(b, newMany(n))
		for _, file := range []struct {
			name  string
			write func(io.Writer) error
		}{{"json", r.WriteJSON}, {"html", r.WriteHTML}, {"results", r.WriteResultsCSV}, {"workbook", r.workbookBeside(filepath.Join(b.TempDir(), WorkbookFile))}, {"failed", r.WriteFailedCSV}} {
			b.Run(fmt.Sprintf("%s/%d", file.name, n), func(b *testing.B) {
				var out counter
				b.ReportAllocs()
				for b.Loop() {
					out = 0
					if err := file.write(&out); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(out)/1e6, "MB/file")
			})
		}
	}
}

// BenchmarkWriteFiles writes all files of a report, and reports the most memory
// that the process has had from the system since it started.
func BenchmarkWriteFiles(b *testing.B) {
	for _, n := range sizes() {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir := b.TempDir()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := WriteFiles(b.Context(), dir, newMany(n)); err != nil {
					b.Fatal(err)
				}
			}
			var mem runtime.MemStats
			runtime.ReadMemStats(&mem)
			b.ReportMetric(float64(mem.Sys)/1e6, "MB-from-system")
		})
	}
}

type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
