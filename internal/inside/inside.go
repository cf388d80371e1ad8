// Package inside says which addresses are of this machine or its network, in every spelling that a
// browser takes. It looks nothing up.
package inside

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Place is where an address leads.
type Place int

// The places, from far to near.
const (
	Outside Place = iota
	// Network is the private network around this machine.
	Network
	// Machine is this machine, what is linked to it, or the service that knows a cloud's keys.
	Machine
)

// String says it as part of "leads to ...".
func (p Place) String() string {
	return [...]string{"another network", "this machine's private network", "this machine, or what only it can reach"}[p]
}

func prefixes(texts ...string) []netip.Prefix {
	all := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		all[i] = netip.MustParsePrefix(text)
	}
	return all
}

var (
	// machine are loopback, link-local and unspecified addresses, and the addresses of clouds' services for
	// their machines that are not link-local (AWS, Alibaba, Azure).
	machine = prefixes("0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "::/128", "::1/128", "fe80::/10",
		"fd00:ec2::/32", "100.100.100.200/32", "168.63.129.16/32")
	network = prefixes("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10")
	// carriers are IPv6 addresses with an IPv4 address in their last four bytes; that of 6to4 is in bytes 2 to 5.
	carriers  = prefixes("::/96", "64:ff9b::/96", "64:ff9b:1::/48")
	sixToFour = netip.MustParsePrefix("2002::/16")
)

// Of returns where an address leads.
func Of(addr netip.Addr) Place {
	addr = addr.WithZone("").Unmap()
	for _, p := range machine {
		if p.Contains(addr) {
			return Machine
		}
	}
	for _, p := range network {
		if p.Contains(addr) {
			return Network
		}
	}
	if addr.Is4() {
		return Outside
	}
	bytes := addr.As16()
	for _, p := range carriers {
		if p.Contains(addr) {
			return Of(netip.AddrFrom4([4]byte(bytes[12:])))
		}
	}
	if sixToFour.Contains(addr) {
		return Of(netip.AddrFrom4([4]byte(bytes[2:6])))
	}
	return Outside
}

// Host returns where the host of an address leads ("127.1:8080"), if that is known without looking it up: it is an
// address, or a name of this machine. Known: it is.
func Host(host string) (place Place, known bool) {
	name := Name(host)
	if name == "localhost" || strings.HasSuffix(name, ".localhost") || name == "localhost.localdomain" || name == "localhost6" {
		return Machine, true
	}
	if addr, ok := address(name); ok {
		return Of(addr), true
	}
	return Outside, false
}

// Name returns a host's name as browsers read it: without its port, in lower case, escapes and
// characters of other widths resolved, and without dots at its end.
func Name(host string) string {
	if addr, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return addr.String() // IPv6, perhaps a name already
	}
	name := host
	if u, err := url.Parse("//" + host); err == nil && u.Hostname() != "" {
		name = u.Hostname()
	}
	if plain, err := url.PathUnescape(name); err == nil {
		name = plain
	}
	name = strings.Map(func(r rune) rune {
		switch r {
		case '。', '．', '｡': // the dots of IDNA
			return '.'
		case '\u00ad', '\u200b', '\u2060', '\ufeff': // it ignores these
			return -1
		}
		return r
	}, name)
	return strings.TrimRight(strings.ToLower(norm.NFKC.String(name)), ".")
}

// address reads a name that is an address, IPv4 with up to four parts, each decimal, octal or hexadecimal.
func address(name string) (netip.Addr, bool) {
	if addr, err := netip.ParseAddr(strings.Trim(name, "[]")); err == nil {
		return addr, true
	}
	parts := strings.Split(name, ".")
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var value uint64
	for i, part := range parts {
		base := 10
		switch {
		case strings.HasPrefix(part, "0x"):
			part, base = part[2:], 16
		case len(part) > 1 && part[0] == '0':
			part, base = part[1:], 8
		}
		n, err := strconv.ParseUint(part, base, 32)
		if base == 16 && part == "" {
			n, err = 0, nil
		}
		left := 8 * (4 - i)
		if i < len(parts)-1 {
			left = 8
		}
		if err != nil || n >= 1<<left {
			return netip.Addr{}, false
		}
		value = value<<left | n
	}
	return netip.AddrFrom4([4]byte{byte(value >> 24), byte(value >> 16), byte(value >> 8), byte(value)}), true
}
