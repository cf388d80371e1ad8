package browser

import (
	"net/url"
	"regexp"
)

var secretParam = regexp.MustCompile(`(?i)(token|secret|passw|pwd|auth|session|sid$|signature|^sig$|api_?key|^key$|code$|credential|jwt|saml|ticket)`)

// Redact returns the address without what may be a secret: the password of its
// user part, and the values of parameters whose names say that they are tokens,
// keys, signatures or sessions.
func Redact(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "(an address that cannot be parsed)"
	}
	if u.Scheme == "data" || u.Scheme == "blob" {
		return u.Scheme + ":..."
	}
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	if u.RawQuery == "" {
		return u.String()
	}
	query := u.Query()
	redacted := false
	for name := range query {
		if secretParam.MatchString(name) {
			query.Set(name, "redacted")
			redacted = true
		}
	}
	if redacted {
		u.RawQuery = query.Encode()
	}
	return u.String()
}
