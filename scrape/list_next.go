package scrape

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/jsonfault"
	"github.com/poscrape/poscrape/tasks"
)

// An application may give its list of orders in pages. The next one is at an address that an answer has, or
// that is made of a value in it, or of the page's number.

// pagePlaceholder stands for the number of the next page.
const pagePlaceholder = "{page}"

func (rd *recipeReader) nextInData(dst **DataLink) readNode {
	return func(n ast.Node, path string) {
		one(rd, dst, func(n ast.Node) (*DataLink, error) {
			text, err := parseText(n)
			if err != nil {
				return nil, err
			}
			link, err := parseLink(text, strings.Trim(pagePlaceholder, "{}"))
			if errors.Is(err, errSameLink) {
				err = errors.New(`is the same for each page; it needs {page}, or the path of what differs, as in "/orders?after={$.cursor}"`)
			}
			return link, err
		})(n, path)
		if *dst != nil {
			rd.gets = append(rd.gets, placed{n, path, strings.ReplaceAll((*dst).text, pagePlaceholder, "2")})
		}
	}
}

// turnPages adds the list's further pages to its first one, up to the last, or to the one that has the order
// if an earlier order has looked through the whole list. known: that one has.
func (d *dataReading) turnPages(ctx context.Context, first *dataset) (set *dataset, known bool, err error) {
	list := d.recipe().List.Data
	if list.Next == nil || len(first.list) == 0 || list.lacks(first.list[0]) != "" {
		return first, false, nil
	}
	address := "data " + first.list[0].from
	if d.ownList() {
		address = ""
	}
	all := *first
	all.list = slices.Clone(all.list)
	var numbers []string
	number, told := list.firstPage()
	for page := 1; ; page++ {
		last := all.list[len(all.list)-1]
		now, err := d.pageOfList(last, page, number+1)
		if err != nil {
			return nil, false, err
		}
		numbers = append(numbers, now.numbers...)
		switch {
		case now.ours && address != "" && d.portal.lists.once(address, d.namesRow):
			return &all, true, nil
		case now.next == "" && address != "" && goesFurther(list.Items, all.list) == "":
			d.portal.lists.keep(address, numbers)
			return &all, false, nil
		case now.next == "":
			return &all, false, nil
		case page == maxPages:
			return nil, false, tasks.Permanent(tasks.OutcomeFailed, tasks.ClassLimit, "the list of orders has more than %d pages, and no more are looked through; ask for fewer orders", maxPages)
		}
		number++
		more, again, err := d.pageAfter(ctx, all.list, now.next, number, told)
		if err != nil {
			return nil, false, err
		}
		if again {
			number++
		}
		for _, answer := range more.list {
			if at := list.page(all.list, answer); at > 0 {
				return nil, false, tasks.Retry(tasks.ClassPage, "%s %q was used on page %d of the list, and led to the orders of page %d", whereListNext, list.Next, page, at)
			}
			all.add(answer)
		}
	}
}

// pageAfter reads the page of the list after these, at an address that has this number. If the portal may count
// from 0 or from 1, page 1 tells: again, it is the first one, and what is read is page 2.
func (d *dataReading) pageAfter(ctx context.Context, pages []datum, address string, number int, told bool) (more *dataset, again bool, err error) {
	more, err = d.readPageOfList(ctx, len(pages)+1, address)
	if err != nil || told || number != 1 || d.recipe().List.Data.page(pages, more.list[0]) != 1 {
		return more, false, err
	}
	now, err := d.pageOfList(pages[0], 1, number+1)
	if err != nil {
		return nil, true, err
	}
	more, err = d.readPageOfList(ctx, len(pages)+1, now.next)
	return more, true, err
}

// ownList reports whether each order has a list of its own, as by a number or an account in what it is asked
// for by, or in the steps before.
func (d *dataReading) ownList() bool {
	r, list := d.recipe(), d.recipe().List.Data
	text := list.template()
	needed := r.needed(list.needsFields())
	for _, f := range r.Fields {
		if needed[f.Name] {
			text += f.Data.template()
		}
	}
	return namesOrder(text) || strings.Contains(text, "{column:") || r.Open.Search != nil || takesNumber(r.Open.Steps)
}

// template returns all templates that pages of the list are asked for by.
func (l *ListData) template() string {
	if l.Next == nil {
		return l.DataSource.template()
	}
	return l.DataSource.template() + l.Next.text
}

// needsFields returns the names of the fields that the list's pages are asked for by.
func (l *ListData) needsFields() []string {
	return slices.DeleteFunc(fieldNames(l.template()), func(name string) bool { return "{"+name+"}" == pagePlaceholder })
}

// dataPage is what one page of a list in data shows: the numbers of its orders, whether one of them is the
// order's, and where the next page is, or an empty text.
type dataPage struct {
	numbers []string
	ours    bool
	next    string
}

