//go:build unix

package session_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

// TestBaseProfile signs in with a Chrome of its own, and has a session begin with the
// profile that this leaves. What it has of another host stays out of the session.
func TestBaseProfile(t *testing.T) {
	t.Parallel()
	var sent atomic.Value
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/sign-in" {
			http.SetCookie(w, &http.Cookie{Name: "bank", Value: "mine", MaxAge: 3600})
			return
		}
		sent.Store(r.Header.Get("Cookie"))
	}))
	t.Cleanup(elsewhere.Close)
	other := strings.Replace(elsewhere.URL, "127.0.0.1", "localhost", 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/sign-in" {
			http.SetCookie(w, &http.Cookie{Name: "user", Value: "buyer", MaxAge: 3600, HttpOnly: true})
			fmt.Fprint(w, "<p>welcome</p>")
			return
		}
		if c, err := r.Cookie("user"); err != nil || c.Value != "buyer" {
			fmt.Fprint(w, "<h1>Sign in</h1><form><input name=user><input type=password></form>")
			return
		}
		fmt.Fprint(w, "<title>Purchase order PO1000</title><h1>Purchase order PO1000</h1><p>No attachments</p><img src="+other+"/pixel>")
	}))
	t.Cleanup(server.Close)
	base := t.TempDir()
	for keepsCookies := false; !keepsCookies && t.Context().Err() == nil; {
		signIn(t, base, server.URL+"/sign-in", other+"/sign-in")
		stored, err := os.ReadFile(filepath.Join(base, "Default", "Cookies"))
		if err != nil {
			t.Fatal(err)
		}
		keepsCookies = bytes.Contains(stored, []byte("127.0.0.1")) && bytes.Contains(stored, []byte("localhost"))
	}
	sheet := filepath.Join(t.TempDir(), "pos.csv")
	if err := os.WriteFile(sheet, []byte("po,url\nPO1000,"+server.URL+"/PO1000\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, profile := range map[tasks.Outcome]string{tasks.OutcomeInterrupted: "", tasks.OutcomeNoAttachments: base} {
		cfg := config(t, sheet)
		cfg.Workers, cfg.BaseProfile = 1, profile
		if _, r := run(t, cfg); r.Tasks[0].Outcome != want {
			t.Errorf("with the profile %q: %s, want %s (%+v)", profile, r.Tasks[0].Outcome, want, r.Tasks[0].Error)
		}
	}
	var want any = ""
	if os.Getenv(inContainers) != "" {
		want = nil // it is not let through to
	}
	if got := sent.Load(); got != want {
		t.Errorf("another host got the cookies %v", got)
	}
}

// signIn opens pages with a Chrome whose profile stays, and ends it as a person
// would. A Chrome on a busy machine may end before it has stored its cookies.
func signIn(t *testing.T, profile string, addresses ...string) {
	t.Helper()
	chrome, err := browser.Find(t.Context(), "", false)
	if err != nil {
		t.Fatal(err)
	}
	cfg := browser.DefaultConfig()
	cfg.Chrome, cfg.Sandbox, cfg.ProfileDir, cfg.DownloadDir, cfg.Filled = chrome, browser.NoSandbox(), profile, t.TempDir(), true
	b, err := browser.Launch(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range addresses {
		if _, err := b.Tab().Navigate(t.Context(), address, ""); err != nil {
			t.Error(err)
		}
	}
	if err := syscall.Kill(b.PID(), syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	<-b.Lost()
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}
