package browser

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"

	"github.com/chromedp/cdproto"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// connection is chromedp's Transport over the two pipes to a Chrome, with less work for
// each message than its own (docs/decisions/0018).
type connection struct {
	to      io.WriteCloser
	from    io.ReadCloser
	in      *bufio.Reader
	writing sync.Mutex
	// heard beats with each message that comes.
	heard *pulse
}

// readSize in bytes is how much is read at once: a message with a document of some
// hundred kilobytes fits.
const readSize = 256 << 10

func newConnection(p pipes, heard *pulse) (*connection, error) {
	to, err := unwatched(p.to)
	if err != nil {
		return nil, fmt.Errorf("preparing the pipe to Chrome: %w", err)
	}
	from, err := unwatched(p.from)
	if err != nil {
		return nil, fmt.Errorf("preparing the pipe from Chrome: %w", err)
	}
	return &connection{to: to, from: from, in: bufio.NewReaderSize(from, readSize), heard: heard}, nil
}

// needless are the events that nobody here looks at: more than a quarter of all messages.
var needless = map[cdproto.MethodType]bool{
	cdproto.EventNetworkDataReceived:               true,
	cdproto.EventNetworkPolicyUpdated:              true,
	cdproto.EventNetworkRequestServedFromCache:     true,
	cdproto.EventNetworkRequestWillBeSentExtraInfo: true,
	cdproto.EventNetworkResourceChangedPriority:    true,
	cdproto.EventNetworkResponseReceivedExtraInfo:  true,
	cdproto.EventPageFrameStartedLoading:           true,
	cdproto.EventPageFrameStartedNavigating:        true,
	cdproto.EventPageFrameStoppedLoading:           true,
}

// Close closes both pipes, which ends Chrome.
func (c *connection) Close() error { return errors.Join(c.to.Close(), c.from.Close()) }

// Read blocks until there is a message that somebody looks at.
func (c *connection) Read(_ context.Context, msg *cdproto.Message) error {
	for {
		text, err := c.next()
		if err != nil {
			return err
		}
		c.heard.beat()
		outer, ok := takeApart(text)
		switch {
		case !ok:
			return jsonv2.Unmarshal(text, msg, chromedp.DefaultUnmarshalOptions)
		case !needless[outer.Method]:
			outer.Params, outer.Result = bytes.Clone(outer.Params), bytes.Clone(outer.Result)
			*msg = outer
			return nil
		}
	}
}

// next returns the next message, which is good until the one after it is asked for.
func (c *connection) next() ([]byte, error) {
	var long []byte // what is longer than the buffer
	for {
		part, err := c.in.ReadSlice(0)
		if err == nil && len(long) == 0 {
			return part[:len(part)-1], nil
		}
		long = append(long, part...)
		switch {
		case err == nil:
			return long[:len(long)-1], nil
		case errors.Is(err, io.EOF) && len(long) > 0:
			return nil, io.ErrUnexpectedEOF
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// takeApart splits a message as Chrome writes them, without a look into what it carries:
// whoever that is for decodes it. It reports false for any other, such as one that
// carries an error.
func takeApart(text []byte) (msg cdproto.Message, ok bool) {
	rest, ok := bytes.CutSuffix(text, []byte("}"))
	if before, id, is := cutString(rest, `,"sessionId":`); is {
		rest, msg.SessionID = before, target.SessionID(id)
	}
	if !ok || !bytes.HasSuffix(rest, []byte("}")) {
		return msg, false
	}
	if reply, is := bytes.CutPrefix(rest, []byte(`{"id":`)); is {
		number, result, is := bytes.Cut(reply, []byte(`,"result":`))
		id, err := strconv.ParseInt(string(number), 10, 64)
		msg.ID, msg.Result = id, result
		return msg, is && err == nil
	}
	event, ok := bytes.CutPrefix(rest, []byte(`{"method":"`))
	method, params, is := bytes.Cut(event, []byte(`","params":`))
	msg.Method, msg.Params = cdproto.MethodType(method), params
	return msg, ok && is && !bytes.ContainsAny(method, `"\\`)
}

// cutString cuts a text's end, a name and a string without escapes.
func cutString(text []byte, name string) (before []byte, value string, ok bool) {
	text, ok = bytes.CutSuffix(text, []byte(`"`))
	begin := bytes.LastIndexByte(text, '"')
	if !ok || begin < 0 {
		return nil, "", false
	}
	before, ok = bytes.CutSuffix(text[:begin], []byte(name))
	return before, string(text[begin+1:]), ok
}

// Write is safe to be called by several goroutines at once.
func (c *connection) Write(_ context.Context, msg *cdproto.Message) error {
	text, err := jsonv2.Marshal(msg, chromedp.DefaultMarshalOptions)
	if err != nil {
		return fmt.Errorf("encoding a message to Chrome: %w", err)
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	if _, err := c.to.Write(append(text, 0)); err != nil {
		return fmt.Errorf("writing to Chrome: %w", err)
	}
	return nil
}
