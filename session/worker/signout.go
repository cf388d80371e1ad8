package worker

import (
	"context"
	"errors"

	"github.com/poscrape/poscrape/browser"
)

// SignOut ends sign-ins at a site as its recipe says, in a browser of its own. It is called after the
// workers are closed, and before Close.
func (o *Opener) SignOut(ctx context.Context, site string, signIns []*browser.State) error {
	w, err := o.launch(ctx, o.site(site))
	if err != nil {
		return err
	}
	var errs []error
	for _, state := range signIns {
		errs = append(errs, w.scraper.SignOut(ctx, state))
	}
	return errors.Join(append(errs, w.Close(context.WithoutCancel(ctx)))...)
}
