package filename

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Key returns the same for two names that some file system takes for one: those
// that differ in case, in the form of accents, or in joiners that are not seen.
func Key(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Join_Control, r) {
			return -1
		}
		return r
	}, name)
	return norm.NFC.String(cases.Fold().String(norm.NFC.String(name)))
}

// Unique returns the names of documents, as Safe returns them, each with a Key
// of its own: of equal ones the first keeps its name, the others get "~2", "~3"
// and so on before their extension.
func Unique(names []string) []string {
	given := newNumbering(suffixed)
	for _, name := range names {
		given.kept[Key(name)] = true
	}
	unique := make([]string, len(names))
	for i, name := range names {
		unique[i] = given.name(name)
	}
	return unique
}

// Folders hands out the names of folders that lie side by side.
type Folders struct{ given numbering }

// NewFolders returns Folders that has handed out no name yet.
func NewFolders() *Folders {
	return &Folders{newNumbering(func(name, suffix string) string {
		return cut(name, MaxFolderBytes-len(suffix)) + suffix
	})}
}

// Name returns SafeFolder of the text; if that is taken, with "~2", "~3" and so
// on at its end.
func (f *Folders) Name(text string) string { return f.given.name(SafeFolder(text)) }

// numbering distinguishes equal names.
type numbering struct {
	// suffixed puts a suffix into a name, and keeps it as short as it must be.
	suffixed func(name, suffix string) string
	// taken are the names that were given, kept those that only a name that is
	// so already may have.
	taken, kept map[string]bool
	// last is the number that a name got last.
	last map[string]int
}

func newNumbering(suffixed func(name, suffix string) string) numbering {
	return numbering{suffixed: suffixed, taken: map[string]bool{}, kept: map[string]bool{}, last: map[string]int{}}
}

func (g *numbering) name(wanted string) string {
	first := Key(wanted)
	given, key := wanted, first
	for n := max(g.last[first], 1); g.taken[key] || n > 1 && g.kept[key]; {
		n++
		g.last[first] = n
		given = g.suffixed(wanted, "~"+strconv.Itoa(n))
		key = Key(given)
	}
	g.taken[key] = true
	return given
}
