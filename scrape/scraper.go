package scrape

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/gallery"
	"github.com/poscrape/poscrape/internal/template"
	"github.com/poscrape/poscrape/scrape/verdict"
	"github.com/poscrape/poscrape/tasks"
)

// Places says where a scraper writes.
type Places struct {
	// Session is the session folder, absolute.
	Session string
	// Staging is a directory on the same file system, for documents on their way.
	// It must be there.
	Staging string
	// Room returns why a file of so many bytes does not fit where files are
	// written, or nil. It is asked when a document could not be downloaded; with 0 bytes,
	// whether there is any room at all. Its error is one of the file system
	// (disk.FaultOf). Without a Room there is always room.
	Room func(bytes int64) error
	// Evidence is where evidence is kept; without one, none is.
	Evidence *Evidence
	// Update is the earlier session that this one updates, or nil.
	Update *Update
	// Gallery is where people look on; without one, nobody does.
	Gallery *gallery.Gallery
}

// Scraper reads orders with one browser. Do may be called by as many goroutines at
// once as Room says; more wait for each other.
type Scraper struct {
	portal  *Portal
	browser *browser.Browser
	places  Places
	tab     *tab
	// clicked is when the latest downloads have begun that clicks have caused.
	clicked []time.Time
}

// Scraper returns a scraper that works with the browser.
func (p *Portal) Scraper(b *browser.Browser, places Places) *Scraper {
	return &Scraper{portal: p, browser: b, places: places, tab: newTab()}
}

// attempt is one reading of one order.
type attempt struct {
	*Scraper
	task    *tasks.ProcessingTask
	address *url.URL
	// page is where the order was found, redirects followed, and charset that page's.
	page    string
	charset string
	status  int
	phase   string
	began   time.Time
	phaseMS map[string]float64
	// executor is the way in which the page is read, fellBack why a lighter one was
	// given up, or empty. held is how much of the tab the order has.
	executor, fellBack string
	// both is set where the page was read both ways.
	both *both
	// ahead: the page's clock runs ahead.
	ahead bool
	// stale: data of its pages came out of Chrome's cache.
	stale bool
	// without: the page was opened again without what it has waited for in vain.
	without bool
	// searched is what the results of the search for the order have met, or nil.
	searched *tasks.Look
	// expanded is what the selectors of attachments.expand have met.
	expanded []tasks.Look
	// unopened says what attachments.expand has met that was not clicked, or is empty.
	unopened string
	held     int64
	// prints is where pages that are documents are printed to, or empty.
	prints string
	// thens is what attachments.then has met after clicks, or nil.
	thens *tasks.Look
	// paging is the visit of the pages of documents, or nil, and upTo the number of the page that
	// is to be shown, 0 for the last.
	paging *paging
	upTo   int
	// listing is what is known of the row of a list that the order is.
	row listRow
	// unframed is what the list is read by where the tab shows the frame that it is in, alone; or nil.
	unframed *Recipe
	// related is set where the page is not the order's own, but belongs to it.
	related *related
	// visits are the readings of such pages, added is how many documents they list, and unread
	// what kept some of them from being read.
	visits []visit
	added  int
	unread []*tasks.Failure
	// strayed says which answers named another order where this one's document was asked for.
	strayed []string
	// unlisted names documents of earlier attempts that the page does not list any more, and that are kept.
	unlisted []string
	// unproven says which prints may be another order's.
	unproven []string
	// sent are the headers that scripts of the order's page have sent, and posts are the POSTs for data
	// that were sent.
	sent  browser.SentHeaders
	posts posts
	// told tells the values of fields that the order's page and its data have; concealed are those of
	// fields that are secrets.
	told      tellField
	fieldsOf  *page // whose fields told tells
	concealed []secretText
	// revealed: not all of them are known, so nothing of the page is kept.
	revealed bool
}

// Do makes one attempt at an order. It blocks until the attempt has ended, at
// the latest when ctx ends. It returns what was found, with its documents in
// Result.Staging, or a *tasks.Failure. The caller removes the staging directory.
func (s *Scraper) Do(ctx context.Context, task *tasks.ProcessingTask) (*tasks.Result, error) {
	a := &attempt{Scraper: s, task: task, phaseMS: map[string]float64{}, executor: tasks.ExecutorRender, posts: posts{}}
	defer a.letGo()
	a.forgetHeaders()
	res, err := a.run(ctx)
	if refused := a.portal.servers.refused(task.URL); refused != nil {
		res, err = nil, refused
	}
	a.enter("")
	if err != nil {
		a.concealShown(ctx)
	}
	if res != nil && a.portal.ItemSeen(res.Looks) {
		a.portal.NoteItemMet(a.portal.kindOf(a.address))
	}
	if a.owns() {
		defer s.browser.TidyUp(ctx) // it leaves the page, of which evidence is kept before
	}
	a.show(ctx)
	if err != nil {
		f := a.failure(ctx, err)
		_ = os.RemoveAll(a.staging()) // what is left of it goes with the session's staging directory
		f.PhaseMS, f.Executor = a.phaseMS, a.executor
		f.Evidence = a.evidence(ctx, f)
		return nil, a.veil().failure(f)
	}
	res.PhaseMS = a.phaseMS
	a.veil().result(res)
	if res.Evidence = a.evidence(ctx, res.Missing); len(res.Evidence) == 0 && res.Outcome == tasks.OutcomeNoAttachments {
		res.Evidence = a.picture(ctx, res.Kind)
	}
	return res, nil
}

