package scrape

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/scrape/verdict"
	"github.com/poscrape/poscrape/tasks"
)

//go:embed page/describe.js
var describeSource string

// LocatorKind says by what a locator finds something. The kinds are independent of each other:
// what changes one need not change the others.
type LocatorKind string

// The kinds of locators.
const (
	ByLabel LocatorKind = "label" // what people read beside it
	ByID    LocatorKind = "id"
	ByAttr  LocatorKind = "attr"  // another attribute, such as a name
	ByClass LocatorKind = "class" // of it, or of what is around it
	ByPath  LocatorKind = "path"  // its place in the page's structure
	ByWords LocatorKind = "words" // the words that it stands among
	ByHref  LocatorKind = "href"  // a part of the address that it leads to
	ByData  LocatorKind = "data"  // its path in the data that the page has received
)

// Locator is a way to find something on a page, in a recipe's words: Label or Selector; or in the data
// that it has received: Answer, which are the addresses of that, and Path.
type Locator struct {
	Kind  LocatorKind `json:"kind"`
	Label string      `json:"label,omitempty"`
	// Under is the heading that Label stands under, or empty for any.
	Under    string `json:"under,omitempty"`
	Selector string `json:"selector,omitempty"`
	// Attr is the attribute to read of what Selector meets, or empty for its text.
	Attr string `json:"attr,omitempty"`
	// Frame is the selector of the frame to look in, or empty for the page and all frames.
	Frame  string `json:"frame,omitempty"`
	Answer string `json:"-"`
	Path   string `json:"-"`
}

// Find is what a locator finds on a page.
type Find struct {
	Locator
	// Met is how many elements it meets: visible ones, or hidden ones where none is visible (Seen is
	// false then). Differ: their texts do, and there is no Value.
	Met    int    `json:"met"`
	Differ bool   `json:"differ"`
	Seen   bool   `json:"seen"`
	Value  string `json:"value"`
	// Lines is the value with its lines, where it has several.
	Lines string `json:"lines"`
	// Values are the texts where they differ.
	Values []string `json:"values"`
	// At numbers the first of these elements: two locators with one At find the same.
	At int `json:"at"`
	// Within is one more than At of what holds that element and more, or 0 where that is not known.
	Within int `json:"within"`
	// Shows: the value shows the order's number.
	Shows bool `json:"shows"`
	// None: the value says that there are no documents.
	None bool `json:"none"`
}

// Control is something on a page that can be clicked.
type Control struct {
	Text string `json:"text"`
	// Href is the address of a link, or empty.
	Href string `json:"href"`
	Seen bool   `json:"seen"`
	// Outside: it stands in the page's header, menu or footer.
	Outside bool `json:"outside"`
	// Listed: the built-in recipe takes it for a document, called Name.
	Listed bool   `json:"listed"`
	Name   string `json:"name"`
	// Refused is the label of what must not be clicked, or empty.
	Refused string `json:"refused"`
	// Beside is the one file that the row of what is not listed names, or empty.
	Beside string `json:"beside"`
	// Closed: it opens a part of the page.
	Closed bool `json:"closed"`
	// Delivers says what a listed link leads to.
	Delivers Delivery `json:"-"`
}

// Group is a selector that meets nothing but controls, by their places in Description.Controls.
type Group struct {
	Locator
	Of []int `json:"of"`
}

// Table is a table with a head above at least three columns.
type Table struct {
	Heads []string   `json:"heads"`
	Rows  [][]string `json:"rows"`
	// Found are selectors of exactly its rows, Columns those of the cells within the first.
	Found   []Locator `json:"found"`
	Columns []string  `json:"columns"`
	// Links are the controls in it, by their places in Description.Controls.
	Links []int `json:"links"`
}

// Answer is data that the page has received, by the address that it asked for.
type Answer struct {
	URL   string
	Value any
}

// Description is what an order's page shows, and by what it is found.
type Description struct {
	URL   string `json:"-"`
	Finds []Find `json:"finds"`
	// Around is what is looked at for a value that none of Finds is: texts in which it may stand among
	// others (ByWords), and attributes.
	Around   []Find    `json:"around"`
	Controls []Control `json:"controls"`
	Groups   []Group   `json:"groups"`
	Tables   []Table   `json:"tables"`
	Answers  []Answer  `json:"-"`
	// Language is the one that the browser names to scripts, "en-US".
	Language string `json:"language"`
	// Openers are the controls that would show documents: a tab, say, that nobody has opened. Opened is the one
	// that was used, where there was but one; then Controls and Groups are those that it shows since.
	Openers []Opener `json:"openers"`
	Opened  *Opener  `json:"-"`
	// Further are the texts of those controls that would show more of the documents that are listed.
	Further []string `json:"further"`
	// Closed are the texts of all such controls that were not used.
	Closed []string `json:"-"`
	// Unnumbered: nothing on it shows a number in the place for one. Identified: it says that it is about
	// the order, in a way that needs no rule.
	Unnumbered, Identified bool `json:"-"`
	// Refusal is what the page says in place of an order, or empty, and Status the answer's.
	Refusal string `json:"-"`
	Status  int    `json:"-"`
}

