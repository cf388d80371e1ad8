package profiles

import (
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// The defaults of Config.
const (
	// DefaultMax is the greatest number of browsers that poscrape runs.
	DefaultMax = 8
	// DefaultSizeLimit of a profile, in bytes.
	DefaultSizeLimit = 500 << 20
	// DefaultMinFree is what must be free before a profile is made, in bytes: a
	// fresh profile, its disk cache and one large document fit.
	DefaultMinFree = 256 << 20
	// DefaultCleanupTimeout bounds one removal.
	DefaultCleanupTimeout = 10 * time.Second
)

// Config says where profiles are made and what bounds they have. The zero value
// is ready to use: each field that is zero stands for its default.
type Config struct {
	// Parent is the directory below which the manager makes its root. Default:
	// the system's directory for temporary files.
	Parent string
	// Base is a user data directory of Chrome whose essentials (what keeps a
	// person signed in) every profile starts with. It must not be in use when
	// the manager is made; afterwards it is not read again. Default: none.
	Base string
	// Max is how many profiles may exist at once. Default: DefaultMax.
	Max int
	// SizeLimit of one profile in bytes, its downloads included; Validate
	// enforces it. Default: DefaultSizeLimit.
	SizeLimit int64
	// MinFree is how many bytes must be free on Parent's file system for a
	// profile to be made. Default: DefaultMinFree.
	MinFree int64
	// CleanupTimeout bounds each of Remove, RemoveAll and Close. Default:
	// DefaultCleanupTimeout.
	CleanupTimeout time.Duration
	// UID and GID are the user and group that Chrome runs as, and to whom the
	// profiles are given; this needs root. 0 or less: the process's own.
	UID, GID int
	// Keep leaves profiles where they are when they are to be removed, to be looked at: only SweepAll
	// removes them. They count as gone.
	Keep bool
	// Preferences is a JSON object that is merged into the Preferences of every
	// profile. Default: DefaultPreferences.
	Preferences []byte
}

// DefaultPreferences returns what a browser without a person needs: PDFs are
// downloaded, not shown; downloads ask nothing; no earlier tab is opened again.
func DefaultPreferences() []byte {
	return []byte(`{
	"plugins": {"always_open_pdf_externally": true},
	"download": {"prompt_for_download": false, "directory_upgrade": true},
	"session": {"restore_on_startup": 5}
}`)
}

func (c Config) withDefaults() Config {
	if c.Parent == "" {
		c.Parent = os.TempDir()
	}
	if c.Max == 0 {
		c.Max = DefaultMax
	}
	if c.SizeLimit == 0 {
		c.SizeLimit = DefaultSizeLimit
	}
	if c.MinFree == 0 {
		c.MinFree = DefaultMinFree
	}
	if c.CleanupTimeout == 0 {
		c.CleanupTimeout = DefaultCleanupTimeout
	}
	if c.UID <= 0 {
		c.UID = -1
	}
	if c.GID <= 0 {
		c.GID = -1
	}
	if c.Preferences == nil {
		c.Preferences = DefaultPreferences()
	}
	return c
}

// Validate returns an error that names the first field that is out of bounds.
// It touches no disk.
func (c Config) Validate() error {
	switch {
	case c.Max < 0:
		return fmt.Errorf("profiles: Max is %d: it must be at least 1, or 0 for %d", c.Max, DefaultMax)
	case c.SizeLimit < 0:
		return fmt.Errorf("profiles: SizeLimit is %d: it must be a number of bytes, or 0 for %d", c.SizeLimit, int64(DefaultSizeLimit))
	case c.MinFree < 0:
		return fmt.Errorf("profiles: MinFree is %d: it must be a number of bytes, or 0 for %d", c.MinFree, int64(DefaultMinFree))
	case c.CleanupTimeout < 0:
		return fmt.Errorf("profiles: CleanupTimeout is %v: it must not be negative", c.CleanupTimeout)
	case c.UID <= 0 && c.GID > 0:
		return fmt.Errorf("profiles: GID is %d without a UID: set both, or neither", c.GID)
	}
	if c.Preferences != nil {
		var object map[string]any
		if err := json.Unmarshal(c.Preferences, &object); err != nil || object == nil {
			return fmt.Errorf("profiles: Preferences must be a JSON object: %w", err)
		}
	}
	if c.UID > 0 {
		if err := canGiveTo(c.UID); err != nil {
			return fmt.Errorf("profiles: UID is %d: %w", c.UID, err)
		}
	}
	return nil
}
