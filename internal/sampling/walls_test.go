package sampling

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/session/setup"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(testkit.OwnState{M: m}) }

// TestWhatCannotBeLearnt has portals that show no orders.
func TestWhatCannotBeLearnt(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/wall/", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `<!DOCTYPE html><title>Sign in</title><h1>Sign in</h1><form><input name=user><input type=password name=password><button>Sign in</button></form>`)
	})
	mux.HandleFunc("/gone/", http.NotFound)
	mux.HandleFunc("/less/", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `<!DOCTYPE html><h1>Order</h1><script>fetch("/bus", { method: "POST" })</script>`)
	})
	mux.HandleFunc("/bus", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotImplemented) })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	sheet := func(path string) Config {
		text := "po,url,supplier\n"
		for i := range 6 {
			text += fmt.Sprintf("PO100%d,%s%sPO100%d,Supplier %d\n", i, server.URL, path, i, i)
		}
		file := filepath.Join(t.TempDir(), "pos.csv")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		cfg := configFor(t, file)
		cfg.Samples = 2
		return cfg
	}
	var wall *WallError
	if d, err := Run(t.Context(), sheet("/wall/")); d != nil || !errors.As(err, &wall) || !strings.Contains(err.Error(), "poscrape login --url "+server.URL) {
		t.Errorf("a wall is %v", err)
	}
	other := &WallError{Seen: "the portal shows new terms", Login: "poscrape login --url https://p.example/ --state acme.state.json", Other: true}
	if text := other.Error(); strings.Contains(text, "Sign in") || strings.Contains(text, "with --state") || !strings.Contains(text, "--state acme.state.json") {
		t.Errorf("another wall than a sign-in is told as %q", text)
	}
	var unread *UnreadError
	if d, err := Run(t.Context(), sheet("/gone/")); d != nil || !errors.As(err, &unread) || unread.Unreached || unread.Tried != 5 {
		t.Errorf("orders that are not there are %v", err)
	}
	if d, err := Run(t.Context(), sheet("/less/")); d != nil || !errors.As(err, &unread) || unread.Tried != alike || !strings.Contains(err.Error(), "POST /bus") {
		t.Errorf("orders that all lack one request are %v", err)
	}
	lost := sheet("/wall/")
	lost.State = "none.json"
	var setting *setup.ConfigError
	if _, err := Run(t.Context(), lost); !errors.As(err, &setting) || setting.Field != "state" {
		t.Errorf("a state file that is not there is %v", err)
	}
	left, err := filepath.Glob(filepath.Join(lost.TempDir, "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("there are left: %v, %v", left, err)
	}
}
