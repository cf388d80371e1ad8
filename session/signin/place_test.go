package signin_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/signin"
)

// TestAStateFileThatNobodyNamed: beside a recipe only a file of its own is used, as a link may have come with
// the recipe. One that is named may be a link.
func TestAStateFileThatNobodyNamed(t *testing.T) {
	t.Parallel()
	links := map[string]func(to, link string) error{"hard": os.Link, "own": nil}
	if runtime.GOOS != "windows" {
		links["symbolic"], links["to nothing"] = os.Symlink, func(to, link string) error { return os.Symlink(to+"-gone", link) }
	}
	for kind, link := range links {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			mine := write(t, "mine.json", playwright)
			recipe := filepath.Join(t.TempDir(), "acme.yaml")
			beside := signin.PathFor(recipe)
			if link == nil {
				testkit.Write(t, beside, playwright)
			} else {
				testkit.Must(t, link(mine, beside))
			}
			state, _, err := keeps(mine).Read(true, "")
			testkit.Must(t, err)
			unnamed := signin.FileFor("", recipe, scrape.NewPortal(&scrape.Recipe{BaseURL: "https://portal.example"}, nil))
			_, _, reading := unnamed.Read(false, "")
			for what, err := range map[string]error{"reading": reading, "CanWrite": unnamed.CanWrite(), "Write": unnamed.Write(state)} {
				if link == nil && err != nil || link != nil && (err == nil || !strings.Contains(err.Error(), "--state "+beside)) {
					t.Errorf("%s: %v", what, err)
				}
			}
			if testkit.Read(t, mine) != playwright {
				t.Error("what it leads to is changed")
			}
			if _, err := os.Stat(mine + "-gone"); err == nil {
				t.Error("what it leads to was made")
			}
			if err := keeps(beside).Write(state); err != nil {
				t.Errorf("named: %v", err)
			}
		})
	}
}

// TestWhatIsNoStateFile is not overwritten, whoever named it.
func TestWhatIsNoStateFile(t *testing.T) {
	t.Parallel()
	for text, may := range map[string]bool{
		"": true, " \n": true, playwright: true, `{"cookies": [`: true, "{\n  \"origins\" : []}": true,
		"# Netscape HTTP Cookie File\n": true, "# HTTP Cookie File for a.example\r\n": true, "#HttpOnly_.a.example\tTRUE\t/\tFALSE\t0\tn\tv": true, "# mine\na.example\tfalse\t/\ttrue\t0\tn": true,
		"# mine\n": false, "export A=1\n": false, `{"auths": {}}`: false, `[{"name": "sid"}]`: false, "ssh-ed25519 AAAA": false, "po\turl\n1\thttps://a.example\n": false,
	} {
		path := write(t, "s", text)
		state, _, err := read(write(t, "from", playwright))
		testkit.Must(t, err)
		can, wrote := keeps(path).CanWrite(), keeps(path).Write(state)
		if may != (can == nil) || may != (wrote == nil) || !may && (testkit.Read(t, path) != text || !strings.Contains(can.Error(), "not overwritten")) {
			t.Errorf("%q: %v, %v", text, can, wrote)
		}
	}
}
