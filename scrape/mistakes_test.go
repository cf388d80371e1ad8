package scrape_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit/portalkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// spot is one selector of a recipe, and what is done to it.
type spot struct {
	where    string
	selector *string
	remove   func()
}

// spots lists the selectors of a recipe by their places, as a report names them.
func spots(r *scrape.Recipe) []spot {
	var all []spot
	add := func(where string, selector *string) {
		if *selector != "" {
			all = append(all, spot{where, selector, func() { *selector = "" }})
		}
	}
	add("ready.selector", &r.Ready.Selector)
	add("ready.gone", &r.Ready.Gone)
	add("identity.selector", &r.Identity)
	add("not_found.selector", &r.NotFound.Selector)
	add("access_denied.selector", &r.AccessDenied.Selector)
	for i := range r.Fields {
		at := &r.Fields[i].Selector
		if *at == "" {
			at = &r.Fields[i].Label
		}
		all = append(all, spot{"fields." + r.Fields[i].Name + ".selector", at, func() { r.Fields = slices.Delete(r.Fields, i, i+1) }})
	}
	if r.Lines != nil {
		all = append(all, spot{"lines.row", &r.Lines.Row, func() { r.Lines = nil }})
		for i := range r.Lines.Columns {
			all = append(all, spot{"lines.columns." + r.Lines.Columns[i].Name, &r.Lines.Columns[i].Selector,
				func() { r.Lines.Columns = slices.Delete(r.Lines.Columns, i, i+1) }})
		}
	}
	if a := r.Attachments; a != nil {
		all = append(all, spot{"attachments.item", &a.Item, nil}) // without it there is no recipe
		add("attachments.link", &a.Link)
		add("attachments.name", &a.Name)
		if a.Where != nil {
			all = append(all, spot{"attachments.where", &a.Where.Selector, func() { a.Where = nil }})
		}
		add("attachments.pending", &a.Pending)
		add("attachments.then", &a.Then)
		add("attachments.none", &a.None)
		add("attachments.count", &a.Count)
		for i := range a.Exclude {
			all = append(all, spot{fmt.Sprintf("attachments.exclude[%d]", i), &a.Exclude[i].Selector, nil})
		}
	}
	return all
}

// oneLetter returns the selector with its first letter changed, as a slip of the
// finger does.
func oneLetter(selector string) string {
	i := strings.IndexFunc(selector, func(r rune) bool { return r >= 'a' && r <= 'y' })
	return selector[:i] + string(rune(selector[i]+1)) + selector[i+1:]
}

// allMistakes is the environment variable with which every mistake is made in every
// selector, in every mode, as make mistakes does; else each selector has one of them, in
// one mode, in turn.
const allMistakes = "POSCRAPE_ALL_MISTAKES"

// likeOthers are the places of the recipes that are written as others are:
// mistakes are made in these only where every mistake is.
var likeOthers = []string{"fields.buyer.selector", "lines.columns.line", "lines.columns.sku", "lines.columns.description", "lines.columns.quantity", "lines.columns.unit", "lines.columns.price",
	"access_denied.selector", "attachments.exclude[1]"}

// mistaken are the recipes. Unless every mistake is made, one of a place is made in the first of them that
// has it, and that of the item of attachments in each.
var mistaken = []string{"full", "containers", "demo", "small", "least"}

// hasBefore reports whether a recipe before that one has a place.
func hasBefore(t *testing.T, name, where string) bool {
	t.Helper()
	for _, before := range mistaken[:slices.Index(mistaken, name)] {
		if where != "attachments.item" && slices.ContainsFunc(spots(mistakenRecipe(t, before)), func(s spot) bool { return s.where == where }) {
			return true
		}
	}
	return false
}

// mayMeetNothing are the places whose selectors may rightly meet nothing: of these it
// is only noted.
var mayMeetNothing = []string{"ready.gone", "not_found.selector", "access_denied.selector", "attachments.exclude[0]", "attachments.pending", "attachments.then"}

// mistakenPortal has orders of all that a mistake can hide: with and without
// documents, at once and late, and one that shows another order.
func mistakenPortal(t *testing.T) (*portal.Portal, string) {
	return portalkit.Start(t, portal.Config{Variations: []portal.Variation{
		portal.Plain, portal.NoneMarker, portal.ScriptMount, portal.WrongOrder, portal.Plain, portal.Plain,
		portal.Plain, portal.Plain, portal.NoneMarker, portal.Plain,
	}, Orders: 10})
}

// onceEach of that portal's orders have each of its variations.
const onceEach = 4

// mistakenRecipes are the demo portal's own, a full one, a small one, one of labels and
// containers, and the least that
// finds documents. The demo portal shows no number of documents: count meets nothing there.
var mistakenRecipes = map[string]string{
	"full": "version: 1\nidentity: {selector: '#po-number'}\nready: {selector: '#attachments', gone: '.spinner'}\n" +
		"fields: {supplier: {selector: '#supplier', required: true}, total: {selector: '#total', type: amount, locale: en, required: true}}\n" +
		"attachments: {item: '#attachments li a', name: .filename, none: .no-attachments, count: '#attachments-title b', exclude: ['#attachments ul.aids a', '#attachments .tile.htm']}\n",
	"small": "version: 1\nidentity: {selector: '#po-number'}\nattachments: {item: '#attachments a.attachment', none: .no-attachments}\n",
	"containers": "version: 1\nidentity: {selector: '#po-number'}\n" +
		"fields: {supplier: {label: Supplier, required: true}, total: {label: 'Total', match: '[\\d,.]+', type: amount, locale: en, required: true}}\n" +
		"attachments: {item: '#attachments .files li', link: a.attachment, name: .filename, where: {selector: .size, text: 'B$'}, pending: .preparing, none: .no-attachments}\n",
	"least": "version: 1\nattachments: {item: '#attachments a.attachment'}\n",
}

