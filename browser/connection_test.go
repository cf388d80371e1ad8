package browser_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/chromedp"

	"github.com/poscrape/poscrape/browser"
)

func decoded(t *testing.T, text string) cdproto.Message {
	t.Helper()
	var msg cdproto.Message
	if err := jsonv2.Unmarshal([]byte(text), &msg, chromedp.DefaultUnmarshalOptions); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return msg
}

// TestConnectionReads has messages come as Chrome writes them, and as it might.
func TestConnectionReads(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("pos", 1<<20)
	wanted := []string{
		`{"id":1,"result":{}}`,
		`{"id":2,"result":{"value":7},"sessionId":"A1"}`,
		`{"id":3,"result":{"value":"\",\"sessionId\":\"no\""},"sessionId":"A1"}`,
		`{"id":4,"result":{"sessionId":"A1"}}`,
		`{"id":5,"result":{"data":"` + long + `"},"sessionId":"A1"}`,
		`{"id":6,"error":{"code":-32000,"message":"not found, \"result\":{}"}}`,
		`{"id":7,"error":{"code":-32000,"message":"not found"},"sessionId":"A1"}`,
		`{"id":8,"error":{"code":1,"message":"m","data":{"x":[{}]}}}`,
		`{"method":"Page.loadEventFired","params":{"timestamp":1.5},"sessionId":"A1"}`,
		`{"method":"Target.attachedToTarget","params":{"targetInfo":{"type":"page"},"sessionId":"B2"}}`,
		`{"method":"Target.detachedFromTarget","params":{"sessionId":"B2"},"sessionId":"A1"}`,
		`{"method":"Page.loadEventFired","sessionId":"A1","params":{}}`,
		`{"sessionId":"A1","id":9,"result":{}}`,
		`{"id":10,"result":{},"sessionId":"A\"1"}`,
		`{"method":"Inspector.detached"}`,
		`{ "id" : 11, "result" : { } }`,
		`{"id":12,"result":{"text":"Bestellung für 3 €"},"sessionId":"A1"}`,
		`{"method":"Network.loadingFinished","params":{"requestId":"1"},"sessionId":"A1"}`,
		`{"id":13,"result":{"data":"` + strings.ToUpper(long) + `"},"sessionId":"A1"}`,
		`{"id":14,"result":{}}`,
	}
	conn, _, messages := browser.Connect(t)
	go func() {
		// What nobody looks at comes between.
		needless := `{"method":"Network.dataReceived","params":{"requestId":"1"},"sessionId":"A1"}` + "\x00"
		for _, text := range wanted {
			_, _ = io.WriteString(messages, needless+text+"\x00") // the reader finds out
		}
		_ = messages.Close()
	}()
	got := make([]cdproto.Message, len(wanted))
	for i, text := range wanted {
		if err := conn.Read(t.Context(), &got[i]); err != nil {
			t.Fatalf("%.80s: %v", text, err)
		}
	}
	for i, text := range wanted { // what was read before stays as it was
		if want := decoded(t, text); !reflect.DeepEqual(got[i], want) {
			t.Errorf("%.80s: got %.80s %.80s", text, got[i].Params, got[i].Result)
		}
	}
	if err := conn.Read(t.Context(), new(cdproto.Message)); !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %v", err)
	}
}

// TestConnectionEnds has Chrome go away while a message is awaited, and while one is
// being written, and this end closed.
func TestConnectionEnds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before string
		end    func(conn chromedp.Transport, messages *os.File) error
		want   error // nil for any
	}{
		"between two messages": {`{"id":1,"result":{}}` + "\x00", closeTheirs, io.EOF},
		"in a message":         {`{"id":1,"result":{}}` + "\x00" + `{"id":2,"resu`, closeTheirs, io.ErrUnexpectedEOF},
		"by this end":          {`{"id":1,"result":{}}` + "\x00", closeOurs, nil},
		"with no message":      {`{"id":1,"result":{}}` + "\x00not JSON\x00", nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn, _, messages := browser.Connect(t)
			if _, err := io.WriteString(messages, c.before); err != nil {
				t.Fatal(err)
			}
			var msg cdproto.Message
			if err := conn.Read(t.Context(), &msg); err != nil || msg.ID != 1 {
				t.Fatalf("%+v: %v", msg, err)
			}
			ended := make(chan error, 1)
			go func() { ended <- conn.Read(t.Context(), &msg) }()
			if c.end != nil {
				if err := c.end(conn, messages); err != nil {
					t.Fatal(err)
				}
			}
			if err := <-ended; err == nil || c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func closeTheirs(_ chromedp.Transport, messages *os.File) error { return messages.Close() }

func closeOurs(conn chromedp.Transport, _ *os.File) error { return conn.Close() }

// TestConnectionWrites has several goroutines write more than a pipe holds.
func TestConnectionWrites(t *testing.T) {
	t.Parallel()
	const writers, size = 8, 1 << 20
	conn, commands, _ := browser.Connect(t)
	var writing sync.WaitGroup
	for i := range writers {
		writing.Go(func() {
			text := bytes.Repeat([]byte{'a' + byte(i)}, size)
			msg := &cdproto.Message{ID: int64(i + 1), Method: "Runtime.evaluate", Params: fmt.Appendf(nil, `{"expression":%q}`, text)}
			if err := conn.Write(t.Context(), msg); err != nil {
				t.Errorf("writer %d: %v", i, err)
			}
		})
	}
	in := bufio.NewReader(commands)
	seen := map[int64]bool{}
	for range writers {
		text, err := in.ReadString(0)
		if err != nil {
			t.Fatal(err)
		}
		msg := decoded(t, strings.TrimSuffix(text, "\x00"))
		want := fmt.Sprintf(`{"expression":%q}`, strings.Repeat(string(rune('a'+msg.ID-1)), size))
		if seen[msg.ID] || string(msg.Params) != want {
			t.Errorf("message %d came twice, or mixed with another", msg.ID)
		}
		seen[msg.ID] = true
	}
	writing.Wait()
	if err := commands.Close(); err != nil {
		t.Fatal(err)
	}
	if err := conn.Write(t.Context(), &cdproto.Message{ID: 9, Method: "Page.enable"}); err == nil {
		t.Error("what was written to a Chrome that is gone was no error")
	}
}

// TestConnectionCloseEndsAWrite closes the connection to a Chrome that reads nothing.
func TestConnectionCloseEndsAWrite(t *testing.T) {
	t.Parallel()
	conn, commands, _ := browser.Connect(t)
	ended := make(chan error, 1)
	go func() {
		params := fmt.Appendf(nil, `{"expression":%q}`, strings.Repeat("x", 4<<20))
		ended <- conn.Write(t.Context(), &cdproto.Message{ID: 1, Method: "Runtime.evaluate", Params: params})
	}()
	if _, err := io.ReadFull(commands, make([]byte, 1)); err != nil { // it is under way
		t.Fatal(err)
	}
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err == nil {
		t.Error("a message of which most was not read counts as written")
	}
}
