package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/poscrape/poscrape/internal/testkit"
)

// TestMain also is the processes that main starts.
func TestMain(m *testing.M) {
	serveAsHelper()
	goleak.VerifyTestMain(testkit.OwnState{M: m})
}

func TestFlags(t *testing.T) {
	t.Parallel()
	s, err := parse([]string{"--quick", "--workers", "2", "--cases", "none"})
	if err != nil || s.orders != 20 || s.rounds != 1 || s.workers != 2 || s.cases != "none" {
		t.Errorf("got %+v, %v", s, err)
	}
	for _, args := range [][]string{
		{"more"}, {"--orders", "0"}, {"--rounds", "0"}, {"--workers", "9"}, {"--sample", "0"}, {"--quick", "--write"},
	} {
		if _, err := parse(args); err == nil {
			t.Errorf("%q was accepted", args)
		}
	}
}

func TestPairFlags(t *testing.T) {
	t.Parallel()
	s, err := parsePair([]string{"--base", "HEAD", "--quick", "--cases", "late"})
	if err != nil || s.base != "HEAD" || s.rounds != 1 || s.workers != 2 || s.cases != "late" {
		t.Errorf("got %+v, %v", s, err)
	}
	for _, args := range [][]string{nil, {"--base", ""}, {"--base", "a", "b"}, {"--base", "a", "--rounds", "0"}, {"--base", "a", "--workers", "9"}} {
		if _, err := parsePair(args); err == nil {
			t.Errorf("%q was accepted", args)
		}
	}
}

func TestChosen(t *testing.T) {
	t.Parallel()
	all := []string{"a", "b", "c"}
	same := func(s string) string { return s }
	if got, err := chosen(all, "", "letter", same); err != nil || !slices.Equal(got, all) {
		t.Errorf("got %q, %v, want all", got, err)
	}
	if got, err := chosen(all, "c,a", "letter", same); err != nil || !slices.Equal(got, []string{"c", "a"}) {
		t.Errorf("got %q, %v, want c and a", got, err)
	}
	_, err := chosen(all, "a,d", "letter", same)
	if err == nil || !strings.Contains(err.Error(), `no letter "d"`) || !strings.Contains(err.Error(), "a, b, c") {
		t.Errorf("error %v, want one that names d, and what there is", err)
	}
}

func TestTablesAgree(t *testing.T) {
	t.Parallel()
	var names []string
	for _, c := range cases() {
		names = append(names, c.name)
		if got := c.orders(200, 4, tool{pace: 0.0001}); got != 4 {
			t.Errorf("%s: a slow tool gets %d orders, want one for each worker", c.name, got)
		}
		waiting, settling := c.orders(200, 4, tool{pace: 1}), c.orders(200, 4, tool{pace: 1, settles: true})
		if (settling > waiting) != (c.patience > 0) {
			t.Errorf("%s: where others wait %v, a tool that need not gets %d orders to their %d", c.name, c.patience, settling, waiting)
		}
		if c.patience > 0 && c.patience <= c.portal.Late {
			t.Errorf("%s: a patience of %v misses what comes after %v", c.name, c.patience, c.portal.Late)
		}
	}
	seen := map[string]bool{}
	for _, tool := range tools() {
		if seen[tool.name] {
			t.Errorf("two tools are named %s", tool.name)
		}
		seen[tool.name] = true
		for _, name := range tool.only {
			if !slices.Contains(names, name) {
				t.Errorf("%s takes part in %q, which is no case", tool.name, name)
			}
		}
	}
	for _, name := range []string{"poscrape-render", "poscrape-auto", "poscrape-once", "chromedp-reuse"} {
		if !seen[name] {
			t.Errorf("the tables speak of %s, which is no tool", name)
		}
	}
}

// Whoever installs the peers gets these versions, from wherever they have them.
func TestPeersAreLocked(t *testing.T) {
	t.Parallel()
	manifest := testkit.ReadJSON[struct{ Dependencies map[string]string }](t, "node/package.json")
	lock := testkit.ReadJSON[struct {
		Packages map[string]struct{ Version, Resolved, Integrity string }
	}](t, "node/package-lock.json")
	exact := regexp.MustCompile(`^\d+\.\d+\.\d+$`)
	for name, version := range manifest.Dependencies {
		if !exact.MatchString(version) {
			t.Errorf("%s: %q is no single version", name, version)
		}
		if got := lock.Packages["node_modules/"+name].Version; got != version {
			t.Errorf("%s: %s is locked, and %s asked for", name, got, version)
		}
	}
	for path, p := range lock.Packages {
		if path != "" && (p.Integrity == "" || p.Resolved != "") {
			t.Errorf("%s: integrity %q, resolved %q; want one, and no host: npm install --omit-lockfile-registry-resolved", path, p.Integrity, p.Resolved)
		}
	}
}

func TestPoscrapeIsRunAsUsersRunIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ tool, help, want string }{
		{"poscrape-render", "", "poscrape run --workers 4"},
		{"poscrape-render", "      --mode MODE", "--mode render sheet.csv"},
		{"poscrape-auto", "      --mode MODE", "--mode auto sheet.csv"},
		{"poscrape-once", "      --mode MODE", "poscrape run --worker-lifetime once --workers 4"},
	} {
		e := environment{poscrape: "poscrape", help: c.help}
		o := optionsOf("sheet.csv")
		line := fmt.Sprintf("%q", toolNamed(t, c.tool).command(e, o))
		line = strings.ReplaceAll(strings.Trim(line, `[]`), `"`, "")
		if !strings.Contains(line, c.want) {
			t.Errorf("%s: %s\nlacks %s", c.tool, line, c.want)
		}
		if c.help == "" && strings.Contains(line, "--mode") {
			t.Errorf("%s: %s\nhas a flag that this poscrape does not know", c.tool, line)
		}
	}
	if why := toolNamed(t, "poscrape-auto").missing(environment{}); !strings.Contains(why, "not there yet") {
		t.Errorf("without --mode, auto is said to be missing because %q", why)
	}
}
