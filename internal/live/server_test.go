package live

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"go.uber.org/goleak"

	"github.com/poscrape/poscrape/control"
	"github.com/poscrape/poscrape/internal/gallery"
	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(testkit.OwnState{M: m}) }

// stub is a session that notes how it is steered.
type stub struct {
	mu    sync.Mutex
	asked []string
	well  int
	over  chan struct{}
}

func (s *stub) note(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, what)
}

func (s *stub) Snapshot() control.Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	return control.Snapshot{Status: control.Status{Status: tasks.SessionRunning, At: time.Now(), Total: 3, Well: s.well, Workers: control.Workers{Wanted: 4}, Holds: []control.Hold{}},
		Workers: []control.Worker{{ID: "worker_001", Tasks: []string{"PO1"}}}}
}

func (s *stub) Scale(n int) error {
	if n > 8 {
		return control.Errorf(control.OutOfBounds, "%d is out of bounds", n)
	}
	s.note("scale")
	return nil
}
func (s *stub) Pause() (bool, error)   { s.note("pause"); return false, nil }
func (s *stub) GoOn() (bool, error)    { s.note("go on"); return true, nil }
func (s *stub) Ended() <-chan struct{} { return s.over }
func (s *stub) Stop(_ string, force bool) error {
	s.note(map[bool]string{false: "stop", true: "stop at once"}[force])
	return nil
}

// begin serves the page of a session in a folder with some files.
func begin(t *testing.T) (*stub, *Server, string) {
	t.Helper()
	dir := t.TempDir()
	l, err := ledger.Open(filepath.Join(dir, ledgerName))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	for _, po := range []string{"PO1", "PO2", "PO3"} {
		spec := tasks.Spec{Key: po, PO: po, Dir: po, URL: "https://portal.example/" + po, Rows: []tasks.Row{{Line: 2, Raw: po, Cells: []string{po}}}}
		if _, err := l.Enqueue(t.Context(), spec); err != nil {
			t.Fatal(err)
		}
	}
	record := tasks.Session{ID: uuid.New(), Status: tasks.SessionRunning, Input: tasks.Input{File: "pos.csv"}}
	if err := l.SaveSession(t.Context(), record); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "evidence", "PO1"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"evidence/PO1/page.html", "poscrape.log"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("<script>alert(1)</script>"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	listener, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	session := &stub{over: make(chan struct{})}
	s, err := Serve(Config{Session: session, Gallery: gallery.New(), Dir: dir, Listener: listener, Addr: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		http.DefaultClient.CloseIdleConnections()
	})
	return session, s, s.URL()
}

func ask(t *testing.T, method, url, body string, header map[string]string) (int, string, http.Header) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range header {
		if name == "Host" {
			r.Host = value
		}
		r.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text), answer.Header
}

var inJSON = map[string]string{"Content-Type": "application/json"}

func TestSteering(t *testing.T) {
	t.Parallel()
	session, _, url := begin(t)
	for _, c := range []struct {
		path, body string
		header     map[string]string
		want       int
	}{
		{"pause", "{}", inJSON, 204}, {"resume", "{}", inJSON, 204}, {"scale", `{"workers": 3}`, inJSON, 204},
		{"scale", `{"workers": 30}`, inJSON, 409}, {"scale", `nonsense`, inJSON, 400}, {"nothing", "{}", inJSON, 404},
		{"stop", "{}", map[string]string{"Content-Type": "text/plain"}, 415},
		{"stop", "{}", map[string]string{"Content-Type": "application/json", "Origin": "http://portal.example"}, 403},
		{"stop", "{}", map[string]string{"Content-Type": "application/json", "Host": "portal.example"}, 403},
		{"stop", "{}", map[string]string{"Content-Type": "application/json", "Sec-Fetch-Site": "cross-site"}, 403},
		{"stop", "{}", inJSON, 204}, {"stop-now", "{}", inJSON, 204},
	} {
		if got, text, _ := ask(t, http.MethodPost, url+c.path, c.body, c.header); got != c.want {
			t.Errorf("%s %s %v: %d %s, want %d", c.path, c.body, c.header, got, text, c.want)
		}
	}
	if got := strings.Join(session.asked, ", "); got != "pause, go on, scale, stop, stop at once" {
		t.Errorf("the session was asked to %s", got)
	}
}

func TestWhatIsServed(t *testing.T) {
	t.Parallel()
	_, s, url := begin(t)
	status, page, header := ask(t, http.MethodGet, url, "", nil)
	if status != 200 || !strings.Contains(page, `id="live"`) || !strings.Contains(page, "pos.csv") {
		t.Errorf("the page is %d %.200s", status, page)
	}
	if header.Get("Referrer-Policy") != "no-referrer" || header.Get("Content-Security-Policy") == "" {
		t.Errorf("its header is %v", header)
	}
	status, _, header = ask(t, http.MethodGet, url+"evidence/PO1/page.html", "", nil)
	if status != 200 || header.Get("Content-Disposition") != "attachment" || !strings.HasPrefix(header.Get("Content-Security-Policy"), "sandbox") ||
		header.Get("Content-Type") != "application/octet-stream" {
		t.Errorf("a portal's page is served as %d %v", status, header)
	}
	for _, path := range []string{"poscrape.log", "session.db", "evidence/../session.db", "evidence/%2e%2e/poscrape.log", "evidence/", "evidence/PO1", "picture/worker_001"} {
		if status, text, _ := ask(t, http.MethodGet, url+path, "", nil); status != 404 && status != 403 {
			t.Errorf("%s is answered with %d %.80s", path, status, text)
		}
	}
	if status, _, _ := ask(t, http.MethodGet, "http://"+s.cfg.Listener.Addr().String()+"/events", "", nil); status != 403 {
		t.Errorf("without the token it is %d", status)
	}
	// Nobody else can keep a connection by a body that never comes.
	conn, err := net.Dial("tcp", s.cfg.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n")
	if answer, err := io.ReadAll(conn); err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 403") {
		t.Errorf("a request without a body is answered with %.40q, %v", answer, err)
	}
}

// TestFollowers: who follows the session is told how it goes on, and of its end; who does not
// read delays nobody.
func TestFollowers(t *testing.T) {
	t.Parallel()
	session, s, url := begin(t)
	stuck, err := net.Dial("tcp", s.cfg.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer stuck.Close()
	if _, err := io.WriteString(stuck, "GET /"+s.token+"/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"events", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	lines, ended := bufio.NewScanner(answer.Body), false
	for lines.Scan() {
		text, isData := strings.CutPrefix(lines.Text(), "data: ")
		if !isData {
			continue
		}
		var e event
		if err := json.Unmarshal([]byte(text), &e); err != nil {
			t.Fatal(err)
		}
		if e.Status.Total != 3 || len(e.Workers) != 1 {
			t.Errorf("it is told %s", text)
		}
		if !ended && !e.Ended {
			close(session.over)
			ended = true
		}
		if e.Ended {
			closed := make(chan error, 1)
			go func() { closed <- s.Close() }()
			if err := testkit.Receive(t, "the server to close", closed); err != nil {
				t.Errorf("closing: %v", err)
			}
			return
		}
	}
	t.Error("it is not told of the end")
}
