// Package login lets a person sign in at a portal by hand, and keeps what the portal has
// stored in the browser then. It opens Chrome as a session does. It does not know how poscrape
// itself fills in a sign-in, nor what is done with the state file afterwards.
package login

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/remote"
	"github.com/poscrape/poscrape/profiles"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/session/signin"
	"github.com/poscrape/poscrape/session/worker"
)

// Config says where to sign in, and with what.
type Config struct {
	// Config is a session's. Of it count the recipe, the URL, Chrome and its proxy, the base
	// profile and where profiles live.
	setup.Config
	// State is the file for the sign-in; empty means the one beside the recipe.
	State string
	// Remote is where the window is served as a page, and empty for a window on this
	// machine's display.
	Remote string
	// Mount, if it is not nil, is given the page that serves the window, for another server. Then
	// Remote is not used.
	Mount func(http.Handler)
	// Recipe takes the place of the one that the settings name, if it is not nil.
	Recipe *scrape.Recipe
	// Enter gets a value each time that the person says on the terminal that it is done.
	Enter <-chan struct{}
	// HasDisplay reports whether this machine has a display.
	HasDisplay func() bool
	// Tell says something to the person.
	Tell func(format string, args ...any)
	// unseen opens no window though there is a display.
	unseen bool
}

// ErrClosed: the window was closed before the person was signed in.
var ErrClosed = errors.New("the window was closed before you were signed in; nothing was saved")

// WindowError says why no window can be opened on this machine.
type WindowError struct{ Err error }

func (e *WindowError) Error() string {
	return fmt.Sprintf("no window can be opened to sign in: %v; with --remote 127.0.0.1:0 the window is served as a page, which "+
		"a browser of another machine can open through a tunnel", e.Err)
}

// Unwrap returns the error behind it.
func (e *WindowError) Unwrap() error { return e.Err }

// Run opens the window, waits until the person is signed in, and returns the path of the file
// that the sign-in was written to. Its errors are ErrClosed, a *WindowError, ctx's cause, and
// those of opening a session. Without a path nothing was written; with one there is no error: a
// browser or a page that does not end in order after that is only told of.
func Run(ctx context.Context, cfg Config) (path string, err error) {
	if err := cfg.Validate(); err != nil {
		return "", err
	}
	recipe, err := cfg.recipe()
	if err != nil {
		return "", err
	}
	start, err := startAddress(recipe, cfg.URL)
	if err != nil {
		return "", err
	}
	recipe.TypedURL = cmp.Or(recipe.TypedURL, cfg.TypedURL())
	portal := scrape.NewPortal(recipe, nil)
	file, err := cfg.stateFile(portal)
	if err != nil {
		return "", err
	}
	b, done, err := cfg.launch(ctx, portal)
	if err != nil {
		return "", err
	}
	defer func() { err = cfg.closed(err, done()) }()
	v := &visit{cfg: cfg, recipe: recipe, browser: b, start: start, portal: portal, file: file}
	if err := v.attend(ctx); err != nil {
		return "", err
	}
	return file.Path(), nil
}

// closed returns the error of a sign-in after which something was closed. One that was saved
// counts, whatever became of that.
func (c Config) closed(err, closing error) error {
	if err != nil {
		return errors.Join(err, closing)
	}
	if closing != nil {
		c.Tell("Warning: you are signed in, but the window was not closed cleanly: %v", closing)
	}
	return nil
}

// recipe returns the one that says where to sign in, and notes its file.
func (c *Config) recipe() (*scrape.Recipe, error) {
	if c.Recipe != nil {
		return c.Recipe, nil
	}
	if err := c.OneRecipe("signing in"); err != nil {
		return nil, err
	}
	if files, err := c.RecipeFiles(); err == nil && len(files) == 1 {
		c.RecipeFile = files[0] // of a folder
	}
	recipe, _, err := setup.ReadRecipe(c.RecipeFile)
	return recipe, err
}

