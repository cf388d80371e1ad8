package portal

import (
	"slices"
	"time"
)

// The oddities: what pages, lists and documents of single portals do. They are in no demo and
// not among Variations. Each comment says what is served, and how the order should end with
// testdata/recipes/odd.yaml.
const (
	// Comments: the page says that there are no documents, and a script mounts comments that
	// have two, as links to new tabs. Ends complete.
	Comments Variation = "comments"
	// Collapsed: a script mounts the comments when a button is clicked. Ends complete, and partial
	// with the built-in recipe.
	Collapsed Variation = "collapsed"
	// ClosedTab: the documents stand in a tab that is closed. Ends complete.
	ClosedTab Variation = "closed_tab"
	// Frame: the documents stand in a frame. Ends complete. ForeignFrame: in one of another host,
	// NestedFrames: in a frame within a frame of another host. Both end complete where a recipe
	// allows that host, and partial with the built-in one, as nothing proves that there are none.
	Frame        Variation = "frame"
	ForeignFrame Variation = "foreign_frame"
	NestedFrames Variation = "nested_frames"
	// ShadowRoot: the documents stand in an open shadow root. Ends complete.
	ShadowRoot Variation = "shadow_root"
	// WindowOpen: buttons open documents in windows. Ends complete.
	WindowOpen Variation = "window_open"
	// Rerendered: the list is made anew after each click. Ends complete.
	Rerendered Variation = "rerendered"
	// PromptOnLoad, AlertOnClick, ConfirmOnClick and BeforeUnload: the page asks something when
	// it has loaded, when a document is clicked, or when it is left. All end complete.
	PromptOnLoad   Variation = "prompt_on_load"
	AlertOnClick   Variation = "alert_on_click"
	ConfirmOnClick Variation = "confirm_on_click"
	BeforeUnload   Variation = "before_unload"
	// NeverBegins: of two buttons, one begins no download. Ends partial.
	NeverBegins Variation = "never_begins"
	// Form: the document is sent where a form with a token is submitted. Ends complete.
	Form Variation = "form"
	// OneTime: the document's address works once, ShortLived: for some seconds. Both end
	// complete.
	OneTime    Variation = "one_time"
	ShortLived Variation = "short_lived"
	// Archive: the only document is a ZIP, AllInOne: a ZIP of all is offered beside each of
	// them. Both end complete, AllInOne without the ZIP.
	Archive  Variation = "archive"
	AllInOne Variation = "all_in_one"
	// Compressed: the document comes with gzip, Chunked: without its length, CutOnce: not to
	// its end, the first time. All end complete, CutOnce at the second attempt unless the reader asks again by itself.
	Compressed Variation = "compressed"
	Chunked    Variation = "chunked"
	CutOnce    Variation = "cut_once"
	// OverLimit: one document is larger than the recipe allows, beside a good one. Skipped by
	// that rule, so it ends partial.
	OverLimit Variation = "over_limit"
	// Drafts: only some of the listed documents are released. Ends complete with those.
	Drafts Variation = "drafts"
	// Prepared: one of two documents is not there yet when the page is first opened,
	// NeverPrepared: never. They end complete at the second attempt, and partial.
	Prepared      Variation = "prepared"
	NeverPrepared Variation = "never_prepared"
	// Requisition: the page says that there are none, and the order's requisition has one,
	// RequisitionToo: both have one. Both end complete, and partial with the built-in recipe.
	// RequisitionGone: there is no page where the link to the requisition leads. Ends partial
	// with the order's own.
	Requisition     Variation = "requisition"
	RequisitionToo  Variation = "requisition_too"
	RequisitionGone Variation = "requisition_gone"
	// Throttled: status 429 with Retry-After: 1, BadGateway: status 502, and then the order.
	// Both end complete at the second attempt.
	Throttled  Variation = "throttled"
	BadGateway Variation = "bad_gateway"
	// LedAway: the page leads to a host that is not allowed. Ends failed, class host.
	LedAway Variation = "led_away"
	// MetaRefresh: the page leads to the order, in words of its own. Ends complete.
	MetaRefresh Variation = "meta_refresh"
	// History: a script gives the page other addresses. Ends complete.
	History Variation = "history"
	// Windows1252 and ShiftJIS are charsets of pages, and Mislabelled one that is not its own:
	// umlauts are shown as a browser then shows them. All end complete.
	Windows1252 Variation = "windows_1252"
	ShiftJIS    Variation = "shift_jis"
	Mislabelled Variation = "mislabelled"
	// CookieBanner, Modal and ExpiryWarning stand before the page. All end complete.
	CookieBanner  Variation = "cookie_banner"
	Modal         Variation = "modal"
	ExpiryWarning Variation = "expiry_warning"
	// IdleLogout: a timer of the page leads to the sign-in after 15 minutes. Ends complete.
	IdleLogout Variation = "idle_logout"
	// Locales: amounts and dates in the forms of several countries. Ends complete.
	Locales Variation = "locales"
)

