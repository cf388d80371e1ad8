package portal

import (
	"fmt"
	"strings"
	"time"
)

// shape says how an order of a variation is made.
type shape struct {
	variation Variation
	// weight is how many of the 72 orders of a demo have it.
	weight int
	about  string
	draw   func(*draft)
}

// shapes is the table of all variations.
func shapes() []shape {
	return []shape{
		{Plain, 10, "One PDF.", drawPlain},
		{Several, 7, "Documents of all types, from 1 KB to several MB.", drawSeveral},
		{SixtyLines, 2, "An order of 60 lines.", drawTwo},
		{Slow, 2, "Page and document begin late and drip.", drawSlow},
		{ScriptMount, 3, "A timer mounts the documents.", drawScriptMount},
		{JSONMount, 3, "A script fetches the list of documents.", drawJSONMount},
		{LateMount, 1, "A timer mounts the documents, late.", drawLateMount},
		{TwoWaves, 2, "The documents come in two waves.", drawTwoWaves},
		{NoneMarker, 5, "The portal says that there are no documents.", drawNoneMarker},
		{EmptyList, 2, "An empty list without a word.", drawEmptyList},
		{EmptyThenLoaded, 2, "The list is busy before it fills.", drawEmptyThenLoaded},
		{EndlessSpinner, 0, "The list is busy for ever.", drawEndlessSpinner},
		{NotFound, 1, "There is no such order, with status 404.", drawPage(pageMissing, outcomeNotFound)},
		{SoftNotFound, 1, "There is no such order, with status 200.", drawPage(pageSoftMissing, outcomeNotFound)},
		{AccessDenied, 1, "The portal refuses to show the order.", drawPage(pageDenied, outcomeAccessDenied)},
		{ServerErrors, 2, "The server fails twice, then answers.", drawServerErrors},
		{SameNameOtherBytes, 2, "Two documents of one name that differ.", drawSameNameOtherBytes},
		{SameNameSameBytes, 1, "One document, listed twice.", drawSameNameSameBytes},
		{EmptyDocument, 1, "A document without a byte.", drawBroken(deliverNothing)},
		{Truncated, 1, "A document whose connection is cut.", drawBroken(deliverTruncated)},
		{LoginForDocument, 1, "Documents that are login pages.", drawBroken(deliverLogin, deliverDisguisedLogin)},
		{DocumentError, 1, "A document that the server cannot deliver.", drawBroken(deliverError)},
		{NothingHad, 1, "Its only document cannot be delivered.", drawNothingHad},
		{TargetBlank, 2, "Links that open a new tab.", drawLinked(linkBlank)},
		{Blob, 2, "A script makes the documents when they are clicked.", drawLinked(linkBlob)},
		{InlinePDF, 2, "The document is meant to be shown.", drawDelivered(deliverInline)},
		{OctetStream, 2, "The document has neither type nor name.", drawDelivered(deliverBare)},
		{ThirtyDocuments, 1, "Thirty small documents.", drawThirty},
		{WrongOrder, 1, "The page shows another order.", drawWrongOrder},
		{LookAlikes, 2, "Links that look like documents and are none.", drawLookAlikes},
		{HostileNames, 1, "Names that are no safe file names.", drawHostileNames},
		{Alert, 1, "The page calls alert.", drawAlert},
		{Confirm, 1, "The page asks a question.", drawConfirm},
		{ServerNames, 1, "Only the server knows the documents' names.", drawServerNames},
		{Redirect, 1, "The documents have moved.", drawDelivered(deliverMoved)},
		{ForeignHost, 1, "A document on a host that is not allowed.", drawForeignHost},
		{Console, 1, "The page writes 6,000 console messages.", drawConsole},
		{Polling, 1, "The page never stops asking the server.", drawPolling},
	}
}

func drawPlain(d *draft) { d.sized("Purchase order.pdf") }

func drawTwo(d *draft) {
	d.sized("Purchase order.pdf")
	d.sized("Delivery schedule.xlsx")
}

func drawSeveral(d *draft) {
	d.sized("Purchase order.pdf")
	d.sized("Framework agreement.docx")
	d.sized("Price list.xlsx")
	d.file("Delivery note.txt", 1<<10+textRow)
	d.file("Line items.csv", 9<<10)
	d.file("Damage report.png", 64<<10)
	d.file("Technical drawings.pdf", 1<<20+d.rng.Int64N(3<<20))
}

func drawSlow(d *draft) {
	d.order.page = pageSlow
	d.sized("Purchase order.pdf").delivery = deliverSlow
}

