package worker

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/profiles"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/breaker"
	"github.com/poscrape/poscrape/tasks"
)

// Worker is one browser at work, in a profile of its own. It is a pool.Worker.
type Worker struct {
	opener *Opener
	// site is where it works.
	site Site
	// id is the browser's: a UUID of version 7, unique and sorted by time.
	id      uuid.UUID
	profile *profiles.Profile
	browser *browser.Browser
	scraper *scrape.Scraper
	strain  strain
	// contained: its browser is in a container, whose way out closeWayOut closes.
	contained   bool
	closeWayOut func()
	// closing holds a token while the worker is being closed; gone is its holder's.
	closing chan struct{}
	gone    bool

	mu sync.Mutex
	// slot that it works in, once it has one.
	slot   string
	orders int
	// lostTabs are those that the story knows of.
	lostTabs int
}

// sitIn gives the worker its slot.
func (w *Worker) sitIn(slot string) {
	w.strain.take(slot)
	w.opener.fleet.seat(slot, w.id, time.Now())
	w.opener.fleet.house(slot, w.isolation())
	w.opener.at(slot, w.site.Name)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.slot = slot
}

// Do makes one attempt at an order, as soon as its host takes orders. It may be
// called by as many goroutines at once as Room says.
func (w *Worker) Do(ctx context.Context, task *tasks.ProcessingTask) (*tasks.Result, error) {
	w.mu.Lock()
	slot := w.slot
	w.mu.Unlock()
	pass, err := w.opener.admit(ctx, task, slot)
	if err != nil {
		return nil, err
	}
	defer pass.End()
	return w.do(ctx, task, pass, slot)
}

// admit waits until the order's host takes orders.
func (o *Opener) admit(ctx context.Context, task *tasks.ProcessingTask, slot string) (*breaker.Pass, error) {
	return o.Breaker.Admit(ctx, task, func() bool { return o.Leaving(slot) })
}

// do makes one attempt at an order that was let through to its host.
func (w *Worker) do(ctx context.Context, task *tasks.ProcessingTask, pass *breaker.Pass, slot string) (*tasks.Result, error) {
	if ended := w.strain.begin(); ended != nil {
		return nil, tasks.Release(tasks.ClassReleased, "the browser was ended before it could open the order: %w", ended)
	}
	visit, err := w.site.SignIn.Enter(ctx, w.scraper, task)
	if err != nil {
		_ = w.strain.finish() // the order was not opened
		return nil, err
	}
	defer visit.End()
	w.opened(1)
	res, err := w.scraper.Do(visit.Context(ctx), task)
	if res != nil && res.Executor == tasks.ExecutorFetch {
		w.opened(-1) // no page was opened, and none wears the browser out
	}
	w.opener.note(err)
	w.tellLostTab(slot, task)
	left := visit.Leave(ctx, res, err)
	if err != nil && left.Why != "" {
		err = left.Explain(err)
	}
	facts := w.met(ctx, pass, res, err)
	facts.Wall = left.Why
	kept, err := tasks.WithFacts(res, err, facts)
	if kept == nil && res != nil {
		w.opener.Discard(res)
	}
	return kept, err
}

// met returns what was seen around an attempt that has come to this.
func (w *Worker) met(ctx context.Context, pass *breaker.Pass, res *tasks.Result, err error) tasks.Facts {
	if ended := w.strain.finish(); ended != nil {
		return tasks.Facts{Ended: ended}
	}
	if fault := w.opener.DiskFault(err); fault != nil {
		return tasks.Facts{Disk: fault}
	}
	return tasks.Facts{Host: pass.Observe(ctx, res, err)}
}

func (w *Worker) opened(by int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.orders += by
}

// Room is how many orders the worker is good for at once, now.
func (w *Worker) Room() int {
	if w.site.SignIn.Narrow() {
		return 1
	}
	return w.scraper.Room()
}

// tellLostTab adds to the story that an order's page took its tab with it, which
// otherwise only shows in the order's own history.
func (w *Worker) tellLostTab(slot string, task *tasks.ProcessingTask) {
	lost, why := w.browser.LostTabs()
	w.mu.Lock()
	news := lost > w.lostTabs
	w.lostTabs = lost
	w.mu.Unlock()
	if news {
		w.opener.Tell(tasks.Event{Type: tasks.EventTabLost, Worker: slot, BrowserID: w.id, Detail: fmt.Sprintf("order %s: %v", task.PO, why)})
	}
}

// Fit says why the browser must be replaced: it is gone, has worked its share, is
// old, or was found in the last sample to use too much.
func (w *Worker) Fit() error {
	u, err := w.strain.used()
	if err != nil {
		return err
	}
	if err := w.browser.Fit(); err != nil {
		return err
	}
	w.mu.Lock()
	orders := w.orders
	w.mu.Unlock()
	if orders >= w.opener.MaxOrders {
		return fmt.Errorf("it has opened %d orders (--max-orders-per-worker)", orders)
	}
	if orders == 0 {
		return nil // a browser that is never fit for an order would be replaced for ever
	}
	return w.opener.worn(time.Since(w.browser.Started()), u)
}

// proveTimeout bounds what is read before a worker is closed, well within the time
// that the pool gives a worker to close.
const proveTimeout = 7 * time.Second

// prove has a worker of a session that is being stopped see whether what was only
// fetched is as good as rendered.
func (w *Worker) prove(ctx context.Context) {
	grace := w.opener.Grace()
	if grace == nil || grace.Err() != nil || w.browser.Fit() != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, proveTimeout)
	defer cancel()
	stop := context.AfterFunc(grace, cancel)
	defer stop()
	w.scraper.Prove(ctx)
}

// Close ends the browser and removes its profile. It may be called again, also where it
// failed.
func (w *Worker) Close(ctx context.Context) error {
	w.closing <- struct{}{}
	defer func() { <-w.closing }()
	if w.gone {
		return nil
	}
	w.prove(ctx)
	limit := proveTimeout
	if w.browser.Fit() != nil {
		limit = 0
	}
	w.site.SignIn.Gone(ctx, w.scraper, limit)
	if err := w.browser.Close(); err != nil {
		return err
	}
	if err := w.opener.profiles.Remove(w.profile); err != nil {
		return fmt.Errorf("removing a profile: %w", err)
	}
	w.closeWayOut()
	w.gone = true
	w.opener.count(w, -1)
	w.opener.fleet.remove(w)
	return nil
}

// Browser returns the Chrome of the worker.
func (w *Worker) Browser() *browser.Browser { return w.browser }

// Info returns the browser's process and profile.
func (w *Worker) Info() pool.Info { return pool.Info{PID: w.browser.PID(), Profile: w.profile.Path} }
