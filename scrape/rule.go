package scrape

import (
	"strings"

	"github.com/poscrape/poscrape/internal/jsregexp"
)

// rule is what read.js is told. Its JSON names are those of read.js.
type rule struct {
	Auto   bool   `json:"auto"`
	PO     string `json:"po"`
	Digits string `json:"digits"`
	// Prefixes are those for which bare digits are enough, where they are the order's.
	Prefixes []string  `json:"prefixes"`
	Ready    readyRule `json:"ready"`
	// StreamMS is how long the first message of a stream may take that brings documents.
	StreamMS int64 `json:"streamMs"`
	// ReloadMS is how long a page that loads itself again is waited for, and Refresh its Refresh header.
	ReloadMS int64  `json:"reloadMs"`
	Refresh  string `json:"refresh"`
	// TurnMS is how long a page that lists nothing may draw itself again and again.
	TurnMS int64 `json:"turnMs"`
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
	// Acts: what fields hold may be what was typed there to get to the order.
	Acts bool `json:"acts"`
	// Values: the sheet has values that may tell whose a page is.
	Values bool `json:"values"`
	// Related are the selectors of links to the order's other pages.
	Related []string `json:"related"`
	// Scripts are the selectors of the page's own scripts that hold data.
	Scripts []string `json:"scripts"`
}

type listRule struct {
	Row    string `json:"row"`
	Number string `json:"number"`
	Attr   string `json:"attr"`
	Match  string `json:"match"`
	Next   string `json:"next"`
	Frame  string `json:"frame"`
	// Dated are what the order's row may show, in lower case, where numbers are dates; or nil.
	Dated []string `json:"dated"`
	// Data: the orders are elements of data, and no rows.
	Data bool `json:"data"`
}

// readyRule: the JSON names are those of read.js.
type readyRule struct {
	Selector string `json:"selector"`
	Gone     string `json:"gone"`
	Frame    string `json:"frame"`
	// Apart: it is not waited for that the page shows Selector. Told: what that meets has to say something.
	Apart     bool  `json:"apart"`
	Told      bool  `json:"told"`
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
	Under    string `json:"under"`
	Frame    string `json:"frame"`
	Attr     string `json:"attr"`
	// Also are further selectors of the same.
	Also []alsoRule `json:"also"`
	// Match: its texts are yet to be matched. Lined: with their lines.
	Match bool `json:"match"`
	Lined bool `json:"lined"`
	// Exact: it is an amount or a date, so that what is drawn beside its digits counts.
	Exact bool `json:"exact"`
}

// alsoRule: the JSON names are those of read.js.
type alsoRule struct {
	Selector string `json:"selector"`
	Part     string `json:"part"`
}

type linesRule struct {
	Row     string      `json:"row"`
	Frame   string      `json:"frame"`
	Columns []fieldRule `json:"columns"`
}

type attachmentRule struct {
	Item  string   `json:"item"`
	Frame string   `json:"frame"`
	Link  string   `json:"link"`
	Name  nameRule `json:"name"`
	// Made is nil where an address is shown.
	Made    *madeRule `json:"made"`
	Where   string    `json:"where"`
	Pending string    `json:"pending"`
	Then    string    `json:"then"`
	// Opens: each item opens a page, which is the document.
	Opens bool `json:"opens"`
	// Whole: the page itself is the document, and all of it the place of documents.
	Whole   bool   `json:"whole"`
	None    string `json:"none"`
	Count   string `json:"count"`
	Exclude []Pick `json:"exclude"`
	// Closed is what shows documents when it is clicked, until that has been done: a page that has one need
	// not list any.
	Closed []string `json:"closed"`
	// Next leads to the next page of documents, or is nil, and Page is the number of this one.
	Next *Pick `json:"next"`
	Page int   `json:"page"`
}

// madeRule says what the address of a document is made of: Attr is as in LinkRule.
type madeRule struct {
	Attr string `json:"attr"`
}

// nameRule: the JSON names are those of read.js.
type nameRule struct {
	Selector string `json:"selector"`
	Attr     string `json:"attr"`
	Match    string `json:"match"`
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

// words returns what the tab's page is read by, in read.js's words.
func (a *attempt) words() rule { return readerRule(a.recipe(), a.task.PO, a.task.Digits) }

// call returns the script that calls a function of the page's library.
func call(function string, args ...any) string {
	texts := make([]string, len(args))
	for i, arg := range args {
		texts[i] = inScript(arg)
	}
	return "poscrape." + function + "(" + strings.Join(texts, ", ") + ")"
}

// described returns the script whose value is what an expression makes of a page that is read by a rule.
func described(words rule, expression string) string {
	return "poscrape.described(" + inScript(words) + ", (page) => " + expression + ")"
}

// readerRule returns the recipe in read.js's words, for one order.
func readerRule(r *Recipe, po, digits string) rule {
	out := rule{Longest: longestValue, Auto: r.Auto, PO: po, Digits: digits, Identity: r.Identity, IdentityFrame: r.IdentityFrame, Prefixes: r.PO.Prefixes,
		Ready: readyRule{Selector: r.Ready.Selector, Gone: r.Ready.Gone, Frame: r.Ready.Frame, Told: r.prints() && r.Attachments.Shows != "",
			QuietMS: r.Ready.Quiet.Milliseconds(), TimeoutMS: r.Ready.Timeout.Milliseconds()},
		NotFound:     markerRule{r.NotFound.Selector, r.NotFound.Text},
		AccessDenied: markerRule{r.AccessDenied.Selector, r.AccessDenied.Text},
		Throttled:    markerRule{r.Throttled.Selector, r.Throttled.Text},
		Fields:       []fieldRule{}, Related: []string{}, Walls: wallRules(r), Expired: expiredRule{Address: []string{}}}
	out.Scripts, out.Acts = r.dataScripts(), r.Open.Search != nil || len(r.Open.Steps) > 0
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
		out.Fields = append(out.Fields, fieldRule{f.Name, f.Selector, f.Label, f.Under, f.Frame, f.Attr, f.alsoForReader(), f.Match != nil, f.lined(), f.Type == FieldAmount || f.Type == FieldDate})
	}
	if r.List != nil {
		out.List = &listRule{r.List.Row, r.List.Number, r.List.NumberAttr, jsregexp.Of(r.List.NumberMatch), r.List.Next, r.List.Frame, r.datedList(po), r.List.Data != nil}
		if out.List.Data {
			out.List.Row, out.List.Number = meetsNothing, meetsNothing
		}
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
