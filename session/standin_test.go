package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/session/breaker"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/session/worker"
	"github.com/poscrape/poscrape/tasks"
)

// OpenOn opens a session whose workers are stand-ins.
func OpenOn(ctx context.Context, cfg Config, on *StandIns) (*ProcessingSession, error) {
	s, err := open(ctx, cfg, on)
	return on.attach(s), err
}

// ResumeOn goes on with a session, with stand-ins for workers.
func ResumeOn(ctx context.Context, dir string, cfg ResumeConfig, on *StandIns) (*ProcessingSession, error) {
	s, err := resume(ctx, dir, cfg, on)
	return on.attach(s), err
}

// attach has what is recorded of a session fail where that is wanted.
func (s *StandIns) attach(to *ProcessingSession) *ProcessingSession {
	if to != nil && s.Record != nil {
		to.proofs.TaskQueue = unrecorded{to.proofs.TaskQueue, s.Record}
	}
	return to
}

// unrecorded is a queue that may fail to record what became of an order.
type unrecorded struct {
	tasks.TaskQueue
	fail func() error
}

func (q unrecorded) Record(ctx context.Context, lease *tasks.Lease, d tasks.Decision) error {
	if err := q.fail(); err != nil {
		return err
	}
	return q.TaskQueue.Record(ctx, lease, d)
}

// Act is what a stand-in does in one attempt at an order. Its zero value brings the order home
// with one document.
type Act struct {
	// Takes is how long the attempt takes, Until what it waits for besides.
	Takes time.Duration
	Until <-chan struct{}
	// Err is what it ends with in place of a result.
	Err error
	// Loses: the worker is lost, and the order with it. Ended is the limit for which it is ended.
	Loses bool
	Ended error

	// Outcome is complete where it is not said. None of the other outcomes has documents.
	Outcome tasks.Outcome
	// Documents are the texts of the documents by their names; nil: one that tells its order.
	Documents map[string]string
	Fields    map[string]tasks.Field
	Looks     []tasks.Look
	// Shown is what speaks for the result, nil as what earlier versions have recorded.
	Shown *tasks.Shown
	// Folder is the order's, its number where it is not said.
	Folder string
	// Executor is ExecutorRender where it is not said.
	Executor string
}

// Documents are what an order has that ends well: its one document, by its name.
func Documents(po string) map[string]string {
	return map[string]string{po + ".pdf": "%PDF-1.4 the contract of " + po}
}

// StandIns work in the place of Chromes, and are the machine that they work on.
type StandIns struct {
	// Act says what becomes of an attempt. It may be called by several workers at once; nil: the
	// zero Act.
	Act func(*tasks.ProcessingTask) Act
	// Launch fails the opening of the n-th worker, the first is 1, or returns nil.
	Launch func(n int) error
	// CloseTakes is how long the closing of a worker takes, if its context lasts that long.
	CloseTakes time.Duration
	// Record fails the recording of what became of an order, or returns nil.
	Record func() error
	// Reach says how a host is found when it is looked at; nil: it answers.
	Reach func(address string) error

	mu       sync.Mutex
	cfg      worker.Config
	earlier  map[string]tasks.Worker
	live     map[*standIn]bool
	seats    map[string]uuid.UUID
	launched int
}

func (*StandIns) find(context.Context, Config) (browser.Chrome, error) {
	return browser.Chrome{Path: "/nowhere/chrome", Version: "a stand-in"}, nil
}

func (*StandIns) lookUp(context.Context, *Config, *orders.Sheet, setup.Recipes) error { return nil }

func (*StandIns) lookUpAgain(context.Context, *Config, []orders.PurchaseOrder, setup.Recipes) {}

func (*StandIns) sweep(context.Context, string) sweeping { return sweeping{} }

func (*StandIns) prepare(_ context.Context, cfg Config, chrome browser.Chrome) (worker.Config, error) {
	return worker.Config{Chrome: chrome, Sandbox: browser.Sandbox{On: true}, Temp: cfg.Temp(), Limits: cfg.Limits}, nil
}

func (*StandIns) Kept() string { return "" }

func (*StandIns) Uncontained() string { return "" }

