package sampling

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/learn"
	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/signin"
	"github.com/poscrape/poscrape/session/worker"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/witness"
)

// visit is one look at a portal.
type visit struct {
	cfg     Config
	dir     string
	places  scrape.Places
	opener  *worker.Opener
	browser *browser.Browser
	scraper *scrape.Scraper
	sheet   learn.Sheet
	values  *witness.Values
	specs   map[string]orders.PurchaseOrder
	// pages are those that were looked at, used the numbers of all orders that were opened.
	pages []learn.Page
	used  map[string]bool
	last  error
	same  int // orders in a row that ended with the error last
	// unreached counts the orders for which not even the portal was reached.
	unreached int
	// mute: the browser asks servers for no language, whatever it tells scripts.
	mute bool
	// given is the recipe that is completed, or nil; rates are how often each host may be asked.
	given *learn.Given
	rates *scrape.Rates
	// keeper keeps the browser signed in. kept is the file of the sign-in; walled is what nobody
	// can pass, or nil.
	keeper *signin.Keeper
	kept   *signin.File
	walled *WallError
}

func (v *visit) close() error {
	return errors.Join(v.opener.Close(), os.RemoveAll(v.dir))
}

// draft looks at orders, learns from them, and holds the draft against others.
func (v *visit) draft(ctx context.Context) (*learn.Draft, error) {
	if err := v.look(ctx, v.cfg.Samples); err != nil {
		return nil, err
	}
	d := learn.Learn(v.sheet, v.pages)
	for more := v.cfg.Samples; more > 0 && d.WantsMore(); more -= 2 {
		before := len(v.pages)
		if err := v.look(ctx, min(more, 2)); err != nil {
			return nil, err
		}
		if len(v.pages) == before {
			break
		}
		d = learn.Learn(v.sheet, v.pages)
	}
	d.Name = v.cfg.Name
	if d.Name == "" {
		d.Name = nameOf(v.sheet.Orders[0].URL)
	}
	if v.given != nil {
		d.Complete(v.given, v.sheet)
	}
	if err := v.askForNothing(ctx, d); err != nil {
		return nil, err
	}
	return d, v.check(ctx, d)
}

// alike is how many orders, none of whose pages could be read for one and the same reason, show that the others' cannot
// either: a request that fails for all of them, say.
const alike = 3

// look opens up to n orders more, and keeps what their pages show. Orders that cannot be read are
// passed over, as many as are wanted.
func (v *visit) look(ctx context.Context, n int) error {
	passed := 0
	for got := 0; got < n && passed <= 2*n; {
		chosen := learn.Choose(v.sheet, 1, v.used)
		if len(chosen) == 0 {
			break
		}
		order := chosen[0]
		v.used[order.PO] = true
		v.cfg.Tell("Looking at %s", order.PO)
		page, err := v.describe(ctx, v.task(order))
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case v.walled != nil:
			return v.walled
		}
		if f := tasks.AsFailure(err); f != nil && f.Class == tasks.ClassIdentity && page != nil && page.Unnumbered {
			err = nil // what it shows is worth the same
		}
		if err != nil {
			passed++
			switch enough := v.passOver(err); {
			case errors.Is(err, browser.ErrLost):
				return err
			case enough && len(v.pages) == 0:
				return v.unread()
			}
			continue
		}
		if v.mute && (v.given == nil || v.given.Browser.Language == "") {
			page.Language = ""
		}
		v.pages = append(v.pages, learn.Page{Order: order, Description: page})
		got++
	}
	if len(v.pages) == 0 {
		return v.unread()
	}
	return nil
}

// passOver notes what kept an order's page from being read, and reports whether that shows that no other can be.
func (v *visit) passOver(err error) (enough bool) {
	if v.last == nil || v.last.Error() != err.Error() {
		v.same = 0
	}
	v.last = err
	v.same++
	f := tasks.AsFailure(err)
	if f.Class == tasks.ClassNavigation || f.Class == tasks.ClassCertificate {
		v.unreached++
	}
	v.cfg.Tell("  passed over: %v", err)
	return v.same >= alike && f.Class == tasks.ClassPageIncomplete
}

