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
// # The disk
//
// The disks that are written to are looked at before a session begins, and four
// times a second while it runs. One that is short pauses the session, and ends it when
// that lasts. A write that fails in spite of it ends the session at once: what is
// in progress is put back, and a reserve file in the session folder is removed, so
// that what was brought home is still recorded and the report written. Where the
// folder itself is taken away, nothing is written any more. In all these cases the
// error, or the End, says so (EnvironmentError, CauseEnvironment).
package session
