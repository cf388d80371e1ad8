package browser

import (
	"errors"
	"fmt"
	"time"
)

// Config says how a browser is started.
type Config struct {
	// Chrome to start, as Find returned it.
	Chrome Chrome
	// ProfileDir is the directory that Chrome keeps all its files in. It must
	// exist, and belong to this browser alone.
	ProfileDir string
	// DownloadDir is where Chrome writes downloads. It must exist and be
	// reachable for the user that Chrome runs as.
	DownloadDir string
	// Headful opens a window.
	Headful bool
	// Sandbox says how Chrome's sandbox is used, see ChooseSandbox.
	Sandbox Sandbox
	// Proxy is the address of a proxy server, or empty.
	Proxy string
	// BlockImages keeps Chrome from loading images.
	BlockImages bool
	// BlockURLs are URL patterns (the URLPattern syntax) that pages do not load.
	BlockURLs []string
	// OnNewDocument is a script that runs in each frame before the page's own.
	OnNewDocument string
	// AcceptDialogs answers dialogs with OK; otherwise they are cancelled. A
	// question whether to leave the page is always answered with yes.
	AcceptDialogs bool
	// Lanes is how many documents may be fetched at once.
	Lanes int
	// StallTimeout is how long a document may bring no byte before it is given up.
	StallTimeout time.Duration
	// StartTimeout bounds the start.
	StartTimeout time.Duration
	// OnProcess is called with the browser's process id once it runs, or nil.
	OnProcess func(pid int)
}

// DefaultConfig returns the configuration without its paths.
func DefaultConfig() Config {
	return Config{Lanes: 3, StallTimeout: 20 * time.Second, StartTimeout: 30 * time.Second}
}

// Validate returns an error that names the first field that cannot be used.
func (c Config) Validate() error {
	switch {
	case c.Chrome.Path == "":
		return errors.New("browser: Chrome is empty: call Find first")
	case c.ProfileDir == "":
		return errors.New("browser: ProfileDir is empty")
	case c.DownloadDir == "":
		return errors.New("browser: DownloadDir is empty")
	case c.Lanes < 1:
		return fmt.Errorf("browser: Lanes is %d: it must be at least 1", c.Lanes)
	case c.StallTimeout <= 0:
		return fmt.Errorf("browser: StallTimeout is %v: it must be positive", c.StallTimeout)
	case c.StartTimeout <= 0:
		return fmt.Errorf("browser: StartTimeout is %v: it must be positive", c.StartTimeout)
	case c.Headful && c.Chrome.HeadlessShell:
		return fmt.Errorf("browser: %s cannot open a window; use a full Chrome", c.Chrome.Path)
	}
	return nil
}
