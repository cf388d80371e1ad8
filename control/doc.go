// Package control lets a running session be watched and steered from another process of
// the same user: its messages, its server and its client. What a Session does with what it is
// asked for is not this package's.
//
// A session listens on a Unix socket in its folder, which only its user can enter; where there
// are no such sockets, on a port of this machine, with a token that stands in a file there.
// Either way it speaks HTTP, and answers in JSON. docs/control.md describes it for programs.
//
// Nothing that a client does holds up the session: requests are small and have a time limit,
// and what they ask for is answered from memory.
package control

// Protocol is the version of the messages. Within one, fields and requests are only added.
const Protocol = 1

// The names of what is in a session folder while its session can be reached.
const (
	SocketName = "control.sock"
	FileName   = "control.json"
)

// Session is a running session. Its methods may be called by any goroutine and return at
// once; their errors are an *Error.
type Session interface {
	// Snapshot returns how it stands, also before it works and after its end.
	Snapshot() Snapshot
	// Scale asks for n workers.
	Scale(n int) error
	// Pause lets no order begin, until GoOn. It reports whether that was so already.
	Pause() (already bool, err error)
	// GoOn ends what Pause began, and reports whether there was anything to end. Others may
	// hold the session still: the Snapshot names them.
	GoOn() (ended bool, err error)
	// Stop ends the session: orders in progress are finished, or with force put back.
	Stop(reason string, force bool) error
	// Ended is closed when the session has ended, and its folder is free.
	Ended() <-chan struct{}
}
