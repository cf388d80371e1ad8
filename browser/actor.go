package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// actorName names the worlds in which act.js runs.
const actorName = "poscrape actor"

// actor finds an element in a page and in its frames. Frames of the page's own origin are
// looked into from the page; one of another origin has a world of its own, and one of
// another site is a target of its own in Chrome.
type actor struct {
	tab    *Tab
	target Target
	// sites are the contexts of frames that are targets, by the ids of the frames.
	sites map[string]site
	ends  []func()
	// at is where the element was found last, x and y a point in it in the tab's window.
	at   *frameWorld
	x, y float64
	// label is what people read on it, and said all that it says, where it was looked for by a text.
	label, said string
	// refused are the origins of documents that were not looked into.
	refused []string
	// hidden: frames that nobody sees are looked into as well.
	hidden bool
	// unreached are the visible frames that could not be looked into.
	unreached []ForeignFrame
}

// site is what a command is sent to: the tab, or a frame of another site.
type site struct {
	tab  *Tab
	life context.Context
}

// frameWorld is a frame's world.
type frameWorld struct {
	site
	frame string
	world runtime.ExecutionContextID
	// x, y is where its content begins in the tab's window; within: its elements are meant, and
	// meant: it is itself the frame that these are in.
	x, y          float64
	within, meant bool
	// visible: it, and what is around it, is seen.
	visible bool
	// parent is that of a frame of another origin, nth the frame's number there.
	parent *frameWorld
	nth    int
}

// maxForeign bounds how many frames of other origins are looked into.
const maxForeign = 50

func newActor(t *Tab, target Target) *actor {
	return &actor{tab: t, target: target, sites: map[string]site{}}
}

// free lets go of the frames that were attached to.
func (a *actor) free() {
	for _, end := range a.ends {
		end()
	}
}

// find looks for the element, and returns why it is not the one that is meant. Its errors
// are the page's.
func (a *actor) find(ctx context.Context) (string, error) {
	a.at = nil
	why := whyNothing
	if a.target.Frame != "" {
		why = "its frame was not there, or nothing in it met it"
	}
	var seen []string
	a.refused = nil
	err := a.each(ctx, func(p *frameWorld, found sighting) bool {
		seen, a.refused = append(seen, found.Labels...), append(a.refused, found.Refused...)
		switch {
		case found.Visible && a.at == nil:
			a.at, a.label, a.said, why = p, strings.Join(found.Labels, ""), strings.Join(found.Said, ""), ""
		case found.Met > 0 && a.at == nil:
			why = whyHidden
		}
		return found.Visible && a.target.Text == ""
	})
	if len(seen) > 1 {
		a.at, why = nil, fmt.Sprintf(whySeveral, quotedList(seen))
	}
	if a.at != nil {
		a.refused = nil
	}
	return why, err
}

// quotedList quotes texts, the first of them.
func quotedList(texts []string) string {
	const most = 5
	var all []string
	for _, text := range texts[:min(len(texts), most)] {
		all = append(all, strconv.Quote(text))
	}
	if n := len(texts) - most; n > 0 {
		all = append(all, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(all, ", ")
}

// sighting is what is found of the element in one frame.
type sighting struct {
	Met     int
	Visible bool
	// Labels are those of the visible ones, and Said all that these say, where a text was looked for.
	Labels, Said []string
	// Refused are the origins of documents that were not looked into.
	Refused []string
	Frames  []struct {
		Within, Meant, Visible bool
		X, Y                   float64
	}
}

// each looks for the element in the page and in one frame of another origin after the
// other, until see returns true. Its errors are the page's.
func (a *actor) each(ctx context.Context, see func(*frameWorld, sighting) bool) error {
	world, err := a.enter(ctx, site{a.tab, a.tab.live}, a.tab.id)
	if err != nil {
		return err
	}
	places := []*frameWorld{{site: site{a.tab, a.tab.live}, frame: a.tab.id, world: world, within: a.target.Frame == "", visible: true}}
	for i := 0; i < len(places); i++ {
		p := places[i]
		var found sighting
		err := a.evaluate(ctx, p, &found, fmt.Sprintf("find(%s, %s, %t, %s, %t, %s)",
			quoted(a.target.Selector), quoted(a.target.Frame), p.within, quoted(a.target.Text), a.target.Part, quoted(a.target.Origins)))
		switch {
		case err != nil && p.parent != nil && !broken(ctx, err): // a frame that has just gone
			continue
		case err != nil:
			return err
		case see(p, found):
			return nil
		}
		for nth, f := range found.Frames {
			if !f.Visible && !a.hidden || len(places) > maxForeign {
				continue
			}
			inner := &frameWorld{x: p.x + f.X, y: p.y + f.Y, within: f.Within, meant: f.Meant, visible: p.visible && f.Visible, parent: p, nth: nth}
			err := a.reach(ctx, inner)
			if broken(ctx, err) {
				return err
			}
			if err != nil {
				if inner.visible {
					a.unreached = append(a.unreached, ForeignFrame{Meant: inner.meant})
				}
				continue
			}
			places = append(places, inner)
		}
	}
	return nil
}

// broken reports whether an error is more than that a frame has gone meanwhile.
func broken(ctx context.Context, err error) bool {
	return err != nil && (ctx.Err() != nil || errors.Is(err, ErrLost) || errors.Is(err, ErrPageCrashed) || errors.Is(err, ErrPageHung))
}

// object returns the handle of what a function of act.js returns, or nothing where that is null.
func (a *actor) object(ctx context.Context, p *frameWorld, function string) (runtime.RemoteObjectID, error) {
	res, err := in(ctx, p.site, runtime.Evaluate, runtime.EvaluateParams{ContextID: p.world, Expression: "poscrapeActs." + function})
	if err == nil {
		err = decode(res, nil)
	}
	if err != nil || res.Result == nil {
		return "", err
	}
	return res.Result.ObjectID, nil
}

// reach enters a frame of another origin.
func (a *actor) reach(ctx context.Context, p *frameWorld) error {
	frame, err := a.object(ctx, p.parent, fmt.Sprintf("frameAt(%d)", p.nth))
	if err != nil {
		return err
	}
	if frame == "" {
		return ErrNavigated
	}
	told, err := in(ctx, p.parent.site, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: frame})
	if err != nil {
		return err
	}
	if told.Node == nil || told.Node.FrameID == "" {
		return ErrNavigated
	}
	p.frame, p.site = string(told.Node.FrameID), p.parent.site
	if p.world, err = a.enter(ctx, p.site, p.frame); err == nil || broken(ctx, err) {
		return err
	}
	if p.site, err = a.attach(ctx, p.frame); err != nil {
		return err
	}
	p.world, err = a.enter(ctx, p.site, p.frame)
	return err
}

// attach returns the site of a frame that is a target of its own.
func (a *actor) attach(ctx context.Context, frame string) (site, error) {
	if known, ok := a.sites[frame]; ok {
		return known, nil
	}
	life, end := chromedp.NewContext(a.tab.browser.root, chromedp.WithTargetID(target.ID(frame)), chromedp.WithDetachOnCancel())
	stop := context.AfterFunc(ctx, end)
	err := chromedp.Do(life)
	if err == nil { // see Tab.setUp
		_, err = chromedp.Call(life, css.Disable, cdp.Empty{})
	}
	if err == nil {
		_, err = chromedp.Call(life, dom.Disable, cdp.Empty{})
	}
	stop()
	if err != nil {
		end()
		return site{}, a.tab.browser.classify(ctx, nil, err)
	}
	made := site{a.tab, life}
	a.sites[frame], a.ends = made, append(a.ends, end)
	return made, nil
}

// enter returns the actor's world in a frame. It is made once for each document.
func (a *actor) enter(ctx context.Context, of site, frame string) (runtime.ExecutionContextID, error) {
	made, err := in(ctx, of, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: cdp.FrameID(frame), WorldName: actorName})
	if err != nil {
		return 0, err
	}
	res, err := in(ctx, of, runtime.Evaluate, runtime.EvaluateParams{ContextID: made.ExecutionContextID, Expression: actScript + "void 0"})
	if err == nil {
		err = decode(res, nil)
	}
	return made.ExecutionContextID, err
}

