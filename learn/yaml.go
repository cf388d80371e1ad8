package learn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/scrape"
)

// writer writes a draft as a recipe's text.
type writer struct {
	strings.Builder
}

func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(w, format+"\n", args...)
}

// note writes a comment, in lines of a readable length.
func (w *writer) note(indent, format string, args ...any) {
	const width = 100
	text := strings.Join(strings.Fields(printable(fmt.Sprintf(format, args...))), " ")
	for text != "" {
		room := width - len(indent)
		end := len(text)
		if end > room {
			if end = strings.LastIndexByte(text[:room], ' '); end <= 0 {
				end = room
			}
		}
		w.line("%s# %s", indent, strings.ToValidUTF8(text[:end], ""))
		text = strings.TrimSpace(text[end:])
	}
}

// printable leaves out what would end a comment, or hide a part of it.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r <= 0x9f || r == 0x2028 || r == 0x2029 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0xfeff {
			return ' '
		}
		return r
	}, text)
}

// quote writes a text as YAML.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f || r == 0xfeff || r >= 0x80 && r < 0xa0 || r == 0x2028 || r == 0x2029:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// single writes a regular expression or another text with backslashes as YAML.
func single(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }) {
		return quote(text)
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}

// YAML returns the draft as a recipe, with what was seen beside each line.
func (d *Draft) YAML() string {
	if d.Given != nil {
		return d.completed()
	}
	w := &writer{}
	w.head(d)
	w.line("version: %d", scrape.RecipeVersion)
	w.sections(d)
	return w.String()
}

// sections writes what the given recipe, if there is one, does not say already.
func (w *writer) sections(d *Draft) {
	g := d.Given
	if d.Name != "" && !g.Has("name") {
		w.line("name: %s", quote(d.Name))
	}
	if d.BaseURL != "" && !g.Has("base_url") {
		w.line("base_url: %s", quote(d.BaseURL))
	}
	if d.Language != "" && !g.Has("browser") {
		w.note("", "A portal may write its labels in the browser's language: the draft was learnt in this one.")
		w.language(d.Language)
	}
	if len(d.Prefixes) > 0 && !g.Has("po") {
		w.prefixes(d.Prefixes)
	}
	switch {
	case g.Has("open"):
	case d.URL != "":
		w.address(d.URL)
	default:
		w.note("", "Each row brings its own url: no template fits all of the sheet's.")
	}
	if !g.Has("identity") {
		w.identity(d)
	}
	if !g.Has("not_found") || d.NotFound.Trouble != "" {
		w.notFound(d.NotFound)
	}
	w.fields(d)
	w.lines(d.Lines)
	w.documents(d.Documents, d.Lacking, slices.ContainsFunc(d.Unsure, func(one Unsure) bool { return one.Uncounted }))
	if !g.Has("folder") {
		w.line("folder: \"{po}\"")
	}
	w.kept(d)
	w.findings(d)
}

func (w *writer) language(language string) { w.line("browser: {language: %s}", language) }

func (w *writer) prefixes(prefixes []string) { w.line("po: {prefixes: [%s]}", quote(prefixes[0])) }

func (w *writer) address(url string) { w.line("open: {url: %s}", quote(url)) }

func (w *writer) head(d *Draft) {
	from := fmt.Sprintf("from %s: %s", plural(len(d.Samples), "order"), strings.Join(d.Samples, ", "))
	if d.Given != nil {
		w.note("", "Completed by 'poscrape recipe init' %s. What %s says has stayed as it was.", from, d.Given.file())
	} else {
		w.note("", "Drafted by 'poscrape recipe init' %s.", from)
	}
	switch {
	case len(d.Checked) > 0 && !d.Holds:
		w.note("", "look here: not confirmed on %s that it was not learnt from (%s): %s.", plural(len(d.Checked), "order"), strings.Join(d.Checked, ", "), d.Lacks())
	case len(d.Checked) > 0:
		w.note("", "Held on %s that it was not learnt from: %s.", plural(len(d.Checked), "order"), strings.Join(d.Checked, ", "))
	}
	w.note("", "sure: seen in two ways or more that agree on every page. look here: compare it with the page before you rely on it.")
	if d.Kinds > 1 {
		w.note("", "look here: the sheet's orders open pages of %d kinds. This is for the kind of most of them; see the end.", d.Kinds)
	}
	w.line("")
}

func (w *writer) identity(d *Draft) {
	id := d.Identity
	if id == nil && d.Plain {
		w.note("", "sure: poscrape finds the number of each order by itself, in a label, a heading or the title.")
		return
	}
	if id == nil {
		w.note("", "look here: no element shows the number of each order; poscrape looks for it by itself.")
		return
	}
	mark := "sure"
	switch {
	case d.Unread > 0:
		mark = fmt.Sprintf("look here: %s that it was not learnt from could not be read", plural(d.Unread, "order"))
	case id.Path:
		mark = "look here: only its place in the page finds it"
	}
	w.line("")
	w.note("", "%s: it shows the order's own number on %d of %d, such as %q.", mark, id.Seen, id.Pages, id.Example)
	w.line("identity: {selector: %s}", quote(id.Selector))
}

func (w *writer) notFound(n NotFound) {
	switch {
	case n.Asked == "":
		return
	case n.Trouble != "":
		w.note("", "look here: %s does not exist, but %s.", n.Asked, n.Trouble)
	case n.Status >= 400:
		w.note("", "sure: %s, which does not exist, is answered with status %d.", n.Asked, n.Status)
		w.line("not_found: {status: [%d]}", n.Status)
	case n.Text != "":
		w.note("", "look here: only the page of %s, which does not exist, says so.", n.Asked)
		w.line("not_found: {text: [%s]}", quote(n.Text))
	default:
		w.note("", "%s, which does not exist, is recognized without a rule.", n.Asked)
	}
}

