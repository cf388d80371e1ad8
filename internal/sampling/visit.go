package sampling

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/learn"
	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/session/signin"
	"github.com/poscrape/poscrape/session/worker"
	"github.com/poscrape/poscrape/tasks"
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
	specs   map[string]orders.PurchaseOrder
	// pages are those that were looked at, used the numbers of all orders that were opened.
	pages []learn.Page
	used  map[string]bool
	last  error
	// unreached counts the orders for which not even the portal was reached.
	unreached int
	// mute: the browser asks servers for no language, whatever it tells scripts.
	mute bool
	// state is the file that the browser has its sign-in from, or empty.
	state string
}

func (v *visit) close() error {
	return errors.Join(v.opener.Close(), os.RemoveAll(v.dir))
}

// stateFile is where a sign-in is looked for, or empty.
func (v *visit) stateFile() string {
	if v.cfg.State == "" && v.cfg.Out != "" {
		return signin.PathFor(v.cfg.Out)
	}
	return v.cfg.State
}

// keepTimeout bounds asking the browser for its sign-in.
const keepTimeout = 10 * time.Second

// keepState writes the sign-in back to the file that it came from, as the portal has renewed it, if an order
// got through with it.
func (v *visit) keepState(ctx context.Context) {
	if v.state == "" || len(v.pages) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepTimeout)
	defer cancel()
	state, err := v.scraper.State(ctx)
	if err == nil {
		err = signin.WriteFile(v.state, state)
	}
	if err != nil {
		v.cfg.Tell("Warning: the sign-in could not be written back to %s: %v; the next run may have to sign in anew", v.state, err)
	}
}

// signIn gives the browser the session state that there is.
func (v *visit) signIn(ctx context.Context) error {
	path := v.stateFile()
	if path == "" {
		return nil
	}
	state, warning, err := signin.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && v.cfg.State == "":
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return &setup.ConfigError{Field: "state", Message: fmt.Sprintf("%s is not there; make it with: poscrape login --url %s --state %[1]s", v.cfg.State, site(v.sheet.Orders[0].URL))}
	case err != nil:
		return &setup.ConfigError{Field: "state", Message: err.Error()}
	}
	if warning != "" {
		v.cfg.Tell("Warning: %s", warning)
	}
	v.state = path
	return v.scraper.SetState(ctx, state)
}

// site is the address of an order's portal.
func site(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Scheme + "://" + u.Host + "/"
}

// draft looks at orders, learns from them, and holds the draft against others.
func (v *visit) draft(ctx context.Context) (*learn.Draft, error) {
	v.used = map[string]bool{}
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
	if err := v.askForNothing(ctx, d); err != nil {
		return nil, err
	}
	return d, v.check(ctx, d)
}

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
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if wall := v.wall(order, err); wall != nil {
			return wall
		}
		if f := tasks.AsFailure(err); f != nil && f.Class == tasks.ClassIdentity && page != nil && page.Unnumbered {
			err = nil // what it shows is worth the same
		}
		if err != nil {
			v.last = err
			passed++
			if f := tasks.AsFailure(err); f.Class == tasks.ClassNavigation || f.Class == tasks.ClassCertificate {
				v.unreached++
			}
			v.cfg.Tell("  passed over: %v", err)
			if errors.Is(err, browser.ErrLost) {
				return err
			}
			continue
		}
		if v.mute {
			page.Language = ""
		}
		v.pages = append(v.pages, learn.Page{Order: order, Description: page})
		got++
	}
	if len(v.pages) == 0 {
		return &UnreadError{Tried: len(v.used), Err: v.last, Unreached: v.unreached == len(v.used)}
	}
	return nil
}

func (v *visit) describe(ctx context.Context, task *tasks.ProcessingTask) (*scrape.Description, error) {
	ctx, cancel := context.WithTimeout(ctx, atMost)
	defer cancel()
	return v.scraper.Describe(ctx, task, nil)
}

// wall returns a *WallError if that is what an order met.
func (v *visit) wall(o learn.Order, err error) error {
	if err == nil {
		return nil
	}
	if f := tasks.AsFailure(err); f.Class == tasks.ClassLogin || f.Class == tasks.ClassWall {
		file := v.stateFile()
		return &WallError{PO: o.PO, Seen: f.Message, Site: site(o.URL), State: cmp.Or(file, "portal.state.json"), Named: file != "", Other: f.Class == tasks.ClassWall}
	}
	return nil
}

// task returns the task of an order that nobody has tried.
func (v *visit) task(o learn.Order) *tasks.ProcessingTask {
	spec := v.specs[o.PO].Spec()
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
	if !ok {
		return nil
	}
	v.cfg.Tell("Looking at %s, which does not exist", asked)
	page, err := v.describe(ctx, v.task(order))
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if v.wall(order, err) == nil { // else: it has shown other orders
		d.NoteNotFound(asked, err, page, v.pages)
	}
	return nil
}

// enoughInVain is how many orders in a row, none of whose documents could be had, show that none can be: to wait
// for each of the others' takes minutes.
const enoughInVain = 2

// recipeOf is the draft as it is now.
func recipeOf(d *learn.Draft) (*scrape.Recipe, error) {
	recipe, err := scrape.ReadRecipe(d.Name+".yaml", strings.NewReader(d.YAML()))
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
	return portal.Scraper(v.browser, v.places)
}

// signedIn reads an order once more whose documents the server refused, with the header that scripts sign in with. It
// returns nil if that does not bring them; the draft then stays as it was.
func (v *visit) signedIn(ctx context.Context, d *learn.Draft, order learn.Order) (*scrape.Recipe, *tasks.Result) {
	d.Documents.Headers = []string{"Authorization"}
	if recipe, err := recipeOf(d); err == nil {
		res, err := v.read(ctx, v.reader(recipe), order)
		if found, done, _, _ := res.Count(); err == nil && found > 0 && done == found {
			return recipe, res
		}
	}
	d.Documents.Headers = nil
	return nil, nil
}

// check reads orders that were no samples by the draft.
func (v *visit) check(ctx context.Context, d *learn.Draft) error {
	recipe, err := recipeOf(d)
	if err != nil {
		return err
	}
	scraper, inVain, listed, asked := v.reader(recipe), 0, d.Documents == nil, d.Documents == nil
	var checked []learn.Checked
	for chosen := learn.ChooseToCheck(v.sheet, v.cfg.Samples, v.used); len(chosen) > 0; chosen = chosen[1:] {
		order := chosen[0]
		v.used[order.PO] = true
		v.cfg.Tell("Checking with %s", order.PO)
		res, err := v.read(ctx, scraper, order)
		if !asked && refused(res) {
			asked = true
			if signed, again := v.signedIn(ctx, d, order); again != nil {
				recipe, scraper, res, err = signed, v.reader(signed), again, nil
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
	return nil
}

// refused reports whether an order has documents, and the server answered with an error to each.
func refused(res *tasks.Result) bool {
	_, done, failed, _ := res.Count()
	return done == 0 && failed > 0 && !slices.ContainsFunc(res.Attachments, func(a tasks.Attachment) bool {
		return a.Error == nil || a.Error.Class != tasks.ClassHTTPStatus
	})
}

func (v *visit) read(ctx context.Context, scraper *scrape.Scraper, order learn.Order) (*tasks.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, atMost)
	defer cancel()
	res, err := scraper.Do(ctx, v.task(order))
	if res != nil && res.Staging != "" {
		err = errors.Join(err, os.RemoveAll(res.Staging))
	}
	return res, err
}
