package scrape

import (
	"fmt"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/idna"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/claims"
	"github.com/poscrape/poscrape/internal/secret"
	"github.com/poscrape/poscrape/internal/template"
)

// RecipeVersion is the version of the recipe's vocabulary that is read here.
const RecipeVersion = 1

// Recipe says how a portal looks: where an order is, when its page is ready,
// and where on it the fields and documents are. It is read by ReadRecipe, never
// changed afterwards, and shared by all workers.
type Recipe struct {
	// File is the name that ReadRecipe was given; empty for the built-in recipe.
	File string
	// sources say where secrets come from; nil for the built-in recipe.
	sources *secret.Sources
	// Name of the portal. Without one it is File's base name, without extension.
	Name string
	// Auto: no selectors are known, the page's own structure has to do.
	Auto bool
	// BaseURL is what {base_url} stands for, without a slash at its end, or empty.
	BaseURL string
	// baseAt is where BaseURL stands in the file.
	baseAt position
	// AllowedHosts are host patterns; see HostAllowed.
	AllowedHosts []string
	// Browser is what pages learn of who looks at them, the same for all workers.
	Browser browser.Identity
	PO      PORule
	// OpenURL is the URL template of an order's page, or empty: then each row
	// has to bring its URL.
	OpenURL string
	// TypedURL is the one that was typed (--url), or empty. It is set before the recipe is used.
	TypedURL string
	// FoundURL is the one of a file of settings that nobody has named or allowed, or empty: no secret goes there.
	FoundURL string
	// Open is what is done there to get to the order.
	Open  OpenRule
	Ready Ready
	// Identity is the selector of what shows the order's number, or empty, and IdentityFrame
	// that of the frames that it is looked up in, or empty for the page and all its frames. So
	// it is with each Frame.
	Identity, IdentityFrame string
	// List is nil where each order has a page of its own.
	List *ListRule
	// NotFound, AccessDenied and Throttled tell the portal's refusals apart; Throttled are
	// those that ask to wait.
	NotFound, AccessDenied, Throttled Marker
	// Login is nil where the recipe says nothing of signing in.
	Login *LoginRule
	// Walls are pages that ask for something else before they show an order.
	Walls []Wall
	// Fields in the file's order, and where they stand there.
	Fields   []FieldRule
	fieldsAt map[string]position
	// madeAt are the places of what an address is made of, by their paths.
	madeAt map[string]position
	// Lines is nil where the order's lines are not wanted.
	Lines *LinesRule
	// Attachments is nil where no documents are wanted. FieldsAlone: the recipe says so (attachments: off).
	Attachments *AttachmentsRule
	FieldsAlone bool
	// Related are other pages that belong to an order.
	Related []RelatedRule
	Dialogs DialogAnswer
	// Folder is the template of an order's folder below orders/. CheckFolder says
	// whether it can be filled in.
	Folder string
	// folderAt is where Folder stands in the file.
	folderAt position
	Limits   Limits
	Block    Block
	Mode     Mode
	// opens is the recipe whose orders this one opens, or nil; see Opening.
	opens *Recipe
	// templates are the texts that cells of the sheet stand in.
	templates []placedTemplate
	// placed are its CSS selectors with their places in the file.
	placed []placedSelector
}

// position is a line and column of a recipe's file, counted from 1; zero where there is none.
type position struct{ line, column int }

// PORule says what the portal's order numbers look like.
type PORule struct {
	// Prefixes in upper case, in the file's order.
	Prefixes []string
	// Pattern that every canonical number matches, or nil.
	Pattern *regexp.Regexp
}

// OpenRule says what is done at an order's address before its page is read.
type OpenRule struct {
	// Search finds the order, or is nil: then its address is known.
	Search *SearchRule
	// Steps are done in the page after that, one after the other.
	Steps []Step
}

// SearchRule says how an order is found by its number.
type SearchRule struct {
	// URL is the template of the search's page; it has the number where there is no Input.
	URL string
	// Input is the selector of the field for the number, or empty. Submit is what to click
	// then; where it is empty, Enter is pressed.
	Input, Submit string
	// Result is the selector of what the search finds: links, or elements to click.
	Result string
}

