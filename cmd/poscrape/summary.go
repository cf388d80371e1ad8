package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/internal/shell"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// aboutFiles says of what is in a session folder where to look for what, in the
// order in which a person wants to know.
var aboutFiles = []struct{ name, about string }{
	{"failed.csv", "the rows that did not end well, as they were: input for another run"},
	{"report.html", "every order with its fields, documents and errors, to look at"},
	{"results.xlsx", "your rows in their order, with what became of each, and all lines and documents"},
	{"results.csv", "the same rows, as text"},
	{"report.json", "all of it, for scripts"},
	{"orders", "the documents, a folder for each order"},
	{"evidence", "pictures and pages of what did not end well, and of the first orders without documents"},
	{"poscrape.log", "what happened, as JSON lines"},
	{"session.db", "the ledger, from which the others are written"},
}

// summaryText tells a person how a session ended and where to look.
func summaryText(end session.End, code int) string {
	var text strings.Builder
	text.WriteString(headline(end, code) + "\n")
	writeOutcomes(&text, end)
	writeReasons(&text, end)
	writeLacking(&text, end)
	if end.Update != "" {
		fmt.Fprintf(&text, "\n%s since %s%s.\n", counted(end.New, "new document"), nearby(end.Update), whereNew(end.New))
	}
	writeComparison(&text, end)
	if end.Cleanup.BrowsersLeft > 0 || end.Cleanup.ProfilesLeft > 0 {
		fmt.Fprintf(&text, "\nLeft behind: %s and %s; the log says which.\n",
			counted(end.Cleanup.BrowsersLeft, "browser"), counted(end.Cleanup.ProfilesLeft, "profile"))
	}
	if end.Dir != "" && len(end.Files) > 0 {
		fmt.Fprintf(&text, "\n%s\n", nearby(end.Dir))
		writeFiles(&text, end.Files)
	}
	if open := openOrders(end); open > 0 && len(end.Files) > 0 {
		fmt.Fprintf(&text, "\nThe report says which %s still open.\n", isAre(open, "order"))
	}
	writeNext(&text, end)
	return text.String()
}

// headline says in one line what came of it.
func headline(end session.End, code int) string {
	took := roundDuration(end.Took)
	open := openOrders(end)
	notWell := notWellOrders(end)
	skipped, left := end.ByOutcome[tasks.OutcomeSkipped], ""
	if skipped > 0 {
		left = fmt.Sprintf("; %d %s skipped", skipped, wasWere(skipped))
	}
	confirmed := confirmedText(end, end.Total-notWell-open-skipped)
	warned := ""
	if n := len(end.Warnings); n > 0 {
		warned = fmt.Sprintf(", with %s about the recipe", counted(n, "warning"))
	}
	switch {
	case open > 0:
		how := "Stopped"
		if code == exitInterrupted {
			how = "Interrupted"
		}
		return fmt.Sprintf("%s after %s: %d of %s ended, %d still open.",
			how, took, end.Total-open, counted(end.Total, "order"), open)
	case notWell > 0:
		return fmt.Sprintf("%s in %s: %d ended well%s; %d did not%s%s.",
			counted(end.Total, "order"), took, end.Total-notWell-skipped, confirmed, notWell, left, warned)
	case end.Missing > 0:
		return fmt.Sprintf("%s in %s: %d %s not in the session folder any more%s.", counted(end.Total, "order"), took, end.Missing, isAre(end.Missing, "document"), warned)
	case warned != "":
		return fmt.Sprintf("%s in %s: all ended%s%s%s.", counted(end.Total, "order"), took, confirmed, left, warned)
	case skipped > 0:
		return fmt.Sprintf("%s in %s: %d ended well%s%s.", counted(end.Total, "order"), took, end.Total-skipped, confirmed, left)
	}
	return fmt.Sprintf("%s in %s: all ended well%s.", counted(end.Total, "order"), took, confirmed)
}

// confirmedText says how many of so many orders that ended well are confirmed, to follow that they did.
func confirmedText(end session.End, well int) string {
	n := end.Unconfirmed()
	switch {
	case well == 0:
		return ""
	case n == 0 && well == 1:
		return " and is confirmed"
	case n == 0:
		return " and are confirmed"
	case well == 1:
		return ", but could not be confirmed"
	case n == well:
		return ", but none of them could be confirmed"
	}
	return fmt.Sprintf(", but %d of them could not be confirmed", n)
}

// writeLacking says which orders are whole, what those lack that ended well and are not confirmed, and what to do
// about it.
func writeLacking(text *strings.Builder, end session.End) {
	if len(end.Lacking) == 0 && (end.Confirmed == 0 || notWellOrders(end) == 0) {
		return
	}
	text.WriteString("\n")
	if end.Confirmed > 0 {
		fmt.Fprintf(text, "Confirmed, and whole: %s; the column confirmed in results.csv says which.\n", counted(end.Confirmed, "order"))
	}
	if len(end.Lacking) == 0 {
		return
	}
	fmt.Fprintf(text, "Not confirmed: %s. What was found of them is on disk, but whether that is all, and theirs, is not known", counted(end.Unconfirmed(), "order"))
	if end.Strict {
		text.WriteString(", which is exit code 3 with --strict")
	}
	text.WriteString(":\n")
	for _, one := range end.Lacking {
		line := fmt.Sprintf("%s: %s", counted(one.Orders, "order"), one.Lack.Of(one.Orders))
		if one.Orders <= fewOrders {
			line += fmt.Sprintf(" [%s]", printable(strings.Join(one.First, ", ")))
		}
		fmt.Fprintf(text, "  %s\n    What helps: %s.\n", line, one.Lack.Advice())
	}
}

