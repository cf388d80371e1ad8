package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/disk"
	"github.com/poscrape/poscrape/internal/folder"
	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/documents"
	"github.com/poscrape/poscrape/session/progress"
	"github.com/poscrape/poscrape/session/story"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// The names of what is in a session folder, besides the report's files.
const (
	ledgerName = "session.db"
	logName    = "poscrape.log"
)

// Open reads the sheet and the recipe, finds Chrome, and makes the session folder
// with the orders in its ledger while Chrome starts. It returns errors that
// say what cannot be used: *ConfigError, *orders.FileError, *orders.OptionError,
// *scrape.RecipeError, browser.ErrNoChrome, browser.ErrLaunch and those of
// package profiles; and then leaves nothing behind.
func Open(ctx context.Context, cfg Config) (*ProcessingSession, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	recipe, text, err := readRecipe(cfg.RecipeFile)
	if err != nil {
		return nil, err
	}
	sheet, chrome, err := readAndFind(ctx, cfg, recipe)
	if err != nil {
		return nil, err
	}
	if err := recipe.CheckFolder(sheet.Input.Columns); err != nil {
		return nil, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return nil, fmt.Errorf("making an id: %w", err)
	}
	dir, err := chooseDir(cfg.Out, id)
	if err != nil {
		return nil, err
	}
	s := &ProcessingSession{cfg: cfg, dir: dir, story: &story.Story{OnNotice: cfg.OnNotice}}
	s.story.Struck = s.struck
	s.portal = s.newPortal(recipe, sheet.Input.Columns)
	s.tally = progress.New(cfg.OnProgress, cfg.Workers)
	s.evidence = s.newEvidence()
	s.breaker = newBreaker(cfg)
	s.volumes = openVolumes(cfg, dir)
	if err := s.prepareBrowsers(ctx, chrome); err != nil {
		return nil, err
	}
	host, _ := os.Hostname() // only shown in the report
	s.record = tasks.Session{ID: id, Status: tasks.SessionInitializing, StartedAt: time.Now(), Version: cfg.Version,
		Chrome: chrome.Version, Host: host, Workers: cfg.Workers, Mode: string(s.portal.Mode()), Input: sheet.Input,
		Selectors: s.portal.Selectors()}
	s.cfg.Out = dir
	if s.record.Config, err = remember(s.cfg, text); err != nil {
		return nil, err
	}
	if err := s.begin(ctx, sheet); err != nil {
		return nil, err
	}
	s.record.Sandbox = s.opener.Sandbox.String()
	s.notices(sheet)
	s.tellSwept(ctx)
	return s, nil
}

// readAndFind reads the sheet while Chrome says its version. Of two errors it
// returns the sheet's.
func readAndFind(ctx context.Context, cfg Config, recipe *scrape.Recipe) (*orders.Sheet, browser.Chrome, error) {
	ctx, cancel := context.WithCancel(ctx)
	var chrome browser.Chrome
	var missing error
	var finding sync.WaitGroup
	finding.Go(func() { chrome, missing = findChrome(ctx, cfg) })
	sheet, err := readSheet(cfg, recipe)
	if err != nil {
		cancel()
	}
	finding.Wait()
	cancel()
	if err == nil {
		err = missing
	}
	return sheet, chrome, err
}

// remembered is what the ledger keeps of how a session was started.
type remembered struct {
	Config
	// Recipe is the text of the recipe, as it was when the session began.
	Recipe string `json:"recipe,omitempty"`
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
	text, err := json.Marshal(remembered{cfg, recipe})
	if err != nil {
		return nil, fmt.Errorf("noting how the session was started: %w", err)
	}
	return text, nil
}

func readRecipe(file string) (*scrape.Recipe, string, error) {
	if file == "" {
		return scrape.AutoRecipe(), "", nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, "", unreadableRecipe(file, err)
	}
	defer f.Close()
	var text copied
	recipe, err := scrape.ReadRecipe(file, io.TeeReader(f, &text))
	var path *os.PathError
	if errors.As(err, &path) {
		return nil, "", unreadableRecipe(file, path)
	}
	if err != nil {
		return nil, "", err
	}
	return recipe, string(text), nil
}

