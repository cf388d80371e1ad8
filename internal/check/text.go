package check

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

const (
	// shownProblems is how many warnings are shown; errors and rows are shown all.
	shownProblems = 200
	// shownSkipped is how many rows are named that are skipped.
	shownSkipped = 20
	// shownReads is how many different texts of one selector are shown.
	shownReads = 3
)

// Text writes the report for people.
func (r *Report) Text(w io.Writer) {
	if s := r.Sheet; s != nil {
		s.text(w)
	}
	for _, one := range r.Recipes {
		one.text(w)
	}
	r.problemsText(w)
	if r.Probe != nil {
		r.Probe.text(w)
	}
	if r.Probe != nil && r.Probe.Partial != "" {
		fmt.Fprintf(w, "\nThis is not all: %s\n", r.Probe.Partial)
	}
	if !r.failed || r.Probe.Wall != "" {
		fmt.Fprintf(w, "\n%s\n", r.conclusion())
	}
}

// conclusion is the last line.
func (r *Report) conclusion() string {
	errors, rows := 0, 0
	for _, p := range r.Problems {
		switch p.Level {
		case LevelError:
			errors++
		case LevelRow:
			rows++
		}
	}
	switch {
	case errors > 0:
		return fmt.Sprintf("This cannot be run: %s to mend.", plural(errors, "problem"))
	case r.Probe != nil && r.Probe.Wall != "":
		return "Stopped: " + strings.ReplaceAll(r.Probe.Wall, "\n", "\n  ")
	case r.ExitCode == codeOutside:
		return "No order could be reached: see the reason beside each, and check --proxy, --ca and the addresses."
	case r.ExitCode == codeWell && r.Probe == nil:
		return "This can be run. What the recipe meets on the pages is shown with --probe 3."
	case r.ExitCode == codeWell:
		return "Everything fits. Documents were not downloaded."
	case rows > 0 && r.Probe == nil:
		return fmt.Sprintf("This can be run; %s cannot be used.", plural(r.Sheet.Unusable, "row"))
	case rows > 0 && r.Probe.fits():
		return fmt.Sprintf("The recipe fits; %s of the sheet cannot be used. Documents were not downloaded.", plural(rows, "row"))
	}
	return "Something does not fit, see above. Documents were not downloaded."
}

func (s *Sheet) text(w io.Writer) {
	fmt.Fprintf(w, "%s: %s, %s", s.File, plural(s.Rows, "row"), plural(s.Orders, "order"))
	if s.Unusable > 0 {
		fmt.Fprintf(w, ", %s that cannot be used", plural(s.Unusable, "row"))
	}
	if n := len(s.Skipped); n > 0 {
		fmt.Fprintf(w, ", %s skipped", plural(n, "row"))
	}
	if s.Encoding != "" {
		fmt.Fprintf(w, " (%s, separated by %s)", s.Encoding, delimiterName(s.Delimiter))
	}
	fmt.Fprintln(w)
	tab := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	for _, role := range slices.Sorted(maps.Keys(s.Roles)) {
		fmt.Fprintf(tab, "  %s\tcolumn %s\n", role, s.Roles[role])
	}
	fmt.Fprintf(tab, "  addresses\t%s\n", s.Addresses)
	for _, field := range slices.Sorted(maps.Keys(s.Compared)) {
		fmt.Fprintf(tab, "  field %s\tis compared with column %s\n", field, s.Compared[field])
	}
	if len(s.Others) > 0 {
		fmt.Fprintf(tab, "  other columns\t%s\n", strings.Join(s.Others, ", "))
	}
	_ = tab.Flush()
	for _, note := range s.Notes {
		fmt.Fprintf(w, "  note: %s\n", note)
	}
	for i, row := range s.Skipped {
		if i == shownSkipped {
			fmt.Fprintf(w, "  %d more rows are skipped; --json has all\n", len(s.Skipped)-i)
			break
		}
		fmt.Fprintf(w, "  line %d is skipped: %s\n", row.Line, row.Reason)
	}
}

