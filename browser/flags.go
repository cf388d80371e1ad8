package browser

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/chromedp/chromedp"
)

// CacheSize in bytes bounds Chrome's cache on disk. What Chrome downloads stands
// there too.
const CacheSize = 64 << 20

// disabledFeatures go into one flag: a second --disable-features would replace
// the first. Translate, media routing and hints talk to the network; RenderDocument
// makes a new frame, with all that draws it, for each page of a tab, which takes a
// third more of the processors for each order (measured with Chromium 156); the rest
// puts up surfaces or speculative work that no order needs.
var disabledFeatures = []string{
	"Translate", "BlinkGenPropertyTrees", "OptimizationHints", "MediaRouter", "DialMediaRouteProvider",
	"InterestFeedContentSuggestions", "CertificateTransparencyComponentUpdater", "AutofillServerCommunication",
	"PaintHolding", "BackForwardCache", "LocalNetworkAccessChecks", "RenderDocument",
}

// minSharedMemory is how much of /dev/shm Chrome should find free; less makes
// it crash on large pages, so its shared memory goes to files then.
const minSharedMemory = 512 << 20

// allocatorOptions are chromedp's defaults (headless, no first run, no
// background networking) and what a scraper needs besides.
func (c Config) allocatorOptions() []chromedp.ExecAllocatorOption {
	opts := append([]chromedp.ExecAllocatorOption{}, chromedp.DefaultExecAllocatorOptions[:]...)
	flag := func(name string, value any) { opts = append(opts, chromedp.Flag(name, value)) }
	opts = append(opts,
		chromedp.ExecPath(c.Chrome.Path),
		chromedp.UserDataDir(c.ProfileDir),
		chromedp.WindowSize(viewWidth, viewHeight),
	)
	flag("disable-features", strings.Join(disabledFeatures, ","))
	flag("disable-component-update", true)
	flag("disable-back-forward-cache", true)
	flag("disable-crash-reporter", true)
	flag("disable-search-engine-choice-screen", true)
	flag("disable-field-trial-config", true)
	flag("disable-domain-reliability", true)
	flag("no-pings", true)
	flag("mute-audio", true)
	// Memory is given back soon, and not only after a heap has doubled or more: four tabs
	// that are used for many pages take 245 MB instead of 435, and as much of the
	// processors; --optimize-for-size, 190 MB and a tenth more (Chromium 156).
	flag("js-flags", "--initial-old-space-size=1 --max-semi-space-size=1 --heap-growing-percent=30")
	flag("disk-cache-size", strconv.Itoa(CacheSize))
	flag("disable-dev-shm-usage", sharedMemory() < minSharedMemory)
	flag("no-sandbox", !c.Sandbox.On)
	if c.Headful {
		flag("headless", false)
		flag("hide-scrollbars", false)
	} else {
		flag("disable-gpu", true)
	}
	flag("incognito", c.inMemory())
	features := []string{allowlistFeature}
	if runtime.GOOS == "linux" && !c.Headful {
		// Drawing and network in Chrome's own process: see docs/decisions/0015.
		flag("in-process-gpu", true)
		flag("disable-software-rasterizer", true)
		flag("no-unsandboxed-zygote", true)
		features = append(features, "NetworkServiceInProcess2")
	}
	flag("enable-features", strings.Join(features, ","))
	if c.BlockImages {
		flag("blink-settings", "imagesEnabled=false")
	}
	if c.Proxy != "" {
		opts = append(opts, chromedp.ProxyServer(c.Proxy))
	}
	return append(opts, chromedp.NoInheritEnv, chromedp.Env(c.environment()...))
}

// inMemory reports whether Chrome keeps its profile, which lives no longer than itself, in
// memory: 4 to 6 % less of the processors for each order than in files, of which each
// answer of a server takes some (Chromium 156). It would not see a profile that is there,
// and a Chrome with windows would open another one for it.
func (c Config) inMemory() bool { return c.Chrome.HeadlessShell && !c.Filled }

// environment is the least that Chrome needs. What the user keeps in the
// environment, secrets among it, does not belong there; and what Chrome writes
// to its home or temporary directory goes with the profile.
func (c Config) environment() []string {
	env := []string{
		"HOME=" + c.ProfileDir,
		"TMPDIR=" + c.tempDir(),
		"XDG_CONFIG_HOME=" + c.ProfileDir, "XDG_CACHE_HOME=" + c.ProfileDir,
		"DBUS_SESSION_BUS_ADDRESS=disabled:", "DBUS_SYSTEM_BUS_ADDRESS=disabled:",
	}
	for _, name := range inheritedEnv {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// tempDirName is where Chrome's temporary files go, inside of the profile.
const tempDirName = "tmp"

// A Chrome with windows has a socket among its temporary files, of this name. A socket's
// path has less than 104 bytes on macOS, and 108 on Linux (unix(7)).
const (
	socketName    = "org.chromium.Chromium.123456/SingletonSocket"
	maxSocketPath = 103
)

// tempDir returns where Chrome's temporary files go: to the system's directory where the
// path of the profile is too long.
func (c Config) tempDir() string {
	dir := filepath.Join(c.ProfileDir, tempDirName)
	if !c.Chrome.HeadlessShell && len(filepath.Join(dir, socketName)) > maxSocketPath {
		return os.TempDir()
	}
	return dir
}

// inheritedEnv names the variables that Chrome gets as they are: paths and
// language, the display for windows, and what Windows programs cannot do without.
var inheritedEnv = []string{
	"PATH", "LANG", "LC_ALL", "LANGUAGE", "TZ", "LD_LIBRARY_PATH", "FONTCONFIG_PATH", "FONTCONFIG_FILE",
	"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR",
	"SystemRoot", "SystemDrive", "windir", "TEMP", "TMP", "LOCALAPPDATA", "APPDATA", "USERPROFILE",
	"ProgramFiles", "ProgramFiles(x86)", "ProgramData", "ComSpec", "PATHEXT",
}