// Told returns the columns of the sheet whose cells are used after an order's address was opened:
// by its steps, and for addresses of data.
func (r *Recipe) Told() (columns []string) {
	var templates []string
	for _, step := range r.Open.Steps {
		templates = append(templates, step.templates()...)
	}
	for _, m := range []Marker{r.NotFound, r.AccessDenied, r.Throttled} {
		templates = append(templates, m.Answer)
	}
	for _, f := range r.Fields {
		templates = append(templates, f.Data.Answer, f.Data.needs(), f.Path.String())
	}
	if r.List != nil && r.List.Data != nil {
		templates = append(templates, r.List.Data.Answer, r.List.Data.needs())
	}
	if docs := r.Attachments; docs != nil && docs.Data != nil {
		templates = append(templates, docs.Data.Answer, docs.Data.needs(), docs.Data.Items.String())
	}
	if docs := r.Attachments; docs != nil {
		templates = append(templates, docs.URLs...)
		if docs.Made != nil {
			templates = append(templates, docs.Made.URL)
		}
	}
	for _, related := range r.Related {
		templates = append(templates, related.URL)
		if related.Data != nil {
			templates = append(templates, related.Data.Answer, related.Data.needs(), related.Data.Link.String())
		}
	}
	for _, text := range templates {
		parts, _ := template.Parse(text) // ReadRecipe has seen to its errors
		for _, p := range parts {
			if name, is := strings.CutPrefix(p.Placeholder, "column:"); is && !slices.Contains(columns, name) {
				columns = append(columns, name)
			}
		}
	}
	return columns
}

// Acts reports whether anything is done to get to the order's page: it is then always
// rendered, and in real time.
func (r *Recipe) Acts() bool {
	return r.Open.Search != nil || len(r.Open.Steps) > 0 || r.List != nil && (r.List.Next != "" || r.List.Frame != "")
}

// TakesNumber reports whether several orders may have one address: what is done there is told
// which order it is for, or the order is a row of what is shown there.
func (r *Recipe) TakesNumber() bool {
	return r.Open.Search != nil || takesNumber(r.Open.Steps) || r.List != nil
}

// Address returns the template of the page that an order is opened at, or an empty text.
func (r *Recipe) Address() string {
	if r.Open.Search != nil {
		return r.Open.Search.URL
	}
	return r.OpenURL
}

// Ready says when a page can be read.
type Ready struct {
	// Selector must be there, Gone must not be. Both may be empty.
	Selector, Gone, Frame string
	// Quiet is how long the page must not have changed; 300 ms by default.
	Quiet time.Duration
	// Timeout is how long all of it may take; 20 s by default.
	Timeout time.Duration
	// Clock is that of the pages while they settle; ClockVirtual by default.
	Clock Clock
	// Ignore are patterns of requests that a page can do without: of paths, or of
	// addresses with their hosts. "*" stands for anything.
	Ignore []string
}

// Clock says in which time pages settle.
type Clock string

const (
	// ClockVirtual lets the clock of a page run ahead, as fast as the page gets its
	// work done. Kinds of pages that do not bear that settle in real time.
	ClockVirtual Clock = "virtual"
	// ClockReal lets all pages settle in real time.
	ClockReal Clock = "real"
)

// Marker recognises a page by any one of its parts.
type Marker struct {
	// Status codes of the page's own HTTP answer.
	Status []int
	// Answer is the pattern of the address at which such a page asks for data, see DataSource, and AnswerStatus are
	// the codes with which that is answered; or they are empty.
	Answer       string
	AnswerStatus []int
	// Selector that is there on such a page only, or empty.
	Selector string
	// Text of which any one is on such a page only.
	Text []string
}

// FieldType says how a field's text is read.
type FieldType string

// The types of fields.
const (
	FieldText   FieldType = "text"
	FieldAmount FieldType = "amount"
	FieldDate   FieldType = "date"
)

// FieldRule says where a field is and how its text is read.
type FieldRule struct {
	Name string
	// Selector of its element, or Label, which is what people read beside it; the other one
	// is empty. Under is the heading of the part of the page that the label stands in, or empty for any.
	Selector, Label, Under, Frame string
	// Also are further selectors of the same value. What they and the first one find must be one
	// text; one that meets nothing is passed over.
	Also []AlsoRule
	// Path finds it in the portal's Data; else it is nil, and there is neither selector nor
	// label.
	Path *Path
	Data DataSource
	// Match finds the part of the text that counts, its first group or all of it; or nil.
	Match *regexp.Regexp
	Type  FieldType
	// Attr is what to take of the element: empty for its text, "value" for
	// what an input holds, or an attribute's name.
	Attr string
	// Locale of an amount or a date, see amount.Parse and calendar.ParseDate; empty for texts.
	Locale string
	// Calendar is the era of a date's years, see calendar.ParseDate; empty for ours.
	Calendar string
	// Layout of a date, see calendar.ParseDate, or "unix" or "unix_ms" for a count since 1970, of which zone
	// says the day; empty for other types.
	Layout string
	zone   *time.Location
	// MinorUnit is how many digits of an amount that is a whole number of minor units, such as cents,
	// are decimals; 0 where it is no such number.
	MinorUnit int
	Required  bool
	// Secret: its value is for addresses, bodies and headers, and is in no result. To are the hosts that may
	// have it besides the portal's own and that which it comes from.
	Secret bool
	To     []string
}

