package session

import (
	"errors"
	"fmt"
	"testing"

	"github.com/poscrape/poscrape/control"
	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/session/setup"
)

// TestRefused: what a session refuses has the code that tells scripts why.
func TestRefused(t *testing.T) {
	t.Parallel()
	noBrowser := fmt.Errorf("%w: 3 launches in a row have failed", pool.ErrNoWorker)
	for _, c := range []struct {
		err  error
		want control.Code
	}{
		{setup.ValidateSize(9), control.OutOfBounds},
		{ErrNotRunning, control.NotRunning},
		{fmt.Errorf("scaling to 3 workers: %w", pool.ErrStopping), control.NotRunning},
		{fmt.Errorf("scaling to 3 workers: %w", &pool.FailedError{Cause: noBrowser}), control.StartFailed},
		{fmt.Errorf("scaling to 3 workers: %w", &pool.FailedError{Cause: errors.New("the disk is full")}), control.NotRunning},
		{errors.New("something else"), ""},
	} {
		var refusal *control.Error
		if err := refused(c.err); !errors.As(err, &refusal) || refusal.Code != c.want {
			t.Errorf("%v is refused as %v, want %s", c.err, err, c.want)
		}
	}
	if err := refused(nil); err != nil {
		t.Error(err)
	}
}
