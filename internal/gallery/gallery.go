// Package gallery keeps the latest picture of what each worker shows, while somebody looks.
package gallery

import (
	"sync"
	"time"
)

const (
	// looked is for how long pictures are taken after somebody has looked at one.
	looked = 10 * time.Second
	// pictureEvery is the shortest time between two pictures of a worker's pages.
	pictureEvery = 3 * time.Second
	// AtMost is how long one may take: the order waits for it.
	AtMost = time.Second
	// restRatio is how many times as long as one has taken a worker is left alone afterwards:
	// pictures take a fiftieth of its time at the most, however slow they are.
	restRatio = 50
)

// Gallery has the latest picture of what each worker's browser showed at the end of an order.
// They are taken while somebody looks at them, and kept nowhere else. Its methods may be called
// by any goroutine, and those of a nil Gallery do nothing.
type Gallery struct {
	mu    sync.Mutex
	until time.Time
	shots map[string]Shot
	// rest is until when a worker is left alone.
	rest map[string]time.Time
}

// Shot is what a worker's browser showed.
type Shot struct {
	// Order is the number of the order that it had read.
	Order string
	At    time.Time
	// PNG is the picture.
	PNG []byte
}

// New returns an empty one.
func New() *Gallery { return &Gallery{shots: map[string]Shot{}, rest: map[string]time.Time{}} }

// Watched has pictures taken for some seconds from now on.
func (g *Gallery) Watched() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.until = time.Now().Add(looked)
}

// Latest returns the last picture of a worker's, if there is one.
func (g *Gallery) Latest(worker string) (Shot, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	shot, there := g.shots[worker]
	return shot, there
}

// Taken says when the last picture of each worker's was taken.
func (g *Gallery) Taken() map[string]time.Time {
	g.mu.Lock()
	defer g.mu.Unlock()
	taken := make(map[string]time.Time, len(g.shots))
	for worker, shot := range g.shots {
		taken[worker] = shot.At
	}
	return taken
}

// Wants reports whether a picture of the worker's is to be taken now.
func (g *Gallery) Wants(worker string) bool {
	if g == nil {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now()
	return now.Before(g.until) && !now.Before(g.rest[worker])
}

// Took notes for how long a worker's order has waited for a picture, which it may not have got.
func (g *Gallery) Took(worker string, d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.rest[worker] = time.Now().Add(max(pictureEvery, restRatio*d))
}

// Hang keeps a worker's latest picture.
func (g *Gallery) Hang(worker string, shot Shot) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shots[worker] = shot
}
