package scrape

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/tasks"
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
}

// inData is what is known of the list of which the order is an element.
type inData struct {
	// all are the answers, and own is the order's element, or nil.
	all, own *dataset
	// count is how many elements there are. why says why the list is not known, and further why it has
	// more; differ says more of several elements that show the number. All may be empty.
	count                int
	why, further, differ string
	// paged: all its pages were to be read. single: no other element has the order's number, whatever
	// further says.
	paged, single bool
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
		p.Refusal = refusal{}
		defer func() {
			if p.Identity != identitySure {
				p.Refusal = said
			}
		}()
	}
	p.Identity = identitySure // what else refuses the page comes first
	refused := judge(a.facts(p, nil)).Refused
	if p.Identity = identityNothing; refused {
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
	known := &inData{all: set, paged: list.Data.Next != nil, single: list.Single || once}
	elements := known.elements(list.Data, set)
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
		known.own, p.Identity = &dataset{asked: true, of: of}, identitySure
		known.own.add(datum{value: hits[0].value, from: hits[0].from, named: true})
	case len(hits) > 1:
		p.Identity = identitySeveral
		if hits[0].answer != hits[len(hits)-1].answer {
			known.differ = "; they are in several answers, so name in the address of list what tells these apart, as the account by {column:NAME}"
		}
	}
	return nil
}

// elements returns those of all answers that have the list, and notes why it may not be known.
func (k *inData) elements(rule *ListData, set *dataset) (all []element) {
	k.why = cmp.Or(set.why, set.doubt)
	lacks := ""
	listed := false
	for i, d := range set.list {
		found, _ := rule.Items.elements(d.value)
		switch why := rule.lacks(d); {
		case d.fault != "":
			k.why = cmp.Or(k.why, why)
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
	for _, pages := range rule.apart(set.list) {
		k.further = cmp.Or(k.further, goesFurther(rule.Items, pages))
	}
	if !listed {
		k.why = cmp.Or(k.why, lacks, "there is no list of orders in data")
	}
	k.count = len(all)
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

// unread says that the order was found, and that another element which was not read may have its number too.
func (k *inData) unread() *tasks.Failure {
	switch {
	case k.further == "" || k.single:
		return nil
	case k.paged:
		return tasks.Permanent("", tasks.ClassIncomplete, "list.next led to no further page of the list of orders, but %s, and another one of them may have this number too", k.further)
	}
	return tasks.Permanent("", tasks.ClassIncomplete, "%s, and another order of the list may have this number too; say where the list's next page is (list.next), or, if no two orders have the same number, that this does not matter (list.next: off)", k.further)
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
	texts := list.numbers(values)
	words, err := json.Marshal(readerRule(a.recipe(), a.task.PO, a.task.Digits))
	if err != nil {
		return told, fmt.Errorf("preparing the look for an order in data: %w", err)
	}
	shown, err := json.Marshal(texts)
	if err != nil {
		return told, fmt.Errorf("preparing the numbers of orders in data: %w", err)
	}
	err = a.browser.Tab().Inspect(ctx, fmt.Sprintf("poscrape.inData(%s, %s)", words, shown), &told)
	return told, err
}

// notInData: no element is the order. One answer seldom has all orders, so that proves nothing of those
// that it does not have.
func notInData(f facts) *ruling {
	if f.InData.why != "" {
		return stop(tasks.Retry(tasks.ClassPageIncomplete, "%s, so it is not known whether %s is in the list (%s)", f.InData.why, f.PO, f.Address))
	}
	more := "the portal may have more orders than the answers that were read"
	if f.InData.further != "" {
		more = f.InData.further
	}
	seen := nothingSeen(f)
	if f.InData.count == 0 {
		seen = "list.items met nothing"
	}
	return mismatch(f, "has data of %s, of which none shows the order number %s: %s; %s", count(f.InData.count, "order"), f.PO, seen, more)
}
