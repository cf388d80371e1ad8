package filename

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	// MaxBytes is what a document's name may have: file systems end at 255
	// bytes or UTF-16 units, but Windows' whole path at 260 of them by default.
	MaxBytes = 150
	// MaxFolderBytes is what one level of a folder may have.
	MaxFolderBytes = 80
	// Unknown is the name of a folder of which nothing is known.
	Unknown = "unknown"

	// maxExtensionBytes: what is longer after a dot is no extension.
	maxExtensionBytes = 16
	// unnamed is the name of a document that has none.
	unnamed = "document"
)

// Safe makes one file name of whatever a portal calls a document. It has at
// most MaxBytes, and keeps its extension. Only the last part of a path is kept.
// The name of a document without one is "document". Safe of its own result is
// that result.
func Safe(name string) string {
	name = strings.TrimRight(name, `/\ `)
	name = clean(name[strings.LastIndexAny(name, `/\`)+1:])
	if strings.HasPrefix(name, ".") {
		name = strings.TrimLeft(name, ". ")
		if name != "" {
			name = unnamed + "." + name
		}
	}
	if name == "" {
		return unnamed
	}
	return suffixed(unreserve(name), "")
}

// SafeFolder makes one folder name of a text, of at most MaxFolderBytes; it is
// Unknown if the text leaves nothing. SafeFolder of its own result is that result.
func SafeFolder(text string) string {
	name := strings.TrimLeft(clean(text), ". ")
	if name == "" {
		return Unknown
	}
	return cut(unreserve(name), MaxFolderBytes)
}

// clean removes or replaces each character that some file system refuses or
// that hides what a name is, and what may not stand at its end.
func clean(name string) string {
	name = strings.Map(safeRune, strings.ToValidUTF8(name, "_"))
	return trimEnd(strings.Join(strings.Fields(norm.NFC.String(name)), " "))
}

func safeRune(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case unicode.Is(unicode.Join_Control, r): // within emoji and scripts such as Persian
		return r
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Noncharacter_Code_Point):
		return -1
	case !unicode.IsPrint(r), r == utf8.RuneError, strings.ContainsRune(`<>:"|?*/\`, r):
		return '_'
	}
	return r
}

// trimEnd removes what Windows drops silently at a name's end.
func trimEnd(name string) string { return strings.TrimRight(name, ". ") }

// devices are names that Windows takes for a device, with whatever extension.
var devices = regexp.MustCompile(`(?i)^(CON|PRN|AUX|NUL|CLOCK\$|CONIN\$|CONOUT\$|(COM|LPT)[0-9¹²³]) *(\.|$)`)

func unreserve(name string) string {
	if devices.MatchString(name) {
		return "_" + name
	}
	return name
}

// suffixed puts suffix before a document's extension, and cuts what is before
// it so that all of it has at most MaxBytes.
func suffixed(name, suffix string) string {
	stem, extension := splitExtension(name)
	if room := MaxBytes - len(suffix) - len(extension); len(stem) > room {
		stem = cut(stem, room)
	}
	return stem + suffix + extension
}

// splitExtension splits a name before its extension; ".tar.gz" is one.
func splitExtension(name string) (stem, extension string) {
	dot := strings.LastIndexByte(name, '.')
	if dot <= 0 || len(name)-dot > maxExtensionBytes || strings.ContainsRune(name[dot:], ' ') {
		return name, ""
	}
	const tar = ".tar"
	if before := dot - len(tar); before > 0 && strings.EqualFold(name[before:dot], tar) {
		dot = before
	}
	return name[:dot], name[dot:]
}

// cut cuts a name to at most limit bytes, between characters.
func cut(name string, limit int) string {
	if len(name) > limit {
		for limit > 0 && !utf8.RuneStart(name[limit]) {
			limit--
		}
		name = name[:limit]
	}
	return trimEnd(name)
}
