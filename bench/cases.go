package main

import (
	"time"

	"github.com/poscrape/poscrape/bench/protocol"
	"github.com/poscrape/poscrape/internal/portal"
)

// benchCase is a kind of portal, and what is wanted of it.
type benchCase struct {
	name, title string
	// about says in a sentence what the portal does.
	about string
	// share of --orders that the slow tools get.
	share float64
	// waits is how many times as many orders as those get the tools that find out by
	// themselves when a page is complete, where the others have to wait; 0 where nobody
	// has to.
	waits float64
	mode  string
	// patience is how long after a page has been parsed documents may come.
	patience time.Duration
	portal   portal.BenchConfig
}

const (
	// mount is when scripts mount documents, and late when the slowest do.
	mount = 700 * time.Millisecond
	late  = 3 * time.Second
	// margin is what a tool that cannot know has to wait beyond the latest mount.
	margin = 100 * time.Millisecond
)

// cases is the table of all cases. Config.Orders follows from the tools.
func cases() []benchCase {
	const kilobyte = 1000
	return []benchCase{
		{
			name: "server", title: "Server-rendered", share: 1, mode: protocol.ModeList,
			about:  "The page lists its two documents as it is served.",
			portal: portal.BenchConfig{Documents: 2, DocumentSize: 100 * kilobyte},
		},
		{
			name: "script", title: "Script-mounted", share: 0.5, waits: 5, mode: protocol.ModeList,
			about:    "A script mounts the two documents 700 ms after the page; one page in fifty takes 3 s.",
			patience: late + margin,
			portal:   portal.BenchConfig{Documents: 2, DocumentSize: 100 * kilobyte, Mount: mount, Late: late, LateEvery: 50},
		},
		{
			name: "latency", title: "50 ms of network latency", share: 1, mode: protocol.ModeList,
			about:  "As server-rendered, and every answer comes 50 ms late.",
			portal: portal.BenchConfig{Documents: 2, DocumentSize: 100 * kilobyte, Latency: 50 * time.Millisecond},
		},
		{
			name: "documents", title: "With documents", share: 1, mode: protocol.ModeDocuments,
			about:  "Server-rendered; the two documents of 100 KB are brought home and hashed.",
			portal: portal.BenchConfig{Documents: 2, DocumentSize: 100 * kilobyte},
		},
		{
			name: "large", title: "With a large document", share: 0.1, mode: protocol.ModeDocuments,
			about:  "Server-rendered; one document of 20 MB is brought home and hashed.",
			portal: portal.BenchConfig{Documents: 1, DocumentSize: 20 * kilobyte * kilobyte},
		},
		{
			name: "none", title: "Without documents", share: 0.2, waits: 8, mode: protocol.ModeDocuments,
			about: "Script-mounted; there are no documents, which has to be found out: " +
				"one page in ten mounts two, after 3 s.",
			patience: late + margin,
			portal:   portal.BenchConfig{Documents: 2, DocumentSize: 5 * kilobyte, Empty: true, Mount: mount, Late: late, LateEvery: 10},
		},
	}
}

// orders returns how many orders a tool gets, where the slow ones get n in the first
// case. There are at least as many as workers.
func (c benchCase) orders(n, workers int, t tool) int {
	pace := t.pace
	if c.waits > 0 && t.settles {
		pace = c.waits
	}
	return max(int(float64(n)*c.share*pace), workers)
}
