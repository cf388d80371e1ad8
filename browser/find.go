package browser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"
)

// ErrNoChrome is returned by Find when no usable Chrome is on the machine.
var ErrNoChrome = errors.New("no Chrome was found")

// EnvChrome names the environment variable that holds the path of the Chrome to use.
const EnvChrome = "POSCRAPE_CHROME"

// Chrome is a Chrome binary on this machine.
type Chrome struct {
	// Path of the real binary, wrapper scripts resolved.
	Path string
	// Version as it prints it, "Chromium 156.0.8078.73".
	Version string
	// HeadlessShell: it is the small build without windows.
	HeadlessShell bool
}

// names are looked up in PATH, in this order: the headless shell needs half the
// memory of the full browser and renders twice as many pages a second.
var names = []string{
	"chrome-headless-shell", "chromium-headless-shell", "headless_shell", "headless-shell",
	"google-chrome-stable", "google-chrome", "chromium", "chromium-browser", "chrome",
}

// Find returns the Chrome to use: the one at path if it is not empty, else the
// one that POSCRAPE_CHROME names, else the first that is installed; with
// headful, one that can open a window. It runs the binary once to learn its
// version, for at most 20 seconds.
func Find(ctx context.Context, path string, headful bool) (Chrome, error) {
	if path != "" {
		return inspect(ctx, path, "--chrome")
	}
	if path = os.Getenv(EnvChrome); path != "" {
		return inspect(ctx, path, EnvChrome)
	}
	var broken error
	for _, candidate := range candidates(headful) {
		found, err := exec.LookPath(candidate)
		if err != nil {
			continue
		}
		c, err := inspect(ctx, found, candidate)
		if err == nil {
			return c, nil
		}
		if broken == nil {
			broken = err
		}
	}
	if broken != nil {
		return Chrome{}, broken
	}
	return Chrome{}, fmt.Errorf("%w: install chromium-headless-shell (Debian) or Google Chrome, or name one with --chrome or %s", ErrNoChrome, EnvChrome)
}

func candidates(headful bool) []string {
	var list []string
	for _, name := range names {
		if headful && strings.Contains(name, "headless") {
			continue
		}
		list = append(list, name)
	}
	switch runtime.GOOS {
	case "darwin":
		list = append(list,
			"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
			"/Applications/Chromium.app/Contents/MacOS/Chromium")
	case "windows":
		for _, base := range []string{os.Getenv("ProgramFiles"), os.Getenv("ProgramFiles(x86)"), os.Getenv("LocalAppData")} {
			if base != "" {
				list = append(list, filepath.Join(base, `Google\Chrome\Application\chrome.exe`),
					filepath.Join(base, `Microsoft\Edge\Application\msedge.exe`))
			}
		}
	}
	return list
}

func inspect(ctx context.Context, path, origin string) (Chrome, error) {
	abs, err := exec.LookPath(path)
	if err != nil {
		return Chrome{}, fmt.Errorf("%w: %s names %s, which cannot be run: %w", ErrNoChrome, origin, path, err)
	}
	if real, err := resolve(abs); err == nil {
		abs = real
	} else {
		return Chrome{}, fmt.Errorf("%w: %s names %s: %w", ErrNoChrome, origin, path, err)
	}
	c := Chrome{Path: abs, HeadlessShell: strings.Contains(strings.ReplaceAll(filepath.Base(abs), "_", "-"), "headless")}
	if runtime.GOOS == "windows" {
		c.Version = filepath.Base(abs) // on Windows, chrome --version opens a window
		return c, nil
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, abs, "--version").Output()
	if err != nil {
		return Chrome{}, &brokenError{fmt.Errorf("%w: %s, which %s names: %w%s", ErrLaunch, abs, origin, err, stderrOf(err))}
	}
	c.Version = strings.Join(strings.Fields(string(out)), " ")
	if i := strings.Index(c.Version, " built on"); i > 0 {
		c.Version = c.Version[:i]
	}
	if c.Version == "" {
		return Chrome{}, fmt.Errorf("%w: %s names %s, which does not answer --version as a Chrome does", ErrNoChrome, origin, abs)
	}
	if !chromes.MatchString(c.Version) || strings.HasPrefix(c.Version, "ChromeDriver") {
		return Chrome{}, fmt.Errorf("%w: %s names %s, which is no Chrome: to --version it answers %q", ErrNoChrome, origin, abs, firstLine(out))
	}
	return c, nil
}

// chromes is how the version of a Chrome, or of a browser that is built on it, reads.
var chromes = regexp.MustCompile(`(?i)chrom|\d+\.\d+\.\d+\.\d+`)

func firstLine(out []byte) string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return line[:min(len(line), 100)]
}

// brokenError says why a Chrome that is there does not start. It is no Chrome to use.
type brokenError struct{ err error }

func (e *brokenError) Error() string { return e.err.Error() }

// Unwrap returns the error behind it.
func (e *brokenError) Unwrap() error { return e.err }

// Is makes it an ErrNoChrome as well.
func (e *brokenError) Is(target error) bool { return target == ErrNoChrome }

func stderrOf(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(exit.Stderr) > 0 {
		return "; it printed: " + lastLines(string(exit.Stderr), 3)
	}
	return ""
}

var wrapped = regexp.MustCompile(`(?m)^\s*(?:exec\s+)?"?(/[^\s"$]*/(?:chrome|chromium|chrome-headless-shell|chromium-headless-shell|headless_shell))"?(?:\s|$)`)

// resolve follows symbolic links and the wrapper scripts that distributions put
// around the binary: a script that does not exec would be the process that is
// watched and killed, in place of the browser.
func resolve(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	if strings.Contains(real, "/snap/") || filepath.Base(real) == "snap" {
		return "", errors.New("it is a snap package, which cannot use a profile directory outside of its own home; install another build")
	}
	head, err := readHead(real)
	if err != nil {
		return "", err
	}
	if !bytes.HasPrefix(head, []byte("#!")) {
		return real, nil
	}
	if bytes.Contains(head, []byte("/snap/bin/")) {
		return "", errors.New("it starts a snap package, which cannot use a profile directory outside of its own home; install another build")
	}
	if m := wrapped.FindSubmatch(head); m != nil {
		if target, err := filepath.EvalSymlinks(string(m[1])); err == nil && target != real {
			return target, nil
		}
	}
	base := filepath.Base(real)
	for _, dir := range []string{"/usr/lib/" + base, "/usr/lib64/" + base, "/opt/google/chrome"} {
		for _, name := range []string{base, "chrome"} {
			if target := filepath.Join(dir, name); target != real && isBinary(target) {
				return target, nil
			}
		}
	}
	return real, nil
}

func isBinary(path string) bool {
	head, err := readHead(path)
	return err == nil && !bytes.HasPrefix(head, []byte("#!"))
}

func readHead(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, 64<<10)
	n, err := f.Read(head)
	if n == 0 && err != nil {
		return nil, err
	}
	return head[:n], nil
}

// lastLines returns the last n non-empty lines of text, joined by " | ".
func lastLines(text string, n int) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines[max(0, len(lines)-n):], " | ")
}
