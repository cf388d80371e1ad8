package profiles

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sync"

	"github.com/gofrs/flock"
)

var profileName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// ProfileManager makes and removes profiles. Its methods may be called by many
// goroutines at once.
type ProfileManager struct {
	cfg  Config
	path string
	root *os.Root
	lock *flock.Flock

	// Stand-ins for the disk, replaced by tests that inject faults.
	removeAll func(name string) error
	freeSpace func(path string) (int64, error)

	mu       sync.Mutex
	changed  *sync.Cond // a profile's state changed, or closing ended
	profiles map[*Profile]struct{}
	made     int // numbers directories, so that none is ever used twice
	closing  bool
	closed   bool // refuses new profiles
	rootGone bool
}

// NewManager makes a private root directory below cfg.Parent, locks it, and
// copies the essentials of cfg.Base into it. It blocks for as long as copying
// takes. The error matches ErrBase, ErrBaseInUse, ErrTooLarge or ErrNoSpace
// where one of these is the reason; then nothing is left on disk.
func NewManager(cfg Config) (*ProfileManager, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	parent, err := resolveParent(cfg)
	if err != nil {
		return nil, err
	}
	cfg.Parent = parent
	mode := os.FileMode(0o700)
	if cfg.UID > 0 && !isMe(cfg.UID) {
		mode = 0o711
	}
	path, root, lock, err := makeRoot(parent, mode)
	if err != nil {
		return nil, err
	}
	m := &ProfileManager{
		cfg: cfg, path: path, root: root, lock: lock,
		removeAll: root.RemoveAll, freeSpace: freeSpace,
		profiles: make(map[*Profile]struct{}),
	}
	m.changed = sync.NewCond(&m.mu)
	if cfg.Base != "" {
		if err := m.copyBase(); err != nil {
			return nil, errors.Join(fmt.Errorf("copy the base profile %s: %w", cfg.Base, err), m.Close())
		}
	}
	return m, nil
}

// resolveParent returns the parent as a path without symbolic links, and makes
// sure that the user whom Chrome runs as can get there.
func resolveParent(cfg Config) (string, error) {
	parent, err := filepath.Abs(cfg.Parent)
	if err == nil {
		parent, err = filepath.EvalSymlinks(parent)
	}
	if err != nil {
		return "", fmt.Errorf("profiles: Parent: %w", err)
	}
	if cfg.UID > 0 {
		if err := canReach(parent, cfg.UID, cfg.GID); err != nil {
			return "", fmt.Errorf("profiles: Parent: %w; name a directory that this user can enter with --temp-dir", err)
		}
	}
	return parent, nil
}

// Root returns the manager's own directory, which holds all its profiles.
func (m *ProfileManager) Root() string { return m.path }

// Create makes a profile, with the base's essentials if there is a base. The
// name, of letters, digits, "_" and "-", is for people; it need not be unique.
// The error matches ErrTooMany, ErrNoSpace or ErrClosed where one of these is
// the reason; a profile that could not be made leaves nothing on disk.
func (m *ProfileManager) Create(name string) (*Profile, error) {
	if !profileName.MatchString(name) {
		return nil, fmt.Errorf("make profile %q: a name has 1 to 64 letters, digits, _ or -", name)
	}
	p, err := m.reserve(name)
	if err != nil {
		return nil, fmt.Errorf("make profile %s: %w", name, err)
	}
	if err = m.fill(p); err == nil {
		p.made, err = m.root.Lstat(p.dir)
	}
	if err != nil {
		err = errors.Join(fmt.Errorf("make profile %s: %w", name, err), m.removeWithin(p, m.deadline()))
		m.settle(p, gone)
		return nil, err
	}
	m.settle(p, ready)
	return p, nil
}

// reserve enters one more profile, if there are not Max of them already.
func (m *ProfileManager) reserve(name string) (*Profile, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, ErrClosed
	}
	if len(m.profiles) >= m.cfg.Max {
		return nil, fmt.Errorf("%d of %d exist: %w", len(m.profiles), m.cfg.Max, ErrTooMany)
	}
	m.made++
	p := newProfile(m, name, fmt.Sprintf("%s-%d", name, m.made))
	m.profiles[p] = struct{}{}
	return p, nil
}

// take waits until nobody else has the profile and takes it for recording or
// removing. It returns false if the profile is gone.
func (m *ProfileManager) take(p *Profile, state profileState) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for p.state != ready && p.state != gone {
		m.changed.Wait()
	}
	if p.state == gone {
		return false
	}
	p.state = state
	return true
}

// settle gives the profile back. It and take are what changes a state.
func (m *ProfileManager) settle(p *Profile, state profileState) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p.state = state
	if state == gone {
		delete(m.profiles, p)
	}
	m.changed.Broadcast()
}

// Len returns how many profiles exist: those that could not be removed count.
func (m *ProfileManager) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.profiles)
}