// run calls a function of act.js for the element. %s in it stands for the one text, which no error
// may show.
func (a *actor) run(ctx context.Context, out any, function string, text ...string) error {
	for _, t := range text {
		function = strings.Replace(function, "%s", quoted(t), 1)
	}
	return a.evaluate(ctx, a.at, out, function)
}

func (a *actor) evaluate(ctx context.Context, p *frameWorld, out any, function string) error {
	yes := true
	res, err := in(ctx, p.site, runtime.Evaluate, runtime.EvaluateParams{
		ContextID: p.world, Expression: "poscrapeActs." + function, ReturnByValue: &yes})
	if err != nil {
		return err
	}
	return decode(res, out)
}

// quoted returns a text, or a list of texts, as JavaScript writes it.
func quoted[T string | []string](text T) string {
	literal, err := json.Marshal(text)
	if err != nil { // of a text there is none
		return `""`
	}
	return string(literal)
}

// covered returns what covers one of the frames of other origins that the element is in.
func (a *actor) covered(ctx context.Context, purpose string) (string, error) {
	for p := a.at; p.parent != nil && purpose == "click"; p = p.parent {
		var why string
		if err := a.evaluate(ctx, p.parent, &why, fmt.Sprintf("over(%d, %g, %g)", p.nth, a.x-p.parent.x, a.y-p.parent.y)); err != nil || why != "" {
			return why, err
		}
	}
	return "", nil
}

// keep has the mouse reach nothing but the element, see act.js.
func (a *actor) keep(ctx context.Context) error {
	for p := a.at; p != nil; p = p.parent {
		if err := a.evaluate(ctx, p, nil, fmt.Sprintf("keep(%t, %t)", p != a.at, a.target.Check != nil)); err != nil {
			return err
		}
	}
	return nil
}

// letGoTimeout bounds letGo also where nobody waits for the click any more.
const letGoTimeout = 2 * time.Second

func (a *actor) letGo(ctx context.Context, function string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), letGoTimeout)
	defer cancel()
	for p := a.at; p != nil; p = p.parent {
		_ = a.evaluate(ctx, p, nil, function) // where it fails, the page has gone
	}
}

// in sends a command to a site.
func in[P, R any](ctx context.Context, of site, command cdp.Command[P, R], params P) (R, error) {
	if of.life == of.tab.live {
		return call(ctx, of.tab, command, params)
	}
	joined, cancel := join(of.life, ctx)
	defer cancel()
	res, err := chromedp.Call(joined, command, params)
	if err != nil && of.tab.live.Err() != nil {
		return res, of.tab.browser.classify(of.tab.live, of.tab, err)
	}
	if errors.Is(err, chromedp.ErrTargetDetached) {
		return res, ErrNavigated
	}
	return res, of.tab.browser.classify(joined, nil, err)
}
