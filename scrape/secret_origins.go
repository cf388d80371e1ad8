package scrape

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/shell"
)

// A secret goes to the origins that the recipe's text names for it, and to no others: to those of base_url and
// start_url, to hosts that are named in full for signing in, and to those that stand beside it (to). What a page
// has kept, or shows, may also go back to where it comes from.

// secretOrigins returns the origins that a secret may go to, "https://portal.example"; never nil. To are the hosts
// that stand beside it.
func (r *Recipe) secretOrigins(signIn bool, to []string) []string {
	portal := []string{r.BaseURL, r.LoginStart()}
	if r.BaseURL == "" && r.LoginStart() == "" && !strings.Contains(r.TypedURL, "{column:") {
		portal = []string{r.TypedURL}
	}
	origins, schemes := []string{}, []string{"https"}
	for _, address := range portal {
		origin := Origin(address)
		if origin != "" {
			origins = append(origins, origin)
		}
		host, open := strings.CutPrefix(origin, "http://")
		if _, port := splitHost(host); open && port == "" { // such a portal moves to https
			origins = append(origins, "https://"+host)
		}
	}
	if len(origins) > 0 && strings.HasPrefix(origins[0], "http:") {
		schemes = append(schemes, "http")
	}
	if signIn && r.Login != nil {
		to = slices.Concat(r.Login.Hosts, to)
	}
	for _, host := range to {
		name, port := splitHost(host)
		if strings.Contains(name, "*") {
			continue
		}
		for _, scheme := range schemes {
			origins = append(origins, Origin(scheme+"://"+net.JoinHostPort(name, port)))
		}
	}
	return origins
}

// Origin returns the origin of an address, or of a template of such, as Chrome writes it, or "" for what has none, or
// one that differs from order to order.
func Origin(address string) string {
	u, err := browser.ParseURL(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.ContainsAny(u.Host, "{}") {
		return ""
	}
	name, port := splitHost(u.Host)
	if ip, err := netip.ParseAddr(name); err == nil && ip.Is6() {
		name = "[" + ip.String() + "]"
	}
	if port == "" || u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
		return u.Scheme + "://" + name
	}
	return u.Scheme + "://" + name + ":" + port
}

// withheld says why what may go to these origins does not go to an address, and what to write so that it does; or
// it returns "".
func withheld(origins []string, address, write string) string {
	origin := Origin(address)
	if slices.Contains(origins, origin) {
		return ""
	}
	goes := "goes nowhere without a base_url"
	if len(origins) > 0 {
		goes = "goes only to " + strings.Join(origins, ", ")
	}
	host := strings.TrimPrefix(strings.TrimPrefix(origin, "https://"), "http://")
	if host == "" || strings.HasPrefix(origin, "http:") && !slices.ContainsFunc(origins, func(o string) bool { return strings.HasPrefix(o, "http:") }) {
		return goes + ", and not to " + quoted(origin)
	}
	return fmt.Sprintf("%s; if %s is to have it too, write: %s", goes, origin, fmt.Sprintf(write, host))
}

// writeTo is how further hosts are written beside a secret.
const writeTo = "to: [%s]"

// withheld says why the fields in a template do not go to an address, or returns "". They are those of the page.
func (a *attempt) withheld(p *page, template, address string) string {
	for _, f := range a.portal.recipe.fieldsIn(template) {
		if !f.Secret {
			if why := a.strangeField(p, f, address); why != "" {
				return why
			}
			continue
		}
		origins := a.portal.recipe.secretOrigins(false, f.To)
		if p != nil {
			origins = append(origins, p.originOf(f.Name))
		}
		if why := withheld(origins, address, writeTo); why != "" {
			return fmt.Sprintf("the secret fields.%s %s", f.Name, why)
		}
	}
	return a.tells(address)
}

// originOf returns the origin that a field's value comes from.
func (p *page) originOf(name string) string {
	if from := p.notes[name].from; from != "" {
		return Origin(from)
	}
	return Origin(p.URL)
}

// fieldsIn returns those that a template has placeholders of.
func (r *Recipe) fieldsIn(template string) (fields []FieldRule) {
	for _, name := range fieldNames(template) {
		if i := slices.IndexFunc(r.Fields, func(f FieldRule) bool { return f.Name == name }); i >= 0 {
			fields = append(fields, r.Fields[i])
		}
	}
	return fields
}

// secretFields returns the secret ones of them.
func (r *Recipe) secretFields(template string) []FieldRule {
	return slices.DeleteFunc(r.fieldsIn(template), func(f FieldRule) bool { return !f.Secret })
}

// headerWithheld says why the made header does not go to an address, or returns "".
func (a *attempt) headerWithheld(h Header, address string) string {
	if len(a.portal.recipe.secretFields(h.Text)) > 0 {
		return a.withheld(a.fieldsOf, h.Text, address)
	}
	if why := withheld(a.portal.recipe.secretOrigins(false, h.To), address, h.writeTo()); why != "" {
		return fmt.Sprintf("the header %s %s", h.Name, why)
	}
	return ""
}

// writeTo is how further hosts are written for the header.
func (h Header) writeTo() string {
	source := "value: ..."
	switch {
	case h.Secret.Env != "":
		source = "env: " + h.Secret.Env
	case h.Secret.File != "":
		source = "file: ..."
	}
	return h.Name + ": {" + source + ", to: [%s]}"
}

