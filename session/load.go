package session

import (
	"context"
	"fmt"

	"github.com/poscrape/poscrape/internal/disk"
	"github.com/poscrape/poscrape/monitor"
	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/session/worker"
	"github.com/poscrape/poscrape/tasks"
)

// limitedByLoad is the owner of the limit that the load of the machine sets.
const limitedByLoad = "load"

// watchLoad measures how loaded the machine is until ctx ends, and has the resource monitor
// limit the workers, unless their number is to stay.
func (s *ProcessingSession) watchLoad(ctx context.Context, p *pool.WorkerPool) {
	sampler := s.cfg.Sampler
	if sampler == nil {
		sampler = monitor.NewSampler()
		s.tellFit(ctx)
	}
	if s.cfg.NoScale {
		_, _ = sampler.Sample(ctx) // the first one is of all the time since the machine's start
		s.every(ctx, s.cfg.CheckInterval, func(ctx context.Context) error {
			if load, err := sampler.Sample(ctx); err == nil { // it is only shown
				s.tally.Loaded(load)
			}
			return nil
		})
		return
	}
	cfg := monitor.DefaultConfig()
	cfg.CPU, cfg.Memory, cfg.Interval = s.cfg.CPUThreshold, s.cfg.MemoryThreshold, s.cfg.CheckInterval
	cfg.OnSample = s.tally.Loaded
	cfg.OnError = func(err error) { s.story.Add(ctx, tasks.Event{Type: tasks.EventNotice, Detail: err.Error()}) }
	cfg.OnDecision = func(d monitor.Decision) {
		s.story.Add(ctx, tasks.Event{Type: tasks.EventScaled, Detail: d.Reason})
		if err := s.folder.Ledger.AppendScaling(ctx, tasks.Scaling{At: d.At, From: d.From, To: d.To, Reason: d.Reason,
			CPU: d.CPU, Memory: d.Memory, Pressure: d.Pressure}); err != nil {
			s.story.Log.Error("storing a change of the number of workers", "error", err)
		}
	}
	m, err := monitor.New(cfg, sampler, scaler{p})
	if err == nil {
		err = m.Run(ctx)
	}
	if err != nil {
		s.story.Add(ctx, tasks.Event{Type: tasks.EventNotice, Detail: "the load is not watched: " + err.Error()})
		s.story.Warn("the load of this machine cannot be watched, so the number of workers stays: %v", err)
	}
}

// tellFit says at once if more workers are asked for than the machine has memory for. One
// stands already.
func (s *ProcessingSession) tellFit(ctx context.Context) {
	c, err := monitor.MeasureCapacity(ctx)
	if err != nil {
		return // that the load cannot be watched is said elsewhere
	}
	room := c.MemoryFree - int64((1-s.cfg.MemoryThreshold)*float64(c.Memory))
	fit := 1 + int(max(0, room)/worker.TypicalMemory)
	if fit >= s.cfg.Workers {
		return
	}
	after := fmt.Sprintf("workers are taken away when memory is over %.0f %%", 100*s.cfg.MemoryThreshold)
	if s.cfg.NoScale {
		after = "with --no-scale none is taken away, and memory may run out"
	}
	s.story.WarnAndAdd(ctx, fmt.Sprintf("of %d workers, memory for %d is free (%s): %s; use --workers %d, or end other programs",
		s.cfg.Workers, fit, disk.Bytes(c.MemoryFree), after, fit))
}

// scaler lets the monitor limit the number of the pool's workers. What a person asks
// for stays, and is had again when the load has passed.
type scaler struct{ pool *pool.WorkerPool }

func (s scaler) Workers() (now, wanted int) { return s.pool.Size(), s.pool.SizeWithout(limitedByLoad) }
func (s scaler) Draining() int              { return s.pool.Stats().Draining }

func (s scaler) Hold(why string) (release func(string)) {
	return s.pool.Hold(pool.Hold{Owner: HeldByLoad, Reason: why})
}

func (s scaler) Scale(n int, why string) error {
	return s.pool.Limit(pool.Limit{Owner: limitedByLoad, Workers: n, Reason: why})
}
