package scrape

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/scrape/verdict"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/witness"
)

// maxReadings is how often a page that navigates by itself while it is read is
// read anew, before that is taken for an error.
const maxReadings = 5

// A page that loads itself again is read after so many times, or so long, as a poll is.
const (
	maxReloads     = 11
	reloadPatience = 10 * time.Second
)

// page is what read.js returns.
type page struct {
	BadSelector string `json:"badSelector"`
	// Again says which of the events has to be waited for before the page is read
	// again, and RealTime why its clock must not run ahead. Else they are empty.
	Again string `json:"again"`
	// X and Y are where the mouse is to move.
	X, Y     float64
	RealTime string `json:"realTime"`
	URL      string `json:"url"`
	// Charset is the page's character set.
	Charset string `json:"charset"`
	// Clock is what the page's clock says, in milliseconds as Date.now does, or 0.
	Clock float64 `json:"clock"`
	// NotReady is "selector" or "gone" for the part of the ready rule that is not met, "loading"
	// where the page says that it is, or "".
	NotReady string `json:"notReady"`
	// Unready: the page does not show ready.selector, which was not waited for.
	Unready bool `json:"unready"`
	// Headed: its headings name other orders, and none this one.
	Headed bool `json:"headed"`
	// Theirs quotes the other order that a part of the page shows in which items stand.
	Theirs string `json:"theirs"`
	// Hollow quotes a page that shows the order's number, and nothing else of an order.
	Hollow string `json:"hollow"`
	// Expired quotes the dialog by which a page without documents says that the session has ended.
	Expired string `json:"expired"`
	// Loading quotes by what the page says that it is loading, and Broken by what it says that
	// documents could not be loaded.
	Loading string `json:"loading"`
	Broken  string `json:"broken"`
	// Unsettled says what keeps changing, and Open and waiting what was still open then.
	Unsettled string `json:"unsettled"`
	Open      string `json:"-"`
	waiting   []browser.Part
	// Lively: something that does not end may change it at any time. Streams: a stream of messages is open,
	// and Streamed: one of these has brought documents. Further is how many it lists more since they were
	// downloaded.
	Lively   bool `json:"lively"`
	Streams  bool `json:"streams"`
	Streamed bool `json:"streamed"`
	// Turned: it listed nothing, and was drawn for some time as it drew itself again and again.
	Turned  bool `json:"turned"`
	Further int  `json:"-"`
	// Parsed: nothing of the page's own text is held back by a script that has not come.
	Parsed bool `json:"parsed"`
	// Unseen says what of the page cannot be looked into, or is empty.
	Unseen string `json:"unseen"`
	// frames are those of other hosts that the recipe allows; framed: nothing else is unseen, and
	// all of them were read.
	frames []apart
	framed bool
	// Opaque: it has frames of its own host, or without an address, that cannot be looked into;
	// closed says which of them has documents, or is nil.
	Opaque bool `json:"opaque"`
	closed *tasks.Failure
	// visited: its frames were read, or found to be none. numbered: these show whose number it is.
	visited, numbered bool
	// CutShort says why the page's own text ended before all of it was there, and Unloaded
	// what else of itself the page could not load. Unfit says why its text cannot stand for
	// it.
	CutShort string `json:"-"`
	Unloaded string `json:"-"`
	// Barred says what it asked other hosts for that its browser's container does not let through to, BarredData
	// whether data is among it.
	Barred     string `json:"-"`
	BarredData bool   `json:"-"`
	Unfit      string `json:"unfit"`

	Identity verdict.Identity `json:"identity"`
	// Seen quotes what stands where the order's number should.
	Seen string `json:"seen"`
	// Apart: it is said to be the number of something else than an order.
	Apart bool `json:"apart"`
	// Doubt: another order's number stands under a label that says as much as that of the order's.
	Doubt bool `json:"doubt"`
	// Named: the order's number stands where the recipe says, under a label or in a heading, whatever else does.
	Named bool `json:"named"`
	// Wide: identity.selector meets a large part of the page, and Seen quotes numbers in that.
	Wide bool `json:"wide"`
	// MoreRows quotes by what a list of orders has further rows, where the recipe does not say what leads to them.
	MoreRows string            `json:"moreRows"`
	Refusal  verdict.Refusal   `json:"refusal"`
	Fields   map[string]string `json:"fields"`
	// Texts are those of the fields that are yet to be matched.
	Texts map[string][]string `json:"texts"`
	// Ambiguous are the fields for which several visible elements with different texts were
	// met, Unfilled those whose texts say that they are still loading.
	Ambiguous []string `json:"ambiguous"`
	// Differ are the texts of fields whose locators find different ones.
	Differ   map[string][]string `json:"differ"`
	Unfilled []string            `json:"unloaded"`
	Lines    []map[string]string `json:"lines"`

	None  bool   `json:"none"`
	Items []item `json:"items"`
	// Met is how many elements the recipe's item met, LeftOut how many of them its exclude
	// leaves out. Declared is what the page says of its documents where that is more, Zero
	// what it says where that is none. Controls would show more and were not used; Promised is how many
	// documents there are by those that say so. Visited: all pages of documents were.
	// NoneVague and LeftOutVague: none, or exclude, meets too much of the page to say
	// anything of its documents.
	Met          int               `json:"met"`
	LeftOut      int               `json:"leftOut"`
	NoneVague    bool              `json:"noneVague"`
	LeftOutVague bool              `json:"leftOutVague"`
	Declared     *verdict.Declared `json:"declared"`
	Zero         string            `json:"zero"`
	// Counted is what the page, or the answer that lists the documents, says of as many as were met, or nil. Beside are
	// whole numbers beside the list in such an answer, by their places.
	Counted *tasks.Counted `json:"counted"`
	Beside  map[string]int `json:"-"`
	Around  uint32         `json:"-"`
	// Sizes are how many entries of lists its requests have asked for at most.
	Sizes []int `json:"sizes"`
	// Shown are the texts that stand alone on the page, and the hashes of its labels.
	Shown struct {
		Texts  []witness.Text `json:"texts"`
		Labels []uint32       `json:"labels"`
	} `json:"shown"`
	// countable is how many values of the order's row could show whose page it is, row are those of them that it shows,
	// and others what it shows of other rows.
	countable   int
	row, others []tasks.Value
	// lists are those of its frames of other hosts, and ownList is its own, or nil where it has none of these.
	lists    []tasks.List
	ownList  *tasks.List
	Controls []string       `json:"controls"`
	Promised map[string]int `json:"promised"`
	// Left quotes by what a page that is to be printed says that it shows a part of a list only.
	Left    string `json:"left"`
	Visited bool   `json:"visited"`
	// Count is what became of the recipe's count, or nil.
	Count *counted `json:"count"`
	// Related are the links that each of the recipe's related has met.
	Related [][]relatedLink `json:"related"`
	// WhereUnmet: the recipe's where met nothing in any item, though it asks for a text; or it
	// means all elements of a kind.
	WhereUnmet bool `json:"-"`
	// What is known where the documents have several pages.
	Turn turning `json:"turn"`
	// Prints tell the documents of one such page from those of another, and Kept is how many
	// elements of the page before are items of this one too.
	Prints []string `json:"prints"`
	Kept   int      `json:"kept"`
	// Told is the greatest number of documents that the page says, Pages how many pages it says
	// they have, and Numbers are the texts of those that were not visited.
	Told    *verdict.Declared `json:"told"`
	Pages   *verdict.Declared `json:"pages"`
	Numbers []string          `json:"numbers"`
	// InParts says why a list that is scrolled may have more documents: it has only those in its page
	// that are in view ("taken away"), or it was not scrolled to its end ("too long", "unfinished").
	InParts string `json:"inParts"`
	// Unturned says why not all pages were visited, or is nil.
	Unturned *tasks.Failure `json:"-"`
	// Looks is what each of the recipe's selectors met.
	Looks []tasks.Look `json:"looks"`
	// Sources are where its scripts and frames come from; Asks: the page's own
	// scripts have asked for more.
	Sources []string `json:"sources"`
	Asks    bool     `json:"asks"`
	// Closed: it shows what is to be clicked before its documents are there, and was not waited for any longer.
	Closed bool `json:"closed"`
	// Scripts are the texts of what the selectors of the rule's scripts have met.
	Scripts map[string][]string `json:"scripts"`
	// Data says why the documents that stand in the portal's data are not known, or not all,
	// and NoList that they have no list there; Asked: there was a request for them. notes are
	// of fields from data.
	Data, NoList string `json:"-"`
	Asked        bool   `json:"-"`
	notes        map[string]dataNote
	// inData is the list in data of which the order is an element, and element the order's own. Either may be nil.
	inData  *verdict.InData
	element *dataset
	// Fetched: it was only parsed. Scripted and Styled: scripts of its own may change it then,
	// and styles may hide a part of it.
	Fetched  bool `json:"-"`
	Scripted bool `json:"scripted"`
	Styled   bool `json:"styled"`
}

