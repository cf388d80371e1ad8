package scrape

import (
	"errors"
	"fmt"
	"os"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/disk"
)

// isDisk reports whether a file system is to blame for the error of an attempt: no attempt
// at the order can end better until there is room again.
func isDisk(err error) bool {
	return !errors.Is(err, browser.ErrLost) && disk.FaultOf(err) != ""
}

// checkRoom returns an error if there is no room for a document that could not be
// had with err. Of a full disk Chrome says only that the download has ended, or
// nothing at all, and it removes what it has: so it is asked whether what had
// arrived fits, beside the copy of it in Chrome's cache.
func (a *attempt) checkRoom(err error) error {
	if a.places.Room == nil {
		return nil
	}
	var need int64
	var failed *browser.DownloadError
	if errors.As(err, &failed) && (failed.Kind == browser.KindCut || failed.Kind == browser.KindStalled) {
		need = max(failed.Announced, failed.Received+min(failed.Received, browser.CacheSize))
	}
	if err := a.places.Room(need); err != nil {
		return fmt.Errorf("a document of the order %s could not be stored: %w", a.task.PO, err)
	}
	return nil
}

// makeStaging makes the attempt's staging directory anew. The directory that it
// is in is the session's, and is never made here: where it is gone, the session
// folder is gone.
func (a *attempt) makeStaging() (string, error) {
	dir := a.staging()
	if err := os.RemoveAll(dir); err != nil {
		return "", fmt.Errorf("clearing the staging directory: %w", err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", fmt.Errorf("making the staging directory: %w", err)
	}
	return dir, nil
}
