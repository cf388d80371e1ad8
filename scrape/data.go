package scrape

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/jsondata"
	"github.com/poscrape/poscrape/internal/template"
	"github.com/poscrape/poscrape/scrape/verdict"
)

// DataSource says which of the portal's data something stands in; one of these is set.
type DataSource struct {
	// Answer is the pattern of the address at which the page itself got it: a path, or an
	// address with its host; "*" stands for anything. Get is the template of the address at
	// which poscrape requests it: a path of the order's host, or a whole address.
	Answer, Get string
	// Post is the template of the address to which poscrape posts Body for it; Body may be nil.
	Post string
	Body *Body
	// Headers are sent along with Get and Post.
	Headers []Header
	// Script is the selector of the page's own script elements that hold it, as JSON or assigned.
	Script string
	// Cookie is the name of the cookie, and Storage the key in the page's local or session storage,
	// that holds it, as JSON or as a text.
	Cookie, Storage string
}

// DataItems says where documents are in the portal's data.
type DataItems struct {
	DataSource
	// Items finds the documents, or the list of them; Link says what the address of each is, or
	// Content finds its bytes, as base64 or a data address; the other one is nil. Name finds its
	// name, or is nil.
	Items         *Path
	Link          *DataLink
	Content, Name *Path
	// Where holds for those that are wanted, Pending for those that are not there yet; or nil.
	Where, Pending *Condition
	// To are the hosts that Link may lead to besides the portal's own site; see madeOrigins.
	To []string
}

// none reports whether nothing says where the data is.
func (s DataSource) none() bool { return s.Answer+s.Get+s.Post+s.Script+s.Cookie+s.Storage == "" }

// selectors returns the source by its place in the recipe, where a pattern has that key.
func (s DataSource) selectors(at, key string) []namedSelector {
	return []namedSelector{{field: at + "." + key, selector: s.Answer, text: true}, {field: at + ".get", selector: s.Get, text: true},
		{field: at + ".post", selector: s.Post, text: true, more: s.Body.String()}, {field: at + ".script", selector: s.Script},
		{field: at + ".cookie", selector: s.Cookie, text: true}, {field: at + ".storage", selector: s.Storage, text: true}}
}

// selectors returns what finds documents, by its places in the recipe, below at.
func (d *DataItems) selectors(at string) []namedSelector {
	if d == nil {
		return nil
	}
	all := d.DataSource.selectors(at, "url")
	add := func(key string, what fmt.Stringer) {
		all = append(all, namedSelector{field: at + "." + key, selector: what.String(), text: true})
	}
	add("items", d.Items)
	if d.Link != nil {
		add("link", d.Link)
	}
	if d.Content != nil {
		add("content", d.Content)
	}
	if d.Name != nil {
		add("name", d.Name)
	}
	if d.Where != nil {
		add("where", d.Where)
	}
	if d.Pending != nil {
		add("pending", d.Pending)
	}
	return all
}

// usesData reports whether anything of the recipe stands in the portal's data.
func (r *Recipe) usesData() bool {
	return r.NotFound.Answer+r.AccessDenied.Answer+r.Throttled.Answer != "" || r.List != nil && r.List.Data != nil || r.Attachments != nil && r.Attachments.Data != nil ||
		slices.ContainsFunc(r.Related, func(related RelatedRule) bool { return related.Data != nil || related.Attachments.Data != nil }) ||
		slices.ContainsFunc(r.Open.Steps, func(step Step) bool { return step.Go != nil && step.Go.Path != nil }) ||
		slices.ContainsFunc(r.Fields, func(f FieldRule) bool { return f.Path != nil })
}

// dataScripts returns the selectors of the page's own scripts that hold data.
func (r *Recipe) dataScripts() []string {
	found := []string{}
	if r.List != nil && r.List.Data != nil && r.List.Data.Script != "" {
		found = append(found, r.List.Data.Script)
	}
	if r.Attachments != nil && r.Attachments.Data != nil && r.Attachments.Data.Script != "" {
		found = append(found, r.Attachments.Data.Script)
	}
	add := func(script string) {
		if script != "" && !slices.Contains(found, script) {
			found = append(found, script)
		}
	}
	for _, f := range r.Fields {
		add(f.Data.Script)
	}
	for _, related := range r.Related {
		if related.Data != nil {
			add(related.Data.Script)
		}
	}
	return found
}