// AlsoRule is a further selector of a field's value.
type AlsoRule struct {
	Selector string
	// Match finds the part of a text that is the value, as FieldRule.Match does, or is nil.
	Match *regexp.Regexp
}

// LinesRule says where the order's lines are.
type LinesRule struct {
	// Row is the selector of one line.
	Row, Frame string
	// Columns in the file's order; their selectors are looked up within a row.
	Columns []ColumnRule
}

// ColumnRule says where one column of a line is.
type ColumnRule struct {
	Name, Selector string
}

// AttachmentsRule says where the documents are.
type AttachmentsRule struct {
	// Item is the selector of a link, or of an element to click.
	Item string
	// Data says where the documents are in the portal's data, in place of Item; or it is nil.
	Data *DataItems
	// Print: the page itself, printed, is the document; or, with an Item, the page that a click on
	// that opens.
	Print bool
	// Shows is the selector of what shows a value on a page that is printed and is not the order's own, or
	// empty.
	Shows string
	// URLs are the templates of the addresses of documents, in place of Item; they may have fields in them.
	URLs []string
	// Frame is where Item, None and Count are looked up.
	Frame string
	// Link is the selector, within an item, of what leads to the document; empty for the item
	// itself. Made says how the address is made of what that holds, or is nil.
	Link string
	Made *LinkRule
	// Name is the selector, within an item, of the document's name, or empty; NameAttr is what
	// to take of that element, as in FieldRule.Attr.
	Name, NameAttr string
	// NameMatch finds the part of that which is the name, its first group or all of it; or nil.
	NameMatch *regexp.Regexp
	// Headers are sent along when documents are asked for.
	Headers []Header
	// Where is what must hold of an item, or nil, and Names of its name.
	Where *WhereRule
	Names NamesRule
	// Pending is the selector, within an item, of what says that its document is not there
	// yet, or empty.
	Pending string
	// Then is the selector of what a click on an item shows, anywhere in the page, and is clicked
	// for its document; or empty.
	Then string
	// SaveAs is the template of the file's name, or empty for the document's own. CheckFolder
	// says whether it can be filled in.
	SaveAs string
	// saveAsAt is where SaveAs stands in the file.
	saveAsAt position
	// None is the selector of the portal's own "there are none", or empty.
	None string
	// Count is the selector of the portal's own number of documents, CountOff where no
	// number on the page is to be read, or empty.
	Count string
	// Expand are selectors of what is clicked before the documents are looked for, once each.
	Expand []string
	// Next leads to the next page of documents, or is empty.
	Next Pick
	// Exclude are items that are no documents, and controls that show none.
	Exclude []Pick
	// Types of text that are documents whatever their names say, and kinds of files that are documents
	// though a system would run them.
	Types []DocumentType
	// Optional: finding none without proof is not a failure.
	Optional bool
	// Whole: a person says that what Item meets, with Expand and Next, is all.
	Whole bool
}

// RelatedRule says where other pages that belong to an order are, and what they list.
type RelatedRule struct {
	// Link is the selector, on the order's own page, of links to them, or empty.
	Link string
	// Data says where their addresses are in the portal's data, or is nil; it has neither Content nor Name.
	Data *DataItems
	// URL is the template of the address of the only one, or empty.
	URL string
	// Attachments say where their documents are; never nil.
	Attachments *AttachmentsRule
}

// WhereRule holds of an item that has, or is, an element that Selector meets, and one with
// a text that Text matches, unless that is nil.
type WhereRule struct {
	Selector string
	Text     *regexp.Regexp
}

// NamesRule holds of a name that matches Include and does not match Exclude. Either may be nil.
type NamesRule struct {
	Include, Exclude *regexp.Regexp
}

// CountOff is the AttachmentsRule.Count by which no number on the page is read.
const CountOff = "off"

// documentTypes returns attachments.types.
func (r *Recipe) documentTypes() []DocumentType {
	if r.Attachments == nil {
		return nil
	}
	return r.Attachments.Types
}

// DialogAnswer says what to do with a page's alert, confirm and prompt.
type DialogAnswer string

// The answers to a dialog.
const (
	DialogDismiss DialogAnswer = "dismiss"
	DialogAccept  DialogAnswer = "accept"
)

// Rate is a number of events per second. 0 is the default rule: 5 per second
// for each host, loopback unlimited.
type Rate float64

