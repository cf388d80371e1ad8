package browser_test

import (
	"testing"

	"github.com/poscrape/poscrape/browser"
)

func TestWhatIsUnreachable(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		unreachable bool
		reason      string
	}{
		"net::ERR_CONNECTION_REFUSED":      {true, "connection refused"},
		"net::ERR_NAME_NOT_RESOLVED":       {true, "name not resolved"},
		"net::ERR_EMPTY_RESPONSE":          {true, "empty response"},
		"net::ERR_INTERNET_DISCONNECTED":   {true, "internet disconnected"},
		"net::ERR_PROXY_CONNECTION_FAILED": {true, "proxy connection failed"},
		"net::ERR_CERT_DATE_INVALID":       {false, "cert date invalid"},
		"net::ERR_TOO_MANY_REDIRECTS":      {false, "too many redirects"},
		"net::ERR_INVALID_URL":             {false, "invalid url"},
		"net::ERR_ABORTED":                 {false, "aborted"},
		"net::ERR_BLOCKED_BY_CLIENT":       {false, "blocked by client"},
		"net::ERR_UNSAFE_PORT":             {false, "unsafe port"},
		"":                                 {false, ""},
	} {
		err := &browser.NavigationError{URL: "http://portal.example/", Text: text}
		if err.Unreachable() != want.unreachable || err.Reason() != want.reason {
			t.Errorf("%q: unreachable is %v and the reason %q, want %+v", text, err.Unreachable(), err.Reason(), want)
		}
	}
}
