package scrape

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/inspect"
	"github.com/poscrape/poscrape/internal/claims"
	"github.com/poscrape/poscrape/tasks"
)

// documents brings the listed documents into the attempt's staging directory,
// at first pages that were printed, then those at addresses where another order's may be, one after the other, then
// plain links side by side, and then those that have to be clicked one after
// the other. What an earlier attempt has brought is taken over if the server says that
// it is still the same. Its error
// is that of the attempt; what is wrong with one document stands in the list.
func (a *attempt) documents(ctx context.Context, p *page, res *tasks.Result) error {
	items, keys := a.listed(p)
	had, unlisted := a.earlier(items, keys)
	old := a.beforeUpdate(items, keys)
	if len(had)+len(unlisted) == 0 {
		if a.prints != "" {
			return os.Remove(a.prints)
		}
		return nil
	}
	if res.Staging = a.prints; res.Staging == "" {
		staging, err := a.makeStaging()
		if err != nil {
			return err
		}
		res.Staging = staging
	}
	a.portal.shares.list(a.task.ID, keys)
	docs, hide := make([]document, len(had)+len(unlisted)), a.veil().data.Replace
	var prints, apart, links, clicks []*document
	for i := range docs {
		doc := &docs[i]
		doc.staging, doc.hide = res.Staging, hide
		if i >= len(had) {
			if a.missing(doc, unlisted[i-len(had)]) {
				links = append(links, doc)
			}
			continue
		}
		it := items[i]
		doc.item, doc.had, doc.old, doc.types = it, had[i], old[i], it.by.recipe().documentTypes()
		doc.saveAs = it.by.saveAs(i+1, res, hide)
		doc.Attachment = tasks.Attachment{Name: hide(it.Name), Source: browser.Redact(it.Source), URL: it.shown(), Key: keys[i].String()}
		switch {
		case it.by.unwanted(doc, i, len(items)):
		case it.Printed != nil:
			prints = append(prints, doc)
		case it.URL == "":
			clicks = append(clicks, doc)
		case a.portal.shares.kept(keys[i]):
			doc.had, doc.old = tasks.Attachment{}, tasks.Attachment{} // it may be another order's
			apart = append(apart, doc)
		default:
			links = append(links, doc)
		}
	}
	err := settlePrints(ctx, prints)
	if err == nil {
		err = a.fetchAll(ctx, apart, 1)
	}
	if err == nil {
		err = a.fetchAll(ctx, links, -1)
	}
	if err == nil {
		err = a.clickPages(ctx, clicks)
	}
	if err == nil {
		err = failAlike(clicks)
	}
	if err != nil && !a.outOfTime(ctx, err, docs) {
		return err
	}
	return a.conclude(ctx, docs, unlisted, res)
}

// conclude puts the documents into the result, with what is known of them beside each other and of those of other
// orders. The last ones are those that the page does not list any more.
func (a *attempt) conclude(ctx context.Context, docs []document, unlisted []tasks.Attachment, res *tasks.Result) error {
	docs, err := a.keepUnlisted(docs, unlisted)
	if err != nil {
		return err
	}
	a.unproven = a.noteShares(ctx, docs)
	a.strayed = a.strays(docs)
	a.markNew(docs)
	return nameFiles(res, docs)
}

// keepUnlisted keeps what the earlier attempts have brought home and the page does not list any more, the last of docs,
// where it could not be brought again. What the page lists at another address now, with the same name and bytes, is one
// document.
func (a *attempt) keepUnlisted(docs []document, before []tasks.Attachment) ([]document, error) {
	listed := len(docs) - len(before)
	kept := docs[:listed:listed]
	a.unlisted = nil
	for i, doc := range docs[listed:] {
		brought := doc.State == tasks.AttachmentDone
		if !brought && a.present(before[i]) {
			doc.Attachment = before[i]
		}
		same := func(d document) bool {
			return d.State == tasks.AttachmentDone && d.SHA256 == doc.SHA256 && d.Name == doc.Name
		}
		if doc.State == tasks.AttachmentDone && slices.ContainsFunc(docs[:listed], same) {
			if doc.staged != "" {
				if err := os.Remove(filepath.Join(doc.staging, doc.staged)); err != nil {
					return nil, err
				}
			}
			continue
		}
		if kept = append(kept, doc); !brought && doc.State == tasks.AttachmentDone {
			a.unlisted = append(a.unlisted, doc.Name)
		}
	}
	return kept, nil
}

