package scrape

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strings"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/nofollow"
	"github.com/poscrape/poscrape/tasks"
)

// itemKey is what a document is known by among the attempts at its order: its
// listed name, its address, and its place among those that are equal in both.
// Addresses that are signed anew for each page are known by their path. The address
// alone tells which documents of several orders may be one and the same.
type itemKey struct{ exact, loose, address string }

func (k itemKey) String() string { return k.exact + "/" + k.loose + "/" + k.address }

func parseKey(text string) itemKey {
	exact, rest, _ := strings.Cut(text, "/")
	loose, address, _ := strings.Cut(rest, "/")
	return itemKey{exact, loose, address}
}

// itemKeys returns the keys of the listed documents. They hold hashes, and so
// nothing of an address that may be a secret.
func itemKeys(items []item) []itemKey {
	seen := map[string]int{}
	key := func(parts ...string) string {
		text := strings.Join(parts, "\x00")
		seen[text]++
		return hashed(fmt.Sprintf("%s\x00%d", text, seen[text]))
	}
	keys := make([]itemKey, len(items))
	for i, it := range items {
		path := it.URL
		if u, err := browser.ParseURL(it.URL); err == nil && u.Host != "" {
			path = u.Host + u.Path
		}
		keys[i] = itemKey{key("exact", it.Name, it.URL), key("loose", it.Name, path), cmp.Or(it.PrintKey, addressKey(it.URL))}
		if it.Inline { // the portal may make its bytes anew each time
			keys[i].exact, keys[i].loose = key("exact", it.Name, "data:"), key("loose", it.Name, "data:")
		}
	}
	return keys
}

func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:12])
}

// addressKey returns what the address of a document is known by, or "" where a server is
// not asked for it.
func addressKey(address string) string {
	u, err := browser.ParseURL(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	u.Fragment, u.RawFragment = "", ""
	return hashed("address\x00" + u.String())
}

// earlier returns, for each listed document, what an earlier attempt has brought from
// the same address, if it is still there and if what the server said of its version is
// known: whether that is still so has to be asked. Behind those it returns the documents
// that the page has listed then and does not list any more, as that proves nothing.
func (a *attempt) earlier(items []item, keys []itemKey) (had, unlisted []tasks.Attachment) {
	had = make([]tasks.Attachment, len(keys))
	if a.task.Result == nil {
		return had, nil
	}
	before := a.task.Result.Attachments
	had, matched := match(before, items, keys, a.present)
	if a.reread() {
		return had, nil
	}
	for j, doc := range before {
		if !matched[j] {
			unlisted = append(unlisted, doc)
		}
	}
	return had, unlisted
}

// match returns, for each listed document, which of those before it is, if that is known by
// its address and usable; and which of those before are any of the listed ones.
func match(before []tasks.Attachment, items []item, keys []itemKey, usable func(tasks.Attachment) bool) (had []tasks.Attachment, matched []bool) {
	had, matched = make([]tasks.Attachment, len(keys)), make([]bool, len(before))
	taken := make([]bool, len(keys))
	pair := func(same func(i, j int, a, b itemKey) bool) {
		for j, doc := range before {
			was := parseKey(doc.Key)
			for i, key := range keys {
				if matched[j] || taken[i] || !same(i, j, was, key) {
					continue
				}
				matched[j], taken[i] = true, true
				if key.address != "" && was.address == key.address && doc.Validators != "" && usable(doc) {
					had[i] = doc
				}
			}
		}
	}
	pair(func(_, _ int, a, b itemKey) bool { return a.exact == b.exact })
	pair(func(_, _ int, a, b itemKey) bool { return a.loose == b.loose })
	pair(func(i, j int, _, _ itemKey) bool { // it may have got its address since
		was := before[j].Error
		waited := was != nil && (was.Class == tasks.ClassNotYet || was.Class == tasks.ClassAttachment && before[j].URL == "" && items[i].URL != "")
		return waited && before[j].Name == items[i].Name
	})
	return had, matched
}

// reread reports whether the order is read again because of how it was read before: what
// it listed then is not relied on.
func (a *attempt) reread() bool {
	n := len(a.task.History)
	return n > 0 && a.task.History[n-1].Released && a.task.History[n-1].Error == nil
}

// missed makes a document of one that the page has listed at an earlier attempt. It can
// be asked for again if it has an address, and that is known as it was.
func missed(doc tasks.Attachment) (it item, known bool) {
	was := parseKey(doc.Key)
	return item{Index: -1, Name: doc.Name, URL: doc.URL, Source: doc.Source}, was.address != "" && was.address == addressKey(doc.URL)
}

// present reports whether the document is where it was put.
func (a *attempt) present(doc tasks.Attachment) bool {
	if doc.State != tasks.AttachmentDone {
		return false
	}
	root, err := os.OpenRoot(a.places.Session)
	if err != nil {
		return false
	}
	defer root.Close()
	return nofollow.Holds(root, doc.Path, doc.Size)
}
