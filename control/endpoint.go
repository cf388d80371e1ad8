package control

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
)

// maxSocketPath is the longest path of a socket that all systems take: macOS has room for 104
// bytes, Linux for 108, with the zero at the end.
const maxSocketPath = 103

// errNoSocket: a socket cannot be made or reached by this path.
var errNoSocket = errors.New("the path of the socket is too long")

// address is what FileName says where there is no socket.
type address struct {
	Protocol int    `json:"protocol"`
	Address  string `json:"address"`
	Token    string `json:"token"`
}

// endpoint is where a session listens.
type endpoint struct {
	listener net.Listener
	root     *os.Root
	// name of the file that leads there, and that file.
	name string
	file fs.FileInfo
	// token that requests must have; empty: none is needed.
	token string
}

// socketPath returns a path of the socket that the system takes. A long one leads through the
// open directory, which must stay open meanwhile.
func socketPath(dir *os.File) (string, error) {
	path := filepath.Join(dir.Name(), SocketName)
	if len(path) <= maxSocketPath {
		return path, nil
	}
	if runtime.GOOS == "linux" {
		through := fmt.Sprintf("/proc/self/fd/%d", dir.Fd())
		if _, err := os.Stat(through); err == nil {
			return through + "/" + SocketName, nil
		}
	}
	return "", errNoSocket
}

// settle listens in the folder of a session that this process owns. What another run has left
// there is removed. With loopback, no socket is tried.
func settle(dir string, loopback bool) (_ *endpoint, err error) {
	p := &endpoint{}
	if p.root, err = os.OpenRoot(dir); err != nil {
		return nil, err
	}
	kept := false
	defer func() {
		if !kept {
			err = errors.Join(err, p.root.Close())
		}
	}()
	for _, name := range []string{SocketName, FileName} {
		if old := p.root.Remove(name); old != nil && !errors.Is(old, fs.ErrNotExist) {
			return nil, old
		}
	}
	if runtime.GOOS == "windows" || loopback || p.listenOnSocket(dir) != nil {
		err = p.listenOnPort()
	}
	kept = err == nil
	return p, err
}

func (p *endpoint) listenOnSocket(name string) error {
	dir, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = dir.Close() }()
	path, err := socketPath(dir)
	if err != nil {
		return err
	}
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return err
	}
	listener.SetUnlinkOnClose(false) // by then the path may be another's
	p.listener, p.name = listener, SocketName
	if err = p.root.Chmod(SocketName, 0o600); err == nil {
		p.file, err = p.root.Lstat(SocketName)
	}
	if err != nil {
		return errors.Join(err, listener.Close(), p.root.Remove(SocketName))
	}
	return nil
}

func (p *endpoint) listenOnPort() (err error) {
	if p.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return err
	}
	p.name, p.token = FileName, rand.Text()
	text, err := json.Marshal(address{Protocol: Protocol, Address: p.listener.Addr().String(), Token: p.token})
	if err == nil {
		err = p.write(append(text, '\n'))
	}
	if err != nil {
		return errors.Join(err, p.listener.Close())
	}
	return nil
}

// write writes the file that leads to the port, for this user alone.
func (p *endpoint) write(text []byte) error {
	out, err := p.root.OpenFile(FileName, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = out.Write(text)
	if err == nil {
		p.file, err = out.Stat()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return errors.Join(err, p.root.Remove(FileName))
	}
	return nil
}

// hide removes what leads here, unless the session is another's by now. It must come before
// the listener is closed: until then nothing else can be the same file.
func (p *endpoint) hide() error {
	there, err := p.root.Lstat(p.name)
	if err == nil && os.SameFile(there, p.file) {
		err = p.root.Remove(p.name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, p.root.Close())
}

// maxAddress bounds what is read of FileName, in bytes.
const maxAddress = 4 << 10

// readAddress reads the file that leads to a session's port.
func readAddress(dir string) (a address, err error) {
	name := filepath.Join(dir, FileName)
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return a, errors.New("it is not a file; remove it")
	}
	file, err := os.Open(name)
	if err != nil {
		return a, err
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(io.LimitReader(file, maxAddress))
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	if err != nil {
		return a, err
	}
	host, _, err := net.SplitHostPort(a.Address)
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
		return a, fmt.Errorf("%s in %s is not an address of this machine", a.Address, FileName)
	}
	return a, nil
}
