package scrape

import (
	"crypto/rand"
	_ "embed"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/otp"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/witness"
)

//go:embed page/kit.js
var kitScript string

//go:embed page/watch.js
var watchScript string

//go:embed page/frameworks.js
var frameworksScript string

//go:embed page/accounts.js
var accountsScript string

//go:embed page/answers.js
var answersScript string

//go:embed page/read.js
var readSource string

// pageScripts returns the script that runs in each frame's own world before the page's
// scripts, and the one that reads the page beside them. They know each other by a name
// that no page can come to know; by another, a window has its script once.
func pageScripts(ready Ready) (within, beside string) {
	channel, mark := rand.Text(), rand.Text()
	within = fmt.Sprintf("(() => {\n\"use strict\";\nconst channel = %q, mark = %q;\nif (mark in window) return window[mark](channel);\n%s%s\n})();\n",
		channel, mark, kitScript+frameworksScript, ready.ignoring(watchScript))
	beside = fmt.Sprintf("%s(%q, %s, %s);\n", withDOM(asExpression(readSource)), channel, asExpression(accountsScript), extractScript())
	return within, beside
}

// Portal is what all workers of a session share of one portal.
type Portal struct {
	servers servers
	recipe  *Recipe
	columns []string
	values  *witness.Values // or nil, see ReadRows
	trust   trust
	shares  shares
	loading loading
	// sightings are of documents.
	sightings sightings
	lists     lists
	codes     otp.Codes
	refusals  refusals
	// veil hides the recipe's secrets.
	veil func() *veil
	// marks are those of the recipe's selectors, by their places.
	marks map[string]string
	// clickTimeout is how long a click may take to begin a download.
	clickTimeout time.Duration
	// pendingWait is how long a document that is not there yet is waited for.
	pendingWait time.Duration
	// turnPatience is how long a page may take to show another list.
	turnPatience time.Duration
	// formStays is how long a page that is at rest may ask for more after the last step of a
	// sign-in before that is taken for a refusal.
	formStays time.Duration

	rates *Rates
	// outwait is told of a server's pause that is waited for, or nil.
	outwait func(format string, args ...any)
	// readyApart: a frame of another host has met ready.selector, and the page around it has not.
	readyApart atomic.Bool
	// keeps: its pages get data that Chrome may keep, by requests that only Chrome as a whole can be told to
	// send past its cache.
	keeps atomic.Bool
	// streams knows where messages of a stream bring documents, and turns where a page brings them that has
	// drawn itself again and again before.
	streams, turns waits
	usual          usualFields

	mu      sync.Mutex
	clocks  map[string]*kindClock
	silent  map[string]bool // hosts that were told of
	tell    func(tasks.Event)
	origins []string // whose storage is part of a sign-in
	sheet   []string // hosts of the sheet's addresses, with the ports that are written, see SeeAddress
	study   bool     // see Study; set before the first browser
}

// NewPortal returns the portal that the recipe describes. The columns are the
// header of the input, for templates that use a row's cells.
func NewPortal(recipe *Recipe, columns []string) *Portal {
	return &Portal{recipe: recipe, columns: columns, veil: sync.OnceValue(func() *veil { return newVeil(recipe.secrets()) }), marks: marksOf(recipe), clickTimeout: clickTimeout, pendingWait: pendingWait, turnPatience: turnPatience, formStays: formStays, rates: NewRates(), clocks: map[string]*kindClock{},
		streams: waits{untried: streamTrial, proven: streamWait}, turns: waits{untried: turnWait, proven: turnWait, failed: turnLess},
		silent: map[string]bool{}, tell: func(tasks.Event) {}, origins: originsOf(recipe)}
}

// OnEvent has tell called with what is learned about the portal's pages: when some
// are fetched from now on, or not any more, or settle in real time; and, as a
// tasks.EventNotice, what a person may want to change. It is to be
// called before the first order; tell must not block for long, nor call the portal.
func (p *Portal) OnEvent(tell func(tasks.Event)) {
	discreetly := func(e tasks.Event) {
		e.Detail = p.hide(e.Detail)
		tell(e)
	}
	p.tell, p.trust.tell = discreetly, discreetly
}

