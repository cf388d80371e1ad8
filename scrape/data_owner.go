package scrape

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/theory/jsonpath/spec"

	"github.com/poscrape/poscrape/internal/jsonfault"
	"github.com/poscrape/poscrape/scrape/number"
)

// An answer may have several orders in it, as of a search: a path that takes the first of them may
// take a neighbour's. Whose a value is, is shown by the objects that it stands in.

// orderNumber is what an order is called. itself: the data that is looked into is the order's, whatever its
// own members say, and only parts of it may be another order's.
type orderNumber struct {
	number.Number
	itself bool
}

// place is a value, and where it stands.
type place struct {
	value any
	path  spec.NormalizedPath
}

// The words that a member is called by which has an order's number: alone (orderWord and numberWord
// only), beside others (idWord), and where only its own number says something (referWord).
var (
	orderWord = setOf(`po pos order orders purchase purchasing purchaseorder purchaseordernumber ponumber pono ponr ordernumber orderno ordernr orderid
		bestellung bestell bestellnummer bestellnr auftrag auftragsnummer pedido commande ordine ordem encomenda bestelling zamowienie ebeln`)
	numberWord = setOf("number num no nr nummer numero document doc display")
	idWord     = setOf("id name code key orderid")
	referWord  = setOf("reference ref customer buyer client external your")
	// partWord is a member whose object says what the one that it stands in is.
	partWord = setOf("header head node attributes fields properties source data item record")
	// resultWord is a list of what a search has met.
	resultWord = setOf("hits results result items orders value data content records rows edges list entries matches documents")
)

// showing is what the most certain member of an object shows: the order's own number, or another's. found: it
// is a result of a search, which meets longer numbers, too.
type showing struct {
	certainty int
	own       bool
	other     string
	found     bool
}

// add notes a member. document: the object is a document, which has a name and number of its own.
func (s *showing) add(n orderNumber, name, text string, document bool) {
	words := nameWords(name)
	has := func(set map[string]bool) bool {
		return slices.ContainsFunc(words, func(w string) bool { return set[w] })
	}
	if !hasNumber(words) || document && !has(orderWord) {
		return
	}
	isID, refers := has(idWord), has(referWord)
	certainty, own := 0, n.Names(text)
	switch prefixed, bare := n.Like(text); {
	case own && (refers || isID):
		certainty = 3
	case own:
		certainty = 5
	case refers:
	case prefixed && isID:
		certainty = 2
	case prefixed:
		certainty = 4
	case bare && (has(orderWord) || s.found && len(text) > len(n.Digits)) && !isID:
		certainty = 1
	}
	if certainty > s.certainty {
		s.certainty, s.own, s.other = certainty, own, ""
		if !own {
			s.other = text
		}
	}
}

// hasNumber reports whether a member of these words may have an order's number.
func hasNumber(words []string) bool {
	strange := func(w string) bool { return !orderWord[w] && !numberWord[w] && !idWord[w] && !referWord[w] }
	return len(words) > 0 && !slices.ContainsFunc(words, strange)
}

// shownBy looks at the members of an object, and if they say nothing at those of its parts.
func (n orderNumber) shownBy(object map[string]any, document bool) (own bool, other string) {
	var direct, inner showing
	for name, value := range object {
		if text, single := scalar(value); single {
			direct.add(n, name, text, document)
		}
		if part, is := value.(map[string]any); is && !document && isPart(name) {
			for name, value := range part {
				if text, single := scalar(value); single {
					inner.add(n, name, text, false)
				}
			}
		}
	}
	shown := cmp.Or(direct, inner)
	return shown.own, shown.other
}

// stranger returns the number of another order that a value, or what it is about, is called by, where the
// order's own is nowhere in it; or "".
func (n orderNumber) stranger(value any) string {
	if anyScalar(value, n.Names) {
		return ""
	}
	return n.calledBy(value)
}

func (n orderNumber) calledBy(value any) string {
	object, _ := value.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if text, single := scalar(object[name]); single && hasNumber(nameWords(name)) {
			if other := n.Other(text); other != "" {
				return other
			}
		}
		if isPart(name) {
			if other := n.calledBy(object[name]); other != "" {
				return other
			}
		}
	}
	return ""
}

// isPart reports whether a member is what an object is about, or holds its data.
func isPart(name string) bool {
	words := nameWords(name)
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !orderWord[w] && !partWord[w] && !jsonfault.Wraps(w) })
}

// chain returns the values that lead to a place, that itself at the end.
func chain(root any, at spec.NormalizedPath) []any {
	values := []any{root}
	for _, step := range at {
		root = child(root, step)
		values = append(values, root)
	}
	return values
}

func child(value any, step spec.NormalSelector) any {
	switch s := step.(type) {
	case spec.Name:
		if object, is := value.(map[string]any); is {
			return object[string(s)]
		}
	case spec.Index:
		if list, is := value.([]any); is && int(s) < len(list) && s >= 0 {
			return list[s]
		}
	}
	return nil
}

