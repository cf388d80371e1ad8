package pool_test

import (
	"context"
	"fmt"
	"log"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

// clerk is the smallest worker: it needs no process and no profile.
type clerk struct{ id string }

func (c clerk) Do(_ context.Context, task *tasks.ProcessingTask) (*tasks.Result, error) {
	if task.PO == "PO3" {
		return nil, tasks.Permanent(tasks.OutcomeNotFound, tasks.ClassNotFound, "the portal has no order %s", task.PO)
	}
	return &tasks.Result{Outcome: tasks.OutcomeComplete}, nil
}

func (c clerk) Fit() error                  { return nil }
func (c clerk) Close(context.Context) error { return nil }
func (c clerk) Info() pool.Info             { return pool.Info{} }

func openClerk(_ context.Context, id string) (pool.Worker, error) { return clerk{id}, nil }

// Tasks are submitted to a running pool, and their results read in the order in
// which they end.
func Example() {
	ctx := context.Background()
	p, err := pool.New(pool.Config{Queue: tasks.NewMemory(), Open: openClerk, Size: 1, KeepResults: true})
	if err != nil {
		log.Fatal(err)
	}
	if err := p.Start(ctx); err != nil {
		log.Fatal(err)
	}
	for _, po := range []string{"PO1", "PO2", "PO3"} {
		if err := p.Submit(ctx, tasks.Spec{Key: po, PO: po}); err != nil {
			log.Fatal(err)
		}
	}
	for range 3 {
		task, err := p.Result(ctx)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(task.PO, task.State, task.Outcome)
	}
	if _, ok := p.TryResult(); !ok {
		fmt.Println("no more results")
	}
	if err := p.Stop(ctx); err != nil {
		log.Fatal(err)
	}
	// Output:
	// PO1 COMPLETED complete
	// PO2 COMPLETED complete
	// PO3 FAILED not_found
	// no more results
}

// A transient worker does one task, a reusable one as many as come.
func Example_lifetime() {
	ctx := context.Background()
	for _, lifetime := range []pool.Lifetime{pool.LifetimeTransient, pool.LifetimeReusable} {
		opened := 0
		open := func(ctx context.Context, id string) (pool.Worker, error) {
			opened++
			return openClerk(ctx, id)
		}
		p, err := pool.New(pool.Config{Queue: tasks.NewMemory(), Open: open, Size: 1, Lifetime: lifetime})
		if err != nil {
			log.Fatal(err)
		}
		if err := p.Start(ctx); err != nil {
			log.Fatal(err)
		}
		if err := p.Submit(ctx, tasks.Spec{Key: "a"}, tasks.Spec{Key: "b"}, tasks.Spec{Key: "c"}); err != nil {
			log.Fatal(err)
		}
		if err := p.Wait(ctx); err != nil {
			log.Fatal(err)
		}
		if err := p.Stop(ctx); err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: workers opened for 3 tasks: %d\n", lifetime, opened)
	}
	// Output:
	// transient: workers opened for 3 tasks: 3
	// reusable: workers opened for 3 tasks: 1
}

// The number of workers can be changed while the pool runs.
func ExampleWorkerPool_Scale() {
	ctx := context.Background()
	var story []string
	tell := func(e pool.Event) {
		if e.Type == pool.EventScaled {
			story = append(story, fmt.Sprintf("%d to %d", e.From, e.To))
		}
	}
	p, err := pool.New(pool.Config{Queue: tasks.NewMemory(), Open: openClerk, Size: 4, OnEvent: tell})
	if err != nil {
		log.Fatal(err)
	}
	if err := p.Start(ctx); err != nil {
		log.Fatal(err)
	}
	for _, n := range []int{1, 8, 8, 0} {
		if err := p.Scale(n); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println("size", p.Size())
	if err := p.Stop(ctx); err != nil {
		log.Fatal(err)
	}
	fmt.Println(story)
	// Output:
	// scaling to 0 workers: the number of workers must be at least 1
	// size 8
	// [4 to 1 1 to 8]
}

// A lender can be used without a queue.
func ExampleReusable() {
	ctx := context.Background()
	lender, err := pool.NewReusable(pool.LenderConfig{Open: openClerk})
	if err != nil {
		log.Fatal(err)
	}
	loan, err := lender.Get(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(loan.ID, "fresh:", loan.Fresh, "full:", lender.Full())
	if err := lender.Release(ctx, loan, loan.Worker.Fit()); err != nil {
		log.Fatal(err)
	}
	again, err := lender.Get(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(again.ID, "fresh:", again.Fresh, "size:", lender.Size())
	if err := lender.Release(ctx, again, nil); err != nil {
		log.Fatal(err)
	}
	if err := lender.Terminate(ctx); err != nil {
		log.Fatal(err)
	}
	fmt.Println("size:", lender.Size())
	// Output:
	// worker_001 fresh: true full: true
	// worker_001 fresh: false size: 1
	// size: 0
}
