package learn

import (
	"cmp"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/internal/compare"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// Given is a recipe that somebody has written and a draft completes. What it says stays.
type Given struct {
	*scrape.Recipe
	text *scrape.RecipeText
}

// NewGiven returns a recipe, with its text, that a draft can complete; or false where nothing can be added to
// the text.
func NewGiven(recipe *scrape.Recipe, text string) (*Given, bool) {
	t, ok := scrape.NewRecipeText(text)
	if !ok {
		return nil, false
	}
	g := &Given{Recipe: recipe, text: t}
	sample := &Draft{Given: g, Fields: []*Field{{Name: "poscrape_probe", Locator: scrape.Locator{Selector: "p"}}}}
	more, err := sample.Recipe(recipe.File)
	if err != nil {
		return nil, false
	}
	for _, f := range recipe.Fields {
		if now, _ := more.Field(f.Name); !reflect.DeepEqual(now, f) {
			return nil, false
		}
	}
	return g, true
}

// Has reports whether the recipe has a key at its top, "attachments".
func (g *Given) Has(key string) bool { return g != nil && g.text.Has(key) }

// hasField reports whether the recipe has a field of this name.
func (g *Given) hasField(name string) bool {
	if g == nil {
		return false
	}
	_, has := g.Field(name)
	return has
}

// sameField returns the name of a field that is read in one of the places of f, or empty.
func (g *Given) sameField(f *Field) string {
	for _, rule := range g.Fields {
		if rule.Secret || rule.Match != nil || f.Match != "" || rule.Attr != "" || rule.Frame != f.Locator.Frame {
			continue
		}
		for _, l := range append([]Further{{Locator: f.Locator}}, f.Also...) {
			if l.Match != "" || l.Attr != "" || l.Kind == scrape.ByData {
				continue
			}
			if rule.Label != "" && rule.Label == l.Label && rule.Under == l.Under || rule.Selector != "" && rule.Selector == l.Selector {
				return rule.Name
			}
		}
	}
	return ""
}

// file is what people call the recipe.
func (g *Given) file() string { return filepath.Base(g.File) }

// instead are the parts of a draft that are not in its recipe, since the given one has them.
type instead struct {
	// address: that of the given one, if it has any, does not fit the sheet's orders.
	address   bool
	identity  *Identity
	lines     *Lines
	documents *Documents
}

// Complete has the draft complete a recipe, before it is checked.
func (d *Draft) Complete(g *Given, sheet Sheet) {
	d.Given = g
	d.instead.address = d.URL != "" && !g.TakesNumber() && (g.OpenURL == "" || !fitsAll(g.OpenURL, cmp.Or(g.BaseURL, d.BaseURL), sheet))
	if g.Has("identity") {
		d.instead.identity, d.Identity = d.Identity, nil
	}
	if g.Has("lines") {
		d.instead.lines, d.Lines = d.Lines, nil
	}
	if g.Has("attachments") || g.Has("related") && d.Documents == nil {
		d.instead.documents, d.Documents, d.Lacking = d.Documents, &Documents{Given: true}, ""
	}
	for _, f := range d.Fields {
		if same := g.sameField(f); same != "" && !slices.ContainsFunc(d.Fields, func(other *Field) bool { return other.Name == same }) {
			f.Name = same // people have given it another name than the column's
		}
		f.kept = g.hasField(f.Name)
	}
	d.Others = slices.DeleteFunc(d.Others, func(f *Field) bool { return g.hasField(f.Name) })
}

// learnt returns what was learnt, as if no recipe were given.
func (d *Draft) learnt() *Draft {
	own := *d
	own.Given = nil
	own.Identity, own.Lines = cmp.Or(d.instead.identity, d.Identity), cmp.Or(d.instead.lines, d.Lines)
	if d.Documents != nil && d.Documents.Given {
		own.Documents = d.instead.documents
	}
	return &own
}

// learntSuffix makes the name under which a field is read beside the one that stays.
const learntSuffix = " (learnt)"

// readAs is the name that the field has in results of the recipe that the draft is checked with.
func (f *Field) readAs() string {
	if f.kept {
		return f.Name + learntSuffix
	}
	return f.Name
}

// Recipe returns the draft as it is now, as if it stood in a file. Beside a field of the given recipe that was learnt
// as well, it has what was learnt, for Check to compare them.
func (d *Draft) Recipe(file string) (*scrape.Recipe, error) {
	recipe, err := scrape.ReadRecipe(file, strings.NewReader(d.YAML()))
	if err != nil || d.Given == nil {
		return recipe, err
	}
	learnt, err := scrape.ReadRecipe(file, strings.NewReader(d.learnt().YAML()))
	if err != nil {
		return nil, err
	}
	for _, f := range d.Fields {
		if rule, has := learnt.Field(f.Name); f.kept && has {
			rule.Name = f.readAs()
			recipe.Fields = append(recipe.Fields, rule)
		}
	}
	return recipe, nil
}

// compareKept holds a field of the given recipe against what was learnt, on an order.
func (d *Draft) compareKept(f *Field, o Checked) {
	if !f.kept || f.Unknown != "" {
		return
	}
	if rule, _ := d.Given.Field(f.Name); rule.Secret {
		return
	}
	theirs, ours := o.Result.Fields[f.Name], o.Result.Fields[f.readAs()]
	if valueOf(theirs) == "" && valueOf(ours) == "" {
		return
	}
	f.comparedKept++
	if sameValue(theirs, ours) {
		return
	}
	if f.differs++; f.differs == 1 {
		f.differsOn = fmt.Sprintf("on %s it reads %s, and what was learnt %s", o.PO, shown(theirs), shown(ours))
	}
}

func sameValue(a, b tasks.Field) bool {
	return !a.Ambiguous && !b.Ambiguous && (compare.Fold(a.Raw) == compare.Fold(b.Raw) && a.Error == b.Error || a.Value != "" && a.Value == b.Value)
}

func shown(f tasks.Field) string {
	switch {
	case f.Ambiguous:
		return "several texts"
	case f.Raw == "":
		return "nothing"
	case f.Error != "":
		return fmt.Sprintf("%q, which is not understood", shortened(f.Raw))
	}
	return fmt.Sprintf("%q", shortened(f.Raw))
}

// kept is a part of the given recipe that was learnt as well.
type kept struct {
	key string
	// says is how what was learnt differs, or empty where it does not, and learnt its lines of a recipe.
	says   string
	learnt []string
}

// keptParts returns the parts of the given recipe that were learnt as well.
func (d *Draft) keptParts() (all []kept) {
	g := d.Given
	if g == nil {
		return nil
	}
	own := d.learnt()
	learnt, err := scrape.ReadRecipe("learnt.yaml", strings.NewReader(own.YAML()))
	if err != nil {
		return nil
	}
	part := func(key string, was, same bool, write func(*writer)) {
		if !g.Has(key) || !was {
			return
		}
		one := kept{key: key}
		if !same {
			w := &writer{}
			write(w)
			one.says, one.learnt = key+" stays as it was; what was learnt differs from it", w.rules()
		}
		all = append(all, one)
	}
	part("browser", d.Language != "" && g.Browser.Language == "", false, func(w *writer) { w.language(d.Language) })
	part("po", len(d.Prefixes) > 0, slices.Equal(g.PO.Prefixes, d.Prefixes), func(w *writer) { w.prefixes(d.Prefixes) })
	part("open", d.instead.address, false, func(w *writer) { w.address(d.URL) })
	part("identity", learnt.Identity != "", oneOf(learnt.Identity, g.Identity) && g.IdentityFrame == "", func(w *writer) { w.identity(own) })
	part("not_found", d.NotFound.Asked != "" && d.NotFound.Trouble == "", d.NotFound.Known, func(w *writer) { w.notFound(d.NotFound) })
	for _, f := range d.Fields {
		if !f.kept || f.Unknown != "" {
			continue
		}
		one := kept{key: "fields." + f.Name}
		rule, _ := g.Field(f.Name)
		ours, _ := learnt.Field(f.Name)
		switch {
		case f.differs > 0:
			one.says = fmt.Sprintf("%s stays as it was, but differs from what was learnt on %d of %s: %s", one.key, f.differs, plural(f.comparedKept, "order"), f.differsOn)
		case f.comparedKept == 0 && !reflect.DeepEqual(rule, ours):
			one.says = one.key + " stays as it was; what was learnt differs from it, and no order showed whether they read the same"
		}
		if one.says != "" {
			one.learnt = []string{f.rule()}
		}
		all = append(all, one)
	}
	part("lines", own.Lines != nil, reflect.DeepEqual(g.Lines, learnt.Lines), func(w *writer) { w.lines(own.Lines) })
	part("attachments", own.Documents != nil && learnt.Attachments != nil, sameDocuments(g.Attachments, learnt.Attachments), func(w *writer) { w.documents(own.Documents, "", false) })
	return all
}

// oneOf reports whether a selector is one of several that were learnt, or all of them.
func oneOf(learnt, selector string) bool {
	return selector == learnt || slices.Contains(strings.Split(learnt, ", "), selector)
}

// sameDocuments reports whether a recipe's documents are those that were learnt.
func sameDocuments(given, learnt *scrape.AttachmentsRule) bool {
	if given == nil || learnt == nil {
		return false
	}
	own := *learnt
	if oneOf(learnt.Item, given.Item) {
		own.Item = given.Item
	}
	return reflect.DeepEqual(*given, own)
}

// rules are the lines that were written, without comments.
func (w *writer) rules() (lines []string) {
	for line := range strings.Lines(w.String()) {
		line = strings.TrimRight(line, "\n")
		if text := strings.TrimSpace(line); text != "" && !strings.HasPrefix(text, "#") {
			lines = append(lines, line)
		}
	}
	return lines
}

// completed returns the text of the given recipe with what was learnt.
func (d *Draft) completed() string {
	var fields [][]string
	if d.Given.Has("fields") {
		for _, f := range d.Fields {
			if f.Unknown != "" || f.kept {
				continue
			}
			w := &writer{}
			w.field(f, "")
			fields = append(fields, strings.Split(strings.TrimSuffix(w.String(), "\n"), "\n"))
		}
	}
	w := &writer{}
	w.line("")
	w.head(d)
	w.sections(d)
	return d.Given.text.With(fields, w.String())
}

// kept says which parts of the given recipe were learnt as well, and what of them differs.
func (w *writer) kept(d *Draft) {
	var same []string
	for _, one := range d.keptParts() {
		if one.says == "" {
			same = append(same, one.key)
			continue
		}
		w.line("")
		w.note("", "look here: %s. It would be:", one.says)
		for _, line := range one.learnt {
			w.line("# %s", line)
		}
	}
	if len(same) > 0 {
		w.line("")
		w.note("", "What was learnt is the same as what %s has: %s.", d.Given.file(), strings.Join(same, ", "))
	}
}
