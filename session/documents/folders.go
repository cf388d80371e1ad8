package documents

import (
	"fmt"
	"strings"
	"sync"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/filename"
	"github.com/poscrape/poscrape/tasks"
)

// folders remembers which order owns which folder, so that no two share one.
type folders struct {
	mu     sync.Mutex
	owners map[string]uuid.UUID
}

// claim returns the folder for the order: the one it asks for, or the next of
// its kind ("name~2") that no other order owns.
func (f *folders) claim(id uuid.UUID, folder string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	for n := 1; ; n++ {
		name := folder
		if n > 1 {
			name = fmt.Sprintf("%s~%d", folder, n)
		}
		key := filename.Key(name)
		if owner, taken := f.owners[key]; !taken || owner == id {
			f.owners[key] = id
			return name
		}
	}
}

// own notes that a folder is an order's.
func (f *folders) own(id uuid.UUID, folder string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.owners[filename.Key(folder)] = id
}

// Restore takes over the folder that an order has from an earlier run. It is called
// before the work begins.
func (s *Store) Restore(task *tasks.ProcessingTask) {
	if task.Result != nil && task.Result.Folder != "" {
		s.folders.own(task.ID, strings.TrimPrefix(task.Result.Folder, OrdersName+"/"))
	}
}
