package portal

// Variation names what an order's page, or one of its documents, does.
type Variation string

// The variations. Each comment says what is served, and how the order should
// end.
const (
	// Plain: one PDF, listed by the page as it is served. Ends complete.
	Plain Variation = "plain"
	// Several: documents of all types, from 1 KB to several MB. Ends complete.
	Several Variation = "several"
	// SixtyLines: an order of 60 lines, with two documents. Ends complete.
	SixtyLines Variation = "sixty_lines"
	// Slow: page and document keep silent for Config.Slow, then drip for as
	// long again. Ends complete.
	Slow Variation = "slow"
	// ScriptMount: a timer mounts the documents after Config.Mount; nothing on
	// the page says so. Ends complete.
	ScriptMount Variation = "script_mount"
	// JSONMount: after Config.Mount a script fetches the list as JSON and
	// mounts it. Ends complete.
	JSONMount Variation = "json_mount"
	// LateMount: as ScriptMount, but after Config.Late. Ends complete.
	LateMount Variation = "late_mount"
	// TwoWaves: one document after Config.Mount, two more Config.Wave later.
	// Ends complete.
	TwoWaves Variation = "two_waves"
	// NoneMarker: the portal says that there are none. Ends no_attachments.
	NoneMarker Variation = "none_marker"
	// EmptyList: an empty list without a word. The page settles, so it ends
	// no_attachments; but partial with a recipe that names the portal's own words for
	// none, as those are not shown.
	EmptyList Variation = "empty_list"
	// EmptyThenLoaded: the list is empty and busy for Config.Busy, then the
	// documents are there. Ends complete.
	EmptyThenLoaded Variation = "empty_then_loaded"
	// EndlessSpinner: the list is empty and busy for ever, so nothing proves
	// that there are no documents. Ends partial, each attempt at the end of the
	// ready rule's patience; failed with a recipe whose ready rule is not met.
	EndlessSpinner Variation = "endless_spinner"
	// NotFound: status 404. Ends not_found.
	NotFound Variation = "not_found"
	// SoftNotFound: status 200, and a page that says that there is no such
	// order, with the number that was asked for. Ends not_found.
	SoftNotFound Variation = "soft_not_found"
	// AccessDenied: status 403. Ends access_denied.
	AccessDenied Variation = "access_denied"
	// ServerErrors: the page answers 500, then 503 with Retry-After: 1, then
	// as it should. Ends complete at the third attempt.
	ServerErrors Variation = "server_errors"
	// SameNameOtherBytes: two documents of the same name that differ. Ends
	// complete with both.
	SameNameOtherBytes Variation = "same_name_other_bytes"
	// SameNameSameBytes: the same document listed twice. Ends complete with
	// both, as both are listed.
	SameNameSameBytes Variation = "same_name_same_bytes"
	// EmptyDocument: one document has no byte, beside a good one. Ends partial.
	EmptyDocument Variation = "empty_document"
	// Truncated: the connection is cut in the middle of one document, beside a
	// good one. Ends partial.
	Truncated Variation = "truncated"
	// LoginForDocument: two documents answer with a login page and status 200,
	// the second of them calls it a PDF; beside a good one. Ends partial.
	LoginForDocument Variation = "login_for_document"
	// DocumentError: one document answers 500, beside a good one. Ends partial.
	DocumentError Variation = "document_error"
	// NothingHad: the only document answers 500. Ends failed.
	NothingHad Variation = "nothing_had"
	// TargetBlank: links that open a new tab. Ends complete.
	TargetBlank Variation = "target_blank"
	// Blob: links without an address; a script makes a blob when they are
	// clicked. Ends complete.
	Blob Variation = "blob"
	// InlinePDF: the document is served to be shown, not to be saved. Ends
	// complete.
	InlinePDF Variation = "inline_pdf"
	// OctetStream: the document has neither a type nor a name. Ends complete.
	OctetStream Variation = "octet_stream"
	// ThirtyDocuments: thirty small ones. Ends complete.
	ThirtyDocuments Variation = "thirty_documents"
	// WrongOrder: the page shows another order, Order.Shown, with documents of
	// its own. Ends identity_mismatch, and nothing of it may be kept.
	WrongOrder Variation = "wrong_order"
	// LookAlikes: one document among links that look like documents and are
	// none. Ends complete with the one.
	LookAlikes Variation = "look_alikes"
	// HostileNames: names that are no safe file names. Ends complete.
	HostileNames Variation = "hostile_names"
	// Alert: the page calls alert when it has loaded. Ends complete.
	Alert Variation = "alert"
	// Confirm: the page asks a question when it has loaded; either answer is
	// fine. Ends complete.
	Confirm Variation = "confirm"
	// ServerNames: the links are icons without a text; only the server gives
	// the names, in all forms of Content-Disposition. Ends complete.
	ServerNames Variation = "server_names"
	// Redirect: documents are moved to another path of this host. Ends complete.
	Redirect Variation = "redirect"
	// ForeignHost: one document is on a host that is not the page's own, beside
	// a good one. Skipped by the rule about hosts, so it ends partial.
	ForeignHost Variation = "foreign_host"
	// Console: the page writes 6,000 console messages while it loads. Ends
	// complete.
	Console Variation = "console"
	// Polling: the page fetches every 300 ms for ever. Ends complete.
	Polling Variation = "polling"
)

// Variations lists all variations in a fixed order, without the faults.
func Variations() []Variation {
	var all []Variation
	for _, s := range shapes() {
		all = append(all, s.variation)
	}
	return all
}

// About says in one sentence what the variation shows, or "" for an unknown one.
func (v Variation) About() string {
	for _, s := range allShapes() {
		if s.variation == v {
			return s.about
		}
	}
	return ""
}
