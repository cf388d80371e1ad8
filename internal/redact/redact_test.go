package redact

import (
	"encoding/base64"
	"encoding/json"
	"html"
	"net/url"
	"strings"
	"testing"
)

func TestASecretIsHiddenInAnyForm(t *testing.T) {
	t.Parallel()
	const secret = `Zür/ich&"7' <+>%`
	texts := New([]string{secret})
	inJSON, err := json.Marshal(map[string]string{"p": secret})
	if err != nil {
		t.Fatal(err)
	}
	encoded := url.QueryEscape(secret)
	for name, text := range map[string]string{
		"itself": "a" + secret + "b", "in an address": "?p=" + encoded + "&q=1", "in a path": "/x/" + url.PathEscape(secret) + "/y",
		"by encodeURIComponent": strings.ReplaceAll(encoded, "+", "%20"), "in small letters": lowerEscapes(encoded),
		"in HTML": html.EscapeString(secret), "in HTML with names": strings.ReplaceAll(html.EscapeString(secret), "&#34;", "&quot;"), "in JSON": string(inJSON),
		"in base64":                  "x " + base64.StdEncoding.EncodeToString([]byte(secret)) + " y",
		"with a user in base64":      base64.StdEncoding.EncodeToString([]byte("anna:" + secret)),
		"in the middle of base64":    base64.StdEncoding.EncodeToString([]byte("ab" + secret + "cd")),
		"in the address's base64":    base64.URLEncoding.EncodeToString([]byte("abc" + secret + "c")),
		"twice, one after the other": secret + secret,
	} {
		got := texts.Replace(text)
		if !strings.Contains(got, Hidden) || strings.Contains(got, "ich") || strings.Contains(got, base64.RawStdEncoding.EncodeToString([]byte(secret))) {
			t.Errorf("%s: %q is %q", name, text, got)
		}
	}
	if got := texts.Replace("a harmless text, 7 %"); got != "a harmless text, 7 %" {
		t.Errorf("got %q", got)
	}
}
