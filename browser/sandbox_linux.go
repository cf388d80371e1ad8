package browser

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// ChooseSandbox decides how to use Chrome's sandbox for profiles below parent.
// Chrome refuses its sandbox to root, so for root it runs as the unprivileged
// user nobody; where that user cannot reach the profiles or the binary, or may
// not make a namespace, the sandbox is off, and Why and Remedy say so.
func ChooseSandbox(parent string, chrome Chrome) Sandbox {
	own := Sandbox{On: true, UID: -1, GID: -1}
	if os.Geteuid() != 0 {
		if why, remedy := namespacesForbidden(); why != "" && !hasSetuidHelper(chrome) {
			return Sandbox{UID: -1, GID: -1, Why: why, Remedy: remedy}
		}
		return own
	}
	off := func(remedy, format string, args ...any) Sandbox {
		return Sandbox{UID: -1, GID: -1, Remedy: remedy, Why: "running as root, and " + fmt.Sprintf(format, args...)}
	}
	const asOrdinary = "run poscrape as an ordinary user"
	if why, remedy := namespacesForbidden(); why != "" {
		return off(remedy, "%s", why)
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		return off(asOrdinary, "there is no user nobody to run Chrome as")
	}
	uid, err := strconv.Atoi(nobody.Uid)
	if err != nil || uid == 0 {
		return off(asOrdinary, "the user nobody has no usable id")
	}
	gid, err := strconv.Atoi(nobody.Gid)
	if err != nil {
		return off(asOrdinary, "the user nobody has no usable group")
	}
	for _, place := range []struct{ dir, flag string }{{parent, "--temp-dir"}, {filepath.Dir(chrome.Path), "--chrome"}} {
		if closed := unreachable(place.dir); closed != "" {
			return off("let others enter "+closed+" (chmod o+x), name another place with "+place.flag+", or "+asOrdinary, "the user nobody cannot enter %s", closed)
		}
	}
	return Sandbox{On: true, UID: uid, GID: gid}
}

// namespacesForbidden returns why an unprivileged process cannot make the
// namespace that the sandbox needs, and what to do about it, or "". What depends on
// the program that asks for one, Chrome's own start shows.
func namespacesForbidden() (why, remedy string) {
	for knob, lets := range map[string]string{
		"/proc/sys/user/max_user_namespaces":         "sysctl user.max_user_namespaces=15000",
		"/proc/sys/kernel/unprivileged_userns_clone": "sysctl kernel.unprivileged_userns_clone=1",
	} {
		if value, err := os.ReadFile(knob); err == nil && strings.TrimSpace(string(value)) == "0" {
			return "this system does not let unprivileged users make namespaces (" + knob + " is 0)", anyRemedy + " (" + lets + ")"
		}
	}
	return "", ""
}

// remedyFor returns what would let a Chrome have its sandbox that was refused it.
func remedyFor(chrome Chrome) string {
	value, err := os.ReadFile("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
	if err == nil && strings.TrimSpace(string(value)) == "1" {
		return "give " + chrome.Path + " an AppArmor profile that allows userns, or let all programs make namespaces (sysctl kernel.apparmor_restrict_unprivileged_userns=0)"
	}
	return anyRemedy
}

func hasSetuidHelper(chrome Chrome) bool {
	for _, name := range []string{"chrome-sandbox", "chrome_sandbox"} {
		info, err := os.Stat(filepath.Join(filepath.Dir(chrome.Path), name))
		if err == nil && info.Mode()&os.ModeSetuid != 0 {
			return true
		}
	}
	return false
}

// unreachable returns the first directory on the way to dir that others may not
// enter, or "".
func unreachable(dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	for at := abs; ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err != nil || info.Mode().Perm()&0o001 == 0 {
			return at
		}
		if at == filepath.Dir(at) {
			return ""
		}
	}
}

func (s Sandbox) apply(attr *syscall.SysProcAttr) {
	if s.UID >= 0 {
		attr.Credential = &syscall.Credential{Uid: uint32(s.UID), Gid: uint32(s.GID)}
	}
}

// own gives a file or directory to the user that Chrome runs as.
func (s Sandbox) own(path string) error {
	if s.UID < 0 {
		return nil
	}
	return os.Lchown(path, s.UID, s.GID)
}
