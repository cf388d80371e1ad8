package scrape

import (
	"context"
	"encoding/base64"
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
	"github.com/poscrape/poscrape/tasks"
)

// clickTimeout is how long a click may take to begin a download. Portals that
// make a document on demand need some seconds; a button that is none needs for ever.
const clickTimeout = 10 * time.Second

// documents brings the listed documents into the attempt's staging directory,
// plain links side by side, and then those that have to be clicked one after
// the other. What an earlier attempt has brought is not fetched again. Its error
// is that of the attempt; what is wrong with one document stands in the list.
func (a *attempt) documents(ctx context.Context, p *page, res *tasks.Result) error {
	keys := itemKeys(p.Items)
	had := a.earlier(keys)
	if len(had) == 0 {
		return nil
	}
	staging, err := a.makeStaging()
	if err != nil {
		return err
	}
	res.Staging = staging
	docs := make([]document, len(had))
	links, ctxLinks := errgroup.WithContext(ctx)
	var clicks []*document
	for i := range docs {
		doc := &docs[i]
		if had[i].State != "" {
			doc.Attachment = had[i]
			continue
		}
		it := p.Items[i]
		doc.item, doc.staging = it, res.Staging
		doc.Attachment = tasks.Attachment{Name: it.Name, Source: browser.Redact(it.Source), URL: browser.Redact(it.URL), Key: keys[i].String()}
		switch {
		case i >= a.portal.recipe.Limits.MaxFiles:
			doc.skip(tasks.ClassLimit, "the order lists %d documents, over the limit of %d (limits.max_files)", len(p.Items), a.portal.recipe.Limits.MaxFiles)
		case it.URL == "" && a.executor == tasks.ExecutorFetch:
			doc.fail(tasks.Permanent("", tasks.ClassAttachment, "it has to be clicked, and the page was only fetched (--mode fetch)"))
		case it.URL == "":
			clicks = append(clicks, doc)
		default:
			links.Go(func() error { return a.fetch(ctxLinks, doc) })
		}
	}
	err = links.Wait()
	if err == nil {
		err = a.clickAll(ctx, clicks)
	}
	if err != nil && !a.outOfTime(ctx, err, docs) {
		return err
	}
	return nameFiles(res, docs)
}

// document is one document on its way.
type document struct {
	tasks.Attachment
	item    item
	staging string
	// staged is the name of its file in the staging directory, until it gets
	// the one that it is wanted under.
	staged, wanted string
}

// outOfTime reports whether an error only means that the attempt's time was up
// among the documents, with some of them there. Those are kept, so that the next
// attempt has less to do, and the others are marked.
func (a *attempt) outOfTime(ctx context.Context, err error, docs []document) bool {
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) || errors.Is(err, browser.ErrLost) || diskFault(err) != nil {
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
		doc.URL = "data:..."
		return a.decode(doc)
	}
	if a.allowed(it.URL) {
		if err := a.portal.wait(ctx, it.URL); err != nil {
			return err
		}
	}
	load := a.load(it.URL)
	file, err := a.browser.Fetch(ctx, browser.Request{URL: it.URL, Referrer: it.Source, Dir: doc.staging,
		MaxSize: a.portal.recipe.Limits.MaxFileSize, Allowed: a.allowed, WantsPage: namesPage(it), Load: load})
	if load && err == nil {
		a.loaded(it.URL, file)
	}
	return a.settle(ctx, doc, file, err)
}

// clickAll brings the documents that have no address, one after the other. A
// download only says that it has begun, and not which click began it: so after a
// click that began none, or more than one, no other is made in this attempt.
func (a *attempt) clickAll(ctx context.Context, docs []*document) error {
	clear := true
	if len(docs) > 0 {
		stop := a.browser.Tab().KeepPace(ctx)
		defer stop()
	}
	for _, doc := range docs {
		if !clear {
			doc.fail(tasks.Retry(tasks.ClassAttachment, "it was not clicked, as an earlier click did not begin exactly one download, and theirs could be taken for its own"))
			continue
		}
		if err := a.click(ctx, doc); err != nil {
			return err
		}
		clear = doc.State != tasks.AttachmentFailed && a.browser.Unclaimed() == 0
	}
	return nil
}

// clickScript clicks an item of the page's list, which is made anew where the
// page has drawn its items again.
const clickScript = `(() => {
	const listed = window[Symbol.for("poscrape.list")], index = %d;
	if (!listed) return false;
	if (!listed.list[index]?.isConnected) listed.list = listed.again();
	const el = listed.list[index];
	if (!el || !el.isConnected) return false;
	el.scrollIntoView({block: "center"});
	if (el.click) el.click(); else el.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}));
	return true;
})()`

