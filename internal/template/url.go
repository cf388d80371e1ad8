package template

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/poscrape/poscrape/internal/spelling"
)

// URL is a template of an order's address that was found to be right.
type URL struct {
	// host is the scheme and the host, and the character that ends them.
	host string
	rest []Part
}

// fixedHost matches a template's beginning when scheme and host are complete in it.
var fixedHost = regexp.MustCompile(`(?i)^https?://[^/?#\\{]+([/?#]|$)`)

// ParseURL reads a URL template, or says what is wrong with it. {base_url} is
// what baseURL is, which may be empty and may have placeholders itself.
func ParseURL(source, baseURL string) (*URL, error) {
	const base = "{base_url}"
	source = strings.TrimSpace(source)
	if strings.Contains(source, base) {
		if baseURL == "" {
			return nil, errors.New("needs {base_url}, and there is no base_url")
		}
		source = strings.ReplaceAll(source, base, strings.TrimRight(baseURL, "/"))
	}
	host := fixedHost.FindString(source)
	parts, err := Parse(source[len(host):])
	if err != nil {
		return nil, err
	}
	u := &URL{host, parts}
	sample := Values{PO: "1", Digits: "1", Column: func(string) (string, bool) { return "1", true }}
	for _, p := range parts {
		if _, known := sample.Value(p.Placeholder); p.Placeholder != "" && !known {
			return nil, unknown(p.Placeholder)
		}
	}
	if host == "" {
		return nil, errors.New("must begin with http:// or https:// and a host without placeholders, or with {base_url}")
	}
	if _, err := u.Expand(sample); err != nil {
		return nil, err
	}
	return u, nil
}

func unknown(placeholder string) error {
	hint := "a URL can have {po}, {digits}, {base_url} and {column:NAME}"
	if near := spelling.Nearest(placeholder, []string{"po", "digits", "base_url"}); near != "" {
		hint = "did you mean {" + near + "}?"
	}
	return fmt.Errorf("has the placeholder {%s}, which is not known; %s", placeholder, hint)
}

// Varies reports whether the template has any placeholder, so that two orders can
// have two addresses.
func (u *URL) Varies() bool {
	return slices.ContainsFunc(u.rest, func(p Part) bool { return p.Placeholder != "" })
}

// Columns returns the names of the columns that the template asks for.
func (u *URL) Columns() []string {
	var names []string
	for _, p := range u.rest {
		if name, is := columnName(p.Placeholder); is {
			names = append(names, name)
		}
	}
	return names
}

// Expand returns the address of the order that has these values. Its errors
// name the placeholder whose value is missing.
func (u *URL) Expand(v Values) (string, error) {
	var address strings.Builder
	address.WriteString(u.host)
	for _, p := range u.rest {
		address.WriteString(escapeLiteral(p.Literal))
		if p.Placeholder == "" {
			continue
		}
		value, known := v.Value(p.Placeholder)
		switch {
		case !known:
			column, _ := columnName(p.Placeholder)
			return "", fmt.Errorf("needs the column %q, which the input does not have", column)
		case value == "":
			return "", fmt.Errorf("needs {%s}, which is empty in this row", p.Placeholder)
		}
		// It escapes all but letters, digits and -_.~, and so fits into paths,
		// queries and fragments alike.
		address.WriteString(strings.ReplaceAll(url.QueryEscape(value), "+", "%20"))
	}
	if err := checkAddress(address.String()); err != nil {
		return "", err
	}
	return address.String(), nil
}

// escapeLiteral escapes what cannot stand in a URL, as browsers do. With it
// there, url.URL would escape the whole path anew and undo the values' escapes.
func escapeLiteral(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._~:/?#[]@!$&'()*+,;=%", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func checkAddress(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil && strings.Contains(address, "@"):
		return errors.New("is not a URL") // the reason could show a password
	case err != nil:
		return fmt.Errorf("is not a URL: %w", errors.Unwrap(err))
	case u.User != nil:
		return errors.New("has a user name in it; secrets do not belong there")
	}
	for segment := range strings.SplitSeq(strings.ReplaceAll(u.Path, `\`, "/"), "/") {
		if segment == "." || segment == ".." {
			return fmt.Errorf("has %q in its path, which leads elsewhere", segment)
		}
	}
	return CheckHost(u)
}

// CheckHost returns what is wrong with an address's host and port, or nil.
func CheckHost(u *url.URL) error {
	if u.Hostname() == "" {
		return fmt.Errorf("has no host after %s://", u.Scheme)
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return errors.New("has a port that does not exist")
		}
	}
	return nil
}
