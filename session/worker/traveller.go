package worker

import (
	"cmp"
	"context"
	"errors"
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

	turn chan struct{} // taken while it changes its browser
	mu   sync.Mutex
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
	return &traveller{opener: o, slot: w.slot, turn: make(chan struct{}, 1), here: w}
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

// errClosed is why a traveller that was closed has no browser.
var errClosed = errors.New("its worker was closed")

// goTo returns a worker at a site.
func (t *traveller) goTo(ctx context.Context, site Site) (*Worker, error) {
	done, err := t.take(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	here, err := t.now()
	if err != nil || here.site.Name == site.Name {
		return here, err
	}
	here, err = t.move(ctx, here, site)
	t.set(here, err)
	return here, err
}

// move closes the worker that it was, and returns another, at a site. With an error it returns
// the one that it was.
func (t *traveller) move(ctx context.Context, here *Worker, site Site) (*Worker, error) {
	if err := here.Close(ctx); err != nil {
		return here, err
	}
	w, err := t.opener.launch(ctx, site)
	if err != nil {
		return here, fmt.Errorf("opening a browser for %s: %w", site.Name, err)
	}
	w.sitIn(t.slot)
	t.opener.Tell(tasks.Event{Type: tasks.EventWorkerMoved, Worker: t.slot, BrowserID: w.id, Detail: "to " + site.Name})
	return w, nil
}

// take waits until nobody else changes its browser, and keeps others from it until done is called.
func (t *traveller) take(ctx context.Context) (done func(), err error) {
	select {
	case t.turn <- struct{}{}:
		return func() { <-t.turn }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// now returns the worker that it is, or was last, and why it has no browser any more.
func (t *traveller) now() (here *Worker, lost error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.here, t.lost
}

func (t *traveller) set(here *Worker, lost error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.here, t.lost = here, lost
}

// Fit says why it must be replaced, as Worker.Fit does.
func (t *traveller) Fit() error {
	here, lost := t.now()
	if lost != nil {
		return lost
	}
	return here.Fit()
}

// Room is how many orders of one site it is good for at once, now.
func (t *traveller) Room() int {
	here, _ := t.now()
	return here.Room()
}

// Close ends its browser, as Worker.Close does.
func (t *traveller) Close(ctx context.Context) error {
	done, err := t.take(ctx)
	if err != nil {
		return fmt.Errorf("closing a worker that changes its browser: %w", err)
	}
	defer done()
	here, lost := t.now()
	t.set(here, cmp.Or(lost, errClosed))
	if err := here.Close(ctx); err != nil {
		return err
	}
	t.opener.at(t.slot, "")
	return nil
}

// Info returns the browser's process and profile.
func (t *traveller) Info() pool.Info {
	here, _ := t.now()
	return here.Info()
}
