package scrape

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/scrape/verdict"
	"github.com/poscrape/poscrape/tasks"
)

// Frames of other hosts cannot be looked into from the page, nor is it known when they have come to
// rest. Those that the recipe's hosts allow are opened once more, alone in the tab, and read as other
// pages of the order are, by what the page itself has not. One that shows more in its page than alone
// is not known whole, nor is one that has documents and no address.

// apart is a frame that cannot be looked into from the page.
type apart struct {
	browser.ForeignFrame
	// named are the recipe's selectors of frames that mean it, or one around it. Ready is how many
	// elements of it the recipe's ready meets.
	named []string
	ready int
}

// readyApart reports whether ready.selector is not waited for in the page: frames of other hosts have
// shown it on other orders. Where neither shows it, the next attempt waits.
func (a *attempt) readyApart() bool {
	return a.related == nil && a.first() && a.portal.readyApart.Load()
}

// in reports whether what the recipe looks for in a frame, or anywhere, is looked for in this one.
func (f apart) in(frame string) bool { return frame == "" || slices.Contains(f.named, frame) }

// lookForFrames notes which frames of other hosts the page has, while the tab shows it.
func (a *attempt) lookForFrames(ctx context.Context, p *page) error {
	r := a.portal.recipe
	if !a.hasApart(p) {
		return nil
	}
	docs := r.Attachments
	if docs == nil {
		docs = &AttachmentsRule{}
	}
	found, err := a.framesMeeting(ctx, docs.Item, docs.Frame)
	if err != nil {
		return err
	}
	for _, frame := range r.frames() {
		err := a.markFrames(ctx, found, meetsNothing, frame, func(f *apart, same browser.ForeignFrame) {
			if same.Within {
				f.named = append(f.named, frame)
			}
		})
		if err != nil {
			return err
		}
	}
	if p.NotReady == "selector" {
		err := a.markFrames(ctx, found, r.Ready.Selector, r.Ready.Frame, func(f *apart, same browser.ForeignFrame) { f.ready += same.Met })
		if err != nil {
			return err
		}
	}
	p.sortFrames(found, docs, a.allowed)
	return nil
}

// hasApart reports whether the page may have frames that are read apart from it. What is outside of a
// list's row is not the order's; and a frame that the list is in is the page, see enterList.
func (a *attempt) hasApart(p *page) bool {
	r := a.portal.recipe
	return a.related == nil && !r.Auto && r.List == nil && (p.Unseen != "" || p.Opaque || a.hasForeign(p))
}

// framesMeeting returns the frames of other origins, with what the selector meets in each.
func (a *attempt) framesMeeting(ctx context.Context, selector, frame string) ([]apart, error) {
	if selector == "" {
		selector = meetsNothing
	}
	frames, err := a.browser.Tab().ForeignFrames(ctx, browser.Target{Selector: selector, Frame: frame})
	var found []apart
	for _, f := range frames {
		found = append(found, apart{ForeignFrame: f})
	}
	return found, err
}

// markFrames looks at the frames with another selector, and has mark note what it finds.
func (a *attempt) markFrames(ctx context.Context, found []apart, selector, frame string, mark func(*apart, browser.ForeignFrame)) error {
	again, err := a.framesMeeting(ctx, selector, frame)
	for i := range found {
		for _, same := range again {
			if same.URL == found[i].URL {
				mark(&found[i], same.ForeignFrame)
				break
			}
		}
	}
	return err
}

// frames returns the selectors of frames that the recipe names.
func (r *Recipe) frames() []string {
	all := []string{r.Ready.Frame, r.IdentityFrame}
	if r.Lines != nil {
		all = append(all, r.Lines.Frame)
	}
	for _, f := range r.Fields {
		all = append(all, f.Frame)
	}
	if r.Attachments != nil {
		all = append(all, r.Attachments.Frame)
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(frame string) bool { return frame == "" })
}

// sortFrames notes which of the page's frames are to be read, and which can not be.
func (p *page) sortFrames(found []apart, docs *AttachmentsRule, allowed func(string) bool) {
	p.framed = true
	for _, f := range found {
		has := f.Met > 0 && f.Within
		switch {
		case f.URL != "" && allowed(f.URL):
			if f.Visible || has || f.ready > 0 || len(f.named) > 0 {
				p.frames = append(p.frames, f)
			}
		case !strings.HasPrefix(f.URL, "http") && has:
			p.closed = tasks.Permanent("", tasks.ClassPageIncomplete,
				"%s %q meets %s in a frame that has no address of its own, so it cannot be opened alone to read them", whereItem, docs.Item, count(f.Met, "element"))
			p.framed = false
		case f.Visible:
			p.framed = false
		}
	}
	p.framed = p.framed && len(p.frames) > 0
}

