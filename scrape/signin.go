package scrape

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/template"
	"github.com/poscrape/poscrape/scrape/verdict"
	"github.com/poscrape/poscrape/scrape/words"
	"github.com/poscrape/poscrape/tasks"
)

// SignInError says that the portal was asked to sign in, and did not. To try the same again
// could lock the account.
type SignInError struct {
	// Seen says what was seen in place of what a sign-in leads to.
	Seen string
	// Err is what ended the attempt, or nil.
	Err error
}

func (e *SignInError) Error() string { return e.Seen }

// Unwrap returns the error behind it.
func (e *SignInError) Unwrap() error { return e.Err }

// OutageError says that nobody could sign in, because the sign-in page is down. The portal has
// refused nobody.
type OutageError struct {
	// Failure is that of an order whose own page is in the same trouble.
	Failure *tasks.Failure
	// Sent: secrets may have been sent before that.
	Sent bool
}

func (e *OutageError) Error() string { return e.Failure.Message }

// Unwrap returns the failure.
func (e *OutageError) Unwrap() error { return e.Failure }

//go:embed page/signin.js
var signInSource string

// signInScript returns the function of signin.js with its first argument.
func signInScript() string {
	return withDOM(asExpression(signInSource)) + "(" + asExpression(lexiconSource) + "(" + words.Script() + ")"
}

const (
	// lookAgain is how often a page is looked at while somebody signs in.
	lookAgain = 200 * time.Millisecond
	formStays = 2 * time.Second
	// formRests is how long nothing may happen before what a sign-in leads to is taken for it.
	formRests = 400 * time.Millisecond
)

// whereSuccess is the place in the recipe of what is there once somebody is signed in.
const whereSuccess = "login.success.selector"

// SignsIn reports whether the recipe says how to sign in without a person.
func (p *Portal) SignsIn() bool { return p.recipe.Login != nil && len(p.recipe.Login.Steps) > 0 }

// SignsOut reports whether the recipe says how to end a sign-in.
func (p *Portal) SignsOut() bool { return p.recipe.Login != nil && p.recipe.Login.Logout != "" }

