package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/control"
	"github.com/poscrape/poscrape/internal/testkit"
)

// watchStatus watches the session in out to its end, and returns what it was told. A session that is just
// beginning, or ending, does not listen.
func watchStatus(t *testing.T, dir string) []byte {
	for {
		watch := exec.Command("poscrape", "worker", "status", "--watch", "--json", "--session", "out")
		watch.Dir = dir
		lines, err := watch.CombinedOutput()
		if err != nil && bytes.Contains(lines, []byte("which does not listen")) && t.Context().Err() == nil {
			continue
		}
		if err != nil {
			t.Errorf("watching: %v\n%s", err, lines)
		}
		return lines
	}
}

// TestFiguresAgree: at the end of a run with real browsers, its bar in a terminal, the status that is watched, the metrics, the report
// and the results say the same; and promtool, where it is installed, finds nothing wrong.
func TestFiguresAgree(t *testing.T) {
	t.Parallel()
	const orders = 4
	p := newPane(t, 120, fmt.Sprintf("poscrape portal --addr 127.0.0.1:0 --orders %d --csv pos.csv >portal & until [ -s pos.csv ]; do sleep 0.05; done; "+
		"poscrape run --workers 2 --no-scale --retries 0 --metrics-addr 127.0.0.1:0 -o out pos.csv; code=$?; kill $!; (exit $code)", orders))
	p.shows("Metrics are at http://")
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+/metrics`).FindString(strings.Join(p.rows(), "\n"))
	testkit.Wait(t, "the session's folder", func() bool { return there(filepath.Join(p.dir, "out", "session.db")) })
	watched := make(chan []byte, 1)
	go func() { watched <- watchStatus(t, p.dir) }()
	metrics := lastMetrics(t, address)
	lines := bytes.NewBuffer(<-watched)
	p.shows("exit code 3")

	all := strings.Split(strings.TrimSpace(lines.String()), "\n")
	var last control.Status
	if err := json.Unmarshal([]byte(all[len(all)-1]), &last); err != nil {
		t.Fatalf("%v\n%s", err, lines.String())
	}
	notWell := last.Total - last.ByOutcome["complete"] - last.ByOutcome["no_attachments"]
	if last.Status != "COMPLETED" || last.Total != orders || last.Completed+last.Failed != orders || last.NotWell != notWell || notWell == 0 {
		t.Errorf("the last status is %+v", last)
	}
	if got := barsOf(p.rows(), orders); len(got) != 1 || !strings.HasPrefix(got[0], " 100% |=====") || !strings.Contains(got[0], fmt.Sprintf(" %d/%d, %d not well", orders, orders, notWell)) {
		t.Errorf("the terminal has the bars %q, want one that is full", got)
	}
	wanted := []string{fmt.Sprintf(`poscrape_orders{state="completed"} %d`, last.Completed), fmt.Sprintf(`poscrape_orders{state="failed"} %d`, last.Failed),
		`poscrape_orders{state="pending"} 0`, `poscrape_orders{state="active"} 0`}
	for outcome, n := range last.ByOutcome {
		wanted = append(wanted, fmt.Sprintf("poscrape_orders_ended{outcome=%q} %d", outcome, n))
	}
	for _, want := range wanted {
		if !strings.Contains(metrics, "\n"+want+"\n") {
			t.Errorf("the last metrics do not say %s:\n%s", want, metrics)
		}
	}
	report, results := reportAndResults(t, filepath.Join(p.dir, "out"))
	if report.Totals.Tasks != orders || report.Totals.Completed != last.Completed || report.Totals.Failed != last.Failed || report.Totals.Pending != 0 {
		t.Errorf("the report says %+v, and the last status %+v", report.Totals, last)
	}
	for outcome, n := range last.ByOutcome {
		if report.Totals.ByOutcome[string(outcome)] != n || results[string(outcome)] != n {
			t.Errorf("%d orders are %s by the last status, %d by the report, %d by the results", n, outcome, report.Totals.ByOutcome[string(outcome)], results[string(outcome)])
		}
	}
	promtool(t, metrics)
}

// lastMetrics asks for metrics again and again, and returns the last that were told.
func lastMetrics(t *testing.T, address string) string {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	last := ""
	testkit.Wait(t, "the end of the metrics", func() bool {
		response, err := client.Get(address)
		if err != nil {
			return last != ""
		}
		defer func() { _ = response.Body.Close() }()
		if text, err := io.ReadAll(response.Body); err == nil {
			last = "\n" + string(text)
		}
		return false
	})
	return last
}

// reportAndResults returns what report.json says, and how many rows of results.csv have each outcome.
func reportAndResults(t *testing.T, dir string) (_ reported, outcomes map[string]int) {
	t.Helper()
	text := testkit.Read(t, filepath.Join(dir, "results.csv"))
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\xef\xbb\xbf"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	outcomes = map[string]int{}
	for i, name := range rows[0] {
		if name == "outcome" {
			for _, row := range rows[1:] {
				outcomes[row[i]]++
			}
		}
	}
	return testkit.ReadJSON[reported](t, filepath.Join(dir, "report.json")), outcomes
}

// promtool has Prometheus's own tool look at metrics, where it is installed.
func promtool(t *testing.T, metrics string) {
	t.Helper()
	if _, err := exec.LookPath("promtool"); err != nil {
		t.Log("there is no promtool here")
		return
	}
	check := exec.Command("promtool", "check", "metrics")
	check.Stdin = strings.NewReader(metrics)
	if out, err := check.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("promtool: %v\n%s", err, out)
	}
}
