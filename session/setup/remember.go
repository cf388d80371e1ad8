package setup

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/session/progress"
	"github.com/poscrape/poscrape/session/story"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// ResumeConfig says how a session is gone on with. Everything else the session
// remembers.
type ResumeConfig struct {
	// Retry lists outcomes whose orders are put back, with fresh attempts. Only
	// orders that have ended, and not well, can be, and those that were skipped.
	Retry []tasks.Outcome
	// Unconfirmed puts back the orders that ended well and are not confirmed, too.
	Unconfirmed bool
	// Adjust changes the settings that the session remembers, for this run and
	// those after it. Nil: nothing changes.
	Adjust func(*Config)
	// Given sets what was typed, or named in a variable or a file of settings, of the settings that
	// do not count where they are those of a session that was made elsewhere, and returns the names
	// of their flags, see Reaching. Nil: none was.
	Given func(*Config) []string
	// Recipe is the file of a recipe that takes the place of the session's own, for this
	// run and those after it. Empty: the session goes on with the one that it remembers. In a
	// session of several, it takes the place of that of the same portal, and so do MoreRecipes.
	// Either may be a folder.
	Recipe      string
	MoreRecipes []string
	// Version of poscrape, for the report.
	Version string
	// OnProgress, OnNotice, AskPerson and Logger are as in Config.
	OnProgress func(progress.Progress)
	OnNotice   func(story.Notice)
	AskPerson  func(ctx context.Context, asked SignInAsked) error
	Logger     *slog.Logger
}

// Remembered is what the ledger keeps of how a session was started.
type Remembered struct {
	Config
	// Recipe is the text of the recipe, as it was when the session began.
	Recipe string `json:"recipe,omitempty"`
	// Recipes are those of a session of several portals; else there are none.
	Recipes Recipes `json:"recipes,omitempty"`
	// Unconfirmed: when the last run ended, orders that were only fetched and that nothing had
	// confirmed were not put back.
	Unconfirmed bool `json:"unconfirmed,omitempty"`

	// Record is what else it keeps: of the last run, and of the next one once Next was called.
	// Killed: the last run was killed, or left orders Unconfirmed.
	Record tasks.Session `json:"-"`
	Killed bool          `json:"-"`
	// Dropped are the flags of settings that Next has left out, as the session was made elsewhere.
	Dropped []string `json:"-"`
}

// Remember returns what the ledger keeps of the settings, with paths that lead
// to the same place from whatever directory the session is gone on with.
func Remember(cfg Config, recipes Recipes) ([]byte, error) {
	was := Remembered{}
	paths := []*string{&cfg.File, &cfg.BaseProfile, &cfg.State, &cfg.TempDir, &cfg.LogFile, &cfg.RecipeFile, &cfg.CA, &cfg.Update}
	cfg.MoreRecipes = slices.Clone(cfg.MoreRecipes)
	for i := range cfg.MoreRecipes {
		paths = append(paths, &cfg.MoreRecipes[i])
	}
	cfg.SkipDone = slices.Clone(cfg.SkipDone)
	for i := range cfg.SkipDone {
		paths = append(paths, &cfg.SkipDone[i])
	}
	if recipes.Several() {
		was.Recipes = slices.Clone(recipes)
		for i := range was.Recipes {
			paths = append(paths, &was.Recipes[i].File)
		}
	} else {
		was.Recipe = recipes[0].Text
	}
	cfg.Secrets = slices.Clone(cfg.Secrets)
	for i, text := range cfg.Secrets {
		cfg.Secrets[i] = lastingSource(text)
	}
	for _, path := range paths {
		if *path == "" || *path == "-" {
			continue
		}
		abs, err := filepath.Abs(*path)
		if err != nil {
			return nil, fmt.Errorf("noting how the session was started: %w", err)
		}
		*path = abs
	}
	if strings.ContainsRune(cfg.Chrome, filepath.Separator) {
		if abs, err := filepath.Abs(cfg.Chrome); err == nil {
			cfg.Chrome = abs
		}
	}
	was.Config = cfg.withoutProxyUser()
	text, err := json.Marshal(was)
	if err != nil {
		return nil, fmt.Errorf("noting how the session was started: %w", err)
	}
	return text, nil
}

// MarkUnconfirmed returns what Remember has returned, with Unconfirmed set.
func MarkUnconfirmed(config []byte) ([]byte, error) {
	var was Remembered
	err := json.Unmarshal(config, &was)
	if err == nil {
		was.Unconfirmed = true
		config, err = json.Marshal(was)
	}
	if err != nil {
		return config, fmt.Errorf("noting that orders are to be read again: %w", err)
	}
	return config, nil
}

// SameRecipe reports whether of two values that Remember has returned one has a recipe of the
// other's: the same file, or the same text.
func SameRecipe(config, other []byte) bool {
	var was, is Remembered
	if json.Unmarshal(other, &was) != nil || json.Unmarshal(config, &is) != nil {
		return false
	}
	if len(is.Recipes) > 0 {
		return slices.ContainsFunc(is.Recipes, func(r Recipe) bool {
			return slices.ContainsFunc(was.Recipes, func(o Recipe) bool { return o.Portal == r.Portal && o.File == r.File })
		})
	}
	return len(was.Recipes) == 0 && (is.RecipeFile != "" && was.RecipeFile == is.RecipeFile || is.Recipe != "" && was.Recipe == is.Recipe)
}

