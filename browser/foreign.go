package browser

import "context"

// ForeignFrame is a frame of another origin than what is around it.
type ForeignFrame struct {
	// URL is where it is, or empty where that is not known.
	URL string
	// Visible: a person sees it, and those around it.
	Visible bool
	// Within: it is what the target's Frame means, or in that; or there is no such Frame. Meant: it
	// is what the Frame means.
	Within, Meant bool
	// Met is how many elements in it, and in its frames of its own origin, meet the selector.
	Met int
}

// ForeignFrames returns the frames of other origins in the page, those within others too, and
// what the target meets in each; one that cannot be looked into has no URL.
func (t *Tab) ForeignFrames(ctx context.Context, target Target) (frames []ForeignFrame, err error) {
	a := newActor(t, target)
	a.hidden = true
	defer a.free()
	var failed error
	err = a.each(ctx, func(p *frameWorld, found sighting) bool {
		if p.parent == nil {
			return false
		}
		f := ForeignFrame{Visible: p.visible, Within: p.within, Meant: p.meant, Met: found.Met}
		if failed = a.evaluate(ctx, p, &f.URL, "where()"); failed != nil && broken(ctx, failed) {
			return true
		}
		failed = nil
		frames = append(frames, f)
		return false
	})
	if err == nil {
		err = failed
	}
	return append(frames, a.unreached...), err
}
