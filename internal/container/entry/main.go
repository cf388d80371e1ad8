//go:build linux

// Entry is the first program in a container for Chrome: it joins Chrome's pipe to the container's
// standard streams, and becomes Chrome.
//
//	entry [-gate SOCKET] CHROME FLAG...
//
// With a gate it listens on the container's loopback address and hands what it listens with to
// whoever listens on the socket, who then takes the connections: from a container without a
// network this is the only way out. The port is gatePort.
package main

import (
	"fmt"
	"net"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// gatePort is where Chrome finds its proxy: in a network of its own any port is free.
const gatePort = 3128

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "entry:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) >= 2 && args[0] == "-gate" {
		if err := openGate(args[1]); err != nil {
			return fmt.Errorf("opening the way out: %w", err)
		}
		args = args[2:]
	}
	if len(args) == 0 {
		return fmt.Errorf("no program is named")
	}
	if err := joinPipe(); err != nil {
		return fmt.Errorf("joining Chrome's pipe to the standard streams: %w", err)
	}
	return fmt.Errorf("starting %s: %w", args[0], syscall.Exec(args[0], args, os.Environ()))
}

// openGate listens, and hands the listening socket over.
func openGate(path string) error {
	listener, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: gatePort})
	if err != nil {
		return err
	}
	defer listener.Close()
	file, err := listener.File()
	if err != nil {
		return err
	}
	defer file.Close()
	conn, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, _, err := conn.WriteMsgUnix([]byte{0}, unix.UnixRights(int(file.Fd())), nil); err != nil {
		return err
	}
	var taken [1]byte
	_, err = conn.Read(taken[:])
	return err
}

// joinPipe has Chrome read its commands, from descriptor 3, from standard input, and write its
// answers, to descriptor 4, to standard output.
func joinPipe() error {
	null, err := unix.Open(os.DevNull, unix.O_RDONLY, 0)
	if err != nil {
		return err
	}
	for _, move := range [][2]int{{0, 3}, {1, 4}, {null, 0}, {2, 1}} {
		if err := unix.Dup3(move[0], move[1], 0); err != nil {
			return err
		}
	}
	return nil
}
