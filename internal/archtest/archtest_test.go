package archtest

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// root is the module's directory, seen from this package's.
const root = "../.."

func TestImportGraph(t *testing.T) {
	t.Parallel()
	packages, err := readFiles(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range append(check(packages, rules, forTests), superfluous(packages, rules)...) {
		t.Error(wrong)
	}
}

// Every arrow points down: following the table from a package never leads back to it.
func TestTableHasNoCycle(t *testing.T) {
	t.Parallel()
	var visit func(trail []string, name string)
	visit = func(trail []string, name string) {
		if slices.Contains(trail, name) {
			t.Errorf("%s -> %s: a cycle", strings.Join(trail, " -> "), name)
			return
		}
		for _, next := range rules[name].own {
			visit(append(slices.Clone(trail), name), next)
		}
	}
	for name := range rules {
		visit(nil, name)
	}
}

// What tests share is in no program.
func TestOnlyTestsShareTheTestkit(t *testing.T) {
	t.Parallel()
	const kit = "internal/testkit"
	for name, r := range rules {
		if strings.HasPrefix(name, kit) {
			continue
		}
		for _, own := range r.own {
			if strings.HasPrefix(own, kit) {
				t.Errorf("%s may import %s", name, own)
			}
		}
	}
}

// The checker finds what it is there to find, in a tree made for the purpose.
func TestCheckFindsWhatIsWrong(t *testing.T) {
	t.Parallel()
	table := map[string]rule{
		"low":  {noIO: true},
		"high": {own: []string{"low"}, others: []string{"example.com/lib"}},
	}
	tests := rule{own: []string{"low"}, others: []string{"example.com/testlib"}}
	for _, c := range []struct {
		name, path, source string
		want               string
	}{
		{"upwards", "low/a.go", `import "` + module + `/high"`, "low/a.go: must not import " + module + "/high"},
		{"upwards in a test", "low/a_test.go", `import "` + module + `/high"`, "low/a_test.go: must not import " + module + "/high"},
		{"another system's file", "low/a_windows.go", `import "os"`, "low/a_windows.go: must not import os"},
		{"left out by a constraint", "low/a.go", `import "net/http"`, "low/a.go: must not import net/http"},
		{"a module of others", "low/a.go", `import "example.com/lib"`, "low/a.go: must not import example.com/lib"},
		{"a name that begins alike", "high/b.go", `import "example.com/library"`, "high/b.go: must not import example.com/library"},
		{"a test's module elsewhere", "high/b.go", `import "example.com/testlib"`, "high/b.go: must not import example.com/testlib"},
		{"the module itself", "high/b.go", `import "` + module + `"`, "high/b.go: must not import " + module},
		{"blank and renamed", "low/a.go", "import (\n_ \"embed\"\nx \"os/exec\"\n)", "low/a.go: must not import os/exec"},
		{"an unknown package", "new/c.go", "", "new: a package that the table in internal/archtest does not know"},

		{"downwards", "high/b.go", `import "` + module + `/low"`, ""},
		{"part of a module", "high/b.go", `import "example.com/lib/part"`, ""},
		{"standard library", "high/b.go", `import "net/http"`, ""},
		{"standard library without I/O", "low/a.go", `import "time"`, ""},
		{"I/O in a test", "low/a_test.go", `import "os"`, ""},
		{"an external test", "low/a_test.go", `import "` + module + `/low"`, ""},
		{"a test's module", "high/b_test.go", `import "example.com/testlib"`, ""},
		{"data", "low/testdata/x.go", `import "os"`, ""},
		{"hidden", "low/.x/x.go", `import "os"`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tree := fstest.MapFS{
				"low/low.go":   {Data: []byte("package low\n")},
				"high/high.go": {Data: []byte("package high\n")},
				c.path:         {Data: []byte("//go:build never\n\npackage p\n" + c.source + "\n")},
			}
			packages, err := readFiles(tree)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(check(packages, table, tests), "\n"); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestSuperfluousIsWhatNobodyImports(t *testing.T) {
	t.Parallel()
	packages := map[string][]file{"high": {
		{"high/high.go", []string{module + "/low", "example.com/lib/part"}},
		{"high/high_test.go", []string{module + "/middle"}},
	}}
	got := superfluous(packages, map[string]rule{"high": {own: []string{"low", "middle"}, others: []string{"example.com/lib", "example.com/other"}}})
	want := []string{"high: the table in internal/archtest allows example.com/other, which it does not import",
		"high: the table in internal/archtest allows middle, which it does not import"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCheckFindsARowWithoutAPackage(t *testing.T) {
	t.Parallel()
	got := check(nil, map[string]rule{"gone": {}}, rule{})
	want := []string{"gone: in the table in internal/archtest, but there is no such package"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestReadFilesRefusesWhatItCannotParse(t *testing.T) {
	t.Parallel()
	tree := fstest.MapFS{"low/a.go": {Data: []byte("package low\nimport os\n")}}
	if _, err := readFiles(tree); err == nil {
		t.Error("a file that cannot be parsed was passed by")
	}
}
