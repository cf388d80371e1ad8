package orders

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/internal/template"
)

// Options say how a sheet is to be understood. The zero value is right for a
// sheet that has a column of order numbers and one of URLs.
type Options struct {
	// Columns overrules the columns' names: role to header. The roles are po,
	// url, supplier, amount, currency and priority. The header "none" takes no
	// column for the role.
	Columns map[string]string
	// URL is the template for rows without a URL, see package template; empty
	// for none.
	URL string
	// BaseURL is what {base_url} stands for.
	BaseURL string
	// Prefixes of order numbers. Nil means PO and PM, empty means none.
	Prefixes []string
	// Pattern is what an order's canonical number must match. Nil means any.
	Pattern *regexp.Regexp
	// URLOptional: rows need no URL, since a recipe opens orders by itself.
	URLOptional bool
	// SharedURL: several orders may have one address, since a recipe's steps or search
	// are told the number.
	SharedURL bool
	// HostAllowed reports whether an order's page may be on a host, which may carry
	// a port. Nil allows any.
	HostAllowed func(host string) bool
}

// Validate returns an *OptionError for the first option that cannot be right.
func (o Options) Validate() error {
	for _, name := range slices.Sorted(maps.Keys(o.Columns)) {
		if !slices.Contains(roles(), role(name)) {
			return &OptionError{Field: "Columns", Message: fmt.Sprintf(
				"--column %s=%s: there is no role %s: the roles are %s", name, o.Columns[name], quoted(name), roleList())}
		}
		if role(name) == rolePO && o.Columns[name] == noColumn {
			return &OptionError{Field: "Columns", Message: "--column po=none: the orders need numbers: name the column that has them"}
		}
		if strings.TrimSpace(o.Columns[name]) == "" {
			return &OptionError{Field: "Columns", Message: fmt.Sprintf(
				"--column %s=: the name of the column is missing: write --column %s=NAME", name, name)}
		}
	}
	for _, prefix := range o.Prefixes {
		if tidy(prefix) == "" {
			return &OptionError{Field: "Prefixes", Message: "a prefix of order numbers is empty: remove it"}
		}
	}
	if o.URL == "" {
		return nil
	}
	if _, err := template.ParseURL(o.URL, o.BaseURL); err != nil {
		return &OptionError{Field: "URL", Message: "the URL template " + quoted(redact(o.URL)) + " cannot be used", Err: fmt.Errorf("it %w", err)}
	}
	return nil
}

// prefixes returns the prefixes in canonical form, the longest first.
func (o Options) prefixes() []string {
	if o.Prefixes == nil {
		return []string{"PO", "PM"}
	}
	var prefixes []string
	for _, prefix := range o.Prefixes {
		prefixes = append(prefixes, tidy(prefix))
	}
	slices.SortStableFunc(prefixes, func(a, b string) int { return len(b) - len(a) })
	return prefixes
}