func drawScriptMount(d *draft) {
	drawTwo(d)
	d.order.mounts = []mount{{d.config.Mount, 2}}
}

func drawJSONMount(d *draft) {
	drawTwo(d)
	d.order.fetched = d.config.Mount
}

func drawLateMount(d *draft) {
	drawTwo(d)
	d.order.mounts = []mount{{d.config.Late, 2}}
}

func drawTwoWaves(d *draft) {
	drawTwo(d)
	d.sized("Signed contract.pdf")
	d.order.mounts = []mount{{d.config.Mount, 1}, {d.config.Mount + d.config.Wave, 2}}
}

func drawNoneMarker(d *draft) { d.order.empty = emptyMarked }

func drawEmptyList(d *draft) {
	d.order.empty = emptySilent
	d.order.WantRecipe = Want{Outcome: outcomePartial, Attempts: wantedAttempts}
}

func drawEmptyThenLoaded(d *draft) {
	drawTwo(d)
	d.order.empty = emptyBusy
	d.order.mounts = []mount{{d.config.Busy, 2}}
}

func drawEndlessSpinner(d *draft) {
	d.order.empty = emptyBusy
	d.order.Want = Want{Outcome: outcomePartial, Attempts: wantedAttempts}
	d.order.WantRecipe = Want{Outcome: outcomeFailed, Attempts: wantedAttempts}
}

// drawPage makes an order whose page is not an order's.
func drawPage(page pageKind, outcome string) func(*draft) {
	return func(d *draft) {
		d.order.page = page
		d.order.Want = Want{Outcome: outcome, Attempts: 1}
	}
}

func drawServerErrors(d *draft) {
	d.sized("Purchase order.pdf")
	d.order.page = pageUnsteady
	d.order.Want.Attempts = pageFailures + 1
}

func drawSameNameOtherBytes(d *draft) {
	d.sized("Invoice.pdf")
	d.sized("Invoice.pdf")
}

func drawSameNameSameBytes(d *draft) {
	first := d.sized("Invoice.pdf")
	d.sized("Invoice.pdf").content = first.content
}

// drawBroken makes one good document, and one for each way of being broken.
func drawBroken(ways ...delivery) func(*draft) {
	return func(d *draft) {
		d.sized("Purchase order.pdf")
		for i, way := range ways {
			d.sized(fmt.Sprintf("Invoice %d.pdf", i+1)).breaks(way)
		}
	}
}

func drawNothingHad(d *draft) { d.sized("Invoice.pdf").breaks(deliverError) }

func drawLinked(how link) func(*draft) {
	return func(d *draft) {
		d.sized("Purchase order.pdf").link = how
		d.sized("Quotation.pdf").link = how
	}
}

func drawDelivered(how delivery) func(*draft) {
	return func(d *draft) {
		doc := d.sized("Purchase order.pdf")
		doc.delivery = how
		if how == deliverBare {
			doc.numbered().Sent = ""
		}
	}
}

func drawThirty(d *draft) {
	for i := range 30 {
		d.file(fmt.Sprintf("Certificate %02d.pdf", i+1), 1<<10+d.rng.Int64N(7<<10))
	}
}

func drawWrongOrder(d *draft) {
	shown := "PO59" + strings.TrimPrefix(d.order.Number, "PO45")
	other := &draft{order: &order{Order: newHead(d.rng, shown, 4)}, config: d.config, rng: d.rng}
	other.order.Variation = WrongOrder
	other.sized("Purchase order.pdf")
	other.finish()
	d.order.Shown, d.order.other = shown, other.order
	d.order.Want = Want{Outcome: outcomeIdentityMismatch, Attempts: wantedAttempts}
}

func drawLookAlikes(d *draft) {
	d.sized("Purchase order.pdf")
	d.order.trapped = true
}

func drawAlert(d *draft) {
	drawTwo(d)
	d.order.alert = "Scheduled maintenance on Sunday from 02:00 to 04:00 UTC."
}

func drawConfirm(d *draft) {
	drawTwo(d)
	d.order.confirm = "Would you like to take a short survey about this page?"
}

func drawForeignHost(d *draft) {
	d.sized("Purchase order.pdf")
	foreign := d.sized("Archived contract.pdf")
	foreign.link, foreign.State = linkForeign, stateSkipped
}

func drawConsole(d *draft) {
	drawTwo(d)
	d.order.console = 6000
}

func drawPolling(d *draft) {
	drawTwo(d)
	d.order.polling = 300 * time.Millisecond
}
