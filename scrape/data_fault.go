package scrape

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/browser"
)

// An answer with the status 200 may say all the same that something went wrong, as GraphQL does: it
// gives no values then, and what is missing in it is not known to be none. Words that say so alone are
// here; those that an order can have as well, such as its status, are in data_code.go.

// faultIn returns what an answer says of errors, to go behind its address, or an empty text. own
// reports whether a text is the order's number.
func faultIn(value any, own func(string) bool) string {
	switch v := value.(type) {
	case []any: // several answers in one, or errors alone
		for _, inner := range v {
			object, _ := inner.(map[string]any)
			if said := faultOf(object, own); said != "" {
				return said
			}
		}
	case map[string]any:
		return cmp.Or(faultOf(v, own), reportsFault(v, own))
	}
	return ""
}

// fault returns what an answer of a kind says of errors; one kind says nothing else (RFC 9457).
func (a *attempt) fault(value any, kind string) string {
	said := faultIn(value, a.names)
	if said == "" && strings.Contains(strings.ToLower(kind), "problem+json") {
		said = "was answered with a problem (application/problem+json)"
	}
	return said
}

// faultOf returns what an object, or one that holds its data or says how the request went, says of errors.
func faultOf(object map[string]any, own func(string) bool) string {
	said := saysFaulty(object)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if inner, is := object[name].(map[string]any); is && wrappers[foldedName(name)] {
			said = cmp.Or(said, saysFaulty(inner))
			if reportHolder[foldedName(name)] {
				said = cmp.Or(said, reportsFault(inner, own))
			}
		}
	}
	return said
}

// wrappers are the members of an answer that hold its data, or what is said of them.
var wrappers = setOf("data meta metadata result response d payload body status responsestatus responseheader")

// reportHolder are those of them that say how the request went.
var reportHolder = setOf("meta metadata status response responsestatus responseheader")

// foldedName is how the names of members are compared: has_errors is HasErrors, and odata.error is error.
func foldedName(name string) string {
	if at := strings.LastIndexAny(name, ".:"); at >= 0 && !strings.HasPrefix(name, "@") {
		name = name[at+1:]
	}
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
}

var (
	// errorName is what is called an error, and not how many there are or where they are shown.
	errorName = regexp.MustCompile(`^(?:(?:api|rest|odata|server|service|system|global|general|request|response|auth)?err(?:or)?s?` +
		`(?:response|list|messages?|msgs?|texts?|descriptions?|desc|details?|info|reason|code|no|num|number)?|errno|fault(?:string|code)?|exceptionmessage|stacktrace)$`)
	// falseName is a flag that is false where something went wrong, and trueName one that is true.
	falseName = setOf("success ok issuccess issuccessful successful succeeded isok authenticated isauthenticated")
	trueName  = setOf("haserrors haserror iserror errored sessionexpired sessiontimeout loginrequired unauthenticated accessdenied failed")
)

// saysFaulty returns what the members of an object say of errors, or an empty text.
func saysFaulty(object map[string]any) string {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		folded, value := foldedName(name), object[name]
		text, single := scalar(value)
		text = strings.ToLower(strings.TrimSpace(text))
		switch {
		case falseName[folded] && single && slices.Contains([]string{"false", "0", "no", "n"}, text):
			return fmt.Sprintf("was answered with %s: %s", name, text)
		case trueName[folded] && text == "true":
			return fmt.Sprintf("was answered with %s: true", name)
		case errorName.MatchString(folded):
			if said, is := saysFault(value); is {
				return withWords(name, said)
			}
		}
	}
	return ""
}

// withWords names a member of an answer, with its words.
func withWords(name, said string) string {
	return fmt.Sprintf("was answered with %s (%s)", name, quoted(browser.RedactText(shortly(said))))
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

// saysFault returns what the errors of an answer say, and whether there are any.
func saysFault(value any) (said string, is bool) {
	switch v := value.(type) {
	case []any:
		for _, inner := range v {
			if said, is = saysFault(inner); is {
				return said, true
			}
			if object, is := inner.(map[string]any); is && len(object) == 0 || !blank(inner) {
				return "no message", true
			}
		}
	case map[string]any:
		if blank(v) {
			return "", false
		}
		for _, name := range []string{"message", "detail", "title", "faultstring", "code", "errorCode"} {
			if text, is := v[name].(string); is && text != "" {
				return text, true
			}
		}
		return "no message", true
	}
	text, single := scalar(value)
	return text, single && !meansNone(text)
}

// none are the words that an answer without errors has in their place.
var none = setOf("false none null nil ok okay success successful succeeded - undefined")

// meansNone reports whether a text in the place of an error, or of its code, says that there is none.
func meansNone(text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	return strings.Trim(text, "0.") == "" || none[text]
}

// blank reports whether a value, and all that is in it, is null, empty, or means none.
func blank(value any) bool {
	return !anyScalar(value, func(text string) bool { return !meansNone(text) })
}

// setOf returns the words of a text.
func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}
