package browser_test

import (
	"testing"

	"github.com/poscrape/poscrape/browser"
)

func TestParseURL(t *testing.T) {
	t.Parallel()
	for address, want := range map[string][2]string{
		"https://h.example/100%.pdf?a=%":     {"h.example", "/100%.pdf"},
		"https://h.example/%zz%%2%41?b=100%": {"h.example", "/%zz%%2A"},
		"https://h.example/a%20b":            {"h.example", "/a b"},
		"https://h.example/%":                {"h.example", "/%"},
	} {
		u, err := browser.ParseURL(address)
		if err != nil || u.Host != want[0] || u.Path != want[1] {
			t.Errorf("%s: got %v, %v", address, u, err)
		}
	}
	for _, address := range []string{"https://h.example:port/", "http://[::1/%"} {
		if u, err := browser.ParseURL(address); err == nil {
			t.Errorf("%s: got %v", address, u)
		}
	}
}
