package scrape

import (
	"encoding/base64"
	"strings"

	"github.com/poscrape/poscrape/browser"
)

// inlined returns the data address of a document whose bytes stand in the portal's data: as a data
// address already, or as base64 alone. It is empty where there are none.
func inlined(content string) string {
	switch {
	case content == "":
		return ""
	case strings.HasPrefix(content, "data:"):
		return content
	}
	return "data:;base64," + content
}

var plainBase64 = strings.NewReplacer(" ", "", "\t", "", "\r", "", "\n", "", "-", "+", "_", "/")

// fromBase64 decodes base64 of either alphabet, with or without padding.
func fromBase64(text string) ([]byte, error) {
	return base64.RawStdEncoding.DecodeString(strings.TrimRight(plainBase64.Replace(text), "="))
}

// shown is the document's address as records and messages have it.
func (it item) shown() string {
	if isData(it.URL) {
		return "data:..."
	}
	return browser.Redact(it.URL)
}

// holder names what has the bytes of a document that no address has to be asked for.
func (it item) holder() string {
	if it.Inline {
		return "its content in the portal's data"
	}
	return "its data address"
}
