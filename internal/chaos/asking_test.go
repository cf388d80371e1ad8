//go:build linux

package chaos

import (
	"encoding/binary"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// askedBy returns the browser below tmp that sent a request: the one whose
// process holds the other end of its connection. So a fault strikes the browser
// that works on a certain order, and no order twice.
func askedBy(r *http.Request, tmp string) (group, error) {
	inode, err := socketOf(r.RemoteAddr)
	if err != nil {
		return group{}, err
	}
	for _, g := range groupsOf(tmp) {
		for _, m := range g.members {
			if holds(m.pid, inode) {
				return g, nil
			}
		}
	}
	return group{}, fmt.Errorf("no browser holds the connection from %s", r.RemoteAddr)
}

// socketOf returns the inode of the local socket with this IPv4 address.
func socketOf(address string) (string, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", err
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		return "", err
	}
	// proc_net_tcp(5): the address in hexadecimal, as the machine's integer.
	ip := binary.NativeEndian.Uint32(net.ParseIP(host).To4())
	local := fmt.Sprintf("%08X:%04X", ip, number)
	text, err := os.ReadFile("/proc/net/tcp")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 9 && fields[1] == local {
			return fields[9], nil
		}
	}
	return "", fmt.Errorf("no socket has the address %s", address)
}

// holds reports whether the process has the socket open.
func holds(pid int, inode string) bool {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid)) // the pattern is well-formed
	for _, file := range files {
		if target, err := os.Readlink(file); err == nil && target == "socket:["+inode+"]" {
			return true
		}
	}
	return false
}
