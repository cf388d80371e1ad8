// Package portals keeps the portals of a session, its only one or several: what each reads by,
// who is signed in there, and in which file; and which are left alone, as nobody can sign in.
// It decides nothing about an order.
package portals

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/session/signin"
	"github.com/poscrape/poscrape/session/story"
	"github.com/poscrape/poscrape/session/turns"
	"github.com/poscrape/poscrape/session/worker"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/witness"
)

// Config is what a session's portals need to know, and whom they tell.
type Config struct {
	Setup   setup.Config
	Recipes setup.Recipes
	Rates   *scrape.Rates
	Story   *story.Story

	// Hold has no order begun until release is called. It is used where there is one portal.
	Hold func(reason string) (release func(why string))
	// Wake has workers look for orders that may be begun now.
	Wake func()
	// Changed is told that what Aside says may have changed.
	Changed func()
	// Wall is told that the only portal has a wall that nobody can pass, and how to go on; Left
	// that one of several is left alone because of one.
	Wall func(why string)
	Left func(portal string)
}

// Portals are those of a session, at least one.
type Portals struct {
	cfg   Config
	list  []*portal
	turns *turns.Queue // nil before Queue, and where there is only one portal
	// asking ends when no person is to be asked to sign in any more, which askNobody has happen.
	asking    context.Context
	askNobody context.CancelFunc
}

// portal is one of them.
type portal struct {
	// name is that of its tasks' portal, empty where there is only one; title is for people.
	name, title string
	// file is its recipe's, or empty for the built-in one.
	file string
	*scrape.Portal
	values *witness.Values
	signin *signin.Keeper // nil before PrepareSignIn
	kept   *signin.File   // nil before PrepareSignIn
	// unkept: it was told that its sign-in cannot be kept.
	unkept atomic.Bool
	// walledAt is the address of the order at whose wall it was left, or nil.
	walledAt atomic.Pointer[string]
}

// New returns the portals of the recipes, whose mode a setting beats. The orders are of this input.
func New(cfg Config, input tasks.Input) *Portals {
	p := &Portals{cfg: cfg}
	p.asking, p.askNobody = context.WithCancel(context.Background())
	for _, r := range cfg.Recipes {
		if cfg.Setup.Mode != "" {
			r.Mode = cfg.Setup.Mode
		}
		one := &portal{name: r.Portal, title: cfg.Recipes.Title(r.Portal), file: r.File, Portal: scrape.NewPortal(r.Recipe, input.Columns), values: witness.NewValues(input.Columns, r.Told(), input.Roles)}
		one.OnEvent(func(e tasks.Event) { p.tell(one, e) })
		one.ReadRows(one.values)
		one.ShareRates(cfg.Rates)
		one.JudgeAnswers(cfg.Setup.Answered(r))
		p.list = append(p.list, one)
	}
	return p
}

// SeeNumber tells of an order's number in the sheet, of whichever portal.
func (p *Portals) SeeNumber(po string) {
	for _, one := range p.list {
		one.SeeNumber(po)
	}
}

// SeeRows tells of the rows of one of a portal's orders, before the first is opened.
func (p *Portals) SeeRows(portal string, rows []tasks.Row) {
	for _, one := range p.list {
		if one.name == portal {
			one.values.See(rows)
		}
	}
}

// SeeAddress tells of the address of one of a portal's orders, before PrepareSignIn.
func (p *Portals) SeeAddress(portal, address string) {
	for _, one := range p.list {
		if one.name == portal {
			one.SeeAddress(address)
		}
	}
}

// tell adds what has happened at a portal, and has a person know what is a notice.
func (p *Portals) tell(at *portal, e tasks.Event) {
	e.Detail = at.about(e.Detail)
	p.cfg.Story.Add(context.Background(), e)
	if e.Type == tasks.EventNotice {
		p.cfg.Story.Warn("%s", e.Detail)
	}
}

// about returns a text as one about this portal, where there are several.
func (w *portal) about(text string) string {
	if w.name == "" {
		return text
	}
	return w.title + ": " + text
}

