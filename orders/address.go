package orders

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode"

	"github.com/poscrape/poscrape/internal/template"
)

// parseAddress returns the address that a cell gives, or that was made of a
// template, with its scheme and host in lower case. Its errors never show a
// password.
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
	if err := template.CheckHost(u); err != nil {
		return "", fmt.Errorf("%s %w", quoted(redact(text)), err)
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
