package check

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// recordText says what the session knows of the order.
func (s *shown) recordText(w io.Writer) {
	task := s.task
	fmt.Fprintf(w, "%s  %s\n", task.Name(), s.standing())
	tab := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintf(tab, "  %s\t%s\n", name, text)
		}
	}
	line("why", s.why())
	if n := len(task.History); n > 0 {
		line("last attempt", attemptText(task.History[n-1]))
	}
	line("address", browser.Redact(task.URL))
	line("sheet", s.sheetText())
	if task.Result != nil {
		line("documents", documentsText(task.Result.Attachments))
		if task.Result.Proof != nil && task.Result.Outcome == tasks.OutcomeNoAttachments {
			line("no documents", task.Result.Proof.Text)
		}
		line("confirmed", s.text())
		for _, d := range s.comparison.Order(task.Rows, task.Result.Fields) {
			line("differs", fmt.Sprintf("%s is %s on the portal, and column %s of the sheet says %s (line %d)",
				d.Field, quoted(d.Portal), d.Column, quoted(d.Sheet), d.Row))
		}
	}
	for _, file := range s.evidence() {
		line("evidence", file)
	}
	_ = tab.Flush()
}

// standing says how the order has ended, or how far it has got.
func (s *shown) standing() string {
	switch task := s.task; {
	case task.Outcome != "":
		return string(task.Outcome)
	case task.State == tasks.StatePending:
		return "not begun"
	case s.live:
		return "in progress"
	}
	return "was in progress when the run ended"
}

// why returns the reason of the last attempt, with the class that scripts know it by.
func (s *shown) why() string {
	task := s.task
	f := cmp.Or(task.Failure, task.Invalid)
	if n := len(task.History); f == nil && n > 0 && !task.Outcome.Well() {
		f = task.History[n-1].Error
	}
	if f == nil && task.Result != nil {
		f = task.Result.Missing
	}
	switch {
	case f == nil:
		return task.Skipped
	case f.Class == "":
		return f.Message
	}
	return fmt.Sprintf("%s (%s)", f.Message, f.Class)
}

func attemptText(a tasks.Attempt) string {
	text := fmt.Sprintf("number %d", a.N)
	if a.Released {
		text = "was broken off and does not count"
	}
	text += ", " + a.EndedAt.Local().Format(time.DateTime)
	if took := a.EndedAt.Sub(a.StartedAt); took > 0 {
		text += fmt.Sprintf(", after %s", took.Round(10*time.Millisecond))
	}
	switch a.Executor {
	case tasks.ExecutorFetch:
		text += ", page only fetched"
	case tasks.ExecutorRender:
		text += ", page rendered"
	}
	return text
}

// sheetText says what the sheet has of the order besides its number.
func (s *shown) sheetText() string {
	var parts []string
	for _, p := range [][2]string{{"supplier", s.task.Sheet.Supplier}, {"amount", s.task.Sheet.Amount}, {"currency", s.task.Sheet.Currency}, {"buyer", s.task.Sheet.Buyer}} {
		if p[1] != "" {
			parts = append(parts, p[0]+" "+quoted(p[1]))
		}
	}
	return strings.Join(append(parts, linesOf(s.task)), ", ")
}

func documentsText(all []tasks.Attachment) string {
	if len(all) == 0 {
		return ""
	}
	done, broken := 0, []string{}
	for _, doc := range all {
		switch {
		case doc.State == tasks.AttachmentDone:
			done++
		case doc.Error != nil:
			broken = append(broken, fmt.Sprintf("%s: %s", quoted(doc.Name), doc.Error.Message))
		default:
			broken = append(broken, quoted(doc.Name)+": "+string(doc.State))
		}
	}
	text := fmt.Sprintf("%d listed, %d brought home", len(all), done)
	if len(broken) > 0 {
		text += "; " + strings.Join(broken, "; ")
	}
	return text
}

// evidence returns the files that were kept of the last attempt that left some.
func (s *shown) evidence() (files []string) {
	for _, a := range slices.Backward(s.task.History) {
		if len(a.Evidence) > 0 {
			files = a.Evidence
			break
		}
	}
	if len(files) == 0 && s.task.Result != nil {
		files = s.task.Result.Evidence
	}
	files = slices.Clone(files)
	for i, name := range files {
		files[i] = filepath.Join(s.cfg.Dir, filepath.FromSlash(name))
	}
	return files
}

