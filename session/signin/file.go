package signin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/poscrape/poscrape/browser"
)

// FileError says why a state file cannot be used. It never quotes a value.
type FileError struct {
	Path string
	// Line in the file, counted from 1, or 0 where there is none.
	Line int
	// Message says what is wrong, and what to do.
	Message string
}

func (e *FileError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", e.Path, e.Line, e.Message)
	}
	return e.Path + ": " + e.Message
}

// maxStateFile in bytes bounds what is read: no sign-in takes that much.
const maxStateFile = 64 << 20

// PathFor returns the state file that stands beside a recipe: NAME.state.json beside
// NAME.yaml.
func PathFor(recipeFile string) string {
	return strings.TrimSuffix(recipeFile, filepath.Ext(recipeFile)) + ".state.json"
}

// content is what a state file has in it.
type content struct {
	browser.State
	// Made is the code of the sign-in's maker, see File.Sign. Playwright ignores it.
	Made string `json:"poscrape,omitempty"`
}

// readFile returns what is in a state file, Playwright's storage state in JSON or a Netscape
// cookies.txt, without the cookies whose time is over. Its errors are fs.ErrNotExist where
// there is no file, or a *FileError. warning tells a person that others can read the file, or that
// nothing in it is good any more, or is empty.
func readFile(path string) (in *content, warning string, err error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, "", err
	case err != nil:
		return nil, "", &FileError{Path: path, Message: "cannot be read: " + reason(err)}
	case !info.Mode().IsRegular():
		return nil, "", &FileError{Path: path, Message: "is not a file; name a state file that poscrape login or Playwright has written, or a cookies.txt"}
	case info.Size() > maxStateFile:
		return nil, "", &FileError{Path: path, Message: "is larger than 64 MB, which no session state is"}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, "", &FileError{Path: path, Message: "cannot be read: " + reason(err)}
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if first := bytes.TrimSpace(text); len(first) > 0 && (first[0] == '{' || first[0] == '[') {
		in, err = parseJSON(path, text)
	} else {
		in, err = parseCookies(path, string(text))
	}
	if err != nil {
		return nil, "", err
	}
	now := time.Now()
	all := len(in.Cookies)
	in.Cookies = slices.DeleteFunc(in.Cookies, func(c browser.Cookie) bool { return c.Expired(now) })
	if warning = openToOthers(path, info.Mode()); all > 0 && len(in.Cookies)+len(in.Origins) == 0 {
		warning = joined(warning, path+" has nothing but cookies whose time is over")
	}
	return in, warning, nil
}

func joined(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// For reports whether there is anything in a state for a host, by its name without a port.
func For(s *browser.State, host string) bool {
	return slices.ContainsFunc(s.Cookies, func(c browser.Cookie) bool {
		domain := strings.TrimPrefix(c.Domain, ".")
		return strings.EqualFold(domain, host) || len(host) > len(domain) && strings.EqualFold(host[len(host)-len(domain)-1:], "."+domain)
	}) || slices.ContainsFunc(s.Origins, func(o browser.Origin) bool {
		u, err := url.Parse(o.Origin)
		return err == nil && strings.EqualFold(u.Hostname(), host)
	})
}

func reason(err error) string {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}

// parseJSON reads Playwright's storage state.
func parseJSON(path string, text []byte) (*content, error) {
	fault := func(message string) error { return &FileError{Path: path, Message: message} }
	s := &content{}
	err := json.Unmarshal(text, s)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return nil, &FileError{path, lineOf(text, syntax.Offset), "is not valid JSON: " + syntaxText(syntax) + "; sign in again with poscrape login, or remove the file"}
	case errors.As(err, &kind) && kind.Field == "":
		return nil, fault("is, in JSON, of the kind \"" + kind.Value + "\"; name a state file that poscrape login or Playwright has written, or a Netscape cookies.txt")
	case errors.As(err, &kind):
		return nil, &FileError{path, lineOf(text, kind.Offset), fmt.Sprintf("%s is a %s; this is not what Playwright writes", kind.Field, kind.Value)}
	case err != nil:
		return nil, fault("cannot be read as a session state in JSON")
	case s.Cookies == nil && s.Origins == nil:
		return nil, fault("has neither cookies nor origins; name a file that poscrape login or Playwright's storageState has written")
	}
	for i, c := range s.Cookies {
		if err := checkCookie(c); err != "" {
			return nil, fault(fmt.Sprintf("cookies[%d]%s", i, err))
		}
	}
	for i, o := range s.Origins {
		u, err := url.Parse(o.Origin)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Scheme+"://"+u.Host != o.Origin {
			return nil, fault(fmt.Sprintf("origins[%d].origin is not a scheme and a host, such as https://portal.example", i))
		}
		if len(o.IndexedDB) > 0 && json.Unmarshal(o.IndexedDB, &[]json.RawMessage{}) != nil {
			return nil, fault(fmt.Sprintf("origins[%d].indexedDB is not a list", i))
		}
	}
	return s, nil
}

// checkCookie says what is wrong with a cookie, after its place in the file, or returns "".
func checkCookie(c browser.Cookie) string {
	switch {
	case c.Name == "" && c.Value == "":
		return " has neither name nor value"
	case strings.Trim(c.Domain, ".") == "" || strings.ContainsAny(c.Domain, "/ \t\r\n;"):
		return ".domain is not a host"
	case !strings.HasPrefix(c.Path, "/"):
		return ".path does not begin with a slash"
	case math.IsNaN(c.Expires) || math.IsInf(c.Expires, 0):
		return ".expires is not a time"
	case !slices.Contains([]string{"", "Strict", "Lax", "None"}, c.SameSite):
		return ".sameSite is none of Strict, Lax, None"
	}
	return ""
}

