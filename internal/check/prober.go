package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/compare"
	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/profiles"
	"github.com/poscrape/poscrape/report"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/session/signin"
	"github.com/poscrape/poscrape/session/worker"
	"github.com/poscrape/poscrape/tasks"
)

const (
	// mostTries is how often an order is opened, where signing in or a lost browser came between.
	mostTries = 3
	// keepTimeout bounds how long it takes to read what the portal has changed in its sign-in.
	keepTimeout = 10 * time.Second
)

// prober opens orders.
type prober struct {
	cfg        Config
	sheet      *orders.Sheet
	recipes    setup.Recipes
	dir        string
	comparison *compare.Comparison
	report     *Report
	chrome     browser.Chrome
	// seen are the orders that were opened, as tasks, with their descriptions and how the sheet
	// holds against texts.
	seen []seenOrder
	// unwritten is why a picture could not be written.
	unwritten error
}

// seenOrder is an order that was opened.
type seenOrder struct {
	task   *tasks.ProcessingTask
	portal string
	rows   []tasks.Row
	fields map[string]tasks.Field
	looks  []tasks.Look
	page   *scrape.Description
}

// refused reports whether the page was no order's own, so that nothing had to be there.
func (s seenOrder) refused() bool {
	f := s.task.History[0].Error
	return f != nil && slices.Contains([]tasks.Class{tasks.ClassNotFound, tasks.ClassAccessDenied, tasks.ClassThrottled, tasks.ClassLogin, tasks.ClassWall}, f.Class)
}

// prepare sees whether browsers can be opened.
func (p *prober) prepare(ctx context.Context) (err error) {
	if p.chrome, err = p.cfg.FindChrome(ctx); err != nil {
		return err
	}
	// What it cannot clear up is in nobody's way here, and the next session tells of it.
	_, _ = profiles.Sweep(ctx, "", p.cfg.TempDir)
	return nil
}

// run opens the orders, portal by portal, and says what came of it. Where an error comes between,
// what was found until then is kept.
func (p *prober) run(ctx context.Context, chosen []orders.PurchaseOrder) error {
	if err := p.prepare(ctx); err != nil {
		return err
	}
	err := errors.Join(p.visitAll(ctx, chosen), p.unwritten)
	if len(p.seen) == 0 {
		return err
	}
	if n := len(p.seen); err != nil && n < len(chosen) {
		p.report.Probe.Partial = fmt.Sprintf("%d of %s were opened: %v", n, plural(len(chosen), "order"), err)
	}
	p.sum()
	return err
}

func (p *prober) visitAll(ctx context.Context, chosen []orders.PurchaseOrder) error {
	for _, recipe := range p.recipes {
		var own []orders.PurchaseOrder
		for _, o := range chosen {
			if o.Portal == recipe.Portal {
				own = append(own, o)
			}
		}
		if len(own) == 0 {
			continue
		}
		if err := p.visit(ctx, recipe, own); err != nil {
			return err
		}
	}
	return nil
}

// visitor opens the orders of one portal.
type visitor struct {
	*prober
	recipe  setup.Recipe
	title   string
	portal  *scrape.Portal
	opener  *worker.Opener
	scraper *scrape.Scraper
	keeper  *signin.Keeper
	// kept is the file of the sign-in; wall what nobody can pass.
	kept *signin.File
	wall string
	// asked are locators that other pages have, to be looked up on each.
	asked []scrape.Locator
}

// visit opens orders of one portal in a Chrome of their own.
func (p *prober) visit(ctx context.Context, recipe setup.Recipe, own []orders.PurchaseOrder) (err error) {
	v := &visitor{prober: p, recipe: recipe, title: p.recipes.Title(recipe.Portal), portal: scrape.NewPortal(recipe.Recipe, p.sheet.Input.Columns)}
	v.portal.JudgeAnswers(p.cfg.Answered(recipe))
	v.portal.OutwaitPauses(p.cfg.Tell)
	v.portal.ReadRows(p.sheet.Values(recipe.Portal, recipe.Told()))
	for _, o := range p.sheet.Orders {
		v.portal.SeeNumber(o.Number)
		if o.Portal == recipe.Portal {
			v.portal.SeeAddress(o.URL)
		}
	}
	if p.recipes.Several() {
		v.title = p.recipes.Title(recipe.Portal)
	} else {
		v.title = ""
	}
	if err := v.prepareSignIn(); err != nil {
		return err
	}
	if err := v.open(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, v.opener.Close()) }()
	for i, o := range own {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		p.cfg.Tell("Opening order %s (%d of %d)", o.Number, i+1, len(own))
		if err := v.order(ctx, o); err != nil {
			return err
		}
		if v.wall != "" {
			p.report.Probe.addWall(strings.TrimPrefix(v.title+": "+v.wall, ": "))
			p.report.worse(codeWall)
			break
		}
	}
	v.keepSignIn(ctx)
	return nil
}

