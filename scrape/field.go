package scrape

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/poscrape/poscrape/internal/calendar"
	"github.com/poscrape/poscrape/internal/jsregexp"
	"github.com/poscrape/poscrape/tasks"
)

// selectors returns what finds the field, by its places in the recipe.
func (f FieldRule) selectors() []namedSelector {
	at := "fields." + f.Name
	all := []namedSelector{{field: at + ".selector", selector: f.Selector}, {field: at + ".frame", selector: f.Frame}}
	if f.Label != "" {
		all[0] = namedSelector{field: at + ".selector", selector: f.Label, text: true}
	}
	for i, one := range f.Also {
		all = append(all, namedSelector{field: fmt.Sprintf("%s.also[%d]", at, i), selector: one.Selector, more: patternText(one.Match)})
	}
	if f.Path != nil {
		all = append(f.Data.selectors(at, "json"), namedSelector{field: at + ".path", selector: f.Path.text, text: true})
	}
	if f.Match != nil {
		all = append(all, namedSelector{field: at + ".match", selector: f.Match.String(), text: true})
	}
	return all
}

// alsoForReader returns the further selectors in read.js's words.
func (f FieldRule) alsoForReader() []alsoRule {
	rules := []alsoRule{}
	for _, one := range f.Also {
		rules = append(rules, alsoRule{one.Selector, jsregexp.Of(one.Match)})
	}
	return rules
}

// lined reports whether its match looks at the lines of a text, which are one text without it.
func (f FieldRule) lined() bool { return f.Match != nil && strings.Contains(f.Match.String(), `\n`) }

// match finds the parts of the texts that count. A text without one is none of the field's;
// several that have different ones make it ambiguous.
func (p *page) match(r *Recipe) {
	for _, f := range r.Fields {
		texts, there := p.Texts[f.Name]
		if f.Match == nil || !there || len(texts) == 0 {
			continue
		}
		met := 0
		for _, text := range texts {
			groups := f.Match.FindStringSubmatch(text)
			if groups == nil {
				continue
			}
			value := strings.TrimSpace(groups[min(1, len(groups)-1)])
			met++
			if known, is := p.Fields[f.Name]; is && known != value {
				if len(f.Also) > 0 {
					p.Differ = with(p.Differ, f.Name, []string{known, value})
				}
				p.Ambiguous = append(p.Ambiguous, f.Name)
				break
			}
			p.Fields[f.Name] = value
		}
		p.Looks = append(p.Looks, tasks.Look{Where: "fields." + f.Name + ".match", Met: met})
	}
	p.Texts = nil
}

// Take returns what the field makes of a text that stands where it is looked up, as of that of a
// page, and false where its match finds nothing in it.
func (f FieldRule) Take(text string) (tasks.Field, bool) {
	if f.Match != nil {
		groups := f.Match.FindStringSubmatch(text)
		if groups == nil {
			return tasks.Field{}, false
		}
		text = strings.TrimSpace(groups[min(1, len(groups)-1)])
	}
	field := tasks.Field{Raw: text, Type: string(f.Type)}
	value, err := f.read(text, false)
	if field.Value = value; err != nil {
		field.Error = err.Error()
	}
	return field, true
}

func with(all map[string][]string, name string, texts []string) map[string][]string {
	if all == nil {
		all = map[string][]string{}
	}
	all[name] = texts
	return all
}

// fields reads the page's texts by the recipe's types.
func (a *attempt) fields(p *page) map[string]tasks.Field {
	rules := a.portal.recipe.Fields
	if a.portal.recipe.Auto {
		rules = nil
		for name := range p.Fields {
			rules = append(rules, FieldRule{Name: name, Type: FieldText})
		}
	}
	fields := map[string]tasks.Field{}
	for _, f := range rules {
		raw, found := p.Fields[f.Name]
		note := p.notes[f.Name]
		if note.why != "" {
			fields[f.Name] = tasks.Field{Type: string(f.Type), Error: note.why}
		}
		if texts := p.Differ[f.Name]; len(texts) > 0 {
			fields[f.Name] = tasks.Field{Type: string(f.Type), Error: "its locators show different values: " + quotedAll(texts)}
			continue
		}
		if !found {
			continue
		}
		field := tasks.Field{Raw: raw, Type: string(f.Type), Ambiguous: slices.Contains(p.Ambiguous, f.Name)}
		value, err := f.read(raw, note.number)
		if slices.Contains(p.Unfilled, f.Name) {
			value, err = "", errStillLoading
		}
		if len(raw) > longestValue && len(utf16.Encode([]rune(raw))) > longestValue {
			field.Raw, value, err = "", "", errTooLong
		}
		if f.Secret {
			if err == nil && field.Ambiguous {
				err = errors.New("has several values")
			}
			if err != nil {
				fields[f.Name] = tasks.Field{Type: string(f.Type), Error: err.Error()}
			}
			continue
		}
		field.Value = value
		if err != nil {
			field.Error = err.Error()
		}
		fields[f.Name] = field
	}
	checkMinorUnits(rules, fields)
	return fields
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// longestValue bounds a field's text, in UTF-16 code units as a page counts them: what is
// longer is a page and no value.
const longestValue = 1 << 16

var errTooLong = fmt.Errorf("it has more than %d characters, so it is no value; check its selector", longestValue)

var errUnreadable = errors.New("it has a character that could not be read (U+FFFD): the portal sends it in another encoding than it says")

var errStillLoading = errors.New("the page still says that it is loading this value")

// read returns a field's text in canonical form. A number of JSON needs no locale. What is empty has no value, and is not
// unreadable; nor is what stands in place of an amount or a date, such as a dash.
func (f FieldRule) read(raw string, number bool) (string, error) {
	switch {
	case strings.ContainsRune(raw, utf8.RuneError):
		return "", errUnreadable
	case strings.TrimSpace(raw) == "", (f.Type == FieldAmount || f.Type == FieldDate) && !strings.ContainsFunc(raw, isWordRune):
		return "", nil
	case f.Type == FieldAmount:
		return f.amount(raw, number)
	case f.Type == FieldDate && isCount(f.Layout):
		return f.unix(raw, number)
	case f.Type == FieldDate:
		return calendar.ParseDate(raw, f.Layout, f.Locale, f.Calendar)
	}
	return raw, nil
}
