package scrape

import (
	"fmt"
	"strings"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

// checkHost returns the failure of an order whose page is at a foreign address, or came from a server that is
// not to be read, or nil.
func (a *attempt) checkHost(address string) error {
	u, err := browser.ParseURL(address)
	if err != nil {
		return fmt.Errorf("the portal led to an address that cannot be parsed: %w", err)
	}
	if u.Host != "" && !a.navigable(address) {
		return foreign(u.Host)
	}
	return a.portal.servers.refused(address)
}

// tookAway says that a form of the page was not sent because of the secret in it.
func tookAway(address string) string {
	host := strings.TrimPrefix(strings.TrimPrefix(Origin(address), "https://"), "http://")
	return fmt.Sprintf("a form of the page leads to %s, which is not to have the secret that was written into it; if it is, write beside that secret: to: [%s]", Origin(address), host)
}

// foreign is the failure of an order whose page is, or leads, elsewhere.
func foreign(host string) *tasks.Failure {
	return tasks.Permanent(tasks.OutcomeFailed, tasks.ClassHost, "the portal led to a host that the recipe's allowed_hosts do not name; sign in, or allow it: %s", host)
}

// stopped returns the failure of a page that was kept from leading to an address, or nil
// where there is none.
func (a *attempt) stopped(address string) error {
	if address == "" {
		return nil
	}
	if address == a.browser.Withheld() {
		return tasks.Permanent(tasks.OutcomeFailed, tasks.ClassHost, "%s", tookAway(address))
	}
	u, err := browser.ParseURL(address)
	if err != nil || u.Host == "" {
		return foreign(browser.Redact(address))
	}
	return foreign(u.Host)
}

// allowed reports whether something of this order may come from the address.
func (a *attempt) allowed(address string) bool {
	u, err := browser.ParseURL(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && a.portal.recipe.HostAllowed(u.Host, a.order())
}
