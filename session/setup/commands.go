package setup

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// ResumeCommand is what a person types to go on with the session.
func (c Config) ResumeCommand() string { return "poscrape resume " + quoted(c.Out) }

// RetryCommand is what a person types to have orders that did not end well read again.
func (c Config) RetryCommand() string { return "poscrape retry " + quoted(c.Out) }

// LoginCommand is what a person types to sign in at the portal of a recipe's file, which is
// empty for the built-in recipe.
func (c Config) LoginCommand(recipe string) string {
	command := "poscrape login"
	if recipe != "" {
		command += " --recipe " + quoted(recipe)
	}
	if c.State != "" {
		command += " --state " + quoted(c.State)
	}
	return command
}

// CheckCommand is what a person types to see what orders of the sheet show, or empty where
// the sheet was not read from a file.
func (c Config) CheckCommand(orders []string) string {
	if c.File == "" || c.File == "-" {
		return ""
	}
	command := "poscrape check " + quoted(c.File)
	for _, recipe := range append([]string{c.RecipeFile}, c.MoreRecipes...) {
		if recipe != "" {
			command += " --recipe " + quoted(recipe)
		}
	}
	if c.Sheet != "" {
		command += " --sheet " + quoted(c.Sheet)
	}
	for _, role := range slices.Sorted(maps.Keys(c.Columns)) {
		command += " --column " + quoted(role+"="+c.Columns[role])
	}
	if c.URL != "" {
		command += " --url " + quoted(c.URL)
	}
	return command + " --probe " + quoted(strings.Join(orders, ","))
}

// AddressesFrom says where the addresses of the orders come from.
func (c Config) AddressesFrom() string {
	switch {
	case c.RecipeFile != "":
		return "the addresses in " + c.RecipeFile + " and in the sheet"
	case c.URL != "":
		return "--url and the addresses in the sheet"
	}
	return "the addresses in the sheet"
}

var plainWord = regexp.MustCompile(`^[\w@%+=:,./-]+$`)

// quoted returns a word as it is typed in a shell.
func quoted(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