// Oddities lists all oddities in a fixed order.
func Oddities() []Variation {
	var all []Variation
	for _, s := range oddShapes() {
		all = append(all, s.variation)
	}
	return all
}

// NeedsRecipe reports whether the built-in recipe cannot know what of all that the variation shows
// is a document at all.
func (v Variation) NeedsRecipe() bool {
	return slices.Contains([]Variation{
		OverLimit, Drafts, Prepared, NeverPrepared,
	}, v)
}

// oddShapes is the table of all oddities. Their weight is 0: no demo has them.
func oddShapes() []shape {
	shapes := []shape{
		{Comments, 0, "Comments have the documents.", drawHidden("comments")},
		{Collapsed, 0, "A button mounts comments with the documents.", drawCollapsed},
		{ClosedTab, 0, "A closed tab has the documents.", drawListed("tab")},
		{Frame, 0, "A frame has the documents.", drawListed("frame")},
		{ForeignFrame, 0, "A frame of another host has the documents.", drawForeign("foreign")},
		{NestedFrames, 0, "A frame within a frame has the documents.", drawForeign("nested")},
		{ShadowRoot, 0, "A shadow root has the documents.", drawListed("shadow")},
		{WindowOpen, 0, "Buttons open the documents in windows.", drawListed("windows")},
		{Rerendered, 0, "The list is made anew after each click.", drawListed("rerender")},
		{PromptOnLoad, 0, "The page asks for something.", drawListed("prompt")},
		{AlertOnClick, 0, "The page says something at each click.", drawListed("alert")},
		{ConfirmOnClick, 0, "The page asks a question at each click.", drawListed("confirm")},
		{BeforeUnload, 0, "The page asks whether it may be left.", drawListed("unload")},
		{NeverBegins, 0, "A download never begins.", drawNeverBegins},
		{Form, 0, "A form asks for the document.", drawSingle(deliverForm)},
		{OneTime, 0, "The document's address works once.", drawSingle(deliverOnce)},
		{ShortLived, 0, "The document's address works for some seconds.", drawSingle(deliverBriefly)},
		{Archive, 0, "The only document is a ZIP.", func(d *draft) { d.sized("All documents.zip") }},
		{AllInOne, 0, "A ZIP of all documents is offered, too.", drawListed("all")},
		{Compressed, 0, "The document comes compressed.", drawSingle(deliverCompressed)},
		{Chunked, 0, "The document comes without its length.", drawSingle(deliverChunked)},
		{CutOnce, 0, "The document's connection is cut, once.", drawCutOnce},
		{OverLimit, 0, "A document is larger than allowed.", drawOverLimit},
		{Drafts, 0, "Some documents are not released.", drawDrafts},
		{Prepared, 0, "A document comes later.", drawPrepared(1)},
		{NeverPrepared, 0, "A document never comes.", drawPrepared(1 << 30)},
		{Requisition, 0, "The requisition has the documents.", drawRequisition(1, "")},
		{RequisitionToo, 0, "Order and requisition have documents.", drawRequisition(0, "")},
		{RequisitionGone, 0, "The requisition is not there.", drawRequisition(0, "gone")},
		{Throttled, 0, "The portal asks to wait.", drawTwice(pageThrottled)},
		{BadGateway, 0, "The server fails once.", drawTwice(pageGateway)},
		{LedAway, 0, "The page leads to another host.", drawLedAway},
		{MetaRefresh, 0, "A page leads to the order.", drawAnswered(pageRefresh)},
		{History, 0, "The page changes its own address.", drawListed("history")},
		{Windows1252, 0, "A page in Windows-1252.", drawAnswered(pageWindows1252)},
		{ShiftJIS, 0, "A page in Shift_JIS.", drawAnswered(pageShiftJIS)},
		{Mislabelled, 0, "A page that names another charset.", drawAnswered(pageMislabelled)},
		{CookieBanner, 0, "A cookie banner.", drawListed("cookies")},
		{Modal, 0, "A dialog before the page.", drawListed("modal")},
		{ExpiryWarning, 0, "The session is about to expire.", drawListed("expiry")},
		{IdleLogout, 0, "The page signs out after a while.", drawListed("idle")},
		{Locales, 0, "Amounts and dates of several countries.", drawLocales},
	}
	for i, s := range shapes {
		shapes[i].draw = func(d *draft) {
			d.order.odd = oddPlain
			s.draw(d)
		}
	}
	return shapes
}

// oddPlain is an odd page whose list is plain.
const oddPlain = "plain"

// listed is where a document is listed, and how it is shown there.
type listed struct {
	// draft: it is listed as a draft. requisition: on the requisition.
	draft, requisition bool
	// pending is for how many openings of the page it is not there yet.
	pending int
}

