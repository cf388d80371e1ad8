package main

import (
	"errors"
	"net"
	"os"

	"github.com/poscrape/poscrape/control"
	"github.com/poscrape/poscrape/internal/metrics"
	"github.com/poscrape/poscrape/session"
)

// serveMetrics serves metrics at an address, of the session that show is called with, until hide
// is called. Without an address it does nothing.
func serveMetrics(addr string, say func(session.Notice)) (show func(control.Session), hide func(), err error) {
	if addr == "" {
		return func(control.Session) {}, func() {}, nil
	}
	server, err := metrics.Serve(addr)
	var wrong *net.AddrError
	var system *os.SyscallError
	switch {
	case errors.As(err, &wrong):
		return nil, nil, usageErrorf("--metrics-addr: %s is not an address such as 127.0.0.1:9090: %s", quote(addr), wrong.Err)
	case errors.As(err, &system):
		return nil, nil, usageErrorf("--metrics-addr: nobody can listen at %s: %v", addr, system.Err)
	case err != nil:
		return nil, nil, usageErrorf("--metrics-addr: nobody can listen at %s: %v", addr, err)
	}
	say(session.Notice{Level: session.NoticeInfo, Message: "Metrics are at " + server.URL()})
	show = func(s control.Session) {
		if s != nil {
			server.Show(s)
		}
	}
	return show, func() { _ = server.Close() }, nil // who still asks gets no answer
}
