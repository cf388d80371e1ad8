// Package breaker says whether a host is worth asking now: a circuit breaker for each host
// of a session's orders. Attempts pass through it, and what they met goes in; it says
// "go", "wait", "try, as a probe" or "given up", and which attempts were the host's fault.
//
// It knows orders and hosts, and neither browsers nor workers nor files.
package breaker