func delimiterName(d string) string {
	switch d {
	case "\t":
		return "tabs"
	case ",":
		return "commas"
	}
	return d
}

func (one Recipe) text(w io.Writer) {
	name := one.File
	if name == "" {
		name = "the built-in recipe"
	}
	fmt.Fprintf(w, "%s: recipe %s\n", name, one.Name)
	tab := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	for _, p := range one.Parts {
		fmt.Fprintf(tab, "  %s\t%s\n", p.Name, p.Says)
	}
	_ = tab.Flush()
}

func (r *Report) problemsText(w io.Writer) {
	warnings := 0
	for _, p := range r.Problems {
		if p.Level != LevelWarning {
			fmt.Fprintf(w, "%s\n", p.text)
			continue
		}
		if warnings++; warnings <= shownProblems {
			fmt.Fprintf(w, "Warning: %s\n", p.text)
		}
	}
	if more := warnings - shownProblems; more > 0 {
		fmt.Fprintf(w, "%d more warnings; --json has all\n", more)
	}
}

func (p *Probe) text(w io.Writer) {
	fmt.Fprintf(w, "\n%s opened; pictures and check.json are in %s\n", plural(len(p.Orders), "order"), p.Dir)
	tab := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	for _, o := range p.Orders {
		fmt.Fprintf(tab, "  %s\t%s\t%s\t%s\n", o.PO, o.Outcome, plural(len(o.Documents), "document"), o.pictureText(p.Dir))
	}
	_ = tab.Flush()
	for _, o := range p.Orders {
		if o.Error != nil {
			fmt.Fprintf(w, "  %s: %s\n", o.PO, o.Error.Message)
		}
		o.confirmedText(w)
		for _, note := range o.Notes {
			fmt.Fprintf(w, "  %s: note: %s\n", o.PO, note)
		}
		for _, d := range o.Documents {
			if d.Error != nil {
				fmt.Fprintf(w, "  %s: document %s: %s\n", o.PO, strconv.Quote(clip(d.Name)), d.Error.Message)
			}
		}
	}
	p.selectorsText(w)
	p.valuesText(w)
	for _, text := range p.Warnings {
		fmt.Fprintf(w, "Warning: %s\n", text)
	}
	for _, s := range p.Suggestions {
		s.text(w)
	}
	for _, text := range p.Notes {
		fmt.Fprintf(w, "Note: %s\n", text)
	}
}

func (o Order) pictureText(dir string) string {
	if o.Picture == "" {
		return "no picture: " + o.NoPicture
	}
	text := filepath.Join(dir, o.Picture)
	if o.Unframed > 0 {
		text += fmt.Sprintf(" (%s hidden or not in it)", plural(o.Unframed, "element"))
	}
	return text
}

// selectorsText is the table of what each selector has met and read.
func (p *Probe) selectorsText(w io.Writer) {
	if len(p.Selectors) == 0 {
		return
	}
	fmt.Fprintln(w, "\nselectors, numbered as in the pictures")
	tab := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	for _, s := range p.Selectors {
		where := plainWhere(s.Where)
		if s.Recipe != "" {
			where = s.Recipe + ": " + where
		}
		fmt.Fprintf(tab, "  %d\t%s\t%s\t%s\t%s\n", s.N, where, strconv.Quote(clip(s.Selector.Selector)), s.metText(p.Orders), p.readsText(s))
	}
	_ = tab.Flush()
}

// metText says on how many pages it met something, and how many elements.
func (s Selector) metText(orders []Order) string {
	if s.Pages == 0 && len(s.Elements) == 0 {
		return "was not looked for"
	}
	least, most, met := -1, 0, 0
	for _, o := range orders {
		n, looked := s.Elements[o.PO]
		if !looked {
			continue
		}
		if n > 0 {
			met++
		}
		if most = max(most, n); least < 0 || n < least {
			least = n
		}
	}
	if met == 0 {
		return fmt.Sprintf("0 on %d of %d pages", len(s.Elements), len(s.Elements))
	}
	elements := strconv.Itoa(least)
	if most > least {
		elements += " to " + strconv.Itoa(most)
	}
	return fmt.Sprintf("%s on %d of %d pages", elements, met, len(s.Elements))
}