func (*StandIns) Contained() int { return 0 }

func (s *StandIns) workers(cfg worker.Config) workers {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cfg, s.live, s.seats = cfg, map[*standIn]bool{}, map[string]uuid.UUID{}
	return s
}

func (s *StandIns) network(string) breaker.Checker { return look{s.Reach} }

// look is the breaker.Checker of stand-ins.
type look struct{ reach func(address string) error }

func (l look) Reach(_ context.Context, address string) error {
	if l.reach == nil {
		return nil
	}
	return l.reach(address)
}

// Ask gets an answer from any host that can be reached.
func (l look) Ask(ctx context.Context, site string) error {
	u, err := url.Parse(site)
	if err != nil {
		return err
	}
	return l.Reach(ctx, u.Host)
}

// Start launches nothing: the first worker is opened by its slot.
func (*StandIns) Start(context.Context) error { return nil }

// Open opens a worker for a slot.
func (s *StandIns) Open(_ context.Context, slot string) (pool.Worker, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.launched++
	if s.Launch != nil {
		if err := s.Launch(s.launched); err != nil {
			return nil, err
		}
	}
	w := &standIn{all: s, slot: slot, number: s.launched, lost: make(chan struct{})}
	s.live[w] = true
	s.seats[slot] = uuid.Must(uuid.NewV7())
	return w, nil
}

// Close has nothing left to close.
func (*StandIns) Close() error { return nil }

// Left returns how many workers are open.
func (s *StandIns) Left() (browsers, directories int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.live), len(s.live)
}

// Launched returns how many workers were opened.
func (s *StandIns) Launched() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.launched
}

// Lose kills a worker, if one is open.
func (s *StandIns) Lose() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for w := range s.live {
		w.lose()
		return
	}
}

// Sandboxed says that there is a sandbox.
func (s *StandIns) Sandboxed() browser.Sandbox { return s.cfg.Sandbox }

// Recall takes over the records of earlier runs.
func (s *StandIns) Recall(earlier map[string]tasks.Worker) { s.earlier = earlier }

// Used returns the record with what earlier runs did.
func (s *StandIns) Used(slot string, record tasks.Worker) tasks.Worker {
	s.mu.Lock()
	defer s.mu.Unlock()
	earlier := s.earlier[slot]
	record.Processed += earlier.Processed
	record.Failed += earlier.Failed
	record.Restarts += earlier.Restarts
	record.BrowserID = s.seats[slot]
	return record
}

// Memory is not known.
func (*StandIns) Memory() map[string]int64 { return nil }

// Watch sees nothing.
func (*StandIns) Watch(ctx context.Context, _ time.Duration, _ func(error)) { <-ctx.Done() }

// BrowserIn returns the id of the last worker in a slot.
func (s *StandIns) BrowserIn(slot string, _ time.Time) uuid.UUID {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seats[slot]
}

// StartTook returns what it is given.
func (*StandIns) StartTook(_ string, took time.Duration) time.Duration { return took }

// SignOut is for browsers.
func (*StandIns) SignOut(context.Context, string, []*browser.State) error {
	return errors.New("a stand-in has no sign-in")
}

// Distrusted knows no certificates.
func (*StandIns) Distrusted() error { return nil }

// standIn is one worker.
type standIn struct {
	all    *StandIns
	slot   string
	number int
	lost   chan struct{}
	once   sync.Once
}

func (w *standIn) lose() { w.once.Do(func() { close(w.lost) }) }

// Do makes an attempt as worker.Worker does: as soon as the order's host takes orders, and with
// what was seen around it.
func (w *standIn) Do(ctx context.Context, task *tasks.ProcessingTask) (*tasks.Result, error) {
	cfg := &w.all.cfg
	pass, err := cfg.Breaker.Admit(ctx, task, func() bool { return cfg.Leaving(w.slot) })
	if err != nil {
		return nil, err
	}
	defer pass.End()
	var act Act
	if w.all.Act != nil {
		act = w.all.Act(task)
	}
	res, err := w.attempt(ctx, task, act)
	var facts tasks.Facts
	switch fault := cfg.DiskFault(err); {
	case act.Ended != nil:
		w.lose()
		facts.Ended = act.Ended
	case fault != nil:
		facts.Disk = fault
	default:
		facts.Host = pass.Observe(ctx, res, err)
	}
	kept, err := tasks.WithFacts(res, err, facts)
	if kept == nil && res != nil {
		cfg.Discard(res)
	}
	return kept, err
}

