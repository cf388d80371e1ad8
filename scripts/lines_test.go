package scripts

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// longest is how many characters a line of JavaScript may have, as in biome.jsonc. Biome
// breaks no texts and comments, and leaves lists of words alone.
const longest = 120

// pattern is a line that is nothing but a regular expression, which can't be broken.
var pattern = regexp.MustCompile(`^\s*/.*/[a-z]*[;,]?$`)

func TestLinesOfJavaScript(t *testing.T) {
	t.Parallel()
	files := 0
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == ".git" || entry.Name() == "testdata") {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".js" {
			return nil
		}
		files++
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(text), "\n") {
			if n := utf8.RuneCountInString(line); n > longest && !pattern.MatchString(line) {
				t.Errorf("%s:%d has %d characters, more than %d: break it", path, i+1, n, longest)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files == 0 {
		t.Fatal("no JavaScript was found")
	}
}