// NotBegun says of a session that it cannot be gone on with, as none of its orders was stored.
func NotBegun(dir string) *folder.Error {
	return &folder.Error{Dir: dir, Problem: "was stopped before its orders were stored, so none was begun; remove it and run the sheet again"}
}

// Read reads what the ledger keeps of the session in a folder.
func Read(ctx context.Context, l *ledger.Ledger, dir string) (*Remembered, error) {
	record, err := l.Session(ctx)
	if errors.Is(err, tasks.ErrNotFound) {
		return nil, NotBegun(dir)
	}
	if err != nil {
		return nil, err
	}
	was := &Remembered{Record: record}
	if err := json.Unmarshal(record.Config, was); err != nil {
		return nil, &folder.Error{Dir: dir, Problem: "does not say how it was started", Err: err}
	}
	was.Out, was.Foreign = dir, record.Foreign
	return was, nil
}

// recipes returns those that the session goes on with: its own, but for mended ones. The
// files of named were not only found in a folder.
func (r *Remembered) recipes(mended Recipes, named []string) (Recipes, error) {
	was := r.Recipes
	if len(was) == 0 {
		was = Recipes{{File: r.RecipeFile, Text: r.Recipe}}
	}
	next, err := was.mend(mended, named)
	if unknown := next.unknown(); err == nil && r.Foreign && unknown != nil {
		err = &ForeignError{r.Out, unknown}
	}
	if err == nil {
		err = next.recall()
	}
	if err == nil && mended != nil {
		err = next.CheckColumns(r.Record.Input.Columns)
	}
	return next, err
}

// Next returns the settings and the recipes of the next run, and changes the record to that of
// it. Mended recipes, if there are any, are what the session remembers from now on.
func (r *Remembered) Next(cfg ResumeConfig, mended Recipes) (Config, Recipes, error) {
	next := r.Config
	var missing []Setting
	if r.Foreign {
		missing, r.Dropped = next.Disown(cfg.Given)
	}
	if cfg.Adjust != nil {
		cfg.Adjust(&next)
	}
	if !r.Foreign && next.URL != r.URL {
		return next, nil, bad("url", "the orders of this session have their addresses already, by %q; leave it out", r.URL)
	}
	if err := cmp.Or(next.Validate(), r.proxyGone(next)); err != nil {
		return next, nil, err
	}
	next.Out, next.Version = r.Out, cfg.Version
	next.OnProgress, next.OnNotice, next.AskPerson, next.Logger = cfg.OnProgress, cfg.OnNotice, cfg.AskPerson, cfg.Logger
	recipes, err := r.recipes(mended, append([]string{cfg.Recipe}, cfg.MoreRecipes...))
	if foreign := (*ForeignError)(nil); errors.As(err, &foreign) {
		foreign.Settings = append(foreign.Settings, missing...)
	} else if err == nil && len(missing) > 0 {
		err = &ForeignError{r.Out, missing}
	}
	if err != nil {
		return next, nil, err
	}
	switch {
	case recipes.Several() && next.State != "":
		return next, nil, oneState(len(recipes))
	case mended != nil && !recipes.Several():
		next.RecipeFile, next.MoreRecipes = recipes[0].File, nil
	}
	if err := cmp.Or(recipes.CheckCompare(next.Compare, r.Record.Input.Columns), recipes.Admit(next, false)); err != nil {
		return next, nil, err
	}
	r.Record.Input.Compare = next.Compare
	r.Killed = revive(&r.Record) || r.Unconfirmed
	r.Record.Resumed++
	r.Record.Reason, r.Record.EndedAt, r.Record.Cleanup = "", time.Time{}, tasks.Cleanup{}
	r.Record.Version, r.Record.Workers = next.Version, next.Workers
	if host, err := os.Hostname(); err == nil {
		r.Record.Host = host
	}
	r.Record.Config, err = Remember(next, recipes)
	r.Record.Foreign = false // they are what was typed, and what does no harm
	return next, recipes, err
}

// revive makes a session's record that of another run. The status of one that says that it
// is at work, although nobody owns it, is that of one that was killed.
func revive(r *tasks.Session) (killed bool) {
	killed = r.Status == tasks.SessionRunning || r.Status == tasks.SessionPaused
	if killed {
		r.Status = tasks.SessionInterrupted
	}
	return killed
}

// Recall returns how the session in a folder was started. It only reads, also
// while the session runs. It returns a *folder.Error for a folder that holds no
// session, and a *ledger.FileError for a ledger that cannot be read.
func Recall(ctx context.Context, dir string) (cfg Config, err error) {
	if dir, err = folder.Find(dir); err != nil {
		return Config{}, err
	}
	err = folder.ReadOnly(ctx, dir, func(ctx context.Context, l *ledger.Ledger) error {
		was, err := Read(ctx, l, dir)
		if err == nil {
			cfg = was.Config
			cfg.Foreign = was.Foreign
		}
		return err
	})
	return cfg, err
}
