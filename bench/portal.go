package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"time"

	"github.com/poscrape/poscrape/bench/protocol"
	"github.com/poscrape/poscrape/internal/portal"
)

// portalCommand makes this program a portal: it is a process of its own, so that
// what it costs can be told from what the tools cost.
const portalCommand = "serve-portal"

// greeting is what the portal's process says when it is ready.
type greeting struct {
	Base   string
	Orders []portal.BenchOrder
}

// servePortal serves until standard input ends, which it does with the runner.
func servePortal(config string) error {
	var c portal.BenchConfig
	if err := json.Unmarshal([]byte(config), &c); err != nil {
		return fmt.Errorf("reading the portal's configuration: %w", err)
	}
	bench, err := portal.NewBench(c)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("starting the portal: %w", err)
	}
	server := &http.Server{Handler: bench, ReadHeaderTimeout: 10 * time.Second}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	if err := json.NewEncoder(os.Stdout).Encode(greeting{"http://" + listener.Addr().String(), bench.Orders()}); err != nil {
		return errors.Join(err, server.Close())
	}
	_, err = io.Copy(io.Discard, os.Stdin)
	err = errors.Join(err, server.Close())
	if end := <-served; !errors.Is(end, http.ErrServerClosed) {
		err = errors.Join(err, end)
	}
	return err
}

// portalProcess is a running portal.
type portalProcess struct {
	greeting
	cmd *exec.Cmd
	// stop ends it when it is closed.
	stop io.Closer
}

// startPortal starts this program as a portal, and returns when it is ready.
func startPortal(c portal.BenchConfig) (*portalProcess, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	config, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, portalCommand, string(config))
	cmd.Stderr = os.Stderr
	shield(cmd)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the portal: %w", err)
	}
	p := &portalProcess{cmd: cmd, stop: stdin}
	if err := json.NewDecoder(bufio.NewReader(stdout)).Decode(&p.greeting); err != nil {
		return nil, errors.Join(fmt.Errorf("the portal did not start: %w", err), p.close())
	}
	return p, nil
}

func (p *portalProcess) close() error {
	return errors.Join(p.stop.Close(), p.cmd.Wait())
}

// pid of the portal's process.
func (p *portalProcess) pid() int { return p.cmd.Process.Pid }

// sheet returns the first n orders as a tool gets them.
func (p *portalProcess) sheet(n int) []protocol.Order {
	var orders []protocol.Order
	for _, o := range p.Orders[:n] {
		orders = append(orders, protocol.Order{PO: o.PO, URL: p.Base + o.Path})
	}
	return orders
}
