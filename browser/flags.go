package browser

import (
	"fmt"
	"os"
	"runtime"
	"slices"
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
	"PaintHolding", "BackForwardCache", "RenderDocument",
}

// minSharedMemory is how much of /dev/shm Chrome should find free; less makes
// it crash on large pages, so its shared memory goes to files then.
const minSharedMemory = 512 << 20

// quiet are the switches of every browser: no questions, no traffic but the pages', and
// pages that are as awake in the background as in front.
var quiet = []string{
	"no-first-run", "no-default-browser-check", "no-pings", "mute-audio", "enable-automation",
	"disable-background-networking", "disable-component-update", "disable-sync", "disable-domain-reliability",
	"disable-client-side-phishing-detection", "safebrowsing-disable-auto-update", "disable-field-trial-config",
	"disable-default-apps", "disable-extensions", "disable-search-engine-choice-screen",
	"disable-breakpad", "disable-crash-reporter", "metrics-recording-only",
	"disable-background-timer-throttling", "disable-backgrounding-occluded-windows", "disable-renderer-backgrounding",
	"disable-hang-monitor", "disable-ipc-flooding-protection", "disable-popup-blocking", "disable-prompt-on-repost",
	"disable-back-forward-cache", "use-mock-keychain",
}

// options returns what chromedp starts Chrome with. None of chromedp's defaults is among
// it, so that all switches are listed here.
func (c Config) options() []chromedp.ExecAllocatorOption {
	opts := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(c.Chrome.Path), chromedp.NoInheritEnv}
	add := func(when bool, names ...string) {
		for _, name := range names {
			opts = append(opts, chromedp.Flag(name, when))
		}
	}
	set := func(name, value string) { opts = append(opts, chromedp.Flag(name, value)) }
	add(true, quiet...)
	// Nobody gets this user's own sign-in at the machine (Negotiate, NTLM), as Windows would offer it to hosts of
	// the intranet: the list of servers that may has none.
	set("auth-server-allowlist", "none.invalid")
	set("force-color-profile", "srgb")
	set("password-store", "basic")
	features := []string{allowlistFeature}
	// Drawing and network in Chrome's own process: see docs/decisions/0015.
	if runtime.GOOS == "linux" && !c.Headful {
		add(!c.Hardened, "in-process-gpu")
		add(true, "disable-software-rasterizer", "no-unsandboxed-zygote")
		features = append(features, "NetworkServiceInProcess2")
	}
	// Where the compositor animates beside the page's own thread, it may wait for itself when it is told to draw: the
	// page is never drawn again. See docs/decisions/0019.
	add(c.drawsOnDemand(), "enable-begin-frame-control", "run-all-compositor-stages-before-draw", "disable-threaded-animation")
	add(!c.Headful, "headless", "hide-scrollbars", "disable-gpu")
	add(!c.Sandbox.On, "no-sandbox") // said in either case: chromedp would add it for root
	add(c.inMemory(), "incognito")
	add(c.Start == nil && sharedMemory() < minSharedMemory, "disable-dev-shm-usage")
	if c.BlockImages {
		set("blink-settings", "imagesEnabled=false")
	}
	proxy, _ := c.proxy()
	script, isScript := strings.CutPrefix(proxy, proxyScript)
	switch {
	case c.Egress != nil: // for loopback addresses as well, which are the container's own
		set("proxy-server", c.Egress.Server())
		set("proxy-bypass-list", "<-loopback>")
	case isScript:
		set("proxy-pac-url", script)
	case proxy != "" && proxy != ProxyOfSystem:
		set("proxy-server", proxy)
	}
	if language := c.Identity.Language; language != "" {
		set("lang", language)
		set("accept-lang", c.Identity.acceptLanguages())
	}
	set("user-data-dir", c.ProfileDir)
	set("window-size", fmt.Sprintf("%d,%d", c.Identity.width(), c.Identity.height()))
	set("disk-cache-size", strconv.Itoa(CacheSize))
	set("enable-features", strings.Join(features, ","))
	set("disable-features", strings.Join(disabledFeatures, ","))
	// Memory is given back soon, and not only after a heap has doubled or more: with heaps
	// that grow by 30 %, four tabs that are used for many pages took 245 MB instead of 435,
	// and as much of the processors; with --optimize-for-size, 190 MB and a tenth more
	// (Chromium 156). By 15 %: see docs/decisions/0019.
	set("js-flags", "--initial-old-space-size=1 --max-semi-space-size=1 --heap-growing-percent=15")
	return opts
}

