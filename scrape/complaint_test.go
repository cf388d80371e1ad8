package scrape

import (
	"testing"

	"github.com/poscrape/poscrape/inspect"
)

// TestComplains tells what servers say in place of a document from documents.
func TestComplains(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>`:                   true,
		"\xef\xbb\xbf<?xml version=\"1.0\"?><Error><Code>ResourceNotFound</Code></Error>": true,
		`<error>no</error>`: true,
		`<soap:Envelope xmlns:soap="x"><soap:Body><soap:Fault></soap:Fault></soap:Body>`:                    true,
		`<?xml version="1.0"?><!-- a --><ns:Exception xmlns:ns="x"/>`:                                       true,
		`<ows:ExceptionReport xmlns:ows="x"><ows:Exception/></ows:ExceptionReport>`:                         true,
		`<Map><timestamp>1</timestamp><status>401</status><error>Unauthorized</error><path>/d</path></Map>`: true,
		`<rsp stat="fail"><message>bad</message></rsp>`:                                                     true,
		`<response><status>error</status><message>Session expired</message></response>`:                     true,
		`<response><error><code>1</code></error></response>`:                                                true,
		`<?xml version="1.0"?><Invoice xmlns="urn:oasis"><ID>1</ID></Invoice>`:                              false,
		`<order><status>error</status><number>4711</number></order>`:                                        false,
		`<ErrorLog><Entry/></ErrorLog>`:                                                                     false,
		`<soap:Envelope xmlns:soap="x"><soap:Body><Invoice/></soap:Body></soap:Envelope>`:                   false,
		`<note>Session expired</note>`:                                                                      false,
		`{"error": "expired"}`:                                                                              true,
		`{"errors":[{"code":1}]}`:                                                                           true,
		`{"timestamp":"2026-01-01","status":404,"error":"Not Found","path":"/d"}`:                           true,
		`{"type":"about:blank","title":"Unauthorized","status":401}`:                                        true,
		`{"message":"Forbidden"}`:                                                                           true,
		`{"Message":"Authorization has been denied for this request."}`:                                     true,
		`{"success":false,"data":null}`:                                                                     true,
		`[{"errorCode":"INVALID_SESSION_ID","message":"Session expired or invalid"}]`:                       true,
		`{"error": null, "order": 1}`:                                                                       false,
		`{"error": false, "order": 1}`:                                                                      false,
		`{"error": 0, "lines": [1]}`:                                                                        false,
		`{"errors": [], "order": 1}`:                                                                        false,
		`{"order": {"error": "x"}}`:                                                                         false,
		`{"status": "error", "order": "4711"}`:                                                              false,
		`{"success":true,"data":{"order":"4711"}}`:                                                          false,
		`{"title":"Valve","description":"DN 40","type":"part","code":"404"}`:                                false,
		`{"title":"Valve","description":"DN 40","type":"part","code":"40"}`:                                 false,
		`[]`:              false,
		"Session expired": true,
		"Session expired. Please log in again.\n":       true,
		"Your session has expired, please log in again": true,
		"Access denied": true,
		"Access Denied\r\nYou don't have permission to access \"/d\" on this server.\r\nReference #18.2": true,
		"404 page not found\n":  true,
		"404 Not Found":         true,
		"Unauthorized":          true,
		"403 - Forbidden":       true,
		"Forbidden":             true,
		"Error 500":             true,
		"Internal Server Error": true,
		"File not found.":       true,
		"Service Unavailable":   true,
		"The portal is currently under maintenance. Please try again later.": true,
		"Bitte melden Sie sich an.": true,
		"Zugriff verweigert":        true,
		"Dokument nicht gefunden":   true,
		"Sitzung abgelaufen":        true,
		"Acc\xe8s refus\xe9":        true,
		"Nie znaleziono dokumentu":  false, // an inflected word that the lists lack
		"null":                      true,
		"[object Object]":           true,
		"Traceback (most recent call last):\n  File \"a.py\"": true,
		"java.lang.NullPointerException\n\tat a.B":            true,
		"ORA-00942: table or view does not exist":             true,
		"item;qty\n1;2\n":   false,
		"error;line;text\n": false,
		"Order 4711\nDelivery to dock 3. Please sign in at the gate.": false,
		"Item not found. We ship a replacement next week.":            false,
		"Maintenance contract for pump 3":                             false,
		"Please call Mr Smith if nobody is there.":                    false,
		"Access to the site: gate 2. Access denied without a badge.":  false,
		"ok":              false,
		"UNB+UNOA:1+A+B'": false,
		"<!doctype html><title>Portal</title><form><input name=u><input type='password'></form>":                                     true,
		"<html><head><title>Sign in</title></head><body>Continue with your company account</body></html>":                            true,
		"<html><body><h1>Access denied</h1><p>Reference 12</p></body></html>":                                                        true,
		"<html><body><h1>Invoice 12</h1><table><tr><td>Total<td>12.00</table><script>'<input type=password>'</script></body></html>": false,
	} {
		kind := inspect.Sniff([]byte(text))
		if got := complains(inspect.Decode([]byte(text)), kind.Form, true); got != want {
			t.Errorf("%q, %s: got %v", text, kind.Form, got)
		}
	}
}
