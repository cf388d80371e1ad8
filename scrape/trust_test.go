package scrape

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/scrape/verdict"
	"github.com/poscrape/poscrape/tasks"
)

const someKind = "https://h/orders/#?"

// trial is a trust with its story.
type trial struct {
	*testing.T
	portal *Portal
	*trust
	story []string
}

func newTrial(t *testing.T) *trial {
	p := NewPortal(AutoRecipe(), nil)
	tr := &trial{T: t, portal: p, trust: &p.trust}
	p.OnEvent(func(e tasks.Event) { tr.story = append(tr.story, e.Type+" "+e.Detail) })
	return tr
}

// both reads an order both ways.
func (tr *trial) both(print, differs string) {
	tr.Helper()
	id := uuid.New()
	if w, mark := tr.way(someKind, id, true); w == wayRender {
		tr.Errorf("an order is only rendered before anything is known")
	} else {
		tr.compared(comparison{kind: someKind, print: print, order: "PO1", id: id, mark: mark, differs: differs})
	}
}

func (tr *trial) earn(print string) {
	tr.Helper()
	for range earnedBy {
		tr.both(print, "")
	}
}

// fetch has an order fetched, and returns its id.
func (tr *trial) fetch(print string, want treatment) uuid.UUID {
	tr.Helper()
	id := uuid.New()
	if got := tr.treat(someKind, print, &tasks.ProcessingTask{ID: id}, false); got != want {
		tr.Errorf("the treatment is %d, want %d", got, want)
	}
	return id
}

func (tr *trial) wantWay(want way) {
	tr.Helper()
	if got, _ := tr.way(someKind, uuid.New(), true); got != want {
		tr.Errorf("the way is %d, want %d", got, want)
	}
}

func (tr *trial) wantUnproven(ending bool, want ...uuid.UUID) {
	tr.Helper()
	if got := tr.portal.Unproven(ending); !slices.Equal(got, want) {
		tr.Errorf("unproven are %v, want %v", got, want)
	}
}

func TestTrustIsEarnedBySameness(t *testing.T) {
	t.Parallel()
	tr := newTrial(t)
	for range earnedBy - 1 {
		tr.both("a", "")
	}
	tr.compared(comparison{kind: someKind, print: "a", lacking: true}) // says nothing
	tr.wantWay(wayCompare)
	tr.fetch("a", treatUnknown)
	tr.both("a", "")
	tr.wantWay(wayFetch)
	tr.fetch("a", treatUse)
	tr.fetch("b", treatUnknown)
	if !tr.trusted("https://h") || tr.trusted("https://h2") || tr.trusted("http://h") {
		t.Error("another origin is trusted")
	}
	if w, _ := tr.way(someKind, uuid.New(), false); w != wayRender {
		t.Error("an order that did not end well is fetched again")
	}
	if len(tr.story) != 1 || !strings.HasPrefix(tr.story[0], tasks.EventTrustEarned) {
		t.Errorf("the story is %v", tr.story)
	}
}

func TestTrustIsNotEarnedByPagesThatDiffer(t *testing.T) {
	t.Parallel()
	tr := newTrial(t)
	tr.both("a", "")
	tr.both("a", "it lists 2 documents rendered, and 1 fetched")
	tr.wantWay(wayRender)
	tr.compared(comparison{kind: someKind, print: "a"}) // it is too late
	tr.fetch("a", treatUnknown)
	if len(tr.story) != 1 || !strings.Contains(tr.story[0], "PO1: it lists 2") {
		t.Errorf("the story is %v", tr.story)
	}
}

// A kind of page of which more than one in five fall back is rendered at once, from the
// tenth fetched order on. Audits are no fall-backs.
func TestKindsThatFallBackAreRendered(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		used, fellBack int
		want           way
	}{
		"none":               {50, 0, wayFetch},
		"one in five":        {8, 2, wayFetch},
		"few orders":         {6, 3, wayFetch},
		"more than in five":  {7, 3, wayRender},
		"all":                {0, 10, wayRender},
		"many, a few of all": {80, 20, wayFetch},
		"many":               {80, 21, wayRender},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr := newTrial(t)
			tr.earn("a")
			audits := 0
			for range test.used {
				if tr.treat(someKind, "a", &tasks.ProcessingTask{ID: uuid.New()}, false) == treatAudit {
					audits++
				}
			}
			if test.used > firstAudit && audits == 0 {
				t.Error("no order was audited")
			}
			for range test.fellBack {
				tr.fellBack(someKind)
			}
			tr.wantWay(test.want)
			if other, _ := tr.way("https://h/invoices/#?", uuid.New(), true); other != wayCompare {
				t.Errorf("the way of another kind is %d", other)
			}
			if tr.trusted("https://h") != (test.want == wayFetch) {
				t.Errorf("the origin is trusted: %t", tr.trusted("https://h"))
			}
			told := slices.ContainsFunc(tr.story, func(e string) bool { return strings.Contains(e, "rendered at once") })
			if told != (test.want == wayRender) {
				t.Errorf("the story is %v", tr.story)
			}
		})
	}
}

