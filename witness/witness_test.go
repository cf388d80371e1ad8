package witness_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/witness"
)

// order returns one that ended well, with a document of its own, whose page shows a value of its row.
func order(n int, change ...func(*tasks.ProcessingTask)) *tasks.ProcessingTask {
	text := fmt.Sprint("PO", 1000+n)
	t := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: text}, State: tasks.StateCompleted, Outcome: tasks.OutcomeComplete,
		Result: &tasks.Result{Kind: "https://h/orders/0", Shown: &tasks.Shown{Number: true, Values: 2, Labels: []uint32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
			Row:   []tasks.Value{{Column: "supplier", Text: "ACME " + text, At: 7, Meaning: uint32(n)}},
			Lists: []tasks.List{{Met: 1, Count: &tasks.Counted{N: 1, Text: "Documents (1)"}}}},
			Attachments: []tasks.Attachment{{Name: "a.pdf", URL: "https://h/files/" + text, SHA256: text, State: tasks.AttachmentDone}}}}
	for _, c := range change {
		c(t)
	}
	return t
}

func shown(change func(*tasks.Shown)) func(*tasks.ProcessingTask) {
	return func(t *tasks.ProcessingTask) { change(t.Result.Shown) }
}

// list has the order's list be another.
func list(l tasks.List) func(*tasks.ProcessingTask) {
	return shown(func(s *tasks.Shown) { s.Lists = []tasks.List{l} })
}

// beside has the order's list be one of so many, beside which stands this number.
func beside(met, n int) func(*tasks.ProcessingTask) {
	return list(tasks.List{Met: met, Beside: map[string]int{"meta.anzahl": n}})
}

func counts(n int, text string) *tasks.Counted { return &tasks.Counted{N: n, Text: text} }

// none: the order has no documents, and its list is this one.
func none(l tasks.List) func(*tasks.ProcessingTask) {
	return func(t *tasks.ProcessingTask) {
		t.Outcome, t.Result.Attachments, t.Result.Shown.Lists = tasks.OutcomeNoAttachments, nil, []tasks.List{l}
		t.Result.Proof = &tasks.Proof{By: tasks.ProofSettled, Text: "settled"}
	}
}

var (
	noRow   = shown(func(s *tasks.Shown) { s.Row = nil })
	noSheet = shown(func(s *tasks.Shown) { s.Row, s.Values = nil, 0 })
)

func labels(all ...uint32) func(*tasks.ProcessingTask) {
	return shown(func(s *tasks.Shown) { s.Labels = all })
}

// many returns so many orders.
func many(n int, change ...func(*tasks.ProcessingTask)) (all []*tasks.ProcessingTask) {
	for i := range n {
		all = append(all, order(100+i, change...))
	}
	return all
}

