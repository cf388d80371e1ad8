package session_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// TestASharedSignInAtAPortalThatRemembers: all workers are one visitor of a portal that keeps
// which order was opened last, and no order has another's document.
func TestASharedSignInAtAPortalThatRemembers(t *testing.T) {
	t.Parallel()
	modes := []session.Mode{session.ModeRender}
	if os.Getenv(thorough) != "" {
		modes = append(modes, session.ModeAuto, session.ModeFetch)
	}
	for _, mode := range modes {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			p, sheet := startPortal(t, portal.Config{Orders: 10, Variations: []portal.Variation{portal.Remembered}, MaxDocument: 8 << 10})
			cfg := config(t, sheet)
			cfg.Workers, cfg.Mode, cfg.State = 4, mode, filepath.Join(t.TempDir(), "state.json")
			write(t, cfg.State, `{"cookies": [{"name": "portal_session", "value": "ours", "domain": "127.0.0.1", "path": "/", "expires": -1, "sameSite": "Lax"}], "origins": []}`)
			end, r := run(t, cfg)
			if end.Status != tasks.SessionCompleted {
				t.Errorf("it ended %s: %s", end.Status, end.Reason)
			}
			checkBelongings(t, p, end.Dir, r, mode)
		})
	}
}
