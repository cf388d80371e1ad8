package portal

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// The faults: variations that no portal means, and that a session has to
// survive. They are in no demo and not among Variations. Each comment says what
// happens, and how the order should end; where it waits for something, that is
// the reader's own time-out.
const (
	// EndlessLoop: a script of the page never ends. Ends failed, class page.
	EndlessLoop Variation = "endless_loop"
	// EndlessDialogs: the page calls alert for ever. Ends failed, class page.
	EndlessDialogs Variation = "endless_dialogs"
	// MemoryHog: the page takes memory until its process dies, so whoever opens
	// it bounds that process. Ends failed, class renderer_crash.
	MemoryHog Variation = "memory_hog"
	// DeepTree: elements are nested so deep that the page's process dies. Ends
	// failed, class renderer_crash.
	DeepTree Variation = "deep_tree"
	// ConsoleFlood: 20,000 console messages while the page loads. Ends complete.
	ConsoleFlood Variation = "console_flood"
	// LateConsoleFlood: 20,000 console messages when it has loaded. Ends complete.
	LateConsoleFlood Variation = "late_console_flood"
	// ClosesItself: the page closes its window. Ends complete.
	ClosesItself Variation = "closes_itself"
	// NavigationLoop: the page leads on to itself as soon as it is loaded, while
	// its list of documents is busy. Ends failed, class page.
	NavigationLoop Variation = "navigation_loop"
	// RedirectLoop: the address leads to itself. Ends failed, class navigation.
	RedirectLoop Variation = "redirect_loop"
	// NeverAnswers: the request is accepted, and never answered. Ends timeout.
	NeverAnswers Variation = "never_answers"
	// EndlessPage: the page lists its documents, and never comes to its end.
	// Ends partial, class unsettled, as more documents may come.
	EndlessPage Variation = "endless_page"
	// EndlessPicture: a picture of the page never comes to its end. Ends
	// complete, at the end of the ready rule's patience.
	EndlessPicture Variation = "endless_picture"
	// CutPage: the connection is reset behind the first of two documents that
	// the page lists. Ends failed, class navigation.
	CutPage Variation = "cut_page"
)

// Faults lists all faults in a fixed order.
func Faults() []Variation {
	var all []Variation
	for _, s := range faultShapes() {
		all = append(all, s.variation)
	}
	return all
}

// allShapes are those of the variations, of the faults, of the mix-ups, of the oddities, and of
// the search.
func allShapes() []shape {
	return slices.Concat(shapes(), faultShapes(), mixupShapes(), oddShapes(), deskShapes())
}

// faultShapes is the table of all faults. Their weight is 0: no demo has them.
func faultShapes() []shape {
	return []shape{
		{EndlessLoop, 0, "A script of the page never ends.", drawFatal("loop", classPage)},
		{EndlessDialogs, 0, "The page calls alert for ever.", drawFatal("dialogs", classPage)},
		{MemoryHog, 0, "The page takes all memory.", drawFatal("hog", classRendererCrash)},
		{DeepTree, 0, "Elements are nested too deep.", drawFatal("deep", classRendererCrash)},
		{ConsoleFlood, 0, "The page writes 20,000 console messages.", drawConsoleFlood},
		{LateConsoleFlood, 0, "The page writes 20,000 console messages, late.", drawHarmless("flood")},
		{ClosesItself, 0, "The page closes its window.", drawHarmless("close")},
		{NavigationLoop, 0, "The page leads on to itself.", drawNavigationLoop},
		{RedirectLoop, 0, "The address leads to itself.", drawFaultyPage(pageRedirected, Want{Outcome: outcomeFailed, Class: classNavigation})},
		{NeverAnswers, 0, "The request is never answered.", drawFaultyPage(pageSilent, Want{Outcome: outcomeTimeout, Class: classTimeout})},
		{EndlessPage, 0, "The page never comes to its end.", drawFaultyPage(pageEndless, Want{Outcome: outcomePartial, Class: classUnsettled, Done: 2})},
		{EndlessPicture, 0, "A picture never comes to its end.", drawHarmless("picture")},
		{CutPage, 0, "The page's connection is reset.", drawFaultyPage(pageCut, Want{Outcome: outcomeFailed, Class: classNavigation})},
	}
}

// The classes of failures that faults call for, in the words of the report.
const (
	classPage          = "page"
	classRendererCrash = "renderer_crash"
	classNavigation    = "navigation"
	classTimeout       = "timeout"
	classUnsettled     = "unsettled"
	classHost          = "host"
)

// drawHarmless makes an order whose page does something that does not keep its
// documents from being had.
func drawHarmless(fault string) func(*draft) {
	return func(d *draft) {
		drawTwo(d)
		d.order.fault = fault
	}
}

// drawFatal makes an order whose page does something that it does not survive.
func drawFatal(fault, class string) func(*draft) {
	return func(d *draft) {
		drawTwo(d)
		d.order.fault = fault
		d.order.Want = Want{Outcome: outcomeFailed, Class: class, Attempts: wantedAttempts}
	}
}

func drawNavigationLoop(d *draft) {
	drawFatal("navigate", classPage)(d)
	d.documents, d.order.empty = nil, emptyBusy
}

// drawFaultyPage makes an order whose page is answered as none should be.
func drawFaultyPage(page pageKind, want Want) func(*draft) {
	return func(d *draft) {
		drawTwo(d)
		d.order.page = page
		want.Attempts = wantedAttempts
		d.order.Want = want
	}
}

func drawConsoleFlood(d *draft) {
	drawTwo(d)
	d.order.console = 20_000
}

// serveFaulty answers with the page of a fault, in the way that it is answered.
func (p *Portal) serveFaulty(w http.ResponseWriter, r *http.Request, o *order, page []byte) {
	switch o.page {
	case pageRedirected:
		http.Redirect(w, r, o.Path, http.StatusFound)
	case pageSilent:
		p.await(r)
		panic(http.ErrAbortHandler)
	case pageEndless:
		pageHeader(w)
		p.endless(w, r, page, []byte("<!-- -->\n"))
	case pageCut:
		pageHeader(w)
		w.Header().Set("Content-Length", strconv.Itoa(len(page)))
		_, _ = w.Write(page[:cutAfterFirst(page)]) // an error means that the client has gone
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
}

// servePicture answers with the beginning of a picture, and never with its end.
func (p *Portal) servePicture(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cache-Control", "no-store")
	p.endless(w, r, []byte("\x89PNG\r\n\x1a\n"), []byte{0})
}

// trickle is how long an endless answer keeps silent between two drops.
const trickle = 200 * time.Millisecond

// endless sends a beginning, and then a drop now and then, until the client or
// the portal is gone.
func (p *Portal) endless(w http.ResponseWriter, r *http.Request, beginning, drop []byte) {
	for piece := beginning; ; piece = drop {
		if _, err := w.Write(piece); err != nil {
			return
		}
		if err := http.NewResponseController(w).Flush(); err != nil {
			return
		}
		if !p.pause(r, trickle) {
			panic(http.ErrAbortHandler)
		}
	}
}

// await waits until the request or the portal ends.
func (p *Portal) await(r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-p.stopping:
	}
}

// cutAfterFirst returns where a page is cut: behind the first of its documents.
func cutAfterFirst(page []byte) int {
	end := []byte("</li>")
	return bytes.Index(page, end) + len(end)
}
