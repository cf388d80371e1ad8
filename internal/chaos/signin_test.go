//go:build linux

package chaos

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/portal"
)

// signInSecret is a password that looks different in each notation.
const signInSecret = `g%Z/eh&"ei'm <7>+x`

// signInForms are the notations in which it must stand nowhere.
func signInForms() map[string]string {
	inJSON, _ := json.Marshal(signInSecret) // a string has no error
	return map[string]string{
		"itself": signInSecret, "in an address": url.QueryEscape(signInSecret), "in a path": url.PathEscape(signInSecret),
		"in base64": base64.StdEncoding.EncodeToString([]byte(signInSecret))[:20], "in HTML": html.EscapeString(signInSecret), "in JSON": strings.Trim(string(inJSON), `"`),
	}
}

// doored is a portal behind a door, and a run that signs in there.
type doored struct {
	*workspace
	site   *site
	door   *portal.Door
	recipe string
}

func newDoored(t *testing.T, orders int, door *portal.Door, login string) *doored {
	t.Helper()
	s := open(t, portal.Config{Orders: orders, Variations: []portal.Variation{portal.Plain}})
	d := &doored{workspace: newWorkspace(t, s), site: s, door: door}
	door.Portal, door.User, door.Password = s.Portal, "buyer-4711", signInSecret
	s.meddleWith(func(w http.ResponseWriter, r *http.Request, _ http.Handler) { door.ServeHTTP(w, r) })
	d.env = []string{"PORTAL_USER=" + door.User, "PORTAL_PASSWORD=" + signInSecret}
	d.recipe = filepath.Join(d.dir, "acme.yaml")
	text := "version: 1\nbase_url: http://" + s.addr + "\nidentity: {selector: h1}\nattachments: {item: a.attachment}\n" +
		"login:\n  start_url: \"{base_url}" + portal.DoorPath + "\"\n  success: {selector: \"#welcome\"}\n" + login
	if err := os.WriteFile(d.recipe, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return d
}

// refused returns the attempts that were charged for a sign-in page.
func (d *doored) refused() (charged []string) {
	for _, o := range d.report().Tasks {
		for _, a := range o.Attempts {
			if !a.Released && a.Error != nil && a.Error.Class == "login" {
				charged = append(charged, o.PO)
			}
		}
	}
	return charged
}

// echoes shows, for one order, the password in all notations and nothing of the order.
type echoes struct {
	http.Handler
	number string
}

func (e echoes) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if orderOf(r) != e.number {
		e.Handler.ServeHTTP(w, r)
		return
	}
	forms := signInForms()
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><title>Hello</title><h1>For %[1]s</h1><p title="%[1]s">%[2]s %[3]s %[4]s</p><a class="attachment" href="/x?q=%[3]s">%[1]s</a>
<img src="/gone?x=%[3]s"><script>console.log(%[5]s, "%[4]s"); fetch("/no/%[3]s")</script>`,
		forms["in HTML"], html.EscapeString(forms["in JSON"]), forms["in an address"], base64.StdEncoding.EncodeToString([]byte(signInSecret)), mustJSON(signInSecret))
}

func mustJSON(text string) string {
	out, _ := json.Marshal(text) // a string has no error
	return string(out)
}

// TestKilledInASignIn kills poscrape while a sign-in form is being answered. What is there then, and
// at the end, has the password nowhere.
func TestKilledInASignIn(t *testing.T) {
	beside(t)
	door := &portal.Door{Lasts: 3}
	d := newDoored(t, 6, door, doorSteps)
	orders := door.Portal.(*portal.Portal).Orders()
	door.Portal = echoes{door.Portal, orders[5].Number}
	sent, dead := make(chan struct{}), make(chan struct{})
	var sending sync.Once
	door.OnSignIn(func() {
		if door.Counts().SignIns == 1 { // it is the second
			sending.Do(func() { close(sent) })
			<-dead
		}
	})
	t.Cleanup(sync.OnceFunc(func() {
		select {
		case <-dead:
		default:
			close(dead)
		}
	}))
	log := filepath.Join(d.dir, "run.log")
	r := d.run("--recipe", d.recipe, "--workers", "2", "--mode", "render", "--retries", "0", "--evidence", "all",
		"--verbose", "--log-file", log, "--metrics-addr", "127.0.0.1:0")
	r.reaches(sent)
	d.secretIsNotInProcesses()
	d.lacksSecret("the metrics", metricsOf(t, r))
	for _, args := range [][]string{{"worker", "status", "--json"}, {"worker", "list", "--json"}} {
		asked := d.start(append(args, "--session", d.out)...)
		asked.mustExit(0)
		d.lacksSecret(strings.Join(args, " "), []byte(asked.said()))
	}
	r.kill()
	close(dead)
	state := filepath.Join(d.dir, "acme.state.json")
	if text, err := os.ReadFile(state); err != nil || !json.Valid(text) {
		t.Errorf("the state file is %q, %v", text, err)
	}
	half, old := filepath.Join(d.dir, ".acme.state.json.1234.tmp"), time.Now().Add(-time.Hour) // as one that is killed while it writes it leaves it
	if err := errors.Join(os.WriteFile(half, []byte(`{"cook`), 0o600), os.Chtimes(half, old, old)); err != nil {
		t.Fatal(err)
	}
	resumed := d.resume()
	resumed.mustExit(3)
	for i, o := range orders {
		if got := d.report().order(o.Number); (got.Outcome == "complete") != (i < 5) {
			t.Errorf("%s ended %s: %+v", o.Number, got.Outcome, got.Error)
		}
	}
	if lost := d.refused(); len(lost) > 0 {
		t.Errorf("attempts were charged for a sign-in page: %q", lost)
	}
	if seen := door.Counts(); seen.SignIns > seen.Expired+2 || seen.Refused > 0 {
		t.Errorf("the door has seen %+v", seen)
	}
	if _, err := os.Stat(half); err == nil {
		t.Error("half a state file is left")
	}
	for _, left := range d.left(d.report()) {
		t.Errorf("left: %s", left)
	}
	d.secretIsNowhere(d.out, log, r.stdout, r.stderr, resumed.stdout, resumed.stderr)
}

