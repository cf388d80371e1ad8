package control

import (
	"net"
	"os"
	"sync"
)

// listener accepts connections, but not too many at once: they take files from the session.
type listener struct {
	net.Listener
	room chan struct{}
}

// conn is a connection, of which it is known whether it may be this user's.
type conn struct {
	net.Conn
	ours  bool
	leave func()
}

func newListener(l net.Listener) *listener {
	return &listener{Listener: l, room: make(chan struct{}, maxConnections)}
}

// Accept returns the next connection for which there is room, and ends the others.
func (l *listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		select {
		case l.room <- struct{}{}:
			return &conn{Conn: c, ours: isOurs(c), leave: sync.OnceFunc(func() { <-l.room })}, nil
		default:
			_ = c.Close()
		}
	}
}

func (c *conn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}

// isOurs reports whether the other end of a connection may be this user's: of a port, the
// token shows it.
func isOurs(c net.Conn) bool {
	socket, ok := c.(*net.UnixConn)
	if !ok {
		return true
	}
	uid, err := peerOf(socket)
	return err == nil && (uid == os.Geteuid() || uid == 0)
}