// What was only fetched is proven also where its kind of page is rendered at once by now.
func TestFetchedOrdersOfKindsThatFallBackAreProven(t *testing.T) {
	t.Parallel()
	tr := newTrial(t)
	tr.earn("a")
	used := tr.fetch("a", treatUse)
	for range minFetches {
		tr.fellBack(someKind)
	}
	tr.wantWay(wayRender)
	tr.wantUnproven(false, used)
	if w, _ := tr.way(someKind, used, false); w != wayCompare {
		t.Errorf("the way of the last fetched order is %d", w)
	}
}

// Scripts that are still to be learned are no reason to render all orders, as long as
// there are not too many of them.
func TestNewScriptsAreLearnedBesideTrustedOnes(t *testing.T) {
	t.Parallel()
	tr := newTrial(t)
	tr.earn("a")
	for range minFetches {
		tr.fetch("b", treatUnknown)
	}
	tr.wantWay(wayFetch)
	for n := range maxTries {
		tr.fetch(fmt.Sprint(n), treatUnknown)
	}
	tr.wantWay(wayRender)
}

// A portal whose scripts are others on each page is not learned for ever.
func TestTrustIsGivenUp(t *testing.T) {
	t.Parallel()
	tr := newTrial(t)
	tries := 0
	for n := range 2 * maxTries {
		w, mark := tr.way(someKind, uuid.New(), true)
		if w == wayCompare {
			tries++
			tr.compared(comparison{kind: someKind, print: fmt.Sprint(n), mark: mark})
		}
	}
	if tries > maxPrints+1 {
		t.Errorf("%d orders were read both ways", tries)
	}
}

func TestAuditsConfirmWhatCameBefore(t *testing.T) {
	t.Parallel()
	tr := newTrial(t)
	tr.earn("a")
	for range firstAudit - 1 {
		tr.fetch("a", treatUse)
	}
	_, mark := tr.way(someKind, uuid.New(), true)
	tr.fetch("a", treatAudit)
	meanwhile := tr.fetch("a", treatUse)
	tr.compared(comparison{kind: someKind, print: "a", mark: mark})
	tr.wantUnproven(true, meanwhile)
	tr.wantUnproven(true)
}

func TestLostTrustReadsAgain(t *testing.T) {
	t.Parallel()
	tr := newTrial(t)
	tr.earn("a")
	tr.earn2("b")
	first, second, other := tr.fetch("a", treatUse), tr.fetch("a", treatUse), tr.fetch("b", treatUse)
	rendered := tr.fetch("a", treatUse)
	tr.rendered(rendered)
	tr.compared(comparison{kind: someKind, print: "a", order: "PO9", differs: "it differs"})
	tr.fetch("a", treatUnknown)
	tr.wantWay(wayFetch) // for the others
	tr.wantUnproven(false, first, second, other)
	if w, _ := tr.way(someKind, other, false); w != wayCompare {
		t.Error("the last order of its kind is not read both ways")
	}
	if last := tr.story[len(tr.story)-1]; !strings.HasPrefix(last, tasks.EventTrustLost) || !strings.Contains(last, "PO9: it differs; 2 orders") {
		t.Errorf("the story is %v", tr.story)
	}
}

// earn2 earns trust for other scripts while some are trusted.
func (tr *trial) earn2(print string) {
	for range earnedBy {
		tr.compared(comparison{kind: someKind, print: print})
	}
}

