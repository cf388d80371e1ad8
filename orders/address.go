package orders

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode"
)

// parseAddress returns the address that a cell or a template gives, with its
// scheme and host in lower case. Its errors never show a password.
func parseAddress(text string) (string, error) {
	text = trimInvisible(text)
	if strings.IndexFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) >= 0 {
		return "", errors.New("the URL has a space or a line break in it: write %20 for a space, and one URL only")
	}
	u, err := url.Parse(text)
	if err != nil {
		return "", fmt.Errorf("%s is not a valid URL", quoted(redact(text)))
	}
	if _, secret := u.User.Password(); secret {
		return "", errors.New("the URL has a password in it: remove it, signing in is the recipe's part")
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("%s does not begin with https:// or http://", quoted(redact(text)))
	}
	if u.Hostname() == "" {
		return "", fmt.Errorf("%s has no host after %s://", quoted(redact(text)), u.Scheme)
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return "", fmt.Errorf("%s has a port that does not exist", quoted(redact(text)))
		}
	}
	u.Host = strings.ToLower(u.Host)
	return u.String(), nil
}

// redact hides whatever could be a user and a password before an @.
func redact(address string) string {
	if i := strings.LastIndexByte(address, '@'); i >= 0 {
		return "…" + address[i:]
	}
	return address
}

// parseAddressTemplate parses a template whose result must be an address, and
// tries it.
func parseAddressTemplate(source, baseURL string) (template, error) {
	parsed, err := parseTemplate(strings.TrimSpace(source))
	if err != nil {
		return nil, err
	}
	address, err := parsed.expand(Values{
		PO: "1", Digits: "1", BaseURL: baseURL,
		Column: func(string) (string, bool) { return "1", true },
	})
	if err != nil {
		return nil, err
	}
	if _, err = parseAddress(address); err != nil {
		return nil, err
	}
	return parsed, nil
}
