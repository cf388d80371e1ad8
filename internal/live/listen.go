package live

import (
	"fmt"
	"net"
)

// Listen begins to listen at an address, host and port, before there is a session: without a
// host that is this machine alone, and port 0 is a free one.
func Listen(addr string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("%w; name an address such as 127.0.0.1:8080, or :0 for a free port", err)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	return net.Listen("tcp", net.JoinHostPort(host, port))
}
