package scrape

import (
	"fmt"
	"net/url"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

// checkHost returns the failure of an order whose page is at a foreign address, or came from a server that is
// not to be read, or nil.
func (a *attempt) checkHost(address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return fmt.Errorf("the portal led to an address that cannot be parsed: %w", err)
	}
	if u.Host != "" && !a.navigable(address) {
		return foreign(u.Host)
	}
	return a.portal.servers.refused(address)
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
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return foreign(browser.Redact(address))
	}
	return foreign(u.Host)
}

// allowed reports whether something of this order may come from the address.
func (a *attempt) allowed(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && a.portal.recipe.HostAllowed(u.Host, a.order())
}
