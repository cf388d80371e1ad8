package session_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/internal/testkit/chromekit"
	"github.com/poscrape/poscrape/internal/testkit/portalkit"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/session/worker"
	"github.com/poscrape/poscrape/tasks"
)

// uncontained are the events that say why browsers are processes.
func uncontained(r wholeReport) (why []string) {
	for _, e := range r.Events {
		if e.Type == tasks.EventNotice && strings.HasPrefix(e.Detail, worker.CodeNoContainer) {
			why = append(why, e.Detail)
		}
	}
	return why
}

// TestContainers: in containers, orders come to what they come to in processes.
func TestContainers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		isolation    worker.Isolation
		orders, want int
	}{{worker.InContainer, 24, 2}, {worker.Mixed, 6, 1}} {
		t.Run(string(c.isolation), func(t *testing.T) {
			t.Parallel()
			p, sheet := portalkit.StartWithSheet(t, portal.Config{Orders: c.orders})
			cfg := config(t, sheet)
			cfg.Isolation, cfg.NoSandbox = c.isolation, false
			end, r := run(t, cfg)
			if why := uncontained(r); len(why) > 0 {
				t.Skip("no containers here: ", why)
			}
			checkAsMeant(t, p, end.Dir, r)
			in := map[string]int{}
			for _, w := range r.Workers {
				in[w.Isolation]++
			}
			if in["container"] != c.want || in["container"]+in["process"] != len(r.Workers) {
				t.Errorf("the workers' browsers were in %v, want %d in containers", in, c.want)
			}
			if left := r.Cleanup; left.BrowsersLeft+left.ProfilesLeft+left.ContainersLeft != 0 {
				t.Errorf("left behind: %+v", left)
			}
		})
	}
}

// TestNoContainers: without an engine browsers are processes, and that is said, or the session does not
// begin.
func TestNoContainers(t *testing.T) {
	t.Parallel()
	_, sheet := portalkit.StartWithSheet(t, portal.Config{Orders: 1})
	cfg := alone(t, sheet)
	cfg.Isolation, cfg.IsolationRequired, cfg.ContainerEngine = worker.InContainer, false, "/nowhere/podman"
	required := cfg
	required.IsolationRequired, required.NoSandbox = true, false
	_, err := session.Open(t.Context(), required)
	var isolation *worker.IsolationError
	if !errors.As(err, &isolation) || !errors.Is(err, browser.ErrLaunch) || !strings.Contains(err.Error(), "there is no container engine /nowhere/podman") {
		t.Errorf("where they are required: %v", err)
	}
	if _, err := os.Stat(required.Out); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is there: %v", err)
	}
	chromekit.NeedSandbox(t)
	_, r := run(t, cfg)
	if why := uncontained(r); len(why) != 1 || !strings.Contains(why[0], "there is no container engine /nowhere/podman") {
		t.Errorf("it said %q", why)
	}
	if len(r.Workers) != 1 || r.Workers[0].Isolation != "process" {
		t.Errorf("the workers are %+v", r.Workers)
	}
}

// TestEngineGoesAway: an engine that makes no more containers in mid-run costs no order an attempt.
func TestEngineGoesAway(t *testing.T) {
	t.Parallel()
	podman, err := exec.LookPath("podman")
	if err != nil {
		t.Skip("there is no podman: ", err)
	}
	_, sheet := portalkit.StartWithSheet(t, portal.Config{Orders: 8, Variations: []portal.Variation{portal.Plain}})
	cfg := config(t, sheet)
	chromekit.NeedSandbox(t) // for those that are processes
	dir := t.TempDir()
	engine := filepath.Join(dir, "engine")
	testkit.Write(t, engine, fmt.Sprintf("#!/bin/sh\n"+
		"if [ \"$1\" = run ] && ! mkdir %[1]s/1 2>/dev/null && ! mkdir %[1]s/2 2>/dev/null && ! mkdir %[1]s/3 2>/dev/null; then echo 'the engine is gone' >&2; exit 125; fi\n"+
		"exec %[2]s \"$@\"\n", dir, podman))
	testkit.Must(t, os.Chmod(engine, 0o755))
	cfg.Isolation, cfg.IsolationRequired, cfg.ContainerEngine, cfg.Lifetime = worker.InContainer, false, engine, session.Once
	_, r := run(t, cfg)
	why := uncontained(r)
	if _, err := os.Stat(filepath.Join(dir, "3")); err != nil {
		t.Skip("no containers here: ", why)
	}
	if len(why) != 1 || !strings.Contains(why[0], "the engine is gone") {
		t.Errorf("it said %q", why)
	}
	for _, task := range r.Tasks {
		if len(task.Attempts) != 1 || task.State != tasks.StateCompleted {
			t.Errorf("%s: %s after %+v", task.PO, task.State, task.Attempts)
		}
	}
}

