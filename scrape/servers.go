package scrape

import (
	"net"
	"sync"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

// servers are the hosts of which nothing is read, since an answer of theirs came from an IP address that is not
// to be asked: the name of a host may lead elsewhere than when it was looked up.
type servers struct {
	// judge is what JudgeAnswers was called with.
	judge func(address, from string) error

	mu      sync.Mutex
	reasons map[string]error // by host
}

// JudgeAnswers has judged where answers come from, those to documents and to what a page's scripts ask for
// too: judge returns why what an address leads to is not to be read, as it came from an IP address. That is
// empty where nobody knows it: then the address's host is to be looked up. Nothing of that host is read from
// then on: its orders are invalid input, and its documents are left out. It is to be called before the first
// order, and nil judges none.
func (p *Portal) JudgeAnswers(judge func(address, from string) error) { p.servers.judge = judge }

// JudgeServer judges an IP address that a host of the portal's is to be connected at, before it is. It returns
// why nothing is to be asked there, or nil; nothing is read of that host then.
func (p *Portal) JudgeServer(host, port, ip string) error {
	scheme := "http"
	if port == "443" {
		scheme = "https"
	}
	address := scheme + "://" + net.JoinHostPort(host, port)
	p.servers.answered(address, ip)
	return p.servers.refused(address)
}

// answered judges where an answer came from.
func (s *servers) answered(address, from string) {
	if s.judge == nil {
		return
	}
	reason := s.judge(address, from)
	if reason == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reasons == nil {
		s.reasons = map[string]error{}
	}
	s.reasons[serverOf(address)] = reason
}

// refused returns why nothing is read of an address, or nil.
func (s *servers) refused(address string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if reason := s.reasons[serverOf(address)]; reason != nil {
		return tasks.Permanent(tasks.OutcomeInvalidInput, tasks.ClassInvalidInput, "%w", reason)
	}
	return nil
}

// serverOf returns the name of an address's host in the form that compares, or "".
func serverOf(address string) string {
	u, err := browser.ParseURL(address)
	if err != nil {
		return ""
	}
	name, _ := splitHost(u.Host)
	return name
}