func unreadableRecipe(file string, err error) error {
	return &ConfigError{Field: "recipe", Message: fmt.Sprintf("%s cannot be read: %s; name a recipe, or leave the flag out for the built-in one", file, reason(err))}
}

// copied keeps what is written to it.
type copied []byte

func (c *copied) Write(p []byte) (int, error) {
	*c = append(*c, p...)
	return len(p), nil
}

func readSheet(cfg Config, recipe *scrape.Recipe) (*orders.Sheet, error) {
	options := orders.Options{Columns: cfg.Columns, URL: cfg.URL, BaseURL: recipe.BaseURL,
		Prefixes: recipe.PO.Prefixes, Pattern: recipe.PO.Pattern}
	if options.URL == "" {
		options.URL = recipe.OpenURL
	}
	if recipe.BaseURL != "" {
		options.HostAllowed = func(host string) bool { return recipe.HostAllowed(host, nil) }
	}
	if cfg.File == "-" {
		return orders.Read("-", cfg.Input, options)
	}
	f, err := os.Open(cfg.File)
	if err != nil {
		return nil, &orders.FileError{File: cfg.File, Message: "it cannot be opened", Err: errors.New(reason(err))}
	}
	defer f.Close()
	return orders.Read(cfg.File, f, options)
}

// reason returns an error's text without the path, which the message names already.
func reason(err error) string {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}

// chooseDir returns the absolute path of the session folder, which is not made
// yet, or an error if it is there and not empty.
func chooseDir(out string, id uuid.UUID) (string, error) {
	if out == "" {
		out = filepath.Join(DefaultPlace, time.Now().Format("20060102-150405")+"-"+id.String()[30:])
	}
	dir, err := filepath.Abs(out)
	if err != nil {
		return "", &ConfigError{Field: "out", Message: err.Error()}
	}
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return dir, nil
	case err != nil:
		return "", &ConfigError{Field: "out", Message: fmt.Sprintf("%s cannot be used as a session folder: %s", out, reason(err))}
	case len(entries) > 0 && slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == ledgerName }):
		return "", sessionThere(out, dir)
	case len(entries) > 0:
		return "", &ConfigError{Field: "out", Message: fmt.Sprintf("%s is not empty; name a new or an empty folder", out)}
	}
	return dir, nil
}

// sessionThere says why a folder that holds a session already is not taken for
// a new one.
func sessionThere(out, dir string) error {
	if owner := ledger.Owner(filepath.Join(dir, ledgerName)); owner != nil {
		return owner
	}
	return &ConfigError{Field: "out", Message: fmt.Sprintf("%s holds a session already; go on with it by 'poscrape resume %s', or name a new folder", out, out)}
}

// begin starts the first browser and makes the session folder beside it. When
// either fails, nothing is left of both.
func (s *ProcessingSession) begin(ctx context.Context, sheet *orders.Sheet) error {
	var laid undoing
	both, ctx := errgroup.WithContext(ctx)
	both.Go(func() (err error) {
		laid, err = s.lay(ctx, sheet)
		return err
	})
	both.Go(func() error { return s.startBrowser(ctx) })
	err := both.Wait()
	if err != nil {
		return laid.all(errors.Join(err, s.closeBrowsers()))
	}
	return nil
}

