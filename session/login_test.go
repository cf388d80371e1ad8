package session_test

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/internal/testkit/portalkit"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

const doorPassword = "pass word-7731"

// behindDoor serves a portal of so many plain orders behind a door, with its sheet and a
// recipe that signs in. The names of the variables are the test's own.
func behindDoor(t *testing.T, d *portal.Door, orders int, more string) session.Config {
	t.Helper()
	p, err := portal.New(portal.Config{Orders: orders, Variations: []portal.Variation{portal.Plain}, MaxDocument: portalkit.SmallDocument})
	if err != nil {
		t.Fatal(err)
	}
	d.Portal, d.User, d.Password = p, "buyer-4711", doorPassword
	server := httptest.NewServer(d)
	t.Cleanup(func() { server.CloseClientConnections(); server.Close(); _ = p.Close() })
	local := strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	if d.SignInHost != "" {
		d.SignInHost = local
	}
	dir := t.TempDir()
	sheet, secret := filepath.Join(dir, "pos.csv"), filepath.Join(dir, "user")
	f, err := os.Create(sheet)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.WriteCSV(f, server.URL); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{secret: d.User, filepath.Join(dir, "password"): doorPassword} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	start := server.URL
	if d.SignInHost != "" {
		start = local
	}
	recipe := filepath.Join(dir, "acme.yaml")
	text := "version: 1\nbase_url: " + server.URL + "\nidentity: {selector: h1}\nattachments: {item: \"a.attachment\"}\n" +
		"login:\n  start_url: " + start + portal.DoorPath + "\n" +
		"  steps:\n    - fill: {selector: \"#user\", file: user}\n    - fill: {selector: \"#password\", file: password}\n    - click: \"#go\"\n" +
		"  success: {selector: \"#welcome\"}\n" + more
	if err := os.WriteFile(recipe, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg := config(t, sheet)
	cfg.RecipeFile, cfg.Workers = recipe, 4
	return cfg
}

// lostAttempts returns how many attempts were charged that did not end well.
func lostAttempts(t *testing.T, r wholeReport) (n int) {
	t.Helper()
	for _, task := range r.Tasks {
		for i, a := range task.Attempts {
			// What the last one found of an order that ended well was proven by other orders' pages.
			proven := task.Outcome.Well() && i == len(task.Attempts)-1
			if !a.Released && !a.Outcome.Well() && !proven {
				n++
				t.Logf("%s: %+v", task.PO, a.Error)
			}
		}
	}
	return n
}

func TestSignInIsRenewed(t *testing.T) {
	t.Parallel()
	// A sign-in that ends while other workers read costs them their orders; with four, it has to be
	// good for nine, or it looks like one that workers cannot share.
	orders, lasts, workers := 20, 9, 2
	if os.Getenv(thorough) != "" {
		orders, lasts, workers = 28, 12, 4
	}
	for name, c := range map[string]struct {
		door    *portal.Door
		mode    session.Mode
		workers int // more where it is they who could sign in at once, two where it is the sign of it
	}{
		"a redirect":                   {door: &portal.Door{Lasts: lasts}, mode: session.ModeRender, workers: workers},
		"thorough: a page in place":    {door: &portal.Door{Lasts: 2 * lasts, InPlace: true}, mode: session.ModeAuto, workers: 2},
		"thorough: another host":       {door: &portal.Door{Lasts: lasts, SignInHost: "yes"}, mode: session.ModeRender, workers: 2},
		"thorough: local storage":      {door: &portal.Door{Lasts: lasts, Local: true}, mode: session.ModeRender, workers: 2},
		"a 401 of its data":            {door: &portal.Door{Lasts: lasts, Local: true, Silent: true}, mode: session.ModeRender, workers: 2},
		"thorough: one sign-in at all": {door: &portal.Door{Lasts: lasts, Single: true}, mode: session.ModeRender, workers: 4},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			longOnly(t, name)
			orders := orders
			if c.mode == session.ModeAuto { // which asks for a page twice, until it is trusted
				orders = 2 * orders
			}
			cfg := behindDoor(t, c.door, orders, "")
			cfg.Workers, cfg.Mode = c.workers, c.mode
			end, r := run(t, cfg)
			seen := c.door.Counts()
			if end.Status != tasks.SessionCompleted || end.ByOutcome[tasks.OutcomeComplete] != orders {
				t.Errorf("it ended %s (%s), %v", end.Status, end.Reason, end.ByOutcome)
			}
			if n := lostAttempts(t, r); n > 0 {
				t.Errorf("%d attempts were lost", n)
			}
			if seen.SignIns-seen.Expired > 1 || seen.SignIns < 3 || seen.Refused > 0 {
				t.Errorf("the door has seen %+v", seen)
			}
			checkSecret(t, end.Dir, doorPassword)
			state := strings.TrimSuffix(cfg.RecipeFile, ".yaml") + ".state.json"
			if info, err := os.Stat(state); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("the state file: %v, %v", info, err)
			}
		})
	}
}

