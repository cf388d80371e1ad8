package worker

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/monitor"
	"github.com/poscrape/poscrape/profiles"
	"github.com/poscrape/poscrape/tasks"
)

// DefaultUsageInterval is how often it is measured what the workers use. A sample of eight
// busy browsers takes some 40 ms of one processor where their memory is read, every 15 s, and
// some 5 ms in between: this is under 1 %.
const DefaultUsageInterval = 5 * time.Second

// TypicalMemory in bytes is what a worker needs: a headless shell measures 196 MB with an
// empty page, and pages add to that.
const TypicalMemory = 300_000_000

// validateEvery is how many samples pass from one check of the profiles to the next.
const validateEvery = 6

// use is what one browser used in a sample, or, in the story of a slot, in the
// last one.
type use struct {
	memory int64 // bytes, PSS
	cpu    float64
	disk   int64 // bytes of its profile
}

// fleet is the browsers that live, and what those of each slot have used.
type fleet struct {
	mu    sync.Mutex
	live  map[*Worker]bool
	slots map[string]slotUse
	// seats are the browsers of each slot, the latest last.
	seats map[string][]seat
	// isolation is what the latest browser of each slot runs in, or ran.
	isolation map[string]Isolation
}

func newFleet() *fleet {
	return &fleet{live: map[*Worker]bool{}, slots: map[string]slotUse{}, seats: map[string][]seat{}, isolation: map[string]Isolation{}}
}

// seat says which browser a slot has from a moment on: the zero UUID while one is opened.
type seat struct {
	browser uuid.UUID
	from    time.Time
}

// slotUse is what a slot's browser used in the last sample, and the most memory
// that any of its browsers did.
type slotUse struct {
	use
	peak int64
}

// add takes up a browser.
func (f *fleet) add(w *Worker) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.live[w] = true
}

// remove forgets a browser that is gone.
func (f *fleet) remove(w *Worker) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.live, w)
}

func (f *fleet) workers() []*Worker {
	f.mu.Lock()
	defer f.mu.Unlock()
	list := make([]*Worker, 0, len(f.live))
	for w := range f.live {
		list = append(list, w)
	}
	return list
}

func (f *fleet) note(slot string, u use) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.slots[slot] = slotUse{use: u, peak: max(u.memory, f.slots[slot].peak)}
}

// seat notes which browser a slot has from a moment on.
func (f *fleet) seat(slot string, browser uuid.UUID, from time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seats[slot] = append(f.seats[slot], seat{browser, from})
	f.slots[slot] = slotUse{peak: f.slots[slot].peak} // of the new one nothing is known yet
}

// house notes what the browser of a slot runs in.
func (f *fleet) house(slot string, in Isolation) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.isolation[slot] = in
}

// at returns the browser that a slot had at a moment, and forgets those before it.
func (f *fleet) at(slot string, moment time.Time) uuid.UUID {
	f.mu.Lock()
	defer f.mu.Unlock()
	seats := f.seats[slot]
	for len(seats) > 1 && !seats[1].from.After(moment) {
		seats = seats[1:]
	}
	f.seats[slot] = seats
	if len(seats) == 0 || seats[0].from.After(moment) {
		return uuid.Nil
	}
	return seats[0].browser
}

// memory returns what the browser in each slot used of memory in the last sample, in bytes.
func (f *fleet) memory() map[string]int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := map[string]int64{}
	for slot, u := range f.slots {
		all[slot] = u.memory
	}
	return all
}

// of adds the slot's browser, and what its browsers use, to its record.
func (f *fleet) of(slot string, record tasks.Worker) tasks.Worker {
	f.mu.Lock()
	defer f.mu.Unlock()
	u := f.slots[slot]
	if n := len(f.seats[slot]); n > 0 {
		record.BrowserID = f.seats[slot][n-1].browser
	}
	for w := range f.live {
		if w.id == record.BrowserID { // of a worker that has moved the pool knows the first browser
			record.PID, record.Profile = w.browser.PID(), w.profile.Path
		}
	}
	record.Isolation = string(f.isolation[slot])
	record.MemoryBytes, record.MemoryPeakBytes, record.CPU, record.DiskBytes = u.memory, u.peak, u.cpu, u.disk
	return record
}

// gauge samples what the browsers use, again and again.
type gauge struct {
	opener  *Opener
	sampler *monitor.UsageSampler
	samples int
	// What has been told, which is told only once.
	toldUnknown, toldResident bool
}

// Watch samples the browsers at once and then every interval, until ctx ends, and acts
// where one is over its limits. It calls failed with what kept it from that.
func (o *Opener) Watch(ctx context.Context, interval time.Duration, failed func(error)) {
	if interval == 0 {
		interval = DefaultUsageInterval
	}
	g := &gauge{opener: o, sampler: monitor.NewUsageSampler()}
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		if err := g.sample(ctx); err != nil && ctx.Err() == nil {
			failed(err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// sample measures all browsers, and acts where one is over its limits.
func (g *gauge) sample(ctx context.Context) error {
	o := g.opener
	g.samples++
	workers := o.fleet.workers()
	pgids := make([]int, len(workers))
	for i, w := range workers {
		pgids[i] = w.browser.PID()
	}
	usage, err := g.sampler.Sample(ctx, pgids)
	if errors.Is(err, errors.ErrUnsupported) {
		g.tellUnknown(err)
		err = nil
	}
	for _, w := range workers {
		size, sizeErr := o.profiles.Size(w.profile)
		if errors.Is(sizeErr, profiles.ErrGone) {
			continue
		}
		group := usage[w.browser.PID()]
		if group.Resident > 0 {
			g.tellResident(group)
		}
		u := use{memory: group.Memory, cpu: math.Round(1000*group.CPU) / 1000, disk: size}
		o.fleet.note(w.strain.measured(u), u)
		if g.samples%validateEvery == 0 {
			w.strain.spoil(o.profiles.Validate(w.profile))
		}
		o.enforce(w, u)
	}
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("measuring what the workers use: %w", err)
	}
	return nil
}

func (g *gauge) tellUnknown(err error) {
	if g.toldUnknown {
		return
	}
	g.toldUnknown = true
	o := g.opener
	o.Tell(tasks.Event{Type: tasks.EventNotice, Detail: "memory and CPU of the workers are not known: " + err.Error()})
	if o.MemoryLimit > 0 || o.CPULimit > 0 {
		o.Warn("what a worker uses of memory and CPU cannot be measured on this system, so --worker-memory-limit and --worker-cpu-limit do nothing")
	}
}

func (g *gauge) tellResident(u monitor.Usage) {
	if g.toldResident {
		return
	}
	g.toldResident = true
	g.opener.Tell(tasks.Event{Type: tasks.EventNotice, Detail: fmt.Sprintf(
		"the memory of the workers is shown higher than it is: %d of the %d processes of a browser do not say what they share (run poscrape as the user that Chrome runs as)",
		u.Resident, u.Processes)})
}
