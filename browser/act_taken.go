package browser

import "context"

// Taken is what one element holds that a selector meets.
type Taken struct {
	// Value is an attribute, a text, or the address that it leads to; Base is what that is relative to.
	Value, Base string
	Visible     bool
	// Labels are what people read on it.
	Labels []string
}

// Take returns what the elements hold that the target's selector meets now, in the page and its frames:
// the attribute, "value" for what a field holds, "text", or empty for where a link leads.
func (t *Tab) Take(ctx context.Context, target Target, attr string) (all []Taken, err error) {
	a := newActor(t, target)
	defer a.free()
	var failed error
	err = a.each(ctx, func(p *frameWorld, found sighting) bool {
		if found.Met == 0 {
			return false
		}
		var here []Taken
		if failed = a.evaluate(ctx, p, &here, "taken("+quoted(attr)+")"); failed != nil {
			return true
		}
		all = append(all, here...)
		return false
	})
	if err == nil {
		err = failed
	}
	return all, err
}
