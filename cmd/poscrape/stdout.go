package main

import (
	"errors"
	"io"
	"sync"
	"syscall"
)

// watchedOutput remembers that standard output could not be written, so that a
// script does not take what is missing for success.
type watchedOutput struct {
	to io.Writer

	mu     sync.Mutex
	failed error
}

func (w *watchedOutput) Write(p []byte) (int, error) {
	n, err := w.to.Write(p)
	if err != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.failed == nil {
			w.failed = err
		}
	}
	return n, err
}

// terminal returns the terminal that it writes to, as terminalOf does.
func (w *watchedOutput) terminal() (terminal, bool) { return terminalOf(w.to) }

// caused reports whether an error is that standard output could not be written.
func (w *watchedOutput) caused(err error) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.failed != nil && errors.Is(err, w.failed)
}

// lost returns why output was lost, or nil. A reader that has closed its end of
// a pipe has read what it wanted.
func (w *watchedOutput) lost() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if errors.Is(w.failed, syscall.EPIPE) {
		return nil
	}
	return w.failed
}
