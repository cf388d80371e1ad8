package remote

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/poscrape/poscrape/browser"
)

//go:embed menu.js
var menuScript string

// event is what a person does on the page.
type event struct {
	// Window is that which the person saw. What is meant for another one is dropped.
	Window int `json:"window"`
	// Type is mouse, key, text, menu, dialog, back, reload, close or confirm.
	Type string `json:"type"`
	// Action of a mouse. X and Y are the place, as shares of the picture.
	Action browser.MouseAction `json:"action"`
	X      float64             `json:"x"`
	Y      float64             `json:"y"`
	DX     float64             `json:"dx"`
	DY     float64             `json:"dy"`
	Button string              `json:"button"`
	Held   int64               `json:"held"`
	Clicks int64               `json:"clicks"`
	// Down, Key, Code and KeyCode are of a key, Modifiers of a mouse as well.
	Down      bool              `json:"down"`
	Key       string            `json:"key"`
	Code      string            `json:"code"`
	KeyCode   int64             `json:"keyCode"`
	Modifiers browser.Modifiers `json:"modifiers"`
	// Text is typed, pasted, or the answer to a prompt.
	Text string `json:"text"`
	// Accept and Silence answer the dialog of that number; Silence all that the window opens
	// from now on.
	Dialog  int  `json:"dialog"`
	Accept  bool `json:"accept"`
	Silence bool `json:"silence"`
	// Menu and Option choose of a drop-down list; Option is -1 for none.
	Menu   int `json:"menu"`
	Option int `json:"option"`
}

// menu is what a drop-down list offers: Chrome draws it outside of the page.
type menu struct {
	ID      int          `json:"id"`
	Options []menuOption `json:"options"`
}

type menuOption struct {
	Label    string `json:"label"`
	Group    string `json:"group"`
	Disabled bool   `json:"disabled"`
	Selected bool   `json:"selected"`
}

const (
	maxInput = 1 << 20 // bytes of a request
	// patience is how long a page may take to see what a person does, menuPatience to say
	// whether there is a drop-down list.
	patience     = 5 * time.Second
	menuPatience = 500 * time.Millisecond
)

// hands do in the browser what people do on the page, one after the other.
type hands struct {
	server *Server
	queue  chan event
	// swallowed: the press of the mouse has opened a menu, so the page does not see it let go.
	// menus counts them.
	swallowed bool
	menus     int

	mu sync.Mutex
	// asked counts the dialogs of a window in a row, silenced are windows whose dialogs are
	// dismissed; both by the windows' numbers. latest is the dialog that was shown last, dialogs
	// its number.
	asked    map[int]int
	silenced map[int]bool
	latest   *browser.Dialog
	dialogs  int
}

// takeInput takes what a person does.
func (s *Server) takeInput(w http.ResponseWriter, r *http.Request) {
	var events []event
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxInput)).Decode(&events); err != nil {
		http.Error(w, "This is not an input event.", http.StatusBadRequest)
		return
	}
	for _, e := range events {
		switch e.Type {
		case "confirm":
			if s.cfg.Confirm {
				s.askOnce.Do(func() { close(s.asked) })
			}
		case "dialog":
			s.hands.answer(r.Context(), e)
		default:
			select {
			case s.hands.queue <- e:
			default: // the page hangs, and nobody wants this to happen when it goes on
			}
		}
	}
	w.WriteHeader(http.StatusNoContent)
}

// window returns the window of that number, if it is shown.
func (h *hands) window(number int) *browser.Tab {
	open := h.server.cfg.Browser.Windows()
	if len(open) == 0 || open[len(open)-1].Number() != number {
		return nil
	}
	return open[len(open)-1]
}

// work does what is queued until the server ends.
func (h *hands) work() {
	for {
		select {
		case <-h.server.life.Done():
			return
		case e := <-h.queue:
			t := h.window(e.Window)
			if t == nil || t.Dialog() != nil {
				continue
			}
			h.mu.Lock()
			delete(h.asked, e.Window)
			h.mu.Unlock()
			ctx, cancel := context.WithTimeout(h.server.life, patience)
			_ = h.do(ctx, t, e) // the picture shows what came of it
			if ctx.Err() != nil {
				h.forget()
			}
			cancel()
		}
	}
}

// forget drops what is queued for a page that hangs.
func (h *hands) forget() {
	for {
		select {
		case <-h.queue:
		default:
			return
		}
	}
}

