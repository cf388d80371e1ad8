package login

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image/jpeg"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/session/setup"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(testkit.OwnState{M: m}) }

// signIn is a sign-in by hand that a test takes part in.
type signIn struct {
	t     *testing.T
	cfg   Config
	enter chan struct{}
	stop  context.CancelCauseFunc
	done  chan struct{}
	path  string
	err   error

	mu   sync.Mutex
	said strings.Builder
	// page is the address of the page that serves the window, last the number of its latest
	// picture.
	page string
	last string
}

// config says how to sign in at a portal whose recipe has these lines.
func config(t *testing.T, portal, recipe string) Config {
	t.Helper()
	dir := t.TempDir()
	cfg := Config{Config: setup.DefaultConfig(), HasDisplay: func() bool { return true }, Tell: t.Logf, unseen: true}
	cfg.RecipeFile, cfg.NoSandbox, cfg.TempDir = filepath.Join(dir, "acme.yaml"), true, dir
	if err := os.WriteFile(cfg.RecipeFile, []byte("version: 1\nbase_url: "+portal+"\n"+recipe), 0o600); err != nil {
		t.Fatal(err)
	}
	return cfg
}

// begin starts to sign in, in a way that change says.
func begin(t *testing.T, cfg Config, change func(*Config)) *signIn {
	t.Helper()
	ctx, stop := context.WithCancelCause(t.Context())
	s := &signIn{t: t, cfg: cfg, enter: make(chan struct{}), stop: stop, done: make(chan struct{})}
	s.cfg.Enter, s.cfg.Tell = s.enter, s.tell
	change(&s.cfg)
	go func() {
		defer close(s.done)
		s.path, s.err = Run(ctx, s.cfg)
	}()
	t.Cleanup(func() { stop(nil); <-s.done })
	return s
}

func (s *signIn) tell(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(&s.said, format+"\n", args...)
}

func (s *signIn) told() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.said.String()
}

// end waits for the end, and checks that no profile is left.
func (s *signIn) end() (string, error) {
	s.t.Helper()
	select {
	case <-s.done:
	case <-time.After(testkit.Patience):
		s.t.Fatalf("it does not end; it said %q", s.told())
	}
	left, err := filepath.Glob(filepath.Join(s.cfg.TempDir, "poscrape-*"))
	if err != nil || len(left) > 0 {
		s.t.Errorf("left are %q, %v", left, err)
	}
	return s.path, s.err
}

// until waits for a condition that is looked at again and again.
func (s *signIn) until(what string, holds func() bool) {
	s.t.Helper()
	came := testkit.Holds(func() bool {
		select {
		case <-s.done:
			s.t.Fatalf("it ended before %s: %v; it said %q", what, s.err, s.told())
		default:
		}
		return holds()
	})
	if !came {
		s.t.Fatalf("waited in vain for %s; it said %q", what, s.told())
	}
}

var address = regexp.MustCompile(`http://\S+/`)

// open finds the page that serves the window.
func (s *signIn) open() {
	s.t.Helper()
	s.until("the page", func() bool {
		s.page = address.FindString(s.told())
		return s.page != ""
	})
}

func (s *signIn) get(path string) []byte {
	s.t.Helper()
	answer, err := http.Get(s.page + path)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode >= 300 {
		s.t.Fatalf("%s: %s %v", path, answer.Status, err)
	}
	if n := answer.Header.Get("X-Picture"); n != "" {
		s.last = n
	}
	return body
}

// shown is what the page shows besides the picture.
type shown struct {
	Window, Windows int
	Address         string
	Dialog          *struct {
		ID      int
		Message string
		Flood   bool
	}
	Menu *struct {
		ID      int
		Options []struct{ Label string }
	}
}

func (s *signIn) state() shown {
	s.t.Helper()
	var now shown
	if err := json.Unmarshal(s.get("state"), &now); err != nil {
		s.t.Fatal(err)
	}
	return now
}