// dataset is what came from one source.
type dataset struct {
	list []datum
	// asked: there was a request for it. why says why there is nothing, or not all, of the
	// order, and doubt why there is nothing of one that it may be; or they are empty.
	asked      bool
	why, doubt string
	// of is the order's number.
	of orderNumber
}

// add adds an answer.
func (s *dataset) add(d datum) {
	d.at = len(s.list)
	s.list = append(s.list, d)
}

// datum is one answer.
type datum struct {
	at    int // its place in the list
	value any
	from  string // its address
	// search: its address, or what was posted, names the order as what is looked for.
	search bool
	// named: its address names the order; shown: it names it itself. other is what seems to be
	// another order's number in its address, or empty.
	named, shown bool
	other        string
	// fault is what it says of errors, or empty. head is what its headers say of its list.
	fault string
	head  pagedHead
	// asked is what the request for it says: its address, what was posted, and its Range header.
	asked string
}

// data reads what of the order stands in the portal's data, and puts it to what was read of
// its page. It returns an error where the attempt cannot go on.
func (a *attempt) data(ctx context.Context, p *page) error {
	r := a.recipe()
	a.conceal(p)
	a.fieldsOf = p
	a.told = func(name string) (value, why string) { return p.told(r, name) }
	if !r.usesData() {
		return nil
	}
	if p.Fields == nil {
		p.Fields = map[string]string{}
	}
	d := &dataReading{attempt: a, page: p, known: map[string]*dataset{}, read: map[string]bool{}}
	if err := d.findElement(ctx); err != nil {
		return err
	}
	if verdict.Refused(a.facts(p, nil)) {
		return nil
	}
	if err := d.fields(ctx, func(FieldRule) bool { return true }); err != nil {
		return err
	}
	if r.Attachments == nil || r.Attachments.Data == nil {
		return nil
	}
	set, err := d.of(ctx, r.Attachments.Data.DataSource)
	if err != nil {
		return err
	}
	own := *r.Attachments.Data
	if own.Items, set, err = a.pathInto(set, placeItems, own.Items); err != nil {
		return err
	}
	p.listOf(&own, set, func(text string) (filled, why string) { return a.fillIn(text, a.told) })
	if r.Attachments.Count == CountOff {
		p.Counted, p.Beside, p.Around = nil, nil, 0
	}
	for i := range p.Items {
		if it := &p.Items[i]; own.Link != nil && it.URL != "" {
			if it.Unmade = a.linkWithheld(p, "attachments.json", &own, it); it.Unmade != "" {
				it.URL = ""
			}
		}
	}
	return nil
}

// dataReading reads the data of one page.
type dataReading struct {
	*attempt
	page *page
	// known are the sources that were read, by their keys; read are the names of the fields.
	known map[string]*dataset
	read  map[string]bool
}

// of returns what stands in a source, which is asked for once.
func (d *dataReading) of(ctx context.Context, source DataSource) (*dataset, error) {
	if source.none() {
		return d.page.element, nil
	}
	key := source.key()
	if d.known[key] != nil {
		return d.known[key], nil
	}
	set, err := d.ask(ctx, d.page, source, d.told)
	d.known[key] = set
	return set, err
}

// fields reads those fields in data that are wanted and were not read yet.
func (d *dataReading) fields(ctx context.Context, wanted func(FieldRule) bool) error {
	for _, f := range inTurn(d.recipe().Fields) {
		if f.Path == nil || d.read[f.Name] || !wanted(f) {
			continue
		}
		set, err := d.of(ctx, f.Data)
		if err != nil {
			return err
		}
		if f.Path, set, err = d.pathInto(set, "fields."+f.Name+".path", f.Path); err != nil {
			return err
		}
		d.concealData(f, set)
		d.page.fieldOf(f, set)
		d.read[f.Name] = true
	}
	return nil
}

