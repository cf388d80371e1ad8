package inspect

import "regexp"

// complaints are how a text begins by which a server says, as XML or JSON, that something
// went wrong.
var complaints = map[Form]*regexp.Regexp{
	XML:  regexp.MustCompile(`(?is)^\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:[\w-]+:)?(?:errors?|fault|errorresponse|exception|serviceexception(?:report)?)[\s>/]|<(?:[\w-]+:)?Envelope\b.*<(?:[\w-]+:)?Fault[\s>]`),
	JSON: regexp.MustCompile(`(?is)^\s*\{\s*"(?:errors?|fault|exception|errorcode|error_code|errormessage)"\s*:\s*[^\s\[{n]|^\s*\{\s*"(?:errors?|fault|exception)"\s*:\s*[\[{]\s*[^\s\]}]`),
}

// Complains reports whether the beginning of a file is that of a server's complaint, and
// not of a document.
func Complains(head []byte, form Form) bool {
	pattern := complaints[form]
	return pattern != nil && pattern.Match(head)
}
