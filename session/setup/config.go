// Package setup is what a session is told: its settings, the sheet and the recipe; and what is
// kept of that, so that the session can be gone on with.
package setup

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/poscrape/poscrape/internal/inside"
	"github.com/poscrape/poscrape/monitor"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/session/progress"
	"github.com/poscrape/poscrape/session/story"
	"github.com/poscrape/poscrape/session/worker"
	"github.com/poscrape/poscrape/tasks"
)

// The bounds of a session's settings.
const (
	MinWorkers, MaxWorkers = 1, 8
	MaxBreakerPatience     = 24 * time.Hour
)

// Lifetime says how long a browser lives.
type Lifetime string

// The lifetimes of browsers.
const (
	// Reuse keeps a browser for order after order.
	Reuse Lifetime = "reuse"
	// Once opens a fresh Chrome with a fresh profile for each order.
	Once Lifetime = "once"
)

// DefaultPlace is where sessions go that name no folder, below the working directory.
const DefaultPlace = "poscrape-out"

// Config says what a session does. Its JSON form is kept in the session's
// ledger, so that the session can be gone on with.
type Config struct {
	// File is the sheet of orders; "-" means Input.
	File string `json:"file"`
	// Input is read where File is "-".
	Input io.Reader `json:"-"`
	// Out is the session folder. It must be new or empty. When it is empty, the
	// session makes one below poscrape-out, named for the time and its id.
	Out string `json:"out"`
	// RecipeFile says how the portal looks; empty means the built-in recipe. It may be a folder,
	// which stands for all recipes in it.
	RecipeFile string `json:"recipe_file,omitempty"`
	// MoreRecipes are files and folders of recipes besides, for other portals: each order takes
	// the one whose base_url has its host.
	MoreRecipes []string `json:"more_recipes,omitempty"`
	// URL is a template for rows without an address.
	URL string `json:"url,omitempty"`
	// URLFound: URL stood in a file of settings that nobody has named or allowed. It makes addresses, and
	// nobody has typed it, see TypedURL.
	URLFound bool `json:"url_found,omitempty"`
	// Columns overrules the recognition of columns: role to header name.
	Columns map[string]string `json:"columns,omitempty"`
	// Sheet is the name of the workbook's sheet; empty means the first.
	Sheet string `json:"sheet,omitempty"`
	// Encoding is that of a sheet of text, as the web or IANA calls it; empty means what it seems to be.
	Encoding string `json:"encoding,omitempty"`
	// Only are the conditions that orders must meet, COLUMN=GLOB, see orders.ParseCondition;
	// Limit is how many orders are run, 0 for all; and those that are done in the sessions in
	// the folders SkipDone are not run. Those left out are skipped.
	Only     []string `json:"only,omitempty"`
	Limit    int      `json:"limit,omitempty"`
	SkipDone []string `json:"skip_done,omitempty"`
	// Update is the folder of an earlier session: documents that are provably the same as there
	// are copied from there, and those that are not there are new. Without a RecipeFile, its recipes
	// and its URL are used. Empty: there is none.
	Update string `json:"update,omitempty"`
	// Again has the orders of Update read again, not those of File.
	Again bool `json:"-"`
	// Earlier is what there is in Update. Open and Resume read it.
	Earlier *Earlier `json:"-"`
	// Compare overrules which column of the sheet a field is held against: field to header name,
	// or CompareNone; CompareNone as that of the field "" compares none.
	Compare map[string]string `json:"compare,omitempty"`

	// Mode says how orders are read; empty means as the recipe says.
	Mode Mode `json:"mode,omitempty"`

	// Workers is how many browsers work at once, MinWorkers to MaxWorkers.
	Workers int `json:"workers"`
	// Retries is how many further attempts an order gets after its first.
	Retries int `json:"retries"`
	// TaskTimeout bounds one attempt.
	TaskTimeout time.Duration `json:"task_timeout"`
	// Grace is how long orders in progress may go on after the first interrupt.
	Grace time.Duration `json:"grace"`
	// Lifetime says whether a browser works order after order, or only one.
	Lifetime Lifetime `json:"lifetime"`
	// StopEarly: the session stops where its first ten orders all end not well for one reason.
	StopEarly bool `json:"stop_early,omitempty"`
	// BreakerPatience is how long the session waits for a portal that is down,
	// or that refuses nearly everything, before it ends: up to MaxBreakerPatience.
	BreakerPatience time.Duration `json:"breaker_patience"`
	// Limits are what a browser may use before it is replaced, and at any time.
	worker.Limits
	// Distribution says which worker gets which order.
	Distribution tasks.Distribution `json:"distribution"`

	// CPUThreshold and MemoryThreshold are the loads, 0 to 1, above which
	// workers are taken away. CheckInterval is how often the load is measured.
	CPUThreshold    float64       `json:"cpu_threshold"`
	MemoryThreshold float64       `json:"memory_threshold"`
	CheckInterval   time.Duration `json:"check_interval"`
	// PollInterval is how long idle workers that nobody wakes leave the ledger alone at first; that
	// doubles, up to IdleBackoff. HangTimeout is a browser.Config's HangCheck and HangTimeout, and
	// CleanupTimeout a profiles.Config's. 0 stands for the default of each.
	PollInterval   time.Duration `json:"poll_interval,omitempty"`
	IdleBackoff    time.Duration `json:"idle_backoff,omitempty"`
	HangTimeout    time.Duration `json:"hang_timeout,omitempty"`
	CleanupTimeout time.Duration `json:"cleanup_timeout,omitempty"`
	// NoScale keeps the number of workers whatever the load.
	NoScale bool `json:"no_scale,omitempty"`

	// UsageInterval is how often what the workers use is measured; 0 means
	// worker.DefaultUsageInterval.
	UsageInterval time.Duration `json:"usage_interval,omitempty"`

	// BaseProfile is a Chrome profile whose essentials each browser starts with.
	BaseProfile string `json:"base_profile,omitempty"`
	// State is the file of the session state; empty means the one beside the
	// recipe. With several recipes it must be empty.
	State string `json:"state,omitempty"`
	// Secrets say where secrets come from that the recipe may not read by itself, NAME=env:VAR or
	// NAME=file:PATH, see scrape.ParseSource.
	Secrets []string `json:"secrets,omitempty"`
	// TempDir is the directory that profiles are made in. It must be there. Empty: the
	// system's directory for temporary files.
	TempDir string `json:"temp_dir,omitempty"`

	// KeepProfiles leaves the profiles there at the end, to be looked at.
	KeepProfiles bool `json:"keep_profiles,omitempty"`

	// MinFree in bytes is how much space each disk that is written to must have
	// left for orders to be begun. 0: a tenth of the disk, 8 MB to 256 MB.
	MinFree int64 `json:"min_free,omitempty"`
	// DiskPatience is how long a session that is paused for want of disk space
	// waits for some before it ends. 0: 30 s.
	DiskPatience time.Duration `json:"-"`

	// Chrome is the path of the binary; empty means to look for one.
	Chrome    string `json:"chrome,omitempty"`
	Headful   bool   `json:"headful,omitempty"`
	NoSandbox bool   `json:"no_sandbox,omitempty"`
	// Isolation says what browsers run in, empty: processes; IsolationRequired: never in processes where
	// that was asked for. ContainerEngine, ContainerImage and ContainerArgs are a container.Config's.
	Isolation         worker.Isolation `json:"isolation,omitempty"`
	IsolationRequired bool             `json:"isolation_required,omitempty"`
	ContainerEngine   string           `json:"container_engine,omitempty"`
	ContainerImage    string           `json:"container_image,omitempty"`
	ContainerArgs     string           `json:"container_args,omitempty"`
	// AllowLocal: the sheet's addresses may lead to this machine and into its network.
	AllowLocal bool `json:"allow_local,omitempty"`
	// LocalHost is the one host of that network to which they may lead without, as LookUp has found it, or
	// empty. It is nil where nothing was looked up: then it is the first that answers.
	LocalHost *string `json:"local_host,omitempty"`
	// looked is where hosts lead, as LookUpAgain has found it.
	looked map[string]inside.Place
	// Hardened is a browser.Config's.
	Hardened bool `json:"hardened,omitempty"`
	// OwnPages: only pages of this program are opened, see worker.Config.
	OwnPages bool `json:"-"`
	// CA and Proxy are a browser.Config's.
	CA    string `json:"ca,omitempty"`
	Proxy string `json:"proxy,omitempty"`
	// ProxyUser: Proxy had a user and a password, which are not kept.
	ProxyUser bool `json:"proxy_user,omitempty"`

	// Evidence says of which attempts evidence is kept; empty means KeepFailed.
	Evidence Keep `json:"evidence,omitempty"`
	// EvidenceLimit in bytes is what all evidence of the session may take; 0 means
	// DefaultEvidenceLimit.
	EvidenceLimit int64 `json:"evidence_limit,omitempty"`
	// Strict: an order that ended well and is not confirmed counts as one that did not.
	Strict bool `json:"strict,omitempty"`
	// NoRepair leaves documents of earlier runs alone that are gone or have changed.
	NoRepair bool `json:"no_repair,omitempty"`

	// Foreign: Recall has read them from a session that was made elsewhere.
	Foreign bool `json:"-"`

	// Version of poscrape, for the report.
	Version string `json:"version"`
	// OnProgress is called with how the session stands, from one goroutine, at
	// most ten times a second and once at the end. It never holds up the work:
	// while it runs, newer figures replace those that wait, and Run waits at most a second
	// for it. Nil is fine.
	OnProgress func(progress.Progress) `json:"-"`
	// OnNotice is called with things that a person should know: bad rows, a
	// sandbox that is off, fewer workers; one at a time, in their order. It never holds up
	// the work: notices wait for it, and Run waits at most a second. Nil is fine.
	OnNotice func(story.Notice) `json:"-"`
	// AskPerson has a person sign in where the session cannot do that itself, and returns when
	// that is done, or why it is not; at the latest when ctx ends. The session is paused
	// meanwhile. Nil: nobody is asked, and the session stops.
	AskPerson func(ctx context.Context, asked SignInAsked) error `json:"-"`
	// LogFile is where the log goes, JSON lines; empty means poscrape.log in the
	// session folder.
	LogFile string `json:"log_file,omitempty"`
	// Logger gets the same as the log file. Nil is fine.
	Logger *slog.Logger `json:"-"`
	// Sampler measures how loaded the machine is. Nil is the one that does.
	Sampler monitor.Sampler `json:"-"`
}

