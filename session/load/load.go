// Package load has the machine's load limit a session's workers, or only shows it.
package load

import (
	"context"
	"fmt"
	"time"

	"github.com/poscrape/poscrape/internal/disk"
	"github.com/poscrape/poscrape/monitor"
	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/session/progress"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/session/story"
	"github.com/poscrape/poscrape/session/worker"
	"github.com/poscrape/poscrape/tasks"
)

// Owner is the owner of the hold and of the limit that the load of the machine sets.
const Owner = "load"

// Watch measures how loaded the machine is.
type Watch struct {
	Config setup.Config
	Pool   *pool.WorkerPool
	Story  *story.Story
	Tally  *progress.Tally
	// Log keeps the changes of the number of workers.
	Log tasks.SessionLog
}

// Run watches until ctx ends, and has the resource monitor limit the workers, unless their
// number is to stay.
func (w Watch) Run(ctx context.Context) {
	sampler := w.Config.Sampler
	if sampler == nil {
		sampler = monitor.NewSampler()
		w.tellFit(ctx)
	}
	if w.Config.NoScale {
		w.show(ctx, sampler)
		return
	}
	cfg := monitor.DefaultConfig()
	cfg.CPU, cfg.Memory, cfg.Interval = w.Config.CPUThreshold, w.Config.MemoryThreshold, w.Config.CheckInterval
	cfg.OnSample = w.Tally.Loaded
	cfg.OnError = func(err error) { w.Story.Add(ctx, tasks.Event{Type: tasks.EventNotice, Detail: err.Error()}) }
	cfg.OnDecision = func(d monitor.Decision) {
		w.Story.Add(ctx, tasks.Event{Type: tasks.EventScaled, Detail: d.Reason})
		if err := w.Log.AppendScaling(ctx, tasks.Scaling{At: d.At, From: d.From, To: d.To, Reason: d.Reason,
			CPU: d.CPU, Memory: d.Memory, Pressure: d.Pressure}); err != nil {
			w.Story.Log.Error("storing a change of the number of workers", "error", err)
		}
	}
	m, err := monitor.New(cfg, sampler, scaler{w.Pool})
	if err == nil {
		err = m.Run(ctx)
	}
	if err != nil {
		w.Story.Add(ctx, tasks.Event{Type: tasks.EventNotice, Detail: "the load is not watched: " + err.Error()})
		w.Story.Warn("the load of this machine cannot be watched, so the number of workers stays: %v", err)
	}
}

// show has watchers of the session see the load, which changes nothing.
func (w Watch) show(ctx context.Context, sampler monitor.Sampler) {
	_, _ = sampler.Sample(ctx) // the first one is of all the time since the machine's start
	ticker := time.NewTicker(w.Config.CheckInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if load, err := sampler.Sample(ctx); err == nil {
				w.Tally.Loaded(load)
			}
		}
	}
}

// tellFit says at once if more workers are asked for than the machine has memory for. One
// stands already.
func (w Watch) tellFit(ctx context.Context) {
	c, err := monitor.MeasureCapacity(ctx)
	if err != nil {
		return // that the load cannot be watched is said elsewhere
	}
	room := c.MemoryFree - int64((1-w.Config.MemoryThreshold)*float64(c.Memory))
	fit := 1 + int(max(0, room)/worker.TypicalMemory)
	if fit >= w.Config.Workers {
		return
	}
	after := fmt.Sprintf("workers are removed when memory is over %.0f %%", 100*w.Config.MemoryThreshold)
	if w.Config.NoScale {
		after = "with --no-scale none is removed, and memory may run out"
	}
	w.Story.WarnAndAdd(ctx, fmt.Sprintf("of %d workers, memory for %d is free (%s): %s; use --workers %d, or end other programs",
		w.Config.Workers, fit, disk.Bytes(c.MemoryFree), after, fit))
}

// scaler lets the monitor limit the number of the pool's workers. What a person asks
// for stays, and is had again when the load has passed.
type scaler struct{ pool *pool.WorkerPool }

func (s scaler) Workers() (now, wanted int) { return s.pool.Size(), s.pool.SizeWithout(Owner) }
func (s scaler) Draining() int              { return s.pool.Stats().Draining }

func (s scaler) Hold(why string) (release func(string)) {
	return s.pool.Hold(pool.Hold{Owner: Owner, Reason: why})
}

func (s scaler) Scale(n int, why string) error {
	return s.pool.Limit(pool.Limit{Owner: Owner, Workers: n, Reason: why})
}
