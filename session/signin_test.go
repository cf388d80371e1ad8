package session_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/report"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// stateOf is where the sign-in of a session is kept.
func stateOf(cfg session.Config) string {
	return strings.TrimSuffix(cfg.RecipeFile, ".yaml") + ".state.json"
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// eventsOf returns the details of the events of a kind.
func eventsOf(r wholeReport, kind string) (details []string) {
	for _, e := range r.Events {
		if e.Type == kind {
			details = append(details, e.Detail)
		}
	}
	return details
}

// selectorAt returns what a selector of the recipe has met.
func selectorAt(r wholeReport, where string) report.Selector {
	for _, s := range r.Selectors {
		if s.Where == where {
			return s
		}
	}
	return report.Selector{}
}

// TestSignInOfItsOwnKind signs in where workers, ways to read or portals are not the usual ones.
func TestSignInOfItsOwnKind(t *testing.T) {
	t.Parallel()
	once := func(cfg *session.Config) { cfg.Lifetime = session.Once }
	four := func(mode session.Mode) func(*session.Config) {
		return func(cfg *session.Config) { cfg.Workers, cfg.Mode = 4, mode }
	}
	fetch := func(cfg *session.Config) { cfg.Mode = session.ModeFetch }
	for name, c := range map[string]struct {
		door   *portal.Door
		more   string
		change func(*session.Config)
		orders int
		// most and least sign-ins; 0 least: 1.
		least, most int
		// told is in a notice.
		told string
	}{
		"thorough: fetched, a redirect":        {door: &portal.Door{Lasts: 40}, change: fetch, orders: 30, most: 4},
		"thorough: fetched, another host":      {door: &portal.Door{Lasts: 40, SignInHost: "yes"}, change: fetch, orders: 30, most: 4},
		"thorough: a browser for each order":   {door: &portal.Door{Lasts: 4}, change: once, orders: 7, least: 2, most: 2},
		"thorough: each, one browser an order": {door: &portal.Door{Rotating: true}, more: "  session: each\n", change: once, orders: 6, most: 2},
		"thorough: each, the cookie changes":   {door: &portal.Door{Rotating: true, Lasts: 6}, more: "  session: each\n", orders: 16, least: 2, most: 4},
		"thorough: each, it changes, fetched":  {door: &portal.Door{Rotating: true}, more: "  session: each\n", change: four(session.ModeFetch), orders: 16, least: 2, most: 10},
		"thorough: each, auto":                 {door: &portal.Door{Rotating: true}, more: "  session: each\n", change: four(session.ModeAuto), orders: 32, least: 4, most: 12},
		"thorough: three orders each":          {door: &portal.Door{Lasts: 3}, change: four(session.ModeRender), orders: 24, least: 8, most: 12},
		"found out, it changes":                {door: &portal.Door{Rotating: true}, orders: 16, least: 3, most: 6, told: "login.session: each"},
		"shared, there can be but one":         {door: &portal.Door{Single: true, Lasts: 6}, more: "  session: shared\n", orders: 12, least: 2, most: 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			longOnly(t, name)
			cfg := behindDoor(t, c.door, c.orders, c.more)
			cfg.Workers, cfg.Mode = 2, session.ModeRender
			if c.change != nil {
				c.change(&cfg)
			}
			end, r := run(t, cfg)
			seen := c.door.Counts()
			if end.Status != tasks.SessionCompleted || end.ByOutcome[tasks.OutcomeComplete] != c.orders {
				t.Errorf("it ended %s (%s), %v", end.Status, end.Reason, end.ByOutcome)
			}
			if n := lostAttempts(t, r); n > 0 || seen.SignIns < max(c.least, 1) || seen.SignIns > c.most || seen.Refused > 0 {
				t.Errorf("%d attempts were lost; the door has seen %+v", n, seen)
			}
			if told := strings.Join(eventsOf(r, tasks.EventNotice), "\n"); !strings.Contains(told, c.told) || c.told == "" && strings.Contains(told, "login.session") {
				t.Errorf("it told %q", told)
			}
			if s := selectorAt(r, "login.success.selector"); s.Pages != seen.SignIns || s.Met != seen.SignIns {
				t.Errorf("of login.success is reported: %+v, after %d sign-ins", s, seen.SignIns)
			}
		})
	}
}

