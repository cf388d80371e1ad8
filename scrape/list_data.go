package scrape

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/scrape/verdict"
)

// Many applications get all orders as one list of JSON, and have no page of an order's own. The order is
// then the one element of the list that shows its number, as it is the one row of a list in the page, and
// nothing else of the page or its data is the order's.

// ListData says where that list is: Items finds the elements, or the list of them, and Number in each what
// shows the order's number.
type ListData struct {
	DataSource
	Items, Number *Path
	// Next says where the next page of the list is, or is nil.
	Next *DataLink
	// To are the hosts that such an address may lead to besides the portal's own site; see madeOrigins.
	To []string
}

// element is one of a list in data: it is in the answer of that number.
type element struct {
	value  any
	from   string
	answer int
}

// is reports whether another answer has the same element.
func (e element) is(other element) bool {
	return e.answer != other.answer && listAt(e.from) == listAt(other.from) && reflect.DeepEqual(e.value, other.value)
}

// listAt returns the address of a list of which an answer from this address may be one page.
func listAt(address string) string {
	before, _, _ := strings.Cut(address, "?")
	return before
}

// findElement looks for the order in the list in data of which it is an element, if the recipe says so.
func (d *dataReading) findElement(ctx context.Context) error {
	a, p, list := d.attempt, d.page, d.recipe().List
	if list == nil || list.Data == nil {
		return nil
	}
	said := p.Refusal
	if said.Weak && list.Data.Post == "" {
		p.Refusal = verdict.Refusal{}
		defer func() {
			if p.Identity != verdict.IdentitySure {
				p.Refusal = said
			}
		}()
	}
	p.Identity = verdict.IdentitySure // what else refuses the page comes first
	refused := verdict.Refused(a.facts(p, nil))
	if p.Identity = verdict.IdentityNothing; refused {
		return nil
	}
	needed := a.recipe().needed(list.Data.needsFields())
	err := d.fields(ctx, func(f FieldRule) bool { return needed[f.Name] })
	if err != nil {
		return err
	}
	set, err := d.of(ctx, list.Data.DataSource)
	once := false
	if err == nil {
		set, once, err = d.turnPages(ctx, set)
	}
	if err != nil {
		return err
	}
	set.lookAt(p, list.Data.DataSource, "list", "json")
	known := &verdict.InData{Paged: list.Data.Next != nil, Single: list.Single || once}
	elements := list.Data.elements(set, known)
	told, err := a.numbersOf(ctx, list.Data, elements)
	if err != nil {
		return err
	}
	p.inData, p.Seen = known, shortly(strings.Join(told.Numbers, ", "))
	if len(set.list) > 0 {
		p.look("list.items", len(elements))
	}
	if len(elements) > 0 {
		p.look("list.number", told.Numbered)
	}
	var hits []element
	for _, i := range told.Hits {
		if !slices.ContainsFunc(hits, elements[i].is) {
			hits = append(hits, elements[i])
		}
	}
	switch {
	case len(hits) == 1:
		of := a.number()
		of.itself = true
		p.element, p.Identity = &dataset{asked: true, of: of}, verdict.IdentitySure
		p.element.add(datum{value: hits[0].value, from: hits[0].from, named: true})
	case len(hits) > 1:
		p.Identity = verdict.IdentitySeveral
		if hits[0].answer != hits[len(hits)-1].answer {
			known.Differ = "; they are in several answers, so name in the address of list what tells these apart, as the account by {column:NAME}"
		}
	}
	return nil
}

// elements returns those of all answers that have the list, and notes why it may not be known.
func (l *ListData) elements(set *dataset, known *verdict.InData) (all []element) {
	known.Why = cmp.Or(set.why, set.doubt)
	lacks := ""
	listed := false
	for i, d := range set.list {
		found, _ := l.Items.elements(d.value)
		switch why := l.lacks(d); {
		case d.fault != "":
			known.Why = cmp.Or(known.Why, why)
			continue
		case why != "":
			lacks = cmp.Or(lacks, why)
			continue
		}
		listed = true
		for _, value := range found {
			all = append(all, element{value, d.from, i})
		}
	}
	for _, pages := range l.apart(set.list) {
		known.Further = cmp.Or(known.Further, goesFurther(l.Items, pages))
	}
	if !listed {
		known.Why = cmp.Or(known.Why, lacks, "there is no list of orders in data")
	}
	known.Count = len(all)
	return all
}

// apart returns the answers, those together that are pages of one list: all of them if Next leads from one to
// another, else those from one address.
func (l *ListData) apart(answers []datum) (lists [][]datum) {
	for _, d := range answers {
		i := slices.IndexFunc(lists, func(pages []datum) bool { return l.Next != nil || listAt(pages[0].from) == listAt(d.from) })
		if i < 0 {
			i, lists = len(lists), append(lists, nil)
		}
		lists[i] = append(lists[i], d)
	}
	return lists
}

// toldNumbers is what elements show in the place for a number: which of them are the order, in how many
// there is something, and what the order or the first ones show.
type toldNumbers struct {
	Hits     []int
	Numbered int
	Numbers  []string
}

// numbersOf has the page's reader, which knows how numbers are written, look at those of the elements.
func (a *attempt) numbersOf(ctx context.Context, list *ListData, elements []element) (told toldNumbers, err error) {
	values := make([]any, len(elements))
	for i, e := range elements {
		values[i] = e.value
	}
	err = a.browser.Tab().Inspect(ctx, call("inData", a.words(), list.numbers(values)), &told)
	return told, err
}
