package queuetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/tasks"
)

var randomCases = []testCase{
	{"actions by many goroutines, load_balanced", func(k *kit) { randomActions(k, tasks.LoadBalanced) }},
	{"actions by many goroutines, round_robin", func(k *kit) { randomActions(k, tasks.RoundRobin) }},
}

// randomRun is a crowd of workers that do all that workers do: work well, fail,
// try again, give back, lose their browser, fall silent, answer late, stop
// waiting, ask for several tasks at once.
type randomRun struct {
	*crowd
	distribution tasks.Distribution
	names        []string

	mu    sync.Mutex
	ended map[uuid.UUID]int
}

func randomActions(k *kit, distribution tasks.Distribution) {
	const workers, n = 12, 240
	seed := rand.Uint64()
	k.Logf("seed %d", seed)
	r := &randomRun{crowd: newCrowd(k), distribution: distribution, ended: map[uuid.UUID]int{}}
	for i := range workers {
		r.names = append(r.names, fmt.Sprintf("worker_%03d", i+1))
	}
	k.enqueue(specs(n / 2)...)
	for i, name := range r.names {
		r.hire(func() { r.worker(name, rand.New(rand.NewPCG(seed, uint64(i)))) })
	}
	k.enqueue(specs(n)...)
	// One more, for all others may have seen the queue drained before that.
	r.hire(func() { r.worker("late", rand.New(rand.NewPCG(seed, workers))) })
	r.wait()
	r.check(n)
}

func (r *randomRun) worker(name string, random *rand.Rand) {
	for {
		req := tasks.ClaimRequest{Worker: name, Max: random.IntN(3), Distribution: r.distribution, Workers: r.names}
		leases, err := r.claim(req)
		if isErr(err, tasks.ErrDrained) {
			return
		}
		if err != nil {
			r.Errorf("Claim: %v", err)
			return
		}
		for _, l := range leases {
			if err := r.act(l, random); err != nil && !isErr(err, tasks.ErrLeaseLost) {
				r.Errorf("%s: %v", l.Task.Key, err)
				return
			}
		}
	}
}

// act does one of the things that workers do with a task.
func (r *randomRun) act(l *tasks.Lease, random *rand.Rand) error {
	soon := time.Now().Add(time.Duration(random.IntN(3)) * time.Millisecond)
	switch random.IntN(20) {
	case 0:
		return nil // fell silent before it began
	case 1:
		return r.q.Start(r.ctx, l) // fell silent
	case 2:
		return r.q.Record(r.ctx, l, released())
	case 3:
		return finish(r.kit, l, lost())
	case 4:
		return finish(r.kit, l, retryAt(soon))
	case 5:
		if err := r.q.Extend(r.ctx, l); err != nil {
			return err
		}
		return r.end(l, partial())
	case 6:
		_, err := r.q.Reap(r.ctx) // takes tasks from workers that are only slow
		return err
	case 7:
		return r.end(l, failed(tasks.OutcomeNotFound))
	default:
		return r.end(l, complete())
	}
}

// end brings a task to rest, and notes it if the queue took the record.
func (r *randomRun) end(l *tasks.Lease, d tasks.Decision) error {
	if err := finish(r.kit, l, d); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended[l.Task.ID]++
	return nil
}

func finish(k *kit, l *tasks.Lease, d tasks.Decision) error {
	if err := k.q.Start(k.ctx, l); err != nil {
		return err
	}
	return k.q.Record(k.ctx, l, d)
}

// check makes sure that each task came to rest exactly once, by legal steps.
func (r *randomRun) check(n int) {
	list := r.all()
	if len(list) != n {
		r.Fatalf("there are %d tasks, want %d", len(list), n)
	}
	for _, task := range list {
		if !task.State.Final() || r.ended[task.ID] != 1 {
			r.Errorf("%s is %s, and came to rest %d times", task.Key, task.State, r.ended[task.ID])
		}
		charged := 0
		for _, a := range task.History {
			if !a.Released {
				charged++
			}
		}
		if charged != task.Attempts {
			r.Errorf("%s: %d attempts, %d of them in the history", task.Key, task.Attempts, charged)
		}
		if err := r.legal(task); err != nil {
			r.Errorf("%s: %v", task.Key, err)
		}
	}
	if s := r.stats(); s.Open() != 0 || s.Total != n {
		r.Errorf("stats: %+v", s)
	}
}

func (r *randomRun) legal(task *tasks.ProcessingTask) error {
	story, err := r.q.Transitions(r.ctx, task.ID)
	if err != nil {
		return err
	}
	state := tasks.StatePending
	for _, step := range story {
		proven := step.From == tasks.StateCompleted && step.To == step.From && step.Outcome == tasks.OutcomeNoAttachments
		if step.From != state || !proven && !step.From.CanBecome(step.To) {
			return fmt.Errorf("from %s it went %s to %s", state, step.From, step.To)
		}
		state = step.To
	}
	if state != task.State {
		return errors.New("its transitions end in " + string(state))
	}
	return nil
}
