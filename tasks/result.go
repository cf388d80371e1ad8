package tasks

import (
	"hash/fnv"
	"strconv"
)

// Result is what one attempt brought home. Its outcome is computed from
// the document list, the required
// fields, and the proof.
type Result struct {
	Outcome Outcome `json:"outcome"`
	// Executor is the way in which the page was read.
	Executor string `json:"executor"`
	// FellBack says why a lighter way was given up, or is empty.
	FellBack string `json:"fell_back,omitempty"`
	// URL is the address of the page that was read.
	URL string `json:"url,omitempty"`
	// Fields by name.
	Fields map[string]Field `json:"fields,omitempty"`
	// Lines of the order: column to text.
	Lines []map[string]string `json:"lines,omitempty"`
	// Attachments are all documents that the pages list, in their order.
	Attachments []Attachment `json:"attachments,omitempty"`
	// Folder is where the documents are, below the session folder, with "/".
	Folder string `json:"folder,omitempty"`
	// Missing says what keeps the outcome from being complete, or is nil.
	Missing *Failure `json:"missing,omitempty"`
	// Proof says what is known of the list of the order's documents. It is nil unless the order has
	// ended well.
	Proof *Proof `json:"proof,omitempty"`
	// Shown is what speaks for the result. It is nil in what earlier versions have recorded.
	Shown *Shown `json:"shown,omitempty"`
	// Kind names what the order's address has in common with those of other orders, and
	// the recipe's item by its mark.
	Kind string `json:"kind,omitempty"`
	// AwaitsItem: the order would be no_attachments, proven by its settled page, if
	// attachments.item had met something on any page of its kind in this session.
	AwaitsItem bool `json:"awaits_item,omitempty"`
	// Notes are remarks on the page that change nothing, for people.
	Notes []string `json:"notes,omitempty"`
	// Looks are what the recipe's selectors met on the page. They are stored with
	// the attempt.
	Looks []Look `json:"-"`
	// PhaseMS is the wall time of each phase in milliseconds.
	PhaseMS map[string]float64 `json:"phase_ms,omitempty"`
	// Evidence are paths below the session folder.
	Evidence []string `json:"evidence,omitempty"`
	// Staging is the directory that holds the attempt's documents until they
	// are published. It is not stored.
	Staging string `json:"-"`
}

// ProofKind says by what the list of an order's documents is known to be whole, or that it is
// only what the pages list. Scripts match on it, so a kind is never renamed.
type ProofKind string

const (
	// ProofCount: the page itself, or the answer that lists the documents, says how many there are.
	ProofCount ProofKind = "count"
	// ProofMarker: the page shows the recipe's attachments.none.
	ProofMarker ProofKind = "marker"
	// ProofSheet: the row says how many there are, and its column was typed.
	ProofSheet ProofKind = "sheet"
	// ProofWhole: the recipe says that what it meets is all.
	ProofWhole ProofKind = "whole"
	// ProofFields: the recipe says that documents are not asked for.
	ProofFields ProofKind = "fields"

	// ProofListed: there are documents, and nothing says how many.
	ProofListed ProofKind = "listed"
	// ProofUnasked: the recipe says nothing of documents.
	ProofUnasked ProofKind = "unasked"
	// ProofLeftOut: the recipe leaves out every item that is there.
	ProofLeftOut ProofKind = "left_out"
	// ProofSettled: the page is settled and lists none, and the recipe's item has met
	// something on another page of its kind.
	ProofSettled ProofKind = "settled"
	// ProofAuto: the page is settled, and nothing on it would show more. Only the
	// built-in recipe proves it so.
	ProofAuto ProofKind = "auto"
	// ProofOptional: the recipe says that finding none needs no proof.
	ProofOptional ProofKind = "optional"
)

// Confirms reports whether what is known by it is the whole list of documents.
func (k ProofKind) Confirms() bool {
	switch k {
	case ProofCount, ProofMarker, ProofSheet, ProofWhole, ProofFields:
		return true
	}
	return false
}

// Proof says what is known of the list of an order's documents, and of whose its page is.
type Proof struct {
	By ProofKind `json:"by"`
	// Text quotes what the page says, or says what was seen.
	Text string `json:"text"`
	// Page says by what the page is the order's, or is nil.
	Page *PageProof `json:"page,omitempty"`
	// Lacks says for a person what is missing, or is empty where the order is confirmed.
	Lacks string `json:"lacks,omitempty"`
}

// PageProof says by what a page is known to be an order's own.
type PageProof struct {
	By   PageProofKind `json:"by"`
	Text string        `json:"text"`
}

// PageProofKind is a kind of PageProof. It is never renamed.
type PageProofKind string

const (
	// PageByRow: the page shows the order's number, and a further value of its row.
	PageByRow PageProofKind = "row"
	// PageByShape: the page shows the number, and has the headings and labels of its kind's own pages.
	PageByShape PageProofKind = "shape"
)

// Shown is what an order's pages show that speaks for its result. Package witness rules on it.
type Shown struct {
	// Number: the page shows the order's number where the recipe says, or labelled.
	Number bool `json:"number,omitempty"`
	// Values is how many values of the order's rows could show that the page is the order's. Row are those
	// of them that it shows, and Others what it shows of other rows' values, where no value of its own is.
	Values int     `json:"values,omitempty"`
	Row    []Value `json:"row,omitempty"`
	Others []Value `json:"others,omitempty"`
	// Labels are the headings and labels outside of the place of documents, by their hashes, each once and sorted.
	Labels []uint32 `json:"labels,omitempty"`
	// Lists are the lists of documents that were read for the order, its own page's first.
	Lists []List `json:"lists,omitempty"`
	// Documents is how many documents the order's row says there are, in a column that was typed, or nil.
	Documents *int `json:"documents,omitempty"`
}

