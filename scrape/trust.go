package scrape

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

const (
	// earnedBy is how many orders in a row must be the same, rendered and fetched,
	// before pages like theirs are only fetched.
	earnedBy = 5
	// firstAudit is after how many fetched orders one is rendered as well. After each
	// audit that has found nothing it is twice as many, up to auditEvery: a resume
	// reads more than those of a killed session again (session/mode.go).
	firstAudit, auditEvery = 20, 80
	// maxTries is how many orders of a kind of page are read both ways before it is
	// given up that they become trusted, and maxPrints how many different sets of
	// scripts may be met on the way.
	maxTries, maxPrints = 40, 20
	// From minFetches fetched orders of a kind of page on, all of the kind are rendered
	// at once where more than that share of them had to be rendered after all.
	minFetches, maxFallBackPercent = 10, 20
)

// way is how an order is to be read.
type way int

const (
	wayRender  way = iota // rendered
	wayCompare            // rendered, and fetched to be compared
	wayFetch              // fetched, and rendered where that is not enough
)

// treatment is what is done with a page that was fetched.
type treatment int

const (
	treatUse     treatment = iota // it is the order's page
	treatAudit                    // it is, and is rendered all the same, to see that it still is
	treatUnknown                  // pages with its scripts are not trusted
)

// trust keeps account of which pages show the same when they are only fetched. All
// workers share it.
type trust struct {
	// tell is told when trust is earned and lost, by unlock. Nil is fine.
	tell func(tasks.Event)
	// news are the events that it is still to be told.
	news []tasks.Event

	mu    sync.Mutex
	kinds map[string]*pageKind
	// uses counts the pages that were used, so that it is known which came first.
	uses int
	// suspects were only fetched, as pages that are not trusted any more.
	suspects []use
	// closing are the orders that are read both ways once all others are done.
	closing map[uuid.UUID]bool
}

// pageKind is a set of addresses that differ in their numbers alone.
type pageKind struct {
	tries  int
	told   bool
	prints map[string]*record
	// fetches counts the orders that were fetched to be used, fallBacks those of them
	// that had to be rendered after all. An audit is a fetch, and no fall-back.
	fetches, fallBacks int
	// renderOnly: orders of this kind are not fetched any more, as too many fell back.
	renderOnly bool
	// adopted are those of an earlier run that no audit has confirmed, as far as is
	// known; asked: the last of them is read both ways.
	adopted []use
	asked   bool
}

type trustState string

const (
	trustLearning   trustState = "learning"
	trustTrusted    trustState = "trusted"
	trustDistrusted trustState = "distrusted"
)

// record is what is known of the pages of one kind that run the same scripts.
type record struct {
	state  trustState
	agreed int
	// bytes: documents of such a page were the same after it was only fetched.
	bytes bool
	// sinceAudit counts the orders since the last audit, untilAudit is how many there are
	// between two; used are those that no audit has confirmed.
	sinceAudit, untilAudit int
	used                   []use
	closed                 bool
	// proving is how many pages had been used when the last was to be proven.
	proving int
}

type use struct {
	number int
	task   *tasks.ProcessingTask
}

// comparison is what became of an order that was read both ways.
type comparison struct {
	kind, print string
	// order is its number, for people; id is the task's.
	order string
	id    uuid.UUID
	// mark is the trust's when the order was begun to be fetched.
	mark int
	// differs says what was not the same, or is empty.
	differs string
	// lacking: the fetched page would not have been used, so its agreement says nothing.
	lacking bool
	// bytes is how many of its documents were the same.
	bytes int
}

var numbered = regexp.MustCompile(`[\pL\pN]*\pN[\pL\pN]*`)