// readsText quotes what a field has read.
func (p *Probe) readsText(s Selector) string {
	name, is := strings.CutPrefix(plainWhere(s.Where), "fields.")
	if !is {
		return ""
	}
	var reads []string
	equal, compared, column, unread := 0, 0, "", 0
	for _, o := range p.Orders {
		v, there := o.Fields[name]
		if !there || s.Recipe != "" && o.Recipe != s.Recipe {
			continue
		}
		if v.Error != "" {
			unread++
		}
		if text := strconv.Quote(clip(v.Raw)); v.Raw != "" && !slices.Contains(reads, text) {
			reads = append(reads, text)
		}
		if v.Equal != nil {
			compared, column = compared+1, v.Column
			if *v.Equal {
				equal++
			}
		}
	}
	var parts []string
	if n := len(reads); n > shownReads {
		reads = append(reads[:shownReads], "...")
	}
	parts = append(parts, strings.Join(reads, ", "))
	if compared > 0 {
		parts = append(parts, fmt.Sprintf("equal to column %s on %d of %d", column, equal, compared))
	}
	if unread > 0 {
		parts = append(parts, fmt.Sprintf("cannot be read on %d", unread))
	}
	return strings.Trim(strings.Join(parts, "; "), "; ")
}

// valuesText names the values that do not fit: those that cannot be read, and those that the
// sheet says otherwise.
func (p *Probe) valuesText(w io.Writer) {
	for _, o := range p.Orders {
		for _, name := range slices.Sorted(maps.Keys(o.Fields)) {
			switch v := o.Fields[name]; {
			case v.Error != "":
				fmt.Fprintf(w, "Warning: %s: %s cannot be read from %s: %s\n", o.PO, name, strconv.Quote(clip(v.Raw)), v.Error)
			case v.Ambiguous:
				fmt.Fprintf(w, "Warning: %s: %s is ambiguous: several visible elements have different texts, the first is %s\n", o.PO, name, strconv.Quote(clip(v.Raw)))
			case v.Equal != nil && !*v.Equal:
				fmt.Fprintf(w, "Note: %s: %s is %s, and column %s of the sheet says %s\n", o.PO, name, strconv.Quote(clip(v.Raw)), v.Column, strconv.Quote(clip(v.Sheet)))
			}
		}
	}
}

func (s Suggestion) text(w io.Writer) {
	if s.Unsearched > 0 {
		fmt.Fprintf(w, "  %d of %d pages are too large to be searched for what %s could be\n", s.Unsearched, s.Pages, plainWhere(s.Where))
	}
	if len(s.Candidates) == 0 {
		if s.Unsearched < s.Pages {
			fmt.Fprintf(w, "  nothing was found that looks like %s %q\n", plainWhere(s.Where), s.Selector)
		}
		return
	}
	fmt.Fprintf(w, "  %s %q: 0 on %d of %d pages; it could be\n", plainWhere(s.Where), s.Selector, s.Pages, s.Pages)
	for _, c := range s.Candidates {
		text := fmt.Sprintf("    %s: %s on %d of %d", c, elementsText(c), c.Met, s.Pages)
		if c.Compared > 0 {
			text += fmt.Sprintf(", equal to column %s on %d of %d", c.Column, c.Equal, c.Compared)
		}
		var reads []string
		for _, read := range c.Reads {
			reads = append(reads, strconv.Quote(clip(read)))
		}
		if len(reads) > 0 {
			text += ", reads " + strings.Join(reads, ", ")
		}
		fmt.Fprintln(w, text)
	}
	if s.Tie {
		fmt.Fprintln(w, "    nothing says which of the first two is right: look at the pictures, and choose")
	}
}

func elementsText(c Candidate) string {
	if c.Met == 0 || c.Elements%c.Met != 0 {
		return plural(c.Elements, "element") + " in all"
	}
	return strconv.Itoa(c.Elements / c.Met)
}

// clip shortens a text for a line.
func clip(text string) string {
	const longest = 60
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return text
}
