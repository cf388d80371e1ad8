package archtest

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

var (
	// quotedName is what stands between back quotes in a text.
	quotedName = regexp.MustCompile("`([^`\n]+)`")
	// sourceName is the name of a file of the source, with or without its folder.
	sourceName = regexp.MustCompile(`^[\w./-]+\.(go|js|md|sh)$`)
	// declared is a name of a package, as in pool.Limit.
	declared = regexp.MustCompile(`^([a-z]+)\.([A-Z]\w*)$`)
)

// sources returns the paths of the files of a tree, by their base names.
func sources(tree fs.FS) (map[string][]string, error) {
	byName := map[string][]string{}
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
			return fs.SkipDir
		case !d.IsDir():
			byName[d.Name()] = append(byName[d.Name()], name)
		}
		return nil
	})
	return byName, err
}

// unknownNames returns the files, folders and declarations that a text names between back
// quotes and that are not there.
func unknownNames(tree fs.FS, text string) ([]string, error) {
	byName, err := sources(tree)
	if err != nil {
		return nil, err
	}
	var unknown []string
	for _, found := range quotedName.FindAllStringSubmatch(text, -1) {
		name := found[1]
		top, _, isPath := strings.Cut(name, "/")
		switch {
		case sourceName.MatchString(name):
			if !slices.ContainsFunc(byName[path.Base(name)], func(p string) bool { return p == name || strings.HasSuffix(p, "/"+name) && !isPath }) {
				unknown = append(unknown, name)
			}
		case isPath && isFolder(tree, top):
			if !isFolder(tree, name) {
				unknown = append(unknown, name)
			}
		case declared.MatchString(name):
			parts := declared.FindStringSubmatch(name)
			if isFolder(tree, parts[1]) && !declares(tree, parts[1], parts[2]) {
				unknown = append(unknown, name)
			}
		}
	}
	slices.Sort(unknown)
	return slices.Compact(unknown), nil
}

func isFolder(tree fs.FS, name string) bool {
	info, err := fs.Stat(tree, name)
	return err == nil && info.IsDir()
}

// declares reports whether a file of a package declares a name at its top.
func declares(tree fs.FS, dir, name string) bool {
	files, _ := fs.Glob(tree, dir+"/*.go")
	declaration := regexp.MustCompile(`(?m)^(func|type|var|const|\t)\s*` + name + `\b`)
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := fs.ReadFile(tree, file)
		return err == nil && declaration.Match(text)
	})
}

// TestNamesInTheDocsAreThere: a reader who looks for what docs/architecture.md or a decision
// names finds it.
func TestNamesInTheDocsAreThere(t *testing.T) {
	t.Parallel()
	docs, err := filepath.Glob(root + "/docs/decisions/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range append(docs, root+"/docs/architecture.md") {
		text, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		unknown, err := unknownNames(os.DirFS(root), string(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range unknown {
			t.Errorf("%s names %s, which is not there", filepath.Base(doc), name)
		}
	}
}

func TestUnknownNamesAreFound(t *testing.T) {
	t.Parallel()
	tree := fstest.MapFS{"pool/hold.go": {Data: []byte("package pool\n\ntype Limit struct{}\n")}}
	unknown, err := unknownNames(tree, "`pool/hold.go` `hold.go` `pool.Limit` `pool` "+
		"`pool/gone.go` `gone.go` `pool.Gone` `pool/gone` `other/hold.go` `session.db` `kill -9`\n| `pool` | |\n")
	want := []string{"gone.go", "other/hold.go", "pool.Gone", "pool/gone", "pool/gone.go"}
	if err != nil || !slices.Equal(unknown, want) {
		t.Errorf("%v, %v; want %v", unknown, err, want)
	}
}
