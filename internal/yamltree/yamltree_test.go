package yamltree

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestParse: what is nested too deeply is refused before it takes memory, however it is nested, and
// nothing else is.
func TestParse(t *testing.T) {
	t.Parallel()
	const n = 50_000
	for text, deep := range map[string]bool{
		"a: " + strings.Repeat("[", n): true, "a: " + strings.Repeat("{a: ", n): true, "a:\n  " + strings.Repeat("- ", n): true, strings.Repeat("? ", n): true,
		"a: " + strings.Repeat("&a ", n): true, "a: " + strings.Repeat("!a ", n): true, "a: " + strings.Repeat("&a !b ", n): true, "a: " + strings.Repeat("{? [", n): true,
		strings.Repeat("a: ", n): true, "a: " + strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth): true, stairs(MaxDepth + 1): true,
		"a: " + strings.Repeat("[", MaxDepth-1) + strings.Repeat("]", MaxDepth-1): false, stairs(MaxDepth - 1): false,
		"a: '" + strings.Repeat("[", n) + "'": false, "a: |\n" + strings.Repeat("  [[\n", n): false, strings.Repeat("# [\n", n) + "a: 1": false,
		"a: [" + strings.Repeat("[], ", 1000) + "]": false, "a:\n" + strings.Repeat("- {b: &x 1, c: *x}\n- [1]\n", 500): false,
		strings.Repeat("a:\n- b: &x 1\n", 300): false, "": false,
	} {
		_, err := Parse([]byte(text))
		var tooDeep *DepthError
		if errors.As(err, &tooDeep) != deep {
			t.Errorf("%.20q...: %.80v", text, err)
		}
		if deep && (tooDeep.Line < 1 || tooDeep.Column < 1) {
			t.Errorf("%.20q...: it is at %d:%d", text, tooDeep.Line, tooDeep.Column)
		}
	}
}

// stairs is a mapping in a mapping in a mapping ...
func stairs(n int) string {
	var text strings.Builder
	for i := range n {
		text.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return text.String() + strings.Repeat(" ", n) + "1"
}

// TestParseRecipes: no recipe of the tests is nested so deeply.
func TestParseRecipes(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../testdata/recipes/*.yaml")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var tooDeep *DepthError
		if _, err := Parse(text); errors.As(err, &tooDeep) {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// FuzzParse: whatever the text, parsing it ends, and what it returns is no deeper than it may be.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"a: [b, {c: d}]\n", "- &x 1\n- *x\n", "? a\n: b\n", "a: |\n  b\n", "a:\n- - b\n", "!t {a: &b !c [}", "'"} {
		f.Add(seed)
		f.Add(strings.Repeat(seed, 200))
	}
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Parse([]byte(text))
		if err == nil && file == nil {
			t.Error("nothing was returned")
		}
	})
}
