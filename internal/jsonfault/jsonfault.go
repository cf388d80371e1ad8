// Package jsonfault finds what an answer of JSON says of errors, as many interfaces say it with the status 200.
package jsonfault

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/internal/jsondata"
)

// Words that say so alone are here; those that an order can have as well, such as its status, are in code.go.

// Fault is a member of an answer that says that something went wrong; the zero value is none.
type Fault struct {
	// Name is what it is called, with the value of a flag or code. Said is its message, or empty.
	Name, Said string
}

// In returns what an answer says of errors. own reports whether a text is the order's number.
func In(value any, own func(string) bool) Fault {
	switch v := value.(type) {
	case []any: // several answers in one, or errors alone
		for _, inner := range v {
			object, _ := inner.(map[string]any)
			if said := faultOf(object, own); said != (Fault{}) {
				return said
			}
		}
	case map[string]any:
		return cmp.Or(faultOf(v, own), reportsFault(v, own))
	}
	return Fault{}
}

// faultOf returns what an object, or one that holds its data or says how the request went, says of errors.
func faultOf(object map[string]any, own func(string) bool) Fault {
	said := Of(object)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if inner, is := object[name].(map[string]any); is && wrappers[Folded(name)] {
			said = cmp.Or(said, Of(inner))
			if reportHolder[Folded(name)] {
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

// Folded is how the names of members are compared: has_errors is HasErrors, and odata.error is error.
func Folded(name string) string {
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

// Of returns what the members of an object say of errors.
func Of(object map[string]any) Fault {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		folded, value := Folded(name), object[name]
		text, single := jsondata.Scalar(value)
		text = strings.ToLower(strings.TrimSpace(text))
		switch {
		case falseName[folded] && single && slices.Contains([]string{"false", "0", "no", "n"}, text):
			return Fault{Name: name + ": " + text}
		case trueName[folded] && text == "true":
			return Fault{Name: name + ": true"}
		case errorName.MatchString(folded):
			if said, is := saysFault(value); is {
				return Fault{name, said}
			}
		}
	}
	return Fault{}
}

// saysFault returns what the errors of an answer say, and whether there are any.
func saysFault(value any) (said string, is bool) {
	switch v := value.(type) {
	case []any:
		for _, inner := range v {
			if said, is = saysFault(inner); is {
				return said, true
			}
			if object, is := inner.(map[string]any); is && len(object) == 0 || !Blank(inner) {
				return "no message", true
			}
		}
	case map[string]any:
		if Blank(v) {
			return "", false
		}
		for _, name := range []string{"message", "detail", "title", "faultstring", "code", "errorCode"} {
			if text, is := v[name].(string); is && text != "" {
				return text, true
			}
		}
		return "no message", true
	}
	text, single := jsondata.Scalar(value)
	return text, single && !MeansNone(text)
}

// none are the words that an answer without errors has in their place.
var none = setOf("false none null nil ok okay success successful succeeded - undefined")

// MeansNone reports whether a text in the place of an error, or of its code, says that there is none.
func MeansNone(text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	return strings.Trim(text, "0.") == "" || none[text]
}

// Blank reports whether a value, and all that is in it, is null, empty, or means none.
func Blank(value any) bool {
	return !jsondata.AnyScalar(value, func(text string) bool { return !MeansNone(text) })
}

// IsFlag reports whether a member that is called so says by itself whether something went wrong.
func IsFlag(folded string) bool {
	return errorName.MatchString(folded) || falseName[folded] || trueName[folded]
}

// Wraps reports whether a member that is called so holds an answer's data, or what is said of them.
func Wraps(folded string) bool { return wrappers[folded] }

// setOf returns the words of a text.
func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}