// Host returns the name of the portal's host without a port, or "".
func (p *Portal) Host() string {
	u, err := browser.ParseURL(p.recipe.BaseURL)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// Login returns what the recipe says of signing in, or nil.
func (p *Portal) Login() *LoginRule { return p.recipe.Login }

// SignIn signs in as the recipe says, in the browser's tab, and returns what the portal then
// keeps in the browser. It blocks until that is done, at the latest when ctx ends, and
// until no order uses the tab. It returns a *SignInError if the portal was asked and did not
// sign in, and an *OutageError if it could not be asked.
func (s *Scraper) SignIn(ctx context.Context) (state *browser.State, looks []tasks.Look, err error) {
	free, err := s.whole(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer free()
	defer s.browser.TidyUp(ctx)
	if err := s.goThere(ctx); err != nil {
		return nil, nil, err
	}
	var seen signInLook
	if err = s.signIn(ctx, &seen); err == nil {
		s.portal.noteOrigin(s.browser.Tab().Document())
		state, err = s.browser.State(ctx, s.portal.originList())
	}
	return state, s.portal.signInLooks(seen), s.portal.discreetError(err)
}

// goThere makes the tab ready for the pages of a sign-in.
func (s *Scraper) goThere(ctx context.Context) error {
	if err := s.browser.RealTime(ctx); err != nil {
		return err
	}
	return s.browser.Allow(ctx, s.portal.signInPasses)
}

// signInLooks returns what login.success.selector has met, if it was looked for.
func (p *Portal) signInLooks(seen signInLook) []tasks.Look {
	if p.recipe.Login.Success.Selector == "" || seen.URL == "" {
		return nil
	}
	look := tasks.Look{Where: whereSuccess, Mark: p.marks[whereSuccess]}
	if seen.marked {
		look.Met = 1
	}
	return []tasks.Look{look}
}

// SignOut ends a sign-in as the recipe says, in a browser that nobody else uses. It blocks
// until the portal's page for that is loaded.
func (s *Scraper) SignOut(ctx context.Context, state *browser.State) error {
	address := s.portal.recipe.Login.Logout
	if err := s.SetState(ctx, state); err != nil {
		return err
	}
	if err := s.goThere(ctx); err != nil {
		return err
	}
	if err := s.portal.wait(ctx, address); err != nil {
		return err
	}
	tab := s.browser.Tab()
	res, err := tab.Navigate(ctx, address, "")
	if err == nil && res.Status >= 400 && res.Status != http.StatusUnauthorized {
		err = fmt.Errorf("status %d from %s", res.Status, browser.Redact(res.URL))
	}
	if err != nil {
		return err
	}
	return tab.Calm(ctx, calm, settleAfterStep) // scripts may do it
}

// signIn does the steps. It notes what it saw last in their end.
func (s *Scraper) signIn(ctx context.Context, seen *signInLook) error {
	rule, tab := s.portal.recipe.Login, s.browser.Tab()
	var paused *tasks.Failure
	if err := s.portal.wait(ctx, rule.StartURL); errors.As(err, &paused) {
		f := tasks.Retry(tasks.ClassThrottled, "the sign-in page was not asked for: %s", paused.Message)
		f.After, f.SignIn, f.Seen = paused.After, true, "its sign-in page: "+paused.Message
		return &OutageError{Failure: f}
	} else if err != nil {
		return err
	}
	res, err := tab.Navigate(ctx, rule.StartURL, "")
	if stopped := (*browser.StoppedError)(nil); errors.As(err, &stopped) {
		return &SignInError{Seen: "the sign-in page led to a host that login.hosts does not name: " + browser.Redact(stopped.URL), Err: err}
	}
	if outage := s.portal.outage(ctx, res, err); outage != nil {
		return &OutageError{Failure: outage}
	}
	if err != nil {
		return err
	}
	s.portal.noteOrigin(res)
	in, err := s.beforeSteps(ctx, tab, seen)
	if err != nil || in {
		return err
	}
	err = s.portal.runSteps(ctx, tab, rule.Steps, template.Values{}, nil)
	if err == nil {
		err = s.afterSteps(ctx, tab, seen)
	}
	if err == nil || errors.Is(err, browser.ErrLost) || ctx.Err() != nil {
		return err
	}
	if outage := s.portal.outage(ctx, tab.Document(), nil); outage != nil {
		return &OutageError{Failure: outage, Sent: true}
	}
	if errors.As(err, new(*SignInError)) {
		return err
	}
	look, lerr := s.look(ctx, tab)
	if lerr == nil {
		*seen = look
	}
	if lerr == nil && look.Success { // an earlier step was enough
		return nil
	}
	return &SignInError{Seen: s.portal.discreet(err.Error()) + look.says(s.portal), Err: err}
}

// outage returns the failure that says why a sign-in page is not there, or nil where it is, or
// where waiting would not help.
func (p *Portal) outage(ctx context.Context, res *browser.Response, err error) *tasks.Failure {
	var f *tasks.Failure
	var nav *browser.NavigationError
	switch {
	case errors.As(err, &nav) && nav.Unreachable():
		f = tasks.Retry(tasks.ClassNavigation, "the sign-in page: %w", err)
		f.Seen = "its sign-in page: " + nav.Reason()
	case err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		f = tasks.Retry(tasks.ClassTimeout, "the sign-in page did not answer in the order's time: %s", browser.Redact(p.recipe.Login.StartURL))
		f.Seen = "its sign-in page: no answer in time"
	case err == nil && res != nil && (res.Status >= 500 || slices.Contains(p.recipe.Throttled.Status, res.Status)):
		f = tasks.Retry(tasks.ClassHTTPStatus, "the sign-in page was answered with status %d: %s", res.Status, browser.Redact(res.URL))
		f.Seen = fmt.Sprintf("its sign-in page: status %d", res.Status)
		f.After = retryAfter(res.Header["retry-after"], time.Now())
	default:
		return nil
	}
	f.SignIn = true
	return f
}

// beforeSteps waits until the page shows what the first step needs. It reports whether
// somebody is signed in already, as single sign-on does by itself.
func (s *Scraper) beforeSteps(ctx context.Context, tab *browser.Tab, seen *signInLook) (bool, error) {
	rule := s.portal.recipe.Login
	first := s.portal.secretTarget(rule.Steps[0]).Target
	if first.Selector == "" || len(rule.Success.Text) == 0 && rule.Success.Selector == "" {
		return false, nil
	}
	ctx, cancel := context.WithTimeout(ctx, s.portal.recipe.Ready.Timeout)
	defer cancel()
	for {
		if shown, err := tab.Shown(ctx, first); err != nil && !errors.Is(err, browser.ErrNavigated) {
			return false, ignoreTimeout(ctx, err)
		} else if shown {
			return false, nil
		}
		if look, err := s.look(ctx, tab); err == nil && look.Success && s.stays(ctx, tab) {
			*seen = look
			return true, nil
		}
		if !pause(ctx, lookAgain) {
			return false, nil // the first step says what is wrong
		}
	}
}

// ignoreTimeout returns nil for an error of a context whose time is up.
func ignoreTimeout(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return nil
	}
	return err
}

// ledAway says where signing in led to that was not asked for.
func (s *Scraper) ledAway(address string) string {
	if address == s.browser.Withheld() {
		return tookAway(address)
	}
	return "signing in led to a host that login.hosts does not name: " + browser.Redact(address)
}

// afterSteps waits until somebody is signed in.
func (s *Scraper) afterSteps(ctx context.Context, tab *browser.Tab, seen *signInLook) error {
	limit := s.portal.recipe.Ready.Timeout
	waiting, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var since time.Time // of when a page at rest asks for more
	for {
		if stopped := s.browser.Stopped(); stopped != "" {
			return &SignInError{Seen: s.ledAway(stopped)}
		}
		look, err := s.look(waiting, tab)
		if err == nil {
			*seen = look
		}
		switch {
		case errors.Is(err, browser.ErrLost):
			return err
		case err == nil && look.Success:
			if s.stays(waiting, tab) {
				return nil
			}
		case err == nil:
			if look.Loaded && s.portal.outage(waiting, tab.Document(), nil) != nil {
				return &SignInError{Seen: "the portal has answered with an error" + seen.says(s.portal)}
			}
		}
		wants := look.wants()
		if err != nil || wants == "" || !look.Loaded || len(tab.Open()) > 0 {
			since = time.Time{}
		} else if since.IsZero() {
			since = time.Now()
		}
		if !since.IsZero() && time.Since(since) > s.portal.formStays {
			return &SignInError{Seen: "after the last step " + wants + seen.says(s.portal)}
		}
		if !pause(waiting, lookAgain) {
			break
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return &SignInError{Seen: fmt.Sprintf("login.success was not shown within %v%s", limit, seen.says(s.portal))}
}

// stays reports whether what a sign-in leads to is still there when the page has come to rest: some
// show it, and go on elsewhere to store what came with it.
func (s *Scraper) stays(ctx context.Context, tab *browser.Tab) bool {
	if tab.Calm(ctx, formRests, settleAfterStep) != nil {
		return false
	}
	look, err := s.look(ctx, tab)
	return err == nil && look.Success
}

// pause waits, and reports whether ctx goes on.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// signInLook is what signin.js returns.
type signInLook struct {
	URL      string          `json:"url"`
	Loaded   bool            `json:"loaded"`
	Success  bool            `json:"success"`
	Password bool            `json:"password"`
	Code     bool            `json:"code"`
	Captcha  bool            `json:"captcha"`
	Wall     verdict.Refusal `json:"wall"`
	Said     []string        `json:"said"`
	// marked: login.success.selector is there.
	marked bool
}

// look looks at the page while somebody signs in.
func (s *Scraper) look(ctx context.Context, tab *browser.Tab) (signInLook, error) {
	var look signInLook
	rule := s.portal.recipe.Login
	if err := tab.Inspect(ctx, signInScript()+", "+inScript(rule.Success.Text)+", "+inScript(wallRules(s.portal.recipe))+")", &look); err != nil {
		return look, err
	}
	switch {
	case rule.Success.Selector != "":
		shown, err := tab.Shown(ctx, browser.Target{Selector: rule.Success.Selector})
		if err != nil {
			return look, err
		}
		look.Success, look.marked = shown && (look.Success || len(rule.Success.Text) == 0), shown
	case len(rule.Success.Text) == 0: // then it is that nothing asks for more
		look.Success = look.Loaded && !look.Password && !look.Code && !look.Captcha && look.Wall.Kind == ""
	}
	return look, nil
}

// wants says for which more the page asks that nobody gives it, or "". What waits
// for an approval, or looks whether a person is there, may yet go on by itself.
func (l signInLook) wants() string {
	switch {
	case l.Wall.Kind == verdict.RefusalApproval, l.Wall.Kind == verdict.RefusalRobots:
		return ""
	case l.Wall.Kind != "":
		return "the portal does not go on until " + l.Wall.Until()
	case l.Code:
		return "the page asks for a one-time code"
	case l.Password:
		return "the page still asks for a password"
	}
	return ""
}

// says describes what was seen, to go behind a message.
func (l signInLook) says(p *Portal) string {
	var text strings.Builder
	switch {
	case l.Captcha:
		text.WriteString("; it shows a captcha")
	case l.Wall.Kind != "" && l.wants() == "":
		text.WriteString("; the portal does not go on until " + l.Wall.Until())
	}
	if len(l.Said) > 0 {
		text.WriteString("; it says " + quotedAll(l.Said))
	}
	if l.URL != "" {
		text.WriteString(" (" + browser.Redact(l.URL) + ")")
	}
	return p.discreet(text.String())
}

// signInPasses reports whether navigation may pass through an address while somebody signs in.
func (p *Portal) signInPasses(address string) bool {
	u, err := browser.ParseURL(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && (p.recipe.HostAllowed(u.Host, nil) || p.recipe.Login.passes(u))
}

// State returns what the portal keeps in the browser. It blocks until no order uses the tab.
func (s *Scraper) State(ctx context.Context) (*browser.State, error) {
	free, err := s.whole(ctx)
	if err != nil {
		return nil, err
	}
	defer free()
	return s.browser.State(ctx, s.portal.originList())
}

// SetState gives the browser another state. It blocks until no order uses the tab.
func (s *Scraper) SetState(ctx context.Context, state *browser.State) error {
	free, err := s.whole(ctx)
	if err != nil {
		return err
	}
	defer free()
	for _, o := range state.Origins {
		s.portal.addOrigin(o.Origin)
	}
	return s.browser.SetState(ctx, state)
}

// whole waits until no order uses the tab, and has none use it until free is called.
func (s *Scraper) whole(ctx context.Context) (free func(), err error) {
	if err := s.tab.sem.Acquire(ctx, room); err != nil {
		return nil, context.Cause(ctx)
	}
	s.tab.stand("")
	return func() { s.tab.sem.Release(room) }, nil
}

// noteOrigin remembers that what the origin of a page keeps is part of a sign-in.
func (p *Portal) noteOrigin(page *browser.Response) {
	if page == nil {
		return
	}
	if u, err := browser.ParseURL(page.URL); err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") {
		p.addOrigin(originOf(u))
	}
}

// originsOf returns the origins that the recipe names itself.
func originsOf(r *Recipe) []string {
	var origins []string
	for _, address := range []string{r.BaseURL, r.LoginStart()} {
		if u, err := browser.ParseURL(address); err == nil && u.Host != "" && !slices.Contains(origins, originOf(u)) {
			origins = append(origins, originOf(u))
		}
	}
	return origins
}

// LoginStart returns the address at which signing in begins, or "".
func (r *Recipe) LoginStart() string {
	if r.Login == nil {
		return ""
	}
	return r.Login.StartURL
}

// maxOrigins bounds those: sheets may name an address of its own for each order.
const maxOrigins = 16

func (p *Portal) addOrigin(origin string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.origins) < maxOrigins && !slices.Contains(p.origins, origin) {
		p.origins = append(p.origins, origin)
	}
}

func (p *Portal) originList() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.origins)
}
