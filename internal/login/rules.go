package login

import "github.com/poscrape/poscrape/scrape"

// startURL returns where the recipe says that signing in begins, or "".
func startURL(r *scrape.Recipe) string {
	if r.Login == nil {
		return ""
	}
	return r.Login.StartURL
}

// success returns by which element, or by which texts, the recipe recognises that somebody is
// signed in. Both may be empty.
func success(r *scrape.Recipe) (selector string, texts []string) {
	if r.Login == nil {
		return "", nil
	}
	return r.Login.Success.Selector, r.Login.Success.Text
}
