package scrape

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// baseURL reads base_url, and notes where it stands.
func (rd *recipeReader) baseURL(n ast.Node, path string) {
	at := beginning(n)
	rd.recipe.baseAt = position{at.Line, at.Column}
	one(rd, &rd.recipe.BaseURL, parseBaseURL)(n, path)
}

// PortalName returns the host of base_url in the form that compares, with its port where that
// is not 80 or 443: by it, one portal's recipe is told from another's. It is empty without a
// base_url.
func (r *Recipe) PortalName() string {
	base, err := url.Parse(r.BaseURL)
	if err != nil {
		return ""
	}
	return portalName(base.Host)
}

func portalName(host string) string {
	name, port := splitHost(host)
	if port == "" || port == "80" || port == "443" {
		return name
	}
	return name + ":" + port
}

// CheckSeveral returns a *RecipeError for the first of several recipes that has no base_url, or
// the host of another's: by that host, a row's recipe is found.
func CheckSeveral(recipes []*Recipe) error {
	seen := map[string]*Recipe{}
	for _, r := range recipes {
		name := r.PortalName()
		if name == "" {
			return &RecipeError{File: r.File, Line: 1, Column: 1, Field: "base_url",
				Message: "is missing; with several recipes, each needs one: a row takes the recipe whose base_url has its host"}
		}
		if other := seen[name]; other != nil {
			return &RecipeError{File: r.File, Line: r.baseAt.line, Column: r.baseAt.column, Field: "base_url",
				Message: fmt.Sprintf("has the same host as that of %s:%d (%s); a row takes the recipe whose base_url has its host, so write both portals into one recipe, or leave one out",
					other.File, other.baseAt.line, name)}
		}
		seen[name] = r
	}
	return nil
}

// maxHostsNamed is how many hosts a message lists.
const maxHostsNamed = 5

// ForHost returns the one of several recipes whose orders are on a host, which may carry a
// port: the one whose base_url has it, port and all; or that host without a port; or else the
// only one whose allowed_hosts have it. Its error goes on after a row's line, and says why there
// is none.
func ForHost(recipes []*Recipe, host string) (*Recipe, error) {
	byName := func(name string) *Recipe {
		i := slices.IndexFunc(recipes, func(r *Recipe) bool { return r.PortalName() == name })
		if name == "" || i < 0 {
			return nil
		}
		return recipes[i]
	}
	if r := byName(portalName(host)); r != nil {
		return r, nil
	}
	name, _ := splitHost(host)
	if r := byName(name); r != nil && r.HostAllowed(host, nil) {
		return r, nil
	}
	var allow []*Recipe
	var hosts []string
	for _, r := range recipes {
		hosts = append(hosts, r.PortalName())
		if r.HostAllowed(host, nil) {
			allow = append(allow, r)
		}
	}
	switch {
	case len(allow) == 1:
		return allow[0], nil
	case len(allow) > 1:
		return nil, fmt.Errorf("the page is on %s, which is no recipe's base_url, and several name it under allowed_hosts (%s, %s): give the row an address on the portal's own host",
			host, allow[0].File, allow[1].File)
	}
	list := strings.Join(hosts[:min(len(hosts), maxHostsNamed)], ", ")
	if more := len(hosts) - maxHostsNamed; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return nil, fmt.Errorf("the page is on %s, and no recipe's base_url has that host: add a recipe for it; there are some for %s", host, list)
}