// checkOrigins returns a *SecretError for the first secret that has nowhere to go, or that goes, by the text of
// the recipe, where it may not.
func (r *Recipe) checkOrigins() error {
	fail := func(at position, field, message string) error {
		return &SecretError{File: r.File, Line: at.line, Field: field, Message: message}
	}
	nowhere := func(at position, field string, signIn bool, to []string) error {
		if len(r.secretOrigins(signIn, to)) > 0 {
			return nil
		}
		if Origin(r.FoundURL) != "" {
			return fail(at, field, "nothing that you have typed or allowed says which host may have this secret, only the url of a found poscrape.yaml; if that is right, add"+
				shell.Flag("url", r.FoundURL)+", or let it by 'poscrape config allow'")
		}
		host := cmp.Or(Origin(r.Address()), "https://HOST")
		return fail(at, field, "nothing says which host may have this secret; write: base_url: "+host+", or give --url without {column:}")
	}
	for _, step := range r.allSteps() {
		if step.Secret != (Secret{}) {
			if err := nowhere(step.at, step.field(), step.signIn, step.To); err != nil {
				return err
			}
		}
	}
	for _, h := range r.headers() {
		if h.Secret != (Secret{}) {
			if err := nowhere(h.at, "headers."+h.Name, false, h.To); err != nil {
				return err
			}
		}
	}
	for _, sent := range r.sentTo() {
		if Origin(sent.address) == "" {
			continue
		}
		for _, f := range r.secretFields(sent.text) {
			origins := r.secretOrigins(false, f.To)
			for _, from := range []string{r.Address(), f.Data.Get, f.Data.Post} {
				if origin := Origin(from); origin != "" {
					origins = append(origins, origin)
				}
			}
			if why := withheld(origins, sent.address, writeTo); why != "" {
				return fail(r.fieldsAt[f.Name], "fields."+f.Name, fmt.Sprintf("it stands in %s, and as a secret it %s", quoted(sent.address), why))
			}
		}
		for _, h := range sent.headers {
			if h.ofPage() || len(r.secretFields(h.Text)) > 0 {
				continue
			}
			if why := withheld(r.secretOrigins(false, h.To), sent.address, h.writeTo()); why != "" {
				return fail(h.at, "headers."+h.Name, why)
			}
		}
		if err := r.checkMade(sent); err != nil {
			return err
		}
	}
	return nil
}

// sentTo is what is sent to an address: both are templates.
type sentTo struct {
	address, text string
	headers       []Header
	// made says what the address is made of besides fields, or is nil.
	made *madeHere
}

// madeHere is a place in the recipe that makes an address of what an item, an answer or a page holds: its path, where
// the text comes from, if the recipe says it, and the hosts that stand beside it.
type madeHere struct {
	path string
	at   position
	from string
	to   []string
}

// sentTo returns what is sent to the addresses that the recipe makes.
func (r *Recipe) sentTo() (all []sentTo) {
	add := func(address, more string, headers []Header) *sentTo {
		address = strings.Replace(address, "{base_url}", r.BaseURL, 1)
		for _, h := range headers {
			more += h.Text
		}
		all = append(all, sentTo{address: address, text: address + more, headers: headers})
		return &all[len(all)-1]
	}
	made := func(path string, address string, from DataSource, to []string) {
		add(address, "", nil).made = &madeHere{path, r.madeAt[path], from.Get + from.Post + from.Answer, to}
	}
	source := func(s DataSource) {
		if s.Get+s.Post != "" {
			add(s.Get+s.Post, s.Body.needs(), s.Headers)
		}
	}
	items := func(path string, d *DataItems) {
		if d != nil {
			source(d.DataSource)
			if d.Link != nil {
				made(path, d.Link.text, d.DataSource, d.To)
			}
		}
	}
	of := func(path string, docs *AttachmentsRule) {
		if docs == nil {
			return
		}
		items(path+".json", docs.Data)
		for _, address := range docs.URLs {
			add(address, "", docs.Headers)
		}
		if docs.Made != nil {
			made(path+".link", docs.Made.URL, DataSource{}, docs.Made.To)
		}
	}
	for _, f := range r.Fields {
		source(f.Data)
	}
	for _, step := range r.Open.Steps {
		if step.Go != nil {
			source(step.Go.Data)
			made(step.Where+".go", step.Go.URL, step.Go.Data, step.Go.To)
		}
	}
	if r.List != nil && r.List.Data != nil {
		source(r.List.Data.DataSource)
		if next := r.List.Data.Next; next != nil {
			made("list", next.text, r.List.Data.DataSource, r.List.Data.To)
		}
	}
	of("attachments", r.Attachments)
	for i, related := range r.Related {
		at := fmt.Sprintf("related[%d]", i)
		add(related.URL, "", nil)
		items(at+".json", related.Data)
		of(at+".attachments", related.Attachments)
	}
	return all
}

// to reads the hosts that a secret may go to as well.
func (rd *recipeReader) to(dst *[]string) readNode {
	return many(rd, dst, checkedText(func(host string) error {
		if strings.Contains(host, "*") {
			return errors.New("has a *; name each host in full")
		}
		return checkHostPattern(host)
	}))
}

// secretTarget returns the element of a step, with the origins that it may be in where the step writes a secret.
func (p *Portal) secretTarget(step Step) Step {
	if step.Secret != (Secret{}) {
		step.Origins = p.recipe.secretOrigins(step.signIn, step.To)
	}
	return step
}
