package signin_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/signin"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(testkit.OwnState{M: m})
}

var everybodys = []browser.Cookie{
	{Name: "sid", Value: "1", Domain: "portal.example", Path: "/", Expires: -1},
	{Name: "bank", Value: "2", Domain: ".bank.test", Path: "/", Expires: -1},
	{Name: "idp", Value: "3", Domain: "in.idp.test", Path: "/", Expires: -1},
}

func portalOf(r scrape.Recipe) *scrape.Portal { return scrape.NewPortal(&r, nil) }

func names(s *browser.State) (all string) {
	for _, c := range s.Cookies {
		all += c.Name + " "
	}
	for _, o := range s.Origins {
		all += o.Origin + " "
	}
	return strings.TrimSpace(all)
}

// TestAStateFileOfMorePortals: each gets its own, and what it does not get stays in the file.
func TestAStateFileOfMorePortals(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a.state.json", "cookies.txt"} {
		path := write(t, name, "portal.example\tFALSE\t/\tFALSE\t0\tsid\t1\n.bank.test\tTRUE\t/\tFALSE\t0\tbank\t2\nin.idp.test\tFALSE\t/\tFALSE\t0\tidp\t3\n")
		if strings.HasSuffix(name, ".json") {
			path = write(t, name, `{"cookies": [{"name": "sid", "value": "1", "domain": "portal.example", "path": "/", "expires": -1}, {"name": "bank", "value": "2", "domain": ".bank.test", "path": "/", "expires": -1},
				{"name": "idp", "value": "3", "domain": "in.idp.test", "path": "/", "expires": -1}], "origins": [{"origin": "https://portal.example", "localStorage": []}, {"origin": "https://bank.test", "localStorage": []}]}`)
		}
		own := portalOf(scrape.Recipe{BaseURL: "https://portal.example", Login: &scrape.LoginRule{Hosts: []string{"idp.test"}}})
		file := signin.NewFile(path, own)
		state, _, err := file.Read(true, "")
		if err != nil || !strings.HasPrefix(names(state), "sid idp") || strings.Contains(names(state), "bank") {
			t.Fatalf("%s: the portal gets %q, %v", name, names(state), err)
		}
		if left := file.LeftOut(); !strings.Contains(left, "cookies of bank.test in "+path+" were not used") {
			t.Errorf("%s: of the rest it says %q", name, left)
		}
		state.Cookies = append(state.Cookies[:1:1], browser.Cookie{Name: "advert", Value: "4", Domain: "advert.test", Path: "/", Expires: -1})
		if err := file.Write(state); err != nil {
			t.Fatal(err)
		}
		bank := signin.NewFile(path, portalOf(scrape.Recipe{BaseURL: "https://bank.test"}))
		if state, _, err := bank.Read(true, ""); err != nil || !strings.HasPrefix(names(state), "bank") || strings.Contains(bank.LeftOut(), "advert") {
			t.Errorf("%s: another portal gets %q, and %q stays, %v", name, names(state), bank.LeftOut(), err)
		}
		if err := file.Remove(); err != nil {
			t.Fatal(err)
		}
		if state, _, err := bank.Read(true, ""); err != nil || !strings.HasPrefix(names(state), "bank") || bank.LeftOut() != "" {
			t.Errorf("%s: after signing out there is %q, and %q stays, %v", name, names(state), bank.LeftOut(), err)
		}
		if err := bank.Remove(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path); !os.IsNotExist(err) {
			t.Errorf("%s is still there: %v", name, err)
		}
	}
}

// TestASignInByHandIsWhole: its portal gets all of it, where the recipe does not say where people sign in;
// nobody else's does, and no file that another user has made.
func TestASignInByHandIsWhole(t *testing.T) {
	t.Parallel()
	acme := scrape.Recipe{BaseURL: "https://portal.example"}
	for _, path := range []string{filepath.Join(t.TempDir(), "a.state.json"), write(t, "cookies.txt", "portal.example\tFALSE\t/\tFALSE\t0\tsid\t1\n")} {
		made := signin.NewFile(path, portalOf(acme))
		if err := made.Sign(); err != nil {
			t.Fatal(err)
		}
		if err := made.Write(&browser.State{Cookies: everybodys}); err != nil {
			t.Fatal(err)
		}
		sheet := portalOf(scrape.Recipe{})
		sheet.SeeAddress("https://orders.portal.example/1")
		sheet.SeeAddress("https://evil.test/1")
		strangers := portalOf(scrape.Recipe{BaseURL: "https://portal.example", AllowedHosts: []string{"evil.test"}})
		for _, c := range []struct {
			whose  string
			portal *scrape.Portal
			want   string
		}{
			{"the recipe's", portalOf(acme), "sid bank idp"},
			{"the recipe's, with login", portalOf(scrape.Recipe{BaseURL: acme.BaseURL, Login: &scrape.LoginRule{}}), "sid"},
			{"one that also asks another host", strangers, "sid"},
			{"another portal's", portalOf(scrape.Recipe{BaseURL: "https://bank.test"}), "bank"},
			{"a sheet's with another host", sheet, ""},
		} {
			state, _, err := signin.NewFile(path, c.portal).Read(true, "")
			if err != nil || names(state) != c.want {
				t.Errorf("%s: %s gets %q, want %q, %v", filepath.Base(path), c.whose, names(state), c.want, err)
			}
		}
		again := signin.NewFile(path, portalOf(acme))
		state, _, err := again.Read(true, "")
		if err != nil || again.Write(state) != nil {
			t.Fatal(err)
		}
		draft := portalOf(scrape.Recipe{BaseURL: acme.BaseURL, AllowedHosts: []string{"files.test"}})
		if err := again.For(draft, path, "").Write(state); err != nil {
			t.Fatal(err)
		}
		if state, _, err := signin.NewFile(path, draft).Read(true, ""); err != nil || names(state) != "sid bank idp" {
			t.Errorf("%s: the draft of the portal gets %q, %v", filepath.Base(path), names(state), err)
		}
	}
}