// Configure sets what the recipe asks of a browser. It reads the secrets of login.http, and
// returns a *SecretError where one is missing.
func (p *Portal) Configure(cfg *browser.Config) (err error) {
	within, beside := pageScripts(p.recipe.Ready)
	cfg.OnNewDocument, cfg.Inspector = "{ const reading = { __proto__: null, count: 0 };\n"+answersScript+within+"}", beside
	cfg.AcceptDialogs = p.recipe.Dialogs == DialogAccept
	cfg.KeepReplies = p.study || p.recipe.usesData()
	cfg.KeepHeaders = p.study || p.recipe.usesData() || p.recipe.sendsHeaders()
	cfg.BlockImages = p.recipe.Block.Images
	cfg.BlockURLs = p.recipe.Block.patterns()
	cfg.Identity = p.recipe.Browser
	cfg.KeepCookie = p.OwnCookie
	if p.servers.judge != nil {
		cfg.OnAnswer = p.servers.answered
	}
	cfg.Credentials, err = p.recipe.credentials()
	return err
}

// namedSelector is a selector, or what else finds something on a page: then it is a text.
type namedSelector struct {
	field, selector string
	text            bool
	// more is what else belongs to it, or empty.
	more string
}

func (s namedSelector) String() string { return strings.TrimSpace(s.selector + " " + s.more) }

// selectors returns all selectors of the recipe, with the keys that they stand under.
func (r *Recipe) selectors() []namedSelector {
	var all []namedSelector
	add := func(field, selector string) { all = append(all, namedSelector{field: field, selector: selector}) }
	add("ready.selector", r.Ready.Selector)
	add("ready.gone", r.Ready.Gone)
	add("ready.frame", r.Ready.Frame)
	add("identity.selector", r.Identity)
	add("identity.frame", r.IdentityFrame)
	if r.List != nil {
		all = append(all, r.List.selectors()...)
	}
	add("not_found.selector", r.NotFound.Selector)
	add("access_denied.selector", r.AccessDenied.Selector)
	add("throttled.selector", r.Throttled.Selector)
	if search := r.Open.Search; search != nil {
		add("open.search.input", search.Input)
		add("open.search.submit", search.Submit)
		add(whereResult, search.Result)
	}
	for _, step := range r.allSteps() {
		add(step.field(), step.Selector)
		add(step.field()+".frame", step.Frame)
		add(step.field()+".unless", step.Unless)
	}
	if r.Login != nil {
		add("login.expired.selector", r.Login.Expired.Selector)
		add(whereSuccess, r.Login.Success.Selector)
	}
	for i, w := range r.Walls {
		add(fmt.Sprintf("walls[%d].selector", i), w.Selector)
	}
	for _, f := range r.Fields {
		all = append(all, f.selectors()...)
	}
	if r.Lines != nil {
		add("lines.row", r.Lines.Row)
		add("lines.frame", r.Lines.Frame)
		for _, c := range r.Lines.Columns {
			add("lines.columns."+c.Name, c.Selector)
		}
	}
	if docs := r.Attachments; docs != nil {
		all = append(all, docs.selectors("attachments.")...)
	}
	for i, related := range r.Related {
		all = append(all, related.selectors(i)...)
		all = append(all, related.Attachments.selectors(fmt.Sprintf("related[%d].attachments.", i))...)
	}
	return slices.DeleteFunc(all, func(s namedSelector) bool { return s.selector == "" })
}

// patterns returns the URL patterns of what need not be loaded.
func (b Block) patterns() []string {
	var extensions []string
	if b.Fonts {
		extensions = append(extensions, "woff", "woff2", "ttf", "otf", "eot")
	}
	if b.Media {
		extensions = append(extensions, "mp4", "webm", "ogv", "m3u8", "mpd", "mp3", "ogg", "wav", "m4a", "aac", "flac")
	}
	if b.Styles {
		extensions = append(extensions, "css")
	}
	var patterns []string
	for _, e := range extensions {
		patterns = append(patterns, "*://*:*/*."+e)
	}
	for _, host := range b.Hosts {
		if !strings.Contains(host, ":") {
			host += ":*"
		}
		patterns = append(patterns, "*://"+host+"/*")
	}
	return patterns
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
