//go:build !chaos

package worker

import "github.com/poscrape/poscrape/browser"

// hurry leaves a browser's patience as it is. The fault suite builds poscrape with the tag
// chaos, under which the environment can shorten it.
func hurry(*browser.Config) {}
