package worker

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

// traveller is the worker of a slot where there are several sites. It has one browser at a
// time, which belongs to one of them and knows no other's cookies; for an order of another
// site it gets a new one.
type traveller struct {
	opener *Opener
	slot   string

	mu sync.Mutex // held while it changes its browser
	// here is the worker that it is now.
	here *Worker
	// lost is why it has no browser any more, or nil.
	lost error
}

// travelling returns what the pool gets of a worker that has its slot.
func (o *Opener) travelling(w *Worker) pool.Worker {
	if len(o.Sites) == 1 {
		return w
	}
	return &traveller{opener: o, slot: w.slot, here: w}
}

// site returns the one of a name, or the first.
func (o *Opener) site(name string) Site {
	i := slices.IndexFunc(o.Sites, func(s Site) bool { return s.Name == name })
	return o.Sites[max(i, 0)]
}

// next returns the site of which a slot gets an order next.
func (o *Opener) next(ctx context.Context, slot string) Site {
	if o.Next == nil {
		return o.Sites[0]
	}
	return o.site(o.Next(ctx, slot))
}

func (o *Opener) at(slot, site string) {
	if o.At != nil {
		o.At(slot, site)
	}
}

// Do makes one attempt at an order, as soon as its host takes orders, in a browser of its site.
func (t *traveller) Do(ctx context.Context, task *tasks.ProcessingTask) (*tasks.Result, error) {
	pass, err := t.opener.admit(ctx, task, t.slot)
	if err != nil {
		return nil, err
	}
	defer pass.End()
	w, err := t.goTo(ctx, t.opener.site(task.Portal))
	if err != nil {
		return nil, tasks.Release(tasks.ClassReleased, "the order was given back, because no browser could be opened for its portal: %w", err)
	}
	return w.do(ctx, task, pass, t.slot)
}

// goTo returns a worker at a site.
func (t *traveller) goTo(ctx context.Context, site Site) (*Worker, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lost != nil || t.here.site.Name == site.Name {
		return t.here, t.lost
	}
	if err := t.here.Close(ctx); err != nil {
		t.lost = err
		return nil, err
	}
	w, err := t.opener.launch(ctx, site)
	if err != nil {
		t.lost = fmt.Errorf("opening a browser for %s: %w", site.Name, err)
		return nil, t.lost
	}
	w.sitIn(t.slot)
	t.here = w
	t.opener.Tell(tasks.Event{Type: tasks.EventWorkerMoved, Worker: t.slot, BrowserID: w.id, Detail: "to " + site.Name})
	return w, nil
}

// now returns the worker that it is.
func (t *traveller) now() *Worker {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.here
}

// Fit says why it must be replaced, as Worker.Fit does.
func (t *traveller) Fit() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lost != nil {
		return t.lost
	}
	return t.here.Fit()
}

// Room is how many orders of one site it is good for at once, now.
func (t *traveller) Room() int { return t.now().Room() }

// Close ends its browser, as Worker.Close does.
func (t *traveller) Close(ctx context.Context) error {
	if err := t.now().Close(ctx); err != nil {
		return err
	}
	t.opener.at(t.slot, "")
	return nil
}

// Info returns the browser's process and profile.
func (t *traveller) Info() pool.Info { return t.now().Info() }