// SignInAsked is a sign-in that only a person can make.
type SignInAsked struct {
	// Seen is what stands in the way.
	Seen string
	// Recipe says where to sign in, State is the file that the sign-in goes to, and Config how a
	// browser is opened.
	Recipe *scrape.Recipe
	State  string
	Config Config
}

// defaultWorkerMemory in bytes is what a browser may grow to before it is
// replaced. Over 400 orders of the demo, chrome-headless-shell took 216 to 296 MB,
// and a Chrome with a window starts at 384 MB: a GB leaves a heavy portal room,
// and is more than a browser needs that has not bloated.
const defaultWorkerMemory = 1_000_000_000

// DefaultConfig returns the settings that are used where nothing else is said.
func DefaultConfig() Config {
	return Config{
		Workers: 4, Retries: 2, TaskTimeout: 2 * time.Minute, Grace: 30 * time.Second,
		BreakerPatience: 10 * time.Minute, Lifetime: Reuse, Isolation: worker.AsProcess, Distribution: tasks.LoadBalanced,
		CPUThreshold: 0.8, MemoryThreshold: 0.9, CheckInterval: 5 * time.Second,
		PollInterval: time.Second, IdleBackoff: 30 * time.Second, HangTimeout: 10 * time.Second, CleanupTimeout: 10 * time.Second,
		Evidence: KeepFailed, EvidenceLimit: DefaultEvidenceLimit,
		Limits: worker.Limits{MaxOrders: 200, MaxAge: time.Hour, MaxMemory: defaultWorkerMemory, Action: worker.LimitWarn, ProfileSize: 500_000_000},
	}
}

