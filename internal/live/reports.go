package live

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/poscrape/poscrape/report"
	"github.com/poscrape/poscrape/tasks/ledger"
)

const (
	// ledgerName is the ledger's in the session folder.
	ledgerName = "session.db"
	// freshFor is for how long a report is shown before another is made, at the least; it is
	// longer where making one takes long, so that it takes little of the machine.
	freshFor  = 3 * time.Second
	restRatio = 20
)

// reports makes the session's report again when that is asked for.
type reports struct {
	dir string
	// turn is taken by whoever makes a report, and has what was made last.
	turn chan made
}

// made is a report as a page.
type made struct {
	page  []byte
	until time.Time
}

func newReports(dir string) *reports {
	r := &reports{dir: dir, turn: make(chan made, 1)}
	r.turn <- made{}
	return r
}

// page returns the report, not older than a while. It blocks while another makes it.
func (r *reports) page(ctx context.Context) (made, error) {
	var last made
	select {
	case last = <-r.turn:
	case <-ctx.Done():
		return made{}, context.Cause(ctx)
	}
	defer func() { r.turn <- last }()
	if time.Now().Before(last.until) {
		return last, nil
	}
	began := time.Now()
	page, err := r.make(ctx)
	if err != nil {
		return made{}, err
	}
	now := time.Now()
	last = made{page: page, until: now.Add(max(freshFor, restRatio*now.Sub(began)))}
	return last, nil
}

// make makes the report from the ledger, which the session writes meanwhile.
func (r *reports) make(ctx context.Context) (_ []byte, err error) {
	l, err := ledger.OpenReadOnly(filepath.Join(r.dir, ledgerName))
	if err != nil {
		return nil, fmt.Errorf("reading the session: %w", err)
	}
	defer func() {
		if closed := l.Close(); err == nil {
			err = closed
		}
	}()
	built, err := report.Build(ctx, l)
	if err != nil {
		return nil, err
	}
	built.Folder = r.dir
	var out bytes.Buffer
	if err := built.WriteLive(&out); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