// TestBarredHosts: what pages ask of hosts that containers do not let through to proves nothing for want of it, and
// people are told what to write.
func TestBarredHosts(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		switch r.URL.Path {
		case "/list":
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `["a.pdf"]`)
		case "/count.js":
			w.Header().Set("Content-Type", "text/javascript")
		}
	}))
	t.Cleanup(func() { testkit.EndServer(other) })
	host := strings.TrimPrefix(other.URL, "http://")
	const (
		head = `<!doctype html><title>Portal</title><h1 id=po>%[1]s</h1><h2>Documents</h2><ul></ul><p class=none hidden>No documents</p>`
		show = `const show = (list) => { for (const name of list) document.querySelector("ul").innerHTML += "<li><a class=doc href=/d/%[1]s.pdf>" + name + "</a>"; document.querySelector(".none").hidden = list.length > 0 };`
		data = head + `<script>` + show + `fetch("%[2]s/list").then((r) => r.json()).then(show, () => show([]))</script>`
		sock = head + `<script>` + show + `const s = new WebSocket("%[2]s/list".replace("http", "ws")); s.onclose = () => show([])</script>`
		also = head + `<script>` + show + `show([])</script><script src="%[2]s/count.js"></script>`
	)
	const item = "attachments: {item: a.doc, none: .none}\n"
	for name, c := range map[string]struct {
		page, recipe string
		outcome      tasks.Outcome
		told         bool
	}{
		"data":                 {data, item, tasks.OutcomePartial, true},
		"data that is let out": {data, item + "allowed_hosts: ['" + host + "']\n", tasks.OutcomeComplete, false},
		"data that is blocked": {data, item + "block: {hosts: ['" + host + "']}\n", tasks.OutcomeNoAttachments, false},
		"a socket":             {sock, item, tasks.OutcomePartial, true},
		"a script":             {also, item, tasks.OutcomeNoAttachments, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mux := http.NewServeMux()
			mux.HandleFunc("/orders/{po}", func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				fmt.Fprintf(w, c.page, r.PathValue("po"), other.URL)
			})
			mux.HandleFunc("/d/{name}", func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/pdf")
				fmt.Fprintf(w, "%%PDF-1.4 %s\n%%%%EOF", r.PathValue("name"))
			})
			server := httptest.NewServer(mux)
			t.Cleanup(func() { testkit.EndServer(server) })
			dir := t.TempDir()
			cfg := alone(t, testkit.Write(t, filepath.Join(dir, "pos.csv"), "po,url\nPO1001,"+server.URL+"/orders/PO1001\n"))
			cfg.RecipeFile = testkit.Write(t, filepath.Join(dir, "recipe.yaml"), "version: 1\nidentity: {selector: '#po'}\n"+c.recipe)
			cfg.Isolation, cfg.NoSandbox = worker.InContainer, false
			_, r := run(t, cfg)
			if why := uncontained(r); len(why) > 0 {
				t.Skip("no containers here: ", why)
			}
			task := r.Tasks[0]
			if task.Outcome != c.outcome || len(task.Attempts) != 1 {
				t.Errorf("got %s after %d attempts, want %s: %+v", task.Outcome, len(task.Attempts), c.outcome, task.Error)
			}
			if task.Outcome == tasks.OutcomePartial && (task.Error.Class != tasks.ClassPageIncomplete || !strings.Contains(task.Error.Message, host) || !strings.Contains(task.Error.Message, "allowed_hosts")) {
				t.Errorf("it says %+v", task.Error)
			}
			told := slices.ContainsFunc(r.Events, func(e reportEvent) bool { return strings.Contains(e.Detail, "something of "+host) })
			if told != c.told {
				t.Errorf("the session's events name the host: %v", told)
			}
		})
	}
}
