package ledger

import (
	"strconv"
	"testing"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/tasks"
)

// BenchmarkClaim is one worker's claim, with 10,000 tasks in the file.
func BenchmarkClaim(b *testing.B) {
	l := openNew(b)
	testkit.Must(b, errOf(l.Enqueue(b.Context(), manySpecs(10_000)...)))
	for b.Loop() {
		lease := claimOne(b, l, "w")
		b.StopTimer()
		testkit.Must(b, l.Record(b.Context(), lease, tasks.Decision{To: tasks.StatePending, Released: true}))
		b.StartTimer()
	}
}

// BenchmarkRecord is one worker's synced record: the disk sets its pace.
func BenchmarkRecord(b *testing.B) {
	l := openNew(b)
	for n := 0; b.Loop(); n++ {
		b.StopTimer()
		testkit.Must(b, errOf(l.Enqueue(b.Context(), tasks.Spec{Key: strconv.Itoa(n)})))
		lease := claimOne(b, l, "w")
		testkit.Must(b, l.Start(b.Context(), lease))
		b.StartTimer()
		testkit.Must(b, l.Record(b.Context(), lease, completed()))
	}
}

// BenchmarkRecordTogether is the same with 100 workers, who share syncs.
func BenchmarkRecordTogether(b *testing.B) {
	l := openNew(b)
	testkit.Must(b, errOf(l.Enqueue(b.Context(), manySpecs(b.N+100)...)))
	d := completed()
	b.SetParallelism(50)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			lease := claimOne(b, l, "w")
			testkit.Must(b, l.Start(b.Context(), lease))
			testkit.Must(b, l.Record(b.Context(), lease, d))
		}
	})
}

func BenchmarkEnqueue10000(b *testing.B) {
	specs := manySpecs(10_000)
	for b.Loop() {
		b.StopTimer()
		l := openNew(b)
		b.StartTimer()
		testkit.Must(b, errOf(l.Enqueue(b.Context(), specs...)))
		b.StopTimer()
		closeLedger(b, l)
		b.StartTimer()
	}
}

// BenchmarkOpen10000 is a restart: the whole file is checked.
func BenchmarkOpen10000(b *testing.B) {
	path := newPath(b)
	l := openAt(b, path)
	testkit.Must(b, errOf(l.Enqueue(b.Context(), manySpecs(10_000)...)))
	closeLedger(b, l)
	for b.Loop() {
		l, err := Open(path)
		testkit.Must(b, err)
		testkit.Must(b, l.Close())
	}
}

func BenchmarkStats10000(b *testing.B) {
	l := openNew(b)
	testkit.Must(b, errOf(l.Enqueue(b.Context(), manySpecs(10_000)...)))
	for b.Loop() {
		if _, err := l.Stats(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRecordLooks is BenchmarkRecordTogether with what 20 selectors met.
func BenchmarkRecordLooks(b *testing.B) {
	l := openNew(b)
	testkit.Must(b, errOf(l.Enqueue(b.Context(), manySpecs(b.N+100)...)))
	d := completed()
	for i := range 20 {
		d.Attempt.Looks = append(d.Attempt.Looks, tasks.Look{Where: "fields.number_" + strconv.Itoa(i), Met: 1})
	}
	b.SetParallelism(50)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			lease := claimOne(b, l, "w")
			testkit.Must(b, l.Start(b.Context(), lease))
			testkit.Must(b, l.Record(b.Context(), lease, d))
		}
	})
}

// BenchmarkProve10000 proves 10,000 tasks at once.
func BenchmarkProve10000(b *testing.B) {
	l := openNew(b)
	testkit.Must(b, errOf(l.Enqueue(b.Context(), manySpecs(10_000)...)))
	waiting := completed()
	waiting.Outcome = tasks.OutcomePartial
	waiting.Result = &tasks.Result{Outcome: tasks.OutcomePartial, Kind: "0", AwaitsItem: true}
	for range 10_000 {
		lease := claimOne(b, l, "w")
		testkit.Must(b, l.Start(b.Context(), lease))
		testkit.Must(b, l.Record(b.Context(), lease, waiting))
	}
	for n := 0; b.Loop(); n++ {
		if proven, err := l.Prove(b.Context(), strconv.Itoa(n), tasks.Proof{By: tasks.ProofSettled}); err != nil || proven != 10_000 {
			b.Fatal(proven, err)
		}
		b.StopTimer()
		closeLedger(b, l)
		execute(b, l.path, `UPDATE tasks SET outcome = 'partial', awaits = '`+strconv.Itoa(n+1)+`',
			result = json_set(result, '$.awaits_item', json('true'), '$.kind', '`+strconv.Itoa(n+1)+`', '$.outcome', 'partial')`)
		l = openAt(b, l.path)
		b.StartTimer()
	}
}
