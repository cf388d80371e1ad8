package scrape

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gabriel-vasile/mimetype"
	"github.com/google/uuid"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/filename"
	"github.com/poscrape/poscrape/tasks"
)

// keep moves a downloaded file into the staging directory if it is not there yet, has
// it counted and hashed, and sniffs its bytes. A file that is no document makes the
// document failed; an error means that the file could not be stored.
func (doc *document) keep(file *browser.File) error {
	staged, size, sum := file.Path, file.Size, file.SHA256
	var err error
	if filepath.Dir(staged) == filepath.Clean(doc.staging) && sum != "" {
		err = flush(staged)
	} else {
		staged = filepath.Join(doc.staging, uuid.NewString())
		size, sum, err = move(file.Path, staged)
	}
	if err != nil {
		return tasks.Retry(tasks.ClassStorage, "the document %q could not be stored: %w", doc.Name, err)
	}
	kind, err := mimetype.DetectFile(staged)
	if err != nil {
		return tasks.Retry(tasks.ClassStorage, "the document %q could not be read back: %w", doc.Name, err)
	}
	if doc.Name == "" {
		doc.Name = file.Suggested
	}
	doc.Size, doc.SHA256, doc.MIME = size, sum, kind.String()
	var wrong *tasks.Failure
	switch {
	case size == 0:
		wrong = tasks.Retry(tasks.ClassEmptyFile, "the portal sent an empty file")
	case size != file.Size:
		wrong = tasks.Retry(tasks.ClassWrongSize, "%d bytes were stored of %d", size, file.Size)
	case isText(kind) && neverText(doc.Name, file.URL):
		wrong = tasks.Retry(tasks.ClassWrongType, "its bytes are %s, although its name says that it is none; is the sign-in still valid?", kind)
	case isHTML(kind) && !namesPage(item{Name: doc.Name, URL: file.URL}):
		wrong = tasks.Retry(tasks.ClassWrongType, "its bytes are an HTML page and no document; is the sign-in still valid?")
	}
	if wrong != nil {
		doc.fail(wrong)
		return os.Remove(staged)
	}
	doc.State, doc.staged = tasks.AttachmentDone, filepath.Base(staged)
	doc.wanted = fileName(doc.Name, file, kind)
	return nil
}

func isText(kind *mimetype.MIME) bool {
	for ; kind != nil; kind = kind.Parent() {
		if kind.Is("text/plain") {
			return true
		}
	}
	return false
}

// neverText reports whether a name says that the file is of a type whose first
// bytes are fixed, so that a text under this name is an error page.
func neverText(names ...string) bool {
	for _, name := range names {
		switch strings.ToLower(path.Ext(pathOf(name))) {
		case ".pdf", ".docx", ".xlsx", ".pptx", ".odt", ".ods", ".zip", ".7z", ".rar", ".gz", ".png", ".jpg", ".jpeg", ".tif", ".tiff", ".gif":
			return true
		}
	}
	return false
}

func isHTML(kind *mimetype.MIME) bool {
	return kind.Is("text/html") || kind.Is("application/xhtml+xml")
}

// flush has the bytes of a file written to the disk.
func flush(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// move moves a file, and returns its size and hash. It is on the disk when move returns.
func move(from, to string) (size int64, sum string, err error) {
	if os.Rename(from, to) != nil { // another file system, most likely
		return duplicate(from, to)
	}
	f, err := os.OpenFile(to, os.O_RDWR, 0) // Windows syncs only what may be written
	if err != nil {
		return 0, "", err
	}
	hash := sha256.New()
	size, err = io.Copy(hash, f)
	err = errors.Join(err, f.Sync(), f.Close())
	return size, hex.EncodeToString(hash.Sum(nil)), err
}

// duplicate copies a file, syncs the copy and removes the original.
func duplicate(from, to string) (size int64, sum string, err error) {
	in, err := os.Open(from)
	if err != nil {
		return 0, "", err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return 0, "", err
	}
	hash := sha256.New()
	size, err = io.Copy(io.MultiWriter(out, hash), in)
	err = errors.Join(err, out.Sync(), out.Close())
	if err != nil {
		return 0, "", err
	}
	return size, hex.EncodeToString(hash.Sum(nil)), os.Remove(from)
}

// fileName returns a safe name for the document's file: its own name, with an
// extension from what the server says or the bytes are, if it has none.
func fileName(name string, file *browser.File, kind *mimetype.MIME) string {
	if name == "" {
		name = file.Suggested
	}
	safe := filename.Safe(name)
	if hasExtension(safe) {
		return safe
	}
	extension := filepath.Ext(filename.Safe(file.Suggested))
	if extension == "" || len(extension) > 6 {
		extension = kind.Extension()
	}
	return filename.Safe(safe + extension)
}

// hasExtension reports whether a name ends in something that looks like a file
// type: "Quote.pdf" does, "Rev. 2" and "v1.5" do not.
func hasExtension(name string) bool {
	extension := strings.TrimPrefix(filepath.Ext(name), ".")
	return len(extension) >= 2 && len(extension) <= 5 && strings.ContainsAny(strings.ToLower(extension), "abcdefghijklmnopqrstuvwxyz") && !strings.Contains(extension, " ")
}

// nameFiles gives the staged files the names that they are wanted under, made
// unlike each other, and unlike those that are in place already, in the order in
// which the page lists them; and puts the documents into the result.
func nameFiles(res *tasks.Result, docs []document) error {
	var order []int
	var names []string
	for i, doc := range docs {
		if doc.Path != "" {
			order, names = append(order, i), append(names, path.Base(doc.Path))
		}
	}
	for i, doc := range docs {
		if doc.staged != "" {
			order, names = append(order, i), append(names, doc.wanted)
		}
	}
	for n, name := range filename.Unique(names) {
		doc := &docs[order[n]]
		if doc.staged == "" {
			continue
		}
		if err := os.Rename(filepath.Join(doc.staging, doc.staged), filepath.Join(doc.staging, name)); err != nil {
			return fmt.Errorf("naming a document: %w", err)
		}
		doc.Staged = name
	}
	for _, doc := range docs {
		res.Attachments = append(res.Attachments, doc.Attachment)
	}
	return nil
}
