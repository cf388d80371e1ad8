package scrape

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

//go:embed page/sights.js
var sightsSource string

// Probed is what the recipe meets on one order's page.
type Probed struct {
	// Result is what an attempt at the order would come to if each document that it asks for
	// came: those are done, and have neither bytes nor a path. It is nil where the page was
	// refused or could not be read, and Failure says why.
	Result  *tasks.Result
	Failure *tasks.Failure
	// Fields and Looks are what was read, also of a page that was refused.
	Fields map[string]tasks.Field
	Looks  []tasks.Look
	// Address is the page's.
	Address string
	// View is the page as it was then, or nil where there was none.
	View *View
	// Description is what else the page shows, if that was wanted and could be had.
	Description *Description
}

// View is where on a page the elements stand that selectors meet.
type View struct {
	Sights []Sight `json:"sights"`
	// Width and Height of the page in CSS pixels.
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	// Picture is a PNG of the page from its top left corner, one pixel for each of CSS; or nil,
	// and NoPicture says why.
	Picture   []byte `json:"-"`
	NoPicture string `json:"-"`
}

// Sight is what one selector meets.
type Sight struct {
	// Where is its place in the recipe, as in tasks.Look.
	Where string `json:"where"`
	Met   int    `json:"met"`
	// Elements are the first of them.
	Elements []Element `json:"elements"`
}

// Element is one element of a page, in CSS pixels from the page's top left corner.
type Element struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	// Seen: a person sees it.
	Seen bool   `json:"seen"`
	Text string `json:"text"`
}

// Wanted says what Probe is to bring besides what was read.
type Wanted struct {
	// Width and Height bound the picture; without them there is none.
	Width, Height int
	// Description: it is wanted, too, with these locators besides those that it finds.
	Description bool
	Asked       []Locator
}

// Probe reads an order as Do does where it renders, and looks where on its page the recipe's
// selectors meet something. It visits the order's other pages, and asks for no document. It
// blocks until then, at the latest until ctx ends, and always returns what it has.
func (s *Scraper) Probe(ctx context.Context, task *tasks.ProcessingTask, want Wanted) *Probed {
	a := &attempt{Scraper: s, task: task, phaseMS: map[string]float64{}, executor: tasks.ExecutorRender, posts: posts{}}
	defer a.letGo()
	a.forgetHeaders()
	probed := &Probed{Address: task.URL}
	err := a.probe(ctx, want, probed)
	if refused := a.portal.servers.refused(task.URL); refused != nil {
		*probed, err = Probed{Address: task.URL}, refused
	}
	if a.owns() {
		defer s.browser.TidyUp(ctx)
	}
	if err != nil {
		probed.Result, probed.Failure = nil, a.failure(ctx, err)
	}
	a.veil().probed(probed)
	return probed
}

func (a *attempt) probe(ctx context.Context, want Wanted, probed *Probed) error {
	a.enter(tasks.PhaseOpen)
	if err := a.locate(); err != nil {
		return err
	}
	page, err := a.rendered(ctx)
	a.concealShown(ctx)
	if page == nil && a.owns() && a.browser.Tab().Document() != nil {
		probed.View = a.view(ctx, want)
	}
	if err != nil {
		return err
	}
	probed.Address = browser.Redact(page.URL)
	probed.Fields = a.fields(page)
	probed.Looks = a.looks(page, probed.Fields)
	probed.View = a.view(ctx, want)
	if want.Description {
		if probed.Description = a.described(ctx, want.Asked); probed.Description == nil {
			if err := a.browser.Replace(ctx); err != nil { // the page was given up
				return err
			}
		}
	}
	if err := a.admitted(ctx, page); err != nil {
		return err
	}
	if err := a.printPage(ctx, page); err != nil {
		return err
	}
	if err := a.visitFrames(ctx, page); err != nil {
		return err
	}
	a.conceal(page)
	probed.Fields = a.veil().fields(a.fields(page)) // before they are judged, as in gather
	res := &tasks.Result{Executor: a.executor, URL: browser.Redact(page.URL), Lines: page.Lines, Fields: probed.Fields}
	if err := a.visitRelated(ctx, page); err != nil {
		return err
	}
	a.list(page, res)
	if err := a.stillSignedIn(ctx, res); err != nil {
		return err
	}
	a.rule(page, res)
	probed.Looks, probed.Result = res.Looks, res
	return nil
}

// list puts into the result the documents that would be asked for, as if they had come, and
// those of which it is known that they will not be.
func (a *attempt) list(p *page, res *tasks.Result) {
	items, _ := a.listed(p)
	for i, it := range items {
		doc := document{item: it, Attachment: tasks.Attachment{Name: it.Name, Source: browser.Redact(it.Source), URL: it.shown()}}
		switch {
		case it.by.unwanted(&doc, i, len(items)):
		case it.Printed != nil && it.Printed.unfit != nil:
			doc.fail(it.Printed.unfit)
		case it.URL != "" && !isData(it.URL) && !it.by.allowed(it.URL):
			doc.skip(tasks.ClassHost, "%s is on a host that the recipe's allowed_hosts do not name", browser.Redact(it.URL))
		default:
			doc.State = tasks.AttachmentDone
		}
		res.Attachments = append(res.Attachments, doc.Attachment)
	}
}

// described says what the page shows to whom knows no recipe, or returns nil.
func (a *attempt) described(ctx context.Context, asked []Locator) *Description {
	ctx, cancel := aQuarter(ctx)
	defer cancel()
	d := &Description{URL: a.page, Status: a.status}
	if a.look(ctx, d, asked) != nil {
		return nil
	}
	return d
}

// view looks at the page that the tab shows. What cannot be had is left out.
func (a *attempt) view(ctx context.Context, want Wanted) *View {
	ctx, cancel := aQuarter(ctx)
	defer cancel()
	tab, view := a.browser.Tab(), &View{}
	err := tab.Inspect(ctx, described(a.words(), fmt.Sprintf("%s(page, %v)", asExpression(sightsSource), a.recipe().Auto)), view)
	if err != nil {
		view.NoPicture = "the page could not be looked at: " + err.Error()
	}
	if want.Width > 0 && err == nil {
		view.Picture, view.NoPicture = a.wholePage(ctx, want)
	}
	return view
}

// wholePage takes a picture of the page, unless a password could be seen in it.
func (a *attempt) wholePage(ctx context.Context, want Wanted) (picture []byte, why string) {
	tab := a.browser.Tab()
	stop := tab.KeepPace(ctx)
	defer stop()
	_, picture, err := a.pictured(ctx, func(ctx context.Context) ([]byte, error) { return tab.PagePicture(ctx, want.Width, want.Height) })
	if err != nil {
		return nil, err.Error()
	}
	return picture, ""
}

// Field returns what a field of the recipe is read by, or false where it has none of the name.
func (r *Recipe) Field(name string) (FieldRule, bool) {
	i := slices.IndexFunc(r.Fields, func(f FieldRule) bool { return f.Name == name })
	if i < 0 {
		return FieldRule{}, false
	}
	return r.Fields[i], true
}

// isData reports whether an address holds what it leads to.
func isData(address string) bool { return strings.HasPrefix(address, "data:") }
