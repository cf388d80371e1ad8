package orders

import (
	"strings"
	"testing"
)

func TestParseAddress(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		" https://H.Example/A?b=c#/d ": "https://h.example/A?b=c#/d",
		"\u200bHTTP://127.0.0.1:80/x":  "http://127.0.0.1:80/x",
		"https://h.example/a%2Fb":      "https://h.example/a%2Fb",
		"https://user@h.example/":      "https://user@h.example/",
		"https://[::1]:8080/":          "https://[::1]:8080/",
	} {
		if got, err := parseAddress(text); err != nil || got != want {
			t.Errorf("%q became %q, %v; want %q", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "portal.example/1", "www.portal.example", "ftp://h.example/", "javascript:alert(1)", "file:///etc/passwd",
		"https://", "https:///x", "https:/h.example", "https://:443/", "https://h.example:99999/", "https://h.example:x/",
		"https://h.example/a b", "https://h.example/\nhttps://h.example/", "https://h.example/%zz", `https:\\h.example`,
		"https://user:hunter2@h.example/", "https://user:hun/ter2@h.example/ x", "https://user:hunter2%zz@h.example/", "ftp://user:hunter2@h.example/",
	} {
		got, err := parseAddress(text)
		if err == nil {
			t.Errorf("%q became %q, no error", text, got)
		} else if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the error shows the password: %v", err)
		}
	}
}
