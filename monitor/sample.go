package monitor

import (
	"context"
	"time"
)

// Sample is how loaded the machine, or the container, is. Loads are 0.0 to 1.0.
type Sample struct {
	// At is when it was taken.
	At time.Time
	// CPU is the share of processor time in use since the sample before.
	CPU float64
	// Memory is the share in use; what can be had back without harm (file
	// cache) does not count.
	Memory float64
	// Pressure is the share of the time since the sample before in which work
	// stood still for want of CPU or memory, whichever is greater; -1 where the
	// system does not measure it. It is reported, no decision rests on it.
	Pressure float64
}

// Sampler measures. NewSampler returns the real one.
type Sampler interface {
	// Sample returns the load since the call before. It is called by one
	// goroutine at a time.
	Sample(ctx context.Context) (Sample, error)
}

// Scaler is what the monitor scales: a pool of workers.
type Scaler interface {
	// Workers returns how many workers there are to be now, and how many there
	// would be if the load did not matter.
	Workers() (now, wanted int)
	// Scale asks for n workers, and says why: "CPU 91 % over 80 %". A worker that is
	// taken away finishes what it is doing; Scale does not wait for that.
	Scale(n int, why string) error
}

// Drainer is implemented by a Scaler that can say how many workers that were
// taken away have not finished yet. The monitor then waits for them, six times
// Config.Settle at most, before it judges the load again.
type Drainer interface {
	Draining() int
}

// Decision is one change of the number of workers.
type Decision struct {
	// At is when the Scaler accepted it.
	At       time.Time
	From, To int
	// Reason is one sentence for people.
	Reason string
	// CPU, Memory and Pressure are those of the sample that decided.
	CPU, Memory, Pressure float64
}
