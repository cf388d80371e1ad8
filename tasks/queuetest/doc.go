// Package queuetest holds the conformance suite that every tasks.TaskQueue must
// pass. It looks at a queue through the interface alone, from many goroutines at
// once, and sets no bound on how long anything takes: a slow machine passes.
//
// A queue that wraps another, as those of a session do, need not pass it: of such, ClaimsBeside
// tests that a claim waits for nothing.
//
// It does not test that records survive a crash; that is for the tests of the
// queue that promises it.
package queuetest