// secretIsNotInProcesses looks at the arguments of every browser, and at its environment.
func (d *doored) secretIsNotInProcesses() {
	d.t.Helper()
	seen := 0
	for _, g := range groupsOf(d.tmp) {
		for _, m := range g.members {
			for _, file := range []string{"cmdline", "environ"} {
				text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", m.pid, file))
				if err != nil {
					continue // it has ended
				}
				seen++
				d.lacksSecret(fmt.Sprintf("%s of process %d", file, m.pid), text)
			}
		}
	}
	if seen == 0 {
		d.t.Error("no browser was there")
	}
}

func (d *doored) secretIsNowhere(places ...string) {
	d.t.Helper()
	files := 0
	for _, place := range places {
		err := filepath.WalkDir(place, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			files++
			text, err := os.ReadFile(path)
			d.lacksSecret(path, text)
			if strings.HasSuffix(path, ".xlsx") {
				d.lacksSecret(path, unzipped(d.t, text))
			}
			return err
		})
		if err != nil {
			d.t.Error(err)
		}
	}
	if evidence := d.files("evidence/*/*.html"); files < 8 || len(evidence) == 0 {
		d.t.Errorf("only %d files were there, and as evidence %q", files, evidence)
	}
}

func unzipped(t *testing.T, text []byte) []byte {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	var all bytes.Buffer
	for _, f := range archive.File {
		part, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(&all, part); err != nil {
			t.Fatal(err)
		}
		_ = part.Close()
	}
	return all.Bytes()
}

var metricsAddress = regexp.MustCompile(`http://127\.0\.0\.1:\d+/metrics`)

