package portal

import "time"

// Order is one purchase order of the portal. Its slices and maps are shared:
// read them only.
type Order struct {
	// Number as the portal writes it, "PO4500001001".
	Number string
	// Path of its page, "/orders/PO4500001001".
	Path      string
	Variation Variation
	Supplier  string
	Buyer     string
	// Currency as an ISO 4217 code.
	Currency string
	// Total in canonical form, "12480.00"; the page shows "12,480.00".
	Total string
	// Issued is a day in UTC; the page shows it as DD/MM/YYYY.
	Issued time.Time
	Lines  []Line
	// Documents that the page lists, in its order. Those that the page only
	// looks as if it listed are not among them.
	Documents []Document
	// Shown is the number that the page shows where it is another one, or empty.
	Shown string
	// Want is how the order should end with the built-in recipe, WantRecipe
	// with testdata/recipes/demo.yaml, or of an oddity with odd.yaml there. Either is with two
	// retries.
	Want, WantRecipe Want
}

// Line is one line of an order. Amounts are in canonical form.
type Line struct {
	Number      int
	SKU         string
	Description string
	Quantity    int
	Unit        string
	Price       string
	Amount      string
	thumbnail   int
}

// Want is how an order should end.
type Want struct {
	// Outcome in the words of the report, "complete".
	Outcome string
	// Done, Failed and Skipped are how many documents end in these states.
	Done, Failed, Skipped int
	// Fields by name: at least these, with these values in canonical form. It
	// is nil where nothing is read.
	Fields map[string]string
	// Class of the last failure in the words of the report, for faults; empty
	// where the order ends well.
	Class string
	// Attempts that are charged, with two retries.
	Attempts int
}

// Well reports whether an order that ends so needs nobody's attention.
func (w Want) Well() bool {
	return w.Outcome == outcomeComplete || w.Outcome == outcomeNoAttachments
}

// The outcomes that variations call for, in the words of the report.
const (
	outcomeComplete         = "complete"
	outcomePartial          = "partial"
	outcomeNoAttachments    = "no_attachments"
	outcomeNotFound         = "not_found"
	outcomeAccessDenied     = "access_denied"
	outcomeIdentityMismatch = "identity_mismatch"
	outcomeFailed           = "failed"
	outcomeTimeout          = "timeout"
)

// The final states of a document, in the words of the report.
const (
	stateDone    = "done"
	stateFailed  = "failed"
	stateSkipped = "skipped"
)

// Document is one document that an order's page lists.
type Document struct {
	// Name is what the page calls it or, where it says nothing, the server.
	// Where names are hostile or odd, compare SHA256 instead: what is made of
	// such a name is for the reader to decide.
	Name string
	// Listed is the name on the page; empty where the link is an icon.
	Listed string
	// Sent is the name that the server gives; empty where it gives none.
	Sent string
	// Path is where the page's link leads, without the host; empty where a
	// script makes the document.
	Path string
	// Size in bytes, SHA256 in lower-case hexadecimal, and the type that
	// sniffing finds, of the bytes as they should be. Of a truncated document
	// only a part arrives.
	Size   int64
	SHA256 string
	MIME   string
	// Broken: its bytes cannot be had.
	Broken bool
	// State in which it should end: done, failed or skipped.
	State string

	content  content
	delivery delivery
	link     link
	// header is the whole Content-Disposition where Sent does not make it.
	header string
	listed
}