// stateFile returns where the sign-in goes, and tries whether a file can be made there: after
// the sign-in it would be too late.
func (c Config) stateFile(portal *scrape.Portal) (*signin.File, error) {
	if c.State == "" && c.RecipeFile == "" {
		return nil, &setup.ConfigError{Field: "state", Message: "says where the sign-in is saved, and is needed without a --recipe"}
	}
	file := signin.FileFor(c.State, c.RecipeFile, portal)
	if err := file.CanWrite(); err != nil {
		return nil, &setup.ConfigError{Field: "state", Message: err.Error()}
	}
	return file, nil
}

// launch opens the browser. What it returns ends that, and removes its profile.
func (c Config) launch(ctx context.Context, portal *scrape.Portal) (_ *browser.Browser, done func() error, err error) {
	if err := c.CheckAuthority(); err != nil {
		return nil, nil, err
	}
	local := c.Remote == "" && c.Mount == nil
	if local && !c.HasDisplay() {
		return nil, nil, &WindowError{errors.New("this machine has no display (neither DISPLAY nor WAYLAND_DISPLAY is set)")}
	}
	chrome, err := browser.Find(ctx, c.Chrome, local || c.FullChrome())
	switch {
	case local && err == nil && chrome.HeadlessShell:
		return nil, nil, &WindowError{fmt.Errorf("%s has no windows; name a full Chrome with --chrome", chrome.Path)}
	case local && errors.Is(err, browser.ErrNoChrome):
		return nil, nil, &WindowError{err}
	case err != nil:
		return nil, nil, err
	}
	// What it cannot clear up is in nobody's way here, and the next session tells of it.
	_, _ = profiles.Sweep(ctx, "", c.TempDir)
	cfg := c.OpenerConfig(chrome)
	cfg.Headful, cfg.Attended, cfg.Portal = local && !c.unseen, true, portal
	opener := worker.NewOpener(cfg)
	err = opener.Start(ctx)
	if err != nil {
		err = errors.Join(err, opener.Close())
		if local && errors.Is(err, browser.ErrLaunch) && !errors.As(err, new(*browser.SandboxError)) {
			err = &WindowError{err}
		}
		return nil, nil, err
	}
	if !opener.Sandbox.On && c.Mount == nil { // else it is said already
		c.Tell("Warning: Chrome runs without its sandbox: %s", opener.Sandbox.Why)
	}
	return opener.First().Browser(), opener.Close, nil
}

// attend shows the window until the person is signed in, and saves what the portal keeps in the
// browser then.
func (v *visit) attend(ctx context.Context) (err error) {
	if err := v.begin(ctx); err != nil {
		return err
	}
	confirmed := (<-chan struct{})(nil)
	if v.cfg.Remote != "" || v.cfg.Mount != nil {
		server, err := remote.Serve(remote.Config{Browser: v.browser, Addr: v.cfg.Remote, Mount: v.cfg.Mount,
			Title: "Sign in: " + v.recipe.Name, Confirm: !v.recognises()})
		if err != nil {
			return &setup.ConfigError{Field: "remote", Message: err.Error() + "; name an address such as 127.0.0.1:0"}
		}
		defer func() { err = v.cfg.closed(err, server.Close(ending(err))) }()
		confirmed = server.Confirmed()
		if v.cfg.Mount == nil {
			v.tellWhere(server)
		}
	}
	if v.cfg.Mount == nil {
		v.tellHow()
	}
	if err := v.wait(ctx, confirmed); err != nil {
		return err
	}
	state, err := v.take(ctx)
	if err != nil {
		return err
	}
	if err := v.file.Sign(); err != nil {
		v.cfg.Tell("Warning: runs will use of this sign-in only what is for the portal's own hosts, as nothing can be noted on this machine: %v; name another place with POSCRAPE_STATE_DIR, or the other hosts in login.hosts of a recipe", err)
	}
	return v.file.Write(state)
}

// tellWhere says where the window is served.
func (v *visit) tellWhere(server *remote.Server) {
	v.cfg.Tell("Sign in at %s", server.URL())
	if !server.Loopback() {
		v.cfg.Tell("Warning: this page is not encrypted, and can be reached from other machines: who sees the network's traffic sees what you type.")
	}
}

// ending says on the page how it ended.
func ending(err error) string {
	switch {
	case err == nil:
		return "Signed in. You can close this page."
	case errors.Is(err, ErrClosed):
		return "The window was closed. Nothing was saved."
	}
	return "This has ended. Nothing was saved."
}
