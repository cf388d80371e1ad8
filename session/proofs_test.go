package session

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/progress"
	"github.com/poscrape/poscrape/session/proofs"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// proofRun is one run of a session whose orders are read by readers that need no
// browser: orders of the kind "many" show documents now and then, those of "few" just
// once, those of "none" never.
type proofRun struct {
	portal *scrape.Portal
	proofs *proofs.Queue
	tally  *progress.Tally

	mu     sync.Mutex
	random *rand.Rand
	// stopAfter is how many attempts are made until the run is broken off.
	stopAfter int
	broken    chan struct{}
}

func newProofRun(t *testing.T, l *ledger.Ledger, random *rand.Rand) *proofRun {
	t.Helper()
	recipe, err := scrape.ReadRecipe("r.yaml", strings.NewReader("version: 1\nattachments: {item: a.doc}\n"))
	if err != nil {
		t.Fatal(err)
	}
	r := &proofRun{portal: scrape.NewPortal(recipe, nil), tally: progress.New(nil, 1), random: random, broken: make(chan struct{})}
	r.proofs = &proofs.Queue{TaskQueue: r.tally.Queue(l), Portals: map[string]*scrape.Portal{"": r.portal},
		Told:   func(_ context.Context, n int, _ string) { r.tally.ProvenLater(n) },
		Struck: func(error) bool { return false }, Failed: func(err error) { t.Error(err) }}
	err = l.Each(t.Context(), func(task *tasks.ProcessingTask) error { r.proofs.Restore(task); return nil })
	if err != nil {
		t.Fatal(err)
	}
	if err := r.proofs.ProveAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	stats, err := l.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r.tally.Begin(stats)
	return r
}

// dawdle lets others go first, or not, and returns a random number.
func (r *proofRun) dawdle() int {
	r.mu.Lock()
	n := r.random.IntN(1000)
	r.mu.Unlock()
	for range n % 7 {
		runtime.Gosched()
	}
	return n
}

// Do is what scrape.Scraper does, as far as proofs go.
func (r *proofRun) Do(ctx context.Context, task *tasks.ProcessingTask) (*tasks.Result, error) {
	r.mu.Lock()
	if r.stopAfter--; r.stopAfter == 0 {
		close(r.broken)
	}
	r.mu.Unlock()
	kind, looks := r.portal.Kind(task.URL), []tasks.Look{{Where: "attachments.item", Mark: tasks.MarkOf("a.doc")}}
	if r.dawdle()%10 == 0 && len(task.History) == 0 {
		return nil, tasks.Retry(tasks.ClassNavigation, "the portal did not answer")
	}
	if strings.Contains(task.URL, "documents=2") {
		looks[0].Met = 1
		if r.dawdle()%5 == 0 { // the page was read, and then something broke
			f := tasks.Permanent(tasks.OutcomeFailed, tasks.ClassAttachment, "the document could not be had")
			f.Looks = looks
			return nil, f
		}
		r.portal.NoteItemMet(kind)
		r.dawdle()
		return &tasks.Result{Outcome: tasks.OutcomeComplete, Kind: kind, Looks: looks}, nil
	}
	met := r.portal.ItemMet(kind)
	r.dawdle()
	if met {
		proof := r.portal.SettledProof()
		return &tasks.Result{Outcome: tasks.OutcomeNoAttachments, Kind: kind, Looks: looks, Proof: &proof}, nil
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return &tasks.Result{Outcome: tasks.OutcomePartial, Kind: kind, Looks: looks, AwaitsItem: true,
		Missing: tasks.Permanent(tasks.OutcomePartial, tasks.ClassUnproven, "no document is listed, and the item has met nothing yet")}, nil
}

func (r *proofRun) Fit() error                  { return nil }
func (r *proofRun) Close(context.Context) error { return nil }
func (r *proofRun) Info() pool.Info             { return pool.Info{} }

// work runs the orders with four workers, to their end or until the run is broken off.
func (r *proofRun) work(t *testing.T) {
	t.Helper()
	policy := tasks.DefaultPolicy()
	policy.Backoff = time.Nanosecond
	p, err := pool.New(pool.Config{Queue: r.proofs, Size: 4, Lifetime: pool.LifetimeReusable, Policy: policy,
		Open: func(context.Context, string) (pool.Worker, error) { return r, nil }})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	var breaking sync.WaitGroup
	breaking.Go(func() {
		select {
		case <-r.broken:
			p.Kill(errBroken)
		case <-ended:
		}
	})
	waited := p.Wait(t.Context())
	close(ended)
	breaking.Wait()
	for _, err := range []error{waited, p.Stop(t.Context())} {
		if err != nil && !errors.Is(err, errBroken) && !errors.Is(err, pool.ErrStopped) {
			t.Fatal(err)
		}
	}
}

var errBroken = errors.New("the run is broken off")

// TestNothingStaysUnproven runs orders in random schedules, breaks the runs off at
// random and goes on with them: in the end all orders of a kind of which documents were
// seen have their proof, and no other.
func TestNothingStaysUnproven(t *testing.T) {
	t.Parallel()
	rounds := 4
	if os.Getenv("POSCRAPE_THOROUGH") != "" {
		rounds = 40
	}
	for round := range rounds {
		seed := rand.Uint64()
		t.Run(fmt.Sprintf("%d, seed %d", round, seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 0))
			path := filepath.Join(t.TempDir(), "session.db")
			for run := 0; ; run++ {
				l, err := ledger.Open(path)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := l.Enqueue(t.Context(), proofSpecs(random)...); err != nil {
					t.Fatal(err)
				}
				r := newProofRun(t, l, random)
				if run < 3 {
					r.stopAfter = 1 + random.IntN(60)
				}
				r.work(t)
				stats, err := l.Stats(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if stats.Open() == 0 {
					r.check(t, l, stats)
				}
				if err := l.Close(); err != nil {
					t.Fatal(err)
				}
				if stats.Open() == 0 {
					return
				}
			}
		})
	}
}

