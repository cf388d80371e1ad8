package scrape

import (
	"net"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/poscrape/poscrape/browser"
)

// SeeAddress tells of the address of an order in the sheet. Where the recipe has no base_url, the sheet says
// which hosts are the portal's own, so all of them are to be seen before the first browser.
func (p *Portal) SeeAddress(address string) {
	u, err := browser.ParseURL(address)
	if base, _ := browser.ParseURL(p.recipe.BaseURL); err != nil || base != nil && base.Host != "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if name, _ := splitHost(u.Host); name != "" && !slices.Contains(p.sheet, u.Host) {
		p.sheet = append(p.sheet, u.Host)
	}
}

// Reaches reports whether the portal's recipe, or its sheet, names a host, and a port: its own hosts, and the
// sites that people sign in at. An address without a port stands for those of http and https, base_url and
// allowed_hosts for all.
func (p *Portal) Reaches(host, port string) bool {
	server := net.JoinHostPort(host, port)
	if hostMatchesAny(p.recipe.AllowedHosts, server) || p.recipe.BaseURL != "" && hostMatchesAny([]string{hostOf(p.recipe.BaseURL)}, server) {
		return true
	}
	p.mu.Lock()
	named := append(slices.Clone(p.sheet), hostOf(p.recipe.TypedURL))
	p.mu.Unlock()
	web := port == "80" || port == "443"
	if login := p.recipe.Login; login != nil {
		named = append(named, hostOf(login.StartURL))
		for _, at := range login.Hosts {
			if web && siteOf(strings.TrimPrefix(at, "*.")) == siteOf(host) {
				return true
			}
		}
	}
	return slices.ContainsFunc(named, func(one string) bool {
		_, its := splitHost(one)
		return (its != "" || web) && hostMatchesAny([]string{one}, server)
	})
}

// OwnSites returns the sites of the portal's own hosts, in one order.
func (p *Portal) OwnSites() (sites []string) {
	hosts, _ := p.ownHosts()
	for _, host := range hosts {
		sites = append(sites, siteOf(strings.TrimPrefix(host, "*.")))
	}
	slices.Sort(sites)
	return slices.Compact(sites)
}

// ownHosts returns the patterns of the hosts that are the portal's own, and the sites that people sign in at.
func (p *Portal) ownHosts() (hosts, sites []string) {
	p.mu.Lock()
	hosts = slices.Clone(p.sheet)
	p.mu.Unlock()
	r := p.recipe
	hosts = append(hosts, r.AllowedHosts...)
	hosts = append(hosts, hostOf(r.BaseURL), hostOf(r.TypedURL))
	if r.Login != nil {
		hosts = append(hosts, hostOf(r.Login.StartURL))
		for _, host := range r.Login.Hosts {
			sites = append(sites, siteOf(strings.TrimPrefix(host, "*.")))
		}
	}
	for i := range hosts {
		hosts[i], _ = splitHost(hosts[i])
	}
	hosts = slices.DeleteFunc(hosts, func(host string) bool { return host == "" })
	return hosts, sites
}

// OwnCookie reports whether a cookie is this portal's: it is sent to one of the portal's own hosts, or within
// its pages alone, or to a site of login.hosts.
func (p *Portal) OwnCookie(c browser.Cookie) bool {
	hosts, sites := p.ownHosts()
	name, below := strings.CutPrefix(strings.ToLower(c.Domain), ".")
	if slices.Contains(sites, siteOf(name)) {
		return true
	}
	if key, err := browser.ParseURL(c.PartitionKey); err == nil && key.Host != "" {
		within := func(host string) bool { return siteOf(strings.TrimPrefix(host, "*.")) == siteOf(key.Host) }
		return slices.ContainsFunc(hosts, within) || slices.Contains(sites, siteOf(key.Host))
	}
	return slices.ContainsFunc(hosts, func(host string) bool {
		domain, wild := strings.CutPrefix(host, "*.")
		return wild && strings.HasSuffix(name, "."+domain) || !wild && name == host ||
			below && (name == domain || strings.HasSuffix(domain, "."+name))
	})
}

// OwnOrigin reports whether what an origin keeps in a browser is this portal's.
func (p *Portal) OwnOrigin(origin string) bool {
	hosts, sites := p.ownHosts()
	name, _ := splitHost(hostOf(origin))
	return hostMatchesAny(hosts, name) || slices.Contains(sites, siteOf(name))
}

// siteOf returns the domain under a public suffix that a host belongs to, which may have a port; or the
// host itself where it has none, as an address has.
func siteOf(host string) string {
	name, _ := splitHost(host)
	if net.ParseIP(name) != nil {
		return name
	}
	if site, err := publicsuffix.EffectiveTLDPlusOne(name); err == nil {
		return site
	}
	return name
}