// missing takes over a document that the page does not list any more, and reports whether it
// can be asked for again.
func (a *attempt) missing(doc *document, before tasks.Attachment) bool {
	doc.Attachment = before
	doc.State, doc.Path, doc.Error = "", "", nil
	it, known := missed(doc.Attachment)
	if doc.item = it; !known {
		doc.fail(tasks.Retry(tasks.ClassAttachment, "the page listed it at an earlier attempt, and does not any more"))
	}
	return known
}

// unwanted gives a listed document its state where it is not to be asked for, the i-th of n.
func (a *attempt) unwanted(doc *document, i, n int) bool {
	it := doc.item
	switch {
	case it.Pending:
		doc.fail(a.notYet())
	case it.Unlinked:
		what := "address for it at attachments.json.link"
		if it.Inline {
			what = "content of it at attachments.json.content"
		}
		doc.fail(tasks.Retry(tasks.ClassAttachment, "the portal's data has no %s", what))
	case it.Refused != "":
		doc.fail(tasks.Permanent("", tasks.ClassNotClicked, "it was neither clicked nor followed: %q says that it does more than show a document", it.Refused))
	case it.Way == wayNone:
		doc.fail(tasks.Retry(tasks.ClassAttachment, "attachments.link %q met nothing in it", a.recipe().Attachments.Link))
	case it.Way == waySeveral:
		doc.fail(tasks.Permanent("", tasks.ClassAttachment, "attachments.link %q met several in it that lead to different documents; have item meet each of them", a.recipe().Attachments.Link))
	case it.Unmade != "":
		doc.fail(tasks.Retry(tasks.ClassAttachment, "%s", it.Unmade))
	case it.Scheme != "":
		doc.fail(tasks.Permanent("", tasks.ClassAttachment, "it leads to a %s address, which holds no document; if it is none, name it under attachments.exclude", it.Scheme))
	case a.unsent(it) != "":
		doc.fail(tasks.Retry(tasks.ClassAttachment, "it was not asked for: %s", a.unsent(it)))
	case i >= a.portal.recipe.Limits.MaxFiles:
		doc.skip(tasks.ClassLimit, "the order lists %d documents, over the limit of %d (limits.max_files)", n, a.portal.recipe.Limits.MaxFiles)
	case it.URL == "" && a.executor == tasks.ExecutorFetch:
		doc.fail(tasks.Permanent("", tasks.ClassAttachment, "it has to be clicked, and the page was only fetched (--mode fetch)"))
	default:
		return false
	}
	return true
}

// fetchAll brings documents by their addresses, so many at once, or as many as may be.
func (a *attempt) fetchAll(ctx context.Context, docs []*document, atOnce int) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, doc := range docs {
		group.Go(func() error { return a.fetch(ctx, doc) })
	}
	return group.Wait()
}

// notYet is the failure of a document that the portal has not made yet. The longer it takes,
// the longer it is waited for; other orders are read meanwhile.
func (a *attempt) notYet() *tasks.Failure {
	f := tasks.Retry(tasks.ClassNotYet, "the portal lists it and has not made it yet: %s", a.recipe().Attachments.pendingText())
	f.After = a.portal.pendingWait << min(a.task.Attempts, 4)
	return f
}

// pendingWait is how long a document that the portal has not made yet is waited for.
const pendingWait = 15 * time.Second

