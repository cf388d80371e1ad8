package control

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http"
	"sync"
	"time"
)

// toldAgain is how often a watcher is told that a session is still silent.
const toldAgain = time.Second

// told is what a watched session has said, or why it says nothing more.
type told struct {
	now Snapshot
	err error
}

// Watch yields how the session stands: at once, whenever that has changed, at least every 2 s, and
// at last when it has ended. When nothing has come for 5 s, it yields an *Error of Timeout, and
// again every second until something comes; if that was to be the first, it ends. Any other
// error ends it; it is one of NotRunning when the session's process has gone.
func (c *Client) Watch(ctx context.Context) iter.Seq2[Snapshot, error] {
	return func(yield func(Snapshot, error) bool) {
		reading, stop := context.WithCancel(ctx)
		all := make(chan told)
		var reader sync.WaitGroup
		defer reader.Wait()
		defer stop()
		reader.Go(func() { c.listen(reading, all) })
		silence, heard, answered := time.NewTimer(patience), time.Now(), false
		defer silence.Stop()
		for {
			select {
			case t, more := <-all:
				if !more {
					if err := ctx.Err(); err != nil {
						yield(Snapshot{}, err)
					}
					return
				}
				if !yield(t.now, t.err) || t.err != nil {
					return
				}
				silence.Reset(patience)
				heard, answered = time.Now(), true
			case <-silence.C:
				if !yield(Snapshot{}, c.silent(time.Since(heard))) || !answered {
					return
				}
				silence.Reset(toldAgain)
			}
		}
	}
}

// listen passes on what a watched session says, until it ends, or ctx does.
func (c *Client) listen(ctx context.Context, all chan<- told) {
	defer close(all)
	pass := func(t told) (more bool) {
		select {
		case all <- t:
			return t.err == nil
		case <-ctx.Done():
			return false
		}
	}
	body, err := c.do(ctx, http.MethodGet, "/v1/watch", nil)
	if err != nil {
		pass(told{err: err})
		return
	}
	defer func() { _ = body.Close() }()
	for decoder := json.NewDecoder(body); ; {
		var t told
		if err := decoder.Decode(&t.now); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t = told{err: c.explain(ctx, err)}
		}
		if !pass(t) {
			return
		}
	}
}
