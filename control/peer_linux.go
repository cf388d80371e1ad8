package control

import (
	"net"

	"golang.org/x/sys/unix"
)

// peerOf returns the user at the other end of a socket.
func peerOf(c *net.UnixConn) (uid int, err error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, err
	}
	var peer *unix.Ucred
	var asked error
	err = raw.Control(func(fd uintptr) { peer, asked = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) })
	if err != nil {
		return 0, err
	}
	if asked != nil {
		return 0, asked
	}
	return int(peer.Uid), nil
}
