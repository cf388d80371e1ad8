package scrape

import (
	"io/fs"
	"os"
	"path"
	"sync"

	"github.com/poscrape/poscrape/internal/nofollow"
	"github.com/poscrape/poscrape/tasks"
)

// Keep says of which attempts evidence is kept.
type Keep string

// What evidence is kept of.
const (
	// KeepNone keeps none.
	KeepNone Keep = "none"
	// KeepFailed keeps it of attempts that do not end well, and a picture of the first
	// orders of each kind that have no documents.
	KeepFailed Keep = "failed"
	// KeepAll keeps it of every attempt.
	KeepAll Keep = "all"
)

// Keeps returns all of them.
func Keeps() []Keep { return []Keep{KeepNone, KeepFailed, KeepAll} }

// EvidenceDir is the directory of all evidence, below the session folder.
const EvidenceDir = "evidence"

// firstEmpty is of how many orders of each kind that have no documents a picture is kept.
const firstEmpty = 3

// Evidence is the place where a session keeps evidence. All of its scrapers share it.
type Evidence struct {
	root  *os.Root
	keep  Keep
	limit int64
	full  func()

	mu   sync.Mutex
	used int64
	told bool
	// empty counts the orders without documents of which there is a picture, by kind.
	empty map[string]int
}

// NewEvidence returns evidence that is to be opened. Where all of it would take more
// than limit bytes, it is not kept, and full is called, once.
func NewEvidence(keep Keep, limit int64, full func()) *Evidence {
	return &Evidence{keep: keep, limit: limit, full: full, empty: map[string]int{}}
}

// Open has evidence kept in a session folder, beside what is there. It is to be called
// before the first order.
func (e *Evidence) Open(root *os.Root) {
	e.root = root
	_ = fs.WalkDir(root.FS(), EvidenceDir, func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			if info, err := entry.Info(); err == nil {
				e.used += info.Size()
			}
		}
		return nil // what cannot be looked at takes no room of the limit
	})
}

// Remember notes that an earlier run has kept a picture of an order.
func (e *Evidence) Remember(task *tasks.ProcessingTask) {
	if task.Outcome == tasks.OutcomeNoAttachments && task.Result != nil && len(task.Result.Evidence) > 0 {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.empty[task.Result.Kind]++
	}
}

// ofFailed reports whether attempts that do not end well leave evidence, and ofAll
// whether all do.
func (e *Evidence) ofFailed() bool { return e != nil && e.keep != KeepNone }

func (e *Evidence) ofAll() bool { return e != nil && e.keep == KeepAll }

// takeEmpty reports whether a picture is wanted of an order without documents.
func (e *Evidence) takeEmpty(kind string) bool {
	if !e.ofFailed() {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.empty[kind] >= firstEmpty {
		return false
	}
	e.empty[kind]++
	return true
}

// write keeps one file, and returns its path below the session folder, or "".
func (e *Evidence) write(dir, name string, content []byte) string {
	if !e.reserve(int64(len(content))) {
		return ""
	}
	dir = path.Join(EvidenceDir, dir)
	err := nofollow.MkdirAll(e.root, dir, 0o700)
	if err == nil {
		err = nofollow.WriteFile(e.root, path.Join(dir, name), content, 0o600)
	}
	if err != nil {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.used -= int64(len(content))
		return ""
	}
	return path.Join(dir, name)
}

// reserve takes room of the limit, or tells that there is none left.
func (e *Evidence) reserve(bytes int64) bool {
	e.mu.Lock()
	fits := e.used+bytes <= e.limit
	tell := !fits && !e.told
	if fits {
		e.used += bytes
	} else {
		e.told = true
	}
	e.mu.Unlock()
	if tell && e.full != nil {
		e.full()
	}
	return fits
}
