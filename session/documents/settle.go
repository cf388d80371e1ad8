package documents

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/tasks"
)

// intentName is the file in an attempt's staging directory that lists where its
// documents go. It is written before the first of them goes there, and removed
// with the directory when the attempt is recorded; so whatever it lists and the
// ledger does not know is a document of an attempt that never came to count.
const intentName = ".publishing.json"

// intent is the content of that file.
type intent struct {
	Task uuid.UUID `json:"task"`
	// Files are the final paths below the session folder, with "/", by the
	// names in the staging directory.
	Files map[string]string `json:"files"`
}

// writeIntent is not synced: it has to outlive this program, not the machine.
// After a loss of power a document may stay that no record knows of; the order's
// next attempt puts the same one in its place.
func (s *Store) writeIntent(staging string, in intent) error {
	text, err := json.Marshal(in)
	if err == nil {
		err = s.Root.WriteFile(filepath.Join(staging, intentName), text, 0o600)
	}
	if err != nil {
		return fmt.Errorf("noting which documents are put in their place: %w", err)
	}
	return nil
}

// Settle is told what became of a published attempt. One that was not recorded is
// undone, unless a later one has taken its place: what that has put there stays.
func (s *Store) Settle(lease *tasks.Lease, res *tasks.Result, recorded bool) {
	if recorded {
		s.supersede(lease.Task)
	}
	if res.Staging == "" {
		return
	}
	staging := filepath.Join(StagingName, filepath.Base(res.Staging))
	if !recorded {
		giveBack := s.turns.take(lease.Task.ID)
		defer giveBack()
		if latest, _ := s.latest.Load(lease.Task.ID); latest == lease.Attempt {
			if err := s.undo(context.Background(), staging); err != nil {
				s.Log.Error("undoing an attempt that was not recorded", "order", lease.Task.PO, "error", err)
				return // its staging directory says what is still to be undone
			}
		}
	}
	if err := s.Root.RemoveAll(staging); err != nil {
		s.Log.Error("clearing an attempt's staging directory", "order", lease.Task.PO, "error", err)
	}
}

// supersede removes the documents of an order's earlier attempts that its record does not
// list any more. The task is as it was before its latest attempt.
func (s *Store) supersede(before *tasks.ProcessingTask) {
	if _, done, _, _ := before.Result.Count(); done == 0 {
		return
	}
	task, err := s.Queue.Get(context.Background(), before.ID)
	if err != nil || task.Result == nil {
		return // it is another owner's by now, or its record tells nothing
	}
	listed := map[string]bool{"": true}
	for _, doc := range task.Result.Attachments {
		listed[doc.Path] = true
	}
	for _, doc := range before.Result.Attachments {
		if listed[doc.Path] {
			continue
		}
		if err := s.Root.Remove(filepath.FromSlash(doc.Path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.Log.Error("removing a document that a later attempt has not brought again", "path", doc.Path, "error", err)
		}
		s.removeIfEmpty(path.Dir(doc.Path))
	}
}

// Recover undoes what was put in its place and not recorded, as by a run
// that was killed, and removes the staging directory.
func (s *Store) Recover(ctx context.Context) error {
	info, err := s.Root.Lstat(StagingName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !info.IsDir() {
		return s.Root.Remove(StagingName) // a link, perhaps, and nothing of ours
	}
	dir, err := s.Root.Open(StagingName)
	if err != nil {
		return fmt.Errorf("looking for what was left in staging: %w", err)
	}
	entries, err := dir.ReadDir(-1)
	err = errors.Join(err, dir.Close())
	for _, entry := range entries {
		if entry.IsDir() {
			err = errors.Join(err, s.undo(ctx, filepath.Join(StagingName, entry.Name())))
		}
	}
	if err != nil {
		return fmt.Errorf("undoing what was put in its place and not recorded: %w", err)
	}
	return s.Root.RemoveAll(StagingName)
}

// undo removes the documents that an attempt has put in their place, unless the
// ledger knows them.
func (s *Store) undo(ctx context.Context, staging string) error {
	text, err := s.Root.ReadFile(filepath.Join(staging, intentName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !json.Valid(text) {
		return nil // cut off while it was written: nothing was put in its place yet
	}
	var in intent
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	task, err := s.Queue.Get(ctx, in.Task)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	if task.Result != nil {
		for _, doc := range task.Result.Attachments {
			known[doc.Path] = true
		}
	}
	var errs []error
	for name, to := range in.Files {
		if _, err := s.Root.Lstat(filepath.Join(staging, name)); err == nil || known[to] {
			continue // it never went there, or it counts
		}
		if err := s.Root.Remove(filepath.FromSlash(to)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
		s.removeIfEmpty(path.Dir(to))
	}
	return errors.Join(errs...)
}

// removeIfEmpty removes a folder below orders/ and those above it, as far as
// nothing is in them.
func (s *Store) removeIfEmpty(folder string) {
	for ; folder != OrdersName && folder != "." && folder != "/"; folder = path.Dir(folder) {
		if s.Root.Remove(filepath.FromSlash(folder)) != nil {
			return
		}
	}
}
