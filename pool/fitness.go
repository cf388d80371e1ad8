package pool

import (
	"context"
	"errors"

	"github.com/poscrape/poscrape/tasks"
)

// askFit asks the worker whether it is fit. One that panics or does not answer
// in time is not.
func (s *slot) askFit(w Worker) error {
	_, err := ask(s, "asking "+s.id+" whether it is fit", func() (struct{}, error) { return struct{}{}, w.Fit() })
	return err
}

func (s *slot) askInfo(w Worker) Info {
	info, _ := ask(s, "asking "+s.id+" who it is", func() (Info, error) { return w.Info(), nil })
	return info
}

func ask[T any](s *slot, name string, question func() (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(s.run.base, s.run.cfg.Grace)
	defer cancel()
	return bounded(ctx, s.run.calls, 0, name, question, nil)
}

// assess decides after attempts whether their worker must be replaced, and
// whether that is a failure of the worker's.
func (s *slot) assess(w Worker, batch []*attempt) (unfit error, failed bool) {
	lost := false
	for _, a := range batch {
		if broke(a.err) {
			return a.err, true
		}
		var f *tasks.Failure
		lost = lost || errors.As(a.err, &f) && (f.Class == tasks.ClassBrowserLost || f.Class == tasks.ClassRendererCrash)
	}
	if unfit = s.askFit(w); unfit == nil {
		return nil, false
	}
	return unfit, lost || broke(unfit)
}

// broke reports whether err is a panic, or a call that did not return.
func broke(err error) bool {
	var p *PanicError
	return errors.As(err, &p) || isStuck(err)
}

func isStuck(err error) bool {
	var s *StuckError
	return errors.As(err, &s)
}
