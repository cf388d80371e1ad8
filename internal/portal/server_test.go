package portal

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/internal/testkit"
)

func TestCloseEndsHangingRequests(t *testing.T) {
	t.Parallel()
	c := quick(Slow)
	c.Slow = time.Hour
	p, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	base, err := p.Start("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o := p.Orders()[0]
	transport := &http.Transport{}
	client := &http.Client{Transport: transport}
	failed := make(chan error, 2)
	for _, path := range []string{o.Path, o.Documents[0].Path} {
		go func() {
			r, err := client.Get(base + path)
			if err == nil {
				r.Body.Close()
			}
			failed <- err
		}()
	}
	testkit.Wait(t, "both requests", func() bool {
		r := p.Requests(o.Number)
		return r.Pages == 1 && r.Documents[o.Documents[0].Name] == 1
	})
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	for range 2 {
		if err := <-failed; err == nil {
			t.Error("a hanging request was answered")
		}
	}
	transport.CloseIdleConnections()
	if err := p.Close(); err != nil {
		t.Errorf("the second Close returned %v", err)
	}
	if _, err := p.Start("127.0.0.1:0"); !errors.Is(err, ErrClosed) {
		t.Errorf("Start after Close returned %v", err)
	}
	answered := httptest.NewRecorder()
	p.ServeHTTP(answered, httptest.NewRequest(http.MethodGet, "/", nil))
	if answered.Code != http.StatusServiceUnavailable {
		t.Errorf("after Close a request is answered with status %d", answered.Code)
	}
}

func TestCloseEndsADocumentThatNobodyReads(t *testing.T) {
	t.Parallel()
	p, err := New(quick(Plain))
	if err != nil {
		t.Fatal(err)
	}
	// A gigabyte is more than all buffers between server and client.
	endless := &p.orders[0].Documents[0]
	endless.content = newContent(kindPDF, "", [32]byte{}, 1<<30)
	endless.Size = endless.content.size
	base, err := p.Start("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	r, err := (&http.Client{Transport: transport}).Get(base + endless.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

func TestStart(t *testing.T) {
	t.Parallel()
	s := open(t, quick(Plain))
	if _, err := s.Start("127.0.0.1:0"); !errors.Is(err, ErrStarted) {
		t.Errorf("the second Start returned %v", err)
	}
	taken, err := New(quick(Plain))
	if err != nil {
		t.Fatal(err)
	}
	address := strings.TrimPrefix(s.base, "http://")
	if _, err := taken.Start(address); err == nil || !strings.Contains(err.Error(), address) {
		t.Errorf("Start on a taken port returned %v", err)
	}
	if err := taken.Close(); err != nil {
		t.Errorf("Close without a start returned %v", err)
	}
}

func TestStartOnAllAddressesIsReachedByLoopback(t *testing.T) {
	t.Parallel()
	p, err := New(quick(Plain))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	base, err := p.Start(":0")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(base, "http://127.0.0.1:") {
		t.Errorf("it is reached by %s", base)
	}
}

// Time in these tests is that of the bubble: they take none.
func TestWaitsAreThoseOfTheConfig(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		variation Variation
		path      func(Order) string
		want      time.Duration
	}{
		{Plain, page, time.Second},
		{Plain, firstDocument, time.Second},
		{Slow, page, time.Second + time.Minute + time.Minute},
		{NotFound, page, time.Second},
		{JSONMount, func(o Order) string { return "/api" + o.Path + "/documents" }, time.Second},
		{Plain, func(Order) string { return "/assets/app.js" }, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := quick(tt.variation)
			c.Latency, c.Slow = time.Second, time.Minute
			p, err := New(c)
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			p.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, tt.path(p.Orders()[0]), nil))
			if took := time.Since(began); took < tt.want || took > tt.want+tt.want/5 {
				t.Errorf("%s: it took %v, not %v", tt.variation, took, tt.want)
			}
		})
	}
}

func page(o Order) string          { return o.Path }
func firstDocument(o Order) string { return o.Documents[0].Path }

func TestSlowDocumentDrips(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := quick(Slow)
		c.Slow = time.Minute
		p, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		d := p.Orders()[0].Documents[0]
		answered := httptest.NewRecorder()
		began := time.Now()
		p.ServeHTTP(answered, httptest.NewRequest(http.MethodGet, d.Path, nil))
		if took := time.Since(began); took < 110*time.Second || took > 150*time.Second {
			t.Errorf("it took %v", took)
		}
		if int64(answered.Body.Len()) != d.Size {
			t.Errorf("%d bytes of %d came", answered.Body.Len(), d.Size)
		}
	})
}
