package documents

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/nofollow"
	"github.com/poscrape/poscrape/tasks"
)

// Publish puts an attempt's documents into the order's folder. The files are
// written and synced already; here they only change their place, and the record
// of it follows. Where it fails, nothing has changed. Where the disk does not
// allow it, not even with the room that Struck has made, the order is given back.
// It blocks while another attempt's documents at the same order change their place.
func (s *Store) Publish(ctx context.Context, lease *tasks.Lease, res *tasks.Result) error {
	if earlier := lease.Task.Result; earlier != nil && earlier.Folder != "" {
		res.Folder = earlier.Folder
	} else if res.Folder != "" {
		res.Folder = path.Join(OrdersName, s.folders.claim(lease.Task.ID, res.Folder))
	}
	if _, done, _, _ := res.Count(); done == 0 {
		res.Folder = ""
		err := s.clearStaging(res)
		if err != nil && s.Struck(err) {
			return ofDisk(err)
		}
		return err
	}
	giveBack := s.turns.take(lease.Task.ID)
	defer giveBack()
	s.latest.Store(lease.Task.ID, lease.Attempt)
	err := s.place(ctx, lease.Task.ID, res)
	if err != nil && s.Struck(err) {
		if err = s.place(ctx, lease.Task.ID, res); err != nil {
			err = ofDisk(err)
		}
	}
	if err == nil {
		return nil
	}
	left := s.clearStaging(res)
	err = errors.Join(err, left)
	if left != nil && s.Struck(left) { // it may not have said so at first
		return ofDisk(err)
	}
	return err
}

// ofDisk returns an error with the fact that it is the disk's, whatever else it says.
func ofDisk(err error) error {
	f := tasks.Retry(tasks.ClassStorage, "%w", err)
	f.Facts.Disk = err
	return f
}

// place moves the attempt's documents into the order's folder, or none of them.
func (s *Store) place(ctx context.Context, id uuid.UUID, res *tasks.Result) (err error) {
	if err := nofollow.MkdirAll(s.Root, res.Folder, 0o755); err != nil {
		var link *nofollow.LinkError
		if errors.As(err, &link) {
			return tasks.Permanent(tasks.OutcomeFailed, tasks.ClassStorage, "the documents could not be put in their place: in the session folder, %w", err)
		}
		return fmt.Errorf("making the order's folder: %w", err)
	}
	staging := filepath.Join(StagingName, filepath.Base(res.Staging))
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
		if info, err := s.Root.Lstat(filepath.FromSlash(to)); err == nil && info.IsDir() {
			return tasks.Permanent(tasks.OutcomeFailed, tasks.ClassStorage, "the document could not be put in its place: %s in the session folder is a folder; move it away", to)
		}
		s.mark(from, doc)
		if err := s.Root.Rename(from, filepath.FromSlash(to)); err != nil {
			return fmt.Errorf("putting %q in its place: %w", doc.Name, err)
		}
		staged := doc.Staged
		back = append(back, func() error {
			doc.Path, doc.Staged = "", staged
			return s.Root.Rename(filepath.FromSlash(to), from)
		})
		doc.Path, doc.Staged = to, ""
	}
	return s.syncDir(res.Folder)
}

// syncDir makes the names in a folder, and the folder's own, durable.
func (s *Store) syncDir(folder string) error {
	for at := folder; at != "." && at != "/"; at = path.Dir(at) {
		dir, err := s.Root.Open(filepath.FromSlash(at))
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

// Discard removes the documents of a result that does not count. What is left of them goes
// with the staging directory.
func (s *Store) Discard(res *tasks.Result) { _ = s.clearStaging(res) }

func (s *Store) clearStaging(res *tasks.Result) error {
	if res.Staging == "" || !strings.HasPrefix(res.Staging, s.Staging()) {
		return nil
	}
	return os.RemoveAll(res.Staging)
}