// hasForeign reports whether the page has a frame of another host that the recipe allows.
func (a *attempt) hasForeign(p *page) bool {
	u, err := browser.ParseURL(p.URL)
	return err == nil && slices.ContainsFunc(p.Sources, func(source string) bool {
		element, from, _ := strings.Cut(source, " ")
		host, _, _ := strings.Cut(from, "/")
		return (element == "iframe" || element == "frame") && host != "" && host != u.Host && a.allowed(u.Scheme+"://"+host)
	})
}

// unseen says which part of the page was not looked into, or is empty.
func (p *page) unseen() string {
	if p.framed {
		return ""
	}
	return p.Unseen
}

// visitFrames reads the frames of other hosts that the recipe allows. What keeps one from being
// read whole is noted; its error is that of the attempt.
func (a *attempt) visitFrames(ctx context.Context, p *page) error {
	if p.visited {
		return nil
	}
	p.visited = true
	a.visits, a.added, a.unread = nil, 0, nil
	if p.closed != nil {
		a.unread = append(a.unread, p.closed)
	}
	if len(p.frames) > 0 {
		own := a.listOf(p)
		p.ownList, p.lists = &own, nil
		a.tab.stand("") // it leaves the order's host
	}
	known := map[string]bool{}
	for _, f := range p.frames {
		if known[f.URL] {
			continue
		}
		known[f.URL] = true
		if err := a.visitFrame(ctx, p, f); err != nil {
			failure := a.failure(ctx, err)
			if failure.Advice == tasks.AdviceRelease || ctx.Err() != nil || pageLost(err) || failure.Facts.Disk != nil {
				return err
			}
			a.unread, p.framed = append(a.unread, failure), false
		}
	}
	return nil
}

// admitted returns why nothing of the page is to be kept, or nil, by what its frames show as well
// where it does not show the order's number, or that it is ready, itself.
func (a *attempt) admitted(ctx context.Context, p *page) error {
	err := a.refused(p)
	if err == nil || len(p.frames) == 0 || !a.mayStandApart(p, err) {
		return err
	}
	if err := a.visitFrames(ctx, p); err != nil {
		return err
	}
	if err = a.refused(p); err != nil && len(a.unread) > 0 && a.mayStandApart(p, err) {
		return verdict.UnreadPages(a.unread)
	}
	return err
}

// mayStandApart reports whether what the page is refused for may stand in its frames of other hosts.
func (a *attempt) mayStandApart(p *page, refused error) bool {
	f := &tasks.Failure{}
	return a.hasApart(p) && errors.As(refused, &f) && (f.Class == tasks.ClassIdentity && p.Identity == verdict.IdentityNothing ||
		f.Class == tasks.ClassNotReady && p.NotReady == "selector")
}

func (a *attempt) visitFrame(ctx context.Context, p *page, f apart) error {
	u, err := browser.ParseURL(f.URL)
	if err != nil {
		return fmt.Errorf("reading the address of a frame: %w", err)
	}
	if len(a.visits)+len(a.unread) >= maxRelated {
		return tasks.Permanent("", tasks.ClassLimit, "the page has more frames and other pages than the %d that are visited for one order", maxRelated)
	}
	sub, q, err := a.visitPage(ctx, p, u, a.frameRecipe(p, f))
	if err != nil {
		return err
	}
	if f.anothers(sub, q) {
		a.took(sub, p, "", &page{})
		return nil
	}
	a.took(sub, p, "", q)
	if f.in(a.portal.recipe.IdentityFrame) {
		p.addIdentity(q)
	}
	p.addFrame(q)
	if sub.related.recipe.Attachments != nil {
		list := sub.listOf(q)
		list.Page = browser.Redact(q.URL)
		p.lists = append(p.lists, list)
	}
	a.makeItems(p)
	a.expanded, a.unopened = addLooks(a.expanded, sub.expanded), cmp.Or(a.unopened, sub.unopened)
	if f.ready > 0 && q.NotReady == "" {
		p.NotReady = ""
		a.portal.readyApart.Store(true)
	}
	facts := sub.facts(q, nil)
	facts.Unseen, facts.Missing = "", nil // frames within it are visited as well, and fields counted as the order's
	if failure := verdict.NotWhole(facts); failure != nil {
		return failure
	}
	met := 0
	if i := slices.IndexFunc(q.Looks, func(l tasks.Look) bool { return l.Where == whereItem }); i >= 0 {
		met = q.Looks[i].Met
	}
	if f.Within && f.Met > met {
		return tasks.Retry(tasks.ClassPageIncomplete, "%s meets %d elements in the frame %s, and %d where that is opened alone, so its documents are not known", whereItem, f.Met, browser.Redact(f.URL), met)
	}
	return nil
}

