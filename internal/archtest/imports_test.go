package archtest

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// file is one Go file and what it imports.
type file struct {
	path    string
	imports []string
}

func (f file) isTest() bool { return strings.HasSuffix(f.path, "_test.go") }

// readFiles returns the Go files of the tree by package, the directory's path.
// As the go command does, it passes by testdata and names that begin with "." or
// "_"; unlike it, it reads files for all systems.
func readFiles(tree fs.FS) (map[string][]file, error) {
	packages := map[string][]file{}
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := entry.Name()
		hidden := base != "." && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_"))
		if entry.IsDir() {
			if hidden || base == "testdata" || base == "vendor" {
				return fs.SkipDir
			}
			return nil
		}
		if hidden || path.Ext(name) != ".go" {
			return nil
		}
		imports, err := readImports(tree, name)
		if err != nil {
			return err
		}
		dir := path.Dir(name)
		packages[dir] = append(packages[dir], file{name, imports})
		return nil
	})
	return packages, err
}

func readImports(tree fs.FS, name string) ([]string, error) {
	source, err := fs.ReadFile(tree, name)
	if err != nil {
		return nil, err
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), name, source, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	imports := make([]string, 0, len(parsed.Imports))
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: import %s: %w", name, spec.Path.Value, err)
		}
		imports = append(imports, imported)
	}
	return imports, nil
}

// check returns what is wrong with the imports of the packages, sorted.
func check(packages map[string][]file, rules map[string]rule, forTests rule) []string {
	var wrong []string
	for dir, files := range packages {
		r, known := rules[dir]
		if !known {
			wrong = append(wrong, dir+": a package that the table in internal/archtest does not know")
			continue
		}
		for _, f := range files {
			for _, imported := range f.imports {
				if !allowed(dir, f, imported, r, forTests) {
					wrong = append(wrong, fmt.Sprintf("%s: must not import %s", f.path, imported))
				}
			}
		}
	}
	for dir := range rules {
		if _, there := packages[dir]; !there {
			wrong = append(wrong, dir+": in the table in internal/archtest, but there is no such package")
		}
	}
	slices.Sort(wrong)
	return wrong
}

// superfluous returns what the rules allow, and nobody needs.
func superfluous(packages map[string][]file, rules map[string]rule) (names []string) {
	for dir, r := range rules {
		for _, name := range unused(packages[dir], r) {
			names = append(names, dir+": the table in internal/archtest allows "+name+", which it does not import")
		}
	}
	slices.Sort(names)
	return names
}

// unused returns what a rule allows files that are no tests, and none of them imports.
func unused(files []file, r rule) (names []string) {
	imported := func(is func(string) bool) bool {
		return slices.ContainsFunc(files, func(f file) bool { return !f.isTest() && slices.ContainsFunc(f.imports, is) })
	}
	for _, own := range r.own {
		if !imported(func(path string) bool { return path == module+"/"+own }) {
			names = append(names, own)
		}
	}
	for _, other := range r.others {
		if !imported(func(path string) bool { return path == other || strings.HasPrefix(path, other+"/") }) {
			names = append(names, other)
		}
	}
	return names
}

func allowed(dir string, f file, imported string, r, forTests rule) bool {
	if f.isTest() {
		if imported == path.Join(module, dir) {
			return true // an external test of its own package
		}
		r = rule{own: slices.Concat(r.own, r.tests, forTests.own), others: slices.Concat(r.others, forTests.others)}
	}
	if own, ok := strings.CutPrefix(imported, module+"/"); ok {
		return slices.Contains(r.own, own)
	}
	within := func(root string) bool { return imported == root || strings.HasPrefix(imported, root+"/") }
	if isStandard(imported) {
		return !r.noIO || !slices.ContainsFunc(io, within)
	}
	return slices.ContainsFunc(r.others, within)
}

// isStandard: only the paths of the standard library have no dot in their first element.
func isStandard(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return !strings.Contains(first, ".")
}
