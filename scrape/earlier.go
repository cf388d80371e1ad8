package scrape

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/poscrape/poscrape/tasks"
)

// itemKey is what a document is known by among the attempts at its order: its
// listed name, its address, and its place among those that are equal in both.
// Addresses that are signed anew for each page are known by their path.
type itemKey struct{ exact, loose string }

func (k itemKey) String() string { return k.exact + "/" + k.loose }

func parseKey(text string) itemKey {
	exact, loose, _ := strings.Cut(text, "/")
	return itemKey{exact, loose}
}

// itemKeys returns the keys of the listed documents. They hold hashes, and so
// nothing of an address that may be a secret.
func itemKeys(items []item) []itemKey {
	seen := map[string]int{}
	key := func(parts ...string) string {
		text := strings.Join(parts, "\x00")
		seen[text]++
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", text, seen[text]))
		return hex.EncodeToString(sum[:12])
	}
	keys := make([]itemKey, len(items))
	for i, it := range items {
		path := it.URL
		if u, err := url.Parse(it.URL); err == nil && u.Host != "" {
			path = u.Host + u.Path
		}
		keys[i] = itemKey{key("exact", it.Name, it.URL), key("loose", it.Name, path)}
	}
	return keys
}

// earlier returns, for each listed document, what an earlier attempt has brought
// for it, if anything; and behind those the documents that the page has listed
// then and does not list any more. Of these, what is there is kept, and what is
// not there is missing: that a page lists less than before proves nothing.
func (a *attempt) earlier(keys []itemKey) []tasks.Attachment {
	had := make([]tasks.Attachment, len(keys))
	if a.task.Result == nil {
		return had
	}
	before := a.task.Result.Attachments
	matched := make([]bool, len(before))
	taken := make([]bool, len(keys))
	match := func(same func(a, b itemKey) bool) {
		for j, doc := range before {
			for i, key := range keys {
				if !matched[j] && !taken[i] && same(parseKey(doc.Key), key) {
					matched[j], taken[i] = true, true
					if a.present(doc) {
						had[i] = doc
					}
				}
			}
		}
	}
	match(func(a, b itemKey) bool { return a.exact == b.exact })
	match(func(a, b itemKey) bool { return a.loose == b.loose })
	for j, doc := range before {
		if matched[j] {
			continue
		}
		if !a.present(doc) {
			doc.State, doc.Path = tasks.AttachmentFailed, ""
			doc.Error = tasks.Retry(tasks.ClassAttachment, "the page listed it at an earlier attempt, and does not any more")
		}
		had = append(had, doc)
	}
	return had
}

// present reports whether the document is where it was put.
func (a *attempt) present(doc tasks.Attachment) bool {
	if doc.State != tasks.AttachmentDone {
		return false
	}
	info, err := os.Stat(filepath.Join(a.places.Session, filepath.FromSlash(doc.Path)))
	return err == nil && info.Mode().IsRegular() && info.Size() == doc.Size
}
