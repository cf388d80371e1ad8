package scrape

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

// Frames of other hosts cannot be looked into from the page, nor is it known when they have come to
// rest. Those that the recipe's hosts allow are opened once more, alone in the tab, and read as other
// pages of the order are. One that shows more in its page than alone is not known whole.

// lookForFrames notes which frames of other hosts the page has, while the tab shows it.
func (a *attempt) lookForFrames(ctx context.Context, p *page) error {
	r := a.portal.recipe
	if a.related != nil || r.Auto || p.Unseen == "" && !a.hasForeign(p) || r.Attachments == nil && len(r.Fields) == 0 {
		return nil
	}
	selector, frame := meetsNothing, ""
	if docs := r.Attachments; docs != nil && docs.Item != "" {
		selector, frame = docs.Item, docs.Frame
	}
	frames, err := a.browser.Tab().ForeignFrames(ctx, browser.Target{Selector: selector, Frame: frame})
	if err != nil {
		return err
	}
	p.framed = true
	for _, f := range frames {
		switch {
		case f.URL != "" && a.allowed(f.URL):
			p.frames = append(p.frames, f)
		default:
			p.framed = false
		}
	}
	p.framed = p.framed && len(p.frames) > 0
	return nil
}

// hasForeign reports whether the page has a frame of another host that the recipe allows.
func (a *attempt) hasForeign(p *page) bool {
	u, err := url.Parse(p.URL)
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

func (a *attempt) visitFrame(ctx context.Context, p *page, f browser.ForeignFrame) error {
	u, err := url.Parse(f.URL)
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
	a.took(sub, p, "", q)
	p.addFrame(q)
	facts := sub.facts(q, nil)
	facts.Unseen, facts.Missing = "", nil // frames within it are visited as well, and fields counted as the order's
	if failure := notWhole(facts); failure != nil {
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

// frameRecipe returns what a frame of another host is read by: it has what the page itself has not.
func (a *attempt) frameRecipe(p *page, f browser.ForeignFrame) *Recipe {
	r := *a.portal.recipe
	frame := ""
	r.Ready.Selector, r.Ready.Gone, r.Ready.Frame, r.Identity, r.IdentityFrame = "", "", "", "", ""
	r.Lines, r.Related = nil, nil
	if docs := r.Attachments; docs != nil {
		alone := *docs
		frame, alone.Frame, alone.Expand = docs.Frame, "", nil
		if r.Attachments = &alone; !f.Within || docs.Item == "" {
			r.Attachments = nil
		}
	}
	r.Fields = slices.DeleteFunc(slices.Clone(r.Fields), func(field FieldRule) bool {
		_, there := p.Fields[field.Name]
		return there || field.Path != nil || field.Frame != "" && (field.Frame != frame || !f.Within)
	})
	for i := range r.Fields {
		r.Fields[i].Frame = ""
	}
	return &r
}

// addFrame takes over what a frame has.
func (p *page) addFrame(q *page) {
	if p.Fields == nil {
		p.Fields = map[string]string{}
	}
	for name, value := range q.Fields {
		p.Fields[name] = value
	}
	p.Ambiguous = append(p.Ambiguous, q.Ambiguous...)
	p.Unfilled = append(p.Unfilled, q.Unfilled...)
	p.Met, p.LeftOut = p.Met+q.Met, p.LeftOut+q.LeftOut
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
