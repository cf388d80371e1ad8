//go:build linux

package chaos

import (
	"context"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit"
)

var remotePage = regexp.MustCompile(`http://127\.0\.0\.1:\d+/\S+/`)

// TestAWallThatAPersonPasses: a run that cannot sign in ends at once. A person signs in on the page
// that login serves, by a second browser, and resume goes on to the end.
func TestAWallThatAPersonPasses(t *testing.T) {
	beside(t)
	const orders = 3
	d := newDoored(t, orders, &portal.Door{}, "")
	r := d.run("--recipe", d.recipe, "--workers", "2")
	r.mustExit(5)
	t.Logf("it ended after %v", time.Since(r.began))
	if seen := d.door.Counts(); seen.Walled > 2 || seen.Orders > 0 {
		t.Errorf("the door has seen %+v", seen)
	}
	for _, o := range d.report().Tasks {
		for _, a := range o.Attempts {
			if !a.Released {
				t.Errorf("%s was charged: %+v", o.PO, a)
			}
		}
	}
	if said := r.said(); !strings.Contains(said, "poscrape login --recipe "+d.recipe) || !strings.Contains(said, "poscrape resume "+d.out) {
		t.Errorf("it said %s", said)
	}
	if !*full {
		return // TestWallsThatAPersonPasses goes on from here
	}
	login := d.start("login", "--recipe", d.recipe, "--remote", "127.0.0.1:0")
	d.signInAt(login, nil)
	login.mustExit(0)
	d.resume().mustExit(0)
	if seen := d.door.Counts(); seen.Orders < orders || seen.SignIns != 1 {
		t.Errorf("the door has seen %+v", seen)
	}
	for _, o := range d.report().Tasks {
		if o.Outcome != "complete" {
			t.Errorf("%s ended %s", o.PO, o.Outcome)
		}
	}
	for _, left := range d.left(d.report()) {
		t.Errorf("left: %s", left)
	}
}

// signInAt signs in as a person does who has the page of a login in a browser: by the mouse and the
// keys. Where a wall follows, its first field is answered.
func (d *doored) signInAt(login *process, w *wall) {
	t := d.t
	t.Helper()
	page := ""
	testkit.Wait(t, "the page to sign in on", func() bool {
		page = remotePage.FindString(login.said())
		return page != ""
	})
	ctx, cancel := context.WithTimeout(t.Context(), testkit.Patience)
	defer cancel()
	cfg := browser.DefaultConfig()
	var err error
	if cfg.Chrome, err = browser.Find(ctx, os.Getenv("POSCRAPE_CHROME"), false); err != nil {
		t.Fatal(err)
	}
	cfg.Sandbox, cfg.ProfileDir, cfg.DownloadDir = browser.NoSandbox(), t.TempDir(), t.TempDir()
	b, err := browser.Launch(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}()
	tab := b.Tab()
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	do(b.RealTime(ctx))
	_, err = tab.Navigate(ctx, page, "")
	do(err)
	shows := func(path string) {
		t.Helper()
		testkit.Wait(t, "a picture of "+path, func() bool {
			var news string
			return tab.Evaluate(ctx, `document.getElementById("news").textContent + document.getElementById("address").textContent`, &news) == nil &&
				strings.HasPrefix(news, "http") && strings.HasSuffix(news, path)
		})
	}
	shows(portal.DoorPath)
	do(tab.Click(ctx, browser.Target{Selector: "#picture"}))
	press := func(key, text string, code int64) {
		t.Helper()
		do(tab.SendKey(ctx, browser.KeyEvent{Down: true, Key: key, Text: text, WindowsCode: code}))
		do(tab.SendKey(ctx, browser.KeyEvent{Key: key, WindowsCode: code}))
	}
	write := func(text string) {
		for _, r := range text {
			press(string(r), string(r), 0)
		}
	}
	press("Tab", "", 9)
	write(d.door.User)
	press("Tab", "", 9)
	write(signInSecret)
	press("Enter", "", 13)
	if w != nil {
		shows("/door/home")
		answer := func() {
			press("Tab", "", 9)
			write(w.answer)
			press("Enter", "", 13)
		}
		answer()
		// The address is there before the page is, which does not take keys until then.
		again := time.NewTicker(2 * time.Second)
		defer again.Stop()
		testkit.Wait(t, "the wall to be passed", func() bool {
			select {
			case <-again.C:
				if !w.isPassed() {
					answer()
				}
			default:
			}
			return w.isPassed()
		})
	}
	testkit.Wait(t, "the page to say that it is done", func() bool {
		var news string
		return tab.Evaluate(ctx, `document.getElementById("news").textContent`, &news) == nil && strings.HasPrefix(news, "Signed in.")
	})
}
