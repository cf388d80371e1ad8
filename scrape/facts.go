package scrape

import (
	"cmp"
	"slices"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/scrape/verdict"
	"github.com/poscrape/poscrape/tasks"
)

// facts gathers what is known of a page. Its documents are as good as there.
func (a *attempt) facts(p *page, fields map[string]tasks.Field) verdict.Facts {
	r := a.recipe()
	f := verdict.Facts{
		PO: a.task.PO, Address: browser.Redact(p.URL),
		Auto: r.Auto, FieldsAlone: r.FieldsAlone, Wanted: r.Auto || r.Attachments != nil && !r.prints(),
		ReadySelector: r.Ready.Selector, ReadyAt: "ready.selector", IdentityAt: "identity.selector", IdentitySelector: r.Identity, Patience: r.Ready.Timeout,
		SignedOut: a.signedOutAt(p.URL), SignedOutPart: a.signedOutPart(),
		CutShort: p.CutShort, Refusal: p.Refusal, Identity: p.Identity, Seen: p.Seen, Doubtful: p.Doubt, Theirs: p.Theirs, Wide: p.Wide, MoreRows: p.MoreRows,
		Fetched: p.Fetched, Unfit: p.Unfit, Veiled: p.Styled && a.portal.Mode() == ModeFetch,
		Unready: p.NotReady == "selector", Busy: p.NotReady == "gone", Loading: p.Loading,
		Arriving: p.Unsettled == stillArriving, Open: p.Open, Unloaded: p.unloaded(r.prints()), Barred: p.Barred, BarredData: p.BarredData, Unseen: p.unseen(),
		Met: p.Met, LeftOut: p.LeftOut, Declared: p.Declared, Zero: p.Zero, Controls: p.Controls, Further: p.Further, Visited: p.Visited,
		None: p.None, NoneVague: p.NoneVague, LeftOutVague: p.LeftOutVague, WhereUnmet: p.WhereUnmet,
		Expired:  p.Expired,
		Unlinked: r.onlyRelated() && !slices.ContainsFunc(p.Related, func(links []relatedLink) bool { return len(links) > 0 }),
		Data:     p.Data, NoList: p.NoList, Asked: p.Asked, ItemAt: r.itemAt(),
		ItemKnown: a.portal.ItemMet(a.portal.kindOf(a.address)),
		Unopened:  a.unopened,
		Unturned:  cmp.Or(p.Unturned, p.rolled()),
		Missing:   missingFields(r, fields),
	}
	if a.related == nil {
		f.Promised = a.task.Sheet.Documents
	}
	if a.hollow(p, fields) {
		f.Hollow = p.Hollow
	}
	if a.related != nil {
		f.ReadyAt, f.ReadyFilled = whereShows, true
	}
	if r.List != nil {
		a.listFacts(&f, p, r.List)
	}
	if doc := a.browser.Tab().Document(); doc != nil && !p.Fetched {
		f.RetryAfter = retryAfter(doc.Header["retry-after"], time.Now())
	}
	if p.restless() {
		f.Restless = p.Unsettled
	} else {
		f.Unsettled = p.Unsettled
	}
	if r.Attachments != nil {
		f.Optional, f.NoneSelector = r.Attachments.Optional, r.Attachments.None
		f.OwnCount, f.Turns = r.Attachments.Count != "" && r.Attachments.Count != CountOff, r.turns()
	}
	for _, it := range p.Items {
		f.Documents = append(f.Documents, tasks.Attachment{Name: it.Name, State: tasks.AttachmentDone})
	}
	return f
}

// maxRolls is how often a list of documents is scrolled, as in read.js.
const maxRolls = 50

// rolled returns why there may be more documents in a list that is scrolled, or nil.
func (p *page) rolled() *tasks.Failure {
	found := count(p.Met, "document")
	switch p.InParts {
	case "":
		return nil
	case "taken away":
		return tasks.Permanent("", tasks.ClassIncomplete, "a list of documents has only those in the page that are in view, and takes them away again when it is scrolled, so there are more than the %s that were found; the portal's data may have them all (attachments.json)", found)
	case "too long":
		return tasks.Permanent("", tasks.ClassIncomplete, "a list of documents still brought more after it was scrolled %d times, so there may be more than the %s that were found; the portal's data may have them all (attachments.json)", maxRolls, found)
	}
	return tasks.Retry(tasks.ClassIncomplete, "a list of documents brings more when it is scrolled, and the time for that was over before its end (ready.timeout), so there may be more than the %s that were found", found)
}

// restless reports whether a page that did not come to rest only waits for requests that do
// not count: those that do are what it could not load.
func (p *page) restless() bool {
	switch p.Unsettled {
	case "the page is still loading", "requests of the page are under way", partsLoading:
		return p.Parsed && p.Unloaded == ""
	}
	return false
}

// unloaded says which part of the page could not be loaded, by what its requests met or by
// what it says itself.
// printed: the page itself is the document.
func (p *page) unloaded(printed bool) string {
	switch {
	case p.Unloaded != "":
		return p.Unloaded
	case p.Broken != "" && printed:
		return "the page says " + quoted(p.Broken)
	case p.Broken != "":
		return "the page says " + quoted(p.Broken) + " where its documents should be"
	}
	return ""
}

// missingFields returns the names of the required fields that are not there.
func missingFields(r *Recipe, fields map[string]tasks.Field) []string {
	var missing []string
	for _, f := range r.Fields {
		if field, ok := fields[f.Name]; f.Required && (!ok || field.Value == "" || field.Error != "" || field.Ambiguous) {
			name := f.Name
			if f.Path != nil && field.Error != "" {
				name += " (" + field.Error + ")"
			}
			missing = append(missing, name)
		}
	}
	return missing
}

// looks returns what the recipe's selectors met on the page, and whose values could not be
// read.
func (a *attempt) looks(p *page, fields map[string]tasks.Field) []tasks.Look {
	looks := slices.Clone(p.Looks)
	looks = append(looks, a.expanded...)
	if a.searched != nil {
		looks = append(looks, *a.searched)
	}
	if a.unframed != nil {
		looks = append(looks, tasks.Look{Where: whereListFrame, Met: 1})
	}
	for _, v := range append([]visit{{by: a}}, a.visits...) {
		if v.by.thens != nil {
			looks = append(looks, *v.by.thens)
		}
	}
	for i := range looks {
		looks[i].Mark = a.portal.marks[looks[i].Where]
	}
	unreadable := func(where string) {
		if i := slices.IndexFunc(looks, func(l tasks.Look) bool { return l.Where == where && l.Met > 0 }); i >= 0 {
			looks[i].Unreadable = true
		}
	}
	for _, f := range a.portal.recipe.Fields {
		if field, there := fields[f.Name]; !there && f.Match == nil && !f.Secret || field.Error != "" { // it may have no such attribute
			unreadable("fields." + f.Name + ".selector")
			unreadable("fields." + f.Name + ".path")
		}
	}
	if p.Count != nil && p.Count.Unreadable {
		unreadable("attachments.count")
	}
	return looks
}

// hollow reports whether neither the page nor data that belong to it show anything of the order but its
// number.
func (a *attempt) hollow(p *page, fields map[string]tasks.Field) bool {
	docs := a.recipe().Attachments
	if p.Hollow == "" || a.related != nil || len(p.frames) > 0 || docs != nil && docs.Data != nil {
		return false
	}
	for _, f := range a.recipe().Fields {
		if raw := fields[f.Name].Raw; raw != "" && !a.names(raw) {
			return false
		}
	}
	return true
}
