package ledger

import (
	"strconv"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

// BenchmarkClaim is one worker's claim, with 10,000 tasks in the file.
func BenchmarkClaim(b *testing.B) {
	l := openNew(b)
	must(b, errOf(l.Enqueue(b.Context(), manySpecs(10_000)...)))
	for b.Loop() {
		lease := claimOne(b, l, "w")
		b.StopTimer()
		must(b, l.Record(b.Context(), lease, tasks.Decision{To: tasks.StatePending, Released: true}))
		b.StartTimer()
	}
}

// BenchmarkRecord is one worker's synced record: the disk sets its pace.
func BenchmarkRecord(b *testing.B) {
	l := openNew(b)
	for n := 0; b.Loop(); n++ {
		b.StopTimer()
		must(b, errOf(l.Enqueue(b.Context(), tasks.Spec{Key: strconv.Itoa(n)})))
		lease := claimOne(b, l, "w")
		must(b, l.Start(b.Context(), lease))
		b.StartTimer()
		must(b, l.Record(b.Context(), lease, completed()))
	}
}

// BenchmarkRecordTogether is the same with 100 workers, who share syncs.
func BenchmarkRecordTogether(b *testing.B) {
	l := openNew(b)
	must(b, errOf(l.Enqueue(b.Context(), manySpecs(b.N+100)...)))
	d := completed()
	b.SetParallelism(50)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			lease := claimOne(b, l, "w")
			must(b, l.Start(b.Context(), lease))
			must(b, l.Record(b.Context(), lease, d))
		}
	})
}

func BenchmarkEnqueue10000(b *testing.B) {
	specs := manySpecs(10_000)
	for b.Loop() {
		b.StopTimer()
		l := openNew(b)
		b.StartTimer()
		must(b, errOf(l.Enqueue(b.Context(), specs...)))
		b.StopTimer()
		closeLedger(b, l)
		b.StartTimer()
	}
}

// BenchmarkOpen10000 is a restart: the whole file is checked.
func BenchmarkOpen10000(b *testing.B) {
	path := newPath(b)
	l := openAt(b, path)
	must(b, errOf(l.Enqueue(b.Context(), manySpecs(10_000)...)))
	closeLedger(b, l)
	for b.Loop() {
		l, err := Open(path)
		must(b, err)
		must(b, l.Close())
	}
}

func BenchmarkStats10000(b *testing.B) {
	l := openNew(b)
	must(b, errOf(l.Enqueue(b.Context(), manySpecs(10_000)...)))
	for b.Loop() {
		if _, err := l.Stats(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