func mistakenRecipe(t *testing.T, name string) *scrape.Recipe {
	t.Helper()
	r := demoRecipe(t)
	if text, ok := mistakenRecipes[name]; ok {
		var err error
		if r, err = scrape.ReadRecipe(name+".yaml", strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
	}
	r.Limits.Rate, r.Limits.MaxFiles, r.Ready.Timeout = 1e6, 3, 1500*time.Millisecond
	return r
}

// TestMistakesInRecipes makes every slip in every selector of five recipes, and reads
// the same orders in every mode: no order may end well that lacks something, and what
// meets nothing is noticed.
func TestMistakesInRecipes(t *testing.T) {
	t.Parallel()
	p, url := mistakenPortal(t)
	for _, name := range mistaken {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := newBench(t, mistakenRecipe(t, name))
			for m, mode := range scrape.Modes() {
				hows := []string{"letter", "removed", "a", "td"}
				for i, s := range spots(mistakenRecipe(t, name)) {
					for j, how := range hows {
						if os.Getenv(allMistakes) == "" && (j != i%len(hows) || m != i%len(scrape.Modes()) || i%3 != 0 && s.where != "attachments.item" || slices.Contains(likeOthers, s.where) || hasBefore(t, name, s.where)) {
							continue
						}
						r := mistakenRecipe(t, name)
						r.Mode = mode
						at := spots(r)[i]
						switch how {
						case "letter":
							*at.selector = oneLetter(*at.selector)
						case "removed":
							if at.remove == nil || at.where == "ready.gone" {
								continue
							}
							at.remove()
						default:
							*at.selector = how
						}
						run := &mistakenRun{T: t, what: fmt.Sprintf("%s, %s %q, %s", mode, s.where, *s.selector, how), url: url, seen: map[string][2]int{}}
						slipped := scrape.NewPortal(r, nil)
						slipped.SetClickTimeout(100 * time.Millisecond)
						orders := p.Orders()
						if os.Getenv(allMistakes) == "" && mode != scrape.ModeAuto { // which needs some to earn trust
							orders = orders[:onceEach]
						}
						run.all(base, slipped, orders)
						if how == "letter" {
							run.wantNamed(at.where)
						}
					}
				}
			}
		})
	}
}

// mistakenRun reads all orders with one mistaken recipe.
type mistakenRun struct {
	*testing.T
	what, url string
	// seen counts, for each place, the pages on which it was looked for, and met.
	seen map[string][2]int
}

func (run *mistakenRun) all(base *bench, p *scrape.Portal, orders []portal.Order) {
	b := base.with(p)
	policy := tasks.DefaultPolicy()
	policy.Retries = 0
	for _, order := range orders {
		task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: order.Number, Digits: strings.TrimPrefix(order.Number, "PO"), Dir: "x" + uuid.NewString(), URL: run.url + order.Path}}
		res, err := b.scraper.Do(run.Context(), task)
		var looks []tasks.Look
		if res != nil {
			b.publish(run.T, task, res)
			looks = res.Looks
		}
		d := policy.After(task, res, err, time.Now())
		if d.Failure != nil && res == nil {
			looks = d.Failure.Looks
		}
		for _, look := range looks {
			seen := run.seen[look.Where]
			seen[0]++
			if look.Met > 0 {
				seen[1]++
			}
			run.seen[look.Where] = seen
		}
		run.check(order, d)
	}
}

// check sees that an order which ended well has all of its documents and required
// fields, and none of another order's.
func (run *mistakenRun) check(order portal.Order, d tasks.Decision) {
	run.Helper()
	if !d.Outcome.Well() {
		return
	}
	if order.Shown != "" {
		run.Errorf("%s: the order %s ended as %s on the page of %s", run.what, order.Number, d.Outcome, order.Shown)
	}
	served := map[string]int{}
	for _, doc := range order.Documents {
		served[doc.SHA256]++
	}
	for _, a := range d.Result.Attachments {
		served[a.SHA256]--
	}
	for _, n := range served {
		if n != 0 {
			run.Errorf("%s: the order %s (%s) ended as %s, and its documents are not those of the portal", run.what, order.Number, order.Variation, d.Outcome)
			break
		}
	}
	for name, want := range map[string]string{"supplier": order.Supplier, "total": order.Total} {
		if got, is := d.Result.Fields[name]; is && got.Value != want {
			run.Errorf("%s: the order %s ended as %s, with the %s %q in place of %q", run.what, order.Number, d.Outcome, name, got.Value, want)
		}
	}
}

// wantNamed sees that a selector which meets nothing is known as one.
func (run *mistakenRun) wantNamed(where string) {
	run.Helper()
	seen, looked := run.seen[where]
	if !looked && !slices.Contains(mayMeetNothing, where) || seen[1] > 0 {
		run.Errorf("%s: it met something on %d of %d pages, want none of some", run.what, seen[1], seen[0])
	}
}
