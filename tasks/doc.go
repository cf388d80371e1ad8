// Package tasks says what is to be done with each purchase order, what becomes
// of it after each attempt, and what is remembered of a session.
//
// It holds the words that all other packages share: a ProcessingTask with its
// State and Outcome, the Result of an attempt or the Failure that ended it, the
// Policy that decides what follows, and the two interfaces behind which these
// are stored: TaskQueue and SessionLog. It does no I/O, starts no process and
// knows neither a browser nor a file. Package tasks/ledger stores it all in a
// file, Memory keeps a queue in memory, and package tasks/queuetest holds the
// conformance suite that both pass.
//
// # States of a task
//
//	             Claim           Start              Record
//	PENDING ------------> ASSIGNED ------> PROCESSING ------> COMPLETED
//	  ^  |                   |                 |    \
//	  |  | invalid input     | released        |     `-------> FAILED
//	  |  `-------> FAILED    |                 |                 |
//	  +----------------------+-----------------+                 |
//	  +----------------------------------------------------------+
//	     retried: by the policy (before its due time it is not
//	     claimed), or by a person (also COMPLETED with a partial outcome)
//
// Besides, Prove turns COMPLETED with the outcome partial into COMPLETED with
// no_attachments: the state stays, and the proof that was missing has arrived.
//
// State says where a task stands; what was found is its Outcome.
package tasks
