package portal

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"math/rand/v2"
	"mime"
	"net/url"
	"path"
	"slices"
	"time"
)

// order is an Order with what is needed to serve it.
type order struct {
	Order
	page pageKind
	// served is how many of the documents, from the first, the page lists as
	// it is served. Scripts mount the others.
	served int
	// mounts are the waves in which scripts mount the others, in turn.
	mounts []mount
	// fetched: the script fetches the list of documents, after this time.
	fetched time.Duration
	empty   emptyList
	// trapped: there are links around that look like documents.
	trapped bool
	console int
	polling time.Duration
	alert   string
	// fault is what the page does when it is loaded, in the words of faults.js.
	fault   string
	confirm string
	// odd is how an oddity lists its documents, or what else its page does, in the words of
	// odd.js. fields are wanted besides the usual ones.
	odd    string
	fields map[string]string
	// other is what the page shows instead of this order, or nil.
	other *order
}

// mount is a wave: after a time, so many documents.
type mount struct {
	after     time.Duration
	documents int
}

// pageKind is how the order's page is answered.
type pageKind string

const (
	pagePlain       pageKind = ""
	pageSlow        pageKind = "slow"
	pageUnsteady    pageKind = "unsteady"
	pageMissing     pageKind = "missing"
	pageSoftMissing pageKind = "soft_missing"
	pageDenied      pageKind = "denied"
	pageRedirected  pageKind = "redirected"
	pageSilent      pageKind = "silent"
	pageEndless     pageKind = "endless"
	pageCut         pageKind = "cut"
	// These are of the oddities.
	pageThrottled   pageKind = "throttled"
	pageGateway     pageKind = "gateway"
	pageAway        pageKind = "away"
	pageRefresh     pageKind = "refresh"
	pageWindows1252 pageKind = "windows_1252"
	pageShiftJIS    pageKind = "shift_jis"
	pageMislabelled pageKind = "mislabelled"
)

// emptyList is what the page shows where it lists no document as it is served.
type emptyList string

const (
	emptySilent emptyList = ""
	emptyMarked emptyList = "marked"
	emptyBusy   emptyList = "busy"
)

// delivery is how a document is answered.
type delivery string

const (
	deliverAttachment     delivery = ""
	deliverInline         delivery = "inline"
	deliverBare           delivery = "bare"
	deliverSlow           delivery = "slow"
	deliverMoved          delivery = "moved"
	deliverNothing        delivery = "nothing"
	deliverTruncated      delivery = "truncated"
	deliverLogin          delivery = "login"
	deliverDisguisedLogin delivery = "disguised_login"
	deliverError          delivery = "error"
	// These are of the oddities.
	deliverForm       delivery = "form"
	deliverOnce       delivery = "once"
	deliverBriefly    delivery = "briefly"
	deliverCompressed delivery = "compressed"
	deliverChunked    delivery = "chunked"
	deliverCutOnce    delivery = "cut_once"
)

// link is how the page links a document.
type link string

const (
	linkPlain   link = ""
	linkBlank   link = "blank"
	linkIcon    link = "icon"
	linkBlob    link = "blob"
	linkForeign link = "foreign"
	// These are of the mix-ups.
	linkLate       link = "late"
	linkDoubled    link = "doubled"
	linkRemembered link = "remembered"
	linkTerms      link = "terms"
)

// draft is an order that is being made.
type draft struct {
	order     *order
	config    Config
	rng       *rand.Rand
	documents []*Document
}

// newOrder makes the order of this index.
func newOrder(c Config, index int, s shape) *order {
	rng := rand.New(rand.NewPCG(c.Seed, uint64(index)))
	number := fmt.Sprintf("PO%d", 4_500_001_001+index*37+rng.IntN(37))
	lines := 3 + rng.IntN(10)
	if s.variation == SixtyLines {
		lines = 60
	}
	d := &draft{order: &order{Order: newHead(rng, number, lines)}, config: c, rng: rng}
	d.order.Variation = s.variation
	d.order.Want = Want{Attempts: 1}
	s.draw(d)
	d.finish()
	return d.order
}

