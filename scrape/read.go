package scrape

import (
	"context"
	"errors"
	"fmt"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

// maxReadings is how often a page that navigates by itself while it is read is
// read anew, before that is taken for an error.
const maxReadings = 5

// rule is what read.js is told. Its JSON names are those of read.js.
type rule struct {
	Auto   bool   `json:"auto"`
	PO     string `json:"po"`
	Digits string `json:"digits"`
	// Prefixes are those for which bare digits are enough, where they are the order's.
	Prefixes []string  `json:"prefixes"`
	Ready    readyRule `json:"ready"`
	// Ahead: the page's clock runs ahead. Glance: it stands still, so there is nothing to
	// wait for yet. Late: there is no time left to wait.
	Ahead    bool   `json:"ahead"`
	Glance   bool   `json:"glance"`
	Late     bool   `json:"late"`
	Identity string `json:"identity"`
	// IdentityFrame: see Recipe; so it is with each Frame.
	IdentityFrame string          `json:"identityFrame"`
	List          *listRule       `json:"list"`
	Longest       int             `json:"longest"`
	NotFound      markerRule      `json:"notFound"`
	AccessDenied  markerRule      `json:"accessDenied"`
	Throttled     markerRule      `json:"throttled"`
	Expired       expiredRule     `json:"expired"`
	Walls         []wallRule      `json:"walls"`
	Fields        []fieldRule     `json:"fields"`
	Lines         *linesRule      `json:"lines"`
	Attachments   *attachmentRule `json:"attachments"`
	// Related are the selectors of links to the order's other pages.
	Related []string `json:"related"`
	// Scripts are the selectors of the page's own scripts that hold data.
	Scripts []string `json:"scripts"`
}

type listRule struct {
	Row    string `json:"row"`
	Number string `json:"number"`
	Attr   string `json:"attr"`
	Next   string `json:"next"`
}

// readyRule: the JSON names are those of read.js.
type readyRule struct {
	Selector string `json:"selector"`
	Gone     string `json:"gone"`
	Frame    string `json:"frame"`
	// Apart: it is not waited for that the page shows Selector.
	Apart     bool  `json:"apart"`
	QuietMS   int64 `json:"quietMs"`
	TimeoutMS int64 `json:"timeoutMs"`
}

type markerRule struct {
	Selector string   `json:"selector"`
	Text     []string `json:"text"`
}

// expiredRule: Address are regular expressions of the page's whole address. Entry is what is
// filled in first by who signs in, or empty.
type expiredRule struct {
	markerRule
	Address []string `json:"address"`
	Entry   string   `json:"entry"`
}

type wallRule struct {
	markerRule
	Name string `json:"name"`
}

type fieldRule struct {
	Name     string `json:"name"`
	Selector string `json:"selector"`
	Label    string `json:"label"`
	Frame    string `json:"frame"`
	Attr     string `json:"attr"`
	// Also are further selectors of the same.
	Also []string `json:"also"`
	// Match: its texts are yet to be matched.
	Match bool `json:"match"`
}

type linesRule struct {
	Row     string      `json:"row"`
	Frame   string      `json:"frame"`
	Columns []fieldRule `json:"columns"`
}

type attachmentRule struct {
	Item    string   `json:"item"`
	Frame   string   `json:"frame"`
	Link    string   `json:"link"`
	Name    nameRule `json:"name"`
	Where   string   `json:"where"`
	Pending string   `json:"pending"`
	Then    string   `json:"then"`
	None    string   `json:"none"`
	Count   string   `json:"count"`
	Exclude []string `json:"exclude"`
	// Next leads to the next page of documents, and Page is the number of this one.
	Next string `json:"next"`
	Page int    `json:"page"`
}

// nameRule: the JSON names are those of read.js.
type nameRule struct {
	Selector string `json:"selector"`
	Attr     string `json:"attr"`
}

// page is what read.js returns.
type page struct {
	BadSelector string `json:"badSelector"`
	// Again says which of the events has to be waited for before the page is read
	// again, and RealTime why its clock must not run ahead. Else they are empty.
	Again    string `json:"again"`
	RealTime string `json:"realTime"`
	URL      string `json:"url"`
	// Clock is what the page's clock says, in milliseconds as Date.now does, or 0.
	Clock float64 `json:"clock"`
	// NotReady is "selector" or "gone" for the part of the ready rule that is not met, "loading"
	// where the page says that it is, or "".
	NotReady string `json:"notReady"`
	// Unready: the page does not show ready.selector, which was not waited for.
	Unready bool `json:"unready"`
	// Headed: its headings name other orders, and none this one.
	Headed bool `json:"headed"`
	// Expired quotes the dialog by which a page without documents says that the session has ended.
	Expired string `json:"expired"`
	// Said is its text where the built-in recipe finds no document, and Language what it says of
	// that.
	Said     string `json:"said"`
	Language string `json:"language"`
	// Loading quotes by what the page says that it is loading, and Broken by what it says that
	// documents could not be loaded.
	Loading string `json:"loading"`
	Broken  string `json:"broken"`
	// Unsettled says what keeps changing, and Open and waiting what was still open then.
	Unsettled string `json:"unsettled"`
	Open      string `json:"-"`
	waiting   []browser.Part
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
	Unfit    string `json:"unfit"`

	Identity shownAs `json:"identity"`
	// Seen quotes what stands where the order's number should.
	Seen    string            `json:"seen"`
	Refusal refusal           `json:"refusal"`
	Fields  map[string]string `json:"fields"`
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
	// what it says where that is none. Controls would show more and were not used. Visited:
	// all pages of documents were.
	// NoneVague and LeftOutVague: none, or exclude, meets too much of the page to say
	// anything of its documents.
	Met          int       `json:"met"`
	LeftOut      int       `json:"leftOut"`
	NoneVague    bool      `json:"noneVague"`
	LeftOutVague bool      `json:"leftOutVague"`
	Declared     *declared `json:"declared"`
	Zero         string    `json:"zero"`
	Controls     []string  `json:"controls"`
	Visited      bool      `json:"visited"`
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
	Told    int       `json:"told"`
	Pages   *declared `json:"pages"`
	Numbers []string  `json:"numbers"`
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
	// Scripts are the texts of what the selectors of the rule's scripts have met.
	Scripts map[string][]string `json:"scripts"`
	// Data says why the documents that stand in the portal's data are not known, or not all,
	// and NoList that they have no list there; Asked: there was a request for them. notes are
	// of fields from data.
	Data, NoList string `json:"-"`
	Asked        bool   `json:"-"`
	notes        map[string]dataNote
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
	// Unlinked: it stands in data, and has no address there.
	Unlinked bool `json:"-"`
}

// meetsNothing is a selector.
const meetsNothing = ":not(*)"

// defaultPrefixes are those of order numbers where the recipe has no po.prefixes.
var defaultPrefixes = []string{"PO"}

// wallRules returns the recipe's walls in the words of read.js and signin.js.
func wallRules(r *Recipe) []wallRule {
	rules := []wallRule{}
	for _, w := range r.Walls {
		rules = append(rules, wallRule{markerRule{w.Selector, w.Text}, w.Name})
	}
	return rules
}

// readerRule returns the recipe in read.js's words, for one order.
func readerRule(r *Recipe, po, digits string) rule {
	out := rule{Longest: longestValue, Auto: r.Auto, PO: po, Digits: digits, Identity: r.Identity, IdentityFrame: r.IdentityFrame, Prefixes: r.PO.Prefixes,
		Ready: readyRule{Selector: r.Ready.Selector, Gone: r.Ready.Gone, Frame: r.Ready.Frame,
			QuietMS: r.Ready.Quiet.Milliseconds(), TimeoutMS: r.Ready.Timeout.Milliseconds()},
		NotFound:     markerRule{r.NotFound.Selector, r.NotFound.Text},
		AccessDenied: markerRule{r.AccessDenied.Selector, r.AccessDenied.Text},
		Throttled:    markerRule{r.Throttled.Selector, r.Throttled.Text},
		Fields:       []fieldRule{}, Related: []string{}, Walls: wallRules(r), Expired: expiredRule{Address: []string{}}}
	out.Scripts = r.dataScripts()
	for _, related := range r.Related {
		out.Related = append(out.Related, related.Link)
	}
	if r.Login != nil {
		out.Expired = expiredRule{markerRule{r.Login.Expired.Selector, r.Login.Expired.Text}, r.Login.Expired.pagePatterns(), r.Login.entry()}
	}
	if len(out.Prefixes) == 0 {
		out.Prefixes = defaultPrefixes
	}
	for _, f := range r.Fields {
		if f.Path != nil {
			continue
		}
		out.Fields = append(out.Fields, fieldRule{f.Name, f.Selector, f.Label, f.Frame, f.Attr, append([]string{}, f.Also...), f.Match != nil})
	}
	if r.List != nil {
		out.List = &listRule{r.List.Row, r.List.Number, r.List.NumberAttr, r.List.Next}
	}
	if r.Lines != nil {
		out.Lines = &linesRule{Row: r.Lines.Row, Frame: r.Lines.Frame}
		for _, c := range r.Lines.Columns {
			out.Lines.Columns = append(out.Lines.Columns, fieldRule{Name: c.Name, Selector: c.Selector})
		}
	}
	if r.Attachments != nil {
		out.Attachments = r.Attachments.forReader()
	}
	return out
}

// read waits until the page is settled and returns what is on it. A page that
// leads on to another while it is read is read again there.
func (a *attempt) read(ctx context.Context) (*page, error) {
	recipe := a.recipe()
	for range maxReadings {
		words := readerRule(recipe, a.task.PO, a.task.Digits)
		if recipe.turns() {
			words.Attachments.Page = a.paging.reading()
		}
		if doc := a.browser.Tab().Document(); doc != nil && a.signedOutAt(doc.URL) != "" {
			words.Ready.Selector, words.Ready.Gone = "", "" // they are of an order's page
		}
		words.Ready.Apart = a.readyApart()
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
		a.page, p.Unloaded = p.URL, a.unloaded(p)
		if err := a.data(ctx, p); err != nil {
			return nil, err
		}
		if p.Unready && p.NotReady == "" && p.Refusal.Kind == "" {
			p.NotReady = "selector" // unless a frame shows it
		}
		p.printData(recipe)
		p.match(recipe)
		p.leaveOut(recipe)
		a.received(p)
		return p, a.unwait(ctx, p)
	}
	return nil, fmt.Errorf("%w, %d times in a row", browser.ErrNavigated, maxReadings)
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
	return a.checkStatus(doc)
}