// open opens a browser for the portal. When it fails, nothing is left of it.
func (v *visitor) open(ctx context.Context) error {
	cfg := v.cfg.OpenerConfig(v.chrome)
	cfg.Portal = v.portal
	v.opener = worker.NewOpener(cfg)
	if err := v.opener.Start(ctx); err != nil {
		return errors.Join(err, v.opener.Close())
	}
	if !v.opener.Sandbox.On && len(v.seen) == 0 {
		v.cfg.Tell("Warning: Chrome runs without its sandbox: %s", v.opener.Sandbox.Why)
	}
	v.scraper = v.portal.Scraper(v.opener.First().Browser(), scrape.Places{})
	return nil
}

// order opens one order, and puts what came of it into the report.
func (v *visitor) order(ctx context.Context, o orders.PurchaseOrder) error {
	task := &tasks.ProcessingTask{ID: uuid.New(), Spec: o.Spec()}
	probed, err := v.read(ctx, task)
	if err != nil {
		return err
	}
	v.note(o, task, probed)
	return nil
}

// read opens one order, again where somebody had to sign in first, or the browser was lost.
func (v *visitor) read(ctx context.Context, task *tasks.ProcessingTask) (probed *scrape.Probed, err error) {
	for range mostTries {
		var again bool
		probed, again = v.try(ctx, task)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if v.wall != "" {
			break
		}
		if probed.Failure != nil && probed.Failure.Class == tasks.ClassBrowserLost {
			if err := errors.Join(v.opener.Close(), v.open(ctx)); err != nil {
				return nil, err
			}
			continue
		}
		if !again {
			break
		}
	}
	return probed, nil
}

// try opens an order once, and reports whether it is to be opened again.
func (v *visitor) try(ctx context.Context, task *tasks.ProcessingTask) (probed *scrape.Probed, again bool) {
	ctx, cancel := context.WithTimeout(ctx, v.cfg.TaskTimeout)
	defer cancel()
	visit, err := v.keeper.Enter(ctx, v.scraper, task)
	if err != nil {
		return &scrape.Probed{Failure: tasks.AsFailure(err)}, true
	}
	width, height := pictureWidth, pictureHeight
	probed = v.scraper.Probe(ctx, task, scrape.Wanted{Width: width, Height: height, Description: !v.recipe.Auto, Asked: v.asked})
	err = nil
	if probed.Failure != nil {
		err = probed.Failure
	}
	left := visit.Leave(ctx, probed.Result, err)
	return probed, left.Why != ""
}

// prepareSignIn reads the sign-in that there is, as a session does.
func (v *visitor) prepareSignIn() error {
	v.kept = signin.FileFor(v.cfg.State, v.recipe.File, v.portal)
	cfg := signin.Config{Able: v.portal.SignsIn(), Stop: func(seen, _ string) { v.wall = v.kept.AtWall(seen) + "; sign in with: " + v.loginCommand() },
		Keep: v.keep, Tell: func(e tasks.Event) { v.cfg.Tell("%s", e.Detail) }}
	if login := v.portal.Login(); login != nil {
		cfg.Sharing = login.Sharing
	}
	state, warning, err := v.kept.Read(v.cfg.State != "" && !v.portal.SignsIn(), v.loginCommand())
	if err != nil {
		return &setup.ConfigError{Field: "state", Message: err.Error()}
	}
	if warning != "" {
		v.cfg.Tell("Warning: %s", warning)
	}
	cfg.State = state
	v.keeper = signin.New(cfg)
	return nil
}

func (v *visitor) loginCommand() string {
	command := "poscrape login"
	if v.recipe.File != "" {
		command += " --recipe " + v.recipe.File
	}
	if v.cfg.State != "" {
		command += " --state " + v.cfg.State
	}
	return command
}

// keepSignIn stores what the portal has changed in its sign-in.
func (v *visitor) keepSignIn(ctx context.Context) {
	v.keeper.Gone(ctx, v.scraper, keepTimeout)
	v.keep(v.keeper.Latest())
}

func (v *visitor) keep(state *browser.State) {
	if err := v.kept.Write(state); err != nil {
		v.cfg.Tell("Warning: %v; the next run has to sign in anew", err)
	}
}

// note puts into the report what came of an order.
func (v *visitor) note(o orders.PurchaseOrder, task *tasks.ProcessingTask, probed *scrape.Probed) {
	order := Order{PO: o.Number, Recipe: v.recipe.Name, URL: browser.Redact(o.URL), Address: probed.Address, Fields: map[string]Value{},
		Lines: []map[string]string{}, Documents: []Document{}, Looks: probed.Looks}
	for name := range probed.Fields {
		order.Fields[name] = held(v.comparison, o.Rows, v.sheet.Input.Columns, name, probed.Fields)
	}
	attempt := tasks.Attempt{Looks: probed.Looks}
	switch res := probed.Result; {
	case res != nil:
		order.Outcome, order.Error, order.Proof, order.Notes = res.Outcome, res.Missing, res.Proof, res.Notes
		order.Lines = append(order.Lines, res.Lines...)
		for _, doc := range res.Attachments {
			order.Documents = append(order.Documents, Document{doc.Name, doc.URL, doc.Error})
		}
		attempt.Outcome, attempt.Error, task.Result = res.Outcome, res.Missing, res
	default:
		order.Error = probed.Failure
		order.Outcome = probed.Failure.Outcome
		if order.Outcome == "" {
			order.Outcome = tasks.OutcomeFailed
		}
		attempt.Outcome, attempt.Error = order.Outcome, probed.Failure
	}
	task.History, task.Portal = append(task.History, attempt), v.recipe.Portal
	v.seen = append(v.seen, seenOrder{task: task, portal: v.recipe.Portal, rows: o.Rows, fields: probed.Fields, looks: probed.Looks, page: probed.Description})
	if err := v.picture(&order, o.Dir, probed.View); err != nil {
		order.NoPicture = err.Error()
		v.unwritten = cmp.Or(v.unwritten, err)
	}
	v.report.Probe.Orders = append(v.report.Probe.Orders, order)
	v.ask()
}

