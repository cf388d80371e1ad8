package drift

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// portal makes up orders as honest portals have them: amounts of all sizes, fields that some orders
// lack, suppliers in several scripts, few and many lines and documents. Its sheet may be sorted
// by supplier, and is wrong here and there.
type portal struct {
	*rand.Rand
	supplier string
	left     int
	sorted   bool
	wrong    float64
}

var (
	words = []string{"Acme", "Nordlys", "3M", "Sector 7", "Øst", "東京製作所", "Завод Прогресс", "Société du Nord", "شركة النور", "Brightwell", "Müller & Söhne", "北京华联", "Studio 54"}
	kinds = []string{"GmbH", "Ltd.", "A/S", "株式会社", "ООО", "S.A.", "Inc.", ""}
)

func (p *portal) order(n int) Order {
	if p.left--; p.left < 0 || !p.sorted {
		p.supplier = words[p.IntN(len(words))] + " " + kinds[p.IntN(len(kinds))]
		p.left = 1 + p.IntN(25)
	}
	o := Order{Name: fmt.Sprint("PO", n), Group: p.supplier, Required: map[string]bool{"identity": true, "lines.row": true}, Met: map[string]int{"identity": 1, "lines.row": 1 + int(p.ExpFloat64()*8)}, Fields: map[string]Value{}}
	// Suppliers of some kinds never have documents, or a contract.
	if len(p.supplier)%3 == 0 {
		o.Met["attachments.item"] = 0
	} else {
		o.Met["attachments.item"] = int(p.ExpFloat64() * 4)
	}
	put := func(name, text string, required bool) {
		where := "fields." + name
		o.Met[where] = 0
		if text == "" {
			return
		}
		same := p.Float64() >= p.wrong
		o.Met[where], o.Fields[where], o.Required[where] = 1, Value{Text: text, Sheet: &same}, required
	}
	amount := math.Exp(p.NormFloat64()*2.5 + 6)
	put("supplier", p.supplier, true)
	put("total", fmt.Sprintf("%.2f", amount), true)
	put("currency", []string{"EUR", "USD", "CHF"}[len(p.supplier)%3], true)
	put("issued", fmt.Sprintf("%02d/%02d/2025", 1+p.IntN(28), 1+p.IntN(12)), true)
	put("buyer", words[p.IntN(len(words))]+" "+words[p.IntN(len(words))], false)
	contract := ""
	if len(p.supplier)%2 == 0 {
		contract = fmt.Sprint("C-", p.IntN(9000))
	}
	put("contract", contract, false)
	remark := ""
	if p.Float64() < 0.1 {
		remark = strings.Repeat("please call before delivery ", 1+p.IntN(6))
	}
	put("remark", remark, false)
	put("terms", []string{"Net 30", "Net 60", "2 % 14 days, 30 days net", "prepaid"}[p.IntN(4)], false)
	return o
}

func newPortal(seed uint64) *portal {
	r := rand.New(rand.NewPCG(seed, 7))
	return &portal{Rand: r, sorted: seed%2 == 0, wrong: []float64{0, 0.05, 0.2}[seed%3]}
}

// TestFewFalseAlarms sees thousands of orders of portals that do not change.
func TestFewFalseAlarms(t *testing.T) {
	t.Parallel()
	alarmed, portals := 0, 40
	if os.Getenv("POSCRAPE_THOROUGH") != "" {
		portals = 1000
	}
	for seed := range uint64(portals) {
		p, w, told := newPortal(seed), New(), []Change(nil)
		for n := range 150 {
			told = append(told, w.See(p.order(n))...)
		}
		if len(told) > 0 {
			alarmed++
		}
		if len(told) > 1 {
			t.Errorf("portal %d has not changed: %+v", seed, told)
		}
	}
	if alarmed > 1+portals/30 {
		t.Errorf("there were alarms on %d of %d portals that have not changed", alarmed, portals)
	}
	t.Logf("alarms on %d of %d portals that have not changed", alarmed, portals)
}