// ask gets what stands in a source. told tells the values of fields.
func (a *attempt) ask(ctx context.Context, p *page, source DataSource, told tellField) (*dataset, error) {
	switch {
	case source.Get != "" || source.Post != "":
		return a.request(ctx, source, told)
	case source.Script != "":
		return a.inScripts(p, source.Script), nil
	case source.Cookie+source.Storage != "":
		return a.stored(ctx, p, source)
	}
	return a.answers(ctx, source.Answer)
}

// endWait bounds how long the end of an answer is waited for on a page that is settled.
const endWait = 5 * time.Second

// refuseByData notes where the status of an answer that the page got says that it shows no order.
func (a *attempt) refuseByData(p *page) {
	if p.Refusal.Ruled {
		return
	}
	r := a.portal.recipe
	kinds := []verdict.RefusalKind{verdict.RefusalNotFound, verdict.RefusalDenied, verdict.RefusalThrottled}
	for k, m := range []Marker{r.NotFound, r.AccessDenied, r.Throttled} {
		text, why := a.fillIn(m.Answer, nil)
		if m.Answer == "" || why != "" {
			continue
		}
		matching, _, _ := a.matching(regexp.MustCompile(dataExpression(text)))
		if i := slices.IndexFunc(matching, func(reply browser.Reply) bool { return slices.Contains(m.AnswerStatus, reply.Status) }); i >= 0 {
			p.Refusal = verdict.Refusal{Kind: kinds[k], Ruled: true, Text: fmt.Sprintf("status %d from %s %s", matching[i].Status, matching[i].Method, a.shortened(matching[i].URL))}
			return
		}
	}
}

