package setup

import (
	"net/url"
	"slices"
	"strings"
)

// The proxies that have no address of their own: a script chooses one, or the system does.
const (
	scriptProxy   = "pac+"
	proxyOfSystem = "system"
)

func (c Config) validateProxy() error {
	if c.Proxy == "" || c.Proxy == proxyOfSystem {
		return nil
	}
	address, isScript := strings.CutPrefix(c.Proxy, scriptProxy)
	u, err := url.Parse(address)
	switch {
	case isScript && (err != nil || u.User != nil || !slices.Contains([]string{"http", "https", "file"}, u.Scheme) || u.Host == "" && u.Scheme != "file"):
		return bad("proxy", "after pac+ it is not the address of a script, such as pac+http://proxy.example/proxy.pac")
	case isScript:
		return nil
	case err != nil || u.Host == "":
		return bad("proxy", "it is not an address such as http://proxy.example:3128, nor pac+URL, nor system")
	case !slices.Contains([]string{"http", "https", "socks", "socks4", "socks5"}, u.Scheme):
		return bad("proxy", "Chrome knows no such proxy; it begins with http://, https://, socks4:// or socks5://")
	case u.User != nil && u.Scheme != "http" && u.Scheme != "https":
		return bad("proxy", "it has a user and is no http or https proxy; Chrome tells a password to no other")
	}
	return nil
}

// FullChrome reports whether the headless shell will not do: it has no windows, and takes a
// proxy's script for no proxy at all.
func (c Config) FullChrome() bool { return c.Headful || strings.HasPrefix(c.Proxy, scriptProxy) }

// withoutProxyUser returns the settings as they may be stored: without a password.
func (c Config) withoutProxyUser() Config {
	u, err := url.Parse(c.Proxy)
	if c.ProxyUser = err == nil && u.User != nil; c.ProxyUser {
		u.User = nil
		c.Proxy = u.String()
	}
	return c
}

// proxyGone returns a *ConfigError where the session went by a proxy with a password, and
// goes on by the same without one.
func (r *Remembered) proxyGone(next Config) error {
	if r.ProxyUser && next.Proxy == r.Proxy {
		return bad("proxy", "the session used a proxy with a user and a password, which are never stored; name it again with --proxy or in POSCRAPE_PROXY")
	}
	return nil
}
