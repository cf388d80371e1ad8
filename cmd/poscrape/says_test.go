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

// agreeing serves orders behind a button that accepts terms, and a state directory for those who read them.
func agreeing(t *testing.T) (dir string, poscrape func(args ...string) (code int, stdout, stderr string)) {
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
	state := filepath.Join(dir, "state")
	return dir, func(args ...string) (int, string, string) {
		var stdout, stderr strings.Builder
		cmd := exec.Command("poscrape", args...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
		cmd.Env = append(os.Environ(), "POSCRAPE_STATE_DIR="+state)
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
	code, _, stderr := poscrape("run", "--workers", "1", "--recipe", "acme.yaml", "--out", "out", "pos.csv")
	line := regexp.MustCompile(`write: (click: \{.*\}); then go on with: poscrape retry --recipe acme\.yaml .*out\n`).FindStringSubmatch(stderr)
	if read(); code != exitUsage || line == nil || report.Totals.Pending == 0 || report.Tasks[0].Error == nil || report.Tasks[0].Error.Class != tasks.ClassNotClicked {
		t.Fatalf("exit code %d, report %+v, said\n%s", code, report, stderr)
	}
	recipe, err := os.ReadFile(filepath.Join(dir, "acme.yaml"))
	testkit.Must(t, err)
	testkit.Must(t, os.WriteFile(filepath.Join(dir, "mended.yaml"), []byte(strings.ReplaceAll(string(recipe), `click: "#agree"`, line[1])), 0o600))
	code, stdout, stderr := poscrape("retry", "--recipe", "mended.yaml", "out")
	if read(); code != exitWell || report.Totals.Pending != 0 || report.Totals.ByOutcome[tasks.OutcomeNoAttachments] != len(report.Tasks) {
		t.Errorf("retry: exit code %d, report %+v, said\n%s%s", code, report, stdout, stderr)
	}
}