func (w *writer) fields(d *Draft) {
	w.line("")
	any, below := false, d.Given.Has("fields")
	for _, f := range d.Fields {
		if f.Unknown != "" {
			continue
		}
		if !any && !below {
			w.line("fields:")
		}
		if any = true; !below {
			w.field(f, "  ")
		}
	}
	if !any {
		w.note("", "No column of the sheet was found on the pages.")
	}
	for _, f := range d.Fields {
		if f.Unknown != "" && (d.Given == nil || !f.kept) {
			w.note("  ", "look here: %s (column %s) is not known: %s.", f.Name, f.Column, f.Unknown)
			w.line("  # %s", f.rule())
		}
	}
	if len(d.Unseen) > 0 {
		w.note("  ", "Not seen on the pages: %s.", strings.Join(d.Unseen, ", "))
	}
	if len(d.Others) > 0 {
		also := ""
		switch {
		case below:
			also = ", and put them beside your fields"
		case !any:
			also = ", and before fields:"
		}
		w.note("  ", "More that the pages label. Remove the # before those that you want%s:", also)
		if !any && !below {
			w.line("# fields:")
		}
		for _, f := range d.Others {
			w.line("  # %s # %s", f.rule(), printable(fmt.Sprintf("%d of %d, such as %q", f.Seen, f.Pages, shortened(f.Example))))
		}
	}
}

func (w *writer) field(f *Field, indent string) {
	w.note(indent, "%s", f.says())
	w.line("%s%s", indent, f.rule())
}

// says is what a field was seen to find, and how sure it is.
func (f *Field) says() string {
	text := fmt.Sprintf("%d of %d; equal to column %s on %d of %d, such as %q", f.Seen, f.Pages, f.Column, f.Equal, f.Compared, shortened(f.Example))
	if f.Sure() {
		return "sure: " + text
	}
	return "look here: " + strings.Join(f.Doubts, "; ") + ". " + text
}

// rule is the field's line in the recipe.
func (f *Field) rule() string {
	parts := []string{locatorRule(f.Locator)}
	if also := f.also(); len(also) > 0 {
		parts = append(parts, "also: ["+strings.Join(also, ", ")+"]")
	}
	if f.Locator.Frame != "" {
		parts = append(parts, "frame: "+quote(f.Locator.Frame))
	}
	if f.Match != "" {
		parts = append(parts, "match: "+single(f.Match))
	}
	if f.Type != scrape.FieldText && f.Type != "" {
		parts = append(parts, "type: "+string(f.Type))
	}
	if f.Locale != "" {
		parts = append(parts, "locale: "+f.Locale)
	}
	if f.Layout != "" {
		parts = append(parts, "layout: "+quote(f.Layout))
	}
	if f.Required {
		parts = append(parts, "required: true")
	}
	return fmt.Sprintf("%s: {%s}", quoteName(f.Name), strings.Join(parts, ", "))
}

// also are the selectors of other kinds that find the same; a recipe has no further labels.
func (f *Field) also() (list []string) {
	for _, l := range f.Also {
		if l.Selector != "" && l.Kind != scrape.ByData {
			one := quote(l.Selector)
			if l.Match != "" {
				one = fmt.Sprintf("{selector: %s, match: %s}", one, single(l.Match))
			}
			list = append(list, one)
		}
	}
	return list
}

func quoteName(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' }) || name[0] >= '0' && name[0] <= '9' || isWord(name) {
		return quote(name)
	}
	return name
}

// isWord: YAML takes it for something else than a text.
func isWord(name string) bool {
	switch name {
	case "yes", "no", "on", "off", "true", "false", "null", "y", "n":
		return true
	}
	return false
}

func locatorRule(l scrape.Locator) string {
	if l.Under != "" {
		return "label: " + quote(l.Label) + ", under: " + quote(l.Under)
	}
	if l.Label != "" {
		return "label: " + quote(l.Label)
	}
	if l.Kind == scrape.ByData {
		return "json: " + quote(l.Answer) + ", path: " + quote(l.Path)
	}
	if l.Attr != "" {
		return "selector: " + quote(l.Selector) + ", attr: " + quote(l.Attr)
	}
	return "selector: " + quote(l.Selector)
}

// shortened returns at most the beginning of an example.
func shortened(text string) string {
	const most = 60
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "..."
	}
	return text
}

func (w *writer) lines(l *Lines) {
	if l == nil {
		return
	}
	w.line("")
	placed := false
	for _, c := range l.Columns {
		placed = placed || c.Place
	}
	mark := "sure"
	switch {
	case l.Says == "":
		mark = "look here: nothing in the sheet says that these are an order's lines"
	case placed:
		mark = "look here: columns are found by their places"
	}
	says := ""
	if l.Says != "" {
		says = "; " + l.Says
	}
	w.note("", "%s: %s on %s%s.", mark, plural(l.Found, "line"), plural(l.On, "order"), says)
	w.line("lines:")
	w.line("  row: %s", quote(l.Row))
	w.line("  columns:")
	for _, c := range l.Columns {
		w.line("    %s: %s # %s", quoteName(c.Name), quote(c.Selector), printable(c.Head))
	}
}

func (w *writer) findings(d *Draft) {
	if len(d.Findings) == 0 {
		return
	}
	w.line("")
	w.note("", "Where sheet and portal differ:")
	for _, f := range d.Findings {
		w.note("", "- %s", f)
	}
}
