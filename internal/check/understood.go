package check

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/internal/compare"
	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/tasks"
)

// addSheet notes what was understood of the sheet, and its rows' problems.
func (r *Report) addSheet(cfg Config, sheet *orders.Sheet, recipes setup.Recipes) {
	s := &Sheet{File: sheet.Input.File, Rows: sheet.Input.Rows, Orders: len(sheet.Orders), Unusable: len(sheet.Unusable),
		Encoding: sheet.Encoding, Delimiter: string(sheet.Delimiter), Roles: map[string]string{}, Compared: map[string]string{}, Others: []string{},
		Skipped: []SkippedRow{}, Notes: []string{}}
	for _, note := range sheet.Notes {
		if !strings.Contains(note, " skipped: line ") { // each is named below
			s.Notes = append(s.Notes, note)
		}
	}
	for _, row := range sheet.Skipped {
		s.Skipped = append(s.Skipped, SkippedRow{row.Row.Line, row.Reason})
	}
	used := map[int]bool{}
	for role, i := range sheet.Input.Roles {
		s.Roles[role], used[i] = sheet.Input.Columns[i], true
	}
	for i, name := range sheet.Input.Columns {
		if !used[i] && strings.TrimSpace(name) != "" {
			s.Others = append(s.Others, name)
		}
	}
	fields := map[string]tasks.Field{}
	for _, name := range recipes.Fields() {
		fields[name] = tasks.Field{}
	}
	comparison := compare.New(sheet.Input)
	for name := range fields {
		if column, is := comparison.Against(name, fields); is {
			s.Compared[name] = column
		}
	}
	s.Addresses = addresses(cfg, sheet, recipes)
	r.Sheet = s
	r.addRows(sheet.Problems)
	if s.Unusable > 0 {
		r.worse(codeUnfit)
	}
}

// addRows notes the problems of rows.
func (r *Report) addRows(problems []orders.Problem) {
	for _, p := range problems {
		level := LevelRow
		if p.Warning {
			level = LevelWarning
		} else {
			r.worse(codeUnfit)
		}
		r.Problems = append(r.Problems, Problem{Level: level, File: p.File, Line: p.Line, Cell: p.Column, Message: p.Message, text: p.Error()})
	}
}

// addresses says where the addresses of the orders' pages come from.
func addresses(cfg Config, sheet *orders.Sheet, recipes setup.Recipes) string {
	if len(recipes) == 0 {
		return "not known, as the recipe cannot be read"
	}
	template := cfg.URL
	from := "--url " + cfg.URL
	if template == "" && len(recipes) == 1 && recipes[0].Recipe != nil && recipes[0].Address() != "" {
		template, from = recipes[0].Address(), "the recipe: "+recipes[0].Address()
	}
	i, column := sheet.Input.Roles["url"]
	switch {
	case column && template != "":
		return fmt.Sprintf("column %s, and where that is empty from %s", sheet.Input.Columns[i], from)
	case column:
		return "column " + sheet.Input.Columns[i]
	case recipes.Several() && template == "":
		return "the recipes"
	}
	return from
}

// addRecipes notes what was understood of the recipes.
func (r *Report) addRecipes(recipes setup.Recipes, sheet *orders.Sheet) {
	r.Recipes = []Recipe{}
	for _, one := range recipes {
		known := Recipe{Name: one.Name, File: one.File, Parts: parts(one.Recipe)}
		if !one.Auto {
			known.Parts = append(known.Parts, Part{"takes", setup.Config{}.TakesText(one)})
		}
		for i := 0; sheet != nil && i < len(sheet.Orders); i++ {
			if sheet.Orders[i].Portal == one.Portal {
				known.Orders++
			}
		}
		r.Recipes = append(r.Recipes, known)
	}
}

