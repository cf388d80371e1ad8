package browser_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/poscrape/poscrape/browser"
)

func TestRedact(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://a.example/x?id=7":                  "https://a.example/x?id=7",
		"https://a.example/x?id=7&access_token=abc": "https://a.example/x?access_token=redacted&id=7",
		"https://u:p@a.example/":                    "https://redacted@a.example/",
		"https://a.example/?author=me":              "https://a.example/?author=me",
		"https://a.example/?next=https%3A%2F%2Fb.example%2F%3Ftoken%3Dab%2Fc%26n%3D1": "https://a.example/?next=https%3A%2F%2Fb.example%2F%3Ftoken%3Dredacted%26n%3D1",
		"https://a.example/x;jsessionid=1F?a=b":                                       "https://a.example/x;jsessionid=redacted?a=b",
		"https://a.example/#id_token=abc&x=1":                                         "https://a.example/#id_token=redacted&x=1",
		"https://b.example/o?X-Amz-Signature=ab&X-Amz-Expires=5":                      "https://b.example/o?X-Amz-Expires=5&X-Amz-Signature=redacted",
		"https://a.example/x?keyboard=1&monkey=2":                                     "https://a.example/x?keyboard=1&monkey=2",
		"data:text/plain,secret":                                                      "data:...",
		"blob:https://a.example/1":                                                    "blob:...",
		"http://a b":                                                                  "(an address that cannot be parsed)",
		"":                                                                            "",
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

func TestRedactText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"accessToken":"ab\"c","n":1}`:                               `{"accessToken":"redacted","n":1}`,
		`{"session_id": 12345, "name": "x"}`:                          `{"session_id": "redacted", "name": "x"}`,
		`{"token":123}`:                                               `{"token":"redacted"}`,
		`Unexpected response code: 404`:                               `Unexpected response code: "redacted"`,
		`'code': 404`:                                                 `'code': "redacted"`,
		`"key": "`:                                                    `"key": "redacted"`,
		`"key": \\`:                                                   `"key": \\`,
		`"{\"apiKey\":\"abc\",\"n\":2}"`:                              `"{\"apiKey\":\"redacted\",\"n\":2}"`,
		`{'password': 'abc', 'n': 1}`:                                 `{'password': 'redacted', 'n': 1}`,
		`token=abc and n=1`:                                           `token=redacted and n=1`,
		`csrfToken=abc`:                                               `csrfToken=redacted`,
		`Authorization: Bearer abcdefgh.ijk_lm`:                       `Authorization: Bearer redacted`,
		`it sent bearer abc_def12 twice`:                              `it sent redacted twice`,
		`see https://user:pw@a.example/x`:                             `see https://redacted@a.example/x`,
		`https:\/\/user:pw@a.example`:                                 `https:\/\/redacted@a.example`,
		`it was eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOjF9.abc-_d`:             `it was redacted`,
		`mail buyer@a.example, currency code EUR, total=5`:            `mail buyer@a.example, currency code EUR, total=5`,
		`{"author":"Jane","keyboard":"de","codes":"7"}`:               `{"author":"Jane","keyboard":"de","codes":"7"}`,
		`Basic conditions, bearer instruments, token of thanks: none`: `Basic conditions, bearer instruments, token of thanks: none`,
	} {
		if got := browser.RedactText(text); got != want {
			t.Errorf("%s became\n%s, want\n%s", text, got, want)
		}
	}
}

func FuzzRedactText(f *testing.F) {
	for _, seed := range []string{`{"token":123}`, `code: 404`, `"key": \"`, `'sid':'`, `https://a:b@c/?token=x`} {
		f.Add(seed)
	}
	f.Fuzz(func(_ *testing.T, text string) {
		browser.RedactText(text)
		browser.Redact(text)
	})
}