// enter ends the running phase and begins the next.
func (a *attempt) enter(phase string) {
	now := time.Now()
	if a.phase != "" {
		a.phaseMS[a.phase] += float64(now.Sub(a.began)) / float64(time.Millisecond)
	}
	if phase != "" {
		a.phase = phase
	}
	a.began = now
}

func (a *attempt) run(ctx context.Context) (*tasks.Result, error) {
	a.enter(tasks.PhaseOpen)
	if err := a.locate(); err != nil {
		return nil, err
	}
	page, err := a.readPage(ctx)
	if err != nil {
		return nil, err
	}
	res, err := a.gather(ctx, page)
	if why := clockTrouble(err); why != "" { // a click has met it
		page, err = a.readInRealTime(ctx, why)
		if err == nil {
			err = a.admitted(ctx, page)
		}
		if err == nil {
			res, err = a.gather(ctx, page)
		}
	}
	if err != nil {
		return nil, err
	}
	if err := a.stillSignedIn(ctx, res); err != nil {
		return nil, err
	}
	a.rule(page, res)
	return res, nil
}

// gather takes fields, lines and documents from a page that was read.
func (a *attempt) gather(ctx context.Context, page *page) (*tasks.Result, error) {
	err := a.placePrints()
	if err == nil {
		err = a.printPage(ctx, page)
	}
	if err == nil {
		err = a.visitFrames(ctx, page)
	}
	if err == nil {
		err = a.visitRelated(ctx, page)
	}
	a.conceal(page) // frames may have some, too
	res := &tasks.Result{Executor: a.executor, FellBack: a.fellBack, URL: browser.Redact(page.URL), Lines: page.Lines,
		Fields: a.veil().fields(a.fields(page))} // before they are judged: a hidden value is a missing one
	fields := map[string]string{}
	for name, field := range res.Fields {
		fields[name] = field.Raw
	}
	res.Folder = expandFolder(a.portal.recipe.Folder, a.values(), fields)
	a.enter(tasks.PhaseDownload)
	if err == nil {
		err = a.documents(ctx, page, res)
	}
	if err == nil {
		err = a.listsMore(ctx, page)
	}
	if a.both != nil {
		a.compare(a.both, sumsOf(res))
	}
	return res, err
}

// rule has the result say what the page and its documents amount to.
func (a *attempt) rule(p *page, res *tasks.Result) {
	f := a.facts(p, res.Fields)
	f.Documents, f.Added, f.Unread, f.Strayed, f.Unproven, f.Unlisted = res.Attachments, a.added, a.unread, a.strayed, a.unproven, a.unlisted
	r := verdict.Judge(f)
	res.Outcome, res.Missing, res.Proof, res.AwaitsItem, res.Notes = r.Outcome, r.Failure, r.Proof, r.AwaitsItem, r.Notes
	res.Shown = a.witnesses(p)
	if p.Identity == verdict.IdentitySure {
		a.portal.usual.note(a.portal.kindOf(a.address), p.fieldsShown())
	}
	res.Kind, res.Looks = a.portal.kindOf(a.address), a.looks(p, res.Fields)
	if p.Met > 0 {
		a.portal.NoteItemMet(res.Kind)
	}
}

// open navigates to the order and judges the answer's status.
func (a *attempt) open(ctx context.Context) error {
	a.unframed = nil
	if err := a.portal.wait(ctx, a.address.String()); err != nil {
		return err
	}
	if !a.ahead {
		if err := a.browser.RealTime(ctx); err != nil {
			return err
		}
	}
	if err := a.browser.Allow(ctx, a.navigable); err != nil {
		return err
	}
	res, err := a.navigate(ctx, a.address.String(), "")
	if err != nil {
		return err
	}
	tasks.Active(ctx)
	if res.Download {
		return tasks.Permanent(tasks.OutcomeFailed, tasks.ClassPage, "the address leads to a document, not to an order's page; check the URL of the row: %s", browser.Redact(a.address.String()))
	}
	if a.portal.recipe.Login != nil {
		a.portal.addOrigin(originOf(a.address))
	}
	if err = a.arrived(res); err != nil && mayLeadOn(res.Status) {
		return a.ledOn(ctx, err)
	}
	return err
}

