package session

import (
	"context"
	"os"
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

// workers are those of a session: a *worker.Opener, whose workers are Chromes, or what stands in
// for it in tests. The methods are documented there.
type workers interface {
	// Start opens the first worker. When it fails, nothing is left of it.
	Start(ctx context.Context) error
	// Open opens a worker for a slot of the pool.
	Open(ctx context.Context, slot string) (pool.Worker, error)
	// Close is called after the pool has closed all workers that it has opened.
	Close() error
	// Left returns how many browsers are not proven gone, and how many profiles are there.
	Left() (browsers, directories int)
	// Kept returns the directory in which profiles were left to be looked at, or "".
	Kept() string
	// Sandboxed returns the sandbox that the browsers are in.
	Sandboxed() browser.Sandbox
	// Uncontained says why browsers are processes that were to live in containers, or is empty, and
	// Contained how many containers are not proven gone.
	Uncontained() string
	Contained() int

	// Recall takes over the records of the workers of earlier runs, by slot.
	Recall(earlier map[string]tasks.Worker)
	Used(slot string, record tasks.Worker) tasks.Worker
	Memory() map[string]int64
	// Watch looks at what the workers use until ctx ends.
	Watch(ctx context.Context, interval time.Duration, failed func(error))
	BrowserIn(slot string, at time.Time) uuid.UUID
	StartTook(slot string, took time.Duration) time.Duration

	SignOut(ctx context.Context, site string, signIns []*browser.State) error
	Distrusted() error
}

// machine is what a session takes from the machine that it runs on to come to its workers, and
// to know of a host that gives no answer.
type machine interface {
	find(ctx context.Context, cfg Config) (browser.Chrome, error)
	sweep(ctx context.Context, temp string) sweeping
	// lookUp refuses the orders of a sheet that lead inside, see setup.Config.LookUp.
	lookUp(ctx context.Context, cfg *Config, sheet *orders.Sheet, recipes setup.Recipes) error
	// lookUpAgain has those of a session refused that is gone on with, see setup.Config.LookUpAgain.
	lookUpAgain(ctx context.Context, cfg *Config, list []orders.PurchaseOrder, recipes setup.Recipes)
	// prepare returns what workers are opened with, as far as the settings and this machine say it.
	prepare(ctx context.Context, cfg Config, chrome browser.Chrome) (worker.Config, error)
	workers(cfg worker.Config) workers
	network(proxy string) breaker.Checker
}

// chromes is the machine of a program: its workers are Chromes.
type chromes struct{}

func (chromes) find(ctx context.Context, cfg Config) (browser.Chrome, error) {
	return cfg.FindChrome(ctx)
}

func (chromes) lookUp(ctx context.Context, cfg *Config, sheet *orders.Sheet, recipes setup.Recipes) error {
	return cfg.LookUp(ctx, sheet, recipes)
}

func (chromes) lookUpAgain(ctx context.Context, cfg *Config, list []orders.PurchaseOrder, recipes setup.Recipes) {
	cfg.LookUpAgain(ctx, list, recipes)
}

func (chromes) sweep(ctx context.Context, temp string) sweeping { return sweep(ctx, temp) }

func (chromes) prepare(ctx context.Context, cfg Config, chrome browser.Chrome) (worker.Config, error) {
	opens := cfg.OpenerConfig(chrome)
	opens.Engine, opens.NoEngine = cfg.FindEngine(ctx)
	return opens, worker.CheckAllowances(os.Geteuid() != 0 || opens.Sandbox.UID > 0)
}

func (chromes) workers(cfg worker.Config) workers { return worker.NewOpener(cfg) }

func (chromes) network(proxy string) breaker.Checker { return breaker.NewNetwork(proxy) }
