package scrape

import (
	"testing"

	"github.com/poscrape/poscrape/browser"
)

func TestOwnCookies(t *testing.T) {
	t.Parallel()
	recipes := map[string]*Recipe{
		"base": {BaseURL: "https://portal.acme.co.uk:8443", AllowedHosts: []string{"*.cdn.example", "10.0.0.7"},
			Login: &LoginRule{Hosts: []string{"acme.idp.example", "*.sso.example:444"}, StartURL: "https://door.example/in"}},
		"sheet": {},
		"typed": {TypedURL: "https://typed.example/{po}"},
	}
	for name, want := range map[string]map[string]bool{
		"base": {
			"portal.acme.co.uk": true, ".acme.co.uk": true, ".portal.acme.co.uk": true, "acme.co.uk": false, "other.acme.co.uk": false,
			"PORTAL.acme.co.uk": true, ".co.uk": true, "evilportal.acme.co.uk": false, "a.cdn.example": true, ".cdn.example": true, "cdn.example": false,
			"10.0.0.7": true, "10.0.0.70": false, "door.example": true, "idp.example": true, "other.idp.example": true, ".idp.example": true,
			"sso.example": true, "x.sso.example": true, "evilidp.example": false, "orders.example": false, "bank.example": false, "": false, ".": false,
		},
		"sheet": {"orders.example": true, ".example": true, "bank.example": false, "127.0.0.1": true, "localhost": false},
		"typed": {"typed.example": true, "orders.example": true, "bank.example": false},
	} {
		p := NewPortal(recipes[name], nil)
		p.SeeAddress("https://orders.example:8443/1")
		p.SeeAddress("http://127.0.0.1:8080/1")
		p.SeeAddress("no address")
		for domain, own := range want {
			if got := p.OwnCookie(browser.Cookie{Domain: domain}); got != own {
				t.Errorf("%s: a cookie of %q is its own: %v, want %v", name, domain, got, own)
			}
		}
		if !p.OwnCookie(browser.Cookie{Domain: "widget.test", PartitionKey: map[string]string{"base": "https://acme.co.uk", "sheet": "http://127.0.0.1", "typed": "https://typed.example"}[name]}) {
			t.Errorf("%s: what a frame keeps within its pages is not its own", name)
		}
		if p.OwnCookie(browser.Cookie{Domain: "widget.test", PartitionKey: "https://bank.test"}) {
			t.Errorf("%s: what a frame keeps within another's pages is its own", name)
		}
	}
	p := NewPortal(recipes["base"], nil)
	for origin, own := range map[string]bool{
		"https://portal.acme.co.uk": true, "http://portal.acme.co.uk:81": true, "https://acme.co.uk": false, "https://a.cdn.example": true, "https://x.idp.example": true, "https://bank.example": false, "null": false,
	} {
		if got := p.OwnOrigin(origin); got != own {
			t.Errorf("what %s keeps is its own: %v, want %v", origin, got, own)
		}
	}
}
