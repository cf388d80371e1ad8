package session_test

import (
	"path/filepath"
	"testing"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/internal/testkit/portalkit"
	"github.com/poscrape/poscrape/profiles"
)

// TestKeptProfiles: profiles that are kept are there at the end, and after the sweep of another
// session, until they are removed on purpose.
func TestKeptProfiles(t *testing.T) {
	t.Parallel()
	_, sheet := portalkit.StartWithSheet(t, portal.Config{Orders: 1, Variations: []portal.Variation{portal.Plain}})
	cfg := alone(t, sheet)
	cfg.KeepProfiles, cfg.TempDir = true, testkit.OpenTempDir(t)
	end, _ := run(t, cfg)
	checkCleared(t, end)
	kept := func() []string {
		found, err := filepath.Glob(filepath.Join(cfg.TempDir, "poscrape-*", "browser-*", "Default"))
		testkit.Must(t, err)
		return found
	}
	if len(kept()) != 1 {
		t.Fatalf("kept: %q", kept())
	}
	left, err := profiles.Leftovers(cfg.TempDir)
	if err != nil || len(left) != 1 || !left[0].Kept || left[0].Profiles != 1 || left[0].Reason != "" {
		t.Errorf("left: %+v, %v", left, err)
	}
	if swept, err := profiles.Sweep(t.Context(), cfg.TempDir); err != nil || len(swept.Removed)+len(swept.Left) > 0 || len(kept()) != 1 {
		t.Errorf("a sweep did %+v, %v; kept is %q", swept, err, kept())
	}
	swept, err := profiles.SweepAll(t.Context(), cfg.TempDir)
	if err != nil || len(swept.Removed) != 1 {
		t.Errorf("%+v, %v", swept, err)
	}
	if len(kept()) != 0 {
		t.Errorf("still there: %q", kept())
	}
}
