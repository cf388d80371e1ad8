package browser

import (
	"slices"
	"strings"
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

// Unreachable reports whether there was no answer of the host at all.
func (e *NavigationError) Unreachable() bool {
	return slices.Contains(noAnswer, strings.TrimPrefix(e.Text, "net::ERR_"))
}

// Reason is Chrome's name of the reason in plain words, "connection refused".
func (e *NavigationError) Reason() string {
	return strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(e.Text, "net::ERR_"), "_", " "))
}
