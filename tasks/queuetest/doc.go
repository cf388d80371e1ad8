// Package queuetest holds the conformance suite that every tasks.TaskQueue must
// pass. It looks at a queue through the interface alone, from many goroutines at
// once, and sets no bound on how long anything takes: a slow machine passes.
//
// It does not test that records survive a crash; that is for the tests of the
// queue that promises it.
package queuetest