func (h *hands) do(ctx context.Context, t *browser.Tab, e event) error {
	switch e.Type {
	case "mouse":
		return h.mouse(ctx, t, e)
	case "key":
		return h.key(ctx, t, e)
	case "text":
		return t.SendText(ctx, e.Text)
	case "menu":
		return h.choose(ctx, t, e)
	case "back":
		return t.Back(ctx)
	case "reload":
		return t.Reload(ctx)
	case "close":
		if len(h.server.cfg.Browser.Windows()) > 1 {
			return t.Dismiss(ctx)
		}
	}
	return nil
}

func (h *hands) mouse(ctx context.Context, t *browser.Tab, e event) error {
	p, _ := h.server.pictures.get()
	if p.tab != t {
		return nil
	}
	x, y := e.X*p.Width, e.Y*p.Height
	if e.Action == browser.MousePress && e.Button == "left" {
		if h.swallowed = h.open(ctx, t, fmt.Sprintf("at(%f, %f)", x, y)); h.swallowed {
			return nil
		}
	}
	if e.Action == browser.MouseFree && h.swallowed {
		h.swallowed = false
		return nil
	}
	return t.SendMouse(ctx, browser.MouseEvent{Action: e.Action, X: x, Y: y, DX: e.DX, DY: e.DY,
		Button: e.Button, Held: e.Held, Clicks: e.Clicks, Modifiers: e.Modifiers})
}

func (h *hands) key(ctx context.Context, t *browser.Tab, e event) error {
	opens := e.Key == " " || e.Modifiers == browser.Alt && (e.Key == "ArrowDown" || e.Key == "ArrowUp")
	if e.Down && opens && h.open(ctx, t, "focused()") {
		return nil
	}
	k := browser.KeyEvent{Down: e.Down, Key: e.Key, Code: e.Code, WindowsCode: e.KeyCode, Modifiers: e.Modifiers}
	switch {
	case e.Modifiers&browser.Ctrl != 0 && e.Code == "KeyA":
		k.Commands = []string{"selectAll"}
	case e.Key == "Enter":
		k.Text = "\r"
	case e.Text != "":
		k.Text = e.Text
	}
	return t.SendKey(ctx, k)
}

// open shows the options of the drop-down list that a function of menu.js finds, and reports
// whether there is one.
func (h *hands) open(ctx context.Context, t *browser.Tab, function string) bool {
	ctx, cancel := context.WithTimeout(ctx, menuPatience)
	defer cancel()
	h.menus++
	m := &menu{ID: h.menus}
	if err := t.EvaluateApart(ctx, menuScript, "poscrapeMenu."+function, &m.Options); err != nil || len(m.Options) == 0 {
		return false
	}
	h.server.state.set(func(st *state) { st.Menu = m })
	return true
}

func (h *hands) choose(ctx context.Context, t *browser.Tab, e event) error {
	if e.Menu != h.menus {
		return nil
	}
	h.server.state.set(func(st *state) { st.Menu = nil })
	return t.EvaluateApart(ctx, menuScript, fmt.Sprintf("poscrapeMenu.choose(%d)", e.Option), nil)
}

// dialogOf returns the dialog that a person is to answer, or nil. Those of a window that is
// silenced are dismissed.
func (h *hands) dialogOf(t *browser.Tab) *dialog {
	d := t.Dialog()
	if d == nil {
		return nil
	}
	number := t.Number()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.silenced[number] {
		h.server.jobs.Go(func() { h.dismiss(t) })
		return nil
	}
	if h.asked == nil {
		h.asked = map[int]int{}
	}
	if d != h.latest {
		h.latest = d
		h.dialogs++
		h.asked[number]++
	}
	return &dialog{ID: h.dialogs, Type: d.Type, Message: shorten(d.Message), Suggested: d.Suggested, Flood: h.asked[number] >= flood}
}

func shorten(text string) string {
	if len(text) <= maxMessage {
		return text
	}
	return string([]rune(text[:maxMessage])) + "…"
}

func (h *hands) dismiss(t *browser.Tab) {
	ctx, cancel := context.WithTimeout(h.server.life, patience)
	defer cancel()
	_ = t.AnswerDialog(ctx, false, "") // an error means that it is gone
}

// answer answers the dialog that the person saw: another has another question.
func (h *hands) answer(ctx context.Context, e event) {
	t := h.window(e.Window)
	if t == nil {
		return
	}
	asks := t.Dialog()
	h.mu.Lock()
	seen := asks != nil && asks == h.latest && e.Dialog == h.dialogs
	if seen && e.Silence {
		if h.silenced == nil {
			h.silenced = map[int]bool{}
		}
		h.silenced[e.Window] = true
	}
	h.mu.Unlock()
	if !seen {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_ = t.AnswerDialog(ctx, e.Accept && !e.Silence, e.Text) // an error means that it is gone
}
