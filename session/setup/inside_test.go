package setup

import (
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/scrape"
)

// TestASheetLeadsNotInside reads sheets whose addresses lead to this machine or its network.
func TestASheetLeadsNotInside(t *testing.T) {
	t.Parallel()
	auto := scrape.AutoRecipe()
	own := *auto
	own.BaseURL = "http://127.0.0.1:8000"
	for name, c := range map[string]struct {
		hosts   string
		url     string
		recipe  *scrape.Recipe
		allow   bool
		refused int
	}{
		"outside":                    {"portal.example 8.8.8.8 100.64.0.1 198.18.0.1", "", auto, false, 0},
		"this machine":               {"127.0.0.1:8080 portal.example", "", auto, false, 1},
		"in other spellings":         {"0x7f.1 2130706433 0177.1 localhost. a.localhost [::1] [::ffff:7f00:1] portal.example", "", auto, false, 7},
		"the keys of a cloud":        {"169.254.169.254 0xa9fea9fe [fd00:ec2::254] portal.example", "", auto, false, 3},
		"one portal of the network":  {"10.1.2.3:8443 10.1.2.3:8443 portal.example", "", auto, false, 0},
		"several of the network":     {"10.1.2.3 192.168.0.1 portal.example", "", auto, false, 2},
		"allowed":                    {"127.0.0.1 10.1.2.3 192.168.0.1", "", auto, true, 0},
		"a recipe's own":             {"127.0.0.1:8000 127.0.0.1:8000", "", &own, false, 0},
		"typed":                      {"127.0.0.1:8000", "http://127.0.0.1:8000/{po}", auto, false, 0},
		"beside what is typed":       {"169.254.169.254 127.0.0.1:8000", "http://127.0.0.1:8000/{po}", auto, false, 1},
		"none of its rows is usable": {"127.0.0.1 localhost", "", auto, false, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := DefaultConfig()
			cfg.File, cfg.URL, cfg.AllowLocal = filepath.Join(t.TempDir(), "pos.csv"), c.url, c.allow
			hosts := strings.Fields(c.hosts)
			text := "po,url\n"
			for i, host := range hosts {
				text += fmt.Sprintf("PO%d,http://%s/%d\n", 1001+i, host, i)
			}
			testkit.Write(t, cfg.File, text)
			sheet, err := ReadSheet(cfg, Recipes{{Recipe: c.recipe}})
			if c.refused == len(hosts) {
				if none := (*orders.FileError)(nil); !errors.As(err, &none) || len(none.Rows) != c.refused || !strings.Contains(err.Error(), "--allow-local") {
					t.Errorf("got %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(sheet.Unusable) != c.refused || len(sheet.Orders)+c.refused != len(hosts) {
				t.Errorf("got %d orders, and refused: %v", len(sheet.Orders), sheet.Problems)
			}
			for _, row := range sheet.Unusable {
				if p := row.Problem; p.Column != "url" || !strings.Contains(p.Message, "--allow-local") || p.Line < 2 {
					t.Errorf("got %+v", p)
				}
			}
		})
	}
}

// TestAnAnswerFromInside is not read, whatever the name led to before.
func TestAnAnswerFromInside(t *testing.T) {
	t.Parallel()
	found, none := "erp.corp.example", ""
	proxied := DefaultConfig()
	proxied.Proxy = "http://proxy:3128"
	for name, c := range map[string]struct {
		cfg     Config
		read    string
		refused string
	}{
		"nothing was looked up": {Config{}, "portal.example=203.0.113.9 erp.corp.example=10.0.0.1 erp.corp.example=10.0.0.2 portal.example=", "portal.example=127.0.0.1 portal.example=::ffff:169.254.169.254 router.example=192.168.0.1 portal.example=fd00::1"},
		"one host was found":    {Config{LocalHost: &found}, "erp.corp.example=10.0.0.1 erp.corp.example=192.168.0.1", "router.example=192.168.0.1 erp.corp.example=127.0.0.1"},
		"no host was found":     {Config{LocalHost: &none}, "portal.example=203.0.113.9", "erp.corp.example=10.0.0.1 portal.example=[fe80::1]"},
		"behind a proxy":        {proxied, "portal.example=127.0.0.1 portal.example=10.0.0.1 10.0.0.1=10.0.0.1", "127.0.0.1=127.0.0.1 0x7f.1=10.0.0.9 localhost=10.0.0.9"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answered := c.cfg.Answered(Recipe{Recipe: scrape.AutoRecipe()})
			for _, list := range []string{c.read, c.refused} {
				for _, pair := range strings.Fields(list) {
					host, from, _ := strings.Cut(pair, "=")
					if err := answered("http://"+host+"/1", from); (err != nil) != (list == c.refused) {
						t.Errorf("%s: %v", pair, err)
					}
				}
			}
		})
	}
	own := *scrape.AutoRecipe()
	own.AllowedHosts = []string{"Files.corp.example", "*.more.example"}
	answered := (Config{}).Answered(Recipe{Recipe: &own})
	if answered("http://files.corp.example:8080/1", "127.0.0.1") != nil || answered("http://a.more.example/1", "127.0.0.1") == nil {
		t.Error("a host that the recipe names is judged, or one below a domain is not")
	}
	own.BaseURL = "http://127.0.0.1"
	if (Config{}).Answered(Recipe{Recipe: &own}) != nil || (Config{AllowLocal: true}).Answered(Recipe{Recipe: scrape.AutoRecipe()}) != nil {
		t.Error("answers are judged where a recipe or the flag says where the portal is")
	}
}

