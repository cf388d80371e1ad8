package scrape

import (
	"net/url"

	"github.com/goccy/go-yaml/ast"

	"github.com/poscrape/poscrape/browser"
)

// LoginRule says how to sign in at the portal.
type LoginRule struct {
	// HTTP is nil where the portal's servers ask for no password themselves.
	HTTP *HTTPLogin
}

// HTTPLogin is what servers are told that ask for a user and a password (HTTP Basic and
// Digest).
type HTTPLogin struct{ User, Password Secret }

func (rd *recipeReader) login(n ast.Node, path string) {
	rule := &LoginRule{}
	rd.keys(n, path, nil, recipeKeys{"http": func(n ast.Node, path string) {
		rule.HTTP = &HTTPLogin{}
		rd.keys(n, path, []string{"user", "password"}, recipeKeys{
			"user":     one(rd, &rule.HTTP.User, rd.parseSecret),
			"password": one(rd, &rule.HTTP.Password, rd.parseSecret),
		})
	}})
	rd.recipe.Login = rule
}

// checkLogin checks what depends on keys that may stand elsewhere in the file.
func (rd *recipeReader) checkLogin(at ast.Node) {
	if r := rd.recipe; at != nil && r.Login.HTTP != nil && r.BaseURL == "" {
		rd.problem(at, "login.http", "needs a base_url: a password is told to that host and to allowed_hosts only")
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

// mayKnowPassword reports whether a server may be told the portal's password. Where the
// portal's own address is encrypted, nothing else is told it.
func (r *Recipe) mayKnowPassword(origin *url.URL) bool {
	base, err := url.Parse(r.BaseURL)
	return err == nil && (origin.Scheme == "https" || base.Scheme != "https") && r.HostAllowed(origin.Host, nil)
}
