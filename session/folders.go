package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/filename"
	"github.com/poscrape/poscrape/internal/folder"
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

// restore notes the folder that an order has from an earlier run.
func (f *folders) restore(id uuid.UUID, folder string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.owners[filename.Key(folder)] = id
}

// publish puts an attempt's documents into the order's folder. The files are
// written and synced already; here they only change their place, and the record
// of it follows. Where it fails, nothing has changed. Where the disk does not
// allow it, not even with the room of the reserve file, the order is given back.
func (s *ProcessingSession) publish(ctx context.Context, lease *tasks.Lease, res *tasks.Result) error {
	if earlier := lease.Task.Result; earlier != nil && earlier.Folder != "" {
		res.Folder = earlier.Folder
	} else if res.Folder != "" {
		res.Folder = path.Join(ordersName, s.folders.claim(lease.Task.ID, res.Folder))
	}
	if _, done, _, _ := res.Count(); done == 0 {
		res.Folder = ""
		err := s.clearStaging(res)
		if err != nil && s.struck(err) {
			err = tasks.Release(tasks.ClassStorage, "%w", err)
		}
		return err
	}
	s.publications.mu.RLock()
	defer s.publications.mu.RUnlock()
	s.publications.latest.Store(lease.Task.ID, lease.Attempt)
	err := s.place(ctx, lease.Task.ID, res)
	if err != nil && s.struck(err) {
		if err = s.place(ctx, lease.Task.ID, res); err != nil {
			err = tasks.Release(tasks.ClassStorage, "%w", err)
		}
	}
	if err != nil {
		return errors.Join(err, s.clearStaging(res))
	}
	return nil
}

// place moves the attempt's documents into the order's folder, or none of them.
func (s *ProcessingSession) place(ctx context.Context, id uuid.UUID, res *tasks.Result) (err error) {
	if err := folder.MkdirAll(s.root, res.Folder, 0o755); err != nil {
		var link *folder.LinkError
		if errors.As(err, &link) {
			return tasks.Permanent(tasks.OutcomeFailed, tasks.ClassStorage, "the documents could not be put in their place: in the session folder, %w", err)
		}
		return fmt.Errorf("making the order's folder: %w", err)
	}
	staging := filepath.Join(stagingName, filepath.Base(res.Staging))
	in := intent{Task: id, Files: map[string]string{}}
	for _, doc := range res.Attachments {
		if doc.Staged != "" {
			in.Files[doc.Staged] = path.Join(res.Folder, doc.Staged)
		}
	}
	if len(in.Files) == 0 {
		return s.clearStaging(res)
	}
	if err := s.writeIntent(staging, in); err != nil {
		return err
	}
	var back []func() error
	defer func() {
		for _, move := range back {
			if err != nil {
				err = errors.Join(err, move())
			}
		}
	}()
	for i := range res.Attachments {
		doc := &res.Attachments[i]
		if doc.Staged == "" {
			continue
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		from, to := filepath.Join(staging, doc.Staged), in.Files[doc.Staged]
		if info, err := s.root.Lstat(filepath.FromSlash(to)); err == nil && info.IsDir() {
			return tasks.Permanent(tasks.OutcomeFailed, tasks.ClassStorage, "the document could not be put in its place: %s in the session folder is a folder; move it away", to)
		}
		if err := s.root.Rename(from, filepath.FromSlash(to)); err != nil {
			return fmt.Errorf("putting %q in its place: %w", doc.Name, err)
		}
		staged := doc.Staged
		back = append(back, func() error {
			doc.Path, doc.Staged = "", staged
			return s.root.Rename(filepath.FromSlash(to), from)
		})
		doc.Path, doc.Staged = to, ""
	}
	return s.syncDir(res.Folder)
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
