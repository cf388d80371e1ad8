package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/poscrape/poscrape/internal/gallery"
	"github.com/poscrape/poscrape/internal/live"
	"github.com/poscrape/poscrape/internal/login"
	"github.com/poscrape/poscrape/session"
)

// signInFor is how long a run waits on its live page for a person who signs in.
const signInFor = 30 * time.Minute

// livePage is where a session's page is served while it runs.
type livePage struct {
	addr     string
	listener net.Listener
	desk     live.Desk
	say      func(session.Notice)
}

// listenForPage listens at the address of --ui, so that one that cannot be used is known before
// anything is begun. Without an address it does nothing.
func listenForPage(addr string) (*livePage, error) {
	if addr == "" {
		return &livePage{}, nil
	}
	listener, err := live.Listen(addr)
	if err != nil {
		return nil, usageErrorf("--ui: no page can be served at %s: %v", quote(addr), err)
	}
	return &livePage{addr: addr, listener: listener}, nil
}

// close gives the address up, where no page was served there.
func (p *livePage) close() {
	if p.listener != nil {
		_ = p.listener.Close() // it may be closed already
	}
}

// serve serves the page of a session, until stop is called, and says where.
func (p *livePage) serve(r runner, say func(session.Notice)) (stop func()) {
	c := r.Control()
	if p.listener == nil || c == nil {
		return func() {}
	}
	cfg := live.Config{Session: c, Dir: r.Dir(), Listener: p.listener, Addr: p.addr, SignIn: &p.desk}
	if shown, ok := r.(interface{ Gallery() *gallery.Gallery }); ok {
		cfg.Gallery = shown.Gallery()
	}
	server, err := live.Serve(cfg)
	if err != nil {
		say(session.Notice{Level: session.NoticeWarning, Message: fmt.Sprintf("the live page cannot be served: %v", err)})
		return func() {}
	}
	say(session.Notice{Level: session.NoticeInfo, Message: "Watch and steer the run at " + server.URL()})
	if !server.Loopback() {
		say(session.Notice{Level: session.NoticeWarning, Message: "the live page can be reached from other machines, and is not encrypted: " +
			"whoever learns its address, or reads the network's traffic, can see the orders and stop the run, and what you type there to sign in"})
	}
	return func() {
		if err := server.Close(); err != nil {
			say(session.Notice{Level: session.NoticeWarning, Message: fmt.Sprintf("the live page was not closed cleanly: %v", err)})
		}
	}
}

// signIn has a person sign in on the live page.
func (p *livePage) signIn(ctx context.Context, asked session.SignInAsked) error {
	ctx, cancel := context.WithTimeoutCause(ctx, signInFor, fmt.Errorf("nobody has signed in on the live page within %v", signInFor))
	defer cancel()
	defer p.desk.Done()
	p.say(session.Notice{Level: session.NoticeWarning, Message: asked.Seen + "; the run waits: sign in on its live page, where there is a button for that now"})
	cfg := login.Config{Config: asked.Config, Recipe: asked.Recipe, State: asked.Config.State, Mount: p.desk.Mount, HasDisplay: func() bool { return false },
		Tell: func(format string, args ...any) {
			p.say(session.Notice{Level: session.NoticeInfo, Message: fmt.Sprintf(format, args...)})
		}}
	for {
		if err := p.desk.Await(ctx); err != nil {
			return err
		}
		if _, err := login.Run(ctx, cfg); !errors.Is(err, login.ErrClosed) {
			return err
		}
	}
}