// sees waits until the picture's corner has a colour: red, green or blue.
func (s *signIn) sees(colour string) {
	s.t.Helper()
	s.until("a "+colour+" picture", func() bool {
		body := s.get("picture?after=" + s.last)
		if len(body) == 0 {
			return false
		}
		picture, err := jpeg.Decode(bytes.NewReader(body))
		if err != nil {
			s.t.Fatal(err)
		}
		r, g, b, _ := picture.At(5, picture.Bounds().Dy()-5).RGBA()
		got := ""
		switch {
		case r > 0xc000 && g < 0x4000 && b < 0x4000:
			got = "red"
		case g > 0x7000 && r < 0x4000 && b < 0x4000:
			got = "green"
		case b > 0xc000 && r < 0x4000 && g < 0x4000:
			got = "blue"
		}
		return got == colour
	})
}

func (s *signIn) do(events ...map[string]any) {
	s.t.Helper()
	window := s.state().Window
	for _, e := range events {
		e["window"] = window
	}
	body, err := json.Marshal(events)
	if err != nil {
		s.t.Fatal(err)
	}
	answer, err := http.Post(s.page+"input", "application/json", bytes.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusNoContent {
		s.t.Fatalf("%s was answered with %s", body, answer.Status)
	}
}

func click(x, y float64) []map[string]any {
	return []map[string]any{
		{"type": "mouse", "action": "mousePressed", "button": "left", "x": x, "y": y, "clicks": 1},
		{"type": "mouse", "action": "mouseReleased", "button": "left", "x": x, "y": y, "clicks": 1},
	}
}

func key(name string, code int, text string) []map[string]any {
	return []map[string]any{
		{"type": "key", "down": true, "key": name, "keyCode": code, "text": text},
		{"type": "key", "key": name, "keyCode": code},
	}
}

func serve(t *testing.T, pages map[string]http.HandlerFunc) string {
	t.Helper()
	if testing.Short() {
		t.Skip("a Chrome opens its pages")
	}
	mux := http.NewServeMux()
	for path, page := range pages {
		mux.HandleFunc(path, page)
	}
	server := httptest.NewServer(mux)
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	return server.URL
}

func html(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, body)
	}
}

// portal lets anna sign in, in a window of its own.
func portal(t *testing.T) string {
	return serve(t, map[string]http.HandlerFunc{
		"/": html(`<body style="background:#00f"><button style="position:fixed;left:0;top:0;width:50vw;height:50vh"
			onclick="window.open('/sso', '', 'width=500,height=400')">sign in</button>`),
		"GET /sso": html(`<body style="background:#f00"><form method="post" style="margin:0">
			<select name="tenant" style="position:fixed;left:0;top:0;width:50vw;height:25vh"><option>north<option>south</select>
			<p style="margin-top:60vh"><input name="user" autofocus><input name="password" type="password"><button>Go</button></form>`),
		"POST /sso": func(w http.ResponseWriter, r *http.Request) {
			if r.FormValue("user") == "änna" && r.FormValue("password") == "geh1m!" && r.FormValue("tenant") == "south" {
				http.SetCookie(w, &http.Cookie{Name: "sid", Value: "s3cret", HttpOnly: true})
			}
			html(`<script>localStorage.token = "t1"; opener.location = "/home"; window.close()</script>`)(w, r)
		},
		"/home": func(w http.ResponseWriter, r *http.Request) {
			if c, err := r.Cookie("sid"); err != nil || c.Value != "s3cret" {
				html(`<body style="background:#f00">wrong`)(w, r)
				return
			}
			html(`<body style="background:#0a0"><p id="welcome">Welcome`)(w, r)
		},
	})
}

// saved checks the file of a sign-in at portal.
func saved(t *testing.T, path, portal string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"sid"`, `"s3cret"`, `"token"`, portal} {
		if !strings.Contains(string(text), part) {
			t.Errorf("the file lacks %s: %s", part, text)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
}

var errStopped = errors.New("stopped by the test")
