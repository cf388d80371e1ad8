package scrape

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Many interfaces say by a status or a code that something went wrong: {"status": "error"}, {"code": 401}.
// An order has a status and codes as well. What tells the two apart: the report of an error has a
// message, or no data, and never the order's number.

var (
	// codeName is what a number, or a word, is called that says how a request went, and nothing else
	// than that; looseName may be a part of the data.
	codeName  = setOf("statuscode httpstatus httpstatuscode httpcode responsecode resultcode returncode retcode rspcode respcode resultstatus responsestatus")
	looseName = setOf("code status ret rc")
	// failedName is where a word says that it failed.
	failedName = setOf("status result outcome resultstatus responsestatus statustext")
	// failed are those words, and mayFail those that an order's own status may be.
	failedWord = setOf("error err fail failure exception unauthorized unauthenticated forbidden nok ko")
	mayFail    = setOf("failed denied expired timeout invalid unavailable false")
	failing    = regexp.MustCompile(`(?i)err|fail|unauth|forbid|denied|invalid|expired|not_?found|time_?out|exception|unavailable|required`)
	// sayingName is what people are told by, and messageName what is that alone.
	sayingName  = setOf("message msg detail details description reason title error errormessage errmsg resultmessage resultmsg returnmessage statusmessage statustext info hint text")
	messageName = setOf("message msg error errormessage errmsg resultmessage resultmsg returnmessage statusmessage")
	// placeName is where the request was sent to, which may have the order's number in it.
	placeName = setOf("path instance uri url href request target query q search")
	// reportName is what else stands in a report.
	reportName = setOf(`type instance timestamp time date datetime path trace traceid requestid correlationid errorid errorcode errorcount errors success ok version
		apiversion jsonrpc id extensions fields help documentationurl moreinfo support exception servertime duration took method
		authorized isauthorized`)
	// trueReport is a flag that is true where a request failed, or where an order did.
	trueReport = setOf("failed isfailed hasfailed unauthorized accessdenied")
	// notAlone is one that is false where a request was not allowed, and an order may be.
	notAlone = setOf("authorized isauthorized")
	// reportHolder is a part of an answer that says how the request went.
	reportHolder = setOf("meta metadata status response responsestatus responseheader")
	// messagesName is a list of messages, each with its type, as of SAP.
	messagesName = setOf("return etreturn bapireturn messages")
)

// onlyReports reports whether an object has nothing but what a report of an error has.
func onlyReports(object map[string]any) bool {
	for name := range object {
		if folded := foldedName(name); !sayingName[folded] && !reportName[folded] && !codeName[folded] && !looseName[folded] && !failedName[folded] {
			return false
		}
	}
	return len(object) > 0
}

// reportIn is reportsFault for the parts of an answer that say how the request went.
func reportIn(object map[string]any, own func(string) bool) string {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		folded := foldedName(name)
		if inner, is := object[name].(map[string]any); is && reportHolder[folded] {
			if said := reportsFault(inner, own); said != "" {
				return said
			}
		}
		if said := failedMessage(object[name]); said != "" && messagesName[folded] {
			return withWords(name, said)
		}
	}
	return ""
}

// failedMessage returns the first message of a list, or a single one, that is of the type of errors.
func failedMessage(value any) string {
	list, isList := value.([]any)
	if !isList {
		list = []any{value}
	}
	for _, inner := range list {
		message, _ := inner.(map[string]any)
		kind, said := "", ""
		for name, value := range message {
			text, _ := value.(string)
			switch foldedName(name) {
			case "type", "severity", "msgty":
				kind = strings.ToLower(text)
			case "message", "text":
				said = text
			}
		}
		if said != "" && slices.Contains([]string{"e", "a", "x", "error", "abort"}, kind) {
			return said
		}
	}
	return ""
}

// report is what an object says of how a request went, besides its status or code.
type report struct {
	// said is its message; told: that is a message, and no title or description. bare: there is no
	// data. only: there is nothing else.
	said             string
	told, bare, only bool
}

// reportsFault returns what the status or code of an object says of errors, or an empty text.
func reportsFault(object map[string]any, own func(string) bool) string {
	r := report{bare: true, only: onlyReports(object)}
	names := slices.Sorted(maps.Keys(object))
	for _, name := range names {
		folded := foldedName(name)
		text, single := scalar(object[name])
		switch {
		case sayingName[folded]:
			if single && !r.told && strings.TrimSpace(text) != "" {
				r.said, r.told = text, messageName[folded]
			}
		case single && own(text) && !placeName[folded]:
			return "" // they are the order's own
		case !reportName[folded] && !codeName[folded] && !looseName[folded] && !failedName[folded] && !empty(object[name]):
			r.bare = false
		}
	}
	for _, name := range names {
		if text, single := scalar(object[name]); single && r.failed(foldedName(name), strings.TrimSpace(text)) {
			if r.said == "" {
				return "was answered with " + name + ": " + shortly(text)
			}
			return withWords(name+": "+shortly(text), r.said)
		}
	}
	return ""
}

// empty reports whether a value is null, or a text, list or object with nothing in it.
func empty(value any) bool {
	switch v := value.(type) {
	case nil:
		return true
	case string:
		return strings.TrimSpace(v) == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		for _, inner := range v {
			if !empty(inner) {
				return false
			}
		}
		return true
	}
	return false
}

// failed reports whether a member of a report says that the request failed.
func (r report) failed(name, text string) bool {
	speaks := r.bare || r.told && !meansNone(r.said)
	word := strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(text))
	switch {
	case failedName[name] && (failedWord[word] || mayFail[word] && speaks):
		return true
	case trueReport[name]:
		return word == "true"
	case notAlone[name]:
		return word == "false" && speaks
	case name == "type" && word == "error":
		return r.said != ""
	case name == "errorcount" || name == "exception":
		return speaks && !meansNone(text)
	case codeName[name] || looseName[name]:
		if n, err := strconv.Atoi(text); err == nil {
			return r.failedCode(name, n)
		}
		return speaks && name != "status" && failing.MatchString(text)
	}
	return false
}

// failedCode reports whether a number says so: one of HTTP, or any other than those that say that all is
// well.
func (r report) failedCode(name string, n int) bool {
	certain, told := codeName[name], r.told && !meansNone(r.said)
	lone := r.bare && r.said == ""
	switch hundreds := n / 100; {
	case n == 0, hundreds == 2, n >= 20000 && n < 30000, r.told && !told:
		return false
	case hundreds == 4, hundreds == 5:
		return certain || told || lone || name == "status" && r.only && r.said != ""
	case n < 0, n >= 40000 && n < 60000:
		return certain || told
	}
	return told && (r.bare || certain && n != 1) || lone && certain
}
