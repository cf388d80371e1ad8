package setup

import (
	"cmp"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// ResumeCommand is what a person types to go on with the session.
func (c Config) ResumeCommand() string { return c.ResumeWith("") }

// ResumeWith is what a person types to go on with the session and a sign-in in a file, which is
// empty where the session finds it by itself.
func (c Config) ResumeWith(state string) string {
	command := "poscrape resume "
	if state != "" {
		command += "--state " + quoted(state) + " "
	}
	return command + quoted(c.Out)
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
func (c Config) RetryCommand() string { return "poscrape retry " + quoted(c.Out) }

// LoginCommand is what a person types to sign in at the portal of a recipe's file, which is
// empty for the built-in recipe. That does not know where its portal is, but an order's address
// says so, if it is known.
func (c Config) LoginCommand(recipe, address string) string {
	command := "poscrape login"
	if recipe != "" {
		command += " --recipe " + quoted(recipe)
	} else if site := cmp.Or(SiteOf(address), SiteOf(c.URL), "https://PORTAL/"); site != "" {
		command += " --url " + quoted(site)
	}
	if state := cmp.Or(c.State, c.SignInFile(recipe)); state != "" {
		command += " --state " + quoted(state)
	}
	return command
}

// SiteOf returns the site of a page's address, or of a template of such, and empty where that says none.
func SiteOf(address string) string {
	before, _, _ := strings.Cut(address, "{")
	u, err := url.Parse(before)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.Scheme + "://" + u.Host + "/"
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
