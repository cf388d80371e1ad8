package scrape

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/nofollow"
	"github.com/poscrape/poscrape/tasks"
)

// Update is an earlier session, whose orders are read again to find what has arrived since.
type Update struct {
	// Dir is its session folder, absolute.
	Dir string
	// Documents returns what an order had there. It may be called by any goroutine.
	Documents func(task *tasks.ProcessingTask) []tasks.Attachment
}

// beforeUpdate returns, for each listed document, what the session that is updated had from the same
// address, if it can be proven that it is still the same: by what the server says of its
// version, and by the hash of the file.
func (a *attempt) beforeUpdate(items []item, keys []itemKey) []tasks.Attachment {
	u := a.places.Update
	if u == nil {
		return make([]tasks.Attachment, len(keys))
	}
	had, _ := match(u.Documents(a.task), items, keys, func(doc tasks.Attachment) bool {
		return doc.State == tasks.AttachmentDone && doc.SHA256 != "" && strong(doc.Validators)
	})
	return had
}

// strong reports whether what a server said of a version of a body tells it from every other:
// its tag is no weak one (RFC 9110, 8.8.1). When a body was made does not.
func strong(validators string) bool {
	tag, _, _ := strings.Cut(validators, "\n")
	return strings.HasPrefix(tag, `"`)
}

// takeOver makes a document of the file that the session that is updated has for it, and
// reports whether that is there as it was, and is one by the recipe of today.
func (a *attempt) takeOver(doc *document) bool {
	was := doc.old
	if was.Size > a.portal.recipe.Limits.MaxFileSize {
		return false
	}
	staged := filepath.Join(doc.staging, uuid.NewString())
	sum, err := copyBelow(a.places.Update.Dir, was.Path, was.Size, staged)
	if err == nil && sum == was.SHA256 {
		if doc.Name == "" {
			doc.Name = was.Name
		}
		file := &browser.File{Path: staged, Suggested: was.Original, Size: was.Size, SHA256: sum, Validators: was.Validators}
		if err = doc.keep(file); err == nil && doc.State == tasks.AttachmentDone {
			return true
		}
	}
	_ = os.Remove(staged)
	doc.Name, doc.State, doc.Error = doc.item.Name, "", nil
	return false
}

// copyBelow copies a file of this size below a folder, where no link is followed, and returns
// the hash of what it has copied.
func copyBelow(dir, name string, size int64, to string) (sum string, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	if !nofollow.Holds(root, name, size) {
		return "", errors.New("it is not there as it was")
	}
	in, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return "", err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	_, err = io.Copy(io.MultiWriter(out, hash), in)
	return hex.EncodeToString(hash.Sum(nil)), errors.Join(err, out.Close())
}

// markNew marks the documents whose bytes the order did not have in the session that is
// updated.
func (a *attempt) markNew(docs []document) {
	u := a.places.Update
	if u == nil {
		return
	}
	before := u.Documents(a.task)
	for i := range docs {
		doc := &docs[i]
		doc.New = doc.State == tasks.AttachmentDone && !slices.ContainsFunc(before, func(was tasks.Attachment) bool {
			return was.State == tasks.AttachmentDone && was.SHA256 == doc.SHA256
		})
	}
}
