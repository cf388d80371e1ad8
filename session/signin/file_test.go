package signin_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/signin"
)

func write(t *testing.T, name, text string) string {
	t.Helper()
	return testkit.Write(t, filepath.Join(t.TempDir(), name), text)
}

// keeps returns the state file of https://portal.example.
func keeps(path string) *signin.File {
	return signin.NewFile(path, scrape.NewPortal(&scrape.Recipe{BaseURL: "https://portal.example"}, nil))
}

// read returns what that portal gets of a file that must be there.
func read(path string) (*browser.State, string, error) {
	return keeps(path).Read(true, "poscrape login")
}

const playwright = `{
  "cookies": [
    {"name": "sid", "value": "a b", "domain": "portal.example", "path": "/", "expires": -1, "httpOnly": true, "secure": true, "sameSite": "Lax"},
    {"name": "past", "value": "x", "domain": ".example", "path": "/", "expires": 12.5, "httpOnly": false, "secure": false, "sameSite": "None"},
    {"name": "long", "value": "y", "domain": ".example", "path": "/a", "expires": 99999999999.25, "httpOnly": false, "secure": false, "sameSite": "Strict"}
  ],
  "origins": [{"origin": "https://portal.example", "localStorage": [{"name": "k", "value": "v"}],
    "indexedDB": [{"name": "auth", "version": 1, "stores": []}]}]
}`

func TestReadFilePlaywright(t *testing.T) {
	t.Parallel()
	s, warning, err := read(write(t, "s.json", "\ufeff"+playwright))
	if err != nil || warning != "" {
		t.Fatal(err, warning)
	}
	if len(s.Cookies) != 2 || s.Cookies[0].Name != "sid" || !s.Cookies[0].HTTPOnly || s.Cookies[1].Name != "long" {
		t.Errorf("cookies are %+v", s.Cookies)
	}
	if len(s.Origins) != 1 || s.Origins[0].LocalStorage[0].Value != "v" || !strings.Contains(string(s.Origins[0].IndexedDB), "auth") {
		t.Errorf("origins are %+v", s.Origins)
	}
	path := filepath.Join(t.TempDir(), "again.json")
	if err := keeps(path).Write(s); err != nil {
		t.Fatal(err)
	}
	again, _, err := read(path)
	if err != nil || !reflect.DeepEqual(again.Cookies, s.Cookies) || !reflect.DeepEqual(again.Origins[0].LocalStorage, s.Origins[0].LocalStorage) {
		t.Errorf("read again it is %+v, %v", again, err)
	}
}

func TestReadFileCookies(t *testing.T) {
	t.Parallel()
	path := write(t, "cookies.txt", "# Netscape HTTP Cookie File\r\n\r\n.portal.example\tTRUE\t/\tTRUE\t99999999999\tsid\ta b\r\n"+
		"#HttpOnly_portal.example\tFALSE\t/x\tFALSE\t0\tkept\t\n# comment\nold.example\tFALSE\t/\tFALSE\t5\tpast\tv\n")
	want := []browser.Cookie{
		{Name: "sid", Value: "a b", Domain: ".portal.example", Path: "/", Secure: true, Expires: 99999999999},
		{Name: "kept", Domain: "portal.example", Path: "/x", HTTPOnly: true, Expires: -1},
	}
	s, _, err := read(path)
	if err != nil || !reflect.DeepEqual(s.Cookies, want) {
		t.Fatalf("cookies are %+v, %v", s, err)
	}
	if err := keeps(path).Write(s); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(path)
	again, _, err := read(path)
	if err != nil || !strings.HasPrefix(string(text), "# Netscape") || !reflect.DeepEqual(again.Cookies, want) {
		t.Errorf("written back it is\n%s\n%v", text, err)
	}
}

func TestReadFileErrors(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"empty":     {"", "no cookie in it"},
		"other":     {"hello\n", ":1: has 1 fields"},
		"flag":      {"# x\na.example\tYES\t/\tTRUE\t0\tn\ts3cret", ":2: field 2"},
		"time":      {"a.example\tTRUE\t/\tTRUE\ts3cret\tn\tv", ":1: field 5"},
		"host":      {"\tTRUE\t/\tTRUE\t0\tn\tv", ":1: the cookie.domain"},
		"cut":       {"{\n\"cookies\": [", ":2: is not valid JSON: it ends"},
		"broken":    {"{\n\"cookies\": s3cret}", ":2: is not valid JSON: a character"},
		"kind":      {`{"cookies": [{"name": 5}]}`, "name is a number"},
		"a list":    {`[{"name": "s3cret"}]`, `of the kind "array"`},
		"neither":   {`{"a": 1}`, "neither cookies nor origins"},
		"same site": {`{"cookies": [{"name": "a", "domain": "d", "path": "/", "sameSite": "s3cret"}]}`, "cookies[0].sameSite"},
		"origin":    {`{"origins": [{"origin": "https://a.example/s3cret"}]}`, "origins[0].origin"},
		"databases": {`{"origins": [{"origin": "https://a.example", "indexedDB": {}}]}`, "origins[0].indexedDB"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := write(t, "s", c.text)
			_, _, err := read(path)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), path) || strings.Contains(err.Error(), "s3cret") {
				t.Errorf("the error is %v, want %q", err, c.want)
			}
		})
	}
	if _, _, err := read(filepath.Join(t.TempDir(), "none")); err == nil || !strings.Contains(err.Error(), "is not there; make it with: poscrape login") {
		t.Errorf("without a file the error is %v", err)
	}
}

