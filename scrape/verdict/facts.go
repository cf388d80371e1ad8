package verdict

import (
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// Facts are all that is known of an order's page and its documents when it is judged.
type Facts struct {
	// PO is the order's number, Address the page's, for people.
	PO, Address string

	// What the recipe says.

	// Auto: it is the built-in one. Wanted: documents are looked for. Optional: finding
	// none needs no proof.
	Auto, Wanted, Optional bool
	// FieldsAlone: the recipe says that documents are not asked for.
	FieldsAlone bool
	// Unlinked: documents are looked for on other pages alone, and the page links to none.
	Unlinked bool
	// NoneSelector, OwnCount, ReadySelector and IdentitySelector are attachments.none,
	// whether there is an attachments.count, ready.selector and identity.selector.
	NoneSelector, ReadySelector, IdentitySelector string
	OwnCount                                      bool
	// ReadyAt and IdentityAt are the places in the recipe of ReadySelector and IdentitySelector.
	ReadyAt, IdentityAt string
	// ReadyFilled: what ReadySelector meets has to have a value in it.
	ReadyFilled bool
	// Patience is how long the page was waited for.
	Patience time.Duration

	// What is known where the order is one of a list.

	// ListPages is how many pages of a list of orders were looked through for the order's row.
	ListPages int
	// ListApart: the page has a frame that cannot be looked into, and the list may be in that.
	ListApart bool
	// MoreRows quotes what says that the list of orders has more rows.
	MoreRows string
	// InData is the list in data of which the order is an element, or nil.
	InData *InData

	// What the page is.

	// CutShort says why the page's own text ended before all of it was there.
	CutShort string
	Refusal  Refusal
	// SignedOut says by which address the page is one on which people sign in, and SignedOutPart
	// which of its data it did not get because nobody is signed in. Else they are empty.
	SignedOut, SignedOutPart string
	// RetryAfter is for how long the answer asks to wait.
	RetryAfter time.Duration
	Identity   Identity
	// Seen quotes what stands where the order's number should. Doubtful: another number stands there as well.
	Seen     string
	Doubtful bool
	// Wide: identity.selector meets a large part of the page, and Seen quotes numbers in that.
	Wide bool
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
	// Arriving: what keeps changing is the page's own text, of which not all is there yet.
	Arriving bool
	// Unloaded says which part of it could not be loaded.
	Unloaded string
	// Barred says which scripts or data of other hosts it did not get, as its browser's container does not let
	// through to them: like Restless, that takes nothing away from what it lists. BarredData: data is among it, for
	// want of which a page may say that there are none.
	Barred     string
	BarredData bool
	// Unseen says which part of it cannot be looked into.
	Unseen string

	// What it lists.

	// Documents are those that are listed, with what became of them; in what state they
	// are does not matter before they were asked for.
	Documents []tasks.Attachment
	// Met is how many elements the recipe's item met, LeftOut how many of them the recipe
	// leaves out.
	Met, LeftOut int
	// Promised is how many documents the order's row says that there are, or nil.
	Promised *int
	// Declared is set where the page itself declares more documents.
	Declared *Declared
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
	// Unopened says what the recipe says would show documents, and was not clicked.
	Unopened string
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
	// Unlisted are documents of earlier attempts that the page does not list any more.
	Unlisted []string
	// Missing are the names of required fields that are not there.
	Missing []string
}

// Refusal says what a page is that is not the order.
type Refusal struct {
	Kind RefusalKind `json:"kind"`
	// Text quotes the page.
	Text string `json:"text"`
	// Name is that of a wall of the recipe's.
	Name string `json:"name"`
	// Ruled: the recipe tells it so. Weak: it would not be believed of a page that shows the order.
	Ruled bool `json:"ruled"`
	Weak  bool `json:"weak"`
}

// RefusalKind is one of the Refusal constants, or empty where a page is no refusal.
type RefusalKind string

// What a page may be in place of the order.
const (
	RefusalSignIn      RefusalKind = "signIn"
	RefusalNotFound    RefusalKind = "notFound"
	RefusalDenied      RefusalKind = "denied"
	RefusalThrottled   RefusalKind = "throttled"
	RefusalMaintenance RefusalKind = "maintenance"
	RefusalError       RefusalKind = "error"
	RefusalList        RefusalKind = "list"
	// The walls.
	RefusalWall     RefusalKind = "wall" // one of the recipe's
	RefusalTerms    RefusalKind = "newTerms"
	RefusalPassword RefusalKind = "passwordExpired"
	RefusalData     RefusalKind = "dataWanted"
	RefusalFactor   RefusalKind = "secondFactor"
	RefusalApproval RefusalKind = "approval"
	RefusalSurvey   RefusalKind = "survey"
	RefusalRobots   RefusalKind = "humanCheck"
	RefusalLocked   RefusalKind = "locked"
	RefusalChoice   RefusalKind = "choice"
	RefusalConsent  RefusalKind = "consent"
)

// Identity says how a page shows the order's number.
type Identity string

const (
	// IdentitySure: the page says that it is about the order.
	IdentitySure Identity = "sure"
	// IdentityMentioned: the number merely stands somewhere.
	IdentityMentioned Identity = "mentioned"
	// IdentityOther: the page says that it is about another order.
	IdentityOther Identity = "other"
	// IdentitySeveral: more than one row of a list of orders is about it.
	IdentitySeveral Identity = "several"
	// IdentityNothing: nothing stands where a number should.
	IdentityNothing Identity = ""
)

// Declared is a count of documents that the page itself shows.
type Declared struct {
	Count int    `json:"count"`
	Text  string `json:"text"`
}

// InData is what is known of a list in data of which the order is an element.
type InData struct {
	// Count is how many elements there are.
	Count int
	// Why says why the list is not known, and Further why it has more; Differ says more of
	// several elements that show the number. All may be empty.
	Why, Further, Differ string
	// Paged: all its pages were to be read. Single: no other element has the order's number,
	// whatever Further says.
	Paged, Single bool
}
