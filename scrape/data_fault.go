package scrape

import (
	"fmt"
	"strings"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/jsonfault"
)

// fault returns what an answer of a kind says of errors; one kind says nothing else (RFC 9457).
func (a *attempt) fault(value any, kind string) string {
	said := faultText(jsonfault.In(value, a.names))
	if said == "" && strings.Contains(strings.ToLower(kind), "problem+json") {
		said = "was answered with a problem (application/problem+json)"
	}
	return said
}

// faultText says what an answer says of errors, to go behind its address, or returns an empty text.
func faultText(f jsonfault.Fault) string {
	switch {
	case f == jsonfault.Fault{}:
		return ""
	case f.Said == "":
		return "was answered with " + shortly(f.Name)
	}
	return fmt.Sprintf("was answered with %s (%s)", shortly(f.Name), quoted(browser.RedactText(shortly(f.Said))))
}

// fault returns what one of the answers says of errors, or an empty text.
func (s *dataset) fault() string {
	for _, d := range s.list {
		if text := d.says(); text != "" {
			return text
		}
	}
	return ""
}

// says returns what the answer says of errors, with its address, or an empty text.
func (d datum) says() string {
	if d.fault == "" {
		return ""
	}
	return browser.Redact(d.from) + " " + d.fault
}

// setOf returns the words of a text.
func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}