// answers returns those that the page got at an address of the pattern.
func (a *attempt) answers(ctx context.Context, pattern string) (*dataset, error) {
	text, why := a.fillIn(pattern, nil)
	if why != "" {
		return &dataset{why: why}, nil
	}
	expr := regexp.MustCompile(dataExpression(text))
	matching, others, all := a.matching(expr)
	tick := time.NewTicker(endWait / 500)
	defer tick.Stop()
	for began := time.Now(); slices.ContainsFunc(matching, underWay) && time.Since(began) < endWait; matching, others, all = a.matching(expr) {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	set := &dataset{asked: len(matching) > 0, of: a.number()}
	switch {
	case !all:
		set.why = "the page has requested too much for its answers to be kept"
		return set, nil
	case !set.asked:
		set.why = fmt.Sprintf("no answer matched %q; %s", pattern, a.similar(others))
	}
	for _, reply := range matching {
		value, why, err := a.content(ctx, reply)
		if err != nil {
			return nil, err
		}
		d := datum{value: value, from: reply.From, fault: a.fault(value, reply.MIME), named: text != pattern || a.names(reply.URL), head: pagedHead{reply.Link, reply.Total, reply.Range}, asked: reply.URL + "\n" + reply.Asked}
		if why != "" {
			why = fmt.Sprintf("%s %s %s", reply.Method, a.shortened(reply.URL), why)
			if set.doubt = why; d.named {
				set.why = why
			}
			continue
		}
		d.search = a.asksBy(reply.Method, reply.URL)
		if d.named {
			d.other = a.foreign(value, d.search)
			d.named = d.other == ""
		}
		d.shown = !d.named && anyScalar(value, a.names)
		if !d.named && !d.shown && d.other == "" {
			if d.other, err = a.otherNumber(ctx, expr, reply, others); err != nil {
				return nil, err
			}
		}
		set.add(d)
	}
	return set, nil
}

func underWay(r browser.Reply) bool { return !r.Ended && r.Failed == "" }

// matching returns the latest reply to each request at an address of the pattern, the whole
// one where there is one, and all the page's other replies.
func (a *attempt) matching(expr *regexp.Regexp) (matching, others []browser.Reply, all bool) {
	list, all := a.browser.Tab().Replies()
	for _, r := range list {
		if !a.allowed(r.URL) || !a.allowed(r.From) {
			continue
		}
		if address, _, _ := strings.Cut(r.URL, "#"); !expr.MatchString(address) {
			others = append(others, r)
			continue
		}
		i := slices.IndexFunc(matching, func(m browser.Reply) bool { return m.Key == r.Key })
		switch {
		case i < 0:
			matching = append(matching, r)
		case good(r) || !good(matching[i]):
			matching[i] = r
		}
	}
	return matching, others, all
}

func good(r browser.Reply) bool { return r.Ended && r.Status/100 == 2 }

// content returns what a reply says, or why that is nothing.
func (a *attempt) content(ctx context.Context, r browser.Reply) (value any, why string, err error) {
	switch {
	case r.Failed != "":
		return nil, "was cut off (" + r.Failed + ")", nil
	case r.Status != 0 && r.Status/100 != 2:
		return nil, fmt.Sprintf("was answered with status %d", r.Status), nil
	case !r.Ended:
		return nil, "was not answered in full", nil
	case r.Worked:
		return nil, "was answered by a script of the portal (a service worker)", nil
	}
	body, err := a.browser.Tab().Body(ctx, r)
	if err != nil {
		if ctx.Err() != nil || pageLost(err) || errors.Is(err, browser.ErrLost) {
			return nil, "", err
		}
		return nil, fmt.Sprintf("was answered with a body that Chrome has not kept: it is longer than %d MiB, or the page has not read it", browser.MaxReply>>20), nil
	}
	value, why = readJSON(body)
	return value, why, nil
}

// readJSON returns the value of a text, or why it has none.
func readJSON(text []byte) (value any, why string) {
	value, err := jsondata.Read(text)
	if err != nil {
		return nil, err.Error()
	}
	return value, ""
}

// tellField tells the value of a field, or why it has none.
type tellField func(name string) (value, why string)

// fillIn fills in the order's values in a pattern or template of an address, and those of the
// recipe's fields, which field tells; it may be nil. why says which is missing, or is empty.
func (a *attempt) fillIn(text string, field tellField) (filled, why string) {
	if !strings.Contains(text, "{") {
		return text, ""
	}
	parts, err := template.Parse(text)
	if err != nil {
		return "", err.Error()
	}
	var b strings.Builder
	for _, part := range parts {
		if b.WriteString(part.Literal); part.Placeholder == "" {
			continue
		}
		value, why := a.standsFor(text, part.Placeholder, field)
		if why != "" {
			return "", why
		}
		if part.Placeholder != "base_url" && !strings.HasPrefix(part.Placeholder, "+") { // that one as it stands, see LinkRule
			value = strings.ReplaceAll(url.QueryEscape(value), "+", "%20")
		}
		b.WriteString(value)
	}
	return b.String(), ""
}

// standsFor returns what a placeholder of a text stands for, or why there is nothing.
func (a *attempt) standsFor(text, placeholder string, field tellField) (value, why string) {
	if placeholder == "base_url" {
		return a.portal.recipe.BaseURL, ""
	}
	values := a.values()
	values.PO = a.task.PO
	value, known := values.Value(placeholder)
	if !known && field != nil {
		if value, why = field(placeholder); why != "" {
			return "", fmt.Sprintf("%q needs {%s}, and that field %s", text, placeholder, why)
		}
	}
	if value == "" {
		return "", fmt.Sprintf("%q needs {%s}, which is empty in this row", text, placeholder)
	}
	return value, ""
}

// dataExpression is like expression, with a group for what each "*" stands for.
func dataExpression(pattern string) string {
	return "(?i)" + strings.ReplaceAll(expression(pattern), `.*`, `(.*)`)
}

// similar names those of the page's requests that a pattern may have meant.
func (a *attempt) similar(others []browser.Reply) string {
	var named []string
	for _, r := range slices.Backward(others) {
		if text := r.Method + " " + a.shortened(r.URL); r.Status/100 == 2 && strings.Contains(r.MIME, "json") && !slices.Contains(named, text) {
			named = append(named, text)
		}
	}
	if len(named) == 0 {
		return "the page received no JSON from the hosts that the recipe allows"
	}
	slices.Reverse(named)
	more := ""
	if n := len(named) - maxNamed; n > 0 {
		named, more = named[:maxNamed], fmt.Sprintf(" and %d more", n)
	}
	return "the page received " + strings.Join(named, ", ") + more
}