// several reports whether the orders have portals of their own.
func (p *Portals) several() bool { return p.list[0].name != "" }

// Queue returns the queue with the orders of these portals, which shares the workers out among
// them where there are several.
func (p *Portals) Queue(q tasks.TaskQueue) tasks.TaskQueue {
	if !p.several() {
		return q
	}
	var names []string
	for _, w := range p.list {
		names = append(names, w.name)
	}
	p.turns = turns.New(q, names)
	return p.turns
}

// ByName returns the portals by the names that tasks have for them.
func (p *Portals) ByName() map[string]*scrape.Portal {
	all := map[string]*scrape.Portal{}
	for _, w := range p.list {
		all[w.name] = w.Portal
	}
	return all
}

// Sites returns the portals as workers have them. PrepareSignIn comes before.
func (p *Portals) Sites() (all []worker.Site) {
	for _, w := range p.list {
		all = append(all, worker.Site{Name: w.name, Portal: w.Portal, SignIn: w.signin})
	}
	return all
}

// Next returns the portal that a slot gets an order of next, where there are several.
func (p *Portals) Next(ctx context.Context, slot string) string {
	if p.turns == nil {
		return ""
	}
	return p.turns.Send(ctx, slot)
}

// At is told which portal the browser of a slot belongs to.
func (p *Portals) At(slot, portal string) {
	if p.turns != nil {
		p.turns.At(slot, portal)
	}
}

// Mode says how orders are read: auto where the portals differ.
func (p *Portals) Mode() scrape.Mode {
	mode := p.list[0].Mode()
	for _, w := range p.list {
		if w.Mode() != mode {
			return scrape.ModeAuto
		}
	}
	return mode
}

// Selectors are those of all recipes, with what people call the recipe where there are several.
func (p *Portals) Selectors() (all []tasks.Selector) {
	for _, w := range p.list {
		for _, selector := range w.Selectors() {
			if selector.Portal = w.name; w.name != "" {
				selector.Recipe = w.title
			}
			all = append(all, selector)
		}
	}
	return all
}

// Notes says of which portals documents are not looked for.
func (p *Portals) Notes() (notes []string) {
	for _, w := range p.list {
		switch {
		case w.DeclinesDocuments():
			notes = append(notes, w.about("documents were not looked for: the recipe says attachments: off"))
		case !w.LooksForDocuments():
			notes = append(notes, w.about("documents were not looked for: the recipe has no attachments"))
		}
	}
	return notes
}

// leave has no order of one of several portals begun any more, because of a wall there that
// cannot be passed. The others go on.
func (p *Portals) leave(w *portal, why string) {
	p.turns.Leave(w.name, why)
	p.cfg.Left(w.name)
	p.cfg.Changed()
	p.cfg.Story.WarnAndAdd(context.Background(), w.about(why)+"; its other orders wait, those of other portals do not")
}

// left returns why portals are left alone, by their names.
func (p *Portals) left() map[string]string {
	if p.turns == nil {
		return nil
	}
	return p.turns.Left()
}

// Aside says at which of several portals no order is begun now, and why, or nothing.
func (p *Portals) Aside() string {
	if p.turns == nil {
		return ""
	}
	var aside []string
	left := p.left()
	for _, w := range p.list {
		switch {
		case left[w.name] != "":
			aside = append(aside, w.about("no order is begun: "+left[w.name]))
		case p.turns.Held(w.name):
			aside = append(aside, w.about("no order is begun while a worker signs in"))
		}
	}
	return strings.Join(aside, "; ")
}

// LeftAlone says which portals were left alone, why, and how to go on; or nothing.
func (p *Portals) LeftAlone() string {
	left := p.left()
	var reasons []string
	for _, w := range p.list {
		if why := left[w.name]; why != "" {
			reasons = append(reasons, w.about(why))
		}
	}
	if len(reasons) == 0 {
		return ""
	}
	return fmt.Sprintf("%s; go on with: %s", strings.Join(reasons, "; "), p.cfg.Setup.ResumeCommand())
}