// document is one document on its way.
type document struct {
	tasks.Attachment
	item    item
	staging string
	// had is what an earlier attempt has brought from the same address, or empty; old is what
	// the session that is updated had from there, or empty.
	had, old tasks.Attachment
	// from is the address that the answer came from, and via are those that redirects led through.
	from string
	via  []string
	// opened is what the page was that a click on it opened: its address and its text; or empty.
	opened string
	// types of text that the recipe takes as documents.
	types []DocumentType
	// said is what Chrome said when a click on it began no download, or empty.
	said string
	// staged is the name of its file in the staging directory, until it gets
	// the one that it is wanted under.
	staged, wanted string
	// saveAs returns the name that the recipe wants for a file, by its own; or it is nil.
	saveAs func(name, file string) string
	// hide returns a name without secrets.
	hide func(name string) string
}

// outOfTime reports whether an error only means that the attempt's time was up
// among the documents, with some of them there. Those are kept, so that the next
// attempt has less to do, and the others are marked.
func (a *attempt) outOfTime(ctx context.Context, err error, docs []document) bool {
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) || errors.Is(err, browser.ErrLost) || isDisk(err) {
		return false
	}
	done := slices.ContainsFunc(docs, func(d document) bool { return d.State == tasks.AttachmentDone })
	for i := range docs {
		if done && docs[i].State == "" {
			docs[i].fail(tasks.Retry(tasks.ClassTimeout, "the order's time was up before it was there"))
		}
	}
	return done
}

// fetch brings a document by its address.
func (a *attempt) fetch(ctx context.Context, doc *document) error {
	it := doc.item
	if strings.HasPrefix(it.URL, "data:") {
		return a.decode(doc)
	}
	headers, why := a.readBy(it).documentHeaders(it)
	if why != "" {
		doc.fail(tasks.Retry(tasks.ClassAttachment, "it was not asked for: %s", why))
		return nil
	}
	if a.allowed(it.URL) {
		err := a.portal.wait(ctx, it.URL)
		var paused *tasks.Failure
		if errors.As(err, &paused) {
			f := tasks.Release(tasks.ClassThrottled, "it was not asked for: %s", paused.Message)
			f.After = paused.After
			doc.fail(f)
			return nil
		}
		if err != nil {
			return err
		}
	}
	load := len(headers.Names()) == 0 && a.load(it.URL)
	known := cmp.Or(doc.had.Validators, doc.old.Validators)
	file, err := a.browser.Fetch(ctx, browser.Request{URL: it.URL, Referrer: it.Source, Charset: a.readBy(it).charset, Dir: doc.staging, Headers: headers,
		MaxSize: a.portal.recipe.Limits.MaxFileSize, Allowed: a.allowed, WantsPage: slices.Contains(doc.types, claims.DocumentHTML), Load: load, Known: known})
	if load && err == nil {
		a.loaded(it.URL, file)
	}
	if err == nil {
		doc.from, doc.via = file.URL, file.Via
	}
	if err == nil && file.Unchanged && doc.had.Validators == "" {
		tasks.Active(ctx)
		if a.takeOver(doc) {
			return nil
		}
		doc.old = tasks.Attachment{}
		return a.fetch(ctx, doc)
	}
	if err == nil && file.Unchanged {
		tasks.Active(ctx)
		key := doc.Key
		doc.Attachment = doc.had
		doc.Key = key
		return nil
	}
	return a.settle(ctx, doc, file, err)
}

