package main

import (
	"bytes"
	"testing"
)

// TestTell: what a message quotes of a portal cannot steer the terminal.
func TestTell(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := &program{stderr: &out}
	p.tell("the page is %s", "\x1b]0;owned\x07\x1b[2Jshown\u202e\r\xff\u009b1m")
	if got, want := out.String(), "the page is \ufffd]0;owned\ufffd\ufffd[2Jshown\ufffd\ufffd\ufffd\ufffd1m\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
