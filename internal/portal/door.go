package portal

import (
	"crypto/rand"
	"fmt"
	"html"
	"net/http"
	"strings"
	"sync"
)

// Door stands before a portal, and lets nobody through who is not signed in. It is an
// http.Handler.
type Door struct {
	// Portal is what it stands before.
	Portal http.Handler
	// User and Password are those that let in.
	User, Password string
	// Lasts is how many order pages one sign-in is good for; 0 is without end.
	Lasts int
	// SignInHost is where people sign in, as "http://localhost:8080", or empty for the
	// portal's own host.
	SignInHost string
	// InPlace shows the form in place of the order, with status 200, where otherwise the
	// visitor is redirected to it.
	InPlace bool
	// Local keeps the sign-in in the browser's local storage: order pages are scripts that ask
	// for their content with it, as the portal's application does. Silent: they show nothing
	// where that is refused.
	Local, Silent bool
	// Single ends a sign-in when another is made. Rotating gives each order page another
	// cookie, and ends the sign-in when an old one comes again.
	Single, Rotating bool
	// Down is asked before the sign-in page's n-th request is answered, counted from 1: with
	// which status, 0 for none of its own, or -1 for no answer at all. Nil: 0.
	Down func(r *http.Request, n int) int
	// Only is the number of the one order that shows the form, signed in or not.
	Only string
	// Captcha asks for more than a password, and Terms shows new terms in place of orders.
	Captcha, Terms bool

	mu       sync.Mutex
	tickets  map[string]*ticket
	codes    map[string]*ticket
	signIns  int
	expired  int
	refused  int
	orders   int
	walled   int
	asked    int
	signOuts int
	loggedIn func()
}

// ticket is one sign-in.
type ticket struct {
	// token is what the browser has to show, spent those that it must not show any more.
	token  string
	orders int
}

// The pages of a Door.
const (
	DoorPath     = "/door/sign-in"
	doorCallback = "/door/callback"
	doorHome     = "/door/home"
	DoorLogout   = "/door/sign-out"
	doorCookie   = "door"
)

// DoorCounts is what a Door has seen.
type DoorCounts struct {
	// SignIns that were let in, and Refused that were not. Expired sign-ins are over.
	SignIns, Refused, Expired int
	// SignOuts are those of whoever was signed in, Asked the requests to the sign-in page.
	SignOuts, Asked int
	// Orders are the order pages that were shown, Walled those that were asked for in vain.
	Orders, Walled int
}

// Counts returns what the door has seen.
func (d *Door) Counts() DoorCounts {
	d.mu.Lock()
	defer d.mu.Unlock()
	return DoorCounts{SignIns: d.signIns, Refused: d.refused, Expired: d.expired, Orders: d.orders, Walled: d.walled, SignOuts: d.signOuts, Asked: d.asked}
}

// SignedIn has the door know a sign-in by what the browser has to show for it.
func (d *Door) SignedIn(token string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.know(&ticket{token: token})
}

// know notes a sign-in. The caller holds d.mu.
func (d *Door) know(t *ticket) {
	if d.tickets == nil {
		d.tickets, d.codes = map[string]*ticket{}, map[string]*ticket{}
	}
	d.tickets[t.token] = t
}

// OnSignIn has do called whenever the form is sent, before it is answered.
func (d *Door) OnSignIn(do func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.loggedIn = do
}

// ServeHTTP answers one request.
func (d *Door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case DoorPath:
		if !d.isDown(w, r) {
			d.serveForm(w, r)
		}
		return
	case doorCallback:
		d.mu.Lock()
		t := d.codes[r.URL.Query().Get("code")]
		delete(d.codes, r.URL.Query().Get("code"))
		d.mu.Unlock()
		if t != nil {
			d.admit(w, r, t)
			return
		}
		http.Redirect(w, r, d.SignInHost+DoorPath, http.StatusFound)
		return
	case doorHome:
		fmt.Fprint(w, `<!doctype html><title>Home</title><h1 id="welcome">Welcome</h1>`)
		return
	case DoorLogout:
		d.signOut(r)
		fmt.Fprint(w, `<!doctype html><title>Bye</title><h1>Bye</h1>`)
		return
	}
	if d.Only != "" && strings.HasSuffix(r.URL.Path, d.Only) {
		d.form(w, "")
		return
	}
	isPage, isOrder := ofOrder(r.URL.Path)
	if d.Local && isPage && r.Header.Get("Authorization") == "" {
		d.serveShell(w)
		return
	}
	if d.Local && !isOrder || d.open(w, r, isOrder) {
		if d.Terms && isOrder {
			fmt.Fprint(w, `<!doctype html><title>Portal</title><h1>Our terms of use have changed</h1><p>Please accept the new terms to go on.</p><button>Accept</button>`)
			return
		}
		d.Portal.ServeHTTP(w, r)
		return
	}
	switch {
	case d.Local:
		http.Error(w, "sign in", http.StatusUnauthorized)
	case d.InPlace:
		d.form(w, "")
	default:
		http.Redirect(w, r, d.SignInHost+DoorPath, http.StatusFound)
	}
}