// sum says what the selectors have met on all pages.
func (p *prober) sum() {
	out := p.report.Probe
	var selectors []tasks.Selector
	for _, r := range p.recipes {
		for _, s := range scrape.NewPortal(r.Recipe, nil).Selectors() {
			if s.Portal = r.Portal; r.Portal != "" {
				s.Recipe = p.recipes.Title(r.Portal)
			}
			selectors = append(selectors, s)
		}
	}
	p.proveLater()
	all := make([]*tasks.ProcessingTask, len(p.seen))
	for i, one := range p.seen {
		all[i] = one.task
	}
	p.confirm()
	list, warnings, notes := report.CountSelectors(selectors, all)
	out.Warnings, out.Notes = append(out.Warnings, warnings...), append(out.Notes, notes...)
	for i, s := range list {
		one := Selector{N: i + 1, Selector: s, Kind: selectors[i].Kind, portal: selectors[i].Portal, Elements: map[string]int{}}
		for _, r := range p.recipes {
			if r.Portal == one.portal {
				one.Line, one.Column = r.SelectorAt(s.Selector)
			}
		}
		for _, seen := range p.seen {
			for _, look := range seen.looks {
				if seen.portal == one.portal && !seen.refused() && plainWhere(look.Where) == plainWhere(s.Where) {
					one.Elements[seen.task.PO] = look.Met
				}
			}
		}
		out.Selectors = append(out.Selectors, one)
	}
	p.suggest()
	if !out.fits() {
		p.report.worse(codeUnfit)
	}
	if unreached(p.seen) && len(out.Walls) == 0 {
		p.report.worse(codeOutside)
	}
}

// proveLater gives orders their proof that one page lacks and another gives, as a session does.
func (p *prober) proveLater() {
	for i := range p.seen {
		task := p.seen[i].task
		if task.Result == nil || !task.Result.AwaitsItem {
			continue
		}
		met := slices.ContainsFunc(p.seen, func(s seenOrder) bool {
			return s.task.Result != nil && s.task.Result.Kind == task.Result.Kind && metItem(s.looks)
		})
		if met {
			task.Result.Outcome, task.History[0].Outcome, task.History[0].Error = tasks.OutcomeNoAttachments, tasks.OutcomeNoAttachments, nil
			p.report.Probe.Orders[i].Outcome, p.report.Probe.Orders[i].Error = tasks.OutcomeNoAttachments, nil
			p.report.Probe.Orders[i].Proof = provenLater()
		}
	}
}

// metItem reports whether an order's page has shown documents.
func metItem(looks []tasks.Look) bool {
	return slices.ContainsFunc(looks, func(l tasks.Look) bool {
		return (l.Where == "attachments.item" || l.Where == "attachments.json.items") && l.Met > 0
	})
}

func provenLater() *tasks.Proof {
	return &tasks.Proof{By: tasks.ProofSettled, Text: "the page is settled and lists none, and documents were met on pages like it"}
}

// fits reports whether all selectors and all orders are as they should be.
func (p *Probe) fits() bool {
	return len(p.Warnings) == 0 && !slices.ContainsFunc(p.Orders, doubtful)
}

// doubtful reports whether something of an order does not fit.
func doubtful(o Order) bool {
	if !o.Outcome.Well() {
		return true
	}
	for _, v := range o.Fields {
		if v.Error != "" || v.Ambiguous {
			return true
		}
	}
	return false
}

// unreached reports whether no page of any order could be reached for one of this machine's
// settings: by its name, through the proxy, or for its certificate.
func unreached(seen []seenOrder) bool {
	return len(seen) > 0 && !slices.ContainsFunc(seen, func(s seenOrder) bool {
		f := s.task.History[0].Error
		if f == nil || f.Class == tasks.ClassCertificate {
			return f == nil
		}
		return !f.Unreached || !slices.ContainsFunc([]string{"name ", "dns ", "proxy ", "tunnel ", "socks "}, func(of string) bool { return strings.HasPrefix(f.Seen, of) })
	})
}

// plainWhere is a place without the key that only says that it is a selector.
func plainWhere(where string) string { return strings.TrimSuffix(where, ".selector") }
