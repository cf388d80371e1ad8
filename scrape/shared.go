package scrape

import (
	"context"
	"encoding/hex"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/tasks"
)

// shares keeps account of which documents' addresses several orders list. Such an address
// may be one document's that belongs to all of them, as terms or a price list; or the
// portal keeps in its session which order was opened last, and answers with that one's.
// All workers share it.
type shares struct {
	mu sync.Mutex
	// listed are the addresses that one order lists, as far as is known, by their keys,
	// and shared those of several. An order that has read the first of them beside others
	// is in beside.
	listed map[digest]lister
	shared map[digest]*share
	// kinds are the kinds of pages that list an address of which it is known that the
	// portal keeps whose it is.
	kinds map[string]bool
}

// digest is a hash, or as much of one as tells it from all others of a session.
type digest [12]byte

func digestOf(text string) (d digest, ok bool) {
	n, err := hex.Decode(d[:], []byte(text[:min(len(text), 2*len(d))]))
	return d, err == nil && n == len(d)
}

// lister is the only order that lists an address.
type lister struct {
	order  uuid.UUID
	sum    digest // zero where nothing was got yet
	beside bool
}

// share is an address that several orders list.
type share struct {
	state shareState
	// sum is what one order got there, and of is that order.
	sum digest
	of  uuid.UUID
	// apart are, by sign-in, the order that was read apart there last, and what it got.
	apart map[any]lister
	// prints are what orders that were read apart have got there that are prints of a page which does not say
	// whose it is, and alike counts those of the same bytes. What was got beside other orders proves nothing
	// about either. doubted are the orders that need not be asked of these again.
	prints  map[uuid.UUID]digest
	alike   map[digest]int
	doubted map[uuid.UUID]bool
	// beside are the orders that got theirs there while other orders were read in the
	// same sign-in, and asked those of them that were put back to be read apart.
	beside, asked map[uuid.UUID]bool
}

type shareState int

const (
	shareUnproven shareState = iota // nobody knows yet
	shareSame                       // it is one document
	shareKept                       // the portal keeps in its session whose it is
)

// list notes that an order lists these addresses. It reports whether the order has to be
// read apart: its page opened, and its documents brought, with nothing of another order
// in between.
func (s *shares) list(order uuid.UUID, keys []itemKey) (apart bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range keys {
		if address, ok := digestOf(key.address); ok {
			sh := s.of(address, order)
			apart = apart || sh != nil && sh.state != shareSame
		}
	}
	return apart
}

// of returns the share of an address once a second order lists it.
func (s *shares) of(address digest, order uuid.UUID) *share {
	if sh := s.shared[address]; sh != nil {
		return sh
	}
	if s.listed == nil {
		s.listed, s.shared, s.kinds = map[digest]lister{}, map[digest]*share{}, map[string]bool{}
	}
	first, known := s.listed[address]
	switch {
	case !known:
		s.listed[address] = lister{order: order}
		return nil
	case first.order == order:
		return nil
	}
	delete(s.listed, address)
	sh := &share{apart: map[any]lister{}, beside: map[uuid.UUID]bool{}, asked: map[uuid.UUID]bool{}}
	s.shared[address] = sh
	if first.sum != (digest{}) { // else it says what it has got when it has
		sh.sum, sh.of = first.sum, first.order
		if first.beside {
			sh.beside[first.order] = true
		}
	}
	return sh
}

// kept reports whether what is at the address may be another order's.
func (s *shares) kept(key itemKey) bool {
	address, _ := digestOf(key.address)
	s.mu.Lock()
	defer s.mu.Unlock()
	sh := s.shared[address]
	return sh != nil && sh.state != shareSame
}