func TestAWallThatCannotBePassed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		door     *portal.Door
		password string
		says     string
		most     int // refused sign-ins
	}{
		"a wrong password":    {&portal.Door{}, "wrong-one-99", "still asks for a password", 1},
		"thorough: a captcha": {&portal.Door{Captcha: true}, doorPassword, "it shows a captcha", 1},
		"new terms":           {&portal.Door{Terms: true}, doorPassword, "new terms are accepted", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			longOnly(t, name)
			cfg := behindDoor(t, c.door, 20, "")
			if err := os.WriteFile(filepath.Join(filepath.Dir(cfg.RecipeFile), "password"), []byte(c.password), 0o600); err != nil {
				t.Fatal(err)
			}
			cfg.Workers = 2
			testkit.Write(t, stateOf(cfg), `{"cookies": [{"name": "bank", "value": "mine", "domain": "bank.test", "path": "/", "expires": -1}], "origins": []}`)
			began := time.Now()
			end, r := run(t, cfg)
			seen := c.door.Counts()
			if kept, err := os.ReadFile(stateOf(cfg)); err != nil || !strings.Contains(string(kept), "bank.test") || !strings.Contains(end.Reason, "cookies of bank.test in "+stateOf(cfg)+" were not used") {
				t.Errorf("another host's cookies: %s, %v; it ended as %s", kept, err, end.Reason)
			}
			if end.Status != tasks.SessionInterrupted || end.Cause != session.CauseLogin {
				t.Fatalf("it ended %s, %s: %s", end.Status, end.Cause, end.Reason)
			}
			if !strings.Contains(end.Reason, c.says) || !strings.Contains(end.Reason, "poscrape login --recipe ") || !strings.Contains(end.Reason, "poscrape resume ") ||
				strings.Contains(end.Reason, c.password) || strings.Contains(end.Reason, c.door.User) {
				t.Errorf("the reason is %q", end.Reason)
			}
			checkSecret(t, end.Dir, c.password)
			if n := lostAttempts(t, r); n > 0 || seen.Refused > c.most || seen.Orders > cfg.Workers || seen.Walled > cfg.Workers {
				t.Errorf("%d attempts were lost; the door has seen %+v", n, seen)
			}
			for _, task := range r.Tasks {
				if task.State == tasks.StateFailed {
					t.Errorf("%s failed: %+v", task.PO, task.Error)
				}
			}
			t.Logf("it took %v, and %d pages", time.Since(began), seen.Walled)
		})
	}
}

// checkSecret: no file of the session folder holds the secret.
func checkSecret(t *testing.T, dir, secret string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), secret) {
			t.Errorf("%s holds the password", path)
		}
		return err
	})
	if err != nil || files == 0 {
		t.Errorf("%d files were searched: %v", files, err)
	}
}
