package browser

import (
	"cmp"
	"io"
	"mime"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"
)

// SuggestName returns the file name that an answer suggests: that of its
// Content-Disposition header, or else the last part of its address. It may be
// empty, and is not safe to use as it is. charset is the character set of the page that leads there, or empty: a
// header that is not UTF-8 is read by it, as Chrome does.
func SuggestName(disposition, address, charset string) string {
	if name := dispositionName(disposition, charset); name != "" {
		return name
	}
	u, err := ParseURL(address)
	if err != nil {
		return ""
	}
	if name := path.Base(u.Path); name != "/" && name != "." {
		return name
	}
	return ""
}

// namesFile reports whether an address ends in the name of a document that is no page. Some servers announce
// all that they send as pages, so the bytes have to tell.
func namesFile(address string) bool {
	u, err := ParseURL(address)
	return err == nil && slices.Contains([]string{".pdf", ".xlsx", ".xls", ".docx", ".doc", ".zip", ".tif", ".tiff", ".png", ".jpg"}, strings.ToLower(path.Ext(u.Path)))
}

func dispositionName(disposition, charset string) string {
	if disposition == "" {
		return ""
	}
	// The protocol hands header bytes over one by one; UTF-8 that servers put
	// there unencoded has to be put together again.
	if raw, ok := latin1(disposition); ok && utf8.ValidString(raw) {
		disposition = raw
	} else if ok {
		disposition = cmp.Or(decoded(raw, charset), disposition)
	}
	if name := extendedName(disposition); name != "" {
		return name
	}
	_, params, err := mime.ParseMediaType(disposition)
	name := params["filename"]
	if err != nil || name == "" || !utf8.ValidString(name) {
		name = looseName(disposition)
	}
	if strings.HasPrefix(name, "=?") {
		if decoded, err := encodedWords.DecodeHeader(name); err == nil && utf8.ValidString(decoded) {
			name = decoded
		}
	}
	if strings.Contains(name, "%") {
		if bytes, err := url.PathUnescape(name); err == nil && utf8.ValidString(bytes) {
			name = bytes
		} else if err == nil {
			name = cmp.Or(decoded(bytes, charset), name)
		}
	}
	return name
}

// decoded returns bytes as the text that they are in a charset, or "" where they are none.
func decoded(bytes, charset string) string {
	e, err := htmlindex.Get(charset)
	if err != nil {
		return ""
	}
	text, err := e.NewDecoder().String(bytes)
	if err != nil || strings.ContainsRune(text, utf8.RuneError) {
		return ""
	}
	return text
}

// encodedWords decodes names in the form of RFC 2047, which mail has and some servers send.
var encodedWords = mime.WordDecoder{CharsetReader: func(charset string, text io.Reader) (io.Reader, error) {
	e, err := htmlindex.Get(charset)
	if err != nil {
		return nil, err
	}
	return e.NewDecoder().Reader(text), nil
}}

var (
	// extended is the parameter of RFC 8187: charset, language, and bytes in percent notation; or a part of it, numbered,
	// as RFC 2231 has it. Parts without a second star are plain texts.
	extended = regexp.MustCompile(`(?i)(?:^|;)\s*filename\*(?:\d+(\*?))?\s*=\s*(?:"([^"]*)"|([^;"\s]+))`)
	// charsetOf is what stands before the bytes.
	charsetOf = regexp.MustCompile(`^([A-Za-z0-9!#$%&+^_{}~-]+)'[^']*'`)
)

// extendedName returns the file name of a header in the form of RFC 8187, in whatever
// charset, or "".
func extendedName(disposition string) string {
	var value strings.Builder
	for i, m := range extended.FindAllStringSubmatch(disposition, -1) {
		numbered := strings.ContainsAny(m[0][:strings.IndexByte(m[0], '=')], "0123456789")
		if i > 0 && !numbered {
			break // another whole one
		}
		text := m[2] + m[3]
		if numbered && m[1] == "" {
			text = url.PathEscape(text)
		}
		value.WriteString(text)
	}
	m := charsetOf.FindStringSubmatch(value.String())
	if m == nil {
		return ""
	}
	bytes, err := url.PathUnescape(value.String()[len(m[0]):])
	if err != nil {
		return ""
	}
	return decoded(bytes, m[1])
}

// loose is a file name in a header that does not follow the standard, for instance one with
// spaces and no quotes.
var loose = regexp.MustCompile(`(?i)(?:^|[;\s])filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))`)

func looseName(disposition string) string {
	m := loose.FindStringSubmatch(disposition)
	if m == nil {
		return ""
	}
	return cmp.Or(m[1], strings.Trim(strings.TrimSpace(m[2]), `"`))
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
