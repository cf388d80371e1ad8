package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"github.com/poscrape/poscrape/session"
)

// maxSignals is how many signals wait to be looked at; each asks for more than
// the one before, so a fourth has nothing to add.
const maxSignals = 3

// echo is within what time an equal signal is the same one. timeout(1) and others send theirs to a
// program and to its group, and a key that is held down repeats; nobody presses one twice so soon.
const echo = 50 * time.Millisecond

// listen receives the signals that stop a session, until stop is called: Ctrl-C,
// SIGTERM (on Windows: the console's window is closed), and on Unix the end of
// the terminal, unless nohup took care of that.
//
// A closed pipe behind standard output or standard error does not end the
// session meanwhile: its work is in its folder.
func listen() (signals <-chan os.Signal, stop func()) {
	received := make(chan os.Signal, maxSignals)
	signal.Notify(received, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(received, syscall.SIGHUP)
	}
	brokenPipes := make(chan os.Signal, 1)
	signal.Notify(brokenPipes, syscall.SIGPIPE)
	meant, ended := make(chan os.Signal, maxSignals), make(chan struct{})
	go func() {
		defer close(ended)
		withoutEchoes(received, meant)
	}()
	return meant, func() {
		signal.Stop(received)
		signal.Stop(brokenPipes)
		close(received)
		<-ended
	}
}

// withoutEchoes passes on the signals that are not echoes of the one before, until received is closed.
// What nobody has room for is dropped.
func withoutEchoes(received <-chan os.Signal, meant chan<- os.Signal) {
	var last os.Signal
	var at time.Time
	for s := range received {
		if s != last || time.Since(at) > echo {
			select {
			case meant <- s:
			default:
			}
		}
		last, at = s, time.Now()
	}
}

var (
	// errInterrupted: the user stopped it before a session had begun.
	errInterrupted = errors.New("interrupted before any order was begun")
	// errGivenUp: the user did not want to wait for what was still to be done.
	errGivenUp = errors.New("given up while work was going on")
)

// attend waits for work, which runs in its own goroutine, and hands each signal
// that comes meanwhile to onSignal. When that returns true attend does not wait
// any longer and returns errGivenUp: the goroutine ends with the program.
func attend[T any](work func() (T, error), signals <-chan os.Signal, onSignal func(os.Signal) bool) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		value, err := work()
		done <- outcome{value, err}
	}()
	for {
		select {
		case o := <-done:
			return o.value, o.err
		case s := <-signals:
			if onSignal(s) {
				var none T
				return none, errGivenUp
			}
		}
	}
}

// interrupts says what each signal means, and does it. It belongs to one
// goroutine, the one that attends to the session.
type interrupts struct {
	say   func(session.Notice)
	grace time.Duration
	count int
	// farewell is what is left to say when the user has given up.
	farewell string
}

// add counts a signal and returns how many there were. A terminal that ends may
// say so more than once, and Windows leaves a program whose window is closed no
// time for a grace period.
func (i *interrupts) add(s os.Signal) int {
	switch {
	case s == syscall.SIGHUP && i.count > 0:
		return 0
	case s == syscall.SIGTERM && runtime.GOOS == "windows" && i.count == 0:
		i.count = 2
	default:
		i.count++
	}
	return i.count
}

// whileOpening answers a signal that comes before the session is there.
func (i *interrupts) whileOpening(s os.Signal, cancel context.CancelCauseFunc) (giveUp bool) {
	switch i.add(s) {
	case 0:
	case 1:
		cancel(errInterrupted)
		i.tell("Interrupted before any order was begun: stopping. %s to end at once.", again(s))
	default:
		cancel(errInterrupted)
		i.farewell = "ended at once; no order was begun"
		return true
	}
	return false
}

// whileRunning answers a signal that comes while the session runs.
func (i *interrupts) whileRunning(s os.Signal, r runner) (giveUp bool) {
	switch i.add(s) {
	case 0:
	case 1:
		r.Interrupt(reasonOf(s))
		i.tell("Interrupted: no new order is begun; those in progress have up to %s to finish. %s to stop them at once.",
			shortDuration(i.grace.String()), again(s))
	case 2:
		r.Abort(reasonOf(s))
		i.tell("Interrupted again: the orders in progress are stopped and put back, their attempts do not count. "+
			"%s to end without cleaning up.", again(s))
	default:
		i.farewell = fmt.Sprintf("ended at once, without a report and without cleaning up; 'poscrape resume %s' goes on, "+
			"and clears up what is left", nearby(r.Dir()))
		return true
	}
	return false
}

func (i *interrupts) tell(format string, args ...any) {
	i.say(session.Notice{Level: session.NoticeInfo, Message: fmt.Sprintf(format, args...)})
}

// reasonOf says for the report why the session was stopped.
func reasonOf(s os.Signal) string {
	switch s {
	case os.Interrupt:
		return "interrupted by Ctrl-C"
	case syscall.SIGHUP:
		return "interrupted, as its terminal was closed"
	}
	return "interrupted by a signal to terminate"
}

// again says how to ask for more.
func again(s os.Signal) string {
	if s == os.Interrupt {
		return "Press Ctrl-C again"
	}
	return "Signal again"
}
