package setup

import (
	"context"

	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// Select leaves out the orders of a sheet that the session is not asked for. It returns an
// *orders.OptionError, or for a folder of an earlier session that cannot be read a
// *folder.Error or *ledger.FileError.
func Select(ctx context.Context, cfg Config, sheet *orders.Sheet) error {
	wanted := orders.Selection{Limit: cfg.Limit}
	for _, text := range cfg.Only {
		condition, err := orders.ParseCondition(text)
		if err != nil {
			return err
		}
		wanted.Only = append(wanted.Only, condition)
	}
	done := doneOrders{}
	for _, dir := range cfg.SkipDone {
		if err := done.read(ctx, dir); err != nil {
			return err
		}
	}
	if len(done) > 0 {
		wanted.Done = done.of
	}
	return sheet.Select(wanted)
}

// doneOrders says of orders in which folder they are done. An order is the same if its number and
// its address are, whereby one of two numbers may lack its prefix; or, where a recipe opens it
// without an address, its number and its portal.
type doneOrders map[doneOrder]string

// doneOrder is an order by its number; anyPrefix: by its digits, whatever stands before them.
type doneOrder struct {
	number, url, portal string
	anyPrefix           bool
}

func (d doneOrders) of(o orders.PurchaseOrder) string {
	if o.URL == "" {
		return d[doneOrder{number: o.Number, portal: o.Portal}]
	}
	if o.Number == o.Digits {
		return d[doneOrder{number: o.Digits, url: o.URL, anyPrefix: true}]
	}
	if place := d[doneOrder{number: o.Number, url: o.URL}]; place != "" {
		return place
	}
	return d[doneOrder{number: o.Digits, url: o.URL}]
}

// read adds the orders of an earlier session that are complete, or have no documents.
func (d doneOrders) read(ctx context.Context, name string) error {
	dir, err := folder.Find(name)
	if err != nil {
		return err
	}
	return folder.ReadOnly(ctx, dir, func(ctx context.Context, l *ledger.Ledger) error {
		return l.Each(ctx, func(t *tasks.ProcessingTask) error {
			switch {
			case t.Outcome != tasks.OutcomeComplete && t.Outcome != tasks.OutcomeNoAttachments:
			case t.URL == "":
				d[doneOrder{number: t.PO, portal: t.Portal}] = name
			default:
				d[doneOrder{number: t.PO, url: t.URL}] = name
				d[doneOrder{number: t.Digits, url: t.URL, anyPrefix: true}] = name
			}
			return nil
		})
	})
}
