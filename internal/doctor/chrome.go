package doctor

import (
	"cmp"
	"context"
	"errors"
	"os"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/worker"
)

// slowStart is when a start of Chrome is worth a word: it takes a fraction of a
// second on an idle machine, and is given up after 30 s.
const slowStart = 10 * time.Second

// examineChrome finds Chrome and starts it, by the same ways as a session does.
func examineChrome(ctx context.Context, cfg Config) []Finding {
	chrome, err := browser.Find(ctx, cfg.Chrome, cfg.Headful)
	if err != nil {
		return []Finding{fact("chrome", "%v", err).fail("")}
	}
	sandbox := browser.ChooseSandbox(cmp.Or(cfg.Temp, os.TempDir()), chrome)
	if cfg.NoSandbox {
		sandbox = browser.NoSandbox()
	}
	took, sandbox, err := tryChrome(ctx, cfg, chrome, sandbox)
	if none := (*browser.SandboxError)(nil); errors.As(err, &none) {
		return []Finding{fact("chrome", "%s at %s", chrome.Version, chrome.Path), fact("sandbox", "off: %s", none.Why).fail(none.Advice())}
	}
	if errors.Is(err, browser.ErrLaunch) && sandbox.On {
		if _, _, without := tryChrome(ctx, cfg, chrome, browser.NoSandbox()); without == nil {
			return []Finding{fact("chrome", "%s at %s does not start with its sandbox: %v", chrome.Version, chrome.Path, err).
				fail("let ordinary users of this system make namespaces, or use --no-sandbox")}
		}
	}
	if err != nil {
		return []Finding{fact("chrome", "%s at %s cannot be used: %v", chrome.Version, chrome.Path, err).fail(adviceFor(err))}
	}
	found := fact("chrome", "%s at %s; it started in %.1f s", chrome.Version, chrome.Path, took.Seconds()).
		with("start_ms", float64(took.Milliseconds()))
	if took > slowStart {
		found = found.warn("this machine is busy or slow: use fewer --workers")
	}
	return []Finding{found, examineSandbox(sandbox)}
}

func examineSandbox(s browser.Sandbox) Finding {
	found := fact("sandbox", "%s", s)
	if s.On {
		return found
	}
	return found.warn("a page that finds a hole in Chrome is not held back: run poscrape as an ordinary user, or only on portals that you trust")
}

// adviceFor says what to do about an error that does not say it itself.
func adviceFor(err error) string {
	var path *os.PathError
	switch {
	case errors.Is(err, browser.ErrLaunch):
		return "start it by hand to see what it lacks, or name another one with --chrome"
	case errors.As(err, &path):
		return tempAdvice
	}
	return ""
}

// tryChrome starts a worker as a session does, and ends it again. It returns how long the
// start took, and the sandbox with which it was tried last. Nothing is left of it.
func tryChrome(ctx context.Context, cfg Config, chrome browser.Chrome, sandbox browser.Sandbox) (time.Duration, browser.Sandbox, error) {
	opener := worker.NewOpener(worker.Config{Chrome: chrome, Sandbox: sandbox, Headful: cfg.Headful, Proxy: cfg.Proxy, Temp: cfg.Temp,
		Portal: scrape.NewPortal(scrape.AutoRecipe(), nil)})
	began := time.Now()
	err := opener.Start(ctx)
	took := time.Since(began)
	return took, opener.Sandbox, errors.Join(err, opener.Close())
}
