package scrape

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/browser"
)

// Delivery says what a link leads to, as the portal's answer to a request for it says.
type Delivery string

// What a link may lead to.
const (
	DeliveryUnknown Delivery = ""     // it was not asked for, or it could not be had
	DeliveryFile    Delivery = "file" // a file
	DeliveryPage    Delivery = "page" // a web page, or a text without a name
)

// maxDeliveries bounds how many links of a page are asked for: each takes its turn within the
// portal's rate.
const maxDeliveries = 12

// deliver finds out what the links lead to that the built-in recipe takes for documents. It asks
// for each, and reads no more than the answer's head.
func (a *attempt) deliver(ctx context.Context, d *Description) error {
	known := map[string]Delivery{}
	for i := range d.Controls {
		c := &d.Controls[i]
		if !c.Listed || c.Refused != "" || c.Href == "" || !a.allowed(c.Href) {
			continue
		}
		if _, asked := known[c.Href]; !asked && len(known) < maxDeliveries {
			if err := a.portal.wait(ctx, c.Href); err != nil {
				return err
			}
			var answer struct{ Delivers Delivery }
			script := call("delivers", uuid.NewString(), c.Href)
			if err := a.browser.Tab().EvaluateApart(ctx, fetchLibrary(), script, &answer); err != nil {
				if ctx.Err() != nil || pageLost(err) {
					return fmt.Errorf("asking what %s leads to: %w", browser.Redact(c.Href), err)
				}
			}
			known[c.Href] = answer.Delivers
		}
		c.Delivers = known[c.Href]
	}
	return nil
}
