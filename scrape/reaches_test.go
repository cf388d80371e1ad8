package scrape

import "testing"

// TestReaches: a portal's pages may be asked for where its recipe or its sheet says, at the ports that are
// written there.
func TestReaches(t *testing.T) {
	t.Parallel()
	byRecipe := NewPortal(&Recipe{BaseURL: "http://127.0.0.1:8080/orders", AllowedHosts: []string{"cdn.example", "*.files.example:8443"},
		Login: &LoginRule{StartURL: "https://portal.example/login", Hosts: []string{"login.sso.example"}}}, nil)
	based := NewPortal(&Recipe{BaseURL: "https://orders.example"}, nil)
	bySheet := NewPortal(&Recipe{}, nil)
	bySheet.SeeAddress("https://Orders.example/1")
	bySheet.SeeAddress("https://orders.example:8443/2")
	bySheet.SeeAddress("http://[::1]:9000/3")
	for _, c := range []struct {
		portal     *Portal
		host, port string
		want       bool
	}{
		{byRecipe, "127.0.0.1", "8080", true},
		{byRecipe, "127.0.0.1", "8081", false}, // another service of this machine
		{byRecipe, "127.0.0.1", "80", false},
		{byRecipe, "localhost", "8080", false},
		{byRecipe, "cdn.example", "443", true},
		{byRecipe, "cdn.example", "8080", true},
		{byRecipe, "a.cdn.example", "443", false},
		{byRecipe, "a.files.example", "8443", true},
		{byRecipe, "a.files.example", "22", false},
		{byRecipe, "portal.example", "443", true},
		{byRecipe, "portal.example", "80", true},
		{byRecipe, "portal.example", "22", false},
		{based, "orders.example", "8443", true},
		{based, "orders.example", "443", true},
		{byRecipe, "www.sso.example", "443", true},
		{byRecipe, "www.sso.example", "8443", false},
		{byRecipe, "evil.example", "443", false},
		{bySheet, "orders.example", "443", true},
		{bySheet, "orders.example", "8443", true},
		{bySheet, "orders.example", "25", false},
		{bySheet, "::1", "9000", true},
		{bySheet, "::1", "22", false},
		{bySheet, "cdn.example", "443", false},
	} {
		if got := c.portal.Reaches(c.host, c.port); got != c.want {
			t.Errorf("%s port %s: %t", c.host, c.port, got)
		}
	}
}
