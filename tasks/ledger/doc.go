// Package ledger keeps one session in one SQLite file: its tasks, what became of
// each attempt, every change of state, and the session's own story. It is the
// tasks.TaskQueue and the tasks.SessionLog of one machine.
//
// It decides nothing: what follows an attempt is the policy's, and how a task
// moves is written in package tasks. It keeps no documents, only where they are.
//
// # Owner and readers
//
// One process owns the file (Open), held by a lock of the operating system on a
// file beside it, which is gone when the owner is. Any number may read meanwhile
// (OpenReadOnly). Each opening by an owner raises the epoch, and puts the tasks
// that an earlier owner left in progress back to PENDING, uncharged.
//
//	closed --Open--> owned (epoch n+1) --Close--> closed: session.db alone
//	                   |
//	                   `--killed--> owner gone, WAL left; the next Open goes on
//
// # Damage
//
// A session is verified before it is opened, through connections that only read:
// one that is damaged is refused with a *FileError, and left as it is. What SQLite
// cannot know is passed by: a changed digit in a text, or a log that was taken
// away. A file that is moved away while it is in use is noticed by who asks InPlace.
//
// # Writing
//
// One goroutine writes. It takes the operations that wait together, each in its
// savepoint: first, in one transaction, those that need no sync, then, in
// another, those that do, and answers them when that is committed. An outcome,
// new tasks and the session's record are on disk before they are answered, so
// outcomes that arrive together share one sync. A claim or an event is not: one
// that power loss forgets is only done again.
//
// Claims that find nothing wait in the same goroutine, and are tried again when
// something has changed or the next task is due.
//
// # The file
//
// schema.sql and the steps that follow it say what is in it; a file of an earlier version
// is read as it is, and brought up to date by its next owner. What selectors met is
// stored as looks.go says. Times are RFC 3339 in UTC with microseconds, as
// text that sorts; durations end in _us and are microseconds; structures are JSON.
package ledger
