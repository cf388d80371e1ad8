// Package remote serves the windows of an attended browser as a page in another browser:
// pictures go out, clicks and keys come in. The newest window is shown; when it closes, the
// one before.
//
// Whoever knows the page's address can use the browser, so the address holds a secret, and
// requests that lack it, or that another site's page makes, are refused. What a person types
// is passed on and kept nowhere. The package knows neither recipes nor what a sign-in is.
package remote
