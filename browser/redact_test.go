package browser_test

import (
	"testing"

	"github.com/poscrape/poscrape/browser"
)

func TestRedact(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://a.example/x?id=7":                               "https://a.example/x?id=7",
		"https://a.example/x?id=7&access_token=abc":              "https://a.example/x?access_token=redacted&id=7",
		"https://u:p@a.example/":                                 "https://u@a.example/",
		"https://a.example/x;jsessionid=1F?a=b":                  "https://a.example/x;jsessionid=redacted?a=b",
		"https://a.example/#id_token=abc&x=1":                    "https://a.example/#id_token=redacted&x=1",
		"https://b.example/o?X-Amz-Signature=ab&X-Amz-Expires=5": "https://b.example/o?X-Amz-Expires=5&X-Amz-Signature=redacted",
		"https://a.example/x?keyboard=1&monkey=2":                "https://a.example/x?keyboard=1&monkey=2",
		"data:text/plain,secret":                                 "data:...",
		"blob:https://a.example/1":                               "blob:...",
		"http://a b":                                             "(an address that cannot be parsed)",
		"":                                                       "",
	} {
		if got := browser.Redact(address); got != want {
			t.Errorf("%q became %q, want %q", address, got, want)
		}
	}
	source := `<a href="/d?sig=abc&amp;token=def&amp;n=1">go to https://x.example/?session_id=9 now</a>`
	if got, want := browser.RedactText(source), `<a href="/d?sig=redacted&amp;token=redacted&amp;n=1">go to https://x.example/?session_id=redacted now</a>`; got != want {
		t.Errorf("got %s", got)
	}
}

func TestSuggestName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ disposition, address, want string }{
		{"", "https://a.example/files/Quote%202.pdf?x=1", "Quote 2.pdf"},
		{"attachment", "https://a.example/get", "get"},
		{`attachment; filename="a b.pdf"`, "https://a.example/get", "a b.pdf"},
		{`attachment; filename=a b.pdf; size=3`, "https://a.example/get", "a b.pdf"},
		{`attachment; filename="x.pdf"; filename*=UTF-8''%e2%82%ac.pdf`, "https://a.example/get", "€.pdf"},
		{"attachment; filename=\"\u00c3\u00bc.pdf\"", "https://a.example/get", "ü.pdf"}, // UTF-8, byte by byte
		{`attachment; filename="=?UTF-8?B?w7wucGRm?="`, "https://a.example/get", "ü.pdf"},
		{`inline; filename="..\\..\\x.pdf"`, "https://a.example/get", `..\..\x.pdf`},
		{"", "https://a.example/", ""},
		{"", ":", ""},
	} {
		if got := browser.SuggestName(c.disposition, c.address); got != c.want {
			t.Errorf("%q, %q: got %q, want %q", c.disposition, c.address, got, c.want)
		}
	}
}
