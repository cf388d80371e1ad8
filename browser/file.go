package browser

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// File is a document that was downloaded completely.
type File struct {
	// Path in the download directory, or in that of the request. Whoever gets the
	// File removes it.
	Path string
	// Suggested is the file name that the server or the page suggests.
	Suggested string
	// Unnamed: neither names one, as far as is known, and Suggested is the last part of the address.
	Unnamed bool
	// URL it came from, redirects followed, and Via those that they led through, as far as that is known.
	URL string
	Via []string
	// Size in bytes.
	Size int64
	// SHA256 in lower-case hexadecimal, where it is known: of what was streamed.
	SHA256 string
	// Announced is the size that the server announced for the bytes on disk, or -1.
	Announced int64
	// Type is the content type that the server announced.
	Type string
	// Unproven says why it may lack a part though the transfer ended well, or is empty.
	// NeedsProof: it counts only if its own last bytes show that it is whole. That is not
	// needed of a body that came encoded, or by a click that told nothing: Chrome was told
	// where it ends.
	Unproven   string
	NeedsProof bool
	// Loaded: no navigation was needed (Request.Load).
	Loaded bool
	// Validators are what the server said of the version of these bytes, or empty where
	// it did not say enough to tell it from another.
	Validators string
	// Unchanged: they are those that were known (Request.Known), so nothing was brought.
	Unchanged bool
	// below is the directory that Chrome may change, if the file is in it.
	below string
}

// Open opens the file for reading. What Chrome may have put in its place is not read: a link that
// leads out of its directory, or what is no regular file.
func (f *File) Open() (*os.File, error) {
	if f.below == "" {
		return os.Open(f.Path)
	}
	var file *os.File
	err := inside(f.below, f.Path, func(root *os.Root, name string) (err error) {
		file, err = root.OpenFile(name, os.O_RDONLY|nonBlocking, 0)
		return err
	})
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &os.PathError{Op: "open", Path: f.Path, Err: errors.New("it is no regular file")}
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// Remove removes the file.
func (f *File) Remove() error {
	if f.below == "" {
		return os.Remove(f.Path)
	}
	return inside(f.below, f.Path, (*os.Root).Remove)
}

// inside calls do with a directory, out of which no link leads, and the name of a path in it.
func inside(dir, path string, do func(root *os.Root, name string) error) error {
	name, err := filepath.Rel(dir, path)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	return errors.Join(do(root, name), root.Close())
}

// chromes returns the directory that Chrome may change and that its downloads are in: its profile, or,
// where they are elsewhere, their own.
func (c Config) chromes() string {
	if name, err := filepath.Rel(c.ProfileDir, c.DownloadDir); err == nil && filepath.IsLocal(name) {
		return c.ProfileDir
	}
	return c.DownloadDir
}

// DownloadErrorKind says why a document cannot be had.
type DownloadErrorKind string

// The kinds of download errors.
const (
	KindStatus      DownloadErrorKind = "status"      // the server answered with an error status
	KindPage        DownloadErrorKind = "page"        // an HTML page came in place of the document
	KindHost        DownloadErrorKind = "host"        // the address, or a redirect, is on a host that is not allowed
	KindTooLarge    DownloadErrorKind = "too_large"   // over the limit
	KindCut         DownloadErrorKind = "cut"         // the connection ended early, or the disk is full
	KindStalled     DownloadErrorKind = "stalled"     // no byte came for the stall timeout
	KindUnreachable DownloadErrorKind = "unreachable" // there was no answer
	KindPartial     DownloadErrorKind = "partial"     // the server sent a part of it, which was not asked for
	KindDigest      DownloadErrorKind = "digest"      // its checksum is not the one that the server sent
	KindTab         DownloadErrorKind = "tab"         // the tab that fetched it was lost, twice
)

// DownloadError says why a document cannot be had.
type DownloadError struct {
	Kind DownloadErrorKind
	URL  string
	// Status is the HTTP status, where there was one.
	Status int
	// RetryAfter is the header of that name, or empty.
	RetryAfter string
	// Received and Announced are bytes; Announced is -1 where it is not known.
	Received, Announced int64
	// Limit in bytes, for KindTooLarge.
	Limit int64
	// After is the stall timeout, for KindStalled.
	After time.Duration
	// Text is Chrome's own name of the reason for KindUnreachable, why the tab was lost
	// for KindTab, the range for KindPartial, and the checksum's name for KindDigest.
	Text string
}

func (e *DownloadError) Error() string {
	switch e.Kind {
	case KindStatus:
		return fmt.Sprintf("the server answered with status %d", e.Status)
	case KindPage:
		return "an HTML page came in place of the document; open its link to see whether it is a sign-in page, an error, or a page that has the document's own link"
	case KindHost:
		return fmt.Sprintf("it is on the host %s, which the recipe's allowed_hosts do not name", host(e.URL))
	case KindTooLarge:
		size := e.Announced
		if size < e.Received {
			size = e.Received
		}
		return fmt.Sprintf("it has %d bytes or more, over the limit of %d", size, e.Limit)
	case KindCut:
		if e.Announced > 0 {
			return fmt.Sprintf("the transfer was cut after %d of %d bytes", e.Received, e.Announced)
		}
		return fmt.Sprintf("the transfer was cut after %d bytes", e.Received)
	case KindStalled:
		return fmt.Sprintf("the transfer was cut or stalled after %d bytes: none came for %v", e.Received, e.After)
	}
	switch e.Kind { //nolint:exhaustive // the others are above
	case KindPartial:
		return fmt.Sprintf("the server sent only a part of it (status %d, Content-Range %q), which was not asked for", e.Status, e.Text)
	case KindDigest:
		return fmt.Sprintf("its %d bytes do not have the checksum that the server sent with them (%s)", e.Received, e.Text)
	case KindTab:
		return "the tab that fetched it was lost: " + e.Text
	}
	return "it could not be reached: " + e.Text
}
