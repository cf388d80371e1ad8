// Package witness says which of a session's orders are confirmed. That takes two witnesses: one that an order's
// page is the order's own, and one that its list of documents is whole. The package knows what pages have shown,
// and reads none; what it rules changes no outcome.
package witness

import (
	"slices"

	"github.com/poscrape/poscrape/tasks"
)

// Session are the orders of a session. One order may confirm another, so all are to be seen before the first is
// judged. The zero value is one without orders.
type Session struct {
	// Warned reports whether a selector of a portal's recipe has met nothing wherever it was looked for, by its
	// place in the recipe. It may be nil.
	Warned func(portal, where string) bool

	orders  []order
	unwell  []order // whose documents count alone
	kinds   map[kindKey]*kind
	listed  map[string]int  // by how many orders a document is listed, by its address and by its bytes
	counted map[int]int     // on how many orders a count stands
	most    map[string]int  // the largest count of a portal
	others  map[placed]bool // what stands at places on pages whose rows have another value
	learnt  bool
}

type kindKey struct{ portal, kind string }

// placed is a value at a place of the pages of a kind.
type placed struct {
	kindKey
	at, meaning uint32
}

// order is what has to be kept of one to learn from it.
type order struct {
	key   kindKey
	shown *tasks.Shown
	// documents are the addresses and hashes of those that it has.
	documents []document
}

type document struct{ name, address, hash string }

// kind is what the pages of orders have in common whose addresses differ only where orders do.
type kind struct {
	// models are how many of the pages are known to be orders' own, and labels on how many of these each label stands.
	models int
	labels map[uint32]int
	// rowed: the row is a witness of one of the pages.
	rowed bool
	lists []*list
}

// list is what the lists of documents at one place of such pages have shown.
type list struct {
	// met: items were met on a page; unmarked: and attachments.none was not shown there; marked: it was.
	met, unmarked, marked bool
	counts                map[int]bool
	beside                map[string]*beside
	// around is what stood around lists in data that had documents.
	around map[uint32]bool
}

// beside is what whole numbers at one place beside such lists have shown.
type beside struct {
	// orders is on how many orders it is as large as the list, and numbers how often it was which.
	orders  int
	numbers map[int]int
	// differs: on one order it is not.
	differs bool
}

// See takes an order into the session.
func (s *Session) See(t *tasks.ProcessingTask) {
	switch {
	case t.Result == nil:
		return
	case t.Result.Shown != nil && t.Outcome.Well():
		s.orders = append(s.orders, orderOf(t))
	case len(t.Result.Attachments) > 0:
		s.unwell = append(s.unwell, orderOf(t))
	}
	s.learnt = false
}

func orderOf(t *tasks.ProcessingTask) order {
	o := order{key: kindKey{t.Portal, t.Result.Kind}, shown: t.Result.Shown}
	for _, a := range t.Result.Attachments {
		if a.State == tasks.AttachmentDone {
			o.documents = append(o.documents, document{a.Name, a.URL, a.SHA256})
		}
	}
	return o
}

// learn finds out what the orders say of each other.
func (s *Session) learn() {
	if s.learnt {
		return
	}
	s.learnt = true
	s.kinds, s.listed, s.counted, s.most, s.others = map[kindKey]*kind{}, map[string]int{}, map[int]int{}, map[string]int{}, map[placed]bool{}
	for _, o := range s.unwell {
		for _, id := range o.ids() {
			s.listed[id]++
		}
	}
	for _, o := range s.orders {
		for _, v := range o.shown.Others {
			s.others[placed{o.key, v.At, v.Meaning}] = true
		}
		for _, id := range o.ids() {
			s.listed[id]++
		}
		s.kindOf(o.key).addLists(o.shown.Lists)
		for _, l := range o.shown.Lists {
			if l.Count != nil {
				s.counted[l.Count.N]++
				s.most[o.key.portal] = max(s.most[o.key.portal], l.Count.N)
			}
		}
	}
	for _, o := range s.orders {
		k := s.kindOf(o.key)
		k.rowed = k.rowed || s.row(o) != nil
		if s.model(o) {
			k.models++
			for _, label := range o.shown.Labels {
				k.labels[label]++
			}
		}
	}
}

