package setup

import (
	"context"
	"errors"
	"os"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/container"
	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/session/worker"
)

// FindChrome looks for Chrome, once it is known that the system lets it work, and that it can
// be told to trust CA. Besides a *ConfigError, its errors are a *worker.AllowanceError,
// browser.ErrNoCertutil and browser.ErrNoChrome.
func (c Config) FindChrome(ctx context.Context) (browser.Chrome, error) {
	if err := worker.CheckAllowances(os.Geteuid() != 0); err != nil {
		return browser.Chrome{}, err
	}
	if err := c.CheckAuthority(); err != nil {
		return browser.Chrome{}, err
	}
	chrome, err := browser.Find(ctx, c.Chrome, c.FullChrome())
	return chrome, worker.MetLimit(err)
}

// CheckAuthority returns a *ConfigError where browsers cannot be told to trust the authority in
// CA, or browser.ErrNoCertutil where this machine lacks what tells them.
func (c Config) CheckAuthority() error {
	if c.CA == "" {
		return nil
	}
	err := browser.CheckAuthority(c.CA)
	if err == nil || errors.Is(err, browser.ErrNoCertutil) {
		return err
	}
	return bad("ca", "%s cannot be used: %s", c.CA, folder.Reason(err))
}

// contained reports whether any browser is to live in a container.
func (c Config) contained() bool {
	return c.Isolation == worker.InContainer || c.Isolation == worker.Mixed
}

// FindEngine returns the engine for containers, or nil where none is asked for. Its error, a
// *container.UnusableError, says why none will do.
func (c Config) FindEngine(ctx context.Context) (*container.Engine, error) {
	switch {
	case !c.contained():
		return nil, nil
	case c.NoSandbox:
		return nil, &container.UnusableError{Why: "Chrome has its sandbox in every container, and --no-sandbox asks for none"}
	case c.Headful:
		return nil, &container.UnusableError{Why: "a container shows no windows, which --headful asks for"}
	}
	return container.Find(ctx, container.Config{Command: c.ContainerEngine, Image: c.ContainerImage, Args: c.ContainerArgs})
}

// OpenerConfig returns what workers are opened with, by these settings.
func (c Config) OpenerConfig(chrome browser.Chrome) worker.Config {
	sandbox := browser.NoSandbox()
	if !c.NoSandbox {
		sandbox = browser.ChooseSandbox(c.Temp(), chrome)
	}
	return worker.Config{Chrome: chrome, Isolation: c.Isolation, Required: c.IsolationRequired, Sandbox: sandbox, OwnPages: c.OwnPages, Headful: c.Headful, Hardened: c.Hardened, Proxy: c.Proxy, CA: c.CA,
		Temp: c.Temp(), Base: c.BaseProfile, KeepProfiles: c.KeepProfiles, HangTimeout: c.HangTimeout, CleanupTimeout: c.CleanupTimeout, Limits: c.Limits}
}