// The last order is read both ways; where nothing comes of that, all are.
func TestLastOrdersAreProven(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"same", "different", "unknown"} {
		t.Run(end, func(t *testing.T) {
			t.Parallel()
			tr := newTrial(t)
			tr.earn("a")
			first, second, last := tr.fetch("a", treatUse), tr.fetch("a", treatUse), tr.fetch("a", treatUse)
			tr.wantUnproven(false, last)
			_, mark := tr.way(someKind, last, false)
			switch end {
			case "same":
				tr.compared(comparison{kind: someKind, print: "a", id: last, mark: mark})
				tr.wantUnproven(false)
			case "different":
				tr.compared(comparison{kind: someKind, print: "a", id: last, mark: mark, differs: "it differs"})
				tr.wantUnproven(false, first, second)
			case "unknown":
				tr.wantUnproven(false, first, second)
			}
			tr.wantUnproven(false)
			tr.wantUnproven(true)
		})
	}
}

func TestKindsOfPages(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://h/orders/PO1001":             "https://h/orders/#?",
		"https://h:8443/o/10-7/x.html#top":    "https://h:8443/o/#-#/x.html?",
		"http://h/order?id=7&lang=en&id=8":    "http://h/order?id&lang",
		"http://h/order?lang=de&id=9":         "http://h/order?id&lang",
		"https://h/bestellung/größe4/drucken": "https://h/bestellung/#/drucken?",
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := kindOf(u); got != want {
			t.Errorf("%s is %s, want %s", address, got, want)
		}
	}
}

// Whatever is not the same is told, and nothing is that is.
func TestDiffers(t *testing.T) {
	t.Parallel()
	whole := func() page {
		return page{Identity: verdict.IdentitySure, Fields: map[string]string{"total": "5"}, Lines: []map[string]string{{"sku": "A"}},
			Items: []item{{Name: "a.pdf", URL: "https://h/a"}, {Name: "b.pdf", URL: "https://h/b"}}, Sources: []string{"script h/app.js"}}
	}
	same := whole()
	if why := (&fetched{page: whole()}).differs(&same); why != "" {
		t.Errorf("two equal pages: %s", why)
	}
	for name, change := range map[string]func(*page){
		"identity": func(p *page) { p.Identity = "mentioned" },
		"refusal":  func(p *page) { p.Refusal.Kind = verdict.RefusalDenied },
		"login":    func(p *page) { p.Refusal.Kind = verdict.RefusalSignIn },
		"none":     func(p *page) { p.None = true },
		"missing":  func(p *page) { p.Items = p.Items[:1] },
		"order":    func(p *page) { slices.Reverse(p.Items) },
		"address":  func(p *page) { p.Items[1].URL = "https://h/c" },
		"name":     func(p *page) { p.Items[0].Name = "c.pdf" },
		"field":    func(p *page) { p.Fields["total"] = "6" },
		"more":     func(p *page) { p.Fields["tax"] = "1" },
		"line":     func(p *page) { p.Lines[0]["sku"] = "B" },
		"lines":    func(p *page) { p.Lines = nil },
	} {
		for _, way := range []string{"rendered", "fetched"} {
			rendered, f := whole(), &fetched{page: whole()}
			if way == "rendered" {
				change(&rendered)
			} else {
				change(&f.page)
			}
			if f.differs(&rendered) == "" {
				t.Errorf("%s, %s: the pages are said to be the same", name, way)
			}
		}
	}
	for name, change := range map[string]func(*page){
		"asks":    func(p *page) { p.Asks = true },
		"scripts": func(p *page) { p.Sources = append(p.Sources, "script h/more.js") },
	} {
		rendered := whole()
		change(&rendered)
		if (&fetched{page: whole()}).differs(&rendered) == "" {
			t.Errorf("%s: the pages are said to be the same", name)
		}
	}
}

// Orders of a run that was killed are proven by the first page that is read both ways,
// or by the last of them where there is none.
func TestAdoptedOrdersAreProven(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"same", "different", "none"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			tr := newTrial(t)
			first, last := uuid.New(), uuid.New()
			for _, id := range []uuid.UUID{first, last} {
				tr.portal.trust.adopt(someKind, &tasks.ProcessingTask{ID: id})
			}
			tr.wantUnproven(true)
			switch how {
			case "same":
				tr.compared(comparison{kind: someKind, print: "a"})
			case "different":
				tr.compared(comparison{kind: someKind, print: "a", differs: "it differs"})
				tr.wantUnproven(false, first, last)
			case "none":
				tr.wantUnproven(false, last)
				tr.wantUnproven(false, first)
			}
			tr.wantUnproven(false)
		})
	}
}
