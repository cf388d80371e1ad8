package browser

import (
	"net/url"
	"regexp"
)

//nolint:gosec // the names of parameters that hold secrets, and no secret
const secretName = `[\w.-]*(?:token|secret|passw|pwd|auth|session|signature|api_?key|credential|jwt|saml|ticket)[\w.-]*|sid|sig|key|code`

var (
	secretParam = regexp.MustCompile(`(?i)^(?:` + secretName + `)$`)
	// secretPair is such a parameter wherever it stands: in a query, a fragment
	// or a path (";jsessionid=").
	secretPair = regexp.MustCompile(`(?i)([?&;#](?:amp;)?(?:` + secretName + `)=)[^&;#?"'<>\s]+`)
)

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
	return RedactText(u.String())
}

// RedactText returns a text, such as a page's source, in which the values of
// such parameters are replaced wherever they stand.
func RedactText(text string) string { return secretPair.ReplaceAllString(text, "${1}redacted") }
