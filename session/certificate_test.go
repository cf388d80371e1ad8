package session

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/testkit/chromekit"
)

// TestACertificateThatNobodyTrusts: where no order could be opened for it, that is told as
// this machine's trouble, with what to do.
func TestACertificateThatNobodyTrusts(t *testing.T) {
	t.Parallel()
	portal := httptest.NewUnstartedServer(http.NotFoundHandler())
	portal.Config.ErrorLog = log.New(io.Discard, "", 0)
	portal.StartTLS()
	t.Cleanup(portal.Close)
	cfg := DefaultConfig()
	dir := t.TempDir()
	cfg.NoSandbox, cfg.AllowLocal = chromekit.NoSandbox(), true
	cfg.File, cfg.Out, cfg.Workers, cfg.NoScale = filepath.Join(dir, "pos.csv"), filepath.Join(dir, "out"), 1, true
	sheet := "po;url\nPO1001;" + portal.URL + "/1001\nPO1002;" + portal.URL + "/1002\n"
	if err := os.WriteFile(cfg.File, []byte(sheet), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	end, err := s.Run(t.Context())
	if err != nil || end.Cause != CauseEnvironment || !strings.Contains(end.Reason, "--ca") || !strings.Contains(end.Reason, "poscrape retry") {
		t.Errorf("got %+v, %v", end, err)
	}
}
