package orders

import (
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/internal/template"
)

// rule is what rows of one portal are held against.
type rule struct {
	// name of the portal, or empty where there is only one or it is not known.
	name     string
	prefixes []string
	pattern  *regexp.Regexp
	shared   bool
	told     []string
	// base is the portal's address, url the template for rows that bring no URL of their own,
	// and template what it was parsed to, or nil.
	base, url string
	template  *template.URL
}

func newRule(p Portal) *rule {
	r := &rule{name: p.Name, prefixes: canonicalPrefixes(p.Prefixes), pattern: p.Pattern, shared: p.SharedURL, told: p.Told, base: p.BaseURL, url: p.URL}
	if p.URL != "" {
		r.template, _ = template.ParseURL(p.URL, p.BaseURL) // Validate has seen to its errors
	}
	return r
}

// rules returns the rule of rows without a URL, and those of all portals by their names.
func (o Options) rules() (plain *rule, named map[string]*rule) {
	if len(o.Portals) == 0 {
		return newRule(Portal{BaseURL: o.BaseURL, URL: o.URL, Prefixes: o.Prefixes, Pattern: o.Pattern, SharedURL: o.SharedURL, Told: o.Told}), nil
	}
	plain, named = newRule(Portal{Prefixes: o.Prefixes}), map[string]*rule{}
	of, _ := o.portalOfTemplate() // Validate has seen to its errors
	for _, p := range o.Portals {
		if p.Name == of {
			p.URL = o.URL // a flag beats the recipe
		}
		named[p.Name] = newRule(p)
	}
	if of != "" {
		plain = named[of]
	}
	return plain, named
}

// rules returns all rules, in the order of their names.
func (r *rowReader) rules() []*rule {
	if r.named == nil {
		return []*rule{r.plain}
	}
	var all []*rule
	for _, name := range slices.Sorted(maps.Keys(r.named)) {
		all = append(all, r.named[name])
	}
	return all
}

// ruleOf returns the rule of the portal that an address is of, or why there is none.
func (r *rowReader) ruleOf(address string) (*rule, error) {
	if r.named == nil {
		return r.plain, nil
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	name, err := r.options.PortalOf(u.Host)
	return r.named[name], err
}

// saysOnlyPortal reports whether an address is that of the portal itself, and the portal has a
// template for its orders.
func (r *rule) saysOnlyPortal(address string) bool {
	u, err := url.Parse(address)
	base, baseErr := url.Parse(r.base)
	if err != nil || baseErr != nil || r.name == "" || r.template == nil || u.RawQuery != "" || u.Fragment != "" {
		return false
	}
	path := strings.Trim(u.Path, "/")
	return path == "" || path == strings.Trim(base.Path, "/")
}
