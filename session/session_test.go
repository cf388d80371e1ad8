package session_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/internal/testkit/chromekit"
	"github.com/poscrape/poscrape/internal/testkit/portalkit"
	"github.com/poscrape/poscrape/report"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/session/worker"
	"github.com/poscrape/poscrape/tasks"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(session.ReportVariable); dir != "" {
		if err := session.WriteReport(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	flag.Parse()
	chromekit.NoSandbox() // before a test takes the directory for temporary files away
	goleak.VerifyTestMain(testkit.OwnState{M: m})
}

// inContainers is the variable with which make containers has the tests' browsers live in containers.
const inContainers = "POSCRAPE_IN_CONTAINERS"

func config(t *testing.T, sheet string) session.Config {
	if testing.Short() {
		t.Skip("it needs Chrome")
	}
	t.Helper()
	cfg := session.DefaultConfig()
	cfg.File, cfg.Out, cfg.NoScale = sheet, filepath.Join(t.TempDir(), "out"), true
	cfg.NoSandbox, cfg.AllowLocal = chromekit.NoSandbox(), true
	cfg.Workers = 2 // each is a Chrome that has to start
	if os.Getenv(inContainers) != "" {
		cfg.Isolation, cfg.IsolationRequired, cfg.NoSandbox = worker.InContainer, true, false
		cfg.ContainerEngine = os.Getenv("POSCRAPE_CONTAINER_ENGINE")
	}
	return cfg
}

// alone is the configuration of a session with one worker, where more would show nothing else.
func alone(t *testing.T, sheet string) session.Config {
	t.Helper()
	cfg := config(t, sheet)
	cfg.Workers = 1
	return cfg
}

// run runs a session to its end and returns its report.
func run(t *testing.T, cfg session.Config) (session.End, wholeReport) {
	t.Helper()
	s, err := session.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	end, err := s.Run(context.WithoutCancel(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	return end, readReport(t, end.Dir)
}

type (
	reportTask       = report.Task
	reportAttempt    = report.Attempt
	reportEvent      = report.Event
	reportAttachment = report.Attachment
)

type wholeReport struct {
	report.Report
	Tasks []report.Task `json:"tasks"`
}

func readReport(t *testing.T, dir string) wholeReport {
	t.Helper()
	return testkit.ReadJSON[wholeReport](t, filepath.Join(dir, "report.json"))
}

func sum(t *testing.T, path string) string {
	t.Helper()
	return sumOf(testkit.Read(t, path))
}

func sumOf(text string) string {
	hash := sha256.Sum256([]byte(text))
	return hex.EncodeToString(hash[:])
}

// checkAsMeant holds each task against what the portal meant its order to show
// to the built-in recipe.
func checkAsMeant(t *testing.T, p *portal.Portal, dir string, r wholeReport) {
	t.Helper()
	for _, task := range r.Tasks {
		order, ok := p.Order(task.PO)
		if !ok {
			t.Errorf("%s is no order of the portal", task.PO)
			continue
		}
		checkTask(t, dir, p, order, order.Want, task)
	}
}

// checkTask checks what became of an order. An attempt whose tab cannot leave the page before, or whose page's clock
// has run ahead for nothing, asks for its page again: it may meet two of the answers that the portal counts.
func checkTask(t *testing.T, dir string, p *portal.Portal, order portal.Order, want portal.Want, task report.Task) {
	t.Helper()
	attempts, failures := 0, ""
	for _, a := range task.Attempts {
		if !a.Released {
			attempts++
		}
		if a.Error != nil {
			failures += fmt.Sprintf("; attempt %d: %+v", a.Seq, *a.Error)
		}
	}
	asked := p.Requests(order.Number).Pages
	again := attempts > 0 && attempts < want.Attempts && asked >= want.Attempts
	if string(task.Outcome) != want.Outcome || attempts != want.Attempts && !again {
		t.Errorf("%s (%s): got %s after %d attempts that asked %d times, want %s after %d%s",
			task.PO, order.Variation, task.Outcome, attempts, asked, want.Outcome, want.Attempts, failures)
	}
	for name, value := range want.Fields {
		if got := task.Fields[name]; got.Value != value {
			t.Errorf("%s (%s): field %s is %+v, want %q", task.PO, order.Variation, name, got, value)
		}
	}
	sums := map[string]int{}
	for _, doc := range order.Documents {
		if doc.State == string(tasks.AttachmentDone) {
			sums[doc.SHA256]++
		}
	}
	states := map[tasks.AttachmentState]int{}
	for _, a := range task.Attachments {
		states[a.State]++
		if a.State != tasks.AttachmentDone {
			continue
		}
		if got := sum(t, filepath.Join(dir, filepath.FromSlash(a.Path))); got != a.SHA256 || sums[got] == 0 {
			t.Errorf("%s (%s): %s has other bytes than the portal's", task.PO, order.Variation, a.Path)
		}
		sums[a.SHA256]--
	}
	if states[tasks.AttachmentDone] != want.Done || states[tasks.AttachmentFailed] != want.Failed || states[tasks.AttachmentSkipped] != want.Skipped {
		t.Errorf("%s (%s): documents are %v, want %d done, %d failed, %d skipped", task.PO, order.Variation, states, want.Done, want.Failed, want.Skipped)
	}
}

func TestMainJob(t *testing.T) {
	t.Parallel()
	const orders = 24
	p, sheet := portalkit.StartWithSheet(t, portal.Config{Orders: orders, Variations: portal.DemoMix(orders)})
	end, r := run(t, config(t, sheet))
	if end.Status != tasks.SessionCompleted || end.Well() {
		t.Errorf("got %+v", end)
	}
	if end.Cleanup.BrowsersLeft != 0 || end.Cleanup.ProfilesLeft != 0 {
		t.Errorf("left behind: %+v", end.Cleanup)
	}
	if r.Totals.Tasks != orders || r.Totals.Rows != orders || r.Totals.Pending != 0 {
		t.Errorf("got %+v", r.Totals)
	}
	checkAsMeant(t, p, end.Dir, r)
	checkCleared(t, end)
}

// checkCounts checks that the report's totals are the sums that they say they are.
func checkCounts(t *testing.T, r wholeReport, rows int) {
	t.Helper()
	totals := r.Totals
	byOutcome, attempts, found := 0, 0, 0
	for _, n := range totals.ByOutcome {
		byOutcome += n
	}
	for _, task := range r.Tasks {
		for _, attempt := range task.Attempts {
			if !attempt.Released { // one that was given back is not counted
				attempts++
			}
		}
		found += len(task.Attachments)
	}
	docs := totals.Attachments
	if totals.Rows != rows || totals.Tasks != totals.Completed+totals.Failed+totals.Pending || byOutcome != totals.Tasks ||
		totals.Attempts != attempts || docs.Found != found || docs.Found != docs.Done+docs.Failed+docs.Skipped {
		t.Errorf("the counts do not add up: %+v; the orders have %d attempts that are charged and %d documents", totals, attempts, found)
	}
}
