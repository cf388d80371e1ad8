//go:build linux

package chaos

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit"
)

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
	d.handOver()
	d.env = []string{"PORTAL_USER=" + door.User, "PORTAL_PASSWORD=" + signInSecret}
	d.recipe = filepath.Join(d.dir, "acme.yaml")
	text := "version: 1\nbase_url: http://" + s.addr + "\nidentity: {selector: h1}\nattachments: {item: a.attachment}\n" +
		"login:\n  start_url: \"{base_url}" + portal.DoorPath + "\"\n  success: {selector: \"#welcome\"}\n" + login
	if err := os.WriteFile(d.recipe, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return d
}

// handOver has the site serve the door as it is now; requests see what was set of it before.
func (d *doored) handOver() {
	d.site.meddleWith(func(w http.ResponseWriter, r *http.Request, _ http.Handler) { d.door.ServeHTTP(w, r) })
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
	d := newDoored(t, 5, door, doorSteps)
	orders := door.Portal.(*portal.Portal).Orders()
	door.Portal = echoes{door.Portal, orders[4].Number}
	d.handOver()
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
		if got := d.report().order(o.Number); (got.Outcome == "complete") != (i < 4) {
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

// TestAWallAtOneOfTwoPortals: the other's orders are read, status names each portal whose orders
// wait, and the end says how to go on.
func TestAWallAtOneOfTwoPortals(t *testing.T) {
	beside(t)
	const orders = 2
	d, walled := newDoored(t, orders, &portal.Door{}, doorSteps), newDoored(t, orders, &portal.Door{Captcha: true}, doorSteps)
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
	both := func(said string) bool {
		return strings.Contains(said, d.host()+": no order is begun while a worker signs in") &&
			strings.Contains(said, walled.host()+": no order is begun: signing in was not possible")
	}
	testkit.Wait(t, "the session to listen", func() bool { return len(d.files("control.sock")) == 1 })
	watch := d.start("worker", "status", "--watch", "--json", "--session", d.out)
	testkit.Wait(t, "both portals in the status", func() bool { return both(watch.said()) })
	status := d.start("worker", "status", "--session", d.out)
	status.mustExit(0)
	if said := status.said(); !both(said) {
		t.Errorf("the status is %s", said)
	}
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
	if lost := d.refused(); complete != orders || len(lost) > 0 {
		t.Errorf("%d orders are complete, and charged for a sign-in page are %q", complete, lost)
	}
	if seen := walled.door.Counts(); seen.Refused != 1 || seen.Walled > 2 {
		t.Errorf("the door has seen %+v", seen)
	}
}

// host is the portal's host, as messages name it.
func (d *doored) host() string { return d.site.addr }
