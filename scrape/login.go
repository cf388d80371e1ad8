package scrape

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/template"
	"github.com/poscrape/poscrape/scrape/verdict"
	"github.com/poscrape/poscrape/tasks"
)

// LoginRule says how a sign-in page is recognised, and how to sign in.
type LoginRule struct {
	Expired Expired
	// StartURL is the address at which signing in begins, or empty.
	StartURL string
	// Hosts are host patterns that navigation may pass through, besides the portal's own and
	// that of StartURL.
	Hosts []string
	// Steps are done there, one after the other.
	Steps []Step
	// Success is what is there once somebody is signed in: its selector and one of its texts, if it
	// has both.
	Success Marker
	// Sharing says whose a sign-in is: SharedLogin, EachLogin, or empty where that is to be
	// found out.
	Sharing LoginSharing
	// Logout is the address that ends a sign-in, or empty.
	Logout string
	// HTTP is nil where the portal's servers ask for no password themselves.
	HTTP *HTTPLogin
}

// entry returns the selector of what is filled in first, or "".
func (l *LoginRule) entry() string {
	if len(l.Steps) == 0 || l.Steps[0].Kind != StepFill || l.Steps[0].Frame != "" {
		return ""
	}
	return l.Steps[0].Selector
}

// LoginSharing says whose a sign-in is.
type LoginSharing string

// The ways to share a sign-in: all workers have one, or each makes its own.
const (
	SharedLogin LoginSharing = "shared"
	EachLogin   LoginSharing = "each"
)

// Expired recognises a page on which nobody is signed in any more. Its Status is that of the
// page, or of data that its scripts asked for.
type Expired struct {
	Marker
	// URL are patterns of the page's address: of its path, or with a host; one with a "#" is
	// of its end. "*" stands for anything.
	URL []string
}

// Wall recognises a page that asks for something else before it shows an order.
type Wall struct {
	// Name says for people what it asks for.
	Name string
	Marker
}

func (rd *recipeReader) login(n ast.Node, path string) {
	rule := &LoginRule{}
	rd.recipe.Login = rule
	rd.keys(n, path, nil, recipeKeys{
		"expired": rd.section(nil, recipeKeys{
			"url":      many(rd, &rule.Expired.URL, checkedText(checkPagePattern)),
			"selector": rd.selector(&rule.Expired.Selector),
			"text":     many(rd, &rule.Expired.Text, parseText),
			"status":   many(rd, &rule.Expired.Status, parseStatus),
		}),
		"start_url": one(rd, &rule.StartURL, parseText),
		"hosts":     many(rd, &rule.Hosts, checkedText(checkTrustedHost)),
		"steps":     rd.steps(&rule.Steps, true),
		"success": rd.section(nil, recipeKeys{
			"selector": rd.selector(&rule.Success.Selector),
			"text":     many(rd, &rule.Success.Text, parseText),
		}),
		"http":    rd.loginHTTP(rule),
		"logout":  rd.section([]string{"url"}, recipeKeys{"url": one(rd, &rule.Logout, parseText)}),
		"session": one(rd, &rule.Sharing, parseChoice(SharedLogin, EachLogin)),
	})
}

// checkLogin checks what depends on keys that may stand elsewhere in the file.
func (rd *recipeReader) checkLogin(at ast.Node) {
	rule := rd.recipe.Login
	if at == nil || rule == nil {
		return
	}
	if rule.HTTP != nil && rd.recipe.BaseURL == "" {
		rd.problem(at, "login.http", "needs a base_url, which says who is told the password")
	}
	if len(rule.Steps) > 0 && rule.StartURL == "" {
		rule.StartURL = rd.recipe.BaseURL
	}
	if len(rule.Steps) > 0 && rule.StartURL == "" {
		rd.problem(at, "login.steps", "need a login.start_url, the page that they begin on")
	}
	rd.loginAddress(at, "login.start_url", &rule.StartURL)
	rd.loginAddress(at, "login.logout.url", &rule.Logout)
	if u, err := browser.ParseURL(rule.Logout); err == nil && rule.Logout != "" && !rd.recipe.HostAllowed(u.Host, nil) && !rule.passes(u) {
		rd.problem(at, "login.logout.url", "is on another host than base_url, start_url, allowed_hosts and login.hosts")
	}
}

// loginAddress expands what stands for the portal in an address.
func (rd *recipeReader) loginAddress(at ast.Node, path string, address *string) {
	if *address == "" {
		return
	}
	u, err := template.ParseURL(*address, rd.recipe.BaseURL)
	if err == nil && u.Varies() {
		err = fmt.Errorf("has a placeholder that stands for an order, and signing in is for all of them")
	}
	if err == nil {
		*address, err = u.Expand(template.Values{})
	}
	if err != nil {
		rd.problem(at, path, "%v", err)
	}
}

