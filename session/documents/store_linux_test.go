package documents_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/tasks"
)

// TestADiskThatTurnsReadOnlyMeanwhile: the error that publishing ends with is not yet the disk's, the one of clearing
// up is. The order is not charged.
func TestADiskThatTurnsReadOnlyMeanwhile(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	if err := syscall.Mount(b.Staging(), b.Staging(), "", syscall.MS_BIND, ""); errors.Is(err, syscall.EPERM) {
		t.Skip("another mount needs root:", err)
	} else if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { testkit.Unmount(t, b.Staging()) })
	var told []error
	b.Struck = func(err error) bool {
		if told = append(told, err); len(told) == 1 {
			if err := syscall.Mount("", b.Staging(), "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
				t.Error(err)
			}
		}
		return errors.Is(err, syscall.EROFS)
	}
	staging := filepath.Join(b.Staging(), uuid.NewString())
	if err := errors.Join(os.Mkdir(staging, 0o700), os.WriteFile(filepath.Join(staging, "a.pdf"), []byte("first"), 0o600)); err != nil {
		t.Fatal(err)
	}
	err := b.Publish(t.Context(), &tasks.Lease{Task: b.order, Attempt: 1}, &tasks.Result{Outcome: tasks.OutcomeComplete, Folder: "PO1", Staging: staging,
		Attachments: []tasks.Attachment{{Name: "a.pdf", Staged: "a.pdf", State: tasks.AttachmentDone}}})
	var f *tasks.Failure
	if !errors.As(err, &f) || f.Facts.Disk == nil || !errors.Is(err, syscall.EXDEV) {
		t.Errorf("publishing ended with %v", err)
	}
	if !slices.ContainsFunc(told, func(err error) bool { return errors.Is(err, syscall.EROFS) }) {
		t.Errorf("it was told of %v", told)
	}
	b.holds("")
}
