// Command poscrape collects the documents of purchase orders from supplier
// portals.
//
// It turns what was typed into a session.Config, shows how the session goes,
// hands it signals, and answers with an exit code. What a session does is
// decided in package session and below; nothing of that is here. The views of a
// session (a bar, plain lines, JSON lines) import the session's figures, never
// the reverse.
//
// # Stopping
//
//	           1st signal                 2nd
//	opening ----------------> cancelled ------> given up, 130
//	   |
//	   |    1st signal             2nd          3rd
//	running ----------> Interrupt -----> Abort -----> given up, 130
//
// Given up means that the program ends while the session's goroutines still
// run: the third signal is for when nothing else helps.
package main
