package learn

import (
	"fmt"
	"strings"
)

// Summary says in some lines what the draft has, for whoever has to look at it.
func (d *Draft) Summary() (lines []string) {
	var sure, look []string
	for _, f := range d.Fields {
		switch {
		case f.kept:
		case f.Sure():
			sure = append(sure, f.Name)
		default:
			look = append(look, f.Name)
		}
	}
	if len(sure) > 0 {
		lines = append(lines, "Sure: "+strings.Join(sure, ", ")+".")
	}
	if len(look) > 0 {
		lines = append(lines, "Look here: "+strings.Join(look, ", ")+".")
	}
	if len(d.Unseen) > 0 {
		lines = append(lines, "Not on the pages: "+strings.Join(d.Unseen, ", ")+".")
	}
	for _, one := range d.keptParts() {
		if one.says != "" {
			lines = append(lines, "Look here: "+one.says+".")
		}
	}
	if d.Documents != nil && !d.Documents.Given {
		line := "Documents: " + d.Documents.describe()
		if d.Documents.Refuted != "" {
			line += "; none could be downloaded, so the recipe does not look for any"
		}
		lines = append(lines, line+".")
	}
	lines = append(lines, d.confirmed()...)
	if d.Kinds > 1 {
		lines = append(lines, fmt.Sprintf("The sheet's orders open pages of %d kinds; each needs a recipe of its own.", d.Kinds))
	}
	const most = 10
	for i, f := range d.Findings {
		if i == most {
			lines = append(lines, fmt.Sprintf("... and %d more; they stand at the end of the recipe.", len(d.Findings)-most))
			break
		}
		lines = append(lines, f)
	}
	return lines
}

// confirmed says how many orders would be confirmed, what others lack, and what helps.
func (d *Draft) confirmed() (lines []string) {
	unsure := 0
	for _, one := range d.Unsure {
		unsure += len(one.Orders)
	}
	if d.Sure+unsure > 0 {
		lines = append(lines, fmt.Sprintf("Confirmed: %d of the %s that it was checked with and that ended well.", d.Sure, plural(d.Sure+unsure, "order")))
	}
	if d.Documents == nil || d.Documents.Refuted != "" {
		return append(lines, "Without attachments: in the recipe no order of a run is confirmed. Write there what finds the documents; or attachments: off, if you do not want any.")
	}
	for _, one := range d.Unsure {
		line := fmt.Sprintf("Not confirmed: %s, as %s", strings.Join(one.Orders, ", "), one.Lacks(len(one.Orders)))
		if one.Few {
			line += "; a run of more orders may show that they are"
		}
		lines = append(lines, line+". What helps: "+one.Advice+".")
	}
	return lines
}

// Lacks says what keeps the draft from being confirmed.
func (d *Draft) Lacks() string {
	var lacks []string
	if !d.numbered() {
		lacks = append(lacks, "no element shows the order's number")
	}
	switch {
	case d.Lacking != "":
		lacks = append(lacks, "the documents were not found: "+d.Lacking)
	case d.Documents == nil:
		lacks = append(lacks, "no documents were recognized on the orders that were looked at")
	case d.Documents.Incomplete > 0:
		lacks = append(lacks, "pages seem to have more documents than it finds; see the end of the recipe")
	case !d.Documents.Confirmed:
		lacks = append(lacks, "no documents could be downloaded for orders that it was not learnt from")
	}
	if len(d.Checked) == 0 {
		lacks = append(lacks, "the sheet has no orders left to check it with")
	} else if len(lacks) == 0 {
		lacks = append(lacks, "an order that it was not learnt from could not be read; see the end of the recipe")
	}
	return strings.Join(lacks, "; ")
}