// unread says that no order's page could be read.
func (v *visit) unread() error {
	unread := &UnreadError{Tried: len(v.used), Err: v.last, Unreached: v.unreached == len(v.used)}
	if v.given != nil {
		unread.Check = v.cfg.CheckCommand([]string{"1"})
	}
	return unread
}

// describe opens an order's page, and says what that shows.
func (v *visit) describe(ctx context.Context, task *tasks.ProcessingTask) (page *scrape.Description, err error) {
	err = v.signedIn(ctx, task, func(ctx context.Context) (*tasks.Result, error) {
		page, err = v.scraper.Describe(ctx, task, nil)
		if err != nil {
			return nil, err
		}
		return &tasks.Result{Outcome: tasks.OutcomeComplete}, nil
	})
	return page, err
}

// task returns the task of an order that nobody has tried.
func (v *visit) task(o learn.Order) *tasks.ProcessingTask {
	known, has := v.specs[o.PO]
	if !has {
		known = v.specs[v.sheet.Orders[0].PO] // for what the way to an order takes from the sheet besides
	}
	spec := known.Spec()
	spec.PO, spec.Digits, spec.URL = o.PO, o.Digits, o.URL
	if spec.Dir == "" {
		spec.Dir = "order"
	}
	return &tasks.ProcessingTask{ID: uuid.New(), Spec: spec}
}

// askForNothing opens a number that does not exist.
func (v *visit) askForNothing(ctx context.Context, d *learn.Draft) error {
	if d.URL == "" {
		return nil
	}
	order, asked, ok := d.Nonexistent(v.sheet)
	if !ok && (v.given == nil || !v.given.TakesNumber()) {
		return nil
	}
	v.cfg.Tell("Looking at %s, which does not exist", asked)
	page, err := v.describe(ctx, v.task(order))
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if f := tasks.AsFailure(err); f == nil || f.Class != tasks.ClassLogin && f.Class != tasks.ClassWall { // else: it has shown other orders
		d.NoteNotFound(asked, err, page, v.pages)
	}
	return nil
}

// enoughInVain is how many orders in a row, none of whose documents could be had, show that none can be: to wait
// for each of the others' takes minutes.
const enoughInVain = 2

// recipeOf is the draft as it is now.
func (v *visit) recipeOf(d *learn.Draft) (*scrape.Recipe, error) {
	file := cmp.Or(v.cfg.Out, d.Name+".yaml")
	if v.cfg.Out == "" && v.given != nil {
		file = v.given.File
	}
	recipe, err := d.Recipe(file)
	if err != nil {
		return nil, fmt.Errorf("the draft is not a valid recipe: %w", err)
	}
	recipe.Mode = scrape.ModeRender
	return recipe, nil
}

// reader reads orders by a recipe.
func (v *visit) reader(recipe *scrape.Recipe) *scrape.Scraper {
	portal := scrape.NewPortal(recipe, v.sheet.Columns)
	portal.Study()
	portal.ShareRates(v.rates)
	portal.OutwaitPauses(v.cfg.Tell)
	portal.ReadRows(v.values)
	return portal.Scraper(v.browser, v.places)
}

// withHeader reads an order once more whose documents the server refused, with the header that scripts sign in with. It
// returns nil if that does not bring them; the draft then stays as it was.
func (v *visit) withHeader(ctx context.Context, d *learn.Draft, order learn.Order) (*scrape.Recipe, *tasks.Result) {
	d.Documents.Headers = []string{"Authorization"}
	if recipe, err := v.recipeOf(d); err == nil {
		res, err := v.read(ctx, v.reader(recipe), order)
		if found, done, _, _ := res.Count(); err == nil && found > 0 && done == found {
			return recipe, res
		}
	}
	d.Documents.Headers = nil
	return nil, nil
}

