package scrape

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/poscrape/poscrape/inspect"
	"github.com/poscrape/poscrape/internal/jsonfault"
	"github.com/poscrape/poscrape/scrape/words"
)

// maxComplaint is how long a text may be that says no more than that something went wrong.
const maxComplaint = 400

// complains reports whether a text is what a server says in place of a document, in whichever
// form: that something went wrong, or that one has to sign in. whole: text is all of it.
func complains(text string, form inspect.Form, whole bool) bool {
	switch form {
	case inspect.XML:
		return xmlComplains(text, whole)
	case inspect.JSON:
		return jsonComplains(text, whole)
	case inspect.HTML:
		return htmlComplains(text, whole)
	case inspect.Text:
		return whole && textComplains(text) || trace.MatchString(text)
	}
	return false
}

// trace is how the account of a program's failure begins.
var trace = regexp.MustCompile(`^\s*(?:Traceback \(most recent call last\):|(?:PHP )?Fatal error: |(?:Exception in thread "[^"]*" )?(?:java|javax|org|com)\.[\w.$]+(?:Exception|Error)\b|System\.[\w.]*Exception\b|ORA-\d{5}: )`)

// literals are what programs write where they have no text.
var literals = []string{"null", "undefined", "nan", "true", "false", "[object object]", "[object blob]"}

// What a text says that is no document: of the sure phrases a sentence is enough, the others count only with
// nothing else. What stands besides changes nothing.
var (
	sureRefusals = sync.OnceValue(func() words.Lookup { return words.For(sureIdeas...) })
	allRefusals  = sync.OnceValue(func() words.Lookup {
		return words.For(append(slices.Clone(sureIdeas), "notFound", "error", "maintenance", "failed")...)
	})
	besideRefusals = sync.OnceValue(func() words.Lookup {
		return words.For("order", "number", "loaded", "besides", "documentHeading")
	})
	sureIdeas = []string{"signIn", "denied", "locked", "passwordExpired"}
)

var (
	withDigit = regexp.MustCompile(` \S*\d\S* `)
	sentence  = regexp.MustCompile(`^.+?(?:[.!?:;,]\s|[\r\n]|$)`)
	tabular   = regexp.MustCompile(`^[^\r\n]*(?:\t|;[^\r\n]*;|,[^\r\n]*,[^\r\n]*,)`)
)

// textComplains reports whether a text of a few words says nothing but a refusal.
func textComplains(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" || utf8.RuneCountInString(text) > maxComplaint || tabular.MatchString(text) {
		return false
	}
	if slices.Contains(literals, strings.ToLower(text)) {
		return true
	}
	// only reports whether a text says a refusal, and nothing else.
	only := func(text string, refusals words.Lookup) bool {
		all, besides := words.Sequence(text), besideRefusals()
		left, found := refusals.Without(all)
		left, _ = besides.Without(left)
		left = withDigit.ReplaceAllString(left, "  ")
		if found {
			return strings.TrimSpace(left) == ""
		}
		bare, _ := besides.Without(withDigit.ReplaceAllString(all, "  "))
		return slices.ContainsFunc([]string{all, left, withDigit.ReplaceAllString(all, "  "), bare}, refusals.Is)
	}
	if only(text, allRefusals()) {
		return true
	}
	first := sentence.FindString(text)
	_, found := sureRefusals().Without(words.Sequence(first))
	return found && only(first, sureRefusals())
}

// What a complaint in data has besides what jsonfault.Of knows: a status, words, and what says where
// and when it was.
var (
	statusNames = setOf("status statuscode code httpstatus httpcode responsecode result resultcode stat state")
	wordNames   = setOf("message msg messages detail details reason")
	titleNames  = setOf("title description type")
	besideNames = setOf(`timestamp time path trace traceid requestid instance documentationurl helplink correlationid
		hostid resource method redirect redirecturl location login loginurl url key activityid errorid eventid date datetime moreinfo`)
	badStatus = regexp.MustCompile(`^(?:[45]\d\d|error|fail(?:ed|ure)?|unauthori[sz]ed|forbidden|denied|access_?denied|expired|session_?expired|not_?found|invalid_?session\w*)$`)
)

// dataComplains reports whether an object is nothing but a complaint: of what a document has in it
// nobody could tell.
func dataComplains(members map[string]any) bool {
	failed, coded, told, titled := jsonfault.Of(members) != jsonfault.Fault{}, false, false, false
	for name, value := range members {
		key := jsonfault.Folded(name)
		text, single := scalar(value)
		switch {
		case value == nil, jsonfault.IsFlag(key), besideNames[key]:
		case statusNames[key]:
			bad := badStatus.MatchString(strings.ToLower(strings.TrimSpace(text)))
			failed, coded = failed || bad && !isText(value), coded || bad
		case wordNames[key], titleNames[key]:
			failed = failed || single && textComplains(text)
			told, titled = told || wordNames[key], titled || titleNames[key]
		case key != "data" || !jsonfault.Blank(value):
			return false
		}
	}
	return failed || (told || coded) && !titled
}

