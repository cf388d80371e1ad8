package scrape

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/poscrape/poscrape/internal/template"
	"github.com/poscrape/poscrape/scrape/words"
)

// An address at which data is requested, or a document is, may have the values of other fields of
// the order in it: "/api/invoices/{invoice_id}/files". Those are read first.

// fieldName returns the name of the field that a placeholder of an address stands for, or "".
func fieldName(placeholder string) string {
	switch placeholder {
	case "", "po", "digits", "base_url":
		return ""
	}
	if !valueName.MatchString(placeholder) {
		return ""
	}
	return placeholder
}

// fieldNames returns the names of the fields whose values an address needs.
func fieldNames(address string) (names []string) {
	parts, _ := template.Parse(address) // the reader of the recipe has seen to its errors
	for _, part := range parts {
		if name := fieldName(part.Placeholder); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// withoutFields returns a template of an address with the order's number in place of its fields.
func withoutFields(address string) string {
	for _, name := range fieldNames(address) {
		address = strings.ReplaceAll(address, "{"+name+"}", "{po}")
	}
	return address
}

// fieldsAlone reports whether an address differs from order to order, if it does, by fields
// alone: these may be the same for all of them, as a token is.
func fieldsAlone(address string) bool {
	return len(fieldNames(address)) > 0 && !namesOrder(address) && !strings.Contains(address, "{column:")
}

// inTurn returns the fields so that each comes after those that its address needs.
func inTurn(fields []FieldRule) []FieldRule {
	var turn []FieldRule
	has := func(name string) bool {
		return slices.ContainsFunc(turn, func(f FieldRule) bool { return f.Name == name })
	}
	for range fields { // no circle goes through them, see checkFieldNames
		for _, f := range fields {
			if !has(f.Name) && !slices.ContainsFunc(f.Data.needsFields(), func(name string) bool { return !has(name) }) {
				turn = append(turn, f)
			}
		}
	}
	return turn
}

// needed returns the names of these fields and of all that they are made of.
func (r *Recipe) needed(names []string) map[string]bool {
	all := map[string]bool{}
	for ; len(names) > 0; names = names[1:] {
		i := slices.IndexFunc(r.Fields, func(f FieldRule) bool { return f.Name == names[0] })
		if i >= 0 && !all[names[0]] {
			all[names[0]] = true
			names = append(names, r.Fields[i].Data.needsFields()...)
		}
	}
	return all
}

// told returns the value that a field has for an address, or why it has none.
func (p *page) told(r *Recipe, name string) (value, why string) {
	i := slices.IndexFunc(r.Fields, func(f FieldRule) bool { return f.Name == name })
	if i < 0 {
		return "", "is not known"
	}
	values := p.values(r.Fields[i])
	switch _, differs := p.Differ[name]; {
	case len(values) > 1, differs, slices.Contains(p.Ambiguous, name):
		return "", "has several values"
	case len(values) == 0 && p.notes[name].why != "":
		return "", "has no value: " + p.notes[name].why
	case len(values) == 0:
		return "", "has no value"
	case slices.Contains(p.Unfilled, name):
		return "", "has no value: " + errStillLoading.Error()
	case values[0] == "." || values[0] == "..":
		return "", fmt.Sprintf("is %q, which is no part of an address", values[0])
	case noValue(values[0]):
		return "", "has no value: it shows " + quoted(values[0])
	case len(values[0]) > longestValue:
		return "", "has no value: " + errTooLong.Error()
	}
	return values[0], ""
}

// values returns all values that were found for a field.
func (p *page) values(f FieldRule) (values []string) {
	add := func(text string) {
		if text = strings.TrimSpace(text); text != "" && !slices.Contains(values, text) {
			values = append(values, text)
		}
	}
	add(p.Fields[f.Name])
	for _, text := range p.Texts[f.Name] {
		if groups := f.Match.FindStringSubmatch(text); groups != nil {
			add(groups[min(1, len(groups)-1)])
		}
	}
	return values
}

var (
	// unfilledText is what a page or a script shows that has not put a value into its place, as extract.js has it.
	unfilledText = regexp.MustCompile(`\{\{.*?\}\}|\$\{.*?\}|<%|\[object \w+\]`)
	// noValueWords say that there is none, or that it is being loaded.
	noValueWords = sync.OnceValue(func() map[string]bool {
		set := setOf("undefined null nan n/a na none nil")
		for _, phrase := range words.Of("none", "loading") {
			set[phrase] = true
		}
		return set
	})
)

// noValue reports whether a text only stands in the place of a value: a dash, a template that was not
// filled in, a word for none, or that it is being loaded.
func noValue(text string) bool {
	bare := strings.TrimFunc(text, func(r rune) bool { return !isWordRune(r) })
	return bare == "" || unfilledText.MatchString(text) || noValueWords()[words.Fold(bare)]
}

// checkFieldNames finds addresses that need what is no field, or go round in a circle, and those
// that are the same for all orders and that no other address is made of.
func (rd *recipeReader) checkFieldNames() {
	byName := map[string]FieldRule{}
	for _, f := range rd.recipe.Fields {
		byName[f.Name] = f
	}
	needed := map[string]bool{}
	for _, get := range slices.Concat(rd.gets, rd.bodies) {
		for _, name := range fieldNames(get.text) {
			needed["fields."+name+".get"], needed["fields."+name+".post"] = true, true
			f, known := byName[name]
			switch {
			case strings.HasPrefix(get.path, "open.steps["):
				rd.problem(get.node, get.path, "has the placeholder {%s}; fields are read when all steps are done, and not known here", name)
			case strings.HasPrefix(get.path, "related[") && strings.Contains(get.path, "].attachments."):
				rd.problem(get.node, get.path, "has the placeholder {%s}; fields are of the order's own page, and not known here", name)
			case strings.HasPrefix(get.path, "list.") && known && rd.ofElement(name):
				rd.problem(get.node, get.path, "has the placeholder {%s}; that field is of the order's element, which is not known before the list", name)
			case !known:
				rd.problem(get.node, get.path, "has the placeholder {%s}, which is not known; it can be {po}, {digits}, {base_url}, {column:NAME} or the name of a field", name)
			case f.Type != FieldText && f.Type != "":
				rd.problem(get.node, get.path, "has the placeholder {%s}, and that field is of the type %s; only a text can stand in an address", name, f.Type)
			case fieldAt(get.path) == name:
				rd.problem(get.node, get.path, "needs the value of its own field")
			case fieldAt(get.path) != "" && reaches(byName, name, fieldAt(get.path), nil):
				rd.problem(get.node, get.path, "needs {%s}, whose own address needs this field: that is a circle", name)
			}
		}
	}
	for _, group := range rd.groups {
		if _, known := byName[group.text]; known {
			rd.problem(group.node, group.path, "has a group that is called %s, and so is a field; call one of them something else", group.text)
		}
	}
	for _, same := range rd.same {
		if !needed[same.path] {
			rd.problem(same.node, same.path, "is the same for each order; it needs {po}, {digits}, {column:NAME} or another field, or its path does")
		}
	}
}

// ofElement reports whether a field of a list in data, or what it is made of, is of the order's element.
func (rd *recipeReader) ofElement(name string) bool {
	needed := rd.recipe.needed([]string{name})
	return slices.ContainsFunc(rd.recipe.Fields, func(f FieldRule) bool { return needed[f.Name] && f.Data.none() })
}

// fieldAt returns the name of the field whose key is at a path of the recipe, or "".
func fieldAt(path string) string {
	name, is := strings.CutPrefix(path, "fields.")
	if !is {
		return ""
	}
	if of, _, is := strings.Cut(name, ".headers."); is {
		return of
	}
	return name[:max(strings.LastIndex(name, "."), 0)]
}

// reaches reports whether the address of a field needs another one, by others in between.
func reaches(fields map[string]FieldRule, from, to string, seen []string) bool {
	for _, name := range fields[from].Data.needsFields() {
		if name == to || !slices.Contains(seen, name) && reaches(fields, name, to, append(seen, name)) {
			return true
		}
	}
	return false
}
