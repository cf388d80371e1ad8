package tasks

import "context"

type activityKey struct{}

// WithActivity returns a context for an attempt in which Active calls note. It is called
// by any goroutine, and must not block.
func WithActivity(ctx context.Context, note func()) context.Context {
	return context.WithValue(ctx, activityKey{}, note)
}

// Active tells whoever asked for an attempt, by WithActivity, that something of significance
// was just done for it: a page was opened, a document was brought. It does nothing for an
// attempt that has ended.
func Active(ctx context.Context) {
	if note, ok := ctx.Value(activityKey{}).(func()); ok && ctx.Err() == nil {
		note()
	}
}