// notWellText is what is said of orders that did not end well where nothing
// else is.
func notWellText(end session.End) string {
	n, what := notWellOrders(end), "did not end well"
	if n == 0 && end.Unconfirmed() > 0 {
		n, what = end.Unconfirmed(), "ended well and could not be confirmed"
	}
	return fmt.Sprintf("%d of %s %s: see %s", n, counted(end.Total, "order"), what, filepath.Join(nearby(end.Dir), "report.html"))
}

func writeOutcomes(text *strings.Builder, end session.End) {
	for _, outcome := range tasks.Outcomes() {
		if n := end.ByOutcome[outcome]; n > 0 {
			fmt.Fprintf(text, "  %5d  %s\n", n, outcome)
		}
	}
	if end.Documents > 0 {
		fmt.Fprintf(text, "  with %s\n", counted(end.Documents, "document"))
	}
}

func whereNew(n int) string {
	if n == 0 {
		return ""
	}
	return ": see the column new_documents in results.csv"
}

// writeComparison says in which columns the sheet and the portal differ, in which they do not, and which
// were held against nothing.
func writeComparison(text *strings.Builder, end session.End) {
	var differ, left []string
	equal := map[int][]string{} // by the number of orders
	for _, c := range end.Compared {
		name := strings.Join(strings.Fields(c.Column), " ")
		switch {
		case c.Differences > 0:
			differ = append(differ, fmt.Sprintf("%d in %s", c.Differences, name))
		case c.Orders > 0:
			equal[c.Orders] = append(equal[c.Orders], name)
		case end.ByOutcome[tasks.OutcomeComplete]+end.ByOutcome[tasks.OutcomeNoAttachments]+end.ByOutcome[tasks.OutcomePartial] > 0:
			left = append(left, name)
		}
	}
	var lines []string
	if len(differ) > 0 {
		lines = append(lines, fmt.Sprintf("The sheet and the portal differ in %s (%s): see the column differences in results.csv.",
			counted(end.Differences, "cell"), strings.Join(differ, ", ")))
	}
	if len(equal) > 0 {
		var same []string
		for _, n := range slices.Backward(slices.Sorted(maps.Keys(equal))) {
			same = append(same, fmt.Sprintf("%s on %s", strings.Join(equal[n], ", "), counted(n, "order")))
		}
		lines = append(lines, "The sheet and the portal agree in "+strings.Join(same, "; ")+".")
	}
	if len(left) > 0 {
		lines = append(lines, fmt.Sprintf("Not compared: %s; name the field that says the same, as in --compare FIELD=%s", strings.Join(left, ", "), shell.Word(left[0])))
	}
	if len(lines) > 0 {
		fmt.Fprintf(text, "\n%s\n", strings.Join(lines, "\n"))
	}
}

func writeFiles(text *strings.Builder, files []string) {
	left := slices.Clone(files)
	for i, name := range left {
		left[i] = strings.TrimSuffix(filepath.ToSlash(name), "/")
	}
	for _, f := range aboutFiles {
		if i := slices.Index(left, f.name); i >= 0 {
			fmt.Fprintf(text, "  %-13s %s\n", f.name, f.about)
			left = slices.Delete(left, i, i+1)
		}
	}
	for _, name := range left {
		fmt.Fprintf(text, "  %s\n", name)
	}
}

// openOrders counts the orders that have not come to their end.
func openOrders(end session.End) int {
	ended := 0
	for outcome, n := range end.ByOutcome {
		if outcome.State().Final() || outcome == tasks.OutcomeSkipped {
			ended += n
		}
	}
	return max(end.Total-ended, 0)
}

// notWellOrders counts the orders that have come to their end, and not well.
func notWellOrders(end session.End) int {
	notWell := 0
	for outcome, n := range end.ByOutcome {
		if outcome.State().Final() && !outcome.Well() {
			notWell += n
		}
	}
	return notWell
}

// remarks returns what the end has to say of the recipe, the warnings first; of a
// quiet one these alone.
func remarks(end session.End, quiet bool) []session.Notice {
	var list []session.Notice
	for _, text := range end.Warnings {
		list = append(list, session.Notice{Level: session.NoticeWarning, Message: text})
	}
	for _, text := range end.Notes {
		if !quiet {
			list = append(list, session.Notice{Level: session.NoticeInfo, Message: text})
		}
	}
	return list
}

func wasWere(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

func isAre(n int, noun string) string {
	if n == 1 {
		return noun + " is"
	}
	return noun + "s are"
}

// nearby returns a path as it is seen from the working directory, if it lies
// below that.
func nearby(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	short, err := filepath.Rel(here, path)
	if err != nil || !filepath.IsLocal(short) {
		return path
	}
	return short
}