// owner says whose a place is: the order's own, another's, whose number it returns, or neither where
// nothing shows it. document: what is there is a document.
func (n orderNumber) owner(root any, at spec.NormalizedPath, document bool) (own bool, other string) {
	if n.PO == "" {
		return false, ""
	}
	values := chain(root, at)
	seems := ""
	for i := len(values) - 1; i >= 0; i-- {
		if i == 0 && n.itself {
			return true, ""
		}
		itself := document && i == len(values)-1
		object, isObject := values[i].(map[string]any)
		inList := false
		if i > 0 {
			_, inList = at[i-1].(spec.Index)
		}
		if isObject {
			own, other = n.shownBy(object, itself)
			if !own && other == "" && inList && !itself {
				other = n.besideOwn(object, values[i-1])
			}
			switch {
			case own:
				return true, ""
			case other != "" && inList:
				return false, other
			case other != "" && seems == "" && leads(at[:i]):
				seems = other
			}
		}
		if s := n.keyed(at[:i]); s.certainty > 0 {
			return s.own, s.other
		}
	}
	return false, seems
}

// keyed looks at the name that leads to a value, where orders stand under their numbers.
func (n orderNumber) keyed(at spec.NormalizedPath) (s showing) {
	if len(at) > 0 {
		if name, is := at[len(at)-1].(spec.Name); is {
			s.add(n, "po", string(name), false)
		}
	}
	return s
}

// leads reports whether a path leads to what an answer is about, and not to something beside it.
func leads(at spec.NormalizedPath) bool {
	return !slices.ContainsFunc(at, func(step spec.NormalSelector) bool {
		name, is := step.(spec.Name)
		return is && !isPart(string(name)) && !resultWord[jsonfault.Folded(string(name))]
	})
}

// besideOwn returns what an element of a list has where another element of it has the order's number,
// and nothing else; or an empty text.
func (n orderNumber) besideOwn(object map[string]any, list any) string {
	elements, _ := list.([]any)
	for _, element := range elements {
		sibling, _ := element.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(sibling)) {
			text, single := scalar(sibling[name])
			if !single || !n.Is(text) {
				continue
			}
			if theirs, single := scalar(object[name]); single && strings.TrimSpace(theirs) != "" && !n.Names(theirs) {
				return theirs
			}
		}
	}
	return ""
}

// picks reports whether a path takes one element of a list by its place there, at the step of what it
// has found.
func (p *Path) picks(step int) bool {
	segments := p.all.Query().Segments()
	for i := 0; i <= step && i < len(segments); i++ {
		if segments[i].IsDescendant() {
			return false
		}
	}
	if step >= len(segments) {
		return false
	}
	return slices.ContainsFunc(segments[step].Selectors(), func(s spec.Selector) bool {
		switch s.(type) {
		case spec.Index, spec.SliceSelector:
			return true
		}
		return false
	})
}

// twins returns the elements of lists that a path has not taken, by their places, though they are the
// order's as well; depth is how many of the last steps are not looked at.
func (n orderNumber) twins(p *Path, root any, at spec.NormalizedPath, depth int) (twins []spec.NormalizedPath) {
	values := chain(root, at)
	for i := 0; i < len(at)-depth; i++ {
		index, is := at[i].(spec.Index)
		list, _ := values[i].([]any)
		if !is || !p.picks(i) {
			continue
		}
		if n.shownAbove(values[:i]) { // they are its parts
			continue
		}
		for j, element := range list {
			object, _ := element.(map[string]any)
			if own, _ := n.shownBy(object, false); own && j != int(index) {
				twins = append(twins, slices.Concat(at[:i], spec.NormalizedPath{spec.Index(j)}, at[i+1:]))
			}
		}
	}
	return twins
}

// shownAbove reports whether one of the values that lead to a list is the order itself.
func (n orderNumber) shownAbove(values []any) bool {
	return n.itself || slices.ContainsFunc(values, func(value any) bool {
		object, _ := value.(map[string]any)
		own, _ := n.shownBy(object, false)
		return own
	})
}

// mistaken says why what a path takes by its place in a list is not known to be the order's, or is empty:
// another element has the number, or it is a result of a search that has another's or none. depth is how
// many of the last steps are not looked at.
func (n orderNumber) mistaken(p *Path, root any, at spec.NormalizedPath, depth int, search bool) string {
	values := chain(root, at)
	for i := 0; i < len(at)-depth; i++ {
		list, _ := values[i].([]any)
		_, single := scalar(values[i+1])
		if len(list) == 0 || single || anyScalar(values[i+1], n.Names) {
			continue
		}
		picks := p.picks(i)
		if picks && slices.ContainsFunc(list, func(element any) bool { return anyScalar(element, n.Is) }) {
			return "is not the element of its list that has the order's number" + takeOwn
		}
		isResult := search && leads(at[:i]) && (i == 0 || resultWord[lastName(at[:i])])
		switch other := n.otherIn(values[i+1]); {
		case isResult && other != "":
			return "is another order's, " + quoted(other) + takeOwn
		case isResult && picks && len(list) > 1:
			return fmt.Sprintf("is one of %d results, of which nothing shows whose they are", len(list)) + takeOwn
		}
	}
	return ""
}

const takeOwn = "; take what has the order's number, as in $.hits[?@.number=='{po}']"

// otherIn returns the number of another order in any text of a result, or in a member that is called a
// number; or "".
func (n orderNumber) otherIn(result any) (other string) {
	anyScalar(result, func(text string) bool {
		other = n.Other(text)
		return other != ""
	})
	if object, is := result.(map[string]any); is && other == "" {
		s := showing{found: true}
		for name, value := range object {
			if text, single := scalar(value); single {
				s.add(n, name, text, false)
			}
		}
		other = s.other
	}
	return other
}

func lastName(at spec.NormalizedPath) string {
	name, _ := at[len(at)-1].(spec.Name)
	return jsonfault.Folded(string(name))
}
