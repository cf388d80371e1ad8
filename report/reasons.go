package report

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/tasks"
)

// Reason is why some orders did not end well: they have the outcome, the class and the
// message in common, but for what is each order's own.
type Reason struct {
	Outcome tasks.Outcome
	Class   tasks.Class
	// Message is that of the first of the orders; Text is what the messages of all have in common,
	// with "…" for the rest.
	Message, Text string
	// Orders counts them, and First names the first ones.
	Orders int
	First  []string
	// shown are the first of the orders, for the page.
	shown []order
}

// Reasons returns why orders did not end well, first what has met most of them.
func (r *Report) Reasons() []Reason { return r.reasons }

const (
	// maxMessages is how many messages of one outcome and class are told apart. Where they
	// differ more, all orders of that outcome and class are one reason.
	maxMessages = 6
	// firstNamed is how many orders of a reason are named.
	firstNamed = 5
)

// reasonKey is what the orders of a reason have in common. Its message is empty where their
// messages differ too much.
type reasonKey struct {
	outcome tasks.Outcome
	class   tasks.Class
	message string
}

func (k reasonKey) anyMessage() reasonKey { return reasonKey{outcome: k.outcome, class: k.class} }

// reasonTally groups the orders that did not end well, as they pass by.
type reasonTally struct {
	reasons map[reasonKey]*Reason
	// messages counts those of each outcome and class.
	messages map[reasonKey]int
}

func newReasonTally() *reasonTally {
	return &reasonTally{reasons: map[reasonKey]*Reason{}, messages: map[reasonKey]int{}}
}

func (c *reasonTally) add(t *Task) {
	if !t.unwell() {
		return
	}
	r := c.reasonOf(reasonKeyOf(t))
	switch {
	case t.Error == nil:
	case r.Orders == 0:
		r.Message, r.Text = t.Error.Message, t.Error.Message
	default:
		r.Text = alike(r.Text, t.Error.Message)
	}
	r.Orders++
	if len(r.First) < firstNamed {
		r.First = append(r.First, order{t}.Name())
	}
	if len(r.shown) < maxShownOfReason {
		r.shown = append(r.shown, order{t})
	}
}

func (c *reasonTally) reasonOf(key reasonKey) *Reason {
	all := key.anyMessage()
	if c.messages[all] > maxMessages {
		return c.reasons[all]
	}
	if r := c.reasons[key]; r != nil {
		return r
	}
	c.messages[all]++
	if c.messages[all] > maxMessages {
		return c.merge(all)
	}
	c.reasons[key] = &Reason{Outcome: key.outcome, Class: key.class}
	return c.reasons[key]
}

// merge makes the reasons of one outcome and class one.
func (c *reasonTally) merge(all reasonKey) *Reason {
	one := &Reason{Outcome: all.outcome, Class: all.class}
	for _, key := range slices.SortedFunc(maps.Keys(c.reasons), byMost(c.reasons)) {
		if key.anyMessage() != all {
			continue
		}
		r := c.reasons[key]
		one.Message, one.Text = cmp.Or(one.Message, r.Message), cmp.Or(one.Text, r.Message)
		one.Orders += r.Orders
		one.First = append(one.First, r.First...)
		one.shown = append(one.shown, r.shown...)
		delete(c.reasons, key)
	}
	one.First = one.First[:min(len(one.First), firstNamed)]
	one.shown = one.shown[:min(len(one.shown), maxShownOfReason)]
	c.reasons[all] = one
	return one
}

func byMost(reasons map[reasonKey]*Reason) func(a, b reasonKey) int {
	return func(a, b reasonKey) int {
		return cmp.Or(cmp.Compare(reasons[b].Orders, reasons[a].Orders), cmp.Compare(a.outcome, b.outcome),
			cmp.Compare(a.class, b.class), cmp.Compare(a.message, b.message))
	}
}

// list returns the reasons, those of most orders first, and the place of each in the list.
func (c *reasonTally) list() ([]Reason, map[reasonKey]int) {
	list, places := make([]Reason, len(c.reasons)), make(map[reasonKey]int, len(c.reasons))
	for i, key := range slices.SortedFunc(maps.Keys(c.reasons), byMost(c.reasons)) {
		list[i], places[key] = *c.reasons[key], i
	}
	return list, places
}

// reasonAt returns the place of an order's reason in the list, or -1 where it has none.
func (r *Report) reasonAt(t *Task) int {
	if !t.unwell() {
		return -1
	}
	key := reasonKeyOf(t)
	if i, ok := r.reasonPlaces[key]; ok {
		return i
	}
	return r.reasonPlaces[key.anyMessage()]
}

func reasonKeyOf(t *Task) reasonKey {
	key := reasonKey{outcome: t.Outcome}
	if t.Error != nil {
		key.class, key.message = t.Error.Class, commonText(t.Error.Message, t)
	}
	return key
}

// own are parts of messages that differ from order to order; a status is none.
var own = regexp.MustCompile(`(status \d+|https?://[^/\s]+)|/\S+|\d[\d.,:]*`)

// commonText returns a message without what is the order's own: its number, its documents'
// names, addresses and figures.
func commonText(message string, t *Task) string {
	for i := range t.Attachments {
		if name := t.Attachments[i].Name; name != "" {
			message = strings.ReplaceAll(message, name, "…")
		}
	}
	return CommonText(message, t.PO)
}

// CommonText returns the message of an order without its number, addresses and figures: orders of
// one reason have the same.
func CommonText(message, po string) string {
	if po != "" {
		message = strings.ReplaceAll(message, po, "#")
	}
	return own.ReplaceAllString(message, "$1#")
}

// alike returns what two messages have in common, word by word, with "…" for the rest. Of
// addresses at one host that is the host.
func alike(a, b string) string {
	words, others := strings.Fields(a), strings.Fields(b)
	if a == b || len(words) != len(others) {
		return a
	}
	for i, word := range words {
		if word != others[i] {
			words[i] = alikeWord(word, others[i])
		}
	}
	return strings.Join(words, " ")
}

// edge is what stands around a word.
const edge = `()[]"',;:.`

// site is the beginning of an address.
var site = regexp.MustCompile(`^https?://[^/]+/`)

func alikeWord(a, b string) string {
	before := a[:len(a)-len(strings.TrimLeft(a, edge))]
	after := a[len(strings.TrimRight(a, edge)):]
	a, b = strings.Trim(a, edge), strings.Trim(b, edge)
	if at := site.FindString(a); at == site.FindString(b) {
		return before + at + "…" + after
	}
	return before + "…" + after
}
