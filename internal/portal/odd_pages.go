package portal

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/rand"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// oddPage is what the template "odd" shows, of an order or of its requisition.
type oddPage struct {
	// How is how the documents are listed, in the words of odd.js.
	How string
	// Rows of the documents; Mounted: a script has to put them into the page.
	Rows    []oddRow
	Mounted bool
	// Frame is the address of the frame that has the documents, Requisition that of the
	// requisition, and All that of a ZIP of all documents. Any may be empty.
	Frame, Requisition, All string
	Locales                 []shownValue
}

// oddRow is a document as an odd page lists it.
type oddRow struct {
	Href, Name, Size, State, Token string
	NewTab, Pending                bool
}

// shownValue is a labelled value with the id of its element.
type shownValue struct{ ID, Label, Text string }

// newOddPage describes the odd part of an order's page, which was opened so many times before.
func (p *Portal) newOddPage(o *order, host string, before int) *oddPage {
	v := &oddPage{How: o.odd, Rows: p.oddRows(o, o.oddDocuments(false), before), Mounted: o.byScript()}
	at := "/orders/" + o.Number + "/part"
	switch o.odd {
	case "frame":
		v.Frame = at + "/list"
	case "foreign":
		v.Frame = "http://" + foreignHost(host) + at + "/list"
	case "nested":
		v.Frame = "http://" + foreignHost(host) + at + "/frame"
	case "requisition", "gone":
		v.Requisition = "/requisitions/" + o.Number
	case "all":
		v.All = at + "/all"
	case "locales":
		v.Locales = o.locales()
	}
	if v.Frame != "" {
		v.Rows = nil
	}
	return v
}

// oddRows describes those of the order's documents, on a page that was opened so many times
// before.
func (p *Portal) oddRows(o *order, which []int, before int) []oddRow {
	var rows []oddRow
	for _, i := range which {
		doc := &o.Documents[i]
		row := oddRow{
			Href: doc.Path, Name: doc.Listed, Size: humanSize(doc.Size), State: "Released",
			NewTab: doc.link == linkBlank, Pending: before < doc.pending,
		}
		if doc.draft {
			row.State = "Draft"
		}
		switch doc.delivery {
		case deliverOnce, deliverBriefly:
			row.Href += "?ticket=" + p.passes.issue()
		case deliverForm:
			row.Token = p.passes.issue()
		}
		rows = append(rows, row)
	}
	return rows
}

// locales returns the order's values as several countries write them.
func (o *order) locales() []shownValue {
	return []shownValue{
		{"total-de", "Gesamtsumme", separated(o.Total, ".", ",")},
		{"total-fr", "Montant total", separated(o.Total, "\u202f", ",")},
		{"total-ch", "Total CHF", separated(o.Total, "’", ".")},
		{"credit", "Credit", "(12.50)"},
		{"debit", "Debit", "12.50-"},
		{"issued-us", "Date (US)", o.Issued.Format("01/02/06")},
		{"issued-de", "Datum", o.Issued.Format("02.01.2006")},
	}
}

// servePart answers with a part of an odd order's page.
func (p *Portal) servePart(w http.ResponseWriter, r *http.Request) {
	o := p.byNumber[r.PathValue("number")]
	if o == nil || o.odd == "" {
		p.serveElse(w, r)
		return
	}
	view := &oddPage{How: oddPlain}
	switch r.PathValue("part") {
	case "list":
		view.Rows = p.oddRows(o, o.oddDocuments(false), 0)
	case "frame":
		view.Frame = "http://" + foreignHost(r.Host) + "/orders/" + o.Number + "/part/list"
	case "all":
		archive := newContent(kindZIP, o.Number, [32]byte{}, 20<<10)
		doc := &Document{Sent: "All documents.zip", MIME: kindZIP.mime(), Size: archive.size, SHA256: archive.digest(), content: archive}
		documentHeader(w, doc)
		send(w, doc)
		return
	default:
		p.serveElse(w, r)
		return
	}
	p.writeTemplate(w, "part", view)
}

// serveRequisition answers with the requisition that an order came from.
func (p *Portal) serveRequisition(w http.ResponseWriter, r *http.Request) {
	o := p.byNumber[r.PathValue("number")]
	if o == nil || o.odd != "requisition" {
		p.serveElse(w, r)
		return
	}
	if p.pause(r, p.config.Latency) {
		p.writeTemplate(w, "requisition", struct {
			Title, Number string
			Odd           *oddPage
		}{"Requisition", "RQ-" + o.Number[len(o.Number)-4:], &oddPage{How: oddPlain, Rows: p.oddRows(o, o.oddDocuments(true), 0)}})
	}
}

// writeTemplate answers with a page that a template makes.
func (p *Portal) writeTemplate(w http.ResponseWriter, name string, view any) {
	page, err := p.render(name, view)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	writePage(w, http.StatusOK, page)
}