// mayLeadOn reports whether a page of this status may be a check that every browser passes by itself.
func mayLeadOn(status int) bool {
	return status == http.StatusForbidden || status == http.StatusMethodNotAllowed
}

// ledOn waits while the page that was opened leads on to another by itself, and returns why none of them is the
// order's, or nil once one may be. Failure is why the first one is not.
func (a *attempt) ledOn(ctx context.Context, failure error) error {
	for began := time.Now(); time.Since(began) < reloadPatience; {
		words := a.onTheWay()
		words.ReloadMS = max(0, reloadPatience-time.Since(began)).Milliseconds()
		_, err := a.settled(ctx, words)
		switch {
		case err == nil:
			return failure
		case !errors.Is(err, browser.ErrNavigated) || ctx.Err() != nil:
			return err
		}
		doc := a.browser.Tab().Document()
		if doc == nil {
			return failure
		}
		if failure = a.arrived(doc); failure == nil || !mayLeadOn(doc.Status) {
			return failure
		}
	}
	return failure
}

// navigate has the tab show an address, a fresh one if the tab's page cannot be left.
func (a *attempt) navigate(ctx context.Context, address, referrer string) (*browser.Response, error) {
	show := func() (*browser.Response, error) {
		tab := a.browser.Tab()
		a.stale = tab.Kept() || a.stale
		if err := tab.Uncached(ctx, a.recipe().prints() || a.portal.keeps.Load()); err != nil {
			return nil, err
		}
		return tab.Navigate(ctx, address, referrer)
	}
	res, err := show()
	if errors.Is(err, browser.ErrNotLeft) { // which is not this order's fault
		if err = a.browser.Replace(ctx); err == nil {
			res, err = show()
		}
	}
	if kept := (*browser.StoppedError)(nil); errors.As(err, &kept) {
		return nil, a.stopped(kept.URL)
	}
	return res, err
}

// arrived notes where the tab has got to, and judges that.
func (a *attempt) arrived(res *browser.Response) error {
	a.page, a.status = res.URL, res.Status
	if err := a.checkHost(res.URL); err != nil {
		return err
	}
	return a.checkStatus(res, a.address.String())
}

// locate finds the order's address.
func (a *attempt) locate() error {
	address := a.task.URL
	if address == "" {
		return tasks.Permanent(tasks.OutcomeInvalidInput, tasks.ClassInvalidInput, "the order has no address; give its row a url, or use --url or a recipe with open.url")
	}
	u, err := browser.ParseURL(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return tasks.Permanent(tasks.OutcomeInvalidInput, tasks.ClassInvalidInput, "the address cannot be opened; check the URL of the row: %s", browser.Redact(address))
	}
	a.address = u
	a.portal.servers.answered(address, u.Hostname()) // an IP address says itself where it leads
	if err := a.portal.servers.refused(address); err != nil {
		return err
	}
	return a.checkDate()
}

// checkStatus turns an HTTP status that is no order into what it means. asked is the address that led there.
func (a *attempt) checkStatus(res *browser.Response, asked string) error {
	recipe, address := a.portal.recipe, browser.Redact(res.URL)
	switch status := res.Status; {
	case status == http.StatusProxyAuthRequired:
		f := tasks.Retry(tasks.ClassNavigation, "the proxy asks for a user and a password, or refuses those of --proxy: status 407")
		f.Unreached, f.Setting, f.Seen = true, tasks.SettingProxy, "it asks for a user and a password, or refuses those that it got"
		return f
	case res.Header["cf-mitigated"] == "challenge": // Cloudflare's word for it
		return tasks.Retry(tasks.ClassWall, "the portal shows no order until %s; do that in a browser: status %d from %s",
			verdict.Refusal{Kind: verdict.RefusalRobots}.Until(), status, address)
	case slices.Contains(recipe.NotFound.Status, status):
		return tasks.Permanent(tasks.OutcomeNotFound, tasks.ClassNotFound, "the portal has no such order: status %d from %s", status, address)
	case slices.Contains(recipe.AccessDenied.Status, status):
		return tasks.Permanent(tasks.OutcomeAccessDenied, tasks.ClassAccessDenied, "the portal refuses to show the order: status %d from %s", status, address)
	case status == http.StatusUnauthorized, recipe.Login != nil && slices.Contains(recipe.Login.Expired.Status, status):
		return verdict.SignedOut("the portal asks for a sign-in: status %d from %s%s", status, address, recipe.asked(res))
	case slices.Contains(recipe.Throttled.Status, status):
		f := tasks.Retry(tasks.ClassThrottled, "the portal asks to wait: status %d from %s", status, address)
		a.heed(f, status, res.Header["retry-after"], res.URL, asked)
		return f
	case status >= 400:
		f := tasks.Retry(tasks.ClassHTTPStatus, "status %d from %s", status, address)
		a.heed(f, status, res.Header["retry-after"], res.URL, asked)
		if status < 500 && status != http.StatusRequestTimeout {
			f.Advice, f.Retryable = tasks.AdvicePermanent, false
		}
		return f
	}
	return nil
}