// TestOneSignInForEachExpiry: also where workers have several orders at once, and the sign-in is
// good for few pages.
func TestOneSignInForEachExpiry(t *testing.T) {
	t.Parallel()
	modes := []session.Mode{session.ModeFetch}
	lasts, workers := []int{6}, 2
	if os.Getenv(thorough) != "" {
		modes, lasts = append(modes, session.ModeAuto, session.ModeRender), append(lasts, 3, 15)
		workers = 4
	}
	for _, mode := range modes {
		for _, pages := range lasts {
			t.Run(fmt.Sprintf("%s, %d pages", mode, pages), func(t *testing.T) {
				t.Parallel()
				const orders = 10
				door := &portal.Door{Lasts: pages}
				cfg := behindDoor(t, door, orders, "")
				cfg.Workers, cfg.Mode = workers, mode
				end, r := run(t, cfg)
				seen := door.Counts()
				if end.Status != tasks.SessionCompleted || end.ByOutcome[tasks.OutcomeComplete] != orders {
					t.Errorf("it ended %s (%s), %v", end.Status, end.Reason, end.ByOutcome)
				}
				// One for each worker, if each signs in for itself.
				if n := lostAttempts(t, r); n > 0 || seen.SignIns > seen.Expired+cfg.Workers {
					t.Errorf("%d attempts were lost; the door has seen %+v", n, seen)
				}
			})
		}
	}
}

// TestSignInPageIsDown: nobody was refused, so the orders wait.
func TestSignInPageIsDown(t *testing.T) {
	t.Parallel()
	down := func(status, until int) func(*http.Request, int) int {
		return func(_ *http.Request, n int) int {
			if until > 0 && n > until {
				return 0
			}
			return status
		}
	}
	for name, c := range map[string]struct {
		down     func(*http.Request, int) int
		patience time.Duration
		says     string // of an end by the breaker; none: all orders end well
	}{
		"thorough: it answers 503": {down(503, 0), 2 * time.Second, "not letting anybody sign in"},
		"it does not answer":       {down(-1, 0), 2 * time.Second, "its sign-in page: empty response"},
		"it answers 500, once":     {down(500, 4), 5 * time.Minute, ""}, // four orders' redirects
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			longOnly(t, name)
			// The order's own page does not lead there: what is down is the sign-in page alone.
			door := &portal.Door{Down: c.down, InPlace: true}
			if c.says == "" {
				door.Down = down(500, 1)
			}
			cfg := behindDoor(t, door, 12, "")
			cfg.Workers, cfg.Mode, cfg.BreakerPatience = 2, session.ModeRender, c.patience
			end, r := run(t, cfg)
			seen := door.Counts()
			if n := lostAttempts(t, r); n > 0 || seen.Walled > 2*cfg.Workers || seen.Asked > 5 {
				t.Errorf("%d attempts were lost; the door has seen %+v", n, seen)
			}
			if c.says == "" && (end.Status != tasks.SessionCompleted || end.ByOutcome[tasks.OutcomeComplete] != 12) {
				t.Errorf("it ended %s (%s), %v", end.Status, end.Reason, end.ByOutcome)
			}
			if c.says != "" && (end.Status != tasks.SessionInterrupted || end.Cause != session.CauseBreaker || !strings.Contains(end.Reason, c.says) || !strings.Contains(end.Reason, "poscrape resume ")) {
				t.Errorf("it ended %s, %s: %s", end.Status, end.Cause, end.Reason)
			}
		})
	}
}