// TestOrders judges an order among others.
func TestOrders(t *testing.T) {
	t.Parallel()
	same := func(t *tasks.ProcessingTask) {
		t.Result.Attachments[0].URL, t.Result.Attachments[0].SHA256 = "https://h/terms.pdf", "terms"
	}
	for name, c := range map[string]struct {
		order  *tasks.ProcessingTask
		others []*tasks.ProcessingTask
		lacks  witness.Lack // "": it is confirmed
		by     tasks.ProofKind
		page   tasks.PageProofKind
	}{
		"row and count":                    {order(1), nil, "", tasks.ProofCount, tasks.PageByRow},
		"no count":                         {order(1, list(tasks.List{Met: 1})), nil, witness.LacksCount, tasks.ProofListed, tasks.PageByRow},
		"a count of more is none of these": {order(1, list(tasks.List{Met: 1, Count: counts(2, "2 files")})), nil, witness.LacksCount, tasks.ProofListed, tasks.PageByRow},
		"an earlier version":               {order(1, func(t *tasks.ProcessingTask) { t.Result.Shown = nil }), nil, witness.LacksReading, tasks.ProofListed, ""},

		"no number":             {order(1, shown(func(s *tasks.Shown) { s.Number = false })), nil, witness.LacksNumber, tasks.ProofCount, ""},
		"no value, others do":   {order(1, noRow), many(6), witness.LacksRow, tasks.ProofCount, ""},
		"no value, nobody does": {order(1, noRow), many(4, noRow), "", tasks.ProofCount, tasks.PageByShape},
		"no value in the sheet": {order(1, noSheet), many(4, noSheet), "", tasks.ProofCount, tasks.PageByShape},
		"no value in its row":   {order(1, noSheet), many(6), "", tasks.ProofCount, tasks.PageByShape},
		"too few pages":         {order(1, noRow), many(3, noRow), witness.LacksPeers, tasks.ProofCount, ""},
		"another kind's pages":  {order(1, noRow, func(t *tasks.ProcessingTask) { t.Result.Kind = "https://h/else" }), many(9, noRow), witness.LacksPeers, tasks.ProofCount, ""},
		"one label in ten":      {order(1, noRow, labels(1, 2, 3, 4, 5, 6, 7, 8, 9)), many(6, noRow), "", tasks.ProofCount, tasks.PageByShape},
		"two labels in ten":     {order(1, noRow, labels(1, 2, 3, 4, 5, 6, 7, 8)), many(6, noRow), witness.LacksShape, tasks.ProofCount, ""},
		"three labels in forty": {order(1, noRow, labels(upTo(37)...)), many(6, noRow, labels(upTo(40)...)), witness.LacksShape, tasks.ProofCount, ""},
		"one odd page of few":   {order(1, noRow), append(many(7, noRow), order(90, noRow, labels(77))), "", tasks.ProofCount, tasks.PageByShape},
		"the odd one of few":    {order(1, noRow, labels(77)), many(8, noRow), witness.LacksShape, tasks.ProofCount, ""},
		"no labels at all":      {order(1, noRow, labels()), many(6, noRow, labels()), witness.LacksLabels, tasks.ProofCount, ""},
		"more labels":           {order(1, noRow, labels(upTo(60)...)), many(6, noRow), "", tasks.ProofCount, tasks.PageByShape},
		"a value that stands there on others' pages": {order(1), many(6, shown(func(s *tasks.Shown) {
			s.Row, s.Others = nil, []tasks.Value{{Text: "ACME PO1001", At: 7, Meaning: 1}}
		})), "", tasks.ProofCount, tasks.PageByShape},
		"a value that stands elsewhere on others' pages": {order(1), many(6, shown(func(s *tasks.Shown) {
			s.Row, s.Others = nil, []tasks.Value{{Text: "ACME PO1001", At: 8, Meaning: 1}}
		})), "", tasks.ProofCount, tasks.PageByRow},

		"none by marker":                 {order(1, none(tasks.List{HasNone: true, None: "no files"})), many(1, list(tasks.List{Met: 1, HasNone: true})), "", tasks.ProofMarker, tasks.PageByRow},
		"none by a marker on every page": {order(1, none(tasks.List{HasNone: true, None: "no files"})), many(9, none(tasks.List{HasNone: true, None: "no files"})), witness.LacksOtherNone, tasks.ProofSettled, tasks.PageByRow},
		"none by a marker beside items":  {order(1, none(tasks.List{HasNone: true, None: "no files"})), many(9, list(tasks.List{Met: 1, HasNone: true, None: "no files"})), witness.LacksClearNone, tasks.ProofSettled, tasks.PageByRow},
		"none by a marker that one page shows beside items": {order(1, none(tasks.List{HasNone: true, None: "no files"})),
			slices.Concat(many(9, list(tasks.List{Met: 1, HasNone: true})), []*tasks.ProcessingTask{order(2, list(tasks.List{Met: 1, HasNone: true, None: "no files"}))}), witness.LacksClearNone, tasks.ProofSettled, tasks.PageByRow},
		"none by count":                                        {order(1, none(tasks.List{Count: counts(0, "0 files")})), many(1), "", tasks.ProofCount, tasks.PageByRow},
		"none by a count that is always 0":                     {order(1, none(tasks.List{Count: counts(0, "0 files")})), many(9, none(tasks.List{Count: counts(0, "0 files")})), witness.LacksOtherCount, tasks.ProofSettled, tasks.PageByRow},
		"none, and settled":                                    {order(1, none(tasks.List{})), many(9), witness.LacksCount, tasks.ProofSettled, tasks.PageByRow},
		"whole, and a host that is not let through":            {order(1, list(tasks.List{Met: 1, Whole: true, Barred: true})), nil, witness.LacksHost, tasks.ProofListed, tasks.PageByRow},
		"documents, and a host that is not let through":        {order(1, list(tasks.List{Met: 3, Barred: true})), nil, witness.LacksCount, tasks.ProofListed, tasks.PageByRow},
		"a count, and a host that is not let through":          {order(1, list(tasks.List{Met: 1, Count: counts(1, "1 file"), Barred: true})), nil, "", tasks.ProofCount, tasks.PageByRow},
		"none by a marker, and a host that is not let through": {order(1, none(tasks.List{HasNone: true, None: "no files", Barred: true})), many(1, list(tasks.List{Met: 1, HasNone: true})), witness.LacksHost, tasks.ProofSettled, tasks.PageByRow},
		"whole":                                      {order(1, list(tasks.List{Met: 1, Whole: true})), nil, "", tasks.ProofWhole, tasks.PageByRow},
		"none, and whole":                            {order(1, none(tasks.List{Whole: true})), many(1, list(tasks.List{Met: 1, Whole: true})), "", tasks.ProofWhole, tasks.PageByRow},
		"always none, and whole":                     {order(1, none(tasks.List{Whole: true})), many(9, none(tasks.List{Whole: true})), witness.LacksCount, tasks.ProofSettled, tasks.PageByRow},
		"the sheet says so":                          {order(1, list(tasks.List{Met: 1}), shown(func(s *tasks.Shown) { s.Documents = new(int); *s.Documents = 1 })), nil, "", tasks.ProofSheet, tasks.PageByRow},
		"the sheet says more":                        {order(1, list(tasks.List{Met: 1}), shown(func(s *tasks.Shown) { s.Documents = new(int); *s.Documents = 2 })), nil, witness.LacksSheet, tasks.ProofListed, tasks.PageByRow},
		"a size that was asked for":                  {order(1, list(tasks.List{Met: 1, Count: &tasks.Counted{N: 1, Text: "1", Asked: true}})), nil, witness.LacksPage, tasks.ProofListed, tasks.PageByRow},
		"a round count, twice":                       {order(1, list(tasks.List{Met: 25, Count: counts(25, "25 files")})), many(1, list(tasks.List{Met: 25, Count: counts(25, "25 files")})), witness.LacksPage, tasks.ProofListed, tasks.PageByRow},
		"a round count, once":                        {order(1, list(tasks.List{Met: 25, Count: counts(25, "25 files")})), many(1), "", tasks.ProofCount, tasks.PageByRow},
		"a round count, and a larger one":            {order(1, list(tasks.List{Met: 25, Count: counts(25, "25 files")})), slices.Concat(many(1, list(tasks.List{Met: 25, Count: counts(25, "25 files")})), []*tasks.ProcessingTask{order(2, list(tasks.List{Met: 26, Count: counts(26, "26 files")}))}), "", tasks.ProofCount, tasks.PageByRow},
		"a number beside the list, of many orders":   {order(1, beside(1, 1)), []*tasks.ProcessingTask{order(2, beside(2, 2)), order(3, beside(3, 3)), order(4, beside(1, 1)), order(5, beside(0, 0))}, "", tasks.ProofCount, tasks.PageByRow},
		"a number beside the list, of few orders":    {order(1, beside(1, 1)), []*tasks.ProcessingTask{order(2, beside(2, 2)), order(3, beside(3, 3)), order(4, beside(1, 1))}, witness.LacksCount, tasks.ProofListed, tasks.PageByRow},
		"a number beside the list, once another":     {order(1, beside(1, 1)), []*tasks.ProcessingTask{order(2, beside(2, 2)), order(3, beside(3, 3)), order(4, beside(1, 1)), order(5, beside(4, 1))}, witness.LacksCount, tasks.ProofListed, tasks.PageByRow},
		"a number beside the list, always the same":  {order(1, beside(1, 1)), many(9, beside(1, 1)), witness.LacksCount, tasks.ProofListed, tasks.PageByRow},
		"a number beside the list, the most of many": {order(1, beside(3, 3)), []*tasks.ProcessingTask{order(2, beside(2, 2)), order(3, beside(3, 3)), order(4, beside(1, 1)), order(5, beside(1, 1))}, witness.LacksCount, tasks.ProofListed, tasks.PageByRow},
		"none, in an answer like that of others":     {order(1, list(tasks.List{Count: counts(0, "total: 0"), Around: 7})), []*tasks.ProcessingTask{order(2, list(tasks.List{Met: 2, Count: counts(2, "total: 2"), Around: 7}))}, "", tasks.ProofCount, tasks.PageByRow},
		"none, in an answer that says more":          {order(1, list(tasks.List{Count: counts(0, "total: 0"), Around: 8})), []*tasks.ProcessingTask{order(2, list(tasks.List{Met: 2, Count: counts(2, "total: 2"), Around: 7}))}, witness.LacksOtherCount, tasks.ProofListed, tasks.PageByRow},
		"a list without":                             {order(1, shown(func(s *tasks.Shown) { s.Lists = append(s.Lists, tasks.List{Page: "https://h/more", Met: 1}) })), nil, witness.LacksCount, tasks.ProofListed, tasks.PageByRow},
		"two lists": {order(1, shown(func(s *tasks.Shown) {
			s.Lists = append(s.Lists, tasks.List{Page: "https://h/more", Met: 2, Count: counts(2, "2 files")})
		})), nil, "", tasks.ProofCount, tasks.PageByRow},
		"documents that were not downloaded": {order(1, func(t *tasks.ProcessingTask) {
			t.Result.Attachments = []tasks.Attachment{{Name: "a.pdf", URL: "https://h/files/1a", State: tasks.AttachmentDone}, {Name: "b.pdf", URL: "https://h/files/1b", State: tasks.AttachmentDone}}
			t.Result.Shown.Lists[0] = tasks.List{Met: 2, Count: counts(2, "2 files")}
		}), nil, "", tasks.ProofCount, tasks.PageByRow},
		"fields alone": {order(1, func(t *tasks.ProcessingTask) {
			t.Result.Attachments, t.Result.Proof = nil, &tasks.Proof{By: tasks.ProofFields}
		}), nil, "", tasks.ProofFields, tasks.PageByRow},
		"not asked for": {order(1, func(t *tasks.ProcessingTask) {
			t.Result.Attachments, t.Result.Proof = nil, &tasks.Proof{By: tasks.ProofUnasked}
		}), nil, witness.LacksQuestion, tasks.ProofUnasked, tasks.PageByRow},

		"all documents are others' too":               {order(1, same), many(1, same), witness.LacksOwnDocument, tasks.ProofCount, tasks.PageByRow},
		"an order that did not end well lists it too": {order(1, same), []*tasks.ProcessingTask{order(2, same, func(t *tasks.ProcessingTask) { t.Outcome = tasks.OutcomePartial })}, witness.LacksOwnDocument, tasks.ProofCount, tasks.PageByRow},
		"one document of its own": {order(1, list(tasks.List{Met: 2, Count: counts(2, "2 files")}), func(t *tasks.ProcessingTask) {
			t.Result.Attachments = append(t.Result.Attachments, tasks.Attachment{Name: "t", SHA256: "terms", State: tasks.AttachmentDone})
		}), many(1, same), "", tasks.ProofCount, tasks.PageByRow},
		"two names, the same bytes": {order(1, list(tasks.List{Met: 2, Count: counts(2, "2 files")}), func(t *tasks.ProcessingTask) {
			t.Result.Attachments = append(t.Result.Attachments, tasks.Attachment{Name: "b.pdf", URL: "https://h/b", SHA256: "PO1001", State: tasks.AttachmentDone})
		}), nil, witness.LacksDifference, tasks.ProofCount, tasks.PageByRow},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, first := range []bool{true, false} { // the order of orders does not matter
				s := &witness.Session{}
				if first {
					s.See(c.order)
				}
				for _, other := range c.others {
					s.See(other)
				}
				if !first {
					s.See(c.order)
				}
				proof, confirmed := s.Judge(c.order)
				var page tasks.PageProofKind
				if proof.Page != nil {
					page = proof.Page.By
				}
				if confirmed != (c.lacks == "") || proof.Lacks != string(c.lacks) || proof.By != c.by || page != c.page || proof.Text == "" && c.by != tasks.ProofFields && c.by != tasks.ProofUnasked {
					t.Errorf("it is confirmed: %v, %+v, by its page %q", confirmed, proof, page)
				}
			}
		})
	}
}

