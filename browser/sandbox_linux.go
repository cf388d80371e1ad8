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
// not make a namespace, the sandbox is off, and Why says so.
func ChooseSandbox(parent string, chrome Chrome) Sandbox {
	own := Sandbox{On: true, UID: -1, GID: -1}
	if os.Geteuid() != 0 {
		if why := namespacesForbidden(); why != "" && !hasSetuidHelper(chrome) {
			return Sandbox{UID: -1, GID: -1, Why: why}
		}
		return own
	}
	off := func(format string, args ...any) Sandbox {
		return Sandbox{UID: -1, GID: -1, Why: "running as root, and " + fmt.Sprintf(format, args...)}
	}
	if why := namespacesForbidden(); why != "" {
		return off("%s", why)
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		return off("there is no user nobody to run Chrome as")
	}
	uid, err := strconv.Atoi(nobody.Uid)
	if err != nil || uid == 0 {
		return off("the user nobody has no usable id")
	}
	gid, err := strconv.Atoi(nobody.Gid)
	if err != nil {
		return off("the user nobody has no usable group")
	}
	for _, dir := range []string{parent, filepath.Dir(chrome.Path)} {
		if closed := unreachable(dir); closed != "" {
			return off("the user nobody cannot enter %s", closed)
		}
	}
	return Sandbox{On: true, UID: uid, GID: gid}
}

// namespacesForbidden returns why an unprivileged process cannot make the
// namespace that the sandbox needs, or "".
func namespacesForbidden() string {
	for _, knob := range []string{"/proc/sys/user/max_user_namespaces", "/proc/sys/kernel/unprivileged_userns_clone"} {
		if value, err := os.ReadFile(knob); err == nil && strings.TrimSpace(string(value)) == "0" {
			return "this system does not let unprivileged users make namespaces (" + knob + " is 0)"
		}
	}
	value, err := os.ReadFile("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
	if err == nil && strings.TrimSpace(string(value)) == "1" {
		return "this system does not let unprivileged users make namespaces (apparmor_restrict_unprivileged_userns is 1)"
	}
	return ""
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
