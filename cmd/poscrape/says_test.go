package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/tasks"
)

// agreeing serves orders behind a button that accepts terms. It returns a directory with their sheet and a recipe
// that does not say so, and what runs a command there with a state directory below it.
func agreeing(t *testing.T) (dir string, poscrape func(state string, args ...string) (code int, stdout, stderr string)) {
	t.Helper()
	if testing.Short() {
		t.Skip("it starts a Chrome")
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		number := strings.TrimPrefix(r.URL.Path, "/orders/")
		if r.Method != http.MethodPost {
			fmt.Fprintf(w, `<title>Terms</title><h1>Order %s</h1><form method=post><button id=agree>Accept terms</button></form>`, number)
			return
		}
		fmt.Fprintf(w, `<title>Order</title><h1>Order <span id=po>%s</span></h1><p id=none>No documents</p>`, number)
	}))
	t.Cleanup(server.Close)
	dir = testkit.OpenTempDir(t)
	testkit.Must(t, os.WriteFile(filepath.Join(dir, "pos.csv"), []byte("po\nPO1001\nPO1002\nPO1003\nPO1004\nPO1005\nPO1006\n"), 0o600))
	testkit.Must(t, os.WriteFile(filepath.Join(dir, "acme.yaml"), []byte("version: 1\nname: acme\nbase_url: "+server.URL+`
open: {url: "{base_url}/orders/{po}", steps: [{click: "#agree"}]}
identity: {selector: "#po"}
attachments: {item: a.document, none: "#none"}
`), 0o600))
	silent, asked, err := os.Pipe() // a question would wait for an answer
	testkit.Must(t, err)
	t.Cleanup(func() { _, _ = silent.Close(), asked.Close() })
	return dir, func(state string, args ...string) (int, string, string) {
		var stdout, stderr strings.Builder
		cmd := exec.Command("poscrape", args...)
		cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, silent, &stdout, &stderr
		cmd.Env = append(os.Environ(), "POSCRAPE_STATE_DIR="+filepath.Join(dir, state))
		err := cmd.Run()
		if ended := (*exec.ExitError)(nil); err != nil && !errors.As(err, &ended) {
			t.Fatal(err)
		}
		return cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
	}
}

// TestAStepThatDoesNotSaySoStopsTheRun at the first order; with the line that is said, retry goes on to the end.
func TestAStepThatDoesNotSaySoStopsTheRun(t *testing.T) {
	t.Parallel()
	dir, poscrape := agreeing(t)
	var report struct {
		Totals struct {
			Pending   int
			ByOutcome map[tasks.Outcome]int `json:"by_outcome"`
		}
		Tasks []struct {
			Error *struct{ Class tasks.Class }
		}
	}
	read := func() {
		text, err := os.ReadFile(filepath.Join(dir, "out", "report.json"))
		testkit.Must(t, err)
		testkit.Must(t, json.Unmarshal(text, &report))
	}
	code, stdout, stderr := poscrape("state", "run", "--workers", "1", "--recipe", "acme.yaml", "--out", "out", "pos.csv")
	line := regexp.MustCompile(`write: (click: \{.*\}); then go on with: poscrape retry --recipe acme\.yaml .*out\n`).FindStringSubmatch(stderr)
	if read(); code != exitUsage || line == nil || report.Totals.Pending == 0 || report.Tasks[0].Error == nil || report.Tasks[0].Error.Class != tasks.ClassNotClicked {
		t.Fatalf("exit code %d, report %+v, said\n%s", code, report, stderr)
	}
	if next := regexp.MustCompile(`(?m)^  poscrape (?:resume|retry) .*`).FindAllString(stdout, -1); len(next) != 1 || !strings.Contains(next[0], "poscrape retry --recipe acme.yaml out") {
		t.Errorf("next is %q", next)
	}
	recipe, err := os.ReadFile(filepath.Join(dir, "acme.yaml"))
	testkit.Must(t, err)
	testkit.Must(t, os.WriteFile(filepath.Join(dir, "mended.yaml"), []byte(strings.ReplaceAll(string(recipe), `click: "#agree"`, line[1])), 0o600))
	code, stdout, stderr = poscrape("state", "retry", "--recipe", "mended.yaml", "out")
	if read(); code != exitWell || report.Totals.Pending != 0 || report.Totals.ByOutcome[tasks.OutcomeNoAttachments] != len(report.Tasks) {
		t.Errorf("retry: exit code %d, report %+v, said\n%s%s", code, report, stdout, stderr)
	}
}

// TestTheFirstRunWithARecipe says what that takes, once, where a person looks; without a state directory, each time.
// It asks nothing.
func TestTheFirstRunWithARecipe(t *testing.T) {
	t.Parallel()
	dir, poscrape := agreeing(t)
	testkit.Must(t, os.WriteFile(filepath.Join(dir, "no directory"), nil, 0o600))
	const says, cannot = "the recipe acme is used here for the first time: it reads no secrets; asks 127.0.0.1:", "nothing will show that this session was made here"
	for i, c := range []struct {
		state, flag             string
		stderr, stdout, log, no bool // what is said there, and that nothing can be kept
	}{
		{"quiet", "--quiet", false, false, true, false},
		{"quiet", "--no-progress", false, false, false, false},
		{"json", "--json", false, true, true, false},
		{"json", "--json", false, false, false, false},
		{"plain", "--no-progress", true, false, true, false},
		{"no directory", "--no-progress", true, false, true, true},
		{"no directory", "--no-progress", true, false, true, true},
		{"no directory", "--quiet", false, false, true, false},
	} {
		out := fmt.Sprint("out", i)
		code, stdout, stderr := poscrape(c.state, "run", c.flag, "--workers", "1", "--recipe", "acme.yaml", "--out", out, "pos.csv")
		log, err := os.ReadFile(filepath.Join(dir, out, "poscrape.log"))
		if err != nil || code != exitUsage {
			t.Fatalf("run %d: exit code %d, %v, said\n%s", i, code, err, stderr)
		}
		notice := strings.Contains(stdout, `{"message_type":"notice","level":"info","message":"`+says)
		if strings.Contains(stderr, says) != c.stderr || notice != c.stdout || strings.Contains(stdout, says) != c.stdout || strings.Contains(string(log), says) != c.log || strings.Contains(stderr, cannot) != c.no {
			t.Errorf("run %d (%s, %s) said\n%s\nand\n%s\nlog\n%s", i, c.state, c.flag, stdout, stderr, log)
		}
	}
}
