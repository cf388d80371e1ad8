package scrape

import (
	"fmt"
	"hash/fnv"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/theory/jsonpath/spec"

	"github.com/poscrape/poscrape/internal/jsonfault"
	"github.com/poscrape/poscrape/tasks"
)

// mostBeside is how many numbers beside a list are kept, and greatest the greatest of them.
const (
	mostBeside = 12
	greatest   = 10000
)

// countOf notes what the answers that were picked say of how many documents there are. What the page says of documents
// that the data has counts for nothing, unless the recipe says what says so: then that alone counts.
func (p *page) countOf(path *Path, picked []datum) {
	switch own := p.Counted; {
	case p.Count == nil:
		p.Counted, p.Beside = path.counted(picked, p.Met)
		p.Around = path.around(picked)
	case p.Declared != nil && p.Declared.Count == p.Met:
		p.Counted = &tasks.Counted{N: p.Met, Text: p.Declared.Text}
	case own != nil && own.N != p.Met:
		p.Counted = nil
	}
}

// counted returns how many elements the answers say that their list has, where so many were met in them, or nil; and
// the other whole numbers that stand beside the list: one may be a count whose name does not say so.
func (p *Path) counted(answers []datum, met int) (count *tasks.Counted, beside map[string]int) {
	lists, asked := sizes(p, answers), false
	beside = map[string]int{}
	for at, size := range lists {
		if len(lists) > 1 || size != met {
			return nil, nil
		}
		last := answers[len(answers)-1]
		if n, said := last.head.count(); said != "" && n == met {
			count = &tasks.Counted{N: n, Text: said}
		}
		list, there := p.lists(last.value)[at]
		if !there {
			break
		}
		numbers := list.beside(last.value)
		asked = slices.ContainsFunc(numbers, func(b besideNumber) bool { return b.n == met && sizeName.MatchString(b.name) })
		for _, number := range numbers {
			switch {
			case number.counts && number.n == met && count == nil:
				count = &tasks.Counted{N: met, Text: number.String()}
			case number.mayCount(answers) && len(beside) < mostBeside:
				beside[number.at] = number.n
			}
		}
	}
	if count != nil {
		count.Asked = asked || asksFor(answers, count.N)
	}
	return count, beside
}

// mayCount reports whether a number may be a count whose name does not say so.
func (b besideNumber) mayCount(answers []datum) bool {
	return !b.counts && b.n >= 0 && b.n <= greatest && !asksFor(answers, b.n)
}

// around returns a hash of what stands around the list in the last of the answers: the names of members, and how they
// are filled. An answer that tells what went wrong, in whatever words, has others than one that lists documents, or
// fills others. It is 0 where there is no single list.
func (p *Path) around(answers []datum) uint32 {
	if len(answers) == 0 {
		return 0
	}
	root := answers[len(answers)-1].value
	lists := slices.Collect(maps.Values(p.lists(root)))
	if len(lists) != 1 {
		return 0
	}
	sum, path := fnv.New32a(), lists[0].path
	values := chain(root, path)
	for i := len(path) - 1; i >= 0; i-- {
		if _, index := path[i].(spec.Index); index {
			break
		}
		object, is := values[i].(map[string]any)
		if !is {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(object)) {
			if path[i] != spec.Name(name) {
				fmt.Fprintf(sum, "%s=%s\n", name, filling(object[name]))
			}
		}
	}
	return max(sum.Sum32(), 1)
}

// filling says how a value is filled, and not with what, but for what is true or false.
func filling(value any) string {
	switch value := value.(type) {
	case bool:
		return strconv.FormatBool(value)
	case map[string]any, []any, string, nil:
		if jsonfault.Blank(value) {
			return "blank"
		}
		return "filled"
	}
	return "number"
}

// beside returns the whole numbers in the objects that a list is in, up to one that is itself an element of another
// list.
func (l list) beside(root any) (found []besideNumber) {
	values := chain(root, l.path)
	for i, at := len(l.path)-1, ""; i >= 0; i, at = i-1, at+"../" {
		if _, index := l.path[i].(spec.Index); index {
			break
		}
		if object, is := values[i].(map[string]any); is {
			found = append(found, numbersBeside(object, at, holdsList(object), 1)...)
		}
	}
	return found
}

var (
	// askedNumber is a number in a request, with its name; pageNumber is the name of one that says which page is wanted.
	askedNumber = regexp.MustCompile(`([\p{L}$_.\[\]-]*)["'\]]*\s*[:=]\s*["']?(\d{1,9})\b`)
	pageNumber  = regexp.MustCompile(`(?i)^(?:current[-_]?)?p(?:age)?[-_]?(?:no|number|index)?$`)
	// sizeName is the name of a number that says how many elements a page of a list has at most.
	sizeName   = regexp.MustCompile(`(?i)^(?:page|batch|chunk)?[-_]?(?:size|limit|top|take|length)$|per[-_]?page$`)
	askedRange = regexp.MustCompile(`(\d{1,9})-(\d{1,9})`)
)

// asksFor reports whether one of the requests for some answers may have asked for so many elements.
func asksFor(answers []datum, n int) bool {
	for _, d := range answers {
		asked := d.asked
		if _, query, _ := strings.Cut(asked, "?"); query != "" {
			if plain, err := url.QueryUnescape(query); err == nil {
				asked += "\n" + plain
			}
		}
		for _, m := range askedNumber.FindAllStringSubmatch(asked, -1) {
			if size, err := strconv.Atoi(m[2]); err == nil && size == n && !pageNumber.MatchString(m[1]) {
				return true
			}
		}
		for _, m := range askedRange.FindAllStringSubmatch(asked, -1) {
			first, _ := strconv.Atoi(m[1]) // digits
			last, _ := strconv.Atoi(m[2])
			if last-first+1 == n {
				return true
			}
		}
	}
	return false
}