// got notes what an order has got for a document. signIn is where it was read apart, or
// nil for one that was read beside others; kind is that of its page. It reports whether that is a print
// which may be another order's: unlike terms that belong to all, no two orders have the same.
func (s *shares) got(order uuid.UUID, doc *tasks.Attachment, signIn any, kind string) (doubtful bool) {
	key := parseKey(doc.Key).address
	address, known := digestOf(key)
	sum, whole := digestOf(doc.SHA256)
	if !known || !whole || doc.State != tasks.AttachmentDone {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	sh := s.of(address, order)
	if sh == nil {
		s.listed[address] = lister{order, sum, signIn == nil}
		return false
	}
	print := strings.HasSuffix(key, printMark)
	if print {
		doubtful = signIn == nil || sh.printed(order, sum) || strings.HasSuffix(key, cachedMark)
		if signIn != nil && doubtful {
			sh.doubted[order] = true
		}
	}
	if signIn == nil {
		sh.beside[order] = true
	} else {
		delete(sh.beside, order)
		last := sh.apart[signIn]
		if last.order != uuid.Nil && last.order != order && last.sum == sum && sh.state == shareUnproven && !print {
			sh.state = shareSame
		}
		sh.apart[signIn] = lister{order: order, sum: sum}
	}
	switch {
	case sh.sum == digest{} || sh.of == order:
		sh.sum, sh.of = sum, order
	case sh.sum != sum: // whatever was seen before
		sh.state = shareKept
	}
	if sh.state == shareKept {
		s.kinds[kind] = true
	}
	return doubtful
}

// printed notes what the print of an order is that was read apart, and reports whether another's has the same
// bytes.
func (sh *share) printed(order uuid.UUID, sum digest) (alike bool) {
	note := func(order uuid.UUID, sum digest) {
		if was, again := sh.prints[order]; again {
			sh.alike[was]--
		}
		sh.prints[order] = sum
		sh.alike[sum]++
	}
	if sh.prints == nil {
		sh.prints, sh.alike, sh.doubted = map[uuid.UUID]digest{}, map[digest]int{}, map[uuid.UUID]bool{}
		if sh.of != uuid.Nil && !sh.beside[sh.of] { // the first
			note(sh.of, sh.sum)
		}
	}
	note(order, sum)
	return sh.alike[sum] > 1
}

// keptBy reports whether pages of a kind list what may be another order's.
func (s *shares) keptBy(kind string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kinds[kind]
}

// again returns the orders that have to be read apart, as what they got may be another
// order's; none is returned twice. Unless the session is ending, these are at first two of
// those of an address of which nothing is proven, and then the others.
func (s *shares) again(ending bool) []uuid.UUID {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ids []uuid.UUID
	for _, sh := range s.shared {
		for id, sum := range sh.prints {
			if sh.alike[sum] > 1 && !sh.doubted[id] && !sh.beside[id] {
				sh.doubted[id] = true
				ids = append(ids, id)
			}
		}
		if sh.state == shareSame || len(sh.beside) == 0 {
			continue
		}
		tried := ending || len(sh.asked) > 0
		for id := range sh.beside {
			if sh.state == shareUnproven && !tried && len(sh.asked) == 2 {
				break
			}
			if !sh.asked[id] {
				sh.asked[id] = true
				ids = append(ids, id)
			}
		}
	}
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(ids)
}

// Recall has the portal know what an order of an earlier run of the session lists. Of one
// that was killed, it is not known which orders were still to be read apart.
func (p *Portal) Recall(task *tasks.ProcessingTask, killed bool) {
	if task.Result == nil || !task.State.Final() {
		return
	}
	var signIn any
	if !killed || task.Result.Executor == tasks.ExecutorRender {
		signIn = task.ID // it was read apart, or proven; and no other order was in this place
	}
	for i := range task.Result.Attachments {
		p.shares.got(task.ID, &task.Result.Attachments[i], signIn, "")
	}
}

// readApart is why an order that was fetched is rendered.
const readApart = "a document of it has the address of another order's"

// noteShares notes what the order has got at the addresses of its documents, and returns the names of
// prints that may be another order's.
func (a *attempt) noteShares(ctx context.Context, docs []document) (doubtful []string) {
	var signIn any
	if a.owns() {
		signIn = a.signIn(ctx)
	}
	for i := range docs {
		if a.portal.shares.got(a.task.ID, &docs[i].Attachment, signIn, kindOf(a.address)) {
			doubtful = append(doubtful, fmt.Sprintf("%s (%s)", quoted(docs[i].Name), docs[i].Source))
		}
	}
	return doubtful
}

// What ends the key of an address from which a page came that is printed; cachedMark where the browser had it
// from before, perhaps for another order. Neither begins with a hexadecimal digit, with which the rest may end.
const (
	printMark  = "p"
	cachedMark = "sp"
)

// printKey returns what the address is known by from which the tab's page came. at is where it is now.
func (a *attempt) printKey(at string) string {
	asked, form, mark := a.address.String(), "", printMark
	if res := a.browser.Tab().Document(); res != nil {
		asked, form = res.Asked, res.Form
		if res.Cached {
			mark = cachedMark
		}
	}
	_, fragment, _ := strings.Cut(withoutFragment(at), "#") // that of an application's route
	before, _, _ := strings.Cut(asked, "#")
	return hashed(strings.Join([]string{"print", before, fragment, lasting(form)}, "\x00")) + mark
}

// passing are the names of what a form sends along that is another each time.
var passing = regexp.MustCompile(`(?i)token|csrf|xsrf|nonce|viewstate|eventvalidation|session|time|rand`)

// lasting returns what a form has sent, but for what is another each time. What is not known to tell
// orders apart does not.
func lasting(form string) string {
	values, err := url.ParseQuery(form)
	if err != nil {
		return ""
	}
	for name, sent := range values {
		if passing.MatchString(name) || slices.ContainsFunc(sent, func(value string) bool { return len(value) > 100 }) {
			delete(values, name)
		}
	}
	return values.Encode()
}

// few is how many orders may list one address before it is found out whose documents it has.
const few = 3

// Remembers reports whether the portal keeps, with a sign-in, which order was opened last, so that
// what it has at the address of a document can be another order's; or whether that has to be found
// out now.
func (p *Portal) Remembers() bool {
	s := &p.shares
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sh := range s.shared {
		if sh.state == shareKept || sh.state == shareUnproven && (len(sh.asked) > 0 || len(sh.beside) >= few) {
			return true
		}
	}
	return false
}

// SignInOf returns what stands for the sign-in of a context in which nothing but its order is read,
// or nil.
func SignInOf(ctx context.Context) any {
	if alone, shared := ctx.Value(signInKey{}).(func() any); shared {
		return alone()
	}
	return nil
}

type signInKey struct{}

// WithSignIn returns the context of an attempt whose browser has the same sign-in as others.
// alone is asked, when the order's documents are there, whether no other order was read in that
// sign-in meanwhile, and returns what stands for it; or nil. Without it, the browser has a
// sign-in of its own.
func WithSignIn(ctx context.Context, alone func() any) context.Context {
	return context.WithValue(ctx, signInKey{}, alone)
}

// signIn returns what stands for the sign-in in which nothing but the order was read, or nil
// where others were.
func (a *attempt) signIn(ctx context.Context) any {
	if alone, shared := ctx.Value(signInKey{}).(func() any); shared {
		return alone()
	}
	return a.Scraper
}