// settle gives a document its state. It returns an error where the attempt as a
// whole cannot go on.
func (a *attempt) settle(ctx context.Context, doc *document, file *browser.File, err error) error {
	if err == nil {
		tasks.Active(ctx)
		doc.from, doc.via = file.URL, file.Via
		if refused := a.portal.servers.refused(file.URL); refused != nil {
			doc.skip(tasks.ClassHost, "%w", refused)
			return file.Remove()
		}
		return doc.keep(file)
	}
	if ctx.Err() != nil || errors.Is(err, browser.ErrLost) || pageLost(err) || clockTrouble(err) != "" {
		return err
	}
	if isDisk(err) {
		return err
	}
	if err := a.checkRoom(err); err != nil {
		return err
	}
	var failed *browser.DownloadError
	var own *tasks.Failure
	switch {
	case errors.As(err, &failed) && failed.Kind == browser.KindHost:
		doc.skip(tasks.ClassHost, "%s", failed)
	case errors.As(err, &failed) && failed.Kind == browser.KindTooLarge:
		doc.skip(tasks.ClassLimit, "%s bytes (limits.max_file_size)", failed)
	case errors.As(err, &failed):
		f := downloadFailure(failed)
		if failed.Kind == browser.KindStatus {
			a.heed(f, failed.Status, failed.RetryAfter, failed.URL, doc.item.URL)
		}
		doc.fail(f)
	case errors.As(err, &own):
		doc.fail(own)
	case errors.Is(err, browser.ErrNotBegun):
		also := "is it a document?"
		if doc.said != "" {
			also = "Chrome says: " + doc.said
		}
		doc.fail(tasks.Retry(tasks.ClassAttachment, "a click on it began no download within %v; %s", a.portal.clickTimeout, also))
	default:
		doc.fail(tasks.Retry(tasks.ClassAttachment, "%w", err))
	}
	return nil
}

func downloadFailure(e *browser.DownloadError) *tasks.Failure {
	switch e.Kind {
	case browser.KindStatus:
		return tasks.Retry(tasks.ClassHTTPStatus, "%s", e)
	case browser.KindPage:
		return tasks.Retry(tasks.ClassWrongType, "%s", e)
	case browser.KindCut, browser.KindStalled, browser.KindPartial, browser.KindDigest:
		return tasks.Retry(tasks.ClassWrongSize, "%s", e)
	case browser.KindTab:
		return tasks.Retry(tasks.ClassRendererCrash, "%s", e)
	}
	return tasks.Retry(tasks.ClassNavigation, "%s", e)
}

func (doc *document) fail(f *tasks.Failure) {
	doc.State, doc.Error = tasks.AttachmentFailed, f
	f.Phase = tasks.PhaseDownload
}

func (doc *document) skip(class tasks.Class, format string, args ...any) {
	doc.State = tasks.AttachmentSkipped
	doc.Error = tasks.Permanent("", class, format, args...)
	doc.Error.Phase = tasks.PhaseDownload
}

func pathOf(address string) string {
	u, err := browser.ParseURL(address)
	if err != nil {
		return ""
	}
	return u.Path
}

// decode writes a document that stands in its own address (RFC 2397).
func (a *attempt) decode(doc *document) error {
	head, body, _ := strings.Cut(strings.TrimPrefix(doc.item.URL, "data:"), ",")
	text, err := body, error(nil)
	if strings.Contains(body, "%") {
		text, err = url.PathUnescape(body)
	}
	content := []byte(text)
	if err == nil && strings.HasSuffix(head, ";base64") {
		content, err = fromBase64(text)
	}
	if err != nil {
		doc.fail(tasks.Permanent("", tasks.ClassAttachment, "%s cannot be decoded: %w", doc.item.holder(), err))
		return nil
	}
	if limit := a.portal.recipe.Limits.MaxFileSize; int64(len(content)) > limit {
		doc.skip(tasks.ClassLimit, "it has %d bytes, over the limit of %d bytes (limits.max_file_size)", len(content), limit)
		return nil
	}
	announced, _, _ := strings.Cut(head, ";")
	if doc.item.Inline && announced == "" && claims.Ending(doc.Name) == "" && inspect.Sniff(content).Unknown {
		doc.fail(tasks.Permanent("", tasks.ClassWrongType, "%s is of no form that poscrape knows, and no name says what it is, so it may be an identifier; check attachments.json.content", doc.item.holder()))
		return nil
	}
	path := filepath.Join(doc.staging, fmt.Sprintf("data-%d", doc.item.Index))
	if err := os.WriteFile(path, content, 0o644); err != nil {
		return fmt.Errorf("storing a document: %w", err)
	}
	return doc.keep(&browser.File{Path: path, Size: int64(len(content)), Type: announced, Announced: -1, Unproven: "nothing tells how long it is to be"})
}