func upTo(n uint32) (all []uint32) {
	for i := range n {
		all = append(all, i+1)
	}
	return all
}

// TestWarned: what a selector has stopped to meet confirms nothing.
func TestWarned(t *testing.T) {
	t.Parallel()
	for where, lacks := range map[string]bool{"attachments.item": true, "attachments.link": true, "attachments.count": true, "attachments.none": false, "fields.total": false} {
		s := &witness.Session{Warned: func(_, warned string) bool { return warned == where }}
		one := order(1)
		s.See(one)
		if proof, confirmed := s.Judge(one); confirmed == lacks || lacks != strings.Contains(proof.Lacks, "met nothing") {
			t.Errorf("%s met nothing, and it is confirmed: %v, %+v", where, confirmed, proof)
		}
	}
}

// TestNotWell: what has not ended well is neither confirmed nor listed, and speaks for nobody.
func TestNotWell(t *testing.T) {
	t.Parallel()
	for _, outcome := range []tasks.Outcome{tasks.OutcomePartial, tasks.OutcomeFailed, tasks.OutcomeNotFound, tasks.OutcomeSkipped} {
		s := &witness.Session{}
		bad := order(1, func(t *tasks.ProcessingTask) { t.Outcome = outcome })
		s.See(bad)
		if outcome == tasks.OutcomeSkipped {
			bad.State = tasks.StatePending
		}
		if proof, confirmed := s.Judge(bad); proof != nil || confirmed {
			t.Errorf("%s is confirmed: %v, %+v", outcome, confirmed, proof)
		}
	}
}
