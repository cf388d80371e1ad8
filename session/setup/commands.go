package setup

import "strings"

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
	if c.RecipeFile != "" {
		command += " --recipe " + quoted(c.RecipeFile)
	}
	if c.URL != "" {
		command += " --url " + quoted(c.URL)
	}
	return command + " --probe " + strings.Join(orders, ",")
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

// quoted returns a path as it is typed in a shell.
func quoted(path string) string {
	if strings.ContainsAny(path, " \t") {
		return `"` + path + `"`
	}
	return path
}