func TestSaysSecret(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"csrf-token": true, "__RequestVerificationToken": true, "SAMLResponse": true, "user.password": true, "sid": true, "x-api-key": true,
		"oauth_nonce": true, "JSESSIONID": true, "Authorization": true, "client-secret": true,
		"author": false, "authors": false, "keyboard": false, "po": false, "supplier": false, "description": false, "": false,
	} {
		if got := browser.SaysSecret(name); got != want {
			t.Errorf("%q: got %v", name, got)
		}
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
		{`attachment; FileName="a b.pdf"; x`, "https://a.example/get", "a b.pdf"},
		{`attachment;filename=a b.pdf`, "https://a.example/get", "a b.pdf"},
		{`attachment; filename = "a b.pdf`, "https://a.example/get", "a b.pdf"},
		{`attachment; filename*=iso-8859-1''M%FCller.pdf; filename="Mueller.pdf"`, "https://a.example/get", "Müller.pdf"},
		{`attachment; filename="x.pdf"; filename*=shift_jis''%8e%86.pdf`, "https://a.example/get", "紙.pdf"},
		{`attachment; filename="x.pdf"; filename*=UTF-8''%FF%FE`, "https://a.example/get", "x.pdf"},
		{`attachment; filename*0*=iso-8859-1''Auftr%E4ge%20; filename*1*=%FC; filename*2=" 1%.pdf"`, "https://a.example/get", "Aufträge ü 1%.pdf"},
		{"attachment; filename=\"\u00b6\u00a9\u00b5\u00a5.pdf\"", "https://a.example/get", "订单.pdf"}, // the page is GBK
		{`attachment; filename="%B6%A9%B5%A5.pdf"`, "https://a.example/get", "订单.pdf"},
		{`attachment; filename*0*=UTF-8''a%20; filename*1=b.pdf; filename=c.pdf`, "https://a.example/get", "a b.pdf"},
		{`attachment; filename="x.pdf"; filename*=no-such''a`, "https://a.example/get", "x.pdf"},
		{`attachment; filename*0="long "; filename*1="name.pdf"`, "https://a.example/get", "long name.pdf"},
		{`attachment; filename="=?ISO-8859-1?Q?M=FCller=2Epdf?="`, "https://a.example/get", "Müller.pdf"},
		{`attachment; filename="=?windows-1252?Q?=80.pdf?="`, "https://a.example/get", "€.pdf"},
		{`attachment; name="filename=no.pdf"`, "https://a.example/get", "get"},
		{`attachment; filename=""`, "https://a.example/get", "get"},
		{"", "https://a.example/", ""},
		{"", ":", ""},
	} {
		if got := browser.SuggestName(c.disposition, c.address, "gbk"); got != c.want {
			t.Errorf("%q, %q: got %q, want %q", c.disposition, c.address, got, c.want)
		}
	}
}

// FuzzSuggestName: whatever a server sends, the name is text, and no longer than what was sent.
func FuzzSuggestName(f *testing.F) {
	for _, seed := range []string{
		`attachment; filename="a b.pdf"; filename*=UTF-8''%e2%82%ac.pdf`, `attachment; filename=a b.pdf; size=3`,
		`inline; filename="=?UTF-8?B?w7wucGRm?="`, `attachment; filename*0="a"; filename*1*=b%20c`, `filename*=iso-8859-1''%FC`,
	} {
		f.Add(seed, "https://a.example/files/Quote%202.pdf?x=1")
	}
	f.Fuzz(func(t *testing.T, disposition, address string) {
		name := browser.SuggestName(disposition, address, "shift_jis")
		if utf8.ValidString(disposition) && utf8.ValidString(address) && !utf8.ValidString(name) && !strings.Contains(address, "%") {
			t.Errorf("%q, %q: %q is no text", disposition, address, name)
		}
		if len(name) > 4*(len(disposition)+len(address)) {
			t.Errorf("%q, %q: %d bytes of name", disposition, address, len(name))
		}
	})
}
