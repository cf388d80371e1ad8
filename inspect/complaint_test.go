package inspect_test

import (
	"testing"

	"github.com/poscrape/poscrape/inspect"
)

func TestComplains(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>`: true,
		`<error>no</error>`: true,
		`<soap:Envelope xmlns:soap="x"><soap:Body><soap:Fault></soap:Fault></soap:Body>`:  true,
		`<?xml version="1.0"?><!-- a --><ns:Exception xmlns:ns="x"/>`:                     true,
		`<?xml version="1.0"?><Invoice xmlns="urn:oasis"><ID>1</ID></Invoice>`:            false,
		`<ErrorLog><Entry/></ErrorLog>`:                                                   false,
		`<soap:Envelope xmlns:soap="x"><soap:Body><Invoice/></soap:Body></soap:Envelope>`: false,
		`{"error": "expired"}`:        true,
		`{"errors":[{"code":1}]}`:     true,
		`{"error": null, "order": 1}`: false,
		`{"errors": [], "order": 1}`:  false,
		`{"order": {"error": "x"}}`:   false,
	} {
		if got := inspect.Complains([]byte(text), inspect.Sniff([]byte(text)).Form); got != want {
			t.Errorf("%s: got %v", text, got)
		}
	}
}
