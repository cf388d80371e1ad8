// Package portalkit starts the demo portal for tests, and writes its sheet. Tests alone
// import it.
package portalkit

import (
	"cmp"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit"
)

// SmallDocument is as large as documents become where a test does not say: making and
// hashing large ones takes most of a test's time under the race detector.
const SmallDocument = 64 << 10

// New returns a portal that is closed after the test.
func New(t testing.TB, cfg portal.Config) *portal.Portal {
	t.Helper()
	cfg.MaxDocument = cmp.Or(cfg.MaxDocument, SmallDocument)
	p, err := portal.New(cfg)
	testkit.Must(t, err)
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// Start serves a portal, and returns its address as well.
func Start(t testing.TB, cfg portal.Config) (p *portal.Portal, url string) {
	t.Helper()
	p = New(t, cfg)
	url, err := p.Start("127.0.0.1:0")
	testkit.Must(t, err)
	return p, url
}

// StartWithSheet serves a portal, and writes its orders to a sheet.
func StartWithSheet(t testing.TB, cfg portal.Config) (p *portal.Portal, sheet string) {
	t.Helper()
	p, url := Start(t, cfg)
	return p, Sheet(t, p, url)
}

// Sheet writes the orders of a portal at this address to a sheet, and further rows.
func Sheet(t testing.TB, p *portal.Portal, url string, rows ...string) string {
	t.Helper()
	var text strings.Builder
	testkit.Must(t, p.WriteCSV(&text, url))
	for _, row := range rows {
		text.WriteString(row + "\n")
	}
	return testkit.Write(t, filepath.Join(t.TempDir(), "pos.csv"), text.String())
}
