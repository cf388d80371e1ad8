package scrape

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/poscrape/poscrape/internal/spelling"
)

type (
	// readNode reads the node at a path of keys, or adds a problem.
	readNode func(n ast.Node, path string)
	// recipeKeys says how each key of a mapping is read.
	recipeKeys map[string]readNode
)

// keys reads a mapping whose keys are known, and returns the values it has, or
// nil and a problem where n is no mapping.
func (rd *recipeReader) keys(n ast.Node, path string, required []string, known recipeKeys) map[string]ast.Node {
	if rd.onKeys != nil {
		rd.onKeys(path, required, known)
	}
	seen := map[string]ast.Node{}
	if !rd.each(n, path, func(key ast.Node, name, keyPath string, value ast.Node) {
		seen[name] = value
		read, ok := known[name]
		switch {
		case ok:
			read(value, keyPath)
		default:
			hint := "known here: " + strings.Join(slices.Sorted(maps.Keys(known)), ", ")
			if near := spelling.Nearest(name, slices.Sorted(maps.Keys(known))); near != "" {
				hint = fmt.Sprintf("did you mean %q?", near)
			}
			rd.problem(key, keyPath, "is not a key of a recipe; %s", hint)
		}
	}) {
		return nil
	}
	for _, name := range required {
		if seen[name] == nil {
			rd.problem(n, joinPath(path, name), "is missing")
		}
	}
	return seen
}

// oneOf sees that a mapping has exactly one of the keys.
func (rd *recipeReader) oneOf(n ast.Node, path string, seen map[string]ast.Node, names ...string) {
	if seen == nil {
		return
	}
	first := ""
	for _, name := range names {
		switch {
		case seen[name] == nil:
		case first != "":
			rd.problem(seen[name], joinPath(path, name), "stands beside %s; only one of them can say where it is", first)
		default:
			first = name
		}
	}
	if first == "" {
		rd.problem(n, joinPath(path, names[0]), "is missing; write one of %s", strings.Join(names, ", "))
	}
}

// each visits the entries of a mapping, and reports whether n is one.
func (rd *recipeReader) each(n ast.Node, path string, visit func(key ast.Node, name, keyPath string, value ast.Node)) bool {
	m, ok := n.(*ast.MappingNode)
	if !ok {
		subject := ""
		if path == "" {
			subject = "the file "
		}
		rd.problem(n, path, "%s%v", subject, wrongKind(n, "keys with values"))
		return false
	}
	for _, entry := range m.Values {
		name := entry.Key.GetToken().Value
		visit(entry.Key, name, joinPath(path, name), entry.Value)
	}
	return true
}

func joinPath(path, name string) string {
	return strings.TrimPrefix(path+"."+name, ".")
}

func (rd *recipeReader) section(required []string, known recipeKeys) readNode {
	return func(n ast.Node, path string) { rd.keys(n, path, required, known) }
}

// one reads a single value into dst.
func one[T any](rd *recipeReader, dst *T, parse func(ast.Node) (T, error)) readNode {
	return func(n ast.Node, path string) {
		value, err := parse(n)
		if err != nil {
			rd.problem(n, path, "%v", err)
			return
		}
		*dst = value
		rd.recipe.noteTemplate(n, path)
	}
}

// many reads a list of values, or one, into dst.
func many[T any](rd *recipeReader, dst *[]T, parse func(ast.Node) (T, error)) readNode {
	return func(n ast.Node, path string) {
		nodes := []ast.Node{n}
		if list, ok := n.(*ast.SequenceNode); ok {
			nodes = list.Values
		}
		*dst = nil
		for _, item := range nodes {
			value, err := parse(item)
			if err != nil {
				rd.problem(item, path, "%v", err)
				continue
			}
			*dst = append(*dst, value)
		}
	}
}

func scalarText(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return n.Value.Value, true
	}
	return "", false
}

// wrongKind says that a node is not what it must be, and what people mean who
// write it so.
func wrongKind(n ast.Node, want string) error {
	is, hint := "text", ""
	switch n.(type) {
	case *ast.NullNode:
		is, hint = "nothing", "a value that begins with # must be in quotes"
	case *ast.AliasNode, *ast.AnchorNode, *ast.TagNode:
		is, hint = "a YAML alias, anchor or tag", "a value that begins with *, & or ! must be in quotes"
	case *ast.MappingNode:
		is, hint = "keys with values", "a value that begins with { must be in quotes"
	case *ast.SequenceNode:
		is, hint = "a list", "a value that begins with [ must be in quotes"
	case *ast.BoolNode:
		is, hint = n.GetToken().Value, "put it in quotes"
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		is, hint = "a number", "put it in quotes"
	}
	if want != "text" {
		return fmt.Errorf("must be %s, not %s", want, is)
	}
	return fmt.Errorf("must be %s, not %s; %s", want, is, hint)
}
