// Package shell writes commands as a person types them, for messages that say what to do next.
package shell

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

var plain = regexp.MustCompile(`^[\w@%+=:,./-]+$`)

// Word returns a word as it is typed into a POSIX shell.
func Word(word string) string {
	if plain.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Flag returns a space and a flag with its value, such as " --state FILE", or nothing where the
// value is empty.
func Flag(name, value string) string {
	if value == "" {
		return ""
	}
	return " --" + name + " " + Word(value)
}

// Sheet is what flags say of a sheet. What is empty is not said.
type Sheet struct {
	// Recipes are the recipes' files.
	Recipes []string
	// Name is the sheet's in its workbook.
	Name string
	// Encoding is its text's.
	Encoding string
	// Columns are by what they are, such as "po".
	Columns map[string]string
	// URL is the template of the orders' addresses.
	URL string
	// AllowLocal: the orders' addresses may lead inside.
	AllowLocal bool
	// State is the sign-in's file.
	State string
}

// RecipeFlags returns the flags for the recipes, each after a space.
func (s Sheet) RecipeFlags() string {
	flags := ""
	for _, recipe := range s.Recipes {
		flags += Flag("recipe", recipe)
	}
	return flags
}

// Reading returns the flags that say how the sheet is read, each after a space.
func (s Sheet) Reading() string {
	return Flag("sheet", s.Name) + Flag("encoding", s.Encoding) + s.matching()
}

// Again returns the flags that the sheet's rows need in another file, each after a space.
func (s Sheet) Again() string { return s.RecipeFlags() + s.matching() + Flag("state", s.State) }

// matching says what the columns are, and where orders are and may be opened.
func (s Sheet) matching() string {
	flags := ""
	for _, role := range slices.Sorted(maps.Keys(s.Columns)) {
		flags += Flag("column", role+"="+s.Columns[role])
	}
	flags += Flag("url", s.URL)
	if s.AllowLocal {
		flags += " --allow-local"
	}
	return flags
}