// isDown reports whether the sign-in page was answered by what it is down with.
func (d *Door) isDown(w http.ResponseWriter, r *http.Request) bool {
	d.mu.Lock()
	d.asked++
	n := d.asked
	d.mu.Unlock()
	if d.Down == nil {
		return false
	}
	switch status := d.Down(r, n); status {
	case 0:
		return false
	case -1:
		panic(http.ErrAbortHandler)
	default:
		http.Error(w, "the sign-in is being repaired", status)
	}
	return true
}

// signOut ends the sign-in that the request shows.
func (d *Door) signOut(r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if cookie, err := r.Cookie(doorCookie); err == nil && d.tickets[cookie.Value] != nil {
		t := d.tickets[cookie.Value]
		d.end(t)
		d.expired--
		d.signOuts++
	}
}

// ofOrder reports whether a path is that of an order's page, and whether it is that or what the
// application knows of an order.
func ofOrder(path string) (isPage, isOrder bool) {
	isPage = strings.HasPrefix(path, "/orders/") && strings.Count(path, "/") == 2
	return isPage, isPage || strings.HasPrefix(path, applicationData)
}

// open reports whether somebody is signed in, and counts.
func (d *Door) open(w http.ResponseWriter, r *http.Request, isOrder bool) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	token := r.Header.Get("Authorization")
	if cookie, err := r.Cookie(doorCookie); err == nil {
		token = cookie.Value
	}
	t := d.tickets[token]
	switch {
	case t != nil && t.token != token: // an old one comes again
		d.end(t)
		t = nil
	case t != nil && isOrder && d.Lasts > 0 && t.orders >= d.Lasts:
		d.end(t)
		t = nil
	}
	switch {
	case t == nil:
		if isOrder {
			d.walled++
		}
		return false
	case !isOrder:
		return true
	}
	t.orders++
	d.orders++
	if d.Rotating {
		t.token = rand.Text()
		d.tickets[t.token] = t
		http.SetCookie(w, &http.Cookie{Name: doorCookie, Value: t.token, Path: "/", HttpOnly: true})
	}
	return true
}

// end ends a sign-in. The caller holds d.mu.
func (d *Door) end(t *ticket) {
	d.expired++
	for token, of := range d.tickets {
		if of == t {
			delete(d.tickets, token)
		}
	}
}

func (d *Door) serveForm(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		d.form(w, "")
		return
	}
	d.mu.Lock()
	loggedIn := d.loggedIn
	d.mu.Unlock()
	if loggedIn != nil {
		loggedIn()
	}
	d.mu.Lock()
	right := r.FormValue("user") == d.User && r.FormValue("password") == d.Password && !d.Captcha
	if !right {
		d.refused++
		d.mu.Unlock()
		d.form(w, "Wrong user or password for "+r.FormValue("user"))
		return
	}
	if d.Single {
		for _, t := range d.tickets {
			d.end(t)
		}
	}
	d.signIns++
	t := &ticket{token: rand.Text()}
	d.know(t)
	code := rand.Text()
	d.codes[code] = t
	d.mu.Unlock()
	if d.SignInHost != "" {
		http.Redirect(w, r, r.URL.Query().Get("back")+doorCallback+"?code="+code, http.StatusSeeOther)
		return
	}
	d.admit(w, r, t)
}

// admit gives the browser what shows that it is signed in.
func (d *Door) admit(w http.ResponseWriter, r *http.Request, t *ticket) {
	if d.Local {
		fmt.Fprintf(w, `<!doctype html><title>Signing in</title><script>localStorage.setItem("door", %q); location.href = %q</script>`, t.token, doorHome)
		return
	}
	http.SetCookie(w, &http.Cookie{Name: doorCookie, Value: t.token, Path: "/", HttpOnly: true})
	http.Redirect(w, r, doorHome, http.StatusSeeOther)
}

func (d *Door) form(w http.ResponseWriter, alert string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, `<!doctype html><title>Sign in</title><h1>Sign in</h1>`)
	if alert != "" {
		fmt.Fprintf(w, `<p role="alert">%s</p>`, html.EscapeString(alert))
	}
	if d.Captcha {
		fmt.Fprint(w, `<div class="g-captcha">I am no robot</div>`)
	}
	fmt.Fprintf(w, `<form method="post" action=%q><input id="user" name="user"><input id="password" name="password" type="password"><button id="go">Sign in</button></form>`, DoorPath+d.back())
}

// back says where the portal is, to the form on another host.
func (d *Door) back() string {
	if d.SignInHost == "" {
		return ""
	}
	return "?back=" + strings.Replace(d.SignInHost, "localhost", "127.0.0.1", 1)
}

func (d *Door) serveShell(w http.ResponseWriter) {
	refused := `location.href = "` + DoorPath + `"`
	if d.Silent {
		refused = ""
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><title>Portal</title><div id="app"></div><script>
fetch(location.href, {headers: {Authorization: localStorage.getItem("door") || "none"}}).then(async (answer) => {
  if (answer.status === 401) { %s; return }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  document.title = page.title;
  document.getElementById("app").replaceChildren(...page.body.childNodes);
});
</script>`, refused)
}
