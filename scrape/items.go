package scrape

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/internal/jsregexp"
	"github.com/poscrape/poscrape/tasks"
)

// itemWay says what is wrong with the way to an item's document.
type itemWay string

const (
	wayNone    itemWay = "none"
	waySeveral itemWay = "several"
)

// selectors returns what finds documents, by its places in the recipe, which begin with at.
func (docs *AttachmentsRule) selectors(at string) []namedSelector {
	var all []namedSelector
	add := func(key, selector string) {
		all = append(all, namedSelector{field: at + key, selector: selector})
	}
	add("item", docs.Item)
	all = append(all, docs.Data.selectors(at+"json")...)
	add("frame", docs.Frame)
	add("link", docs.Link)
	all = append(all, docs.madeSelectors(at)...)
	all = append(all, namedSelector{field: at + "name", selector: docs.Name, more: patternText(docs.NameMatch)})
	if w := docs.Where; w != nil {
		where := namedSelector{field: at + "where", selector: w.Selector}
		if w.Text != nil {
			where.more = w.Text.String()
		}
		all = append(all, where)
	}
	add("pending", docs.Pending)
	add("then", docs.Then)
	add("shows", docs.Shows)
	add("none", docs.None)
	if docs.Count != CountOff {
		add("count", docs.Count)
	}
	for i, e := range docs.Expand {
		add(fmt.Sprintf("expand[%d]", i), e)
	}
	all = append(all, docs.Next.named(at+"next"))
	for i, e := range docs.Exclude {
		all = append(all, e.named(fmt.Sprintf("%sexclude[%d]", at, i)))
	}
	if names := docs.Names.String(); names != "" {
		all = append(all, namedSelector{field: at + "names", selector: names, text: true})
	}
	return all
}

// pendingText says what shows that a document is not there yet.
func (docs *AttachmentsRule) pendingText() string {
	if docs.Data != nil {
		return "attachments.json.pending holds for it"
	}
	return fmt.Sprintf("attachments.pending %q is shown", docs.Pending)
}

func patternText(pattern *regexp.Regexp) string {
	if pattern == nil {
		return ""
	}
	return pattern.String()
}

// String is the rule as a recipe writes it.
func (n NamesRule) String() string {
	var parts []string
	if n.Include != nil {
		parts = append(parts, "include: "+n.Include.String())
	}
	if n.Exclude != nil {
		parts = append(parts, "exclude: "+n.Exclude.String())
	}
	return strings.Join(parts, ", ")
}

// holds reports whether the rule lets a document of this name through. The name of one
// that only the server names is not known yet.
func (n NamesRule) holds(name string) bool {
	return name == "" || (n.Include == nil || n.Include.MatchString(name)) && (n.Exclude == nil || !n.Exclude.MatchString(name))
}

// told is in a selector that tells elements of one kind apart.
var told = regexp.MustCompile(`[.#:[]`)

// holds reports whether the rule holds of an item in which its selector met these texts.
func (w *WhereRule) holds(texts []string) bool {
	if w == nil {
		return true
	}
	return len(texts) > 0 && (w.Text == nil || slices.ContainsFunc(texts, w.Text.MatchString))
}

// forReader returns the rule in read.js's words.
func (docs *AttachmentsRule) forReader() *attachmentRule {
	out := &attachmentRule{Item: docs.Item, Frame: docs.Frame, Link: docs.Link, Name: nameRule{docs.Name, docs.NameAttr, jsregexp.Of(docs.NameMatch)},
		Pending: docs.Pending, Then: docs.Then, None: docs.None, Count: docs.Count, Exclude: slices.Clone(docs.Exclude)}
	if docs.Made != nil {
		out.Made = &madeRule{Attr: docs.Made.Attr}
	}
	out.Opens = docs.printsItems()
	if docs.Data != nil || docs.Print && !out.Opens || len(docs.URLs) > 0 {
		out.Item = meetsNothing
	}
	if out.Whole = docs.Print && !out.Opens; out.Whole {
		out.Count = CountOff
	}
	if docs.Where != nil {
		out.Where = docs.Where.Selector
	}
	if out.Exclude == nil {
		out.Exclude = []Pick{}
	}
	if !docs.Next.none() {
		out.Next = &docs.Next
	}
	return out
}

// leaveOut takes off the list what the recipe's where and names do not let through.
func (p *page) leaveOut(r *Recipe) {
	docs := r.Attachments
	if docs == nil || len(p.Items) == 0 {
		return
	}
	listed := len(p.Items)
	rule := func(where string, holds func(item) bool) {
		p.Items = slices.DeleteFunc(p.Items, func(it item) bool { return !holds(it) })
		p.Looks = append(p.Looks, tasks.Look{Where: where, Met: len(p.Items)})
	}
	if docs.Where != nil {
		p.WhereUnmet = !told.MatchString(docs.Where.Selector) || docs.Where.Text != nil && !slices.ContainsFunc(p.Items, func(it item) bool { return len(it.Where) > 0 })
		rule("attachments.where", func(it item) bool { return docs.Where.holds(it.Where) })
	}
	if len(p.Items) > 0 && docs.Names.String() != "" {
		rule("attachments.names", func(it item) bool { return docs.Names.holds(it.Name) })
	}
	p.LeftOut += listed - len(p.Items)
}
