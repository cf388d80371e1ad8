package scrape

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

// ignores recognises the requests that ready.ignore names.
type ignores []*regexp.Regexp

// checkIgnore says what is wrong with one of these patterns.
func checkIgnore(pattern string) error {
	host, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(pattern, "https://"), "http://"), "/")
	if strings.Trim(pattern, "*/") == "" || host == "" && !strings.HasPrefix(pattern, "/") {
		return errors.New(`must be a path, such as "/api/telemetry*", or an address with a host, such as "stats.example/*"; * stands for anything`)
	}
	return nil
}

// expression returns the pattern in the words of Go and of JavaScript: a path is any
// host's, and without a query the pattern leaves that open.
func expression(pattern string) string {
	text := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, `.*`)
	switch {
	case strings.HasPrefix(pattern, "/"):
		text = `https?://[^/?]*` + text
	case !strings.Contains(pattern, "://"):
		text = `https?://` + text
	}
	if !strings.Contains(pattern, "?") {
		text += `(?:\?.*)?`
	}
	return "^" + text + "$"
}

func (r Ready) ignores() ignores {
	var all ignores
	for _, pattern := range r.Ignore {
		all = append(all, regexp.MustCompile(expression(pattern)))
	}
	return all
}

// ignoring returns a script of pages that finds the patterns under the name ignored.
func (r Ready) ignoring(script string) string {
	expressions := []string{}
	for _, pattern := range r.Ignore {
		expressions = append(expressions, expression(pattern))
	}
	return "{ const ignored = " + inScript(expressions) + ";\n" + script + "}"
}

func (all ignores) match(address string) bool {
	address, _, _ = strings.Cut(address, "#")
	for _, one := range all {
		if one.MatchString(address) {
			return true
		}
	}
	return false
}

// counted returns which of the page's requests count: those to the order's own host and
// to the recipe's hosts that it does not ignore; and those to other hosts that were barred.
func (a *attempt) counted() (failed, open, barred []browser.Part) {
	parts := a.browser.Tab().Unloaded()
	if len(parts) == 0 {
		return nil, nil, nil
	}
	ignored := a.portal.recipe.Ready.ignores()
	for _, part := range parts {
		u, err := browser.ParseURL(part.URL)
		switch {
		case err != nil, ignored.match(part.URL):
		case u.Host != a.address.Host && !a.allowed(part.URL):
			if part.Barred && !a.portal.recipe.Block.Blocks(u.Host) {
				barred = append(barred, part)
			}
		case part.Why != "":
			a.heed(&tasks.Failure{}, part.Status, part.RetryAfter, part.URL, a.address.String())
			failed = append(failed, part)
		default:
			open = append(open, part)
		}
	}
	return failed, open, barred
}

// notLetOut says which script, or data, the page asked other hosts for and did not get, as the browser's container does
// not let through to them, or is empty; and whether data is among it.
func (a *attempt) notLetOut() (text string, data bool) {
	_, _, barred := a.counted()
	if len(barred) == 0 {
		return "", false
	}
	more := ""
	if len(barred) > 1 {
		more = fmt.Sprintf(" and %d more", len(barred)-1)
	}
	return fmt.Sprintf("the page asked for %s%s, which containers do not let through to, as the recipe does not name the host; name it under allowed_hosts if pages need it, or else under block.hosts", a.shortened(barred[0].URL), more),
		slices.ContainsFunc(barred, func(p browser.Part) bool { return p.Data })
}

// pending reports whether the page waits for an answer to a request that counts, or for the rest of
// one that was asked for again because it had failed.
func (a *attempt) pending() bool {
	failed, open, _ := a.counted()
	return slices.ContainsFunc(failed, func(p browser.Part) bool { return p.Again }) ||
		slices.ContainsFunc(open, func(p browser.Part) bool { return !p.Begun })
}

// unloaded says what of itself the page could not load, or "". Answers that have begun are
// due only where the page has not come to rest.
func (a *attempt) unloaded(p *page) string {
	failed, open, _ := a.counted()
	all := slices.DeleteFunc(failed, func(part browser.Part) bool { return part.Why == oddAnswer && len(p.Items) > 0 })
	for _, part := range open {
		if !part.Begun || p.Unsettled != "" {
			all = append(all, part)
		}
	}
	if len(all) == 0 {
		return ""
	}
	more := ""
	if len(all) > 1 {
		more = fmt.Sprintf(", nor %d more", len(all)-1)
	}
	return fmt.Sprintf("the page could not load %s%s", a.describe(all[0]), more)
}

// oddAnswer is what answers.js says of an answer that the page may have its own way with, as it lists something.
const oddAnswer = "was answered with something else than the JSON that it is announced as"

// describe names a request, and what became of it.
func (a *attempt) describe(part browser.Part) string {
	why := part.Why
	switch {
	case why == "" && part.Begun:
		why = "has been answered in part for " + lasted(part.Since)
	case why == "":
		why = "had no answer after " + lasted(part.Since)
	}
	method := part.Method
	if method == "" {
		method = http.MethodGet
	}
	return fmt.Sprintf("%s %s, which %s", method, a.shortened(part.URL), why)
}

// shortened returns the address as people look for it: the path, and the host where it is
// not the order's.
func (a *attempt) shortened(address string) string {
	u, err := browser.ParseURL(browser.Redact(address))
	if err != nil {
		return browser.Redact(address)
	}
	if u.RawQuery, u.Fragment = "", ""; u.Host == a.address.Host {
		return u.EscapedPath()
	}
	return u.String()
}

func lasted(since time.Time) string { return time.Since(since).Round(100 * time.Millisecond).String() }