// file adds a document of about size bytes.
func (d *draft) file(name string, size int64) *Document {
	index := len(d.documents) + 1
	k := kindOf(name)
	seed := sha256.Sum256(fmt.Appendf(nil, "%d/%s/%d", d.config.Seed, d.order.Number, index))
	doc := &Document{
		Name: name, Listed: name, Sent: name, MIME: k.mime(), State: stateDone,
		Path:    fmt.Sprintf("%s/attachments/%d/%s", d.order.Path, index, url.PathEscape(name)),
		content: newContent(k, d.order.Number+" "+name, seed, min(size, d.config.MaxDocument)),
	}
	d.documents = append(d.documents, doc)
	return doc
}

// sized adds a document of some size between 12 KB and 240 KB.
func (d *draft) sized(name string) *Document {
	return d.file(name, 12<<10+d.rng.Int64N(228<<10))
}

// numbered takes the document's name out of its path.
func (doc *Document) numbered() *Document {
	doc.Path = path.Dir(doc.Path)
	return doc
}

// breaks makes the document one that cannot be had.
func (doc *Document) breaks(how delivery) {
	doc.delivery, doc.Broken, doc.State = how, true, stateFailed
}

// finish works out what follows from the rest: sums, and what is wanted.
func (d *draft) finish() {
	o := d.order
	for _, doc := range d.documents {
		if doc.delivery == deliverNothing {
			none := sha256.Sum256(nil)
			doc.content, doc.SHA256 = content{}, hex.EncodeToString(none[:])
		} else {
			doc.Size, doc.SHA256 = doc.content.size, doc.content.digest()
		}
		switch doc.link {
		case linkBlob, linkLate, linkDoubled:
			doc.Path = ""
		case linkRemembered:
			doc.Path = rememberedPath
		case linkTerms:
			doc.Path = termsPath
		}
		o.Documents = append(o.Documents, *doc)
	}
	o.served = len(o.Documents)
	for _, m := range o.mounts {
		o.served -= m.documents
	}
	if o.fetched > 0 {
		o.served = 0
	}
	if o.Want.Outcome == "" {
		o.Want = o.want()
	}
	if o.WantRecipe.Outcome == "" {
		o.WantRecipe = o.Want
	}
	if o.Want.Well() || o.Want.Outcome == outcomePartial || o.Want.Outcome == outcomeFailed && o.Want.Class == "" {
		o.Want.Fields = map[string]string{"supplier": o.Supplier, "buyer": o.Buyer, "currency": o.Currency}
		if o.WantRecipe.Outcome == outcomeFailed && o.Want.Outcome != outcomeFailed {
			return // nothing of the page is read
		}
		o.WantRecipe.Fields = map[string]string{
			"supplier": o.Supplier, "buyer": o.Buyer, "currency": o.Currency,
			"total": o.Total, "issued": o.Issued.Format(time.DateOnly),
		}
		maps.Copy(o.WantRecipe.Fields, o.fields)
		if o.page == pageMislabelled {
			for _, fields := range []map[string]string{o.Want.Fields, o.WantRecipe.Fields} {
				fields["supplier"], fields["buyer"] = misread(o.Supplier), misread(o.Buyer)
			}
		}
	}
}

// want is how an order ends that is shown as it should be.
func (o *order) want() Want {
	w := Want{Attempts: o.Want.Attempts}
	for _, doc := range o.Documents {
		switch doc.State {
		case stateDone:
			w.Done++
		case stateFailed:
			w.Failed++
		case stateSkipped:
			w.Skipped++
		}
	}
	if w.Failed > 0 {
		w.Attempts = wantedAttempts
	}
	switch {
	case w.Done == 0 && w.Failed > 0:
		w.Outcome = outcomeFailed
	case w.Failed+w.Skipped > 0:
		w.Outcome = outcomePartial
	case w.Done == 0:
		w.Outcome = outcomeNoAttachments
	default:
		w.Outcome = outcomeComplete
	}
	return w
}

// wantedAttempts is how many attempts an order gets that may be tried again:
// the first and two retries.
const wantedAttempts = 3

// disposition returns the Content-Disposition header of a document, or "".
func (doc *Document) disposition() string {
	if doc.header != "" || doc.Sent == "" {
		return doc.header
	}
	how := "attachment"
	if doc.delivery == deliverInline {
		how = "inline"
	}
	return mime.FormatMediaType(how, map[string]string{"filename": doc.Sent})
}

// clone returns a copy whose slices are the caller's own.
func (o *order) clone() Order {
	c := o.Order
	c.Lines, c.Documents = slices.Clone(c.Lines), slices.Clone(c.Documents)
	return c
}
