package portal

import (
	"io"
	"net/http"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// site is a portal that is being served, and a client of it.
type site struct {
	*Portal
	t      *testing.T
	base   string
	client *http.Client
}

// quick makes everything that a portal waits for short.
func quick(variations ...Variation) Config {
	return Config{
		Orders: max(1, len(variations)), Variations: variations, MaxDocument: 64 << 10,
		Slow: 20 * time.Millisecond, Mount: 5 * time.Millisecond, Wave: 12 * time.Millisecond,
		Busy: 15 * time.Millisecond, Late: 30 * time.Millisecond,
	}
}

func open(t *testing.T, c Config) *site {
	t.Helper()
	p, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	base, err := p.Start("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return &site{Portal: p, t: t, base: base, client: &http.Client{Transport: transport}}
}

// answer is a response that was read to its end.
type answer struct {
	*http.Response
	body []byte
	// cut is the error that ended the reading of the body, or nil.
	cut error
}

// get asks for a path, or for a whole address.
func (s *site) get(address string) answer {
	s.t.Helper()
	if address[0] == '/' {
		address = s.base + address
	}
	r, err := s.client.Get(address)
	if err != nil {
		s.t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	return answer{Response: r, body: body, cut: err}
}

// only returns the order of a portal that has one.
func (s *site) only() Order { return s.Orders()[0] }