// turned reads an order once more that has more documents than were found, by what shows them on its page. It returns nil
// if that does not bring all; the draft then stays as it was.
func (v *visit) turned(ctx context.Context, d *learn.Draft, order learn.Order) (*scrape.Recipe, *tasks.Result) {
	page, err := v.describe(ctx, v.task(order))
	if err != nil || len(page.Further) != 1 {
		return nil, nil
	}
	d.Documents.Next = page.Further[0]
	if recipe, err := v.recipeOf(d); err == nil {
		if res, err := v.read(ctx, v.reader(recipe), order); err == nil && res.Outcome == tasks.OutcomeComplete {
			return recipe, res
		}
	}
	d.Documents.Next = ""
	return nil, nil
}

// check reads orders that were no samples by the draft.
func (v *visit) check(ctx context.Context, d *learn.Draft) error {
	recipe, err := v.recipeOf(d)
	if err != nil {
		return err
	}
	scraper, inVain, turned := v.reader(recipe), 0, false
	listed, asked := d.Documents == nil, d.Documents == nil || d.Documents.Given
	var checked []learn.Checked
	for chosen := learn.ChooseToCheck(v.sheet, v.cfg.Samples, v.used); len(chosen) > 0 && v.walled == nil; chosen = chosen[1:] {
		order := chosen[0]
		v.used[order.PO] = true
		v.cfg.Tell("Checking with %s", order.PO)
		res, err := v.read(ctx, scraper, order)
		if !asked && refused(res) {
			asked = true
			if signed, again := v.withHeader(ctx, d, order); again != nil {
				recipe, scraper, res, err = signed, v.reader(signed), again, nil
			}
		}
		if !turned && goesOn(d, res) {
			turned = true
			if further, again := v.turned(ctx, d, order); again != nil {
				recipe, scraper, res, err = further, v.reader(further), again, nil
			}
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		checked = append(checked, learn.Checked{Order: order, Result: res, Err: err})
		_, done, failed, _ := res.Count()
		listed = listed || done+failed > 0
		if len(chosen) == 1 && !listed && len(checked) < 2*v.cfg.Samples { // one more, that may have documents
			chosen = append(chosen, learn.Choose(v.sheet, 1, v.used)...)
		}
		switch {
		case done > 0:
			inVain = 0
		case failed > 0 && recipe.Attachments != nil:
			if inVain++; inVain == enoughInVain {
				v.cfg.Tell("  no documents could be downloaded; the others are checked without")
				recipe.Attachments = nil
				scraper = v.reader(recipe)
			}
		}
	}
	d.Check(v.sheet, checked)
	v.doubtPages(d)
	v.confirm(d, checked)
	return nil
}

// goesOn reports whether an order has more documents than the draft finds, which knows nothing that shows more.
func goesOn(d *learn.Draft, res *tasks.Result) bool {
	return d.Documents != nil && !d.Documents.Given && d.Documents.Item != "" && d.Documents.Next == "" && res != nil && res.Missing != nil && res.Missing.Class == tasks.ClassIncomplete
}

// refused reports whether an order has documents, and the server answered with an error to each.
func refused(res *tasks.Result) bool {
	_, done, failed, _ := res.Count()
	return done == 0 && failed > 0 && !slices.ContainsFunc(res.Attachments, func(a tasks.Attachment) bool {
		return a.Error == nil || a.Error.Class != tasks.ClassHTTPStatus
	})
}

// read reads an order by a recipe's scraper.
func (v *visit) read(ctx context.Context, scraper *scrape.Scraper, order learn.Order) (res *tasks.Result, err error) {
	task := v.task(order)
	err = v.signedIn(ctx, task, func(ctx context.Context) (*tasks.Result, error) {
		res, err = scraper.Do(ctx, task)
		if res != nil && res.Staging != "" {
			err = errors.Join(err, os.RemoveAll(res.Staging))
		}
		return res, err
	})
	return res, err
}