// changes are what portals do to recipes.
var changes = map[string]struct {
	where  string
	change func(o *Order)
}{
	"a required field is lost": {"fields.total", func(o *Order) { o.Met["fields.total"] = 0; delete(o.Fields, "fields.total") }},
	"a field is lost":          {"fields.buyer", func(o *Order) { o.Met["fields.buyer"] = 0; delete(o.Fields, "fields.buyer") }},
	"the rows are lost":        {"lines.row", func(o *Order) { o.Met["lines.row"] = 0 }},
	"the number is lost":       {"identity", func(o *Order) { o.Met["identity"] = 0 }},
	"a label is read":          {"fields.total", func(o *Order) { o.Fields["fields.total"] = Value{Text: "Total", Unreadable: true} }},
	"a date is read": {"fields.buyer", func(o *Order) {
		v := o.Fields["fields.buyer"]
		v.Text = o.Fields["fields.issued"].Text
		o.Fields["fields.buyer"] = v
	}},
	"one text is read everywhere": {"fields.issued", func(o *Order) { o.Fields["fields.issued"] = Value{Text: "01/01/2026"} }},
	"a currency is added": {"fields.total", func(o *Order) {
		v := o.Fields["fields.total"]
		v.Text = "€ " + v.Text
		o.Fields["fields.total"] = v
	}},
	"another amount is read": {"fields.total", func(o *Order) {
		no := false
		v := o.Fields["fields.total"]
		v.Text, v.Sheet = "1"+v.Text, &no
		o.Fields["fields.total"] = v
	}},
	"it meets two":        {"fields.total", func(o *Order) { o.Met["fields.total"] = 2 }},
	"every link is met":   {"attachments.item", func(o *Order) { o.Met["attachments.item"] = 900 }},
	"every row is a line": {"lines.row", func(o *Order) { o.Met["lines.row"] += 900 }},
}

// TestChangesAreNoticed has portals change in the middle of a session, and between two.
func TestChangesAreNoticed(t *testing.T) {
	t.Parallel()
	late, all, seeds := map[string]int{}, 0, 6
	if os.Getenv("POSCRAPE_THOROUGH") != "" {
		seeds = 200
	}
	for name, c := range changes {
		for seed := range uint64(seeds) {
			for _, before := range []bool{false, true} {
				p, w := newPortal(seed), New()
				w2 := w
				for n := range 30 {
					if before {
						w2.Remember(p.order(n))
					} else {
						w.See(p.order(n))
					}
				}
				w.Begin()
				noticed := 0
				for n := 1; n <= 10 && noticed == 0; n++ {
					o := p.order(1000 + n)
					c.change(&o)
					if slices.ContainsFunc(w.See(o), func(told Change) bool { return told.Where == c.where }) {
						noticed = n
					}
				}
				all++
				if noticed == 0 {
					late[name]++
				}
			}
		}
	}
	sum := 0
	for name, n := range late {
		sum += n
		t.Logf("%s: not noticed within ten orders on %d of %d", name, n, 2*seeds)
	}
	if sum*20 > all {
		t.Errorf("of %d changes, %d were not noticed within ten orders", all, sum)
	}
}

func TestAChangeIsToldOnce(t *testing.T) {
	t.Parallel()
	w, told := New(), 0
	for n := range 60 {
		met := 1
		if n >= 20 {
			met = 0
		}
		o := Order{Name: fmt.Sprint(n), Met: map[string]int{"identity": met}}
		for _, c := range w.See(o) {
			told++
			if c.Says != "met nothing on the last 5 orders, and something on 20 of 20 before" || !slices.Equal(c.Orders, []string{"20", "21", "22", "23", "24"}) {
				t.Errorf("told %+v", c)
			}
		}
		w.See(o) // read again, it counts once
	}
	if told != 1 {
		t.Errorf("told %d times", told)
	}
}

func TestFewOrdersSayNothing(t *testing.T) {
	t.Parallel()
	w := New()
	for n := range 50 {
		met := 0
		if n < 4 {
			met = 1
		}
		if told := w.See(Order{Name: fmt.Sprint(n), Met: map[string]int{"identity": met}}); len(told) > 0 {
			t.Fatalf("after %d orders it told %+v", n, told)
		}
	}
}