func (s *Session) kindOf(key kindKey) *kind {
	if s.kinds[key] == nil {
		s.kinds[key] = &kind{labels: map[uint32]int{}}
	}
	return s.kinds[key]
}

func (k *kind) addLists(lists []tasks.List) {
	for i, l := range lists {
		if i == len(k.lists) {
			k.lists = append(k.lists, &list{counts: map[int]bool{}, beside: map[string]*beside{}, around: map[uint32]bool{}})
		}
		known := k.lists[i]
		known.met = known.met || l.Met > 0
		known.unmarked = known.unmarked || l.Met > 0 && l.None == ""
		known.marked = known.marked || l.Met > 0 && l.None != ""
		known.around[l.Around] = known.around[l.Around] || l.Met > 0
		for at, n := range l.Beside {
			if known.beside[at] == nil {
				known.beside[at] = &beside{numbers: map[int]int{}}
			}
			b := known.beside[at]
			b.orders, b.differs = b.orders+1, b.differs || n != l.Met
			b.numbers[n]++
		}
		if l.Count != nil {
			known.counts[l.Count.N] = true
		}
	}
}

// model reports whether others may be measured by an order's page: its row confirms it, or it has a document of its own.
func (s *Session) model(o order) bool { return s.row(o) != nil || s.own(o) }

// ids are what a document is told from others by: its address, and its bytes.
func (o order) ids() (all []string) {
	for _, d := range o.documents {
		for _, id := range d.ids() {
			if !slices.Contains(all, id) {
				all = append(all, id)
			}
		}
	}
	return all
}

func (d document) ids() (all []string) {
	if d.address != "" {
		all = append(all, "at "+d.address)
	}
	if d.hash != "" {
		all = append(all, "of "+d.hash)
	}
	return all
}

// own reports whether the order has a document that no other order lists.
func (s *Session) own(o order) bool {
	return slices.ContainsFunc(o.documents, func(d document) bool {
		return !slices.ContainsFunc(d.ids(), func(id string) bool { return s.listed[id] > 1 })
	})
}

// Judge returns what is known of an order that has ended well and was seen, and whether it is confirmed. For any
// other it returns nil.
func (s *Session) Judge(t *tasks.ProcessingTask) (proof *tasks.Proof, confirmed bool) {
	if !t.Outcome.Well() || t.Result == nil || t.State != tasks.StateCompleted {
		return nil, false
	}
	proof = &tasks.Proof{}
	if p := t.Result.Proof; p != nil {
		*proof = *p
	}
	switch {
	case proof.By != "":
	case len(t.Result.Attachments) > 0:
		proof.By, proof.Text = tasks.ProofListed, "the pages list so many documents"
	default:
		proof.By, proof.Text = tasks.ProofUnasked, "documents were not looked for"
	}
	if t.Result.Shown == nil {
		proof.Lacks = string(LacksReading)
		return proof, false
	}
	s.learn()
	o := orderOf(t)
	page, lack := s.page(o)
	proof.Page = page
	by, text, lackOfList := s.lists(o, proof.By)
	if by != "" {
		proof.By, proof.Text = by, text
	}
	switch {
	case lack != "":
	case len(o.documents) > 0 && !s.own(o):
		lack = LacksOwnDocument
	case lackOfList != "":
		lack = lackOfList
	case o.repeats():
		lack = LacksDifference
	}
	proof.Lacks = string(lack)
	return proof, lack == ""
}

// repeats reports whether two documents of other names have the same bytes.
func (o order) repeats() bool {
	names := map[string]string{}
	for _, d := range o.documents {
		if name, is := names[d.hash]; is && name != d.name && d.hash != "" {
			return true
		}
		names[d.hash] = d.name
	}
	return false
}