// kindOf returns what an address has in common with those of other orders.
func kindOf(u *url.URL) string {
	var keys []string
	for key := range u.Query() {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return u.Scheme + "://" + u.Host + numbered.ReplaceAllString(u.Path, "#") + "?" + strings.Join(keys, "&")
}

func (t *trust) kind(name string) *pageKind {
	if t.kinds == nil {
		t.kinds = map[string]*pageKind{}
	}
	if t.kinds[name] == nil {
		t.kinds[name] = &pageKind{prints: map[string]*record{}}
	}
	return t.kinds[name]
}

func (k *pageKind) has(state trustState) bool {
	for _, r := range k.prints {
		if r.state == state {
			return true
		}
	}
	return false
}

// fetchable reports whether orders of the kind are fetched.
func (k *pageKind) fetchable() bool { return !k.renderOnly && k.has(trustTrusted) }

// learnable reports whether the kind's scripts are still to be learned.
func (k *pageKind) learnable() bool { return k.tries < maxTries && len(k.prints) <= maxPrints }

// way says how an order of a kind is to be read, and returns the mark of now.
func (t *trust) way(kind string, id uuid.UUID, first bool) (way, int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	k := t.kind(kind)
	switch {
	case t.closing[id]:
		return wayCompare, t.uses
	case !first, k.renderOnly: // an attempt that did not end well is not repeated in the same way
		return wayRender, t.uses
	case k.fetchable():
		return wayFetch, t.uses
	case k.learnable() && (len(k.prints) == 0 || k.has(trustLearning)):
		k.tries++
		return wayCompare, t.uses
	}
	return wayRender, t.uses
}

// treat says what is done with a page that was fetched and lacks nothing. One with
// documents is not used before documents of pages like it were found to be the same.
func (t *trust) treat(kind, print string, task *tasks.ProcessingTask, documents bool) treatment {
	t.mu.Lock()
	defer t.unlock()
	k := t.kind(kind)
	r := k.prints[print]
	switch {
	case r != nil && r.state == trustTrusted:
		t.count(kind, false)
	case (r == nil || r.state == trustLearning) && k.learnable():
		k.tries++ // it is read both ways, so that the next one like it may be used
		return treatUnknown
	default:
		t.count(kind, true)
		return treatUnknown
	}
	if documents && !r.bytes {
		return treatAudit
	}
	r.sinceAudit++
	if r.sinceAudit >= r.untilAudit {
		r.sinceAudit = 0
		return treatAudit
	}
	t.uses++
	r.used, r.closed = append(r.used, use{t.uses, task}), false
	return treatUse
}

// fellBack notes that a page of a kind was fetched, and has to be rendered after all.
func (t *trust) fellBack(kind string) {
	t.mu.Lock()
	defer t.unlock()
	t.count(kind, true)
}

// count notes how it was with an order that was fetched. The caller holds mu.
func (t *trust) count(kind string, fellBack bool) {
	k := t.kind(kind)
	k.fetches++
	if fellBack {
		k.fallBacks++
	}
	if k.renderOnly || k.fetches < minFetches || 100*k.fallBacks <= maxFallBackPercent*k.fetches {
		return
	}
	k.renderOnly = true
	t.say(tasks.EventTrustLost, "%s: %d of %d orders that were fetched had to be rendered after all; others like them are rendered at once from now on", kind, k.fallBacks, k.fetches)
}

// compared records the comparison of an order that was read both ways.
func (t *trust) compared(c comparison) {
	t.mu.Lock()
	defer t.unlock()
	delete(t.closing, c.id)
	k := t.kind(c.kind)
	r := k.prints[c.print]
	if r == nil {
		r = &record{state: trustLearning}
		k.prints[c.print] = r
	}
	switch {
	case c.differs != "":
		t.suspects = append(t.suspects, k.adopted...)
		k.adopted = nil
	case !c.lacking:
		k.adopted = nil
	}
	r.bytes = r.bytes || c.bytes > 0 && c.differs == ""
	switch {
	case r.state == trustDistrusted:
	case c.differs != "":
		t.lose(k, r, c)
	case c.lacking:
	case r.state == trustLearning:
		if r.agreed++; r.agreed == earnedBy {
			r.state, r.untilAudit = trustTrusted, firstAudit
			t.say(tasks.EventTrustEarned, "%s: %d orders were the same, rendered and fetched; others like them are only fetched from now on", c.kind, earnedBy)
		}
	default:
		r.untilAudit = min(2*r.untilAudit, auditEvery)
		r.used = slices.DeleteFunc(r.used, func(u use) bool { return u.number <= c.mark })
	}
}

// vouch takes over how an order was that was read both ways where all are only fetched.
func (t *trust) vouch(c comparison) {
	t.mu.Lock()
	defer t.mu.Unlock()
	k := t.kind(c.kind)
	r := k.prints[c.print]
	if r == nil {
		r = &record{state: trustLearning}
		k.prints[c.print] = r
	}
	if c.differs != "" {
		r.state = trustDistrusted
	}
}

// vouched reports whether a page that runs the same scripts was the same both ways, and
// none was not.
func (t *trust) vouched(kind, print string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.kind(kind).prints[print]
	return r != nil && r.state != trustDistrusted
}

func (t *trust) lose(k *pageKind, r *record, c comparison) {
	earned := r.state == trustTrusted
	r.state = trustDistrusted
	t.suspects = append(t.suspects, r.used...)
	switch suspects := len(r.used); {
	case earned:
		t.say(tasks.EventTrustLost, "%s: order %s: %s; %d orders that were only fetched since the last audit are read again", c.kind, c.order, c.differs, suspects)
	case !k.told:
		t.say(tasks.EventTrustLost, "%s: order %s: %s; orders like it are rendered", c.kind, c.order, c.differs)
	}
	k.told = true
	r.used = nil
}

// say has tell called, soon. The caller holds mu.
func (t *trust) say(kind, format string, args ...any) {
	t.news = append(t.news, tasks.Event{Type: kind, Detail: fmt.Sprintf(format, args...)})
}

// unlock lets mu go, and tells what was to be told.
func (t *trust) unlock() {
	news := t.news
	t.news = nil
	t.mu.Unlock()
	for _, e := range news {
		if t.tell != nil {
			t.tell(e)
		}
	}
}

// rendered notes that an order was rendered: whatever it was read by before does
// not matter any more.
func (t *trust) rendered(id uuid.UUID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	is := func(u use) bool { return u.task.ID == id }
	t.suspects = slices.DeleteFunc(t.suspects, is)
	for _, k := range t.kinds {
		k.adopted = slices.DeleteFunc(k.adopted, is)
		for _, r := range k.prints {
			r.used = slices.DeleteFunc(r.used, is)
		}
	}
}

// adopt records an order that an earlier run has only fetched.
func (t *trust) adopt(kind string, task *tasks.ProcessingTask) {
	t.mu.Lock()
	defer t.mu.Unlock()
	k := t.kind(kind)
	k.adopted = append(k.adopted, use{0, task})
}

// Adopt has the portal know of an order that was only fetched by an earlier run of
// the session, which was killed: the first page of its kind that is read both ways
// shows whether that was enough. It is called before the work begins, with the
// latest order last.
func (p *Portal) Adopt(task *tasks.ProcessingTask) {
	if u, err := browser.ParseURL(task.URL); err == nil && p.Mode() == ModeAuto {
		p.trust.adopt(kindOf(u), task)
	}
}

// trusted reports whether orders at an origin are fetched.
func (t *trust) trusted(origin string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for name, k := range t.kinds {
		if strings.HasPrefix(name, origin+"/") && k.fetchable() {
			return true
		}
	}
	return false
}

// Unproven returns the orders that have to be read again, once no order is in progress
// any more; none is returned twice. Some were read beside others, and have a document
// whose address is that of another order's, unless that is known to be one document
// (see shares); and some were only fetched. While
// the session goes on these are those that pages were found not to be the same for,
// and of each other kind of pages the last one: what it shows is as good for those
// since the last audit. When it ends, it is all that no audit has confirmed.
func (p *Portal) Unproven(ending bool) []uuid.UUID {
	t := &p.trust
	t.mu.Lock()
	defer t.mu.Unlock()
	again := t.suspects
	t.suspects = nil
	// last takes the last of these for a proof, or all where that was tried before.
	last := func(uses []use, tried bool) (rest []use) {
		n := len(uses)
		if n == 0 || tried {
			again = append(again, uses...)
			return nil
		}
		again = append(again, uses[n-1])
		if t.closing == nil {
			t.closing = map[uuid.UUID]bool{}
		}
		t.closing[uses[n-1].task.ID] = true
		return uses[:n-1]
	}
	for _, k := range t.kinds {
		for _, r := range k.prints {
			r.used, r.closed = last(r.used, r.closed || ending), len(r.used) > 0
		}
		if !ending { // else they are adopted once more
			k.adopted, k.asked = last(k.adopted, k.asked), len(k.adopted) > 0
		}
	}
	slices.SortFunc(again, func(a, b use) int { return a.number - b.number })
	ids := p.shares.again(ending)
	for _, u := range again {
		if !slices.Contains(ids, u.task.ID) {
			ids = append(ids, u.task.ID)
		}
	}
	return ids
}
