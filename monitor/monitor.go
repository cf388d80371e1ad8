package monitor

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// ErrRunning is returned by Run while another Run of the same monitor goes on.
var ErrRunning = errors.New("the monitor runs already")

// ResourceMonitor keeps the number of workers at what the machine can carry.
type ResourceMonitor struct {
	cfg     Config
	sampler Sampler
	scaler  Scaler
	// release ends the hold of new work; nil without one. Only Run uses it.
	release func(why string)

	mu       sync.Mutex // guards the fields below
	state    State
	latest   Sample
	breach   string
	failures Failures
}

// Failures counts what went wrong without stopping the monitor.
type Failures struct {
	// Samples could not be taken, and the first of these errors.
	Samples     int
	FirstSample error
	// Scales were refused by the Scaler, and the first of these errors.
	Scales     int
	FirstScale error
}

// New returns a monitor that does not run yet. The error names the field of cfg
// that is out of bounds.
func New(cfg Config, sampler Sampler, scaler Scaler) (*ResourceMonitor, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if sampler == nil || scaler == nil {
		return nil, errors.New("monitor: New needs a sampler and a scaler")
	}
	return &ResourceMonitor{
		cfg: cfg.withDefaults(), sampler: sampler, scaler: scaler,
		state: StateInactive, latest: Sample{Pressure: -1},
	}, nil
}

// Run watches and scales until ctx ends, and returns nil then, or ErrRunning if
// it runs already. It starts no goroutine. A sample that fails is counted, and
// the next one is awaited. Run may be called again after it has returned; it
// then begins with fresh memory.
func (m *ResourceMonitor) Run(ctx context.Context) error {
	if !m.enter(StateMonitoring) {
		return ErrRunning
	}
	defer m.enter(StateInactive)

	d := newDecider(m.cfg)
	b := brake{cfg: m.cfg}
	defer func() { m.ease("the load is not watched any more") }()
	if _, err := m.sampler.Sample(ctx); err != nil && ctx.Err() == nil { // begins the first sample's time
		m.sampleFailed(err)
	}
	timer := time.NewTimer(m.cfg.Interval)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		}
		if s, ok := m.sample(ctx); ok {
			m.act(&d, s)
			m.brake(&b, s)
		}
		timer.Reset(d.next())
	}
}

// sample takes one, and reports whether that worked.
func (m *ResourceMonitor) sample(ctx context.Context) (Sample, bool) {
	s, err := m.sampler.Sample(ctx)
	if ctx.Err() != nil {
		return Sample{}, false
	}
	if err != nil {
		m.sampleFailed(err)
		return Sample{}, false
	}
	m.mu.Lock()
	m.latest = s
	m.mu.Unlock()
	if m.cfg.OnSample != nil {
		m.cfg.OnSample(s)
	}
	return s, true
}

// act judges a sample and carries out what it asks for.
func (m *ResourceMonitor) act(d *decider, s Sample) {
	var c crew
	c.now, c.wanted = m.scaler.Workers()
	if drainer, ok := m.scaler.(Drainer); ok {
		c.draining = drainer.Draining()
	}
	p := d.feed(s, c)
	if p.to != 0 && m.scale(p) {
		d.carriedOut(s, c.now, p)
		if m.cfg.OnDecision != nil {
			m.cfg.OnDecision(Decision{
				At: time.Now(), From: c.now, To: p.to, Reason: reasonText(p.to, c.wanted, p.why),
				CPU: s.CPU, Memory: s.Memory, Pressure: s.Pressure,
			})
		}
		if p.to < c.now {
			m.enter(StateScalingDown)
		}
	}
	if !d.settling {
		m.enter(StateMonitoring)
	}
	m.mu.Lock()
	m.breach = d.breach
	m.mu.Unlock()
}

// brake has new work wait, or go on.
func (m *ResourceMonitor) brake(b *brake, s Sample) {
	holder, ok := m.scaler.(Holder)
	if !ok {
		return
	}
	workers, _ := m.scaler.Workers()
	switch j := b.feed(s, workers); {
	case j.hold:
		m.release = holder.Hold(j.why)
	case j.release:
		m.ease(j.why)
	}
}

// ease ends the hold, if there is one.
func (m *ResourceMonitor) ease(why string) {
	if m.release != nil {
		m.release(why)
		m.release = nil
	}
}

// scale asks the Scaler, and reports whether it agreed.
func (m *ResourceMonitor) scale(p proposal) bool {
	if err := m.scaler.Scale(p.to, p.why); err != nil {
		m.countFailure(&m.failures.Scales, &m.failures.FirstScale, fmt.Errorf("scale to %d workers: %w", p.to, err))
		return false
	}
	return true
}

func (m *ResourceMonitor) sampleFailed(err error) {
	m.countFailure(&m.failures.Samples, &m.failures.FirstSample, fmt.Errorf("measure the machine's load: %w", err))
}

func (m *ResourceMonitor) countFailure(count *int, first *error, err error) {
	m.mu.Lock()
	*count++
	isFirst := *count == 1
	if isFirst {
		*first = err
	}
	m.mu.Unlock()
	if isFirst && m.cfg.OnError != nil {
		m.cfg.OnError(err)
	}
}

// enter moves to the next state and reports whether that was a step.
func (m *ResourceMonitor) enter(next State) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.become(next) == nil
}

// State returns what the monitor is doing.
func (m *ResourceMonitor) State() State {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.state
}

// Latest returns the last sample. Before the first one its time is zero.
func (m *ResourceMonitor) Latest() Sample {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.latest
}

// Failures returns what went wrong so far.
func (m *ResourceMonitor) Failures() Failures {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.failures
}

// Reason says in one sentence why there are fewer workers than wanted, as in
// "3 of 4 workers: CPU 91 % over 80 %". It is empty where the monitor is not the
// reason.
func (m *ResourceMonitor) Reason() string {
	m.mu.Lock()
	breach := m.breach
	m.mu.Unlock()
	now, wanted := m.scaler.Workers()
	if breach == "" || now >= wanted {
		return ""
	}
	return reasonText(now, wanted, breach)
}
