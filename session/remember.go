package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// remembered is what the ledger keeps of how a session was started.
type remembered struct {
	Config
	// Recipe is the text of the recipe, as it was when the session began.
	Recipe string `json:"recipe,omitempty"`

	// record is what else it keeps, as of the run that is about to begin. killed: the last
	// one was, so that what its audits had confirmed is not known.
	record tasks.Session
	killed bool
}

// remember returns what the ledger keeps of the settings, with paths that lead
// to the same place from whatever directory the session is gone on with.
func remember(cfg Config, recipe string) ([]byte, error) {
	for _, path := range []*string{&cfg.File, &cfg.BaseProfile, &cfg.LogFile, &cfg.RecipeFile} {
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
	text, err := json.Marshal(remembered{Config: cfg, Recipe: recipe})
	if err != nil {
		return nil, fmt.Errorf("noting how the session was started: %w", err)
	}
	return text, nil
}

// recall reads what the ledger keeps of the session in a folder.
func recall(ctx context.Context, l *ledger.Ledger, dir string) (*remembered, error) {
	record, err := l.Session(ctx)
	if errors.Is(err, tasks.ErrNotFound) {
		return nil, &FolderError{Dir: dir, Problem: "was stopped before its orders were stored, so none was begun; remove it and run the sheet again"}
	}
	if err != nil {
		return nil, err
	}
	was := &remembered{record: record}
	if err := json.Unmarshal(record.Config, was); err != nil {
		return nil, &FolderError{Dir: dir, Problem: "does not say how it was started", Err: err}
	}
	was.Out = dir
	return was, nil
}

// next returns the settings and the recipe of the next run, and makes the record that of it.
// Where a mended recipe is given, with its text, that is what the session remembers from now
// on.
func (r *remembered) next(cfg ResumeConfig, mended *scrape.Recipe, text string) (Config, *scrape.Recipe, error) {
	next := r.Config
	if cfg.Adjust != nil {
		cfg.Adjust(&next)
	}
	if err := next.Validate(); err != nil {
		return next, nil, err
	}
	next.Out, next.Version = r.Out, cfg.Version
	next.OnProgress, next.OnNotice, next.Logger = cfg.OnProgress, cfg.OnNotice, cfg.Logger
	recipe, err := scrape.AutoRecipe(), error(nil)
	switch {
	case mended != nil:
		if err := mended.CheckFolder(r.record.Input.Columns); err != nil {
			return next, nil, err
		}
		recipe, r.Recipe, next.RecipeFile = mended, text, cfg.Recipe
	case r.Recipe != "":
		if recipe, err = scrape.ReadRecipe(r.RecipeFile, strings.NewReader(r.Recipe)); err != nil {
			return next, nil, fmt.Errorf("reading the recipe that the session was started with: %w", err)
		}
	}
	r.killed = revive(&r.record)
	r.record.Resumed++
	r.record.Reason, r.record.EndedAt, r.record.Cleanup = "", time.Time{}, tasks.Cleanup{}
	r.record.Version, r.record.Workers = next.Version, next.Workers
	if host, err := os.Hostname(); err == nil {
		r.record.Host = host
	}
	r.record.Config, err = remember(next, r.Recipe)
	return next, recipe, err
}

// Recall returns how the session in a folder was started. It only reads, also
// while the session runs. It returns a *FolderError for a folder that holds no
// session, and a *ledger.FileError for a ledger that cannot be read.
func Recall(ctx context.Context, dir string) (cfg Config, err error) {
	if dir, err = folder.Find(dir); err != nil {
		return Config{}, err
	}
	err = folder.Look(ctx, dir, func(ctx context.Context, l *ledger.Ledger) error {
		was, err := recall(ctx, l, dir)
		if err == nil {
			cfg = was.Config
		}
		return err
	})
	return cfg, err
}
