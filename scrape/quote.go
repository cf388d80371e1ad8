package scrape

import (
	"fmt"
	"strconv"
	"strings"
)

// quoted is a text of the page in a message.
func quoted(text string) string { return strconv.Quote(text) }

func quotedAll(texts []string) string {
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = quoted(text)
	}
	return strings.Join(all, ", ")
}

// count is so many of something, in words.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