func (rd *recipeReader) walls(n ast.Node, path string) {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		rd.problem(n, path, "%v", wrongKind(n, "a list"))
		return
	}
	rd.recipe.Walls = nil
	for i, item := range list.Values {
		var w Wall
		at := fmt.Sprintf("%s[%d]", path, i)
		seen := rd.keys(item, at, []string{"name"}, recipeKeys{
			"name":     one(rd, &w.Name, parseText),
			"selector": rd.selector(&w.Selector),
			"text":     many(rd, &w.Text, parseText),
		})
		if seen != nil && w.Selector == "" && len(w.Text) == 0 {
			rd.problem(item, at, "has neither selector nor text, so it recognises nothing")
		}
		rd.recipe.Walls = append(rd.recipe.Walls, w)
	}
}

func checkPagePattern(pattern string) error {
	if strings.Contains(pattern, "#") {
		return nil
	}
	return checkIgnore(pattern)
}

// pagePatterns returns what Expired.URL says in the words of Go and of JavaScript, for whole
// addresses.
func (e Expired) pagePatterns() []string {
	patterns := []string{}
	for _, p := range e.URL {
		if strings.Contains(p, "#") {
			patterns = append(patterns, strings.ReplaceAll(regexp.QuoteMeta(p), `\*`, `.*`)+`$`)
			continue
		}
		patterns = append(patterns, strings.TrimSuffix(expression(p), "$")+`(?:#.*)?$`)
	}
	return patterns
}

// loginHost reports whether an address is where people sign in, and not the portal's own: on
// one of login.hosts, or on start_url's host.
func (a *attempt) loginHost(address string) bool {
	rule := a.portal.recipe.Login
	u, err := browser.ParseURL(address)
	if rule == nil || err != nil || u.Scheme != "http" && u.Scheme != "https" || a.allowed(address) {
		return false
	}
	return rule.passes(u)
}

// passes reports whether navigation may pass through an address while somebody signs in.
func (l *LoginRule) passes(u *url.URL) bool {
	if start, err := browser.ParseURL(l.StartURL); err == nil && start.Host != "" && strings.EqualFold(start.Host, u.Host) {
		return true
	}
	return hostMatchesAny(l.Hosts, u.Host)
}

// navigable reports whether the page of this order may be at, or pass through, an address.
func (a *attempt) navigable(address string) bool { return a.allowed(address) || a.loginHost(address) }

// signedOutAt says by which address a page is the one on which people sign in, or "".
func (a *attempt) signedOutAt(address string) string {
	rule := a.portal.recipe.Login
	if rule == nil {
		return ""
	}
	if a.loginHost(address) {
		return "it led to " + browser.Redact(address)
	}
	for i, pattern := range rule.Expired.pagePatterns() {
		if regexp.MustCompile(pattern).MatchString(address) {
			return "its address is that of login.expired.url " + quoted(rule.Expired.URL[i])
		}
	}
	return ""
}

// signedOutPart says which data of the page was refused because nobody is signed in, or "".
// After an attempt that met the wall somebody has signed in: then it is a part of the page that
// could not be loaded.
func (a *attempt) signedOutPart() string {
	rule := a.portal.recipe.Login
	if rule == nil || a.metWall() {
		return ""
	}
	failed, _, _ := a.counted()
	for _, part := range failed {
		if part.SignIn || slices.Contains(rule.Expired.Status, part.Status) {
			return a.describe(part)
		}
	}
	return ""
}

// metWall reports whether the attempt before this one met a sign-in page.
func (a *attempt) metWall() bool {
	last := len(a.task.History) - 1
	return last >= 0 && a.task.History[last].Error != nil && a.task.History[last].Error.Class == tasks.ClassLogin
}

// stillSignedIn returns the failure of an attempt that was signed out after its page was
// read, or nil: one of a page that was opened once more for a document. A document that could
// not be had, or another page of the order, may be a sign-in page: then the order's page is one
// by now, too.
func (a *attempt) stillSignedIn(ctx context.Context, res *tasks.Result) error {
	for _, doc := range res.Attachments {
		if doc.Error != nil && doc.Error.Class == tasks.ClassLogin {
			return verdict.SignedOut("%s", doc.Error.Message)
		}
	}
	walled := slices.ContainsFunc(a.unread, func(f *tasks.Failure) bool { return f.Class == tasks.ClassLogin })
	if a.portal.recipe.Login == nil || !walled && !slices.ContainsFunc(res.Attachments, maybeSignedOut) {
		return nil
	}
	executor := a.executor
	_, err := a.render(ctx)
	a.executor = executor
	var f *tasks.Failure
	if errors.As(err, &f) && f.Class == tasks.ClassLogin {
		return f
	}
	return nil
}

func maybeSignedOut(doc tasks.Attachment) bool {
	return doc.Error != nil && slices.Contains([]tasks.Class{tasks.ClassWrongType, tasks.ClassHost, tasks.ClassAttachment}, doc.Error.Class)
}
