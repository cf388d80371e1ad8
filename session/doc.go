// Package session puts the parts together and owns their life: one
// ProcessingSession is one run, from the rows of a sheet to the report in which
// each of them is accounted for. It decides nothing that a part can decide: what
// becomes of a task is package tasks, how a page is read is scrape, how many
// workers run is pool and monitor.
//
// # States of a session
//
//	INITIALIZING --> RUNNING <--> PAUSED
//	      |             |           |
//	      |             +--> COMPLETED   every task has its final state
//	      |             +--> FAILED      an error inside poscrape
//	      +-------------+--> INTERRUPTED stopped; it can be resumed
//
// It is PAUSED as long as anyone holds it, such as the disk or the portal. Each hold
// has an owner and a reason, which Progress shows; the pool keeps them.
//
// Resume takes a session that has ended back to RUNNING; one that says RUNNING or
// PAUSED, but that nobody owns, was killed and is read as INTERRUPTED.
//
// # Its parts
//
// What a session is told is package setup; its folder is folder, and what follows from a
// disk that is short is space. A Chrome becomes a worker in worker, asks breaker before it
// goes to a host, and has its documents published by documents. Package proofs gives orders
// the proof that they lacked, turns shares the workers out among several portals, progress
// counts, and story tells. A part knows nothing of the session: it is given what it needs when
// the session is put together (assemble, enter).
package session