// ConfigError says which setting cannot be used, and why.
type ConfigError struct {
	// Field is the flag's name without dashes, "workers".
	Field   string
	Message string
}

func (e *ConfigError) Error() string { return "--" + e.Field + ": " + e.Message }

func bad(field, format string, args ...any) error {
	return &ConfigError{Field: field, Message: fmt.Sprintf(format, args...)}
}

// validateWorkers returns an error for the first limit of the workers that is out of bounds.
func (c Config) validateWorkers() error {
	if flag, problem := c.Check(); flag != "" {
		return bad(flag, "%s", problem)
	}
	if c.UsageInterval != 0 && c.UsageInterval < 10*time.Millisecond { // no flag sets it
		return fmt.Errorf("session: UsageInterval is %v: it must be at least 10ms, or 0 for %v", c.UsageInterval, worker.DefaultUsageInterval)
	}
	return nil
}

// ValidateSize returns a *ConfigError for a number of workers that is out of bounds.
func ValidateSize(workers int) error {
	if workers < MinWorkers || workers > MaxWorkers {
		return bad("workers", "%d is out of bounds: between %d and %d workers are possible", workers, MinWorkers, MaxWorkers)
	}
	return nil
}

// Validate returns a *ConfigError for the first setting that is out of bounds.
func (c Config) Validate() error {
	if err := ValidateSize(c.Workers); err != nil {
		return err
	}
	switch {
	case c.Retries < 0 || c.Retries > 100:
		return bad("retries", "%d is out of bounds: between 0 and 100 further attempts are possible", c.Retries)
	case c.TaskTimeout < time.Second:
		return bad("task-timeout", "%v is too short: an attempt needs at least 1s", c.TaskTimeout)
	case c.Grace < 0:
		return bad("grace", "%v is negative", c.Grace)
	case c.BreakerPatience <= 0 || c.BreakerPatience > MaxBreakerPatience:
		return bad("breaker-patience", "%v is out of bounds: more than 0s and at most 24h are possible", c.BreakerPatience)
	case c.Lifetime != Reuse && c.Lifetime != Once:
		return bad("worker-lifetime", "%q is neither reuse nor once", c.Lifetime)
	case c.MaxOrders < 1:
		return bad("max-orders-per-worker", "%d is out of bounds: a browser opens at least 1 order", c.MaxOrders)
	case !(c.CPUThreshold >= 0.5 && c.CPUThreshold <= 0.95):
		return bad("cpu-threshold", "%v is out of bounds: it must be between 0.5 and 0.95", c.CPUThreshold)
	case !(c.MemoryThreshold >= 0.7 && c.MemoryThreshold <= 0.98):
		return bad("memory-threshold", "%v is out of bounds: it must be between 0.7 and 0.98", c.MemoryThreshold)
	case c.CheckInterval < time.Second || c.CheckInterval > 30*time.Second:
		return bad("check-interval", "%v is out of bounds: it must be between 1s and 30s", c.CheckInterval)
	}
	if err := cmp.Or(c.validateWaits(), c.validateDisk()); err != nil {
		return err
	}
	if err := c.validateWorkers(); err != nil {
		return err
	}
	if err := c.validateTemp(); err != nil {
		return err
	}
	return cmp.Or(c.validateLimit(), c.validateMode(), c.validateEvidence(), c.validateProxy(), c.validateSecrets())
}

