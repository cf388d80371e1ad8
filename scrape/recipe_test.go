package scrape

import (
	"net/url"
	"testing"
)

func TestHostAllowed(t *testing.T) {
	t.Parallel()
	order := &url.URL{Scheme: "https", Host: "orders.acme.example:444"}
	r := &Recipe{
		BaseURL:      "https://portal.acme.example:8443/{column:tenant}",
		AllowedHosts: []string{"files.acme.example", "*.cdn.example", "dav.acme.example:8080", "tls.acme.example:443", "bücher.example", "[2001:db8::1]:9000", "10.0.0.7"},
	}
	for host, want := range map[string]bool{
		"orders.acme.example:444":      false, // the order's own, which base_url takes the place of
		"portal.acme.example":          false, // base_url's, which names its port
		"portal.acme.example:8443":     true,
		"PORTAL.acme.example.:8443":    true,
		"portal.acme.example:1":        false,
		"files.acme.example":           true,
		"files.acme.example:8080":      true,
		"x.files.acme.example":         false,
		"acme.example":                 false,
		"evilfiles.acme.example":       false,
		"a.cdn.example":                true,
		"a.b.cdn.example:81":           true,
		"cdn.example":                  false,
		"evilcdn.example":              false,
		"a.cdn.example.evil.example":   false,
		"dav.acme.example:8080":        true,
		"dav.acme.example:8081":        false,
		"dav.acme.example":             false,
		"tls.acme.example":             true, // on its scheme's own port
		"tls.acme.example:443":         true,
		"tls.acme.example:444":         false,
		"xn--bcher-kva.example":        true,
		"BÜCHER.example":               true,
		"[2001:db8::1]:9000":           true,
		"[2001:db8::1]:9001":           false,
		"10.0.0.7:80":                  true,
		"10.0.0.70":                    false,
		"":                             false,
		":443":                         false,
		"portal.acme.example.evil.com": false,
	} {
		if got := r.HostAllowed(host, order); got != want {
			t.Errorf("HostAllowed(%q) is %v, want %v", host, got, want)
		}
	}
	if (&Recipe{}).HostAllowed("orders.acme.example", nil) {
		t.Error("an empty recipe without an order allows a host")
	}
	for _, c := range []struct {
		base, order, host string
		want              bool
	}{
		{"", "https://orders.acme.example:444/1", "orders.acme.example:444", true},
		{"", "https://orders.acme.example:444/1", "ORDERS.acme.example.:444", true},
		{"", "https://orders.acme.example:444/1", "orders.acme.example", false},
		{"", "https://orders.acme.example:444/1", "orders.acme.example:445", false},
		{"", "https://orders.acme.example/1", "orders.acme.example", true},
		{"", "https://orders.acme.example/1", "orders.acme.example:443", true},
		{"", "http://orders.acme.example:80/1", "orders.acme.example", true}, // led on to https
		{"", "http://orders.acme.example:80/1", "orders.acme.example:443", false},
		{"", "https://orders.acme.example/1", "orders.acme.example:8443", false},
		{"", "https://orders.acme.example/1", "acme.example", false},
		{"", "", "", false},
		{"https://portal.acme.example", "https://orders.acme.example/1", "portal.acme.example:8443", true},
		{"https://portal.acme.example", "https://orders.acme.example/1", "orders.acme.example", false},
		{"https://portal.acme.example:443", "https://orders.acme.example/1", "portal.acme.example", true},
		{"https://portal.acme.example:443", "https://orders.acme.example/1", "portal.acme.example:8443", false},
		{"https://{column:tenant}.acme.example", "https://a.acme.example/1", "a.acme.example", true},
		{"https://{column:tenant}.acme.example", "https://a.acme.example/1", "b.acme.example", false},
	} {
		order, err := url.Parse(c.order)
		if err != nil {
			t.Fatal(err)
		}
		if got := (&Recipe{BaseURL: c.base}).HostAllowed(c.host, order); got != c.want {
			t.Errorf("with base_url %q and the order %q, %q is %v, want %v", c.base, c.order, c.host, got, c.want)
		}
	}
}

func TestBlocks(t *testing.T) {
	t.Parallel()
	b := Block{Hosts: []string{"*.analytics.example"}}
	if !b.Blocks("eu.analytics.example:443") || b.Blocks("portal.example") || b.Blocks("") {
		t.Error("Blocks does not follow its patterns")
	}
}
