package egress

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"
)

// What RFC 1928 has of SOCKS 5 that a browser uses: to connect, to a name or an address, without a
// password.
const (
	socksVersion    = 5
	socksConnect    = 1
	socksNoPassword = 0
	socksIPv4       = 1
	socksName       = 3
	socksIPv6       = 4

	socksDone       = 0
	socksNotAllowed = 2
	socksFailed     = 4
)

var errSocks = errors.New("this is no request to connect by SOCKS 5")

// socks serves one connection of a browser.
func (p *Proxy) socks(client net.Conn) {
	host, port, err := readSocks(client)
	if err != nil {
		return
	}
	if !p.allows(host, port) {
		_ = answerSocks(client, socksNotAllowed)
		return
	}
	server, err := p.dial(p.life, host, port)
	if err != nil {
		_ = answerSocks(client, socksFailed)
		return
	}
	release := p.hold(server)
	defer release()
	if answerSocks(client, socksDone) == nil {
		join(client, server)
	}
}

// readSocks reads what a client begins with, and returns where it wants to be connected to.
func readSocks(client io.ReadWriter) (host, port string, err error) {
	var b [256]byte
	read := func(n int) []byte {
		if err == nil {
			_, err = io.ReadFull(client, b[:n])
		}
		return b[:n]
	}
	if head := read(2); err == nil && head[0] == socksVersion {
		read(int(head[1])) // the ways to sign in
	} else {
		return "", "", errors.Join(errSocks, err)
	}
	if err == nil {
		_, err = client.Write([]byte{socksVersion, socksNoPassword})
	}
	request := read(4)
	if err != nil || request[0] != socksVersion || request[1] != socksConnect {
		return "", "", errors.Join(errSocks, err)
	}
	switch request[3] {
	case socksIPv4:
		host = net.IP(read(net.IPv4len)).String()
	case socksIPv6:
		host = net.IP(read(net.IPv6len)).String()
	case socksName:
		host = strings.ToLower(string(read(int(read(1)[0]))))
	default:
		return "", "", errSocks
	}
	port = strconv.Itoa(int(binary.BigEndian.Uint16(read(2))))
	return host, port, err
}

// answerSocks tells a client what came of its request. The address that was connected from means
// nothing to a browser.
func answerSocks(client io.Writer, code byte) error {
	_, err := client.Write([]byte{socksVersion, code, 0, socksIPv4, 0, 0, 0, 0, 0, 0})
	return err
}
