// Package egress is the way out of a container that has no network: a proxy of this program's,
// which connects to the hosts that a browser may reach and to no others.
//
// Towards servers, connections are the same as without it: as a SOCKS proxy it passes on bytes, so
// that requests, answers, TLS and what goes wrong with them are the browser's and the servers' own.
// Where connections are to go by an HTTP proxy, the browser talks to that one, and the proxy here
// reads the beginning of each request, to know which host it is for.
//
// It reads no pages, and decides nothing about hosts: Config says which may be reached.
package egress
