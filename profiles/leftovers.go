package profiles

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Leftover is the root directory of a manager whose owner is dead.
type Leftover struct {
	// Path of the directory.
	Path string
	// OwnerPID was the owner's process id, and Since is when it began; zero
	// where its record cannot be read.
	OwnerPID int
	Since    time.Time
	// Profiles counts the profile directories in it, Size is the sum of the
	// lengths of all regular files, in bytes.
	Profiles int
	Size     int64
	// Processes are those of its browsers: the ones that run, or, where Sweep
	// has ended them all, those that it has ended.
	Processes []Process
	// Doubtful are processes that may be its browsers', which cannot be shown.
	// Nobody touches them.
	Doubtful []Process
	// Kept: it was left on purpose, to be looked at. Only SweepAll removes it.
	Kept bool
	// Reason says why it is not removed, or will not be; otherwise empty.
	Reason string
}

// Leftovers returns what dead owners left below the parents, by path, and changes
// nothing. An empty parent, or none, means the system's directory for temporary files.
// Directories that have the name of a root and are none are among them, with the
// Reason, if they are this user's; those of other users and of living owners are
// not.
func Leftovers(parents ...string) ([]Leftover, error) {
	paths, err := candidates(parents)
	if err != nil {
		err = fmt.Errorf("look for what earlier runs left: %w", err)
	}
	var all []Leftover
	for _, path := range paths {
		c, why := claimRoot(path)
		if c == nil {
			if why != "" {
				all = append(all, Leftover{Path: path, Reason: why})
			}
			continue
		}
		l, records := c.read()
		f, err := runningFamily(c.path, records, c.users())
		l.note(f, err)
		c.release()
		all = append(all, l)
	}
	return all, err
}

// note puts into l what is known of its processes.
func (l *Leftover) note(f family, err error) {
	l.Processes, l.Doubtful = f.ours, f.doubtful
	switch {
	case err != nil:
		l.Reason = err.Error()
	case len(f.doubtful) > 0:
		l.Reason = fmt.Sprintf("%s may be of its browsers, but nothing proves it; end what it is, or wait until it has ended", namesOf(f.doubtful))
	}
}

// namesOf names the first few processes.
func namesOf(all []Process) string {
	const shown = 3
	var names []string
	for _, p := range all[:min(shown, len(all))] {
		names = append(names, fmt.Sprintf("process %d (%s)", p.PID, p.Name))
	}
	text := strings.Join(names, ", ")
	if more := len(all) - shown; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// read returns what the root holds, and the processes that its owner recorded. A
// record that cannot be read is passed by: its browser is known by its home too.
func (c *claim) read() (Leftover, []processRecord) {
	l := Leftover{Path: c.path, Size: sizeBelow(c.root.FS())}
	var owner ownerRecord
	if content, err := c.root.ReadFile(ownerFile); err == nil && json.Unmarshal(content, &owner) == nil {
		l.OwnerPID, l.Since = owner.PID, owner.StartedAt
	}
	if _, err := c.root.Lstat(keptFile); err == nil {
		l.Kept = true
	}
	var records []processRecord
	for _, entry := range c.entries() {
		if entry.IsDir() && entry.Name() != baseDir {
			l.Profiles++
		}
		if filepath.Ext(entry.Name()) != recordSuffix || !entry.Type().IsRegular() || entry.Name() == ownerFile {
			continue
		}
		var record profileRecord
		if content, err := c.root.ReadFile(entry.Name()); err == nil && json.Unmarshal(content, &record) == nil {
			records = append(records, record.Processes...)
		}
	}
	return l, records
}

// entries returns what is in the root; what cannot be read shows when the root
// is to be removed.
func (c *claim) entries() []fs.DirEntry {
	entries, _ := fs.ReadDir(c.root.FS(), ".")
	return entries
}

// users returns whom its browsers can have run as: this user, and those to whom
// profiles were given.
func (c *claim) users() []int {
	users := []int{os.Geteuid()}
	for _, entry := range c.entries() {
		if info, err := entry.Info(); err == nil && info.IsDir() {
			users = append(users, ownerOf(info))
		}
	}
	return users
}

// sizeBelow adds up the lengths of all regular files that can be seen.
func sizeBelow(tree fs.FS) int64 {
	var size int64
	_ = fs.WalkDir(tree, ".", func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return fs.SkipDir
		}
		if d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				size += info.Size()
			}
		}
		return nil
	})
	return size
}
