package session

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
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

func newFolders() *folders { return &folders{owners: map[string]uuid.UUID{}} }

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

// publish puts an attempt's documents into the order's folder. The files are
// written and synced already; here they only change their place, and the record
// of it follows. Doing it again changes nothing.
func (s *ProcessingSession) publish(ctx context.Context, lease *tasks.Lease, res *tasks.Result) error {
	if earlier := lease.Task.Result; earlier != nil && earlier.Folder != "" {
		res.Folder = earlier.Folder
	} else if res.Folder != "" {
		res.Folder = path.Join(ordersName, s.folders.claim(lease.Task.ID, res.Folder))
	}
	if _, done, _, _ := res.Count(); done == 0 {
		res.Folder = ""
		return s.clearStaging(res)
	}
	if err := s.root.MkdirAll(filepath.FromSlash(res.Folder), 0o755); err != nil {
		return fmt.Errorf("making the order's folder: %w", err)
	}
	staging := filepath.Join(stagingName, filepath.Base(res.Staging))
	for i := range res.Attachments {
		doc := &res.Attachments[i]
		if doc.Staged == "" {
			continue
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		to := path.Join(res.Folder, doc.Staged)
		if err := s.root.Rename(filepath.Join(staging, doc.Staged), filepath.FromSlash(to)); err != nil {
			return fmt.Errorf("putting %q in its place: %w", doc.Name, err)
		}
		doc.Path, doc.Staged = to, ""
	}
	if err := s.syncDir(res.Folder); err != nil {
		return err
	}
	return s.clearStaging(res)
}

// syncDir makes the names in a folder, and the folder's own, durable.
func (s *ProcessingSession) syncDir(folder string) error {
	for at := folder; at != "." && at != "/"; at = path.Dir(at) {
		dir, err := s.root.Open(filepath.FromSlash(at))
		if err != nil {
			return fmt.Errorf("syncing the order's folder: %w", err)
		}
		err = syncFile(dir)
		if cerr := dir.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			return fmt.Errorf("syncing the order's folder: %w", err)
		}
	}
	return nil
}

func (s *ProcessingSession) clearStaging(res *tasks.Result) error {
	if res.Staging == "" || !strings.HasPrefix(res.Staging, s.stagingDir()) {
		return nil
	}
	return os.RemoveAll(res.Staging)
}
