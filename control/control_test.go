package control_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/poscrape/poscrape/control"
	"github.com/poscrape/poscrape/internal/testkit"
)

// TestClientAndServer: by a socket, by one whose path is too long, and by a port, a session is
// looked at and steered, and nothing is left when it has ended.
func TestClientAndServer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ long, loopback bool }{"socket": {}, "long": {long: true}, "port": {loopback: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := folder(t, c.long)
			f := newFake()
			server := serve(t, f, control.Config{Dir: dir, Loopback: c.loopback})
			steer(t, dir, f)
			waited := make(chan error, 1)
			client := dial(t, dir)
			go func() {
				_, err := client.Wait(t.Context())
				waited <- err
			}()
			seen := 0
			for now, err := range client.Watch(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				if seen++; seen == 1 { // it is served by now
					f.mu.Lock()
					f.total = 11
					f.mu.Unlock()
					continue
				}
				if now.Status.Total != 11 || len(now.Workers) != 3 {
					t.Errorf("watched %+v", now)
				}
				close(f.over)
				break
			}
			if err := <-waited; err != nil || seen != 2 {
				t.Errorf("Wait: %v; watched %d times", err, seen)
			}
			if err := server.Close(); err != nil {
				t.Error(err)
			}
			if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
				t.Errorf("left behind: %v, %v", entries, err)
			}
			if _, err := client.Status(t.Context()); codeOf(err) != control.NotRunning {
				t.Errorf("after the end: %v", err)
			}
		})
	}
}

func steer(t *testing.T, dir string, f *fake) {
	t.Helper()
	ctx, c := t.Context(), dial(t, dir)
	if a, err := c.Scale(ctx, 3); err != nil || a.Accepted != "scale" || a.Message != "3 workers are asked for" {
		t.Errorf("Scale: %+v, %v", a, err)
	}
	if _, err := c.Scale(ctx, 9); codeOf(err) != control.OutOfBounds {
		t.Errorf("Scale(9): %v", err)
	}
	if a, err := c.Pause(ctx); err != nil || !strings.HasPrefix(a.Message, "paused: ") {
		t.Errorf("Pause: %+v, %v", a, err)
	}
	if a, err := c.Pause(ctx); err != nil || !strings.HasPrefix(a.Message, "paused already") {
		t.Errorf("Pause again: %+v, %v", a, err)
	}
	if a, err := c.Resume(ctx); err != nil || a.Message != "going on; it is still paused: the disk is short" {
		t.Errorf("Resume: %+v, %v", a, err)
	}
	if _, err := c.Stop(ctx, false); err != nil {
		t.Error(err)
	}
	if a, err := c.Stop(ctx, true); err != nil || a.Message != "stopping: orders in progress are put back" {
		t.Errorf("Stop: %+v, %v", a, err)
	}
	status, err := c.Status(ctx)
	if err != nil || status.Total != 10 || status.Workers.Wanted != 3 {
		t.Errorf("Status: %+v, %v", status, err)
	}
	if workers, err := c.Workers(ctx); err != nil || len(workers) != 3 || len(workers[0].Tasks) != 1 {
		t.Errorf("Workers: %+v, %v", workers, err)
	}
	if got := f.told(); got != "scale, pause, pause, resume, stop, stop --force" {
		t.Errorf("the session was told %s", got)
	}
	f.mu.Lock()
	f.refuse = control.Errorf(control.NotRunning, "it is ending")
	f.mu.Unlock()
	if _, err := c.Pause(ctx); codeOf(err) != control.NotRunning || err.Error() != "WORKER-002: it is ending" {
		t.Errorf("Pause of a session that is ending: %v", err)
	}
}

// TestOnlyTheUserReaches: files are closed to others, and a port wants its token.
func TestOnlyTheUserReaches(t *testing.T) {
	t.Parallel()
	dir := folder(t, false)
	serve(t, newFake(), control.Config{Dir: dir, Loopback: true})
	file := filepath.Join(dir, control.FileName)
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v, %v", info, err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), `"address":"`)
	address, _, _ := strings.Cut(rest, `"`)
	response, err := http.Get("http://" + address + "/v1/status")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if body, err := io.ReadAll(response.Body); err != nil || response.StatusCode != http.StatusForbidden || !strings.Contains(string(body), "WORKER-007") {
		t.Errorf("without the token: %s %s, %v", response.Status, body, err)
	}
	http.DefaultClient.CloseIdleConnections()
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), address, "192.0.2.1:80", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := control.Dial(dir); codeOf(err) != control.NotFound {
		t.Errorf("an address of another machine: %v", err)
	}
}

// TestStaleSocket: what a killed run has left is said not to run, and is no hindrance to the
// next, whose socket the one before does not take away.
func TestStaleSocket(t *testing.T) {
	t.Parallel()
	dir := folder(t, false)
	if _, err := control.Dial(dir); codeOf(err) != control.NotRunning {
		t.Errorf("an empty folder: %v", err)
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, control.SocketName), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := dial(t, dir).Status(t.Context()); codeOf(err) != control.NotRunning {
		t.Errorf("a stale socket: %v", err)
	}
	first := serve(t, newFake(), control.Config{Dir: dir})
	f := newFake()
	f.total = 77
	serve(t, f, control.Config{Dir: dir})
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	if status, err := dial(t, dir).Status(t.Context()); err != nil || status.Total != 77 {
		t.Errorf("after the end of the first server: %+v, %v", status, err)
	}
}

