//go:build unix

package container

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

// gateName is the socket in the profile by which the container hands over what it listens with.
const gateName = "gate"

// gate waits for a container to hand over what it listens with.
type gate struct {
	listener *net.UnixListener
	path     string
	once     sync.Once
}

// openGate makes the socket, and has Spec.Gate take what comes by it. It returns the socket's path as
// seen from the profile.
func (c *Container) openGate(spec Spec) (string, error) {
	dir, err := os.Open(spec.Profile)
	if err != nil {
		return "", err
	}
	defer dir.Close()
	// By the directory's descriptor, as a socket's path is bounded (unix(7)).
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Net: "unix", Name: fmt.Sprintf("/proc/self/fd/%d/%s", dir.Fd(), gateName)})
	if err != nil {
		return "", fmt.Errorf("making the way out of a container: %w", err)
	}
	listener.SetUnlinkOnClose(false)
	path := filepath.Join(spec.Profile, gateName)
	c.gate = &gate{listener: listener, path: path}
	if spec.UID >= 0 {
		err = os.Lchown(path, spec.UID, spec.GID)
	}
	if err != nil {
		c.gate.close()
		return "", err
	}
	go c.gate.serve(spec.Gate)
	return gateName, nil
}

func (g *gate) close() {
	g.once.Do(func() {
		_ = g.listener.Close()
		_ = os.Remove(g.path) // it goes with the profile
	})
}

// serve takes one listener, the first.
func (g *gate) serve(take func(net.Listener)) {
	defer g.close()
	conn, err := g.listener.AcceptUnix()
	if err != nil {
		return // Chrome did not come so far, or has ended
	}
	defer conn.Close()
	listener, err := receive(conn)
	if err != nil {
		return // the container says so, and ends
	}
	take(listener)
	_, _ = conn.Write([]byte{0})
}

// receive takes over a listening socket.
func receive(conn *net.UnixConn) (net.Listener, error) {
	var b [1]byte
	control := make([]byte, syscall.CmsgSpace(4))
	_, n, _, _, err := conn.ReadMsgUnix(b[:], control)
	if err != nil {
		return nil, err
	}
	messages, err := syscall.ParseSocketControlMessage(control[:n])
	if err != nil || len(messages) != 1 {
		return nil, errors.Join(errors.New("no socket was handed over"), err)
	}
	fds, err := syscall.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 1 {
		return nil, errors.Join(errors.New("no socket was handed over"), err)
	}
	syscall.CloseOnExec(fds[0])
	file := os.NewFile(uintptr(fds[0]), "gate")
	defer file.Close()
	return net.FileListener(file)
}