// nowText says what the order comes to now, and what each selector meets on its page.
func (s *shown) nowText(w io.Writer, probed *scrape.Probed) {
	fmt.Fprintln(w, "\nopened now, without downloading documents")
	tab := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintf(tab, "  %s\t%s\n", name, text)
		}
	}
	var documents []tasks.Attachment
	switch res := probed.Result; {
	case probed.Failure != nil:
		line("outcome", string(cmp.Or(probed.Failure.Outcome, tasks.OutcomeFailed)))
		line("why", fmt.Sprintf("%s (%s)", probed.Failure.Message, probed.Failure.Class))
	case res != nil:
		line("outcome", string(res.Outcome))
		if res.Missing != nil {
			line("why", fmt.Sprintf("%s (%s)", res.Missing.Message, res.Missing.Class))
		}
		if res.Proof != nil && res.Outcome == tasks.OutcomeNoAttachments {
			line("no documents", res.Proof.Text)
		}
		for _, note := range res.Notes {
			line("note", note)
		}
		documents = res.Attachments
	}
	line("page", probed.Address)
	for _, doc := range documents {
		text := quoted(doc.Name)
		if doc.Error != nil {
			text += ": " + doc.Error.Message
		}
		line("document", text)
	}
	_ = tab.Flush()
	s.selectorsNow(w, probed)
}

// selectorsNow is the table of what each selector meets, beside what it met in the session.
func (s *shown) selectorsNow(w io.Writer, probed *scrape.Probed) {
	selectors := s.portal.Selectors()
	if len(selectors) > 0 {
		fmt.Fprintln(w, "\nselectors, numbered as in the frames")
	} else if len(probed.Fields) > 0 {
		fmt.Fprintln(w, "\nfields")
	}
	before := s.looksBefore()
	tab := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	named := map[string]bool{}
	for i, sel := range selectors {
		where := plainWhere(sel.Where)
		name, isField := strings.CutPrefix(where, "fields.")
		named[name] = named[name] || isField
		read := ""
		if isField {
			read = s.valueText(name, probed.Fields)
		}
		if read != "" {
			read = "\t" + read
		}
		fmt.Fprintf(tab, "  %d\t%s\t%s\t%s%s\n", i+1, where, quoted(sel.Selector), metNow(where, tasks.MarkOf(sel.Selector), probed.Looks, before), read)
	}
	for _, name := range slices.Sorted(maps.Keys(probed.Fields)) {
		if !named[name] {
			fmt.Fprintf(tab, "  %s\t%s\n", name, s.valueText(name, probed.Fields))
		}
	}
	_ = tab.Flush()
}

// looksBefore returns what the selectors met in the last attempt that read the page.
func (s *shown) looksBefore() []tasks.Look {
	for _, a := range slices.Backward(s.task.History) {
		if len(a.Looks) > 0 {
			return a.Looks
		}
	}
	return nil
}

// metNow says how many elements a selector meets, and how many it met before where that was another number.
func metNow(where, mark string, now, before []tasks.Look) string {
	of := func(looks []tasks.Look) (met int, looked bool) {
		for _, look := range looks {
			if plainWhere(look.Where) == where {
				return look.Met, look.Mark == "" || look.Mark == mark
			}
		}
		return 0, false
	}
	met, looked := of(now)
	if !looked {
		return "was not looked for"
	}
	text := fmt.Sprintf("meets %d", met)
	if was, had := of(before); had && was != met {
		text += fmt.Sprintf(", in the run %d", was)
	}
	return text
}

// valueText quotes what a field reads, and what the sheet says where that differs.
func (s *shown) valueText(name string, fields map[string]tasks.Field) string {
	v := held(s.comparison, s.task.Rows, s.sheet.Input.Columns, name, fields)
	var parts []string
	if v.Raw != "" {
		parts = append(parts, quoted(v.Raw))
	}
	if v.Error != "" {
		parts = append(parts, "cannot be read: "+v.Error)
	}
	if v.Ambiguous {
		parts = append(parts, "several visible elements have different texts")
	}
	switch {
	case v.Equal != nil && *v.Equal:
		parts = append(parts, "as column "+v.Column+" of the sheet")
	case v.Sheet != "":
		parts = append(parts, "column "+v.Column+" of the sheet says "+quoted(v.Sheet))
	}
	return strings.Join(parts, "; ")
}

func quoted(text string) string { return strconv.Quote(clip(text)) }