// inMemory reports whether Chrome keeps its profile, which lives no longer than itself, in
// memory: 4 to 6 % less of the processors for each order than in files, of which each
// answer of a server takes some (Chromium 156). It would not see a profile that is there,
// and a Chrome with windows would open another one for it.
func (c Config) inMemory() bool { return c.Chrome.HeadlessShell && !c.Filled && !c.OnDisk }

// tempDirName is where Chrome's temporary files go, inside of the profile.
const tempDirName = "tmp"

// environment is the least that Chrome needs. What the user keeps in the
// environment, secrets among it, does not belong there; and what Chrome writes
// to its home or temporary directory goes with the profile. The temporary directory
// is relative to where Chrome is started, the profile: a Chrome with windows has a
// socket there, whose path has less than 104 bytes on macOS, and 108 on Linux (unix(7)).
func (c Config) environment() []string {
	env := []string{
		"HOME=" + c.ProfileDir,
		"TMPDIR=" + tempDirName,
		"XDG_CONFIG_HOME=" + c.ProfileDir, "XDG_CACHE_HOME=" + c.ProfileDir,
		"DBUS_SESSION_BUS_ADDRESS=disabled:", "DBUS_SYSTEM_BUS_ADDRESS=disabled:",
	}
	names := slices.Clone(inheritedEnv)
	if c.Start != nil {
		names = slices.Clone(languageEnv)
	}
	if c.Proxy == ProxyOfSystem {
		names = append(names, proxyEnv...)
	}
	for _, name := range names {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	if _, set := os.LookupEnv("TZ"); c.Start != nil && !set { // what it runs in has no zone of its own
		if zone := localZone(); zone != "" {
			env = append(env, "TZ="+zone)
		}
	}
	return append(env, c.Identity.environment()...)
}

// localZone returns the name of this machine's time zone, or "" where it does not say.
func localZone() string {
	link, err := os.Readlink("/etc/localtime")
	if err != nil {
		return ""
	}
	_, zone, _ := strings.Cut(link, "/zoneinfo/")
	return zone
}

// languageEnv names the variables that say how Chrome writes, wherever it runs.
var languageEnv = []string{"LANG", "LC_ALL", "LANGUAGE", "TZ"}

// inheritedEnv names the variables that Chrome gets as they are: paths and
// language, the display for windows, and what Windows programs cannot do without.
var inheritedEnv = []string{
	"PATH", "LANG", "LC_ALL", "LANGUAGE", "TZ", "LD_LIBRARY_PATH", "FONTCONFIG_PATH", "FONTCONFIG_FILE",
	"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR",
	"SystemRoot", "SystemDrive", "windir", "TEMP", "TMP", "LOCALAPPDATA", "APPDATA", "USERPROFILE",
	"ProgramFiles", "ProgramFiles(x86)", "ProgramData", "ComSpec", "PATHEXT",
}

// ProxyOfSystem is the Config.Proxy that the system's settings name; proxyScript comes
// before the address of a script that chooses one.
const (
	ProxyOfSystem = "system"
	proxyScript   = "pac+"
)

// proxyEnv names the variables that are the system's settings on Linux, where there is no desktop.
var proxyEnv = []string{
	"http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
	"auto_proxy", "SOCKS_SERVER", "SOCKS_VERSION",
}
