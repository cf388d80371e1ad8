package browser

import (
	"mime"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"
)

// SuggestName returns the file name that an answer suggests: that of its
// Content-Disposition header, or else the last part of its address. It may be
// empty, and is not safe to use as it is.
func SuggestName(disposition, address string) string {
	if name := dispositionName(disposition); name != "" {
		return name
	}
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	if name := path.Base(u.Path); name != "/" && name != "." {
		return name
	}
	return ""
}

func dispositionName(disposition string) string {
	if disposition == "" {
		return ""
	}
	// The protocol hands header bytes over one by one; UTF-8 that servers put
	// there unencoded has to be put together again.
	if raw, ok := latin1(disposition); ok && utf8.ValidString(raw) {
		disposition = raw
	}
	_, params, err := mime.ParseMediaType(disposition)
	name := params["filename"]
	if err != nil || name == "" {
		name = looseName(disposition)
	}
	if strings.HasPrefix(name, "=?") {
		if decoded, err := new(mime.WordDecoder).DecodeHeader(name); err == nil {
			name = decoded
		}
	}
	if strings.Contains(name, "%") {
		if decoded, err := url.PathUnescape(name); err == nil && utf8.ValidString(decoded) {
			name = decoded
		}
	}
	return name
}

// looseName reads the file name of a header that does not follow the standard,
// for instance one with spaces and no quotes.
func looseName(disposition string) string {
	_, rest, found := strings.Cut(disposition, "filename=")
	if !found {
		return ""
	}
	if strings.HasPrefix(rest, `"`) {
		name, _, _ := strings.Cut(rest[1:], `"`)
		return name
	}
	name, _, _ := strings.Cut(rest, ";")
	return strings.TrimSpace(name)
}

func latin1(s string) (string, bool) {
	bytes := make([]byte, 0, len(s))
	for _, r := range s {
		if r > 0xff {
			return "", false
		}
		bytes = append(bytes, byte(r))
	}
	return string(bytes), true
}
