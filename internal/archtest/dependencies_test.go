package archtest

import (
	"os"
	"regexp"
	"testing"
)

var (
	// requirement is a line of go.mod: module, version, and a mark where no
	// package of ours imports it.
	requirement = regexp.MustCompile(`(?m)^(?:require)?\s+([^\s()]+) (v\S+)( // indirect)?$`)
	// documented is a row of docs/dependencies.md: module and version.
	documented = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (v\\S+) \\|")
)

// undocumented returns what docs/dependencies.md lacks of go.mod, and the reverse.
func undocumented(goMod, doc string) []string {
	required := map[string]string{}
	rows := map[string]string{}
	for _, row := range documented.FindAllStringSubmatch(doc, -1) {
		rows[row[1]] = row[2]
	}
	var wrong []string
	for _, r := range requirement.FindAllStringSubmatch(goMod, -1) {
		name, version, indirect := r[1], r[2], r[3] != ""
		required[name] = version
		if !indirect && rows[name] == "" {
			wrong = append(wrong, name+": in go.mod, but docs/dependencies.md does not say why")
		}
	}
	for _, row := range documented.FindAllStringSubmatch(doc, -1) {
		if name, version := row[1], row[2]; required[name] != version {
			wrong = append(wrong, name+" "+version+": in docs/dependencies.md, but not in go.mod")
		}
	}
	return wrong
}

func TestDependenciesHaveTheirReasons(t *testing.T) {
	t.Parallel()
	goMod, err := os.ReadFile(root + "/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile(root + "/docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range undocumented(string(goMod), string(doc)) {
		t.Error(wrong)
	}
}

func TestUndocumentedFindsWhatIsWrong(t *testing.T) {
	t.Parallel()
	const goMod = "module m\n\ngo 1.26.8\n\nrequire example.com/one v1.0.0\n\n" +
		"require (\n\texample.com/a v1.2.3\n\texample.com/b v0.1.0 // indirect\n)\n"
	for _, c := range []struct {
		name, doc string
		want      int
	}{
		{"all there", "| `example.com/one` | v1.0.0 | x |\n| `example.com/a` | v1.2.3 | y |\n", 0},
		{"two missing", "", 2},
		{"another version", "| `example.com/one` | v1.0.0 | x |\n| `example.com/a` | v1.2.2 | y |\n", 1},
		{"one too many", "| `example.com/one` | v1.0.0 | x |\n| `example.com/a` | v1.2.3 | y |\n| `example.com/c` | v1.0.0 | z |\n", 1},
	} {
		if got := undocumented(goMod, c.doc); len(got) != c.want {
			t.Errorf("%s: got %q, want %d lines", c.name, got, c.want)
		}
	}
}