// drawListed makes an order of two documents whose page lists them in an odd way.
func drawListed(odd string) func(*draft) {
	return func(d *draft) {
		drawTwo(d)
		d.order.odd = odd
	}
}

// drawHidden is drawListed for a page that says that there are no documents.
func drawHidden(odd string) func(*draft) {
	return func(d *draft) {
		drawListed(odd)(d)
		d.order.empty = emptyMarked
	}
}

// drawCollapsed makes an order whose documents a button shows, which the built-in recipe names.
func drawCollapsed(d *draft) {
	drawListed("collapsed")(d)
	d.order.Want = Want{Outcome: outcomePartial, Attempts: 1}
	d.order.WantRecipe = Want{Outcome: outcomeComplete, Done: 2, Attempts: 1}
}

// drawForeign makes an order whose documents stand where only a recipe allows to read.
func drawForeign(odd string) func(*draft) {
	return func(d *draft) {
		drawListed(odd)(d)
		d.order.Want = Want{Outcome: outcomePartial, Attempts: wantedAttempts}
		d.order.WantRecipe = Want{Outcome: outcomeComplete, Done: 2, Attempts: 1}
	}
}

func drawNeverBegins(d *draft) {
	drawListed("never")(d)
	dead := d.documents[1]
	dead.Broken, dead.State = true, stateFailed
}

func drawSingle(how delivery) func(*draft) {
	return func(d *draft) { d.sized("Purchase order.pdf").delivery = how }
}

func drawCutOnce(d *draft) {
	drawSingle(deliverCutOnce)(d)
	d.order.Want.Attempts = 2
}

// overLimit is the max_file_size of testdata/recipes/odd.yaml.
const overLimit = 1_000_000

func drawOverLimit(d *draft) {
	d.sized("Purchase order.pdf")
	d.file("Technical drawings.pdf", overLimit+1).State = stateSkipped
}

func drawDrafts(d *draft) {
	drawTwo(d)
	draft := d.sized("Amendment.pdf")
	draft.draft, draft.State = true, ""
}

func drawPrepared(views int) func(*draft) {
	return func(d *draft) {
		drawTwo(d)
		late := d.documents[1]
		if late.pending = views; views > 1 {
			late.Broken, late.State = true, stateFailed
			return
		}
		d.order.Want.Attempts = 2
	}
}

// drawRequisition makes an order of which the documents from this one on are on its
// requisition.
func drawRequisition(own int, odd string) func(*draft) {
	return func(d *draft) {
		d.order.odd = "requisition"
		if own == 0 {
			d.sized("Purchase order.pdf")
		} else {
			d.order.empty = emptyMarked
		}
		d.order.Want = Want{Outcome: outcomePartial, Done: 1 - own, Attempts: 1} // the link is named
		if odd == "gone" {
			d.order.odd = odd
			return
		}
		d.order.WantRecipe = Want{Outcome: outcomeComplete, Done: 2 - own, Attempts: 1}
		d.sized("Quotation.pdf").requisition = true
	}
}

func drawAnswered(page pageKind) func(*draft) {
	return func(d *draft) {
		drawTwo(d)
		d.order.page = page
		switch page {
		case pageWindows1252, pageMislabelled:
			d.order.Supplier = "Müller & Söhne GmbH"
		case pageShiftJIS:
			d.order.Buyer = shiftJISBuyer
		}
	}
}

func drawTwice(page pageKind) func(*draft) {
	return func(d *draft) {
		drawTwo(d)
		d.order.page, d.order.Want.Attempts = page, 2
	}
}

func drawLedAway(d *draft) {
	drawTwo(d)
	d.order.page = pageAway
	d.order.Want = Want{Outcome: outcomeFailed, Class: classHost, Attempts: 1}
}

func drawLocales(d *draft) {
	drawListed("locales")(d)
	issued := d.order.Issued.Format(time.DateOnly)
	d.order.fields = map[string]string{
		"total_de": d.order.Total, "total_fr": d.order.Total, "total_ch": d.order.Total,
		"credit": "-12.50", "debit": "-12.50", "issued_us": issued, "issued_de": issued,
	}
}

// oddDocuments returns the documents that one page of an odd order lists: its own, or its
// requisition's.
func (o *order) oddDocuments(requisition bool) []int {
	var at []int
	for i, doc := range o.Documents {
		if doc.requisition == requisition {
			at = append(at, i)
		}
	}
	return at
}

// byScript reports whether a script mounts the list of an odd order.
func (o *order) byScript() bool {
	return slices.Contains([]string{
		"comments", "collapsed", "shadow", "windows", "rerender", "alert", "confirm", "unload", "never", "pages", "menu",
	}, o.odd)
}