// syntaxText is what is wrong with a JSON text. The library's message can quote one
// character of it, which may be a secret's.
func syntaxText(e *json.SyntaxError) string {
	if strings.HasPrefix(e.Error(), "unexpected end") {
		return "it ends too early"
	}
	return "a character does not belong there"
}

func lineOf(text []byte, offset int64) int {
	return 1 + bytes.Count(text[:min(max(offset, 0), int64(len(text)))], []byte("\n"))
}

// httpOnly begins a line of cookies.txt that is no comment, and maker the one with the maker's code.
const (
	httpOnly = "#HttpOnly_"
	maker    = "# poscrape "
)

// parseCookies reads a Netscape cookies.txt: domain, whether it is for the hosts below it,
// path, whether it is for HTTPS only, expiry in seconds since 1970 or 0, name and value,
// separated by tabs.
func parseCookies(path, text string) (*content, error) {
	s := &content{State: browser.State{Origins: []browser.Origin{}, Cookies: []browser.Cookie{}}}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		if made, ok := strings.CutPrefix(line, maker); ok {
			s.Made = made
		}
		c := browser.Cookie{Expires: -1}
		line, c.HTTPOnly = strings.CutPrefix(line, httpOnly)
		if strings.TrimSpace(line) == "" || !c.HTTPOnly && strings.HasPrefix(line, "#") {
			continue
		}
		fault := func(message string) error { return &FileError{path, i + 1, message} }
		f := strings.SplitN(line, "\t", 7)
		if len(f) == 6 { // without a value
			f = append(f, "")
		}
		if len(f) != 7 {
			return nil, fault(fmt.Sprintf("has %d fields, and a cookies.txt has 7, separated by tabs; name a state file that poscrape login or Playwright has written, or a Netscape cookies.txt", len(f)))
		}
		for at, flag := range map[int]*bool{1: new(bool), 3: &c.Secure} {
			switch {
			case strings.EqualFold(f[at], "TRUE"):
				*flag = true
			case !strings.EqualFold(f[at], "FALSE"):
				return nil, fault(fmt.Sprintf("field %d is neither TRUE nor FALSE", at+1))
			}
		}
		seconds, err := strconv.ParseFloat(f[4], 64)
		if err != nil || math.IsNaN(seconds) || math.IsInf(seconds, 0) {
			return nil, fault("field 5 is not a time in seconds since 1970")
		}
		if seconds > 0 {
			c.Expires = seconds
		}
		c.Domain, c.Path, c.Name, c.Value = strings.TrimPrefix(f[0], "."), f[2], f[5], f[6]
		if strings.EqualFold(f[1], "TRUE") {
			c.Domain = "." + c.Domain
		}
		if wrong := checkCookie(c); wrong != "" {
			return nil, fault("the cookie" + wrong)
		}
		s.Cookies = append(s.Cookies, c)
	}
	if len(s.Cookies) == 0 {
		return nil, &FileError{Path: path, Message: "has no cookie in it; name a state file that poscrape login or Playwright has written, or a Netscape cookies.txt"}
	}
	return s, nil
}

// writeFile puts the content in the place of the file, whole or not at all, readable by its
// owner alone: as Playwright's JSON, or, where the file is a cookies.txt, its cookies as one.
func writeFile(path string, s content) error {
	text, err := json.MarshalIndent(s, "", "  ")
	if isCookies(path) {
		text = cookiesText(s)
	}
	if err == nil {
		err = replaceFile(path, append(text, '\n'))
	}
	if err != nil {
		return &FileError{Path: path, Message: "the session state could not be written there: " + reason(err)}
	}
	return nil
}

var errReadOnly = errors.New("it is read-only")

// stagedAtMost is how old a file can be that is just being written beside a state file.
const stagedAtMost = time.Minute

// globbed escapes a path for a pattern.
var globbed = strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]")

// replaceFile writes a file beside its place first, of a name that no other session uses. What a
// killed program has left there is removed.
func replaceFile(path string, text []byte) error {
	prefix := filepath.Join(filepath.Dir(path), "."+filepath.Base(path))
	left, _ := filepath.Glob(globbed.Replace(prefix) + ".*.tmp") // the pattern is well formed
	for _, old := range left {
		if info, err := os.Stat(old); err == nil && time.Since(info.ModTime()) > stagedAtMost {
			_ = os.Remove(old) // another may have done it
		}
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(prefix)+".*.tmp")
	if err != nil {
		return err
	}
	staged := f.Name()
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(staged, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(staged))
	}
	return nil
}

// isCookies reports whether a file is there, and is no JSON.
func isCookies(path string) bool {
	text, err := os.ReadFile(path)
	text = bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff")))
	return err == nil && len(text) > 0 && text[0] != '{'
}

func cookiesText(s content) []byte {
	lines := []string{"# Netscape HTTP Cookie File"}
	if s.Made != "" {
		lines = append(lines, maker+s.Made)
	}
	flag := map[bool]string{true: "TRUE", false: "FALSE"}
	for _, c := range s.Cookies {
		if c.PartitionKey != "" || strings.ContainsAny(c.Name+c.Value+c.Path, "\t\n") {
			continue // there is no place for it
		}
		prefix := ""
		if c.HTTPOnly {
			prefix = httpOnly
		}
		lines = append(lines, prefix+strings.Join([]string{c.Domain, flag[strings.HasPrefix(c.Domain, ".")], c.Path, flag[c.Secure],
			strconv.FormatInt(max(int64(c.Expires), 0), 10), c.Name, c.Value}, "\t"))
	}
	return []byte(strings.Join(lines, "\n"))
}