func (w *standIn) attempt(ctx context.Context, task *tasks.ProcessingTask, act Act) (*tasks.Result, error) {
	if act.Loses {
		w.lose()
	}
	took := time.NewTimer(act.Takes)
	defer took.Stop()
	select {
	case <-took.C:
	case <-w.lost:
	case <-ctx.Done():
	}
	if act.Until != nil {
		select {
		case <-act.Until:
		case <-w.lost:
		case <-ctx.Done():
		}
	}
	if ctx.Err() != nil {
		return nil, tasks.Release(tasks.ClassReleased, "the order was given back: %w", context.Cause(ctx))
	}
	if err := w.Fit(); err != nil {
		return nil, tasks.Release(tasks.ClassBrowserLost, "the browser was lost while the order was worked on: %w", err)
	}
	if act.Err != nil || act.Ended != nil {
		return nil, errors.Join(act.Err, act.Ended)
	}
	res, err := w.bring(task, act)
	if err != nil {
		return nil, tasks.Retry(tasks.ClassStorage, "%w", err)
	}
	return res, nil
}

// bring stages the documents of an order.
func (w *standIn) bring(task *tasks.ProcessingTask, act Act) (*tasks.Result, error) {
	cfg := &w.all.cfg
	var portal = cfg.Portal
	for _, site := range cfg.Sites {
		if site.Name == task.Portal {
			portal = site.Portal
		}
	}
	res := &tasks.Result{Outcome: act.Outcome, Executor: act.Executor, URL: task.URL, Fields: act.Fields, Looks: act.Looks,
		Shown: act.Shown, Folder: act.Folder, Kind: portal.Kind(task.URL)}
	if res.Outcome == "" {
		res.Outcome = tasks.OutcomeComplete
	}
	if res.Executor == "" {
		res.Executor = tasks.ExecutorRender
	}
	if res.Folder == "" {
		res.Folder = task.Dir
	}
	if res.Outcome == tasks.OutcomeNoAttachments {
		res.Proof = &tasks.Proof{By: tasks.ProofMarker, Text: "No documents"}
	}
	if res.Outcome != tasks.OutcomeComplete {
		return res, nil
	}
	documents := act.Documents
	if documents == nil {
		documents = Documents(task.PO)
	}
	res.Staging = filepath.Join(cfg.Places.Staging, fmt.Sprintf("%s-%d-%d", task.ID, task.Attempts, len(task.History)))
	if err := errors.Join(os.RemoveAll(res.Staging), os.Mkdir(res.Staging, 0o700)); err != nil {
		return nil, err
	}
	for name, text := range documents {
		if err := cfg.Places.Room(int64(len(text))); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(res.Staging, name), []byte(text), 0o644); err != nil {
			return nil, err
		}
		sum := sha256.Sum256([]byte(text))
		res.Attachments = append(res.Attachments, tasks.Attachment{Name: name, Staged: name, Size: int64(len(text)),
			SHA256: hex.EncodeToString(sum[:]), Source: task.URL, State: tasks.AttachmentDone})
	}
	return res, nil
}

// Fit says that a worker that was killed is lost.
func (w *standIn) Fit() error {
	select {
	case <-w.lost:
		return browser.ErrLost
	default:
		return nil
	}
}

// Close ends the worker.
func (w *standIn) Close(ctx context.Context) error {
	w.lose()
	takes := time.NewTimer(w.all.CloseTakes)
	defer takes.Stop()
	select {
	case <-takes.C:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	w.all.mu.Lock()
	defer w.all.mu.Unlock()
	delete(w.all.live, w)
	return nil
}

// Info has a process that cannot be.
func (w *standIn) Info() pool.Info { return pool.Info{PID: 1<<30 + w.number, Profile: "a stand-in"} }