// anothers reports whether the frame is hidden, and shows another order than this one: an application
// has kept it in the page.
func (f apart) anothers(sub *attempt, q *page) bool {
	ruled := sub.related.recipe.Identity != ""
	return !f.Visible && (ruled && q.Identity == verdict.IdentityOther || q.Identity != verdict.IdentitySure && q.Headed)
}

// frameRecipe returns what a frame of another host is read by: it has what the page itself has not.
// Whose order a hidden one is has to be known.
func (a *attempt) frameRecipe(p *page, f apart) *Recipe {
	r := *a.portal.recipe
	if f.ready == 0 {
		r.Ready.Selector = ""
	}
	if f.Visible && p.Identity != verdict.IdentityNothing && !p.numbered || !f.in(r.IdentityFrame) {
		r.Identity = ""
	}
	if r.Lines != nil && len(p.Lines) == 0 && f.in(r.Lines.Frame) {
		r.Lines = &LinesRule{Row: r.Lines.Row, Columns: r.Lines.Columns}
	} else {
		r.Lines = nil
	}
	if docs := r.Attachments; docs != nil {
		alone := *docs
		alone.Frame = ""
		if r.Attachments = &alone; !f.Within || docs.Item == "" {
			r.Attachments = nil
		}
	}
	r.Fields = slices.DeleteFunc(slices.Clone(r.Fields), func(field FieldRule) bool {
		_, there := p.Fields[field.Name]
		return there || field.Path != nil || !f.in(field.Frame)
	})
	for i := range r.Fields {
		r.Fields[i].Frame = ""
	}
	r.Ready.Frame, r.IdentityFrame = "", ""
	return &r
}

// addIdentity takes over whose number a frame shows, where the page itself shows none. One that
// shows another order's beats those that show this one's.
func (p *page) addIdentity(q *page) {
	weight := []verdict.Identity{verdict.IdentityNothing, verdict.IdentityMentioned, verdict.IdentitySure, verdict.IdentityOther}
	if (p.Identity == verdict.IdentityNothing || p.numbered) && slices.Index(weight, q.Identity) > slices.Index(weight, p.Identity) {
		p.Identity, p.Seen, p.numbered = q.Identity, q.Seen, true
	}
	p.row, p.others = append(p.row, q.row...), append(p.others, q.others...)
}

// addFrame takes over what else a frame has.
func (p *page) addFrame(q *page) {
	p.Lines = append(p.Lines, q.Lines...)
	for i, links := range q.Related {
		if i < len(p.Related) {
			p.Related[i] = append(p.Related[i], links...)
		}
	}
	if p.Fields == nil {
		p.Fields = map[string]string{}
	}
	for name, value := range q.Fields {
		p.Fields[name] = value
		p.noteData(name, dataNote{from: q.URL})
	}
	for name, texts := range q.Differ {
		p.Differ = with(p.Differ, name, texts)
	}
	p.Ambiguous = append(p.Ambiguous, q.Ambiguous...)
	p.Unfilled = append(p.Unfilled, q.Unfilled...)
	p.Met, p.LeftOut = p.Met+q.Met, p.LeftOut+q.LeftOut
	p.LeftOutVague, p.WhereUnmet = p.LeftOutVague || q.LeftOutVague, p.WhereUnmet || q.WhereUnmet
	p.None, p.NoneVague = p.None || q.None, p.NoneVague || q.NoneVague
	if p.Met > 0 {
		p.Zero = ""
	} else if p.Zero == "" {
		p.Zero = q.Zero
	}
	if p.Declared != nil && p.Declared.Count <= p.Met {
		p.Declared = nil
	}
}