// Limits of one order, and of all workers together for Rate.
type Limits struct {
	Rate Rate
	// MaxFileSize in bytes of one document; 200 MB by default.
	MaxFileSize int64
	// MaxFiles of one order; 200 by default.
	MaxFiles int
}

// Block says what a page need not load.
type Block struct {
	Images, Fonts, Media, Styles bool
	// Hosts are host patterns; see HostAllowed.
	Hosts []string
}

// AutoRecipe returns the built-in recipe, which needs no file: it knows no
// selectors, takes the URL from the row, and leaves the rest at its defaults.
func AutoRecipe() *Recipe {
	r := recipeDefaults()
	r.Name, r.Auto = "auto", true
	return r
}

func recipeDefaults() *Recipe {
	return &Recipe{
		Ready:        Ready{Quiet: 300 * time.Millisecond, Timeout: 20 * time.Second, Clock: ClockVirtual},
		NotFound:     Marker{Status: []int{404}},
		AccessDenied: Marker{Status: []int{403}},
		Throttled:    Marker{Status: []int{429, 503}},
		Dialogs:      DialogDismiss,
		Folder:       "{po}",
		Limits:       Limits{MaxFileSize: 200e6, MaxFiles: 200},
		Mode:         ModeAuto,
	}
}

// HostAllowed reports whether pages and documents of the order at orderURL (nil
// where it is not known) may come from host: from base_url's host, or from one that
// matches a pattern of allowed_hosts; and where the recipe has no base_url, from
// the order's own host, on the order's own port. host may carry a port, as in
// url.URL.Host.
//
// A pattern is a host, or "*." and a domain, which stands for all hosts below
// that domain and not for the domain itself. Hosts compare without case and
// without ports, unless the pattern, or base_url, names a port: then only that port
// of the host matches, and a host without one counts as being on 80 and 443.
func (r *Recipe) HostAllowed(host string, orderURL *url.URL) bool {
	base, err := url.Parse(r.BaseURL)
	switch {
	case err == nil && base.Host != "" && !strings.Contains(base.Host, "{"):
		if hostMatchesAny([]string{base.Host}, host) {
			return true
		}
	case orderURL != nil && sameServer(orderURL.Host, host):
		return true
	}
	return hostMatchesAny(r.AllowedHosts, host)
}

// sameServer reports whether two hosts are the same, with their ports. One without a port
// is on 80 and 443.
func sameServer(a, b string) bool {
	nameA, portA := splitHost(a)
	nameB, portB := splitHost(b)
	usual := func(port string) bool { return port == "" || port == "80" || port == "443" }
	return nameA != "" && nameA == nameB && (portA == portB || (portA == "" || portB == "") && usual(portA) && usual(portB))
}

// Blocks reports whether nothing is to be loaded from host, which may carry a
// port. Patterns are those of Recipe.HostAllowed.
func (b Block) Blocks(host string) bool { return hostMatchesAny(b.Hosts, host) }

func hostMatchesAny(patterns []string, host string) bool {
	name, port := splitHost(host)
	return name != "" && slices.ContainsFunc(patterns, func(pattern string) bool {
		want, wantPort := splitHost(pattern)
		if wantPort != "" && wantPort != port && (port != "" || wantPort != "80" && wantPort != "443") {
			return false
		}
		if domain, wild := strings.CutPrefix(want, "*."); wild {
			return strings.HasSuffix(name, "."+domain)
		}
		return name == want
	})
}

// splitHost returns the host's name in the form that compares (lower case,
// international names in their ASCII form, no dot at the end, no brackets), and
// its port, or "".
func splitHost(host string) (name, port string) {
	name = host
	if h, p, err := net.SplitHostPort(host); err == nil {
		name, port = h, p
	}
	name = strings.TrimSuffix(strings.Trim(name, "[]"), ".")
	wildcard := strings.HasPrefix(name, "*.")
	if ascii, err := idna.Lookup.ToASCII(strings.TrimPrefix(name, "*.")); err == nil {
		name = ascii
		if wildcard {
			name = "*." + name
		}
	}
	return strings.ToLower(name), port
}

// RecipeError is one problem of a recipe, at its place in the file.
type RecipeError struct {
	File string
	// Line and Column count from 1; they are 0 where the place is not known.
	Line, Column int
	// Field is the path of the key, "attachments.item"; empty for the file as a whole.
	Field string
	// Message says what is wrong and what to write instead; it goes on after Field.
	Message string
}

func (e *RecipeError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, strings.TrimSpace(e.Field+" "+e.Message))
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, strings.TrimSpace(e.Field+" "+e.Message))
}

// DocumentType is one of attachments.types.
type DocumentType = claims.DocumentType
