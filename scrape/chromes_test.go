package scrape_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/testkit/chromekit"
	"github.com/poscrape/poscrape/scrape"
)

// ownChrome has a test start a browser that no other test uses: one that it is to lose, or that
// would keep what another test could meet, such as a service worker.
func ownChrome(cfg *browser.Config, _ *scrape.Places) { cfg.OnProcess = func(int) {} }

// channel is what the scripts of each portal have of their own.
var channel = regexp.MustCompile(`const channel = ("\w+"), mark = ("\w+");`)

// openChrome returns a browser of this configuration, which tests share that are not to have
// their own.
func openChrome(t testing.TB, cfg browser.Config) *browser.Browser {
	t.Helper()
	kind := fmt.Sprintf("%+v", cfg)
	switch names := channel.FindStringSubmatch(cfg.OnNewDocument); {
	case cfg.OnProcess != nil || cfg.OnAnswer != nil || cfg.Credentials != nil:
		kind = ""
	case names != nil:
		kind = strings.NewReplacer(names[1], "channel", names[2], "mark").Replace(kind)
	}
	return chromekit.Share(t, kind, cfg)
}
