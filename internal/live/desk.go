package live

import (
	"context"
	"net/http"
	"sync"
)

// Desk is where a person signs in while the session waits for that. Its methods may be called by
// any goroutine.
type Desk struct {
	mu sync.Mutex
	// come is closed when somebody comes to sign in; nil while nobody has to.
	come chan struct{}
	came bool
	// window is the page to sign in on, and stays after that; opened is closed when it is there.
	window http.Handler
	opened chan struct{}
}

// Await waits until a person comes to sign in, and returns nil; or ctx's cause, when that ends
// before. Whoever comes waits until Mount or Done is called.
func (d *Desk) Await(ctx context.Context) error {
	d.mu.Lock()
	d.come, d.came, d.opened = make(chan struct{}), false, make(chan struct{})
	d.window = nil
	come := d.come
	d.mu.Unlock()
	select {
	case <-come:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Mount has the page served on which the person signs in.
func (d *Desk) Mount(window http.Handler) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.window = window
	d.open()
}

// Done says that nobody has to sign in any more. The page that was mounted says how it ended.
func (d *Desk) Done() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.come = nil
	d.open()
}

// open lets those in who have come. The caller holds d.mu.
func (d *Desk) open() {
	if d.opened != nil {
		close(d.opened)
		d.opened = nil
	}
}

// Wanted reports whether a person has to sign in.
func (d *Desk) Wanted() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.come != nil
}

// ServeHTTP serves the page to sign in on. The first who asks for it has it opened.
func (d *Desk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	if d.come != nil && !d.came && r.Method == http.MethodGet && r.URL.Path == "/" {
		d.came = true
		close(d.come)
	}
	opened, came := d.opened, d.came
	d.mu.Unlock()
	if opened != nil && came {
		select {
		case <-opened:
		case <-r.Context().Done():
			return
		}
	}
	d.mu.Lock()
	window := d.window
	d.mu.Unlock()
	if window == nil {
		http.Error(w, "Nobody has to sign in now. The page of the run says how it goes on.", http.StatusNotFound)
		return
	}
	window.ServeHTTP(w, r)
}