// TestLookUp refuses a name that leads to this machine, and not behind a proxy.
func TestLookUp(t *testing.T) {
	t.Parallel()
	const name = "ip6-loopback" // of /etc/hosts
	if addrs, err := net.DefaultResolver.LookupHost(t.Context(), name); err != nil || len(addrs) == 0 {
		t.Skipf("this machine has no other name of its own: %v", err)
	}
	sheet := func() *orders.Sheet {
		return &orders.Sheet{Orders: []orders.PurchaseOrder{{Number: "PO1", URL: "http://" + name + "/1"}, {Number: "PO2", URL: "http://198.18.0.1/2"}}}
	}
	cfg, recipes := DefaultConfig(), Recipes{{Recipe: scrape.AutoRecipe()}}
	read := sheet()
	if err := cfg.LookUp(t.Context(), read, recipes); err != nil || len(read.Orders) != 1 || len(read.Notes) != 1 || !strings.Contains(read.Notes[0], name) || *cfg.LocalHost != "" {
		t.Errorf("got %v, %+v", err, read)
	}
	read = &orders.Sheet{Orders: []orders.PurchaseOrder{{Number: "PO1", URL: "http://10.1.2.3:8443/1"}, {Number: "PO2", URL: "http://198.18.0.1/2"}}}
	if err := cfg.LookUp(t.Context(), read, recipes); err != nil || *cfg.LocalHost != "10.1.2.3" {
		t.Errorf("got %v, %v", err, *cfg.LocalHost)
	}
	cfg.Proxy = "http://proxy:3128"
	if read = sheet(); cfg.LookUp(t.Context(), read, recipes) != nil || len(read.Orders) != 2 {
		t.Errorf("behind a proxy: %+v", read)
	}
}

// A session that is gone on with keeps the host of the network that it has found, and takes one that is inside since,
// as of a portal that is reached through a VPN now; it asks none of several.
func TestLookUpAgain(t *testing.T) {
	t.Parallel()
	recipes := Recipes{{Recipe: scrape.AutoRecipe()}}
	for what, test := range map[string]struct{ was, hosts, want string }{
		"as it was":          {"10.1.2.3", "10.1.2.3 10.9.9.9", "10.1.2.3"},
		"inside since":       {"", "10.1.2.3 198.18.0.1", "10.1.2.3"},
		"several since":      {"", "10.1.2.3 10.9.9.9", ""},
		"none, as it was":    {"erp.example", "198.18.0.1", "erp.example"},
		"none that is known": {"", "198.18.0.1", ""},
	} {
		cfg := DefaultConfig()
		cfg.LocalHost = &test.was
		var list []orders.PurchaseOrder
		for _, host := range strings.Fields(test.hosts) {
			list = append(list, orders.PurchaseOrder{URL: "http://" + host + "/1"})
		}
		cfg.LookUpAgain(t.Context(), list, recipes)
		if *cfg.LocalHost != test.want {
			t.Errorf("%s: it is %q, want %q", what, *cfg.LocalHost, test.want)
		}
	}
	for _, cfg := range []Config{{AllowLocal: true}, {Proxy: "http://proxy:3128"}} {
		if cfg.LooksUpAgain(recipes) {
			t.Errorf("%+v looks names up", cfg)
		}
	}
}
