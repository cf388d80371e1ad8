package metrics_test

import (
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"go.uber.org/goleak"

	"github.com/poscrape/poscrape/control"
	"github.com/poscrape/poscrape/internal/metrics"
	"github.com/poscrape/poscrape/tasks"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// still is a session that stands still.
type still struct {
	control.Session
	shot control.Snapshot
}

func (s still) Snapshot() control.Snapshot { return s.shot }

// halfWay is a session with all that there is to tell.
func halfWay() still {
	eta, pressure := int64(90_500), 0.25
	return still{shot: control.Snapshot{
		Status: control.Status{
			Session: uuid.MustParse("01a20fd6-45e2-7ca7-b53a-a8c8eec63b8a"), Dir: "/o\"ut\\x\xff", Status: tasks.SessionPaused, StartedAt: time.UnixMilli(1_700_000_000_500),
			Total: 20, Pending: 4, Active: 2, Completed: 10, Failed: 3, Skipped: 1, Confirmed: 6, Listed: 2,
			ByOutcome:     map[tasks.Outcome]int{tasks.OutcomeComplete: 8, tasks.OutcomePartial: 2, tasks.OutcomeTimeout: 3, tasks.OutcomeSkipped: 1},
			RatePerMinute: 30, ETAMS: &eta, Load: &control.Load{CPU: 0.5, Memory: 0.75, Pressure: &pressure},
			Workers: control.Workers{Wanted: 4, Allowed: 3, Running: 3, Busy: 2, Idle: 1, Starting: 1, Draining: 1},
			Holds:   []control.Hold{{Owner: "person"}, {Owner: "person"}, {Owner: "disk"}},
			Limits:  []control.Limit{{Owner: "load", Workers: 3}},
			History: control.History{Opened: 7, Replaced: 2, Lost: 1, Claims: 15, WaitedMS: 2500},
		},
		Workers: []control.Worker{{ID: "worker_001", MemoryBytes: 1000, CPU: 1.5, DiskBytes: 2000, Succeeded: 5, Failed: 1}},
	}}
}

// TestMetricsAreClean: by the rules of promtool, and they say what the session does.
func TestMetricsAreClean(t *testing.T) {
	t.Parallel()
	c := &metrics.Collector{}
	if n := testutil.CollectAndCount(c); n != 0 {
		t.Errorf("%d metrics without a session", n)
	}
	c.Show(halfWay())
	problems, err := testutil.CollectAndLint(c)
	if err != nil || len(problems) > 0 {
		t.Errorf("%v, %v", problems, err)
	}
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(c)
	if _, err := registry.Gather(); err != nil {
		t.Error(err)
	}
	want := `
		# HELP poscrape_orders Orders by state.
		# TYPE poscrape_orders gauge
		poscrape_orders{state="active"} 2
		poscrape_orders{state="completed"} 10
		poscrape_orders{state="failed"} 3
		poscrape_orders{state="pending"} 4
		poscrape_orders{state="skipped"} 1
		# HELP poscrape_orders_well Orders that have ended well, by whether they are confirmed.
		# TYPE poscrape_orders_well gauge
		poscrape_orders_well{confirmed="no"} 2
		poscrape_orders_well{confirmed="yes"} 6
		# HELP poscrape_claim_wait_seconds_total How long these had been due before, in total.
		# TYPE poscrape_claim_wait_seconds_total counter
		poscrape_claim_wait_seconds_total 2.5
		# HELP poscrape_held 1 for each owner that keeps the session paused.
		# TYPE poscrape_held gauge
		poscrape_held{owner="disk"} 1
		poscrape_held{owner="person"} 1
		# HELP poscrape_orders_per_second Orders that ended per second, over the last minute.
		# TYPE poscrape_orders_per_second gauge
		poscrape_orders_per_second 0.5
`
	if err := testutil.CollectAndCompare(c, strings.NewReader(want), "poscrape_orders", "poscrape_orders_well", "poscrape_claim_wait_seconds_total", "poscrape_held", "poscrape_orders_per_second"); err != nil {
		t.Error(err)
	}
}

// TestEachMetricIsDocumented, and the dashboard asks for no other.
func TestEachMetricIsDocumented(t *testing.T) {
	t.Parallel()
	c := &metrics.Collector{}
	c.Show(halfWay())
	registry := prometheus.NewRegistry()
	registry.MustRegister(c)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range families {
		names = append(names, f.GetName())
	}
	word := regexp.MustCompile(`poscrape_\w+`)
	for file, all := range map[string]bool{"../../docs/metrics.md": true, "../../docs/grafana.json": false} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found := word.FindAllString(string(text), -1)
		for _, name := range found {
			if !slices.Contains(names, name) {
				t.Errorf("%s names %s, which is no metric", file, name)
			}
		}
		for _, name := range names {
			if all && !slices.Contains(found, name) {
				t.Errorf("%s does not name %s", file, name)
			}
		}
	}
}

func TestServer(t *testing.T) {
	t.Parallel()
	s, err := metrics.Serve(":0")
	if err != nil {
		t.Fatal(err)
	}
	s.Show(halfWay())
	if !strings.HasPrefix(s.URL(), "http://127.0.0.1:") {
		t.Errorf("it listens at %s", s.URL())
	}
	if _, err := metrics.Serve(strings.TrimSuffix(strings.TrimPrefix(s.URL(), "http://"), "/metrics")); err == nil {
		t.Error("two servers have one address")
	}
	client := &http.Client{Transport: &http.Transport{}}
	response, err := client.Get(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK || !strings.Contains(string(text), "\nposcrape_workers{kind=\"busy\"} 2\n") {
		t.Errorf("%s, %v\n%s", response.Status, err, text)
	}
	_ = response.Body.Close()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL(), nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Host = "portal.example"
	if response, err = client.Do(request); err != nil || response.StatusCode != http.StatusForbidden {
		t.Errorf("by another name: %v, %v", response, err)
	}
	_ = response.Body.Close()
	client.CloseIdleConnections()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
