package portal

import (
	"fmt"
	"net"
	"slices"
	"strings"
)

// dayShown is how pages write a day.
const dayShown = "02/01/2006"

// plan is what an order's page tells its script to do. Times are milliseconds.
type plan struct {
	Waves     []wave `json:"waves"`
	List      string `json:"list,omitempty"`
	ListAfter int64  `json:"listAfter,omitempty"`
	Console   int    `json:"console,omitempty"`
	Poll      int64  `json:"poll,omitempty"`
	Alert     string `json:"alert,omitempty"`
	Confirm   string `json:"confirm,omitempty"`
	Fault     string `json:"fault,omitempty"`
}

// wave is files that are mounted together.
type wave struct {
	After int64        `json:"after"`
	Files []listedFile `json:"files"`
}

// listedFile is a document as the page lists it.
type listedFile struct {
	Href string `json:"href"`
	Name string `json:"name"`
	Size string `json:"size"`
	Kind kind   `json:"kind"`
	// Blob is where the script gets the bytes of a document without an address.
	Blob string `json:"-"`
	// How says what else the script does, in the words of app.js, or is empty.
	How    string `json:"-"`
	NewTab bool   `json:"-"`
}

// shownLine is a line as the page shows it.
type shownLine struct{ Line }

func (l shownLine) Thumbnail() int      { return l.thumbnail }
func (l shownLine) PriceShown() string  { return grouped(l.Price) }
func (l shownLine) AmountShown() string { return grouped(l.Amount) }

// orderPage is what the template "order" shows.
type orderPage struct {
	Title                            string
	Order                            Order
	Supplier                         shownSupplier
	Total, Issued, Approved, Created string
	Avatar                           int
	Lines                            []shownLine
	Served                           []listedFile
	Counted                          bool // all documents are served with the page, which says how many there are
	Empty                            string
	Trapped                          bool
	Odd                              *oddPage
	Plan                             plan
}

type shownSupplier struct{ Name, Street, City, Contact string }

// newOrderPage describes the order's page as host shows it.
func newOrderPage(o *order, host string) orderPage {
	v := orderPage{
		Title: "Purchase order " + o.Number, Order: o.Order, Total: grouped(o.Total),
		Issued: o.Issued.Format(dayShown), Approved: o.Issued.AddDate(0, 0, -1).Format(dayShown),
		Created: o.Issued.AddDate(0, 0, -4).Format(dayShown),
		Empty:   string(o.empty), Trapped: o.trapped,
		Plan: plan{
			Waves: []wave{}, Console: o.console, Poll: o.polling.Milliseconds(),
			Alert: o.alert, Confirm: o.confirm, Fault: o.fault,
		},
	}
	at := slices.IndexFunc(suppliers(), func(s supplier) bool { return s.name == o.Supplier })
	s := suppliers()[at]
	v.Supplier, v.Avatar = shownSupplier{s.name, s.street, s.city, s.contact}, 1+at%avatars
	for _, l := range o.Lines {
		v.Lines = append(v.Lines, shownLine{l})
	}
	files := listFiles(o, host)
	v.Served, files = files[:o.served], files[o.served:]
	for _, m := range o.mounts {
		v.Plan.Waves = append(v.Plan.Waves, wave{m.after.Milliseconds(), files[:m.documents]})
		files = files[m.documents:]
	}
	v.Counted = len(v.Served) == len(o.Documents) && o.fetched == 0 && (len(v.Served) > 0 || v.Empty == "marked")
	if o.fetched > 0 {
		v.Plan.List, v.Plan.ListAfter = "/api"+o.Path+"/documents", o.fetched.Milliseconds()
	}
	return v
}

// listFiles lists the order's documents as pages of host do.
func listFiles(o *order, host string) []listedFile {
	files := make([]listedFile, len(o.Documents))
	for i, doc := range o.Documents {
		f := listedFile{
			Href: doc.Path, Name: doc.Listed, Size: humanSize(doc.Size), Kind: kindOf(doc.Name),
			NewTab: doc.link == linkBlank,
		}
		switch doc.link {
		case linkBlob, linkLate, linkDoubled:
			f.Blob = fmt.Sprintf("/api%s/content/%d", o.Path, i+1)
			if doc.link != linkBlob {
				f.How = string(doc.link)
			}
		case linkForeign:
			f.Href = "http://" + foreignHost(host) + doc.Path
		}
		files[i] = f
	}
	return files
}

// foreignHost returns another name of this machine, with the same port.
func foreignHost(host string) string {
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		name, port = host, "80"
	}
	foreign := "localhost"
	if strings.EqualFold(name, foreign) {
		foreign = "127.0.0.1"
	}
	return net.JoinHostPort(foreign, port)
}