// TestHostileClients: garbage, megabytes, silence and crowds neither reach the session nor keep
// others from it, nor the server from its end.
func TestHostileClients(t *testing.T) {
	t.Parallel()
	dir := folder(t, false)
	f := newFake()
	server := serve(t, f, control.Config{Dir: dir})
	socket := filepath.Join(dir, control.SocketName)
	send := func(text string) string {
		c, err := net.Dial("unix", socket)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Close() }()
		var writing sync.WaitGroup
		defer writing.Wait()
		writing.Go(func() { _, _ = io.WriteString(c, text) })
		line, _ := bufio.NewReader(c).ReadString('\n')
		_ = c.Close()
		return strings.TrimSpace(line)
	}
	post := func(body string) string {
		return "POST /v1/scale HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999\r\n\r\n" + body
	}
	for text, want := range map[string]string{
		"garbage\r\n\r\n":                            "HTTP/1.1 400 Bad Request",
		strings.Repeat("A", 1<<20):                   "",
		"GET /v2/status HTTP/1.1\r\nHost: x\r\n\r\n": "HTTP/1.1 404 Not Found",
		"GET /v1/status HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("A", 1<<20) + "\r\n\r\n":     "HTTP/1.1 431 Request Header Fields Too Large",
		"GET /v1/status HTTP/1.1\r\nHost: x\r\nOrigin: http://evil.example\r\n\r\n":               "HTTP/1.1 403 Forbidden",
		post(`{"workers": 2, "more": "` + strings.Repeat("A", 1<<20)):                             "",
		"POST /v1/scale HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n[]":                       "HTTP/1.1 400 Bad Request",
		"POST /v1/scale HTTP/1.1\r\nHost: x\r\nContent-Length: 15\r\n\r\n" + `{"worker": 2}  `:    "HTTP/1.1 400 Bad Request",
		"POST /v1/scale HTTP/1.1\r\nHost: x\r\nContent-Length: 18\r\n\r\n" + `{"workers":2} more`: "HTTP/1.1 400 Bad Request",
		"GET /v1/scale HTTP/1.1\r\nHost: x\r\n\r\n":                                               "HTTP/1.1 404 Not Found",
	} {
		if got := send(text); want != "" && got != want {
			t.Errorf("%.80q (%d bytes) is answered with %q, want %q", text, len(text), got, want)
		}
	}
	if got := f.told(); got != "" {
		t.Errorf("the session was told %s", got)
	}
	var silent []net.Conn
	for range 100 {
		c, err := net.Dial("unix", socket)
		if err != nil {
			t.Fatal(err)
		}
		silent = append(silent, c)
	}
	client := dial(t, dir)
	testkit.Wait(t, "those that are silent to be turned away", func() bool { // after some seconds
		_, err := client.Status(t.Context())
		return err == nil
	})
	if err := server.Close(); err != nil {
		t.Error(err)
	}
	for _, c := range silent {
		_ = c.Close()
	}
}

// TestTimeout: a session that does not answer is said not to, in time.
func TestTimeout(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it waits for a time-out of seconds")
	}
	dir := folder(t, false)
	l, err := net.Listen("unix", filepath.Join(dir, control.SocketName))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	var asking sync.WaitGroup
	defer asking.Wait()
	asking.Go(func() {
		if _, err := dial(t, dir).Status(t.Context()); codeOf(err) != control.Timeout {
			t.Errorf("a session that does not answer: %v", err)
		}
	})
	asking.Go(func() {
		for _, err := range dial(t, dir).Watch(t.Context()) {
			if codeOf(err) != control.Timeout {
				t.Errorf("a session that is watched and has never answered: %v", err)
			}
		}
	})
	asking.Go(func() {
		if _, err := control.Impatient(dial(t, dir)).Wait(t.Context()); codeOf(err) != control.Timeout {
			t.Errorf("a session whose end is waited for, and that does not answer: %v", err)
		}
	})
	watchSilence(t)
}

// watchSilence watches a session that says one thing, then nothing, and then one thing more.
func watchSilence(t *testing.T) {
	dir := folder(t, false)
	l, err := net.Listen("unix", filepath.Join(dir, control.SocketName))
	if err != nil {
		t.Fatal(err)
	}
	speak := make(chan struct{})
	session := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, `{"status": {"total": 1}}`)
		_ = http.NewResponseController(w).Flush()
		<-speak
		fmt.Fprintln(w, `{"status": {"total": 2}}`)
	})}
	var serving sync.WaitGroup
	serving.Go(func() { _ = session.Serve(l) })
	defer serving.Wait()
	defer session.Close()
	var heard []string
	for now, err := range dial(t, dir).Watch(t.Context()) {
		heard = append(heard, fmt.Sprint(now.Status.Total, codeOf(err)))
		if len(heard) == 3 {
			close(speak)
		}
	}
	if got := strings.Join(heard, ", "); !strings.HasPrefix(got, "1, 0WORKER-004, 0WORKER-004, ") || !strings.HasSuffix(got, ", 2") {
		t.Errorf("heard %s", got)
	}
}

// TestAnAddressThatIsNoFile is refused: a pipe has nothing to read until somebody writes to it.
func TestAnAddressThatIsNoFile(t *testing.T) {
	t.Parallel()
	dir := folder(t, false)
	if err := os.Mkdir(filepath.Join(dir, control.FileName), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := control.Dial(dir); codeOf(err) != control.NotFound || !strings.Contains(err.Error(), "is not a file") {
		t.Errorf("got %v", err)
	}
}