// TestOneOrderShowsTheWall: it ends so, and the others are read, whoever can sign in.
func TestOneOrderShowsTheWall(t *testing.T) {
	t.Parallel()
	for name, bySteps := range map[string]bool{"thorough: with steps": true, "thorough: by hand": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			longOnly(t, name)
			door := &portal.Door{}
			// Somebody has to get through after it: many orders are left, however long it takes to see the wall.
			cfg := behindDoor(t, door, 24, "")
			door.Only = door.Portal.(*portal.Portal).Orders()[3].Path
			cfg.Workers, cfg.Mode = 2, session.ModeRender
			if !bySteps {
				door.SignedIn("by hand")
				text := `{"cookies": [{"name": "door", "value": "by hand", "domain": "127.0.0.1", "path": "/", "expires": -1}], "origins": []}`
				recipe, err := os.ReadFile(cfg.RecipeFile)
				if err != nil {
					t.Fatal(err)
				}
				without, _, _ := strings.Cut(string(recipe), "  steps:")
				for path, text := range map[string]string{stateOf(cfg): text, cfg.RecipeFile: without} {
					if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
			}
			end, r := run(t, cfg)
			if seen := door.Counts(); end.Status != tasks.SessionCompleted || end.ByOutcome[tasks.OutcomeComplete] != 23 || end.ByOutcome[tasks.OutcomeSessionExpired] != 1 || seen.SignIns > 3 {
				t.Errorf("it ended %s (%s), %v; the door has seen %+v", end.Status, end.Reason, end.ByOutcome, seen)
			}
			if n := lostAttempts(t, r); n != 1+cfg.Retries {
				t.Errorf("%d attempts were charged for it", n)
			}
		})
	}
}

// TestSignOut signs out at the end, and only then.
func TestSignOut(t *testing.T) {
	t.Parallel()
	const logout = "  logout: {url: \"{base_url}" + portal.DoorLogout + "\"}\n"
	for name, c := range map[string]struct {
		door     *portal.Door
		more     string
		stopped  bool
		signOuts int
		left     bool // the state file
		told     string
	}{
		"shared":               {door: &portal.Door{}, more: logout, signOuts: 1},
		"thorough: each":       {door: &portal.Door{Rotating: true}, more: logout + "  session: each\n", signOuts: 2},
		"thorough: not at all": {door: &portal.Door{}, left: true},
		"a stop":               {door: &portal.Door{}, more: logout, stopped: true, left: true},
		"thorough: in vain":    {door: &portal.Door{}, more: strings.Replace(logout, portal.DoorLogout, "/no/such/page", 1), left: true, told: "signing out was not possible"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			longOnly(t, name)
			cfg := behindDoor(t, c.door, 6, c.more)
			cfg.Workers, cfg.Mode = 2, session.ModeRender
			s, err := session.Open(t.Context(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			if c.stopped {
				c.door.OnSignIn(func() { s.Interrupt("by the test") })
			}
			end, err := s.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			r := readReport(t, end.Dir)
			seen := c.door.Counts()
			if (end.Status != tasks.SessionCompleted) != c.stopped || seen.SignOuts != min(c.signOuts, seen.SignIns) || seen.SignIns == 0 {
				t.Errorf("it ended %s (%s); the door has seen %+v", end.Status, end.Reason, seen)
			}
			if isThere(stateOf(cfg)) != c.left || len(eventsOf(r, tasks.EventLoggedOut)) != min(c.signOuts, 1) {
				t.Errorf("the state file is there: %v; events: %v", isThere(stateOf(cfg)), eventsOf(r, tasks.EventLoggedOut))
			}
			if told := strings.Join(eventsOf(r, tasks.EventNotice), "\n"); !strings.Contains(told, c.told) {
				t.Errorf("it told %q", told)
			}
			if end.Cleanup.BrowsersLeft+end.Cleanup.ProfilesLeft > 0 {
				t.Errorf("left: %+v", end.Cleanup)
			}
		})
	}
}
