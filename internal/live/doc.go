// Package live serves the page of a session while it runs: its report as it stands, how it
// goes on, what each worker has before it, and what steers it. Whoever knows the page's address
// can steer the session, so the address holds a secret.
//
// Nothing that a viewer does holds up the session: what it is asked is answered from memory,
// the report is made from the ledger by a reader of its own, and only while somebody looks.
package live
