package inside

import (
	"net/netip"
	"testing"
)

func TestHost(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]Place{
		"127.0.0.1": Machine, "127.0.0.1:8080": Machine, "127.1": Machine, "2130706433": Machine, "0x7f000001": Machine, "0x7f.1": Machine,
		"0177.0.0.1": Machine, "017700000001": Machine, "127.0.0.1.": Machine, "0": Machine, "0.0.0.0": Machine, "[::1]:80": Machine, "[::]": Machine,
		"[::ffff:127.0.0.1]": Machine, "[::ffff:7f00:1]": Machine, "[64:ff9b::7f00:1]": Machine, "[2002:7f00:1::]": Machine, "[fe80::1%25eth0]": Machine,
		"localhost": Machine, "LOCALHOST.": Machine, "a.localhost:1": Machine, "１２７.0.0.1": Machine, "127。0。0。1": Machine, "①②⑦.1": Machine, "%31%32%37.1": Machine,
		"169.254.169.254": Machine, "0xA9FEA9FE": Machine, "[fd00:ec2::254]": Machine, "100.100.100.200": Machine,
		"10.0.0.1": Network, "172.16.1": Network, "172.31.255.255": Network, "192.168.1.1": Network, "3232235777": Network, "[fc00::1]": Network, "[::ffff:10.0.0.1]": Network,
		"100.64.0.1": Outside, "198.18.0.1": Outside, "172.32.0.1": Outside, "8.8.8.8": Outside, "[2001:db8::1]": Outside, "1.1.1.1:443": Outside,
	} {
		for _, spelled := range []string{host, Name(host)} {
			if got, known := Host(spelled); got != want || !known {
				t.Errorf("%s: got %v, %v, want %v", spelled, got, known, want)
			}
		}
	}
	for _, host := range []string{"portal.example", "localhost.example", "1.2.3.4.5", "256.1.1.1", "0x.example", "127.0.0.1.nip.io", "4294967296", "09.0.0.1", "", "a..b"} {
		if got, known := Host(host); known {
			t.Errorf("%s: got %v", host, got)
		}
	}
}

func FuzzHost(f *testing.F) {
	f.Add("0x7f.1:80")
	f.Add("[::ffff:7f00:1]")
	f.Fuzz(func(t *testing.T, host string) {
		if addr, err := netip.ParseAddr(host); err == nil {
			if got, known := Host(netip.AddrPortFrom(addr.WithZone(""), 80).String()); !known || got != Of(addr) {
				t.Errorf("%s: got %v, %v", host, got, known)
			}
		}
		Host(host)
	})
}