// Opener is a control that opens the place of documents.
type Opener struct {
	Text string `json:"text"`
	// Selectors meet nothing else on the page, the steadiest first.
	Selectors []string `json:"selectors"`
}

// Study has browsers that are configured from now on keep the data that pages receive, for
// Describe, and the headers that they send.
func (p *Portal) Study() { p.study = true }

// Describe opens an order's page, waits until it is settled, and says what it shows; and so it
// does of a page that is a refusal, beside the error. asked are locators to look up besides
// those that are found. It blocks until then, at the latest when ctx ends. The portal's recipe is
// to be the built-in one, or one that Recipe.Opening returns, whose secrets are hidden. Its errors are those of Do.
func (s *Scraper) Describe(ctx context.Context, task *tasks.ProcessingTask, asked []Locator) (*Description, error) {
	a := &attempt{Scraper: s, task: task, phaseMS: map[string]float64{}, executor: tasks.ExecutorRender, posts: posts{}}
	defer a.letGo()
	d, err := a.study(ctx, asked)
	if refused := a.portal.servers.refused(task.URL); refused != nil {
		d, err = nil, refused
	}
	a.veil().texts(reflect.ValueOf(d))
	if a.owns() {
		defer s.browser.TidyUp(ctx)
	}
	if err != nil {
		return d, a.failure(ctx, err)
	}
	return d, nil
}

func (a *attempt) study(ctx context.Context, asked []Locator) (*Description, error) {
	a.enter(tasks.PhaseOpen)
	if err := a.locate(); err != nil {
		return nil, err
	}
	page, err := a.rendered(ctx)
	final := &tasks.Failure{}
	answered := errors.As(err, &final) && final.Class == tasks.ClassNotFound // with a status
	if err != nil && !answered {
		return nil, err
	}
	d := &Description{Status: a.status, URL: a.page}
	if page != nil {
		err = a.refused(page)
		d.Unnumbered, d.Identified = page.Identity == verdict.IdentityNothing, page.Identity == verdict.IdentitySure
	}
	if errors.As(err, &final) {
		d.Refusal = final.Message
	}
	if doc := a.browser.Tab().Document(); doc != nil {
		d.Status, d.URL = doc.Status, doc.URL
	}
	if page != nil {
		d.Closed = page.Controls
	}
	if unseen := a.look(ctx, d, asked); unseen != nil {
		if why := clockTrouble(unseen); why != "" && a.ahead {
			if _, err := a.readInRealTime(ctx, why); err != nil {
				return nil, err
			}
			unseen = a.look(ctx, d, asked)
		}
		if unseen != nil {
			return nil, unseen
		}
	}
	if err == nil {
		err = a.openUp(ctx, d)
	}
	if err == nil {
		err = a.deliver(ctx, d)
	}
	return d, err
}

// openUp uses the one control that would show documents, and adds what it shows. What the page lists before
// may be everyone's, such as its terms.
func (a *attempt) openUp(ctx context.Context, d *Description) error {
	if len(d.Openers) != 1 || len(d.Openers[0].Selectors) == 0 {
		return nil
	}
	if clicked, err := a.expandAll(ctx, d.Openers[0].Selectors[:1]); err != nil || !clicked {
		return err
	}
	p, err := a.read(ctx)
	if err != nil {
		return err
	}
	after := &Description{Closed: p.Controls}
	if err := a.look(ctx, after, nil); err != nil {
		return err
	}
	d.Opened, d.Closed = &d.Openers[0], p.Controls
	d.Controls, d.Groups, d.Further = after.Controls, after.Groups, after.Further
	for i := range d.Tables {
		d.Tables[i].Links = nil // they were controls of the page as it was
	}
	return nil
}

// look fills in what the page shows.
func (a *attempt) look(ctx context.Context, d *Description, asked []Locator) error {
	recipe := AutoRecipe()
	recipe.PO = a.portal.recipe.PO
	script := described(readerRule(recipe, a.task.PO, a.task.Digits), fmt.Sprintf("%s(page, %s, %s)", withDOM(asExpression(describeSource)),
		inScript(append([]Locator{}, asked...)), inScript(append([]string{}, d.Closed...))))
	if err := a.browser.Tab().Inspect(ctx, script, d); err != nil {
		return err
	}
	return a.heard(ctx, d)
}

// heard fills in what data the page has received.
func (a *attempt) heard(ctx context.Context, d *Description) error {
	list, _ := a.browser.Tab().Replies()
	for _, r := range list {
		if r.Method != http.MethodGet || !a.allowed(r.URL) || !a.allowed(r.From) || !good(r) || !strings.Contains(r.MIME, "json") {
			continue
		}
		value, why, err := a.content(ctx, r)
		if err != nil {
			return err
		}
		if why == "" {
			d.Answers = append(d.Answers, Answer{URL: browser.Redact(r.URL), Value: value})
		}
	}
	return nil
}
