package setup

import (
	"context"
	"errors"
	"os"

	"github.com/poscrape/poscrape/browser"
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

// OpenerConfig returns what workers are opened with, by these settings.
func (c Config) OpenerConfig(chrome browser.Chrome) worker.Config {
	sandbox := browser.NoSandbox()
	if !c.NoSandbox {
		sandbox = browser.ChooseSandbox(c.Temp(), chrome)
	}
	return worker.Config{Chrome: chrome, Sandbox: sandbox, OwnPages: c.OwnPages, Headful: c.Headful, Hardened: c.Hardened, Proxy: c.Proxy, CA: c.CA,
		Temp: c.Temp(), Base: c.BaseProfile, Limits: c.Limits}
}
