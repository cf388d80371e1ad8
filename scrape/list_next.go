package scrape

import (
	"context"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/poscrape/poscrape/tasks"
)

// An application may give its list of orders in pages. The next one is at an address that an answer has, or
// that is made of a value in it, or of the page's number.

// pagePlaceholder stands for the number of the next page, from 2.
const pagePlaceholder = "{page}"

func (rd *recipeReader) nextInData(dst **DataLink) readNode {
	return func(n ast.Node, path string) {
		one(rd, dst, func(n ast.Node) (*DataLink, error) {
			text, err := parseText(n)
			if err != nil {
				return nil, err
			}
			return parseLink(text, strings.Trim(pagePlaceholder, "{}"))
		})(n, path)
		if *dst != nil {
			rd.gets = append(rd.gets, placed{n, path, strings.ReplaceAll((*dst).text, pagePlaceholder, "2")})
		}
	}
}

// turnPages adds the list's further pages to its first one, up to the last, or to the one that has the order
// if an earlier order has looked through the whole list.
func (d *dataReading) turnPages(ctx context.Context, first *dataset) (*dataset, error) {
	list := d.recipe().List.Data
	if list.Next == nil || len(first.list) == 0 {
		return first, nil
	}
	address := "data " + list.key()
	if namesOrder(list.needs()) || strings.Contains(list.needs(), "{column:") {
		address = "" // each order has a list of its own
	}
	all := *first
	all.list = slices.Clone(all.list)
	var numbers []string
	for page := 1; ; page++ {
		now := d.pageOfList(all.list[len(all.list)-1], page)
		numbers = append(numbers, now.numbers...)
		switch {
		case now.ours && address != "" && d.portal.lists.once(address, d.namesRow):
			return &all, nil
		case now.next == "" && now.known && address != "":
			d.portal.lists.keep(address, numbers)
			return &all, nil
		case now.next == "":
			return &all, nil
		case page == maxPages:
			return nil, tasks.Permanent(tasks.OutcomeFailed, tasks.ClassLimit, "the list of orders has more than %d pages, and no more are looked through; ask for fewer orders", maxPages)
		}
		more, err := d.readPageOfList(ctx, page+1, now.next)
		if err != nil {
			return nil, err
		}
		for _, answer := range more.list {
			if at := list.page(all.list, answer); at > 0 {
				return nil, tasks.Retry(tasks.ClassPage, "%s %q was used on page %d of the list, and led to the orders of page %d", whereListNext, list.Next, page, at)
			}
			all.add(answer)
		}
	}
}

// dataPage is what one page of a list in data shows: the numbers of its orders, whether one of them is the
// order's, and where the next page is, or an empty text. known: it has a list.
type dataPage struct {
	numbers     []string
	ours, known bool
	next        string
}

func (d *dataReading) pageOfList(answer datum, page int) (now dataPage) {
	list := d.recipe().List.Data
	elements, is := list.Items.elements(answer.value)
	now.known = is && answer.fault == ""
	for _, texts := range list.numbers(elements) {
		now.numbers = append(now.numbers, texts...)
		now.ours = now.ours || slices.ContainsFunc(texts, d.namesRow)
	}
	if now.known && (len(elements) > 0 || !strings.Contains(list.Next.text, pagePlaceholder)) {
		now.next = d.nextPage(list.Next, answer, page+1)
	}
	return now
}

// readPageOfList asks for a page of the list at an address.
func (d *dataReading) readPageOfList(ctx context.Context, page int, address string) (*dataset, error) {
	if err := checkReadAddress(address); err != nil {
		return nil, tasks.Permanent(tasks.OutcomeFailed, tasks.ClassNotClicked, "%s leads to %s, which was not asked for: it %v", whereListNext, d.shortened(address), err)
	}
	source := DataSource{Get: strings.NewReplacer("{", "%7B", "}", "%7D").Replace(address), Headers: d.recipe().List.Data.Headers}
	more, err := d.request(ctx, source, d.told)
	if err == nil && more.why != "" {
		err = tasks.Retry(tasks.ClassPageIncomplete, "page %d of the list of orders could not be read, so it is not known whether %s is on it: %s", page, d.task.PO, more.why)
	}
	return more, err
}

// page returns the number of the page that has the same orders as an answer, or 0.
func (l *ListData) page(pages []datum, answer datum) int {
	if found, _ := l.Items.elements(answer.value); len(found) == 0 {
		return 0
	}
	return 1 + slices.IndexFunc(pages, func(before datum) bool { return reflect.DeepEqual(before.value, answer.value) })
}

// nextPage returns the address of the page with that number, or an empty text.
func (d *dataReading) nextPage(next *DataLink, last datum, number int) string {
	text := next.address(last.value, func(text string) (filled, why string) {
		if text == pagePlaceholder {
			return strconv.Itoa(number), ""
		}
		return d.fillIn(text, d.told)
	})
	if text == "" || noValue(text) || text == "false" || text == "0" {
		return ""
	}
	from, err := url.Parse(last.from)
	if err != nil {
		return ""
	}
	address, err := from.Parse(text)
	if err != nil {
		return ""
	}
	return address.String()
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