// pageOfList reads a page of the list. number is what the portal counts the next one as.
func (d *dataReading) pageOfList(answer datum, page, number int) (now dataPage, err error) {
	list := d.recipe().List.Data
	elements, _ := list.Items.elements(answer.value)
	for _, texts := range list.numbers(elements) {
		now.numbers = append(now.numbers, texts...)
		now.ours = now.ours || slices.ContainsFunc(texts, d.namesRow)
	}
	if len(elements) == 0 && strings.Contains(list.Next.text, pagePlaceholder) {
		return now, nil
	}
	next, why := d.nextPage(list, answer, number)
	if why != "" {
		return now, tasks.Retry(tasks.ClassPageIncomplete, "page %d of the list of orders is not known, nor whether %s is on it: %s %s", page+1, d.task.PO, whereListNext, why)
	}
	if len(elements) > 0 || next != answer.from { // else it leads to itself, as a cursor at its end
		now.next = next
	}
	return now, nil
}

// readPageOfList asks for a page of the list at an address.
func (d *dataReading) readPageOfList(ctx context.Context, page int, address string) (*dataset, error) {
	if err := checkReadAddress(address); err != nil {
		return nil, tasks.Permanent(tasks.OutcomeFailed, tasks.ClassNotClicked, "%s leads to %s, which was not asked for: it %v", whereListNext, d.shortened(address), err)
	}
	source := DataSource{Get: strings.NewReplacer("{", "%7B", "}", "%7D").Replace(address), Headers: d.recipe().List.Data.Headers}
	more, err := d.request(ctx, source, d.told)
	if err != nil {
		return nil, err
	}
	why := more.why
	for _, answer := range more.list {
		why = cmp.Or(why, d.recipe().List.Data.lacks(answer))
	}
	if why != "" {
		return nil, tasks.Retry(tasks.ClassPageIncomplete, "page %d of the list of orders could not be read, so it is not known whether %s is on it: %s", page, d.task.PO, why)
	}
	return more, nil
}

// page returns the number of the page that has the same orders as an answer, or 0.
func (l *ListData) page(pages []datum, answer datum) int {
	found, _ := l.Items.elements(answer.value)
	if len(found) == 0 {
		return 0
	}
	return 1 + slices.IndexFunc(pages, func(before datum) bool {
		elements, _ := l.Items.elements(before.value)
		return reflect.DeepEqual(elements, found)
	})
}

// lacks says why an answer has no list of orders, or is empty.
func (l *ListData) lacks(answer datum) string {
	if answer.fault != "" {
		return answer.says()
	}
	if _, is := l.Items.elements(answer.value); is {
		return ""
	}
	return cmp.Or(l.Items.instead(answer.value), fmt.Sprintf("the answer %s has no list at %s", browser.Redact(answer.from), l.Items.text))
}

// nextPage returns the address of the page after one, which has this number, or an empty text on the last one,
// or why that is not known.
func (d *dataReading) nextPage(list *ListData, last datum, number int) (address, why string) {
	for _, part := range list.Next.parts {
		if part.path == nil || firstText(part.path, last.value) != "" {
			continue
		}
		for _, value := range part.path.find(last.value) {
			if _, single := scalar(value); !single && !jsonfault.Blank(value) {
				return "", fmt.Sprintf("%q met %s, which is no single value; check its path", part.path.text, inWords(value))
			}
		}
	}
	text := list.Next.address(last.value, func(text string) (filled, lack string) {
		if text == pagePlaceholder {
			return strconv.Itoa(number), ""
		}
		filled, lack = d.fillIn(text, d.told)
		why = cmp.Or(why, lack)
		return filled, lack
	})
	if why != "" || text == "" || noValue(text) || text == "false" || text == "0" {
		return "", why
	}
	from, err := browser.ParseURL(last.from)
	if err == nil {
		from, err = browser.Resolve(from, text)
	}
	if err != nil {
		return "", fmt.Sprintf("met %s, which is no address", quoted(browser.RedactText(shortly(text))))
	}
	address = from.String()
	return address, d.nextWithheld(list, last.from, address)
}

// firstPage returns the number of the list's first page, if its address tells it: the one that it has where
// next has the placeholder. Else the first page may be 0 or 1.
func (l *ListData) firstPage() (number int, told bool) {
	before, _, _ := strings.Cut(l.Next.text, pagePlaceholder)
	at := strings.LastIndexAny(before, "?&") + 1 // of a parameter
	if at > 0 {
		before = before[at:]
	}
	for rest := l.Get; ; {
		i := strings.Index(rest, before)
		if i < 0 || before == "" {
			return 0, false
		}
		starts := at == 0 && i == 0 && len(rest) == len(l.Get) || at > 0 && i > 0 && strings.ContainsAny(rest[i-1:i], "?&")
		rest = rest[i+len(before):]
		digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
		if first, err := strconv.Atoi(digits); err == nil && starts {
			return first, true
		}
	}
}

// numbers returns what each element shows in the place for a number.
func (l *ListData) numbers(elements []any) [][]string {
	texts := make([][]string, len(elements))
	for i, element := range elements {
		texts[i] = []string{}
		for _, value := range l.Number.find(element) {
			if text, single := scalar(value); single && value != nil {
				texts[i] = append(texts[i], text)
			}
		}
	}
	return texts
}