func isText(value any) bool {
	_, is := value.(string)
	return is
}

// errorFirst is an object that begins with an error, however long it is.
var errorFirst = regexp.MustCompile(`(?is)^\s*\{\s*"(?:errors?|fault|exception|error_?code|error_?message)"\s*:\s*("[^"\s][^"]*|[1-9-]|true\b|[\[{]\s*[^\s\]}])`)

func jsonComplains(text string, whole bool) bool {
	m := errorFirst.FindStringSubmatch(text)
	first := m != nil && !jsonfault.MeansNone(strings.TrimPrefix(m[1], `"`))
	if !whole {
		return first
	}
	var value any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if d.Decode(&value) != nil {
		return first
	}
	list, is := value.([]any)
	if !is {
		list = []any{value}
	}
	return len(list) > 0 && !slices.ContainsFunc(list, func(one any) bool {
		members, is := one.(map[string]any)
		return !is || len(members) == 0 || !dataComplains(members) && (!first || jsonfault.Of(members) == jsonfault.Fault{})
	})
}

var (
	errorRoot = regexp.MustCompile(`(?is)^\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:[\w-]+:)?(?:errors?|fault|errorresponse|errormessage|exception|(?:service)?exception(?:report)?|accessdenied)[\s>/]`)
	soapFault = regexp.MustCompile(`(?is)^\s*(?:<\?xml[^>]*>\s*)?<(?:[\w-]+:)?Envelope\b.*<(?:[\w-]+:)?Fault[\s>]`)
)

func xmlComplains(text string, whole bool) bool {
	if errorRoot.MatchString(text) || soapFault.MatchString(text) {
		return true
	}
	return whole && dataComplains(xmlMembers(text))
}

// xmlMembers returns the root's attributes and the elements in it, by their names: their texts,
// or, of those that hold others, that they do. It returns nothing where the root has a text of its own.
func xmlMembers(text string) map[string]any {
	d := xml.NewDecoder(strings.NewReader(text))
	d.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil }
	members, depth, name := map[string]any{}, 0, ""
	for {
		token, err := d.Token()
		if err != nil {
			if errors.Is(err, io.EOF) {
				return members
			}
			return nil
		}
		switch token := token.(type) {
		case xml.StartElement:
			switch depth++; depth {
			case 1:
				for _, a := range token.Attr {
					if a.Name.Space == "" && a.Name.Local != "xmlns" {
						members[a.Name.Local] = a.Value
					}
				}
			case 2:
				name = token.Name.Local
				members[name] = nil
			case 3:
				members[name] = []any{name}
			}
		case xml.EndElement:
			depth--
		case xml.CharData:
			said := strings.TrimSpace(string(token))
			switch before, nested := members[name].(string); {
			case said == "":
			case depth == 1:
				return nil
			case depth == 2 && (nested || members[name] == nil):
				members[name] = before + said
			}
		}
	}
}

var (
	passwordField = regexp.MustCompile(`(?i)<input\b[^>]*\btype\s*=\s*["']?password\b`)
	unseenMarkup  = regexp.MustCompile(`(?is)<!--.*?-->|<(?:script|style|template|noscript)\b.*?</(?:script|style|template|noscript)\s*>`)
	picture       = regexp.MustCompile(`(?i)<(?:img|svg|canvas|object|embed|iframe|frame)\b`)
	heading       = regexp.MustCompile(`(?is)<(?:title|h1)\b[^>]*>(.*?)</(?:title|h1)\s*>`)
	markup        = regexp.MustCompile(`(?s)<[^>]*>`)
)

// htmlComplains reports whether a page asks for a password, has nothing to say and to show, as one that
// leads to a sign-in, or has little to say, and a title or a heading that is a refusal.
func htmlComplains(text string, whole bool) bool {
	text = unseenMarkup.ReplaceAllString(text, " ")
	if passwordField.MatchString(text) {
		return true
	}
	said := func(part string) string {
		return strings.Join(strings.Fields(html.UnescapeString(markup.ReplaceAllString(part, " "))), " ")
	}
	if !whole || utf8.RuneCountInString(said(text)) > 2*maxComplaint {
		return false
	}
	return said(text) == "" && !picture.MatchString(text) || textComplains(said(text)) || slices.ContainsFunc(heading.FindAllStringSubmatch(text, -1), func(m []string) bool { return textComplains(said(m[1])) })
}