// serveUnsteady answers in place of an order's page that was asked for so many times before,
// and reports whether it did.
func (p *Portal) serveUnsteady(w http.ResponseWriter, r *http.Request, o *order, before int) bool {
	switch {
	case o.page == pageThrottled && before == 0:
		w.Header().Set("Retry-After", "1")
		p.serveNotice(w, http.StatusTooManyRequests, serverError())
	case o.page == pageGateway && before == 0:
		p.serveNotice(w, http.StatusBadGateway, serverError())
	case o.page == pageAway:
		http.Redirect(w, r, "http://elsewhere.example"+o.Path, http.StatusFound)
	case o.page == pageRefresh && !r.URL.Query().Has("shown"):
		pageHeader(w)
		// An error means that the client has gone.
		_, _ = fmt.Fprintf(w, `<!DOCTYPE html><title>One moment</title><meta http-equiv="refresh" content="0; url=%s?shown"><p>Your order is being opened.</p>`, o.Path)
	default:
		return false
	}
	return true
}

// writeEncoded sends a page in a charset of its own.
func writeEncoded(w http.ResponseWriter, o *order, page []byte) {
	pageHeader(w)
	switch o.page {
	case pageWindows1252:
		w.Header().Set("Content-Type", "text/html; charset=windows-1252")
		page = encoded(page, func(c rune) []byte {
			if c > 0x9f && c < 0x100 {
				return []byte{byte(c)}
			}
			return nil
		})
	case pageShiftJIS:
		w.Header().Set("Content-Type", "text/html")
		page = bytes.Replace(page, []byte(`<meta charset="utf-8">`), []byte(`<meta charset="shift_jis">`), 1)
		page = encoded(page, func(c rune) []byte { return shiftJIS()[c] })
	case pageMislabelled:
		w.Header().Set("Content-Type", "text/html; charset=windows-1252")
	}
	_, _ = w.Write(page) // an error means that the client has gone
}

// encoded returns a page with its characters as encode says, and those of which it says nothing
// as references.
func encoded(page []byte, encode func(rune) []byte) []byte {
	var b bytes.Buffer
	for _, c := range string(page) {
		switch own := encode(c); {
		case c < 0x80:
			b.WriteRune(c)
		case own != nil:
			b.Write(own)
		default:
			b.WriteString("&#" + strconv.Itoa(int(c)) + ";")
		}
	}
	return b.Bytes()
}

// shiftJISBuyer is a buyer whose name a page can show in Shift_JIS.
const shiftJISBuyer = "田中 愛子"

// shiftJIS returns the characters of shiftJISBuyer in Shift_JIS.
func shiftJIS() map[rune][]byte {
	return map[rune][]byte{'田': {0x93, 0x63}, '中': {0x92, 0x86}, '愛': {0x88, 0xa4}, '子': {0x8e, 0x71}}
}

// serveOdd answers with a document in an odd way.
func (p *Portal) serveOdd(w http.ResponseWriter, r *http.Request, doc *Document, before int) {
	switch doc.delivery {
	case deliverOnce, deliverBriefly:
		var lasts time.Duration
		if doc.delivery == deliverBriefly {
			lasts = 5 * p.config.Slow
		}
		if !p.passes.use(r.URL.Query().Get("ticket"), lasts) {
			p.serveNotice(w, http.StatusGone, noticePage{Title: "Link expired", Heading: "Link expired", Class: "error", Icon: "warning", Text: "This link has expired."})
			return
		}
	case deliverForm:
		if r.Method != http.MethodPost || !p.passes.use(r.FormValue("token"), 0) {
			p.serveNotice(w, http.StatusForbidden, noticePage{Title: "Denied", Heading: "Denied", Class: "denied", Icon: "lock", Text: "Send the form."})
			return
		}
	case deliverCutOnce:
		if before == 0 {
			p.truncate(w, doc)
		}
	}
	documentHeader(w, doc)
	switch doc.delivery {
	case deliverCompressed:
		w.Header().Del("Content-Length")
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_ = doc.content.write(z) // an error means that the client has gone
		_ = z.Close()
	case deliverChunked:
		w.Header().Del("Content-Length")
		_ = http.NewResponseController(w).Flush()
		send(w, doc)
	default:
		send(w, doc)
	}
}

// passes are tokens that pages give out, and that let documents be had.
type passes struct {
	mu     sync.Mutex
	issued map[string]time.Time
}

func (s *passes) issue() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.issued == nil {
		s.issued = map[string]time.Time{}
	}
	token := rand.Text()
	s.issued[token] = time.Now()
	return token
}

// use reports whether a token was issued, for no longer than lasts, and takes it back where
// that is 0.
func (s *passes) use(token string, lasts time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, ok := s.issued[token]
	if lasts > 0 {
		return ok && time.Since(at) <= lasts
	}
	delete(s.issued, token)
	return ok
}

// separated returns an amount in canonical form with other separators.
func separated(amount, group, decimal string) string {
	var b bytes.Buffer
	for _, c := range grouped(amount) {
		b.WriteString(cmp.Or(map[rune]string{',': group, '.': decimal}[c], string(c)))
	}
	return b.String()
}

// misread returns a text of UTF-8 as a browser shows it that takes it for Windows-1252.
func misread(text string) string {
	var b bytes.Buffer
	for _, c := range []byte(text) {
		b.WriteRune(rune(c)) // none of what is misread here is in the range where the two differ
	}
	return b.String()
}
