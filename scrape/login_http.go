package scrape

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/poscrape/poscrape/browser"
)

// HTTPLogin is what servers are told that ask for a user and a password (HTTP Basic and
// Digest).
type HTTPLogin struct {
	User, Password Secret
	// To are the hosts that may have these besides the portal's own.
	To []string
	at position
}

func (rd *recipeReader) loginHTTP(rule *LoginRule) readNode {
	return func(n ast.Node, path string) {
		at := beginning(n)
		rule.HTTP = &HTTPLogin{at: position{at.Line, at.Column}}
		rd.keys(n, path, []string{"user", "password"}, recipeKeys{
			"user":     one(rd, &rule.HTTP.User, rd.parseSecret),
			"password": one(rd, &rule.HTTP.Password, rd.parseSecret),
			"to":       rd.to(&rule.HTTP.To),
		})
	}
}

// credentials returns what servers of the portal are told that ask for a password, or nil.
func (r *Recipe) credentials() (*browser.Credentials, error) {
	if r.Login == nil || r.Login.HTTP == nil {
		return nil, nil
	}
	user, err := r.Login.HTTP.User.Read("login.http.user")
	if err != nil {
		return nil, err
	}
	password, err := r.Login.HTTP.Password.Read("login.http.password")
	if err != nil {
		return nil, err
	}
	return &browser.Credentials{User: user, Password: password, For: r.mayKnowPassword}, nil
}

// mayKnowPassword reports whether a server may be told the portal's password.
func (r *Recipe) mayKnowPassword(server *url.URL) bool {
	return slices.Contains(r.secretOrigins(true, r.Login.HTTP.To), Origin(server.String()))
}

var authScheme = regexp.MustCompile(`(?im)(?:^|,)\s*(basic|digest|ntlm|negotiate)\b`)

// asked says what a server wants to know that has answered with 401, to go behind a message.
func (r *Recipe) asked(res *browser.Response) string {
	var schemes []string
	for _, m := range authScheme.FindAllStringSubmatch(res.Header["www-authenticate"], -1) {
		schemes = append(schemes, strings.ToLower(m[1]))
	}
	u, err := browser.ParseURL(res.URL)
	given := err == nil && r.Login != nil && r.Login.HTTP != nil && r.mayKnowPassword(u)
	switch byPassword := slices.ContainsFunc(schemes, func(s string) bool { return s != "negotiate" }); {
	case len(schemes) == 0:
		return ""
	case byPassword && given:
		return "; it has refused the user and password of login.http"
	case byPassword && r.Login != nil && r.Login.HTTP != nil:
		return "; the password of login.http " + withheld(r.secretOrigins(true, r.Login.HTTP.To), res.URL, writeTo)
	case byPassword:
		return "; the server itself asks for a user and a password, which login.http in the recipe gives it"
	}
	return "; the server asks for a Windows sign-in (Negotiate), which poscrape cannot give it"
}
