package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/poscrape/poscrape/internal/storage"
	"github.com/poscrape/poscrape/tasks/ledger"
)

const (
	// leastReserve and mostReserve bound what is kept free of a disk where the
	// user does not say how much: a tenth of it. The least is a fresh profile and
	// a document or two; the most, what a profile used to ask for.
	leastReserve, mostReserve = 8_000_000, 256_000_000
	// exhausted is what is left of a disk that is taken to be full: Chrome gives
	// up before the last byte is written, and what fails then says no reason.
	exhausted = 1_000_000
)

// disk is the file systems that a session writes to: that of the session folder,
// and that of the browsers' profiles. It is not changed after openDisk.
type disk struct {
	// dir is the session folder.
	dir    string
	places []place
	// measure is storage.Measure but in tests.
	measure func(path string) (storage.Space, error)
}

// place is one file system.
type place struct {
	// name is what people know it by, path where it is measured.
	name, path string
	// below is the directory whose files are here.
	below string
	// remedy is what a person can do when it is full.
	remedy string
	// reserve in bytes is what is to stay free.
	reserve int64
}

// openDisk finds the file systems that a session in dir will write to. The
// folder need not be there yet. A place that cannot be measured is left out: what
// is to be made there fails with a better reason.
func openDisk(cfg Config, dir string, measure func(string) (storage.Space, error)) *disk {
	d := &disk{dir: dir, measure: measure}
	out := place{name: dir, path: dir, below: dir, remedy: "free some space there"}
	for parent := filepath.Dir(dir); !isThere(out.path) && parent != out.path; parent = filepath.Dir(out.path) {
		out.path = parent
	}
	temp := profilesParent()
	devices := map[string]bool{}
	for _, p := range []place{out, {name: temp + " (TMPDIR)", path: temp, below: temp,
		remedy: "free some space there, or set TMPDIR to a directory on another disk"}} {
		space, err := measure(p.path)
		if err != nil || devices[space.Device] {
			continue
		}
		devices[space.Device] = true
		p.reserve = cfg.MinFree
		if p.reserve == 0 {
			p.reserve = min(max(space.Size/10, leastReserve), mostReserve)
		}
		d.places = append(d.places, p)
	}
	return d
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// forProfile is how many bytes must be free for a profile to be made. It is less
// than the reserve, so that a short disk pauses the session before workers fail.
func (d *disk) forProfile() int64 {
	least := int64(mostReserve)
	for _, p := range d.places {
		least = min(least, p.reserve)
	}
	return max(least/2, 1)
}

// shortage is a place with less free space than it needs.
type shortage struct {
	place      place
	free, need int64
}

// short returns the first place of which less is free than its reserve times
// factor, or nil.
func (d *disk) short(factor float64) *shortage {
	for _, p := range d.places {
		space, err := d.measure(p.path)
		if need := int64(factor * float64(p.reserve)); err == nil && space.Free < need {
			return &shortage{p, space.Free, need}
		}
	}
	return nil
}

func (s *shortage) String() string {
	if s.need > s.place.reserve {
		return fmt.Sprintf("the disk of %s has %s left, and needs %s to go on", s.place.name, megabytes(s.free), megabytes(s.need))
	}
	return fmt.Sprintf("the disk of %s has %s left, under the reserve of %s", s.place.name, megabytes(s.free), megabytes(s.need))
}

// checkStart returns an *EnvironmentError if too little is free to begin.
func (d *disk) checkStart() error {
	s := d.short(1)
	if s == nil {
		return nil
	}
	remedy := s.place.remedy
	if s.place.below == d.dir {
		remedy += ", or name a folder on another disk with --out"
	}
	return &EnvironmentError{Doing: "looking for disk space",
		Err: fmt.Errorf("%s; %s (--min-free changes the reserve)", s, remedy)}
}

// roomError says that something does not fit.
type roomError struct {
	shortage
}

func (e *roomError) Error() string {
	if e.need <= exhausted {
		return fmt.Sprintf("%s are left", megabytes(e.free))
	}
	return fmt.Sprintf("%s are left, and it has %s or more", megabytes(e.free), megabytes(e.need-exhausted))
}

// Unwrap makes it the error that a write would have got.
func (e *roomError) Unwrap() error { return syscall.ENOSPC }

// room returns why a file of so many bytes does not fit, or nil.
func (d *disk) room(bytes int64) error {
	for _, p := range d.places {
		space, err := d.measure(p.path)
		if need := bytes + exhausted; err == nil && space.Free < need {
			return &roomError{shortage{p, space.Free, need}}
		}
	}
	return nil
}

// isStorage reports whether an error comes of a disk, or of the session file.
func isStorage(err error) bool {
	var file *ledger.FileError
	return storage.FaultOf(err) != "" || errors.As(err, &file)
}

// explain says of an error that comes of a disk which one it is, and what to do.
func (d *disk) explain(err error) error {
	if full := d.room(0); full != nil && storage.FaultOf(err) != storage.ReadOnly {
		err = fmt.Errorf("%w: %w", full, err) // a full disk makes other errors, too
	}
	p := d.placeOf(err)
	fault := storage.FaultOf(err)
	what, remedy := fmt.Sprintf("the disk of %s %s", p.name, fault), p.remedy
	var room *roomError
	switch {
	case fault == "":
		what, remedy = "the session in "+d.dir+" cannot be written to", "see to it that it can"
	case fault == storage.ReadOnly, fault == storage.Broken:
		remedy = "see to it that it can be written to"
	case errors.As(err, &room) && room.need > exhausted:
		what = fmt.Sprintf("the disk of %s has too little room left", p.name)
	}
	return &EnvironmentError{Doing: fmt.Sprintf("%s; %s, then go on with: poscrape resume %s", what, remedy, d.dir), Err: err}
}

// placeOf returns the place that an error is about: the one of which there is
// nothing left, else the one that holds the file that the error names, else the
// session folder's.
func (d *disk) placeOf(err error) place {
	var room *roomError
	if errors.As(err, &room) {
		return room.place
	}
	out := place{name: d.dir, remedy: "free some space there"}
	if len(d.places) > 0 {
		out = d.places[0]
	}
	var path *os.PathError
	if !errors.As(err, &path) || !filepath.IsAbs(path.Path) || strings.HasPrefix(path.Path, d.dir) {
		return out
	}
	for _, p := range d.places {
		if strings.HasPrefix(path.Path, p.below) {
			return p
		}
	}
	return out
}

// megabytes writes a size for people.
func megabytes(bytes int64) string {
	tenths := bytes / 100_000
	if tenths >= 100 {
		tenths = tenths / 10 * 10
	}
	return strconv.FormatFloat(float64(tenths)/10, 'f', -1, 64) + " MB"
}