func TestAStateFileIsPrivate(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("permissions of this kind are Unix's")
	}
	path := write(t, "a.state.json", playwright)
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	s, warning, err := read(path)
	if err != nil || !strings.Contains(warning, "chmod 600") {
		t.Fatalf("the warning is %q, %v", warning, err)
	}
	link := filepath.Join(t.TempDir(), "link.json")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if err := keeps(link).Write(s); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("written back its mode is %v, %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(left) > 0 {
		t.Errorf("left are %v", left)
	}
}

// TestTwoSessionsWriteAStateFile: it is that of one of them, whole, and nothing else is left. What a
// killed one has left is removed.
func TestTwoSessionsWriteAStateFile(t *testing.T) {
	t.Parallel()
	path := write(t, "a.state.json", playwright)
	left, old := filepath.Join(filepath.Dir(path), ".a.state.json.99.tmp"), time.Now().Add(-time.Hour)
	if err := errors.Join(os.WriteFile(left, []byte("{"), 0o600), os.Chtimes(left, old, old)); err != nil {
		t.Fatal(err)
	}
	var writers sync.WaitGroup
	for n := range 4 {
		state := &browser.State{Cookies: []browser.Cookie{{Name: "sid", Value: strings.Repeat(string(rune('a'+n)), 1<<n*1000), Domain: "portal.example", Path: "/", Expires: -1}}}
		writers.Go(func() {
			for range 10 {
				if err := keeps(path).Write(state); err != nil {
					t.Error(err)
				}
				if s, _, err := read(path); err != nil || len(s.Cookies) != 1 || strings.Trim(s.Cookies[0].Value, s.Cookies[0].Value[:1]) != "" {
					t.Errorf("it is %+v, %v", s, err)
				}
			}
		})
	}
	writers.Wait()
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("there are %v, %v", entries, err)
	}
}

// TestAStateFileThatStays: what its owner has closed to changes is left as it is.
func TestAStateFileThatStays(t *testing.T) {
	t.Parallel()
	path := write(t, "a.state.json", playwright)
	if err := os.Chmod(path, 0o400); err != nil {
		t.Fatal(err)
	}
	s, _, err := read(path)
	if err != nil {
		t.Fatal(err)
	}
	err = keeps(path).Write(s)
	if text, _ := os.ReadFile(path); err == nil || !strings.Contains(err.Error(), "read-only") || string(text) != playwright {
		t.Errorf("it is %s, %v", text, err)
	}
	for path, want := range map[string]string{
		path: "read-only", filepath.Dir(path): "not a file", filepath.Join(path, "a.json"): "cannot be saved there",
		filepath.Join(filepath.Dir(path), "new.json"): "",
	} {
		if err := keeps(path).CanWrite(); (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestWhoseAStateIs(t *testing.T) {
	t.Parallel()
	s := &browser.State{Cookies: []browser.Cookie{{Domain: ".acme.example"}, {Domain: "one.example"}}, Origins: []browser.Origin{{Origin: "https://two.example:8443"}}}
	for host, want := range map[string]bool{
		"acme.example": true, "portal.acme.example": true, "badacme.example": false, "one.example": true, "two.example": true, "three.example": false,
	} {
		if signin.For(s, host) != want {
			t.Errorf("For(%q) is %v", host, !want)
		}
	}
	if _, warning, err := read(write(t, "c.txt", "old.example\tFALSE\t/\tFALSE\t5\tpast\tv\n")); err != nil || !strings.Contains(warning, "time is over") {
		t.Errorf("of expired cookies it warns %q, %v", warning, err)
	}
}

func TestPathFor(t *testing.T) {
	t.Parallel()
	for recipe, want := range map[string]string{"acme.yaml": "acme.state.json", "/a.b/acme": "/a.b/acme.state.json", "x/acme.yml": "x/acme.state.json"} {
		if got := signin.PathFor(recipe); got != want {
			t.Errorf("PathFor(%q) is %q, want %q", recipe, got, want)
		}
	}
}

func FuzzReadFile(f *testing.F) {
	f.Add([]byte(playwright))
	f.Add([]byte("a.example\tTRUE\t/\tTRUE\t0\tn\tv\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "s")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		s, _, err := read(path)
		if err != nil {
			return
		}
		if err := keeps(path).Write(s); err != nil {
			t.Fatal(err)
		}
	})
}
