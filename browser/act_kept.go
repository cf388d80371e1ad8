package browser

import (
	"context"
	"errors"
)

// Fit returns when an element could be clicked: it is visible, enabled, at rest and covered by nothing.
// It returns an *ElementError when ctx ends before.
func (t *Tab) Fit(ctx context.Context, target Target) error {
	return t.act(ctx, target, func(a *actor) (string, error) { return a.ready(ctx, "click") })
}

// Holds returns what stands in a visible field that is typed into; ok is false where there is none now.
func (t *Tab) Holds(ctx context.Context, target Target) (value string, ok bool, err error) {
	a := newActor(t, target)
	defer a.free()
	why, err := a.find(ctx)
	if why != "" || err != nil {
		return "", false, ignoreNavigated(err)
	}
	var is struct{ Kind, Value string }
	if err := a.run(ctx, &is.Kind, "kind()"); err != nil || is.Kind != "text" {
		return "", false, ignoreNavigated(err)
	}
	if err := a.run(ctx, &is, "written()"); err != nil {
		return "", false, ignoreNavigated(err)
	}
	return is.Value, true, nil
}

func ignoreNavigated(err error) error {
	if errors.Is(err, ErrNavigated) {
		return nil
	}
	return err
}
