package queuetest

import (
	"github.com/google/uuid"

	"github.com/poscrape/poscrape/tasks"
)

var closeCases = []testCase{
	{"claims that wait end", closeWakes},
	{"everything is refused afterwards, and a second close is fine", closeFinal},
}

func closeWakes(k *kit) {
	k.enqueue(spec("a"))
	k.claim("w")
	var waiting []*claiming
	for range 4 {
		waiting = append(waiting, k.goClaim(tasks.ClaimRequest{Worker: "w2"}))
	}
	k.claimNone(tasks.ClaimRequest{Worker: "w3"})
	if err := k.q.Close(); err != nil {
		k.Fatalf("Close: %v", err)
	}
	for _, c := range waiting {
		if <-c.done; !isErr(c.err, tasks.ErrClosed) {
			k.Errorf("Claim: %v, want ErrClosed", c.err)
		}
	}
}

func closeFinal(k *kit) {
	k.enqueue(spec("a"))
	l := k.claim("w")
	for range 2 {
		if err := k.q.Close(); err != nil {
			k.Fatalf("Close: %v", err)
		}
	}
	calls := map[string]func() error{
		"Enqueue": func() error { _, err := k.q.Enqueue(k.ctx, spec("b")); return err },
		"Claim":   func() error { _, err := k.q.Claim(k.ctx, tasks.ClaimRequest{Worker: "w"}); return err },
		"Start":   func() error { return k.q.Start(k.ctx, l) },
		"Extend":  func() error { return k.q.Extend(k.ctx, l) },
		"Record":  func() error { return k.q.Record(k.ctx, l, released()) },
		"Reap":    func() error { _, err := k.q.Reap(k.ctx); return err },
		"Retry":   func() error { _, err := k.q.Retry(k.ctx, tasks.OutcomeFailed); return err },
		"Prove":   func() error { _, err := k.q.Prove(k.ctx, "a", settled); return err },
		"Doubt": func() error {
			_, err := k.q.Doubt(k.ctx, tasks.Permanent("", tasks.ClassUnproven, "x"), l.Task.ID)
			return err
		},
		"Get":         func() error { _, err := k.q.Get(k.ctx, l.Task.ID); return err },
		"Each":        func() error { return k.q.Each(k.ctx, func(*tasks.ProcessingTask) error { return nil }) },
		"Transitions": func() error { _, err := k.q.Transitions(k.ctx, uuid.New()); return err },
		"Stats":       func() error { _, err := k.q.Stats(k.ctx); return err },
	}
	for name, call := range calls {
		if err := call(); !isErr(err, tasks.ErrClosed) {
			k.Errorf("%s after Close: %v, want ErrClosed", name, err)
		}
	}
}
