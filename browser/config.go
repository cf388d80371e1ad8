package browser

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Config says how a browser is started.
type Config struct {
	// Chrome to start, as Find returned it.
	Chrome Chrome
	// ProfileDir is the directory that Chrome keeps all its files in. It must
	// exist, be absolute, and belong to this browser alone.
	ProfileDir string
	// Filled: there is a profile in ProfileDir, which the browser begins with.
	Filled bool
	// OnDisk: Chrome keeps its profile in files, where it could in memory.
	OnDisk bool
	// KeepCookie says which cookies of that profile the browser keeps; nil keeps all.
	KeepCookie func(Cookie) bool
	// DownloadDir is where Chrome writes downloads. It must exist and be
	// reachable for the user that Chrome runs as.
	DownloadDir string
	// Headful opens a window.
	Headful bool
	// Attended: a person uses the browser, see Windows. Its pages are drawn as on a screen, no
	// script of this program runs beside them, and their dialogs are the person's to answer.
	Attended bool
	// Sandbox says how Chrome's sandbox is used, see ChooseSandbox.
	Sandbox Sandbox
	// Hardened: Chrome draws in a process of its own, in a sandbox, see docs/decisions/0015. It
	// does so anyway with windows, and on other systems than Linux.
	Hardened bool
	// Proxy is the address of a proxy server, with the user and password that it asks for,
	// if any; "pac+" and the address of a script that chooses one; ProxyOfSystem; or empty.
	Proxy string
	// CA is a file of certificates of authorities that are trusted besides the usual ones, or
	// empty. See CheckAuthority.
	CA string
	// Credentials answer servers that ask for a password, or are nil.
	Credentials *Credentials
	// Identity is what pages learn of who looks at them.
	Identity Identity
	// BlockImages keeps Chrome from loading images.
	BlockImages bool
	// BlockURLs are URL patterns (the URLPattern syntax) that pages do not load.
	BlockURLs []string
	// OnNewDocument is a script that runs in each frame before the page's own, in their
	// world. Inspector is one that runs after it, and before the page's, in a world beside
	// theirs: see Tab.Inspect. It runs in each frame as well.
	OnNewDocument, Inspector string
	// KeepReplies has Chrome keep the replies to a page's requests until it is left, for
	// Tab.Body. That takes memory.
	KeepReplies bool
	// OnAnswer is called with the address of each answer that a page, or a document that Fetch brings, is made of,
	// and with the IP address that it came from; or it is nil. It must not block. A document has been told of once
	// Fetch returns it, but for one over https: its server's certificate says whose it is, and it may be loaded
	// without anything being told of it.
	OnAnswer func(address, from string)
	// KeepHeaders keeps what the scripts of a page send in headers, for Tab.SentHeaders and EachHeader.
	KeepHeaders bool
	// AcceptDialogs answers dialogs with OK; otherwise they are cancelled. A
	// question whether to leave the page is always answered with yes.
	AcceptDialogs bool
	// Lanes is how many documents may be fetched at once: two by default, see
	// docs/decisions/0007.
	Lanes int
	// StallTimeout is how long a document may bring no byte before it is given up.
	StallTimeout time.Duration
	// StartTimeout bounds the start.
	StartTimeout time.Duration
	// HangCheck is how long an answer may be due, and nothing be heard of the
	// browser, before it is asked whether it is still there; HangTimeout is how
	// long it then has to answer, three times as long while it gets work done,
	// and how long it may take to replace a tab.
	HangCheck, HangTimeout time.Duration
	// PageTimeout is how long a page may keep its tab from answering.
	PageTimeout time.Duration
	// MaxPageMemory in bytes is how much a process that renders pages may take
	// for its data; 0 is no limit. Only Linux can bound it.
	MaxPageMemory uint64
	// Start prepares the command that starts Chrome, which has Chrome's arguments, environment and
	// pipes, and returns what Chrome will run in. nil: a group of processes of this machine.
	Start func(cmd *exec.Cmd) (Group, error)
	// Egress is how a browser that has no network reaches servers, or nil. Then Proxy only says
	// who uses that one, if Egress goes by it.
	Egress Egress
	// OnProcess is called with the browser's process id once it runs, or nil.
	OnProcess func(pid int)
}

// defaultPageMemory: an empty page reserves 0.6 GB, a heavy one some hundred
// megabytes more. Without a limit a page that fills buffers or its own tree took
// 12 GB in 45 seconds, and was not stopped by Chrome.
const defaultPageMemory = 3 << 30

// DefaultConfig returns the configuration without its paths.
func DefaultConfig() Config {
	return Config{Lanes: 2, StallTimeout: 20 * time.Second, StartTimeout: 30 * time.Second,
		HangCheck: 10 * time.Second, HangTimeout: 10 * time.Second,
		PageTimeout: 30 * time.Second, MaxPageMemory: defaultPageMemory}
}

// tellsOf reports whether OnAnswer is to be told of an address, however it is asked for.
func (c Config) tellsOf(address string) bool {
	return c.OnAnswer != nil && strings.HasPrefix(address, "http:")
}

// Validate returns an error that names the first field that cannot be used.
func (c Config) Validate() error {
	switch {
	case c.Chrome.Path == "":
		return errors.New("browser: Chrome is empty: call Find first")
	case c.ProfileDir == "":
		return errors.New("browser: ProfileDir is empty")
	case !filepath.IsAbs(c.ProfileDir):
		return fmt.Errorf("browser: ProfileDir %q must be absolute", c.ProfileDir)
	case c.DownloadDir == "":
		return errors.New("browser: DownloadDir is empty")
	case c.Lanes < 1:
		return fmt.Errorf("browser: Lanes is %d: it must be at least 1", c.Lanes)
	case c.StallTimeout <= 0:
		return fmt.Errorf("browser: StallTimeout is %v: it must be positive", c.StallTimeout)
	case c.StartTimeout <= 0:
		return fmt.Errorf("browser: StartTimeout is %v: it must be positive", c.StartTimeout)
	case c.HangCheck <= 0 || c.HangTimeout <= 0:
		return fmt.Errorf("browser: HangCheck is %v and HangTimeout %v: they must be positive", c.HangCheck, c.HangTimeout)
	case c.PageTimeout <= 0:
		return fmt.Errorf("browser: PageTimeout is %v: it must be positive", c.PageTimeout)
	case c.Headful && c.Chrome.HeadlessShell:
		return fmt.Errorf("browser: %s cannot open a window; use a full Chrome", c.Chrome.Path)
	case strings.HasPrefix(c.Proxy, proxyScript) && c.Chrome.HeadlessShell: // it would go without one, and not say so
		return fmt.Errorf("browser: %s runs no script that chooses a proxy; use a full Chrome", c.Chrome.Path)
	}
	return nil
}
