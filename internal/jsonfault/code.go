package jsonfault

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/poscrape/poscrape/internal/jsondata"
)

// Many interfaces say by a status or a code that something went wrong: {"status": "error"}, {"code": 401}.
// An order has a status and codes as well. What tells the two apart: the report of an error has a
// message, or no data, and never the order's number.

var (
	// codeName is what a code is called that says how a request went; looseName may be a part of the data.
	codeName  = regexp.MustCompile(`^(?:http|result|return|ret|rsp|resp|response|status)(?:status)?code$|^(?:http|result|response)status$`)
	looseName = setOf("code status ret rc result outcome")
	// failedWord is how those say that a request failed, and mayFail what an order's own status may be.
	failedWord = setOf("error err fail failure exception unauthorized unauthenticated forbidden nok ko")
	mayFail    = setOf("failed denied expired timeout invalid unavailable false")
	// messageName is what people are told by, and reportName what else stands in a report.
	messageName = setOf("message msg error errormessage errmsg resultmessage resultmsg returnmessage responsemessage statusmessage")
	reportName  = setOf(`type detail details statustext text timestamp time date datetime trace traceid requestid
		correlationid errorid errorcode errors success ok version apiversion jsonrpc id extensions took method
		path instance info`)
	// placeName is where the request was sent to, which may have the order's number in it.
	placeName = setOf("path instance uri url href request target query q search")
)

// OfReport reports whether a member that is called so says how a request went, or is a flag of that.
func OfReport(folded string) bool { return ofReport(folded) || falseName[folded] }

func ofReport(called string) bool {
	return reportName[called] || messageName[called] || looseName[called] || codeName.MatchString(called)
}

// reportsFault returns what the status or code of an object says of errors, or an empty text.
func reportsFault(object map[string]any, own func(string) bool) Fault {
	said, bare := "", true
	names := slices.Sorted(maps.Keys(object))
	for _, name := range names {
		folded := Folded(name)
		text, single := jsondata.Scalar(object[name])
		switch {
		case messageName[folded]:
			said = cmp.Or(said, strings.TrimSpace(text))
		case single && own(text) && !placeName[folded]:
			return Fault{} // they are the order's own
		case !ofReport(folded) && !placeName[folded] && !Blank(object[name]):
			bare = false
		}
	}
	for _, name := range names {
		folded := Folded(name)
		text, single := jsondata.Scalar(object[name])
		if certain := codeName.MatchString(folded); single && (certain || looseName[folded]) && failed(text, certain, bare, said) {
			return Fault{name + ": " + text, cmp.Or(said, "no message")}
		}
	}
	return Fault{}
}

// failed reports whether a status or code says that a request failed. certain: it is no part of the data.
// bare: there is no data. said is the message beside it.
func failed(text string, certain, bare bool, said string) bool {
	speaks := bare || said != "" && !MeansNone(said)
	n, err := strconv.Atoi(strings.TrimSpace(text))
	switch word := Folded(strings.TrimSpace(text)); {
	case err != nil:
		return failedWord[word] || mayFail[word] && speaks
	case n/100 == 4, n/100 == 5, n >= 40000 && n < 60000:
		return certain || speaks
	}
	return certain && bare && n != 0 && n/100 != 2 && (said == "" || !MeansNone(said))
}
