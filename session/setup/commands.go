package setup

import (
	"cmp"
	"strings"

	"github.com/poscrape/poscrape/internal/shell"
	"github.com/poscrape/poscrape/scrape"
)

// ResumeCommand is what a person types to go on with the session.
func (c Config) ResumeCommand() string { return c.ResumeWith("") }

// ResumeWith is what a person types to go on with the session and a sign-in in a file, which is
// empty where the session finds it by itself.
func (c Config) ResumeWith(state string) string {
	return "poscrape resume" + shell.Flag("state", state) + " " + shell.Word(c.Out)
}

// signInName is the file for a sign-in where neither a setting nor a recipe has a name for it.
const signInName = "portal.state.json"

// SignInFile is the file that LoginCommand saves a sign-in to where the session does not find it by
// itself, and empty where it does.
func (c Config) SignInFile(recipe string) string {
	if recipe == "" && c.State == "" {
		return signInName
	}
	return ""
}

// RetryCommand is what a person types to have orders that did not end well read again.
func (c Config) RetryCommand() string { return "poscrape retry " + shell.Word(c.Out) }

// MendedCommand is RetryCommand with the recipes read anew.
func (c Config) MendedCommand() string {
	command := "poscrape retry"
	for _, recipe := range append([]string{c.RecipeFile}, c.MoreRecipes...) {
		command += shell.Flag("recipe", recipe)
	}
	return command + " " + shell.Word(c.Out)
}

// LoginCommand is what a person types to sign in at the portal of a recipe's file, which is
// empty for the built-in recipe. That does not know where its portal is, but an order's address
// says so, if it is known.
func (c Config) LoginCommand(recipe, address string) string {
	command := "poscrape login"
	if recipe != "" {
		command += shell.Flag("recipe", recipe)
	} else {
		command += shell.Flag("url", cmp.Or(SiteOf(address), SiteOf(c.URL), "https://PORTAL/"))
	}
	return command + shell.Flag("state", cmp.Or(c.State, c.SignInFile(recipe)))
}

// SiteOf returns the site of a page's address, or of a template of such, and empty where that says none.
func SiteOf(address string) string {
	if origin := scrape.Origin(address); origin != "" {
		return origin + "/"
	}
	return ""
}

// CheckCommand is what a person types to see what orders of the sheet show, or empty where
// the sheet was not read from a file.
func (c Config) CheckCommand(orders []string) string {
	if c.File == "" || c.File == "-" {
		return ""
	}
	return "poscrape check " + shell.Word(c.File) + c.flags().RecipeFlags() + c.ReadingFlags() + shell.Flag("state", c.State) +
		shell.Flag("probe", strings.Join(orders, ","))
}

// RunCommand is what a person types to run the sheet with a recipe's file, read as it was here.
func (c Config) RunCommand(recipe string) string {
	return "poscrape run" + shell.Flag("recipe", recipe) + c.ReadingFlags() + shell.Flag("state", c.State) + " " + shell.Word(c.File)
}

// ReadingFlags are the flags that say how the sheet is read, each after a space.
func (c Config) ReadingFlags() string { return c.flags().Reading() }

// AgainFlags are the flags that the sheet's rows need in another file, each after a space.
func (c Config) AgainFlags() string { return c.flags().Again() }

func (c Config) flags() shell.Sheet {
	return shell.Sheet{Recipes: append([]string{c.RecipeFile}, c.MoreRecipes...), Name: c.Sheet, Encoding: c.Encoding, Columns: c.Columns, URL: c.URL, AllowLocal: c.AllowLocal, State: c.State}
}

// TypedURL is URL, or empty where it does not count as typed: then it says neither who may have a secret
// nor that addresses may lead inside.
func (c Config) TypedURL() string {
	if c.URLFound {
		return ""
	}
	return c.URL
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