// Value is one of a row's, as a page shows it.
type Value struct {
	Column string `json:"column,omitempty"`
	// Text is that of the sheet; empty where the value is another row's.
	Text string `json:"text,omitempty"`
	// At is a hash of the place in the page, Meaning one of what the text means.
	At      uint32 `json:"at"`
	Meaning uint32 `json:"meaning"`
}

// List is a list of documents as it was read.
type List struct {
	// Page is the address of the page that has it, without what is secret; empty for the order's own.
	Page string `json:"page,omitempty"`
	// Met is how many items there are, and LeftOut how many of them the recipe leaves out.
	Met     int `json:"met,omitempty"`
	LeftOut int `json:"left_out,omitempty"`
	// Count is how many the page or the answer says that there are, or nil.
	Count *Counted `json:"count,omitempty"`
	// Beside are other whole numbers beside the list in the answer that has it, by their places: whether one of them
	// is a count is told by many orders.
	Beside map[string]int `json:"beside,omitempty"`
	// Around is a hash of what stands around the list in the answer that has it: which members there are, and which
	// are filled. It is 0 for a list that stands in no data.
	Around uint32 `json:"around,omitempty"`
	// None quotes the recipe's attachments.none where the page shows that, or is empty. HasNone: the recipe has one,
	// or one that says that its list is whole: Whole.
	None    string `json:"none,omitempty"`
	HasNone bool   `json:"has_none,omitempty"`
	Whole   bool   `json:"whole,omitempty"`
	// Barred: its page asked other hosts for scripts or data that the browser's container does not let through to.
	Barred bool `json:"barred,omitempty"`
}

// Counted is a number of documents that a page or an answer says.
type Counted struct {
	N    int    `json:"n"`
	Text string `json:"text"`
	// Asked: the request for the list asked for as many.
	Asked bool `json:"asked,omitempty"`
}

// Look is what one selector of the recipe met on one order's own page.
type Look struct {
	// Where is the selector's path in the recipe, "attachments.item".
	Where string `json:"where"`
	// Met is how many elements it met.
	Met int `json:"met,omitempty"`
	// Unreadable: it met something whose value could not be read.
	Unreadable bool `json:"unreadable,omitempty"`
	// Mark is MarkOf what the selector was then: a recipe may be mended. It is empty in
	// what earlier versions have recorded.
	Mark string `json:"mark,omitempty"`
}

// MarkOf returns a short text by which a selector is told from another at its place, or
// "" for none.
func MarkOf(selector string) string {
	if selector == "" {
		return ""
	}
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(selector)) // which never fails
	return strconv.FormatUint(uint64(sum.Sum32()), 36)
}

// Field is one value of an order.
type Field struct {
	// Raw is the text as the page shows it.
	Raw string `json:"raw"`
	// Value is Raw in canonical form: an amount as a decimal with a point, a
	// date as YYYY-MM-DD. It is empty where Raw could not be read so.
	Value string `json:"value"`
	// Type is text, amount or date.
	Type string `json:"type,omitempty"`
	// Error says why Raw could not be read, or is empty.
	Error string `json:"error,omitempty"`
	// Ambiguous: several visible elements matched, and their texts differ. Raw is the
	// first one's.
	Ambiguous bool `json:"ambiguous,omitempty"`
}

// AttachmentState is the final state of a document.
type AttachmentState string

const (
	// AttachmentDone: its bytes are in their final place.
	AttachmentDone AttachmentState = "done"
	// AttachmentFailed: it could not be had; Error says why.
	AttachmentFailed AttachmentState = "failed"
	// AttachmentSkipped: a limit or rule left it out; Error says which.
	AttachmentSkipped AttachmentState = "skipped"
)

// Attachment is one document that an order's pages list.
type Attachment struct {
	// Name is the document's own name, as the portal shows it.
	Name string `json:"name"`
	// Original is the file name that the server or the page gave it, or empty.
	Original string `json:"original,omitempty"`
	// Path is where its bytes are, below the session folder, with "/". It is
	// empty unless the state is done.
	Path string `json:"path,omitempty"`
	// Size in bytes.
	Size int64 `json:"size"`
	// SHA256 in lower-case hexadecimal.
	SHA256 string `json:"sha256,omitempty"`
	// MIME is the sniffed type.
	MIME string `json:"mime,omitempty"`
	// Macros: it holds programs of an Office program, which may run when it is opened there.
	Macros bool `json:"macros,omitempty"`
	// Source is the page that lists it.
	Source string `json:"source"`
	// URL is its address, where it is a plain link.
	URL   string          `json:"url,omitempty"`
	State AttachmentState `json:"state"`
	// Error says why it failed or was skipped, or is nil.
	Error *Failure `json:"error,omitempty"`
	// Key is what it is known by among the attempts at its order, see package scrape.
	Key string `json:"key,omitempty"`
	// Validators are what the server said of the bytes' version (ETag, Last-Modified),
	// or empty: see package scrape.
	Validators string `json:"validators,omitempty"`
	// New: in a session that updates another, the order had no such bytes there.
	New bool `json:"new,omitempty"`
	// Staged is its file name in the attempt's staging directory. It is not stored.
	Staged string `json:"-"`
}

// Count returns how many documents there are, and how many in each state.
// found is the sum of the other three.
func (r *Result) Count() (found, done, failed, skipped int) {
	if r == nil {
		return 0, 0, 0, 0
	}
	for _, a := range r.Attachments {
		switch a.State {
		case AttachmentDone:
			done++
		case AttachmentSkipped:
			skipped++
		default:
			failed++
		}
	}
	return len(r.Attachments), done, failed, skipped
}