// counted is how many elements the recipe's count met, and whether none of them could
// be read as a number.
type counted struct {
	Met        int  `json:"met"`
	Unreadable bool `json:"unreadable"`
}

// item is one document that the page lists.
type item struct {
	// Index in the list that read.js keeps on the page, for clicking.
	Index int    `json:"index"`
	Name  string `json:"name"`
	// URL of a plain link or a data URL; empty for what has to be clicked.
	URL    string `json:"url"`
	Source string `json:"source"`
	// Where are the texts of what the recipe's where met in it, and Pending whether its pending
	// met something. Way is wayNone or waySeveral where its link met nothing, or several that
	// lead to different documents.
	Where   []string `json:"where"`
	Pending bool     `json:"pending"`
	Way     itemWay  `json:"way"`
	// by is the attempt that has read the page it is on. Page is the number of that among the
	// pages of documents; 0 where the recipe knows of one only.
	by   *attempt
	Page int `json:"-"`
	// Refused is the label of what must not be clicked nor followed, and Scheme that of
	// an address that is no document's; or they are empty.
	Refused string `json:"refused"`
	Scheme  string `json:"scheme"`
	// Value is what its address is made of, and Unmade why it cannot be made; or they are empty.
	Value  string `json:"value"`
	Unmade string `json:"-"`
	// Unlinked: it stands in data, and has no address there.
	Unlinked bool `json:"-"`
	// from is the address of the answer that has it, or empty.
	from string
	// Inline: its bytes stand in data, and URL is a data address that has them.
	Inline bool `json:"-"`
	// Printed is set where the document is the page itself. PrintKey is what the address is known by that
	// this came from, where nothing on it says whose it is; or it is empty.
	Printed  *printed `json:"-"`
	PrintKey string   `json:"-"`
}