func proofSpecs(random *rand.Rand) []tasks.Spec {
	var specs []tasks.Spec
	few := random.IntN(60)
	for i := range 60 {
		for _, kind := range []string{"many", "few", "none"} {
			key := fmt.Sprintf("%s%d", kind, i)
			url := fmt.Sprintf("https://portal.example/%s/orders/%d?documents=", kind, i)
			if kind == "many" && i%9 == 4 || kind == "few" && i == few {
				url += "2"
			}
			specs = append(specs, tasks.Spec{Key: key, PO: key, URL: url})
		}
	}
	return specs
}

func (r *proofRun) check(t *testing.T, l *ledger.Ledger, stats tasks.Stats) {
	t.Helper()
	err := l.Each(t.Context(), func(task *tasks.ProcessingTask) error {
		waits := task.Awaiting() != ""
		switch {
		case strings.Contains(task.URL, "/none/") && !waits:
			t.Errorf("%s is %s, and no document was ever seen", task.PO, task.Outcome)
		case !strings.Contains(task.URL, "/none/") && waits:
			t.Errorf("%s still waits for its proof", task.PO)
		case task.Outcome == tasks.OutcomeNoAttachments && (task.Result.Proof == nil || task.Failure != nil):
			t.Errorf("%s has the proof %v and the failure %v", task.PO, task.Result.Proof, task.Failure)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	well := stats.ByOutcome[tasks.OutcomeComplete] + stats.ByOutcome[tasks.OutcomeNoAttachments]
	if p := r.tally.Now(); p.Well != well || p.NotWell != stats.Total-well {
		t.Errorf("the tally has %d well and %d not, the ledger %v", p.Well, p.NotWell, stats.ByOutcome)
	}
}

// TestProofsInEveryOrder records an order that shows a document and one that waits for
// it, either first; storing the proof may fail at first.
func TestProofsInEveryOrder(t *testing.T) {
	t.Parallel()
	for _, shownFirst := range []bool{true, false} {
		for _, failing := range []int{0, 1} {
			queue := &failingQueue{TaskQueue: tasks.NewMemory(), failing: failing}
			p := &proofs.Queue{TaskQueue: queue, Portals: map[string]*scrape.Portal{"": scrape.NewPortal(scrape.AutoRecipe(), nil)},
				Told: func(context.Context, int, string) {}, Struck: func(error) bool { return false }, Failed: func(error) {}}
			const url = "https://portal.example/orders/"
			if _, err := p.Enqueue(t.Context(), tasks.Spec{Key: "a", URL: url + "1"}, tasks.Spec{Key: "b", URL: url + "2"}); err != nil {
				t.Fatal(err)
			}
			leases, err := p.Claim(t.Context(), tasks.ClaimRequest{Worker: "w", Max: 2})
			if err != nil {
				t.Fatal(err)
			}
			shows := tasks.Decision{To: tasks.StateCompleted, Outcome: tasks.OutcomeComplete,
				Result:  &tasks.Result{Outcome: tasks.OutcomeComplete, Kind: p.Portals[""].Kind(url + "1")},
				Attempt: tasks.Attempt{Looks: []tasks.Look{{Where: "attachments.item", Met: 1}}}}
			waits := tasks.Decision{To: tasks.StateCompleted, Outcome: tasks.OutcomePartial,
				Failure: tasks.Permanent(tasks.OutcomePartial, tasks.ClassUnproven, "nothing is listed"),
				Result:  &tasks.Result{Outcome: tasks.OutcomePartial, Kind: p.Portals[""].Kind(url + "2"), AwaitsItem: true}}
			decisions := []tasks.Decision{waits, shows}
			if shownFirst {
				decisions = []tasks.Decision{shows, waits}
			}
			for i, lease := range leases {
				if err := errors.Join(p.Start(t.Context(), lease), p.Record(t.Context(), lease, decisions[i])); err != nil {
					t.Fatal(err)
				}
			}
			if queue.failing > 0 && !shownFirst {
				t.Error("the proof was not tried")
			}
			if failing > 0 {
				if err := p.ProveAll(t.Context()); err != nil {
					t.Error(err)
				}
			}
			if stats, err := p.Stats(t.Context()); err != nil || stats.ByOutcome[tasks.OutcomeNoAttachments] != 1 {
				t.Errorf("shown first %t, %d failures: %v, %v", shownFirst, failing, stats.ByOutcome, err)
			}
		}
	}
}

// failingQueue fails to prove so many times.
type failingQueue struct {
	tasks.TaskQueue
	failing int
}

func (q *failingQueue) Prove(ctx context.Context, kind string, proof tasks.Proof) (int, error) {
	if q.failing > 0 {
		q.failing--
		return 0, errors.New("the disk is full")
	}
	return q.TaskQueue.Prove(ctx, kind, proof)
}