// lay makes the session folder and what is in it from the start, and returns how
// that is undone. When it fails, what it has made is gone.
func (s *ProcessingSession) lay(ctx context.Context, sheet *orders.Sheet) (undo undoing, err error) {
	made, err := makeDir(s.dir)
	if err != nil {
		return nil, &ConfigError{Field: "out", Message: fmt.Sprintf("%s cannot be made: %s", s.cfg.Out, reason(err))}
	}
	undo.add(func() error { return unlay(s.dir, made) })
	defer func() {
		if err == nil {
			return
		}
		err, undo = undo.all(err), nil
		if fault := disk.FaultOf(err); fault != "" {
			err = &EnvironmentError{Doing: fmt.Sprintf("the disk of %s %s; see to that, or name another folder with --out", s.cfg.Out, fault), Err: err}
		} else if isStorage(err) {
			err = &EnvironmentError{Doing: "making the session folder; another can be named with --out", Err: err}
		}
	}()
	if s.root, err = os.OpenRoot(s.dir); err != nil {
		return undo, fmt.Errorf("opening the session folder: %w", err)
	}
	undo.add(s.root.Close)
	s.closeFolder()
	s.evidence.Open(s.root)
	if err = s.openLog(); err != nil {
		return undo, err
	}
	undo.add(s.logFile.Close)
	if s.ledger, err = ledger.Open(filepath.Join(s.dir, ledgerName)); err != nil {
		if owned := (*ledger.OwnedError)(nil); errors.As(err, &owned) {
			undo = undo[1:] // what is in the folder is another's
		}
		return undo, err
	}
	undo.add(s.ledger.Close)
	s.story.Events = s.ledger
	s.proofs = s.newProofs()
	s.documents = s.newDocuments()
	if err = s.documents.Prepare(); err != nil {
		return undo, err
	}
	if err = s.ledger.SaveSession(ctx, s.record); err != nil {
		return undo, err
	}
	specs := sheet.Specs()
	if _, err = s.ledger.Enqueue(ctx, specs...); err != nil {
		return undo, err
	}
	stats, err := s.ledger.Stats(ctx)
	if err != nil {
		return undo, err
	}
	s.tally.Begin(stats)
	s.breaker.Begin(specs)
	return undo, nil
}

// newDocuments returns the Store of the session folder.
func (s *ProcessingSession) newDocuments() *documents.Store {
	return documents.New(documents.Config{Dir: s.dir, Root: s.root, Queue: s.ledger, Log: s.story.Log, Struck: s.struck})
}

// makeDir makes dir, closed to others, and what it is in, and returns the directories
// that it has made, the innermost first.
func makeDir(dir string) ([]string, error) {
	var made []string
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(at); !errors.Is(err, os.ErrNotExist) {
			break
		}
		made = append(made, at)
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return made, err
	}
	if err := os.Mkdir(dir, closedDir); err != nil && !errors.Is(err, os.ErrExist) {
		return made, err
	}
	return made, nil
}

// unlay removes what lay has made in dir, and the directories that it made for it.
func unlay(dir string, made []string) (err error) {
	for _, name := range []string{ledgerName, ledgerName + "-wal", ledgerName + "-shm", ledgerName + ".lock", logName, documents.StagingName} {
		path := filepath.Join(dir, name)
		if isThere(path) { // a read-only disk refuses to remove even what is not there
			err = errors.Join(err, os.RemoveAll(path))
		}
	}
	for _, dir := range made {
		err = errors.Join(err, os.Remove(dir))
	}
	return err
}

func (s *ProcessingSession) openLog() error {
	path, field := s.cfg.LogFile, "log-file"
	if path == "" {
		path, field = filepath.Join(s.dir, logName), "out"
	}
	var f *os.File
	var err error
	if s.cfg.LogFile == "" {
		f, err = folder.Append(s.root, logName, closedFile)
	} else {
		f, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, closedFile)
	}
	if err != nil {
		return &ConfigError{Field: field, Message: fmt.Sprintf("%s cannot be written: %s", path, reason(err))}
	}
	s.logFile = f
	var handler slog.Handler = slog.NewJSONHandler(f, &slog.HandlerOptions{Level: slog.LevelDebug})
	if s.cfg.Logger != nil {
		handler = slog.NewMultiHandler(handler, s.cfg.Logger.Handler())
	}
	s.story.Log = slog.New(handler).With("session", s.record.ID)
	return nil
}

// maxNoticedRows is how many unusable rows are named one by one.
const maxNoticedRows = 5

// notices tells what a person should know before the work begins.
func (s *ProcessingSession) notices(sheet *orders.Sheet) {
	for i, p := range sheet.Problems {
		s.story.Log.Warn("a row of the input has a problem", "problem", p.Error(), "usable", p.Warning)
		if i < maxNoticedRows {
			s.story.Warn("%s", p.Error())
		}
	}
	if more := len(sheet.Problems) - maxNoticedRows; more > 0 {
		s.story.Warn("%d more rows have problems; the report names each", more)
	}
	s.sandboxNotice()
}

func (s *ProcessingSession) sandboxNotice() {
	if !s.opener.Sandbox.On {
		s.story.Warn("Chrome runs without its sandbox: %s", s.opener.Sandbox.Why)
	}
}