// read waits until the page is settled and returns what is on it. A page that
// leads on to another while it is read is read again there.
func (a *attempt) read(ctx context.Context) (*page, error) { return a.readClosed(ctx, nil) }

// readClosed is read, and need not wait for documents where the page shows what one of these selectors meets: what
// is to be clicked before they are there.
func (a *attempt) readClosed(ctx context.Context, closed []string) (*page, error) {
	recipe := a.recipe()
	for n, began := 0, time.Now(); n < maxReadings || n < maxReloads && time.Since(began) < reloadPatience; n++ {
		words := a.readerWords(began)
		if words.Attachments != nil {
			words.Attachments.Closed = closed
		}
		p, err := a.settled(ctx, words)
		if err := a.stopped(a.browser.Stopped()); err != nil {
			return nil, err
		}
		if errors.Is(err, browser.ErrNavigated) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if p.BadSelector != "" {
			return nil, a.badSelector(p.BadSelector)
		}
		if err := a.moved(); err != nil {
			return nil, err
		}
		if p.Streams {
			a.portal.streams.note(a.portal.kindOf(a.address), p.Streamed)
		}
		if p.Turned {
			a.portal.turns.note(a.portal.kindOf(a.address), len(p.Items) > 0)
		}
		a.page, a.charset, p.Unloaded = p.URL, p.Charset, a.unloaded(p)
		p.Barred, p.BarredData = a.notLetOut()
		a.sent = a.sent.Then(a.browser.Tab().SentHeaders())
		a.recognise(p)
		a.refuseByData(p)
		if err := a.data(ctx, p); errors.Is(err, browser.ErrNavigated) && ctx.Err() == nil {
			continue
		} else if err != nil {
			return nil, err
		}
		if err := a.relate(ctx, p); err != nil {
			return nil, err
		}
		if p.Unready && p.NotReady == "" && p.Refusal.Kind == "" {
			p.NotReady = "selector" // unless a frame shows it
		}
		p.printData(recipe)
		p.match(recipe)
		a.makeAddresses(p)
		a.makeItems(p)
		p.leaveOut(recipe)
		if recipe.prints() { // nothing was looked for
			p.Looks = slices.DeleteFunc(p.Looks, func(l tasks.Look) bool { return l.Where == whereItem })
		}
		a.received(p)
		return p, a.unwait(ctx, p)
	}
	return nil, fmt.Errorf("%w, %d times in a row", browser.ErrNavigated, maxReadings)
}

// readerWords returns what a page is read by that was first read then.
func (a *attempt) readerWords(began time.Time) rule {
	recipe := a.recipe()
	words := readerRule(recipe, a.task.PO, a.task.Digits)
	if recipe.turns() {
		words.Attachments.Page = a.paging.reading()
	}
	if doc := a.browser.Tab().Document(); doc != nil && a.signedOutAt(doc.URL) != "" {
		words.Ready.Selector, words.Ready.Gone = "", "" // they are of an order's page
	}
	words.ReloadMS = max(0, reloadPatience-time.Since(began)).Milliseconds()
	if doc := a.browser.Tab().Document(); doc != nil {
		words.Refresh = doc.Header["refresh"]
	}
	words.Ready.Apart, words.Values = a.readyApart(), a.portal.values.Any()
	words.TurnMS = a.portal.turns.patience(a.portal.kindOf(a.address)).Milliseconds()
	words.StreamMS = a.portal.streams.patience(a.portal.kindOf(a.address)).Milliseconds()
	return words
}

func (a *attempt) badSelector(selector string) error {
	return tasks.Permanent(tasks.OutcomeFailed, tasks.ClassPage, "the recipe's selector %q is not valid CSS; mend it in %s", selector, a.portal.recipe.File)
}

// moved judges the answer of a page that the first one has led on to.
func (a *attempt) moved() error {
	doc := a.browser.Tab().Document()
	if doc == nil || doc.URL == a.page && doc.Status == a.status {
		return nil
	}
	if err := a.checkHost(doc.URL); err != nil {
		return err
	}
	return a.checkStatus(doc, a.address.String())
}
