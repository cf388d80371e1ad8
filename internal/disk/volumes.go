package disk

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
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

// Volumes are the file systems that a session writes to: that of the session folder,
// and that of the browsers' profiles. They are not changed after VolumesOf.
type Volumes struct {
	// dir is the session folder.
	dir     string
	volumes []volume
	measure func(path string) (Space, error)
}

// volume is one file system.
type volume struct {
	// name is what people know it by, path where it is measured.
	name, path string
	// below is the directory whose files are here; dir: it is the session folder.
	below string
	dir   bool
	// remedy is what a person can do when it is full.
	remedy string
	// reserve in bytes is what is to stay free.
	reserve int64
}

// Config says what is written to.
type Config struct {
	// Dir is the session folder, absolute, which need not be there yet.
	Dir string
	// Temp is where profiles are made.
	Temp string
	// Reserve in bytes is what is to stay free; 0: a tenth of each, 8 MB to 256 MB.
	Reserve int64
	// Measure is asked for the room; nil is the package's own.
	Measure func(path string) (Space, error)
}

// VolumesOf finds the file systems that a session will write to. One that cannot be
// measured is left out: what is to be made there fails with a better reason.
func VolumesOf(cfg Config) *Volumes {
	v := &Volumes{dir: cfg.Dir, measure: cfg.Measure}
	if v.measure == nil {
		v.measure = Measure
	}
	out := volume{name: cfg.Dir, path: cfg.Dir, below: cfg.Dir, dir: true, remedy: "free some space there"}
	for parent := filepath.Dir(cfg.Dir); !isThere(out.path) && parent != out.path; parent = filepath.Dir(out.path) {
		out.path = parent
	}
	devices := map[string]bool{}
	for _, at := range []volume{out, {name: cfg.Temp + " (--temp-dir)", path: cfg.Temp, below: cfg.Temp,
		remedy: "free some space there, or name a directory on another disk with --temp-dir"}} {
		space, err := v.measure(at.path)
		if err != nil || devices[space.Device] {
			continue
		}
		devices[space.Device] = true
		at.reserve = cfg.Reserve
		if at.reserve == 0 {
			at.reserve = min(max(space.Size/10, leastReserve), mostReserve)
		}
		v.volumes = append(v.volumes, at)
	}
	return v
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// ForProfile is how many bytes must be free for a profile to be made. It is less
// than the reserve, so that a short disk pauses the session before workers fail.
func (v *Volumes) ForProfile() int64 {
	least := int64(mostReserve)
	for _, at := range v.volumes {
		least = min(least, at.reserve)
	}
	return max(least/2, 1)
}

// Shortage is a file system with less free space than it needs.
type Shortage struct {
	at         volume
	free, need int64
}

// Short returns the first file system of which less is free than its reserve times
// factor, or nil.
func (v *Volumes) Short(factor float64) *Shortage {
	for _, at := range v.volumes {
		space, err := v.measure(at.path)
		if need := int64(factor * float64(at.reserve)); err == nil && space.Free < need {
			return &Shortage{at, space.Free, need}
		}
	}
	return nil
}

// Missing is how many bytes more are needed.
func (s *Shortage) Missing() int64 { return s.need - s.free }

// Remedy is what a person can do about it; InDir: it is the session folder's.
func (s *Shortage) Remedy() (text string, inDir bool) { return s.at.remedy, s.at.dir }

func (s *Shortage) String() string {
	if s.need > s.at.reserve {
		return fmt.Sprintf("the disk of %s has %s left, and needs %s to go on", s.at.name, Bytes(s.free), Bytes(s.need))
	}
	return fmt.Sprintf("the disk of %s has %s left, under the reserve of %s", s.at.name, Bytes(s.free), Bytes(s.need))
}

// roomError says that something does not fit.
type roomError struct {
	Shortage
}

func (e *roomError) Error() string {
	if e.need <= exhausted {
		return fmt.Sprintf("%s are left", Bytes(e.free))
	}
	return fmt.Sprintf("%s are left, and it has %s or more", Bytes(e.free), Bytes(e.need-exhausted))
}

// Unwrap makes it the error that a write would have got.
func (e *roomError) Unwrap() error { return syscall.ENOSPC }

// Room returns why a file of so many bytes does not fit, or nil.
func (v *Volumes) Room(bytes int64) error {
	for _, at := range v.volumes {
		space, err := v.measure(at.path)
		if need := bytes + exhausted; err == nil && space.Free < need {
			return &roomError{Shortage{at, space.Free, need}}
		}
	}
	return nil
}

// Trouble says what is wrong with the file system that an error comes of, and what a
// person can do about it. It returns the error with the reason: on a full file system
// everything fails, and says something else.
func (v *Volumes) Trouble(err error) (what, remedy string, told error) {
	if full := v.Room(0); full != nil && FaultOf(err) != ReadOnly {
		err = fmt.Errorf("%w: %w", full, err)
	}
	at := v.of(err)
	fault := FaultOf(err)
	var room *roomError
	switch {
	case fault == "":
		return "the session in " + v.dir + " cannot be written to", "see to it that it can", err
	case fault == ReadOnly, fault == Broken:
		return fmt.Sprintf("the disk of %s %s", at.name, fault), "see to it that it can be written to", err
	case fault == Split:
		return fmt.Sprintf("the disk of %s %s", at.name, fault), "see to it that the folder and all that is in it are on one disk", err
	case errors.As(err, &room) && room.need > exhausted:
		return fmt.Sprintf("the disk of %s has too little room left", at.name), at.remedy, err
	}
	return fmt.Sprintf("the disk of %s %s", at.name, fault), at.remedy, err
}

// of returns the file system that an error is about: the one of which there is
// nothing left, else the one that holds the file that the error names, else the
// session folder's.
func (v *Volumes) of(err error) volume {
	var room *roomError
	if errors.As(err, &room) {
		return room.at
	}
	out := volume{name: v.dir, remedy: "free some space there"}
	if len(v.volumes) > 0 {
		out = v.volumes[0]
	}
	var path *os.PathError
	if !errors.As(err, &path) || !filepath.IsAbs(path.Path) || strings.HasPrefix(path.Path, v.dir) {
		return out
	}
	for _, at := range v.volumes {
		if strings.HasPrefix(path.Path, at.below) {
			return at
		}
	}
	return out
}
