// Package session puts the parts together and owns their life: one
// ProcessingSession is one run, from the rows of a sheet to the report in which
// each of them is accounted for. It decides nothing that a part can decide: what
// becomes of a task is package tasks, how a page is read is scrape, how many
// workers run is pool and monitor.
//
// # Its parts
//
// Where it stands, and why it stops, is package life; how it ended is ending. What it is told is
// setup; its folder is folder, and what follows from a disk that is short is space. A Chrome
// becomes a worker in worker, asks breaker before it goes to a host, and has its documents
// published by documents. Package proofs gives orders the proof that they lacked, portals has the
// portals and who is signed in there, load limits the workers, progress counts, and story tells. A
// part knows nothing of the session: it is given what it needs when the session is put together
// (assemble, enter).
package session