// retryAfter reads the header of that name: seconds, or a date (RFC 9110, 10.2.3), which some write as Unix time.
func retryAfter(value string, now time.Time) time.Duration {
	const unix = 900_000_000 // 28 years, as seconds
	if seconds, err := strconv.Atoi(value); err == nil && seconds >= unix {
		return max(0, time.Unix(int64(seconds), 0).Sub(now))
	} else if err == nil && seconds >= 0 {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil && at.After(now) {
		return at.Sub(now)
	}
	return 0
}

// failure turns any error of an attempt into one that says what should happen next.
func (a *attempt) failure(ctx context.Context, err error) *tasks.Failure {
	f := &tasks.Failure{}
	var nav *browser.NavigationError
	var script *browser.ScriptError
	switch {
	case isDisk(err):
		f = tasks.Retry(tasks.ClassStorage, "%w", err)
		f.Facts.Disk = err
	case errors.As(err, new(*UnsaidError)):
		f = tasks.Permanent("", tasks.ClassNotClicked, "%w", err)
	case errors.As(err, &f):
	case errors.Is(err, browser.ErrLost):
		f = tasks.Release(tasks.ClassBrowserLost, "the browser was lost while the order was worked on: %w", err)
	case errors.Is(err, browser.ErrPageCrashed):
		f = tasks.Retry(tasks.ClassRendererCrash, "the page was lost: %w", err)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		f = tasks.Retry(tasks.ClassTimeout, "the order timed out in phase %s%s%s", a.phase, a.awaited(), a.liveliness(ctx))
		f.Outcome = tasks.OutcomeTimeout
	case ctx.Err() != nil:
		f = tasks.Release(tasks.ClassReleased, "the order was given back: %w", context.Cause(ctx))
	case errors.As(err, &nav) && nav.Certificate() != "":
		f = tasks.Permanent(tasks.OutcomeFailed, tasks.ClassCertificate, "%w; %s", err, nav.Certificate())
		f.Setting, f.Seen = tasks.SettingCertificate, nav.Certificate()
	case errors.As(err, &nav):
		f = tasks.Retry(tasks.ClassNavigation, "%w", err)
		f.Unreached, f.Seen = nav.Unreachable(), nav.Reason()
		switch {
		case nav.ProxyFailed():
			f.Setting = tasks.SettingProxy
		case nav.NameUnknown():
			f.Setting = tasks.SettingName
		}
	case errors.As(err, new(*browser.KeyError)):
		f = tasks.Permanent("", tasks.ClassStep, "%w", err)
	case errors.As(err, new(*StepError)):
		f = tasks.Retry(tasks.ClassStep, "%w", err)
	case errors.As(err, &script), errors.Is(err, browser.ErrNavigated), pageLost(err):
		f = tasks.Retry(tasks.ClassPage, "the page could not be read: %w", err)
	case errors.Is(err, os.ErrPermission), errors.Is(err, os.ErrNotExist):
		f = tasks.Retry(tasks.ClassStorage, "%w", err)
	default:
		f = tasks.Retry(tasks.ClassInternal, "%w", err)
	}
	if f.Phase == "" {
		f.Phase = a.phase
	}
	f.Bystander = !a.alone()
	return f
}

// values are what the placeholders of the order's folder stand for; {po} is a
// name that no other order has.
func (a *attempt) values() template.Values {
	values := a.orderValues()
	values.PO = a.task.Dir
	return values
}

// orderValues are what the placeholders of the recipe's templates stand for.
func (a *attempt) orderValues() template.Values {
	po, digits := a.task.AsWritten()
	return template.Values{PO: po, Digits: digits, Column: func(name string) (string, bool) {
		i, ok := template.FindColumn(a.portal.columns, name)
		if !ok || len(a.task.Rows) == 0 || i >= len(a.task.Rows[0].Cells) {
			return "", ok
		}
		return a.task.Rows[0].Cells[i], true
	}}
}

// staging is where the attempt's documents are, until they are published.
func (a *attempt) staging() string {
	return filepath.Join(a.places.Staging, fmt.Sprintf("%s-%d-%d", a.task.ID, a.task.Attempts, len(a.task.History)))
}
