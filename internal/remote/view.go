package remote

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/poscrape/poscrape/browser"
)

// state is what the page shows besides the picture.
type state struct {
	// Window tells the window that is shown from others; 0 where there is none. Windows is
	// how many are open.
	Window  int    `json:"window"`
	Windows int    `json:"windows"`
	Address string `json:"address"`
	// Dialog waits for an answer, or is nil. Flood: there were many of it in a row.
	Dialog *dialog `json:"dialog"`
	// Menu is what a drop-down list offers, or nil.
	Menu *menu `json:"menu"`
	// Confirm: the page has a button to say that it is done.
	Confirm bool `json:"confirm"`
	// Over says how it ended, or is empty.
	Over string `json:"over"`
}

type dialog struct {
	ID        int    `json:"id"`
	Type      string `json:"type"`
	Message   string `json:"message"`
	Suggested string `json:"suggested"`
	Flood     bool   `json:"flood"`
}

// flood is how many dialogs in a row, without anything done in the window in between, are
// more than a person wants to answer. maxMessage bounds what is shown of one, in bytes.
const (
	flood      = 4
	maxMessage = 4000
)

// longest bounds how long a request waits for news.
const longest = 25 * time.Second

// follow shows the newest window until the server ends.
func (s *Server) follow() {
	var shown *browser.Tab
	var casting sync.WaitGroup
	stop := func() {}
	defer func() { stop(); casting.Wait() }()
	for {
		changed := s.cfg.Browser.WindowsChanged()
		open := s.cfg.Browser.Windows()
		var newest *browser.Tab
		if len(open) > 0 {
			newest = open[len(open)-1]
		}
		if newest != shown {
			stop()
			shown = newest
			if shown != nil {
				stop = s.cast(shown, &casting)
			}
		}
		s.tell(shown, len(open))
		select {
		case <-changed:
		case <-s.life.Done():
			return
		}
	}
}

// cast takes pictures of a window until stop is called.
func (s *Server) cast(t *browser.Tab, casting *sync.WaitGroup) (stop func()) {
	ctx, cancel := context.WithCancel(s.life)
	casting.Go(func() {
		// An error means that the window has gone: the next one is shown then.
		_ = t.Cast(ctx, func(p browser.Picture) {
			s.pictures.set(func(shown *picture) { *shown = picture{Picture: p, tab: t} })
		})
	})
	return cancel
}

// tell says what a window shows.
func (s *Server) tell(t *browser.Tab, windows int) {
	var now state
	now.Windows = windows
	if t != nil {
		now.Window, now.Address = t.Number(), browser.Redact(t.Address())
		now.Dialog = s.hands.dialogOf(t)
	}
	s.state.set(func(st *state) {
		if st.Window == now.Window && st.Address == now.Address {
			now.Menu = st.Menu
		}
		now.Confirm, now.Over = st.Confirm, st.Over
		*st = now
	})
}

// serveState answers with what the page shows, as soon as that is not number "after".
func (s *Server) serveState(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := s.waiting(r)
	defer cancel()
	s.viewers.come()
	defer s.viewers.leave()
	value, n := s.state.after(ctx, after(r))
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(struct {
		N int `json:"n"`
		state
	}{n, value}) // an error means that the viewer is gone
	if value.Over != "" {
		s.tellOnce.Do(func() { close(s.told) })
	}
}

// viewers are those who wait for news of the page, or have just heard some.
type viewers struct {
	mu      sync.Mutex
	waiting int
	last    time.Time
}

func (v *viewers) come() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.waiting++
}

func (v *viewers) leave() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.waiting--
	v.last = time.Now()
}

// there reports whether there is one.
func (v *viewers) there() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.waiting > 0 || time.Since(v.last) < lingering
}

// servePicture answers with the newest picture, as soon as that is not number "after".
func (s *Server) servePicture(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := s.waiting(r)
	defer cancel()
	was := after(r)
	p, n := s.pictures.after(ctx, was)
	if n == was || p.tab == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	s.pictures.mu.Lock()
	first := s.pictures.n == n && !s.pictures.value.taken
	if first {
		s.pictures.value.taken = true
	}
	s.pictures.mu.Unlock()
	header := w.Header()
	header.Set("Content-Type", "image/jpeg")
	header.Set("X-Picture", strconv.Itoa(n))
	header.Set("X-Window", strconv.Itoa(p.tab.Number()))
	_, _ = w.Write(p.JPEG)
	if first { // however slow a viewer is: the next one is the newest then
		_ = p.tab.NextPicture(ctx, p.Picture)
	}
}

// waiting returns the context of a request that waits for news.
func (s *Server) waiting(r *http.Request) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(r.Context(), longest)
	stop := context.AfterFunc(s.life, cancel)
	return ctx, func() { stop(); cancel() }
}

func after(r *http.Request) int {
	n, _ := strconv.Atoi(r.URL.Query().Get("after"))
	return n
}