// click brings a document by clicking what stands for it.
func (a *attempt) click(ctx context.Context, doc *document) error {
	if err := a.portal.wait(ctx, a.page); err != nil {
		return err
	}
	expected := a.browser.ExpectDownload()
	defer expected.Cancel()
	var there bool
	err := a.browser.Tab().Evaluate(ctx, fmt.Sprintf(clickScript, doc.item.Index), &there)
	if err == nil && !there {
		err = tasks.Retry(tasks.ClassAttachment, "what stands for it was gone from the page before it could be clicked")
	}
	if err != nil {
		return a.settle(ctx, doc, nil, err)
	}
	download, err := expected.Begun(ctx, clickTimeout)
	if err != nil {
		return a.settle(ctx, doc, nil, err)
	}
	if u, err := url.Parse(strings.TrimPrefix(download.URL, "blob:")); err == nil && u.Host != "" && !a.portal.recipe.HostAllowed(u.Host, a.address) {
		a.browser.Discard(ctx, download)
		return a.settle(ctx, doc, nil, &browser.DownloadError{Kind: browser.KindHost, URL: download.URL})
	}
	file, err := a.browser.Wait(ctx, download, a.portal.recipe.Limits.MaxFileSize)
	return a.settle(ctx, doc, file, err)
}

// settle gives a document its state. It returns an error where the attempt as a
// whole cannot go on.
func (a *attempt) settle(ctx context.Context, doc *document, file *browser.File, err error) error {
	if err == nil {
		return doc.keep(file)
	}
	if ctx.Err() != nil || errors.Is(err, browser.ErrLost) || pageLost(err) {
		return err
	}
	if diskFault(err) != nil {
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
		doc.fail(downloadFailure(failed))
	case errors.As(err, &own):
		doc.fail(own)
	case errors.Is(err, browser.ErrNotBegun):
		doc.fail(tasks.Retry(tasks.ClassAttachment, "a click on it began no download within %v; is it a document?", clickTimeout))
	default:
		doc.fail(tasks.Retry(tasks.ClassAttachment, "%w", err))
	}
	return nil
}

func downloadFailure(e *browser.DownloadError) *tasks.Failure {
	switch e.Kind {
	case browser.KindStatus:
		f := tasks.Retry(tasks.ClassHTTPStatus, "%s", e)
		f.After = retryAfter(e.RetryAfter, time.Now())
		return f
	case browser.KindPage:
		return tasks.Retry(tasks.ClassWrongType, "%s", e)
	case browser.KindCut, browser.KindStalled:
		return tasks.Retry(tasks.ClassWrongSize, "%s", e)
	case browser.KindTab:
		return tasks.Retry(tasks.ClassRendererCrash, "%s", e)
	}
	return tasks.Retry(tasks.ClassNavigation, "%s", e)
}

func (doc *document) fail(f *tasks.Failure) {
	doc.State, doc.Error = tasks.AttachmentFailed, f
	f.Phase = PhaseDownload
}

func (doc *document) skip(class tasks.Class, format string, args ...any) {
	doc.State = tasks.AttachmentSkipped
	doc.Error = tasks.Permanent("", class, format, args...)
	doc.Error.Phase = PhaseDownload
}

// namesPage reports whether the item's own name or address says that it is an
// HTML page, so that getting one is no sign of a lost session.
func namesPage(it item) bool {
	for _, name := range []string{it.Name, pathOf(it.URL)} {
		switch strings.ToLower(filepath.Ext(name)) {
		case ".html", ".htm", ".xhtml", ".mht", ".mhtml":
			return true
		}
	}
	return false
}

func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Path
}

// decode writes a document that stands in its own address (RFC 2397).
func (a *attempt) decode(doc *document) error {
	head, body, _ := strings.Cut(strings.TrimPrefix(doc.item.URL, "data:"), ",")
	text, err := url.PathUnescape(body)
	content := []byte(text)
	if err == nil && strings.HasSuffix(head, ";base64") {
		content, err = base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	}
	if err != nil {
		doc.fail(tasks.Permanent("", tasks.ClassAttachment, "its data address cannot be decoded: %w", err))
		return nil
	}
	if limit := a.portal.recipe.Limits.MaxFileSize; int64(len(content)) > limit {
		doc.skip(tasks.ClassLimit, "it has %d bytes, over the limit of %d bytes (limits.max_file_size)", len(content), limit)
		return nil
	}
	path := filepath.Join(doc.staging, fmt.Sprintf("data-%d", doc.item.Index))
	if err := os.WriteFile(path, content, 0o600); err != nil {
		return fmt.Errorf("storing a document: %w", err)
	}
	return doc.keep(&browser.File{Path: path, Size: int64(len(content)), Announced: -1})
}