// parts says in words what a recipe is made of.
func parts(r *scrape.Recipe) (list []Part) {
	add := func(name, format string, args ...any) { list = append(list, Part{name, fmt.Sprintf(format, args...)}) }
	if r.Auto {
		add("fields", "whatever labelled values a page has")
		add("documents", "links that are downloads, by attribute, type of file or path")
		return list
	}
	if r.BaseURL != "" {
		add("portal", "%s", strings.Join(append([]string{r.BaseURL}, r.AllowedHosts...), ", "))
	}
	if s := r.Open.Search; s != nil {
		add("search", "%s, which shows %s", s.URL, s.Result)
	}
	if n := len(r.Open.Steps); n > 0 {
		add("steps", "%d after the order's address is opened", n)
	}
	for _, step := range r.Open.Steps {
		if step.Says != "" {
			add("says", "%s %s: %q", step.Where, step.Kind, step.Says)
		}
	}
	switch list := r.List; {
	case list != nil && list.Data != nil:
		add("list", "%s in the elements %s of the portal's data", list.Data.Number, list.Data.Items)
	case list != nil:
		in := ""
		if list.Frame != "" {
			in = " of the frame " + list.Frame
		}
		add("list", "%s in the rows %s%s", list.Number, list.Row, in)
	default:
		add("identity", "%s", cmp.Or(r.Identity, "found by itself: a labelled number, or a heading"))
	}
	if r.Login != nil {
		add("login", "%s", loginText(r))
	}
	for _, f := range r.Fields {
		add("field", "%s", fieldText(f))
	}
	if r.Lines != nil {
		var columns []string
		for _, c := range r.Lines.Columns {
			columns = append(columns, c.Name)
		}
		add("lines", "%s, with %s", r.Lines.Row, strings.Join(columns, ", "))
	}
	add("documents", "%s", listText(r.Attachments))
	if n := len(r.Related); n > 0 {
		add("related", "%s of other pages", plural(n, "kind"))
	}
	return list
}

func listText(docs *scrape.AttachmentsRule) string {
	switch {
	case docs == nil:
		return "are not looked for: the recipe has no attachments"
	case docs.Data != nil:
		return "from the portal's data"
	case docs.Print && docs.Item != "":
		return fmt.Sprintf("the pages that %s opens, printed", docs.Item)
	case docs.Print:
		return "the page itself, printed"
	case len(docs.URLs) > 0:
		return "at " + strings.Join(docs.URLs, ", ")
	}
	return docs.Item
}

func loginText(r *scrape.Recipe) string {
	if portal := scrape.NewPortal(r, nil); portal.SignsIn() {
		return "by itself"
	}
	return "by hand, with poscrape login"
}

func fieldText(f scrape.FieldRule) string {
	at := f.Selector
	switch {
	case f.Under != "":
		at = fmt.Sprintf("the label %q under %q", f.Label, f.Under)
	case f.Label != "":
		at = fmt.Sprintf("the label %q", f.Label)
	case f.Data.Cookie != "":
		at = "the cookie " + f.Data.Cookie
	case f.Data.Storage != "":
		at = f.Data.Storage + " in the page's storage"
	case f.Path != nil:
		at = "the portal's data"
	}
	text := f.Name + ": " + at
	if f.Type != scrape.FieldText {
		text += ", " + string(f.Type)
	}
	if f.Required {
		text += ", required"
	}
	if f.Secret {
		text += ", secret"
	}
	return text
}

// comparisonOf returns what holds fields against the sheet.
func comparisonOf(cfg Config, sheet *orders.Sheet) *compare.Comparison {
	input := sheet.Input
	input.Compare = cfg.Compare
	c := compare.New(input)
	for _, o := range sheet.Orders {
		for _, row := range o.Rows {
			c.See(row.Cells)
		}
	}
	return c
}

// held returns what a field has read, held against the sheet.
func held(c *compare.Comparison, rows []tasks.Row, columns []string, name string, fields map[string]tasks.Field) Value {
	v := Value{Field: fields[name]}
	column, is := c.Against(name, fields)
	at := slices.Index(columns, column)
	if !is || at < 0 {
		return v
	}
	v.Column = column
	for _, row := range rows {
		if at < len(row.Cells) && strings.TrimSpace(row.Cells[at]) != "" && v.Sheet == "" {
			v.Sheet = row.Cells[at]
		}
	}
	if v.Sheet == "" || v.Raw == "" {
		return v
	}
	// With the other fields, as which column it is depends on which of them there are.
	others := maps.Clone(fields)
	equal := !slices.ContainsFunc(c.Order(rows, others), func(d compare.Difference) bool { return d.Field == name })
	v.Equal = &equal
	return v
}
