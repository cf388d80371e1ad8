package profiles

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"
)

// downloadsDir is the directory for downloads in every profile.
const downloadsDir = "Downloads"

// Profile is one private directory for one browser. Its fields do not change.
type Profile struct {
	// Name that it was made with.
	Name string
	// Path is the directory, absolute: Chrome's user data directory.
	Path string
	// Downloads is a directory inside of Path for the browser's downloads. It
	// goes when the profile goes.
	Downloads string
	// Created is when it was made.
	Created time.Time

	manager *ProfileManager
	dir     string      // its name in the manager's root
	made    fs.FileInfo // to recognise the directory again; nil until ready

	state   profileState    // guarded by manager.mu
	records []processRecord // belongs to whoever took the profile
}

type profileState int

const (
	making profileState = iota
	ready
	recording
	removing
	gone
)

// processRecord describes one browser process so that a later run can
// distinguish it from another one that has the same id.
type processRecord struct {
	PID       int       `json:"pid"`
	PGID      int       `json:"pgid"`
	StartedAt time.Time `json:"started_at"`
	identity
}

// identity is what distinguishes a process from a later one with the same id. It is
// empty where the system does not say.
type identity struct {
	// StartTicks is the process's start in clock ticks since the machine's
	// start, and BootID names that start.
	StartTicks uint64 `json:"start_ticks,omitempty"`
	BootID     string `json:"boot_id,omitempty"`
	// PIDNamespace is where its id counts.
	PIDNamespace string `json:"pid_namespace,omitempty"`
	// Session, UID and Exe are its session, its user and its program, by which
	// its children are known when it is gone.
	Session int    `json:"session,omitempty"`
	UID     int    `json:"uid,omitempty"`
	Exe     string `json:"exe,omitempty"`
}

type profileRecord struct {
	Name      string          `json:"name"`
	Created   time.Time       `json:"created_at"`
	Processes []processRecord `json:"processes"`
}

// RecordProcess writes down, beside the profile, that a browser process runs in
// it: pid, its process group, and when it was started. Where the system says
// what else it is known by (Linux), that is written too. The record is
// what a later run needs to end this browser if poscrape is killed. Call it as
// soon as the process is there.
func (p *Profile) RecordProcess(pid, pgid int, started time.Time) error {
	if pid <= 0 || pgid < 0 {
		return fmt.Errorf("record the browser of profile %s: pid %d and group %d are no process", p.Name, pid, pgid)
	}
	rec := processRecord{PID: pid, PGID: pgid, StartedAt: started, identity: identify(pid)}
	if err := p.record(rec); err != nil {
		return fmt.Errorf("record the browser of profile %s: %w", p.Name, err)
	}
	return nil
}

func (p *Profile) record(rec processRecord) error {
	m := p.manager
	if !m.take(p, recording) {
		return ErrGone
	}
	defer m.settle(p, ready)
	p.records = append(p.records, rec)
	return m.writeRecord(p)
}

// writeRecord writes the profile's record. It is not synced: after a crash of
// the machine its processes are gone as well.
func (m *ProfileManager) writeRecord(p *Profile) error {
	content, err := json.Marshal(profileRecord{Name: p.Name, Created: p.Created, Processes: p.records})
	if err != nil {
		return err
	}
	temp := p.dir + recordSuffix + ".tmp"
	if err := m.root.WriteFile(temp, content, 0o600); err != nil {
		return err
	}
	return m.root.Rename(temp, p.dir+recordSuffix)
}

func newProfile(m *ProfileManager, name, dir string) *Profile {
	path := filepath.Join(m.path, dir)
	return &Profile{
		Name: name, Path: path, Downloads: filepath.Join(path, downloadsDir),
		Created: time.Now(), manager: m, dir: dir, state: making,
		records: []processRecord{},
	}
}