// metricsOf returns what the run tells Prometheus.
func metricsOf(t *testing.T, r *process) []byte {
	t.Helper()
	response, err := http.Get(metricsAddress.FindString(r.said()))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || !bytes.Contains(text, []byte("poscrape_")) {
		t.Fatalf("the metrics are %q, %v", text, err)
	}
	return text
}

func (d *doored) lacksSecret(what string, text []byte) {
	d.t.Helper()
	for form, secret := range signInForms() {
		if bytes.Contains(text, []byte(secret)) {
			d.t.Errorf("%s has the password %s", what, form)
		}
	}
}

var remotePage = regexp.MustCompile(`http://127\.0\.0\.1:\d+/\S+/`)

// TestAWallThatAPersonPasses: a run that cannot sign in ends at once. A person signs in on the page
// that login serves, by a second browser, and resume goes on to the end.
func TestAWallThatAPersonPasses(t *testing.T) {
	beside(t)
	d := newDoored(t, 8, &portal.Door{}, "")
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
	login := d.start("login", "--recipe", d.recipe, "--remote", "127.0.0.1:0")
	d.signInAt(login, nil)
	login.mustExit(0)
	d.resume().mustExit(0)
	if seen := d.door.Counts(); seen.Orders < 8 || seen.SignIns != 1 {
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
	waitFor(t, "the page to sign in on", func() bool {
		page = remotePage.FindString(login.said())
		return page != ""
	})
	ctx, cancel := context.WithTimeout(t.Context(), patience)
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
		waitFor(t, "a picture of "+path, func() bool {
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
		press("Tab", "", 9)
		write(w.answer)
		press("Enter", "", 13)
	}
	waitFor(t, "the page to say that it is done", func() bool {
		var news string
		return tab.Evaluate(ctx, `document.getElementById("news").textContent`, &news) == nil && strings.HasPrefix(news, "Signed in.")
	})
}

// TestAWallAtOneOfTwoPortals: the other's orders are read, status names each portal whose orders
// wait, and the end says how to go on.
func TestAWallAtOneOfTwoPortals(t *testing.T) {
	beside(t)
	d, walled := newDoored(t, 4, &portal.Door{}, doorSteps), newDoored(t, 4, &portal.Door{Captcha: true}, doorSteps)
	goOn := make(chan struct{})
	d.door.OnSignIn(func() { <-goOn })
	end := sync.OnceFunc(func() { close(goOn) })
	t.Cleanup(end)
	rows, err := os.ReadFile(walled.sheet)
	if err != nil {
		t.Fatal(err)
	}
	_, more, _ := strings.Cut(string(rows), "\n")
	sheet, err := os.OpenFile(d.sheet, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = sheet.WriteString(more)
		err = errors.Join(err, sheet.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	r := d.run("--recipe", d.recipe, "--recipe", walled.recipe, "--workers", "2", "--mode", "render")
	said := ""
	waitFor(t, "both portals in the status", func() bool {
		status := d.start("worker", "status", "--session", d.out)
		status.wait()
		said = status.said()
		return strings.Contains(said, d.host()+": no order is begun while a worker signs in") &&
			strings.Contains(said, walled.host()+": no order is begun: signing in was not possible")
	})
	end()
	r.mustExit(5)
	if said := r.said(); !strings.Contains(said, "poscrape login --recipe "+walled.recipe) || strings.Contains(said, "poscrape login --recipe "+d.recipe) {
		t.Errorf("it said %s", said)
	}
	complete := 0
	for _, o := range d.report().Tasks {
		if o.Outcome == "complete" {
			complete++
		}
	}
	if lost := d.refused(); complete != 4 || len(lost) > 0 {
		t.Errorf("%d orders are complete, and charged for a sign-in page are %q", complete, lost)
	}
	if seen := walled.door.Counts(); seen.Refused != 1 || seen.Walled > 2 {
		t.Errorf("the door has seen %+v", seen)
	}
}

// host is the portal's host, as messages name it.
func (d *doored) host() string { return d.site.addr }
