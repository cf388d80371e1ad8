package browser

import (
	"cmp"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/network"
)

// noAnswer are Chrome's names (net/base/net_error_list.h) of what keeps it
// from having any answer of a host: the network, the name, the connection, or a
// connection that ended without an answer. A certificate that is refused, an
// endless redirect or a request that was blocked here is none of these: the host
// is there.
var noAnswer = []string{
	"TIMED_OUT", "NETWORK_CHANGED", "NETWORK_IO_SUSPENDED", "NETWORK_ACCESS_DENIED", "INTERNET_DISCONNECTED",
	"CONNECTION_CLOSED", "CONNECTION_RESET", "CONNECTION_REFUSED", "CONNECTION_ABORTED", "CONNECTION_FAILED", "CONNECTION_TIMED_OUT",
	"ADDRESS_UNREACHABLE", "NAME_NOT_RESOLVED", "NAME_RESOLUTION_FAILED", "DNS_TIMED_OUT", "DNS_SERVER_FAILED", "DNS_MALFORMED_RESPONSE",
	"EMPTY_RESPONSE", "HTTP2_PING_FAILED",
	"PROXY_CONNECTION_FAILED", "TUNNEL_CONNECTION_FAILED", "SOCKS_CONNECTION_FAILED", "SOCKS_CONNECTION_HOST_UNREACHABLE",
}

// reason is Browser.reason for a request of the page's, or, where that is not known, an address.
func (t *Tab) reason(text string, id network.RequestID, address string) string {
	t.mu.Lock()
	asked := t.trace.requests[id].address // where it was redirected to
	t.mu.Unlock()
	return t.browser.reason(text, cmp.Or(asked, address))
}

// reason returns why an address was not loaded, which Chrome does not know where a proxy of this
// program's connects.
func (b *Browser) reason(text, address string) string {
	if b.cfg.Egress == nil || !slices.Contains(noAnswer, strings.TrimPrefix(text, "net::ERR_")) && text != preflightFailed {
		return text
	}
	failure := b.cfg.Egress.Failure(address)
	if failure != barredHere && !strings.HasPrefix(text, "net::ERR_SOCKS_CONNECTION_") {
		return text
	}
	return cmp.Or(failure, text)
}

// Chrome's names of a failure: barredHere is what Egress says of a host that it does not let through to,
// preflightFailed what is said of a request for which the host was to be asked whether it may be made, and socketFailed
// what a WebSocket meets there, of which no name is told.
const (
	barredHere      = "net::ERR_BLOCKED_BY_ADMINISTRATOR"
	preflightFailed = "net::ERR_FAILED"
	socketFailed    = "net::ERR_SOCKS_CONNECTION_FAILED"
)

// bars reports whether it is Egress that lets nothing through, by what a request met.
func (b *Browser) bars(text string) bool { return b.cfg.Egress != nil && text == barredHere }

// Unreachable reports whether there was no answer of the host at all.
func (e *NavigationError) Unreachable() bool {
	return slices.Contains(noAnswer, strings.TrimPrefix(e.Text, "net::ERR_"))
}

// Reason is Chrome's name of the reason in plain words, "connection refused".
func (e *NavigationError) Reason() string {
	return strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(e.Text, "net::ERR_"), "_", " "))
}

// proxies are Chrome's names of what keeps it from talking to the proxy itself.
var proxies = []string{"PROXY_CONNECTION_FAILED", "MANDATORY_PROXY_CONFIGURATION_FAILED", "NO_SUPPORTED_PROXIES", "PROXY_CERTIFICATE_INVALID", "PROXY_AUTH_UNSUPPORTED", "UNEXPECTED_PROXY_AUTH", "PROXY_AUTH_REQUESTED"}

// ProxyFailed reports whether it is the proxy that could not be used, or not be found out.
func (e *NavigationError) ProxyFailed() bool {
	return slices.Contains(proxies, strings.TrimPrefix(e.Text, "net::ERR_"))
}

// NameUnknown reports whether the host's name stands for no address.
func (e *NavigationError) NameUnknown() bool { return e.Text == "net::ERR_NAME_NOT_RESOLVED" }

// certificates says what to do where Chrome does not accept a certificate, or lacks one.
var certificates = map[string]string{
	"CERT_AUTHORITY_INVALID":      "its certificate is signed by nobody that Chrome trusts: if it is your company's authority, name its certificate with --ca, or add it to the system's store",
	"CERT_COMMON_NAME_INVALID":    "its certificate is another host's: check the host in the address",
	"CERT_DATE_INVALID":           "its certificate has expired or is not valid yet: check this machine's clock, and ask who runs the portal",
	"SSL_CLIENT_AUTH_CERT_NEEDED": "it asks for a certificate of yours, which Chrome takes from the system's store with --headful only",
	"BAD_SSL_CLIENT_AUTH_CERT":    "it asks for a certificate of yours, and got none that it accepts; Chrome takes one from the system's store with --headful only",
}

// Certificate says what to do where a certificate is the reason, or is empty.
func (e *NavigationError) Certificate() string {
	name := strings.TrimPrefix(e.Text, "net::ERR_")
	if advice := certificates[name]; advice != "" {
		return advice
	}
	if strings.HasPrefix(name, "CERT_") || strings.HasPrefix(name, "BAD_SSL_CLIENT_AUTH_CERT") || strings.HasPrefix(name, "SSL_CLIENT_AUTH_") {
		return "Chrome does not accept a certificate: open the address in a Chrome with windows to see which, and why"
	}
	return ""
}
