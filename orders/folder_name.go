package orders

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// maxNameBytes leaves room for what comes above and below it in a path.
const maxNameBytes = 100

// folderNames hands out file names that are safe on Windows, macOS and Linux,
// and differ also where case does not count.
type folderNames struct {
	taken map[string]bool
	// next is the number with which to go on for a name.
	next map[string]int
	fold cases.Caser
}

func newFolderNames() *folderNames {
	return &folderNames{taken: map[string]bool{}, next: map[string]int{}, fold: cases.Fold()}
}

// name returns a name like the text; if it is taken, one that ends in ~2, ~3 ...
func (f *folderNames) name(text string) string {
	base := safeName(text)
	name := cutName(base, maxNameBytes)
	first := f.fold.String(name)
	for f.taken[f.fold.String(name)] {
		f.next[first]++
		suffix := fmt.Sprintf("~%d", f.next[first]+1)
		name = cutName(base, maxNameBytes-len(suffix)) + suffix
	}
	f.taken[f.fold.String(name)] = true
	return name
}

// reservedNames are device names on Windows, with whatever extension.
var reservedNames = regexp.MustCompile(`(?i)^(CON|PRN|AUX|NUL|CLOCK\$|CONIN\$|CONOUT\$|(COM|LPT)[0-9¹²³]) *(\.|$)`)

func safeName(text string) string {
	name := strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) || strings.ContainsRune(`<>:"/\|?*`, r) {
			return '_'
		}
		return r
	}, norm.NFC.String(text))
	name = strings.TrimLeft(name, " ")
	if name == "" || name[0] == '.' || reservedNames.MatchString(name) {
		name = "_" + name
	}
	return name
}

// cutName cuts a name to so many bytes, never within a character, and takes the
// dots and spaces off its end, which Windows would drop.
func cutName(name string, size int) string {
	for len(name) > size {
		_, last := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-last]
	}
	return strings.TrimRight(name, ". ")
}
