package sampling

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/learn"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/witness"
)

// doubtPages names the orders whose pages show nothing of their rows but the number, where those of others do.
func (v *visit) doubtPages(d *learn.Draft) {
	others := false
	var doubtful []learn.Order
	for _, page := range v.pages {
		var texts []witness.Text
		for _, f := range page.Finds {
			for _, text := range append([]string{f.Value}, f.Values...) {
				texts = append(texts, witness.Text{Text: text})
			}
		}
		sent := page.Order.URL
		if plain, err := url.QueryUnescape(sent); err == nil {
			sent += " " + plain
		}
		can, row, _ := v.values.Match(v.task(page.Order).Spec, sent, texts)
		others = others || len(row) > 0
		if can > 0 && len(row) == 0 {
			doubtful = append(doubtful, page.Order)
		}
	}
	for _, order := range doubtful {
		if others {
			d.Find(order, "its page shows nothing of its row but the number, as those of the others do; look whether it is this order's")
		}
	}
}

// confirm notes what confirms the orders that the draft was held against, and what they lack.
func (v *visit) confirm(d *learn.Draft, checked []learn.Checked) {
	var session witness.Session
	var read []*tasks.ProcessingTask
	for _, one := range checked {
		if one.Result == nil || !one.Result.Outcome.Well() {
			continue
		}
		t := v.task(one.Order)
		t.State, t.Outcome, t.Result = tasks.StateCompleted, one.Result.Outcome, one.Result
		session.See(t)
		read = append(read, t)
	}
	groups := map[witness.Lack]*learn.Unsure{}
	for _, t := range read {
		proof, sure := session.Judge(t)
		switch lack := witness.Lack(proof.Lacks); {
		case sure:
			d.Sure++
		case groups[lack] == nil:
			groups[lack] = &learn.Unsure{Lacks: lack.Of, Advice: lack.Advice(), Uncounted: lack == witness.LacksCount, Few: lack.Elsewhere()}
			fallthrough
		default:
			groups[lack].Orders = append(groups[lack].Orders, t.PO)
		}
	}
	for _, one := range groups {
		d.Unsure = append(d.Unsure, *one)
	}
	slices.SortFunc(d.Unsure, func(a, b learn.Unsure) int {
		return cmp.Or(cmp.Compare(len(b.Orders), len(a.Orders)), strings.Compare(a.Advice, b.Advice))
	})
}
