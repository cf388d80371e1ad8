package browser

import "context"

// Deed is what acting on an element does, as far as the page says it.
type Deed struct {
	// Texts are what people read on the control that acts, its label first; for Enter in a form, on
	// the form's button.
	Texts []string
	// Action is the address that the control's form is sent to, or empty.
	Action string
	// Free says why it does nothing to what the page shows, or is empty: "search", that of a form with
	// method GET; "cookies", an answer to a cookie banner; or "closes", which leaves a dialog.
	Free string
}

// permitted asks the target's Check for what a click on the element does, or a key in it. Its errors are
// Check's and the page's.
func (a *actor) permitted(ctx context.Context, key string) error {
	if a.target.Check == nil {
		return nil
	}
	var deed Deed
	if err := a.run(ctx, &deed, "deed(%s)", key); err != nil {
		return err
	}
	return a.target.Check(ctx, deed)
}

// focused meets what has the focus, in whatever frame that is.
const focused = ":focus:not(iframe, frame, body)"

// permittedKey is permitted for what has the focus, if anything has.
func (t *Tab) permittedKey(ctx context.Context, target Target, key string) error {
	if target.Check == nil {
		return nil
	}
	a := newActor(t, Target{Selector: focused, Check: target.Check})
	defer a.free()
	if why, err := a.find(ctx); why != "" || err != nil {
		return err
	}
	return a.permitted(ctx, key)
}