// maxWait bounds what validateWaits looks at.
const maxWait = 10 * time.Minute

// validateWaits returns an error for the first time that is out of bounds.
func (c Config) validateWaits() error {
	for _, w := range []struct {
		flag  string
		value time.Duration
		least time.Duration
	}{
		{"poll-interval", c.PollInterval, 10 * time.Millisecond},
		{"idle-backoff", c.IdleBackoff, 10 * time.Millisecond},
		{"hang-timeout", c.HangTimeout, time.Second},
		{"cleanup-timeout", c.CleanupTimeout, time.Second},
	} {
		if w.value != 0 && (w.value < w.least || w.value > maxWait) {
			return bad(w.flag, "%v is out of bounds: it must be between %v and %v", w.value, w.least, maxWait)
		}
	}
	return nil
}

func (c Config) validateLimit() error {
	if c.Limit < 0 {
		return bad("limit", "%d is negative: it is a number of orders, or 0 for all", c.Limit)
	}
	return nil
}

func (c Config) validateMode() error {
	if c.Mode != "" && !slices.Contains(Modes(), c.Mode) {
		return bad("mode", "%q is none of auto, render, fetch", c.Mode)
	}
	return nil
}

func (c Config) validateDisk() error {
	switch {
	case c.MinFree < 0:
		return bad("min-free", "%d is negative: it is a number of bytes", c.MinFree)
	case c.ProfileSize < 10_000_000:
		return bad("profile-size-limit", "%d bytes are too few: a profile needs at least 10MB", c.ProfileSize)
	}
	return nil
}

// validateTemp tries whether something can be made where profiles are to be. Of the
// system's directory that shows early enough: when the first profile is made.
func (c Config) validateTemp() error {
	if c.TempDir == "" {
		return nil
	}
	dir, err := os.MkdirTemp(c.TempDir, ".poscrape-*")
	if err == nil {
		err = os.Remove(dir)
	}
	if err != nil {
		return bad("temp-dir", "no profile can be made in %s: %s; name a directory that is there and can be written to", c.TempDir, folder.Reason(err))
	}
	return nil
}

// Temp returns the absolute path of the directory that profiles are made in.
func (c Config) Temp() string {
	dir := cmp.Or(c.TempDir, os.TempDir())
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	return dir
}
