package scrape

import (
	"cmp"
	"slices"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

// facts is all that is known of an order's page and its documents when it is judged.
type facts struct {
	// PO is the order's number, Address the page's, for people.
	PO, Address string

	// What the recipe says.

	// Auto: it is the built-in one. Wanted: documents are looked for. Optional: finding
	// none needs no proof.
	Auto, Wanted, Optional bool
	// Unlinked: documents are looked for on other pages alone, and the page links to none.
	Unlinked bool
	// NoneSelector, OwnCount, ReadySelector and IdentitySelector are attachments.none,
	// whether there is an attachments.count, ready.selector and identity.selector.
	NoneSelector, ReadySelector, IdentitySelector string
	// ReadyAt is the place in the recipe of ReadySelector.
	ReadyAt  string
	OwnCount bool
	// IdentityAt is the place in the recipe of IdentitySelector. ListPages is how many pages of a
	// list of orders were looked through for the order's row.
	// Wide: identity.selector meets a large part of the page, and Seen quotes numbers in that.
	Wide bool
	// ListApart: the page has a frame that cannot be looked into, and the list may be in that.
	IdentityAt string
	ListPages  int
	ListApart  bool
	// InData is the list in data of which the order is an element, or nil.
	InData *inData
	// MoreRows quotes what says that the list of orders has more rows.
	MoreRows string
	Patience time.Duration

	// What the page is.

	// CutShort says why the page's own text ended before all of it was there.
	CutShort string
	Refusal  refusal
	// SignedOut says by which address the page is one on which people sign in, and SignedOutPart
	// which of its data it did not get because nobody is signed in. Else they are empty.
	SignedOut, SignedOutPart string
	// RetryAfter is for how long the answer asks to wait.
	RetryAfter time.Duration
	Identity   shownAs
	// Seen quotes what stands where the order's number should. Doubtful: another number stands there as well.
	Seen     string
	Doubtful bool
	// Theirs quotes the other order that a part of the page shows in which items stand.
	Theirs string
	// Fetched: the page's text was read without being shown. Unfit says why that cannot
	// stand for the page. Veiled: styles that were not looked at may hide what it says.
	Fetched bool
	Unfit   string
	Veiled  bool

	// What keeps it from being read whole. Each is empty where nothing does.

	// Unready: ready.selector is not there. Busy: ready.gone is.
	Unready, Busy bool
	// Loading quotes by what the page says that it is loading.
	Loading string
	// Unsettled says what keeps changing, and Open what was still open then. Restless says
	// the same where the page only waits for what does not count, such as pictures and other
	// hosts: that takes nothing away from what it lists, but it proves nothing either.
	Unsettled, Open, Restless string
	// Unloaded says which part of it could not be loaded.
	Unloaded string
	// Unseen says which part of it cannot be looked into.
	Unseen string

	// What it lists.

	// Documents are those that are listed, with what became of them; in what state they
	// are does not matter before they were asked for.
	Documents []tasks.Attachment
	// Met is how many elements the recipe's item met, LeftOut how many of them the recipe
	// leaves out.
	Met, LeftOut int
	// Declared is set where the page itself declares more documents.
	Declared *declared
	// Zero quotes by what the page says that there are 0.
	Zero string
	// Controls are the texts of those that would show more, and were not used.
	Controls []string
	// Turns: the recipe says what leads to the next page of documents.
	Turns bool
	// Hollow quotes what the page says where it shows nothing of an order but its number.
	Hollow string
	// Expired quotes by what a dialog says that the session has ended.
	Expired string
	// Strange: it lists none, and its words are in no language that is known.
	Strange bool
	// Unopened says what the recipe says would show documents, and was not clicked.
	Unopened string
	// Unlisted says what the page holds that may be a document, and is not listed.
	Unlisted string
	// Withheld quotes what the page says of documents that it does not list.
	Withheld string
	// Further is how many documents it lists more since those were downloaded.
	Further int
	// Visited: all pages of documents were visited.
	Visited bool
	// None: the page shows attachments.none. NoneVague and LeftOutVague: none, or exclude,
	// meets too much of the page to say anything.
	None, NoneVague, LeftOutVague bool
	// WhereUnmet: attachments.where met nothing in any item, though it asks for a text there,
	// or means all elements of a kind: then it proves nothing.
	WhereUnmet bool
	// Data says why the documents that stand in the portal's data are not known, or not all.
	// Asked: there was a request for them. NoList says that what came has no list of them.
	Data, NoList string
	Asked        bool
	// ItemAt is the place in the recipe of what finds documents.
	ItemAt string
	// ItemKnown: attachments.item has met something on a page of this kind.
	ItemKnown bool
	// Added is how many of the documents other pages of the order list, and Unread what kept
	// such pages from being read.
	Added  int
	Unread []*tasks.Failure
	// Unturned says why not all pages of documents were visited, or is nil.
	Unturned *tasks.Failure
	// Strayed says which answers name another order where this one was asked for.
	Strayed []string
	// Unproven are the prints of which nothing says whose they are.
	Unproven []string
	// Missing are the names of required fields that are not there.
	Missing []string
}

// refusal says what a page is that is not the order.
type refusal struct {
	Kind refusalKind `json:"kind"`
	// Text quotes the page.
	Text string `json:"text"`
	// Name is that of a wall of the recipe's.
	Name string `json:"name"`
	// Ruled: the recipe tells it so. Weak: it would not be believed of a page that shows the order.
	Ruled bool `json:"ruled"`
	Weak  bool `json:"weak"`
}

type refusalKind string

const (
	refusalSignIn      refusalKind = "signIn"
	refusalNotFound    refusalKind = "notFound"
	refusalDenied      refusalKind = "denied"
	refusalThrottled   refusalKind = "throttled"
	refusalMaintenance refusalKind = "maintenance"
	refusalError       refusalKind = "error"
	refusalList        refusalKind = "list"
	// The walls.
	refusalWall     refusalKind = "wall" // one of the recipe's
	refusalTerms    refusalKind = "newTerms"
	refusalPassword refusalKind = "passwordExpired"
	refusalData     refusalKind = "dataWanted"
	refusalFactor   refusalKind = "secondFactor"
	refusalApproval refusalKind = "approval"
	refusalSurvey   refusalKind = "survey"
	refusalRobots   refusalKind = "humanCheck"
	refusalLocked   refusalKind = "locked"
	refusalChoice   refusalKind = "choice"
	refusalConsent  refusalKind = "consent"
)

// shownAs says how a page shows the order's number.
type shownAs string

const (
	// identitySure: the page says that it is about the order.
	identitySure shownAs = "sure"
	// identityMentioned: the number merely stands somewhere.
	identityMentioned shownAs = "mentioned"
	// identityOther: the page says that it is about another order.
	identityOther shownAs = "other"
	// identitySeveral: more than one row of a list of orders is about it.
	identitySeveral shownAs = "several"
	// identityNothing: nothing stands where a number should.
	identityNothing shownAs = ""
)

// declared is a count of documents that the page itself shows.
type declared struct {
	Count int    `json:"count"`
	Text  string `json:"text"`
}

// facts gathers what is known of a page. Its documents are as good as there.
func (a *attempt) facts(p *page, fields map[string]tasks.Field) facts {
	r := a.recipe()
	f := facts{
		PO: a.task.PO, Address: browser.Redact(p.URL),
		Auto: r.Auto, Wanted: r.Auto || r.Attachments != nil && !r.prints(),
		ReadySelector: r.Ready.Selector, ReadyAt: "ready.selector", IdentityAt: "identity.selector", IdentitySelector: r.Identity, Patience: r.Ready.Timeout,
		SignedOut: a.signedOutAt(p.URL), SignedOutPart: a.signedOutPart(),
		CutShort: p.CutShort, Refusal: p.Refusal, Identity: p.Identity, Seen: p.Seen, Doubtful: p.Doubt, Theirs: p.Theirs, Wide: p.Wide, MoreRows: p.MoreRows,
		Fetched: p.Fetched, Unfit: p.Unfit, Veiled: p.Styled && a.portal.Mode() == ModeFetch,
		Unready: p.NotReady == "selector", Busy: p.NotReady == "gone", Loading: p.Loading,
		Open: p.Open, Unloaded: p.unloaded(r.prints()), Unseen: p.unseen(),
		Met: p.Met, LeftOut: p.LeftOut, Declared: p.declared(), Unlisted: p.Unlisted, Withheld: p.Withheld, Zero: p.Zero, Controls: p.Controls, Further: p.Further, Visited: p.Visited,
		None: p.None, NoneVague: p.NoneVague, LeftOutVague: p.LeftOutVague, WhereUnmet: p.WhereUnmet,
		Expired: p.Expired, Strange: r.Auto && strange(p.Said, p.Language),
		Unlinked: r.onlyRelated() && !slices.ContainsFunc(p.Related, func(links []relatedLink) bool { return len(links) > 0 }),
		Data:     p.Data, NoList: p.NoList, Asked: p.Asked, ItemAt: r.itemAt(),
		ItemKnown: a.portal.ItemMet(a.portal.kindOf(a.address)),
		Unopened:  a.unopened,
		Unturned:  cmp.Or(p.Unturned, p.rolled()),
		Missing:   missingFields(r, fields),
	}
	if a.hollow(p, fields) {
		f.Hollow = p.Hollow
	}
	if a.related != nil {
		f.ReadyAt = whereShows
	}
	if r.List != nil {
		a.listFacts(&f, p, r.List)
	}
	if doc := a.browser.Tab().Document(); doc != nil && !p.Fetched {
		f.RetryAfter = retryAfter(doc.Header["retry-after"], time.Now())
	}
	if p.restless() {
		f.Restless = p.Unsettled
	} else {
		f.Unsettled = p.Unsettled
	}
	if r.Attachments != nil {
		f.Optional, f.NoneSelector = r.Attachments.Optional, r.Attachments.None
		f.OwnCount, f.Turns = r.Attachments.Count != "" && r.Attachments.Count != CountOff, r.turns()
	}
	for _, it := range p.Items {
		f.Documents = append(f.Documents, tasks.Attachment{Name: it.Name, State: tasks.AttachmentDone})
	}
	return f
}

// declared returns what the page says of its documents where that is more than it lists, or nil. In a
// language that is not known, a greater number beside them says so; a page that has some known words,
// as in a frame of the portal's around it, is taken for one sooner than where it lists nothing.
func (p *page) declared() *declared {
	if p.Declared == nil && p.Stranger != nil && strangeBy(p.Said, p.Language, 2) {
		return p.Stranger
	}
	return p.Declared
}

// maxRolls is how often a list of documents is scrolled, as in read.js.
const maxRolls = 50

// rolled returns why there may be more documents in a list that is scrolled, or nil.
func (p *page) rolled() *tasks.Failure {
	found := count(p.Met, "document")
	switch p.InParts {
	case "":
		return nil
	case "taken away":
		return tasks.Permanent("", tasks.ClassIncomplete, "a list of documents has only those in the page that are in view, and takes them away again when it is scrolled, so there are more than the %s that were found; the portal's data may have them all (attachments.json)", found)
	case "too long":
		return tasks.Permanent("", tasks.ClassIncomplete, "a list of documents still brought more after it was scrolled %d times, so there may be more than the %s that were found; the portal's data may have them all (attachments.json)", maxRolls, found)
	}
	return tasks.Retry(tasks.ClassIncomplete, "a list of documents brings more when it is scrolled, and the time for that was over before its end (ready.timeout), so there may be more than the %s that were found", found)
}

// restless reports whether a page that did not come to rest only waits for requests that do
// not count: those that do are what it could not load.
func (p *page) restless() bool {
	switch p.Unsettled {
	case "the page is still loading", "requests of the page are under way", partsLoading:
		return p.Parsed && p.Unloaded == ""
	}
	return false
}

// unloaded says which part of the page could not be loaded, by what its requests met or by
// what it says itself.
// printed: the page itself is the document.
func (p *page) unloaded(printed bool) string {
	switch {
	case p.Unloaded != "":
		return p.Unloaded
	case p.Broken != "" && printed:
		return "the page says " + quoted(p.Broken)
	case p.Broken != "":
		return "the page says " + quoted(p.Broken) + " where its documents should be"
	}
	return ""
}

// missingFields returns the names of the required fields that are not there.
func missingFields(r *Recipe, fields map[string]tasks.Field) []string {
	var missing []string
	for _, f := range r.Fields {
		if field, ok := fields[f.Name]; f.Required && (!ok || field.Value == "" || field.Error != "" || field.Ambiguous) {
			name := f.Name
			if f.Path != nil && field.Error != "" {
				name += " (" + field.Error + ")"
			}
			missing = append(missing, name)
		}
	}
	return missing
}

// looks returns what the recipe's selectors met on the page, and whose values could not be
// read.
func (a *attempt) looks(p *page, fields map[string]tasks.Field) []tasks.Look {
	looks := slices.Clone(p.Looks)
	looks = append(looks, a.expanded...)
	if a.searched != nil {
		looks = append(looks, *a.searched)
	}
	if a.unframed != nil {
		looks = append(looks, tasks.Look{Where: whereListFrame, Met: 1})
	}
	for _, v := range append([]visit{{by: a}}, a.visits...) {
		if v.by.thens != nil {
			looks = append(looks, *v.by.thens)
		}
	}
	for i := range looks {
		looks[i].Mark = a.portal.marks[looks[i].Where]
	}
	unreadable := func(where string) {
		if i := slices.IndexFunc(looks, func(l tasks.Look) bool { return l.Where == where && l.Met > 0 }); i >= 0 {
			looks[i].Unreadable = true
		}
	}
	for _, f := range a.portal.recipe.Fields {
		if field, there := fields[f.Name]; !there && f.Match == nil && !f.Secret || field.Error != "" { // it may have no such attribute
			unreadable("fields." + f.Name + ".selector")
			unreadable("fields." + f.Name + ".path")
		}
	}
	if p.Count != nil && p.Count.Unreadable {
		unreadable("attachments.count")
	}
	return looks
}

// hollow reports whether neither the page nor data that belong to it show anything of the order but its
// number.
func (a *attempt) hollow(p *page, fields map[string]tasks.Field) bool {
	docs := a.recipe().Attachments
	if p.Hollow == "" || a.related != nil || len(p.frames) > 0 || docs != nil && docs.Data != nil {
		return false
	}
	for _, f := range a.recipe().Fields {
		if raw := fields[f.Name].Raw; raw != "" && !a.names(raw) {
			return false
		}
	}
	return true
}
