package setup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/poscrape/poscrape/internal/inside"
	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/scrape"
)

// lookUpWithin bounds how long a sheet's hosts are looked up, all at once.
const lookUpWithin = 5 * time.Second

// unnamed reports whether nobody but the sheet names the host of an order's address: neither a recipe's
// base_url nor a typed address.
func (c Config) unnamed(recipes Recipes, o orders.PurchaseOrder) (host string, is bool) {
	u, err := url.Parse(o.URL)
	if err != nil || u.Host == "" {
		return "", false
	}
	for _, r := range recipes {
		if r.Portal == o.Portal && r.BaseURL != "" {
			return "", false
		}
	}
	host = inside.Name(u.Host)
	typed, err := url.Parse(scrape.Origin(c.TypedURL()))
	return host, err != nil || inside.Name(typed.Host) != host
}

// refuseInside refuses the orders of a sheet that lead to this machine or, where there are several such hosts, into
// its network, as far as places knows that of a host. It returns the one host of the network that is
// left, or "".
func (c Config) refuseInside(sheet *orders.Sheet, recipes Recipes, places func(host string) inside.Place) (local string, err error) {
	if c.AllowLocal {
		return "", nil
	}
	at := map[string]inside.Place{}
	var network []string
	for _, o := range sheet.Orders {
		host, unnamed := c.unnamed(recipes, o)
		if _, known := at[host]; !unnamed || known {
			continue
		}
		at[host] = places(host)
		if at[host] == inside.Network {
			network = append(network, host)
		}
	}
	err = sheet.Refuse(func(o orders.PurchaseOrder) string {
		host, unnamed := c.unnamed(recipes, o)
		switch {
		case unnamed && at[host] == inside.Machine:
			return c.notInside(host, at[host])
		case unnamed && at[host] == inside.Network && len(network) > 1:
			return c.notInside(host, at[host]) + fmt.Sprintf(", as do others of the sheet's %d hosts there", len(network))
		}
		return ""
	})
	if len(network) == 1 {
		local = network[0]
	}
	return local, err
}

// notInside says why nothing of a host is asked that only the sheet names, or only a file of settings that nobody has
// named or allowed.
func (c Config) notInside(host string, place inside.Place) string {
	if found, err := url.Parse(scrape.Origin(c.URL)); c.URLFound && err == nil && inside.Name(found.Host) == host {
		return fmt.Sprintf("%s leads to %s, which the url of a found poscrape.yaml may do only with --allow-local, or once you have let it by 'poscrape config allow'", host, place)
	}
	return fmt.Sprintf("%s leads to %s, which a sheet may do only with --allow-local", host, place)
}

// LookUp looks up the hosts that only the sheet names, before the first of them is asked, refuses the orders that
// lead inside, and notes in the sheet which hosts these are, and in the settings which one of this machine's network
// is left. Behind a proxy nothing is looked up. It returns a *orders.FileError where no order is left.
func (c *Config) LookUp(ctx context.Context, sheet *orders.Sheet, recipes Recipes) error {
	hosts := c.unnamedHosts(sheet.Orders, recipes)
	if len(hosts) > 1 {
		sheet.Notes = append(sheet.Notes, fmt.Sprintf("the sheet's orders are on %d hosts: %s", len(hosts), strings.Join(hosts, ", ")))
	}
	places := map[string]inside.Place{}
	looks := c.Proxy == "" && !c.AllowLocal
	if looks {
		places = lookUp(ctx, hosts)
	}
	local, err := c.refuseInside(sheet, recipes, func(host string) inside.Place {
		place, _ := inside.Host(host)
		return max(place, places[host])
	})
	if looks {
		c.LocalHost = &local
	}
	if local != "" && err == nil {
		sheet.Notes = append(sheet.Notes, fmt.Sprintf("the sheet's orders lead into this machine's private network, to %s", local))
	}
	return err
}

// LooksUpAgain reports whether LookUpAgain has anything to do for orders of these recipes.
func (c Config) LooksUpAgain(recipes Recipes) bool {
	return c.Proxy == "" && !c.AllowLocal && slices.ContainsFunc(recipes, func(r Recipe) bool { return r.BaseURL == "" })
}

// LookUpAgain is LookUp for the orders of a session that is gone on with: those that lead inside are refused when
// they are begun. The host of this machine's network that an earlier run has found stays the one.
func (c *Config) LookUpAgain(ctx context.Context, list []orders.PurchaseOrder, recipes Recipes) {
	hosts := c.unnamedHosts(list, recipes)
	c.looked = lookUp(ctx, hosts)
	network := slices.DeleteFunc(hosts, func(host string) bool {
		place, _ := inside.Host(host)
		return max(place, c.looked[host]) != inside.Network
	})
	if len(network) == 0 || c.LocalHost != nil && *c.LocalHost != "" {
		return
	}
	local := ""
	if len(network) == 1 {
		local = network[0]
	}
	c.LocalHost = &local
}

// unnamedHosts returns the hosts that only the sheet names, of orders that are not left out.
func (c Config) unnamedHosts(list []orders.PurchaseOrder, recipes Recipes) (hosts []string) {
	for _, o := range list {
		if host, unnamed := c.unnamed(recipes, o); unnamed && o.Skipped == "" && !slices.Contains(hosts, host) {
			hosts = append(hosts, host)
		}
	}
	return hosts
}

// lookUp returns where hosts lead. One that has several addresses leads to the nearest of them, and one that is
// not known is Chrome's to complain of.
func lookUp(ctx context.Context, hosts []string) map[string]inside.Place {
	ctx, cancel := context.WithTimeout(ctx, lookUpWithin)
	defer cancel()
	var mu sync.Mutex
	var all sync.WaitGroup
	places := map[string]inside.Place{}
	slots := make(chan struct{}, 16)
	for _, host := range hosts {
		if _, known := inside.Host(host); known {
			continue
		}
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			addrs, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
			if err != nil {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			for _, addr := range addrs {
				places[host] = max(places[host], inside.Of(addr))
			}
		})
	}
	all.Wait()
	return places
}

// Answered returns what judges the IP address that an answer came from, for a portal that only the sheet names;
// or nil, where none is to be judged. A name may lead elsewhere than when it was looked up; it is looked up again
// where the IP address is empty. Hosts that allowed_hosts names in full are the recipe's, and not judged. Behind
// a proxy it is the proxy that answers, so only addresses without a name are judged.
func (c Config) Answered(recipe Recipe) func(address, from string) error {
	if c.AllowLocal || recipe.BaseURL != "" {
		return nil
	}
	var mu sync.Mutex
	local := c.LocalHost
	return func(address, from string) error {
		host, unnamed := c.unnamed(Recipes{recipe}, orders.PurchaseOrder{URL: address, Portal: recipe.Portal})
		if !unnamed || slices.ContainsFunc(recipe.AllowedHosts, func(named string) bool { return inside.Name(named) == host }) {
			return nil
		}
		if c.Proxy != "" {
			from = host
		}
		place, known := inside.Host(cmp.Or(from, host))
		switch {
		case known:
		case from == "":
			place = lookUp(context.Background(), []string{host})[host]
		default: // nothing has answered yet
			place = c.looked[host]
		}
		if place == inside.Outside {
			return nil
		}
		mu.Lock()
		defer mu.Unlock()
		if place == inside.Network && local == nil {
			local = &host
		}
		if place == inside.Network && *local == host {
			return nil
		}
		return errors.New(c.notInside(host, place))
	}
}
