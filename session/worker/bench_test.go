package worker

import (
	"testing"
	"time"
)

// BenchmarkWorker opens and closes a worker: Chrome, in a profile of its own, until it can
// be given an order; and until its processes and its profile are gone. The first should
// take less than a second, the other less than ten.
func BenchmarkWorker(b *testing.B) {
	o := startOne(b)
	if err := o.closeSpare(); err != nil {
		b.Fatal(err)
	}
	var start, stop, longestStart, longestStop time.Duration
	for b.Loop() {
		began := time.Now()
		w, err := o.Open(b.Context(), "worker_001")
		if err != nil {
			b.Fatal(err)
		}
		took := time.Since(began)
		start, longestStart = start+took, max(longestStart, took)
		began = time.Now()
		if err := w.Close(b.Context()); err != nil {
			b.Fatal(err)
		}
		took = time.Since(began)
		stop, longestStop = stop+took, max(longestStop, took)
		if browsers, directories := o.Left(); browsers+directories != 0 {
			b.Fatalf("%d browsers and %d profiles are left", browsers, directories)
		}
	}
	for unit, took := range map[string]time.Duration{
		"start-ms": start / time.Duration(b.N), "stop-ms": stop / time.Duration(b.N),
		"start-max-ms": longestStart, "stop-max-ms": longestStop,
	} {
		b.ReportMetric(float64(took.Microseconds())/1000, unit)
	}
}
