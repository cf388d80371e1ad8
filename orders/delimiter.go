package orders

import (
	"path/filepath"
	"strings"

	"github.com/poscrape/poscrape/internal/template"
)

// delimiters are the ones that are looked for. The first is taken when nothing
// else decides.
func delimiters(file string) []byte {
	if ext := strings.ToLower(filepath.Ext(file)); ext == ".tsv" || ext == ".tab" {
		return []byte("\t,;|")
	}
	return []byte(",;\t|")
}

// findDelimiter returns the delimiter of the text, and a scanner that stands at
// its beginning. Excel's first line "sep=;" names it. Otherwise it is the one that
// makes most sense of the header, read with its quotes: a column for the order
// number, no stray quotes, the most columns with known names, the most columns.
// The data rows have no say: there are commas in amounts and semicolons in
// comments.
func findDelimiter(file, text string, overrides map[string]string) (byte, *scanner) {
	if delim, rest, ok := cutSepLine(text); ok {
		s := newScanner(file, rest, delim)
		s.line = 2
		return delim, s
	}
	candidates := delimiters(file)
	best := candidates[0]
	var bestFit fit
	for _, delim := range candidates {
		if f := fitOf(file, text, delim, overrides); f.better(bestFit) {
			best, bestFit = delim, f
		}
	}
	return best, newScanner(file, text, best)
}

// cutSepLine cuts off Excel's first line, "sep=" and one character.
func cutSepLine(text string) (delim byte, rest string, ok bool) {
	end := strings.IndexAny(text, "\r\n")
	if end < 0 {
		return 0, text, false
	}
	line := strings.Trim(text[:end], `"`)
	if len(line) != len("sep=;") || !strings.EqualFold(line[:4], "sep=") || !strings.Contains(",;|\t:^~", line[4:]) {
		return 0, text, false
	}
	width := 1
	if strings.HasPrefix(text[end:], "\r\n") {
		width = 2
	}
	return line[4], text[end+width:], true
}

// fit says how much sense a delimiter makes of the header.
type fit struct {
	hasPO bool
	// hopeless: there is no header, or it cannot be read. Unless another
	// delimiter finds the order number, this is what the user must know.
	hopeless bool
	// clean: no stray quotes.
	clean        bool
	roles, cells int
}

func (f fit) better(than fit) bool {
	switch {
	case f.hasPO != than.hasPO:
		return f.hasPO
	case f.hopeless != than.hopeless:
		return f.hopeless
	case f.clean != than.clean:
		return f.clean
	case f.roles != than.roles:
		return f.roles > than.roles
	}
	return f.cells > than.cells
}

func fitOf(file, text string, delim byte, overrides map[string]string) fit {
	head := newScanner(file, text, delim).head()
	if len(head) == 0 {
		return fit{hopeless: true}
	}
	header := head[headerAmong(head, overrides)]
	f := fit{clean: header.oddity == "", cells: len(header.cells)}
	for _, cell := range header.cells {
		if strings.Contains(cell, `"`) {
			f.clean = false
		}
	}
	for _, r := range roles() {
		_, found := template.FindColumn(header.cells, overrides[string(r)])
		if named := overrides[string(r)]; named == "" || named == noColumn {
			found = len(bestMatches(header.cells, r, nil)) > 0
		}
		if found {
			f.roles++
			f.hasPO = f.hasPO || r == rolePO
		}
	}
	return f
}
