package breaker

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// fakeNetwork is a Checker that finds what a test says, by address or site.
type fakeNetwork struct {
	mu     sync.Mutex
	down   map[string]bool
	quiet  time.Time // until when the portal is left alone
	mute   map[string]bool
	checks int
	asks   int
}

func (n *fakeNetwork) Reach(_ context.Context, address string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.checks++
	if n.down[address] {
		return errors.New("connection refused")
	}
	return nil
}

func (n *fakeNetwork) Ask(_ context.Context, site string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asks++
	if n.mute[site] {
		return errors.New("EOF")
	}
	return nil
}

func (n *fakeNetwork) set(address string, down bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.down[address] = down
}

// hush has the portal left alone for so long.
func (n *fakeNetwork) hush(pause time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.quiet = time.Now().Add(pause)
}

// quietAt is the breaker's Quiet.
func (n *fakeNetwork) quietAt(address string) time.Time {
	n.mu.Lock()
	defer n.mu.Unlock()
	if address == portalSite {
		return n.quiet
	}
	return time.Time{}
}

func (n *fakeNetwork) checked() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.checks
}

const (
	portalURL, portalAddress = "http://portal.example/orders/", "portal.example:80"
	portalSite               = "http://portal.example/"
	otherURL, otherAddress   = "https://other.example/orders/", "other.example:443"
)

// rig is a Breaker with orders, and a network that a test decides about.
type rig struct {
	*Breaker
	t       *testing.T
	network *fakeNetwork
	queue   *tasks.Memory
	orders  []*tasks.ProcessingTask
}

// newRig returns a breaker for n orders of the portal, and one of each other URL.
func newRig(t *testing.T, n int, more ...string) *rig {
	t.Helper()
	r := &rig{t: t, network: &fakeNetwork{down: map[string]bool{}, mute: map[string]bool{}}, queue: tasks.NewMemory()}
	r.Breaker = New(Config{Patience: 10 * time.Minute, Timeout: 2 * time.Minute, Retries: 2, Checker: r.network, Quiet: r.network.quietAt})
	urls := make([]string, 0, n+len(more))
	for range n {
		urls = append(urls, portalURL)
	}
	for i, url := range append(urls, more...) {
		if _, err := r.queue.Enqueue(t.Context(), tasks.Spec{Key: fmt.Sprint(i), URL: fmt.Sprint(url, i), Portal: strings.Split(url, "/")[2]}); err != nil {
			t.Fatal(err)
		}
	}
	r.reload()
	return r
}

func (r *rig) reload() {
	r.t.Helper()
	r.orders = nil
	err := r.queue.Each(r.t.Context(), func(task *tasks.ProcessingTask) error {
		r.orders = append(r.orders, task)
		return nil
	})
	if err := errors.Join(err, r.Load(r.t.Context(), r.queue)); err != nil {
		r.t.Fatal(err)
	}
}

func stays() bool { return false }

// try makes an attempt at an order that ends so, and returns what the host has to answer for.
func (r *rig) try(order int, res *tasks.Result, err error) *tasks.HostTrouble {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), r.Timeout)
	defer cancel()
	p, admitted := r.Admit(ctx, r.orders[order], stays)
	if admitted != nil {
		r.t.Fatalf("order %d was not admitted: %v", order, admitted)
	}
	return p.Observe(ctx, res, err)
}

// charged makes an attempt that must be charged, released one that must not.
func (r *rig) charged(order int, err error) {
	r.t.Helper()
	if trouble := r.try(order, nil, err); trouble != nil {
		r.t.Errorf("order %d was released: %+v", order, trouble)
	}
	r.orders[order].Attempts++
}

func (r *rig) released(order int, err error) {
	r.t.Helper()
	if trouble := r.try(order, nil, err); trouble == nil || trouble.After <= 0 {
		r.t.Errorf("order %d was charged, or is due at once: %+v", order, trouble)
	}
}

func (r *rig) well(order int) {
	r.t.Helper()
	if f := r.try(order, well(), nil); f != nil {
		r.t.Errorf("order %d: %v", order, f)
	}
}

// state returns that of the portal's circuit.
func (r *rig) state() state {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.circuit(portalURL).state
}

func (r *rig) is(want state) {
	r.t.Helper()
	if got := r.state(); got != want {
		r.t.Fatalf("the portal's circuit is %s, want %s", got, want)
	}
}

func well() *tasks.Result { return &tasks.Result{Outcome: tasks.OutcomeComplete} }

func broken() *tasks.Result {
	return &tasks.Result{Outcome: tasks.OutcomePartial, Missing: tasks.Retry(tasks.ClassAttachment, "1 of 2 listed documents are missing")}
}

func netError(text string) error {
	f := tasks.Retry(tasks.ClassNavigation, "the page could not be reached: %s", text)
	f.Seen, f.Unreached = strings.ToLower(strings.ReplaceAll(text, "_", " ")), !strings.HasPrefix(text, "CERT_")
	return f
}

func refused() error { return netError("CONNECTION_REFUSED") }

func status(code int) error {
	switch code {
	case http.StatusForbidden:
		return tasks.Permanent(tasks.OutcomeAccessDenied, tasks.ClassAccessDenied, "the portal refuses")
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return tasks.Retry(tasks.ClassThrottled, "the portal asks to wait")
	}
	return tasks.Retry(tasks.ClassHTTPStatus, "status %d", code)
}

func late(phase string) error {
	f := tasks.Retry(tasks.ClassTimeout, "the order timed out")
	f.Phase = phase
	return f
}

func silent() error { return late(tasks.PhaseOpen) }

func notFound() error {
	return tasks.Permanent(tasks.OutcomeNotFound, tasks.ClassNotFound, "no such order")
}

func login() error {
	return tasks.Permanent(tasks.OutcomeSessionExpired, tasks.ClassLogin, "sign in")
}
