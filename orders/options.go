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
	// url, supplier, amount, currency, priority, buyer and documents. The header "none" takes no
	// column for the role.
	Columns map[string]string
	// Sheet is the name of the workbook's sheet. Empty means the first that people see.
	Sheet string
	// Encoding is the file's, as the web or IANA calls it, such as shift_jis; empty means what it seems to be.
	Encoding string
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
	// Told are the columns whose cells a recipe is told beside the number, after an order's address
	// was opened.
	Told []string
	// HostAllowed reports whether an order's page may be on a host, which may carry
	// a port. Nil allows any.
	HostAllowed func(host string) bool
	// Portals are what rows may be for, where there are several. Then each row is held
	// against its own, and BaseURL, Prefixes, Pattern, SharedURL and HostAllowed are not used
	// for rows of which it is known.
	Portals []Portal
	// PortalOf returns the name of the one whose pages are on a host, which may carry a port.
	// Its error says why there is none. It is nil without Portals.
	PortalOf func(host string) (name string, err error)
}

// Portal is one of several that a sheet's rows are for.
type Portal struct {
	// Name is unlike that of every other.
	Name string
	// BaseURL is what {base_url} stands for.
	BaseURL string
	// URL is the template for rows whose URL says no more than the portal, or empty.
	URL string
	// Prefixes, Pattern, SharedURL and Told are as in Options.
	Prefixes  []string
	Pattern   *regexp.Regexp
	SharedURL bool
	Told      []string
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
	if _, err := encodingOf(o.Encoding); o.Encoding != "" && err != nil {
		return &OptionError{Field: "Encoding", Message: fmt.Sprintf(
			"--encoding %s: this is not the name of an encoding: names are such as windows-1250, shift_jis, gbk or cp850", o.Encoding)}
	}
	prefixes := slices.Clone(o.Prefixes)
	for _, p := range o.Portals {
		prefixes = append(prefixes, p.Prefixes...)
		if err := checkTemplate(p.URL, p.BaseURL); err != nil {
			return err
		}
	}
	for _, prefix := range prefixes {
		if tidy(prefix) == "" {
			return &OptionError{Field: "Prefixes", Message: "a prefix of order numbers is empty: remove it"}
		}
	}
	if len(o.Portals) == 0 {
		return checkTemplate(o.URL, o.BaseURL)
	}
	_, err := o.portalOfTemplate()
	return err
}

func checkTemplate(url, baseURL string) error {
	if url == "" {
		return nil
	}
	if _, err := template.ParseURL(url, baseURL); err != nil {
		return templateError(url, fmt.Errorf("it %w", err))
	}
	return nil
}

func templateError(url string, err error) error {
	return &OptionError{Field: "URL", Message: "the URL template " + quoted(redact(url)) + " cannot be used", Err: err}
}

// portalOfTemplate returns the name of the portal that the template for rows without a URL
// leads to, or "" without a template. A template's host never comes from a row.
func (o Options) portalOfTemplate() (string, error) {
	if o.URL == "" {
		return "", nil
	}
	if err := checkTemplate(o.URL, ""); err != nil { // {base_url} would be that of which one?
		return "", err
	}
	scheme, rest, _ := strings.Cut(strings.TrimSpace(o.URL), "://")
	host, _, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, "?")
	host, _, _ = strings.Cut(host, "#")
	name, err := o.PortalOf(strings.ToLower(host))
	if err != nil {
		return "", templateError(scheme+"://"+rest, err)
	}
	return name, nil
}

// prefixes returns the prefixes in canonical form, the longest first.
func (o Options) prefixes() []string { return canonicalPrefixes(o.Prefixes) }

func canonicalPrefixes(list []string) []string {
	if list == nil {
		return []string{"PO", "PM"}
	}
	var prefixes []string
	for _, prefix := range list {
		prefixes = append(prefixes, tidy(prefix))
	}
	slices.SortStableFunc(prefixes, func(a, b string) int { return len(b) - len(a) })
	return prefixes
}
