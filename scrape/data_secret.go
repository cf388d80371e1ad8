package scrape

import (
	"encoding/base64"
	"strings"
	"unicode"

	"github.com/poscrape/poscrape/browser"
)

// What a page sends in the headers that a recipe names is nobody else's, whatever they are called: it is
// hidden wherever a server repeats it. So are the values of all headers that are called like secrets.

const (
	// minPiece is how long a part of a value must be that is hidden by itself.
	minPiece = 16
	// minFigure is how many digits a value must have that is hidden in data: others stand in figures.
	minFigure = 12
)

// isPublic reports whether a header says nothing that is anybody's own.
func isPublic(name string) bool {
	return strings.HasPrefix(name, "accept") || name == "x-requested-with" || name == "content-language"
}

// headerSecrets returns what is to be hidden of the value of a header: that, what stands behind a word
// such as Bearer, and its long parts.
func headerSecrets(value string) (secrets []secretText) {
	add := func(text string) {
		figure := len(text) < minFigure && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsDigit(r) && !strings.ContainsRune(".,-+", r) })
		secrets = append(secrets, secretText{text, !figure})
	}
	add(strings.TrimSpace(value))
	words := strings.Fields(value)
	if len(words) > 1 {
		add(words[len(words)-1])
	}
	if len(words) == 2 && strings.EqualFold(words[0], "basic") {
		if plain, err := base64.StdEncoding.DecodeString(words[1]); err == nil {
			_, password, _ := strings.Cut(string(plain), ":")
			add(string(plain))
			add(password)
		}
	}
	for _, part := range strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(` ,;="'/.:`, r) }) {
		if len(part) >= minPiece {
			add(part)
		}
	}
	return secrets
}

// forgetHeaders has veil begin anew.
func (a *attempt) forgetHeaders() {
	if a.portal.recipe.sendsHeaders() { // then no other attempt is made in the browser meanwhile
		a.browser.ForgetHeaders()
	}
}

// veil returns what hides the recipe's secrets, and those that scripts of any page have put into requests
// at this attempt, whether these were answered or not.
func (a *attempt) veil() *veil {
	sends := a.portal.recipe.sendsHeaders()
	if !sends && len(a.concealed) == 0 {
		return a.portal.veil()
	}
	secrets := append(a.portal.recipe.secrets(), a.concealed...)
	if !sends {
		return newVeil(secrets)
	}
	named := map[string]bool{}
	for _, h := range a.portal.recipe.headers() {
		named[strings.ToLower(h.Name)] = named[strings.ToLower(h.Name)] || h.ofPage()
	}
	add := func(name, value string) {
		if secret := browser.SaysSecret(name) && len(value) >= minHiddenData; !secret && !named[name] || isPublic(name) {
			return
		}
		for _, s := range headerSecrets(value) {
			if !strings.EqualFold(s.text, a.task.PO) && s.text != a.task.Digits {
				secrets = append(secrets, s)
			}
		}
	}
	a.browser.EachHeader(add)
	return newVeil(secrets)
}
