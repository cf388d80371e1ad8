package scrape

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

const (
	// maxNameBytes is what a document's name may have: file systems end at 255
	// bytes or UTF-16 units, but Windows' whole path at 260 of them by default.
	maxNameBytes = 150
	// maxFolderBytes is what one level of an order's folder may have.
	maxFolderBytes = 80
	// maxExtensionBytes: what is longer after a dot is no extension.
	maxExtensionBytes = 16
	// unnamed is the name of a document that has none.
	unnamed = "document"
)

// SafeName makes one file name of whatever a portal calls a document: one that
// is safe on Windows, macOS and Linux, has at most 150 bytes, keeps its
// extension, and shows what it is. Only the last part of a path is kept. The
// name of a document without one is "document". SafeName of its own result is
// that result.
func SafeName(name string) string {
	name = strings.TrimRight(name, `/\ `)
	name = cleanName(name[strings.LastIndexAny(name, `/\`)+1:])
	if strings.HasPrefix(name, ".") {
		name = strings.TrimLeft(name, ". ")
		if name != "" {
			name = unnamed + "." + name
		}
	}
	if name == "" {
		return unnamed
	}
	return shorten(unreserve(name), "", maxNameBytes)
}

// safeFolderName makes one folder name of a text; "unknown" of one that leaves
// nothing.
func safeFolderName(text string) string {
	text = strings.NewReplacer("/", "_", `\`, "_").Replace(text)
	name := strings.TrimLeft(cleanName(text), ". ")
	if name == "" {
		return unknownValue
	}
	return trimEnd(cutBytes(unreserve(name), maxFolderBytes))
}

// UniqueNames returns the names, each unlike all others also where case and
// the form of accents do not count: of equal ones the first keeps its name, the
// others get "~2", "~3" and so on before their extension. The names are those
// that SafeName returns, and stay so.
func UniqueNames(names []string) []string {
	fold := cases.Fold()
	key := func(name string) string { return norm.NFC.String(fold.String(norm.NFC.String(name))) }

	original := make(map[string]bool, len(names))
	for _, name := range names {
		original[key(name)] = true
	}
	taken := make(map[string]bool, len(names))
	last := make(map[string]int)
	unique := make([]string, len(names))
	for i, name := range names {
		k, candidate := key(name), name
		for n := max(last[k], 1); taken[key(candidate)] || n > 1 && original[key(candidate)]; {
			n++
			last[k] = n
			candidate = shorten(name, "~"+strconv.Itoa(n), maxNameBytes)
		}
		taken[key(candidate)] = true
		unique[i] = candidate
	}
	return unique
}

// cleanName removes or replaces each character that some file system refuses or
// that hides what a name is, and what may not stand at its end.
func cleanName(name string) string {
	name = strings.Map(safeRune, strings.ToValidUTF8(name, "_"))
	return trimEnd(strings.Join(strings.Fields(norm.NFC.String(name)), " "))
}

func safeRune(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), unicode.Is(unicode.Noncharacter_Code_Point, r):
		return -1
	case strings.ContainsRune("\u00ad\u200b\u2060\ufeff\ufff9\ufffa\ufffb", r):
		return -1
	case strings.ContainsRune(`<>:"|?*/\`, r), unicode.Is(unicode.Co, r):
		return '_'
	}
	return r
}

// trimEnd removes what Windows drops silently at a name's end.
func trimEnd(name string) string { return strings.TrimRight(name, ". ") }

// unreserve changes a name that Windows takes for a device, whatever its
// extension is.
func unreserve(name string) string {
	device, _, _ := strings.Cut(name, ".")
	switch device = strings.ToUpper(strings.TrimRight(device, " ")); device {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return "_" + name
	}
	for _, port := range []string{"COM", "LPT"} {
		if digit, is := strings.CutPrefix(device, port); is && utf8.RuneCountInString(digit) == 1 && strings.ContainsAny(digit, "0123456789¹²³") {
			return "_" + name
		}
	}
	return name
}

// shorten puts suffix before the name's extension, and cuts what is before it
// so that all of it has at most limit bytes.
func shorten(name, suffix string, limit int) string {
	stem, extension := splitExtension(name)
	if len(name)+len(suffix) > limit {
		stem = trimEnd(cutBytes(stem, limit-len(suffix)-len(extension)))
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

// cutBytes cuts text to at most limit bytes, between characters.
func cutBytes(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}
