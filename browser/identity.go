package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
)

// Identity is what pages, and the servers behind them, learn of who looks at them. Fields
// that are empty stay as the machine has them.
type Identity struct {
	// Language is a BCP 47 tag, "en-GB": what servers are asked for, and how scripts
	// write dates and numbers.
	Language string
	// Timezone is one of the IANA's names, "Europe/London".
	Timezone string
	// Width and Height are those of a page, in CSS pixels.
	Width, Height int
}

// acceptLanguages returns what servers are asked for: the language, and the one without
// its region.
func (i Identity) acceptLanguages() string {
	base, _, found := strings.Cut(i.Language, "-")
	if !found {
		return base
	}
	return i.Language + "," + base
}

// environment returns the variables that tell all of Chrome's processes, and so all frames,
// windows and workers.
func (i Identity) environment() []string {
	var env []string
	if i.Timezone != "" {
		env = append(env, "TZ="+i.Timezone)
	}
	if i.Language != "" { // on Linux, Chrome does not heed --lang
		env = append(env, "LANGUAGE="+strings.ReplaceAll(i.Language, "-", "_"))
	}
	return env
}

func (i Identity) width() int  { return cmp.Or(i.Width, viewWidth) }
func (i Identity) height() int { return cmp.Or(i.Height, viewHeight) }

// identify tells a tab, and the process of its page, what Chrome's switches and environment
// do not bring about: that there is a network; how dates and numbers are written, unless Chrome has all of that
// language; the time zone on Windows; and the size of pages whose window has a frame.
func (t *Tab) identify(ctx context.Context) error {
	i := t.browser.cfg.Identity
	// Without a network of its own, Chrome tells pages that it is offline. It does not heed this without figures,
	// which navigator.connection shows, and slow nothing down.
	if t.browser.cfg.Egress != nil {
		_, err := call(ctx, t, network.OverrideNetworkState, network.OverrideNetworkStateParams{Latency: 1, DownloadThroughput: 1.25e6, UploadThroughput: 1.25e6})
		if err != nil {
			return fmt.Errorf("telling pages that they are online: %w", err)
		}
	}
	if i.Language != "" {
		_, err := call(ctx, t, emulation.SetLocaleOverride, emulation.SetLocaleOverrideParams{Locale: strings.ReplaceAll(i.Language, "-", "_")})
		if err != nil {
			return fmt.Errorf("setting the language of pages: %w", err)
		}
	}
	if i.Timezone != "" && runtime.GOOS == "windows" {
		_, err := call(ctx, t, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: i.Timezone})
		var refused *cdproto.Error // another tab has set it in the same process
		if err != nil && !errors.As(err, &refused) {
			return fmt.Errorf("setting the time zone of pages: %w", err)
		}
	}
	if i.Width != 0 && !t.browser.cfg.Chrome.HeadlessShell && !t.browser.cfg.Attended { // a person sees the window
		width, height := int64(i.Width), int64(i.Height)
		_, err := call(ctx, t, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
			Width: width, Height: height, ScreenWidth: width, ScreenHeight: height})
		if err != nil {
			return fmt.Errorf("setting the size of pages: %w", err)
		}
	}
	return nil
}
