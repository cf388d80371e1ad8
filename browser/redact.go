package browser

import (
	"net/url"
	"regexp"
	"strings"
)

// secretParam is a name that says secret; settings outside of addresses need one of
// the longer of them.
var (
	secretParam  = regexp.MustCompile(`(?i)^(?:` + tellingName + `|sid|sig|key|code|otp|pin|pass)$`)
	secretByName = regexp.MustCompile(`(?i)^` + tellingName + `$`)
)

const tellingName = `[\w.\[\]-]*(?:token|secret|passw|passphrase|pwd|auth|session|signature|api[_-]?key|credential|jwt|saml|ticket|csrf|xsrf|nonce|cookie|assertion|private[_-]?key)[\w.\[\]-]*`

var (
	// inAddress is a parameter in a query, a fragment or a path (";jsessionid="), and
	// nested one in an address within another.
	inAddress = regexp.MustCompile(`(?i)([?&;#](?:amp;)?)([\w.\[\]-]+)(=)([^&;#?"'<>\s]+)`)
	nested    = regexp.MustCompile(`(?i)(%3f|%26|%23)([\w.\[\]-]+)(%3d)((?:[^%&;#?"'<>\s]|%[013-9a-f][0-9a-f]|%2[0-24579a-f])+)`)
	// setting is a pair in a text of any other kind: token=..., password='...'.
	setting = regexp.MustCompile(`(^|[\s{,(])([\w.-]+)(=["']?)([^&;,"'<>\s)}\]]+)`)
	// member is a member of an object in JSON or a script, up to its value. The text may
	// itself stand in a string, or in several.
	member = regexp.MustCompile(`\\*["']?([\w.$-]+)\\*["']?\s*:\s*`)
	number = regexp.MustCompile(`^-?\d[\d.eE+-]*`)
	// authorization is what signs a request, and bearer a token of the common form.
	authorization = regexp.MustCompile(`(?i)(\bauthorization["']?\s*[:=]\s*["']?(?:basic|bearer)\s+)[\w.~+/-]+=*`)
	bearer        = regexp.MustCompile(`\beyJ[\w-]{8,}\.[\w-]+\.?[\w-]*|(?i:\bbearer\s+)[a-zA-Z.~+/-]*[\d_][\w.~+/-]*=*`)
	// userInfo is the user part of an address.
	userInfo = regexp.MustCompile(`(?i)(\b[a-z][a-z0-9+.-]*:\\?/\\?/)[^/\\?#@\s"'<>]+@`)
	// author is a harmless name that begins as one of those does.
	author = regexp.MustCompile(`(?i)authors?(?:ed|ship)?(?:\b|[-_])`)
)

const redacted = "redacted"

// SaysSecret reports whether a name, as of a form's field or a parameter, says that
// its value is a password, a token, a key, a signature or a session.
func SaysSecret(name string) bool {
	return saysSecret(strings.TrimSpace(name), secretParam)
}

func saysSecret(name string, names *regexp.Regexp) bool {
	return names.MatchString(author.ReplaceAllString(name, ""))
}

// Redact returns the address without what may be a secret: its user part, and the
// values of parameters whose names say that they are tokens, keys, signatures or
// sessions.
func Redact(address string) string {
	u, err := ParseURL(address)
	if err != nil {
		return "(an address that cannot be parsed)"
	}
	if u.Scheme == "data" || u.Scheme == "blob" {
		return u.Scheme + ":..."
	}
	if u.User != nil {
		u.User = url.User(redacted)
	}
	query := u.Query()
	found := false
	for name := range query {
		if SaysSecret(name) {
			query.Set(name, redacted)
			found = true
		}
	}
	if found {
		u.RawQuery = query.Encode()
	}
	return RedactText(u.String())
}

// RedactText returns a text, such as a message or a part of a page, in which what may
// be a secret is replaced wherever it stands: the values of such parameters, of such
// members of JSON, of authorization headers, and the user part of addresses.
func RedactText(text string) string {
	text = redactPairs(text, inAddress, secretParam)
	text = redactPairs(text, nested, secretParam)
	text = redactPairs(text, setting, secretByName)
	text = redactMembers(text)
	text = authorization.ReplaceAllString(text, "${1}"+redacted)
	text = bearer.ReplaceAllString(text, redacted)
	return userInfo.ReplaceAllString(text, "${1}"+redacted+"@")
}

// redactPairs replaces the values of the pairs whose names say so.
func redactPairs(text string, pair, names *regexp.Regexp) string {
	return pair.ReplaceAllStringFunc(text, func(found string) string {
		part := pair.FindStringSubmatch(found)
		if !saysSecret(part[2], names) {
			return found
		}
		return part[1] + part[2] + part[3] + redacted
	})
}

// redactMembers replaces the values of the members whose names say so.
func redactMembers(text string) string {
	var out strings.Builder
	for {
		at := member.FindStringSubmatchIndex(text)
		if at == nil {
			out.WriteString(text)
			return out.String()
		}
		value := text[at[1]:]
		out.WriteString(text[:at[1]])
		if n := valueLength(value); n > 0 && saysSecret(text[at[2]:at[3]], secretParam) {
			quote := `"`
			if open := strings.TrimLeft(value, `\`); open != "" && (open[0] == '"' || open[0] == '\'') {
				quote = value[:len(value)-len(open)+1]
			}
			out.WriteString(quote + redacted + quote)
			value = value[n:]
		}
		text = value
	}
}

// valueLength returns how long the string or number is that a text begins with. The
// string ends where its quote stands again, with as many backslashes before it.
func valueLength(text string) int {
	open := strings.TrimLeft(text, `\`)
	escapes := len(text) - len(open)
	if open == "" || open[0] != '"' && open[0] != '\'' {
		return len(number.FindString(text))
	}
	slashes := 0
	for i := escapes + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			slashes++
			continue
		case open[0]:
			if slashes <= escapes {
				return i + 1
			}
		}
		slashes = 0
	}
	return len(text)
}
