package control

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

const (
	// patience is how long a client waits for an answer.
	patience = 5 * time.Second
	// maxAnswer bounds what it reads of one, in bytes.
	maxAnswer = 16 << 20
	// silentAtMost is how long a session may be silent while its end is waited for.
	silentAtMost = 15 * time.Second
)

// Client is the other end of a Server. Its methods may be called by several goroutines; their
// errors are an *Error. All but Watch and Wait take at most 5 s.
type Client struct {
	dir   string
	http  *http.Client
	token string
	// silentAtMost is how long the session may be silent while its end is waited for.
	silentAtMost time.Duration
}

// Dial finds the running session in a folder. It does not connect yet. It returns an *Error
// where nothing there can be reached.
func Dial(dir string) (*Client, error) {
	c := &Client{dir: dir, silentAtMost: silentAtMost}
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) { return dialSocket(ctx, dir) }
	if _, err := os.Lstat(filepath.Join(dir, SocketName)); err != nil {
		a, err := readAddress(dir)
		switch {
		case errors.Is(err, fs.ErrPermission):
			return nil, Errorf(NotPermitted, "%s cannot be entered: the session is another user's", dir)
		case errors.Is(err, fs.ErrNotExist):
			return nil, Errorf(NotRunning, "the session in %s does not run", dir)
		case err != nil:
			return nil, Errorf(NotFound, "%s cannot be read: %w", filepath.Join(dir, FileName), err)
		}
		c.token = a.Token
		dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", a.Address)
		}
	}
	c.http = &http.Client{Transport: &http.Transport{DialContext: dial, DisableCompression: true}}
	return c, nil
}

func dialSocket(ctx context.Context, name string) (net.Conn, error) {
	dir, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = dir.Close() }()
	path, err := socketPath(dir)
	if err != nil {
		return nil, err
	}
	return new(net.Dialer).DialContext(ctx, "unix", path)
}

// Close frees the client.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Status returns how the session stands as a whole.
func (c *Client) Status(ctx context.Context) (s Status, err error) {
	return s, c.get(ctx, "/v1/status", &s)
}

// Workers returns the workers that are there now, sorted by id.
func (c *Client) Workers(ctx context.Context) (w []Worker, err error) {
	return w, c.get(ctx, "/v1/workers", &w)
}

// Scale asks for n workers, and returns when that is accepted.
func (c *Client) Scale(ctx context.Context, n int) (Answer, error) {
	return c.post(ctx, "/v1/scale", scaleRequest{n})
}

// Pause lets no order begin, and returns when that is accepted.
func (c *Client) Pause(ctx context.Context) (Answer, error) {
	return c.post(ctx, "/v1/pause", struct{}{})
}

// Resume ends what Pause began, and returns when that is accepted.
func (c *Client) Resume(ctx context.Context) (Answer, error) {
	return c.post(ctx, "/v1/resume", struct{}{})
}

// Stop ends the session, and returns when that is accepted. Wait waits for its end.
func (c *Client) Stop(ctx context.Context, force bool) (Answer, error) {
	return c.post(ctx, "/v1/stop", stopRequest{force})
}

// Wait returns how the session stands when it has ended. Where its process was ended, the
// error is an *Error with the code NotRunning; where it has not answered anything else for 15 s
// either, Timeout.
func (c *Client) Wait(ctx context.Context) (s Status, err error) {
	waiting, stop := context.WithCancelCause(ctx)
	var listening sync.WaitGroup
	defer listening.Wait()
	defer stop(nil)
	listening.Go(func() { c.listenFor(waiting, stop) })
	body, err := c.do(waiting, http.MethodGet, "/v1/end", nil)
	if err == nil {
		defer func() { _ = body.Close() }()
		err = c.decode(waiting, body, &s)
	}
	if silent := (*Error)(nil); errors.As(context.Cause(waiting), &silent) {
		return s, silent
	}
	return s, err
}

// listenFor asks the session again and again until ctx ends, and gives up with an error where it
// has been silent for too long.
func (c *Client) listenFor(ctx context.Context, giveUp context.CancelCauseFunc) {
	ticker := time.NewTicker(2 * time.Second)
	defer ticker.Stop()
	for heard := time.Now(); ; {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		var e *Error
		if _, err := c.Status(ctx); !errors.As(err, &e) || e.Code != Timeout {
			heard = time.Now()
		} else if silence := time.Since(heard); silence >= c.silentAtMost {
			giveUp(c.silent(silence))
			return
		}
	}
}

func (c *Client) get(ctx context.Context, path string, into any) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	body, err := c.do(ctx, http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }()
	return c.decode(ctx, body, into)
}

func (c *Client) post(ctx context.Context, path string, request any) (a Answer, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	text, err := json.Marshal(request)
	if err != nil {
		return a, err
	}
	body, err := c.do(ctx, http.MethodPost, path, text)
	if err != nil {
		return a, err
	}
	defer func() { _ = body.Close() }()
	return a, c.decode(ctx, body, &a)
}

func (c *Client) decode(ctx context.Context, body io.Reader, into any) error {
	if err := json.NewDecoder(io.LimitReader(body, maxAnswer)).Decode(into); err != nil {
		return c.explain(ctx, err)
	}
	return nil
}

// do makes a request, and returns the body of its answer, or an *Error.
func (c *Client) do(ctx context.Context, method, path string, body []byte) (io.ReadCloser, error) {
	request, err := http.NewRequestWithContext(ctx, method, "http://poscrape"+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if c.token != "" {
		request.Header.Set("Authorization", "Bearer "+c.token)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, c.explain(ctx, err)
	}
	if response.StatusCode < http.StatusBadRequest {
		return response.Body, nil
	}
	defer func() { _ = response.Body.Close() }()
	var refused struct {
		Error *Error `json:"error"`
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, maxAnswer)).Decode(&refused); err != nil || refused.Error == nil {
		return nil, Errorf(NotFound, "what answers for the session in %s is not poscrape: %s", c.dir, response.Status)
	}
	return nil, refused.Error
}

// explain returns an error of a connection as an *Error.
func (c *Client) explain(ctx context.Context, err error) error {
	var timeout net.Error
	switch {
	case ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded):
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout(), errors.Is(err, syscall.EAGAIN):
		return Errorf(Timeout, "the session in %s has not answered within %v: its process may be stopped, or its machine overloaded", c.dir, patience)
	case errors.Is(err, fs.ErrPermission):
		return Errorf(NotPermitted, "the session in %s cannot be reached: it is another user's", c.dir)
	case errors.Is(err, errNoSocket):
		return Errorf(NotFound, "the session in %s cannot be reached: %w; go to the folder, and name it by a shorter path", c.dir, err)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED), isGone(err):
		return &Error{Code: NotRunning, Message: fmt.Sprintf("the session in %s does not run any more", c.dir), err: err}
	}
	return Errorf(NotFound, "the session in %s cannot be reached: %w", c.dir, err)
}

// silent returns the error of a session that has not answered for so long.
func (c *Client) silent(d time.Duration) *Error {
	return Errorf(Timeout, "the session in %s has not answered for %v: its process may be stopped, or its machine overloaded", c.dir, d.Round(time.Second))
}

// isGone reports whether the other end of a connection has closed it.
func isGone(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}
