package witness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/tasks"
)

// What shape is measured by was tried on 300 real pages of 24 sites, of which 297 have the shape of their kind.
const (
	// enough is how many pages must be known to be orders' own before another is measured by them.
	enough = 5
	// usual is the part of these, in percent, that shows what counts as one of their labels.
	usual = 95
	// A page may lack one label in tolerated, and never more than missing.
	tolerated = 10
	missing   = 2
)

// page returns by what an order's page is its own, or what is lacking.
func (s *Session) page(o order) (*tasks.PageProof, Lack) {
	k := s.kindOf(o.key)
	switch row := s.row(o); {
	case !o.shown.Number:
		return nil, LacksNumber
	case row != nil:
		return row, ""
	case k.rowed && o.shown.Values > 0:
		return nil, LacksRow
	}
	models, of := k.models, func(label uint32) int { return k.labels[label] }
	if s.model(o) { // it is no witness for itself
		models, of = models-1, func(label uint32) int {
			if _, shows := slices.BinarySearch(o.shown.Labels, label); shows {
				return k.labels[label] - 1
			}
			return k.labels[label]
		}
	}
	if k.models < enough {
		return nil, LacksPeers
	}
	all, lacking := 0, 0
	for label := range k.labels {
		if n := of(label); n*100 < models*usual && n < models-1 { // one of few may be no order's page
			continue
		}
		all++
		if _, shows := slices.BinarySearch(o.shown.Labels, label); !shows {
			lacking++
		}
	}
	if all == 0 {
		return nil, LacksLabels
	}
	if lacking*tolerated > all || lacking > missing {
		return nil, LacksShape
	}
	return &tasks.PageProof{By: tasks.PageByShape, Text: fmt.Sprintf("the page shows the number, and %d of the %d headings and labels that pages like it have", all-lacking, all)}, ""
}

// row returns the row as a witness of an order's page, or nil.
func (s *Session) row(o order) *tasks.PageProof {
	if !o.shown.Number {
		return nil
	}
	var texts []string
	for _, v := range o.shown.Row {
		if !s.others[placed{o.key, v.At, v.Meaning}] {
			texts = append(texts, fmt.Sprintf("%s %q", v.Column, v.Text))
		}
	}
	if len(texts) == 0 {
		return nil
	}
	return &tasks.PageProof{By: tasks.PageByRow, Text: "the page shows the number, and of its row " + strings.Join(texts, ", ")}
}
