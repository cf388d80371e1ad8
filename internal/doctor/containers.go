package doctor

import (
	"context"
	"errors"

	"github.com/poscrape/poscrape/internal/container"
)

// examineContainers says whether browsers can live in containers. That they cannot keeps no session
// from running.
func examineContainers(ctx context.Context) Finding {
	const subject = "containers"
	engine, err := container.Find(ctx, container.Config{})
	var unusable *container.UnusableError
	switch {
	case errors.As(err, &unusable):
		f := fact(subject, "browsers cannot live in any: %s", unusable.Why)
		f.Advice = unusable.Remedy
		return f
	case err != nil:
		return fact(subject, "browsers cannot live in any: %v", err)
	case engine.Unlimited():
		return fact(subject, "%s makes them, with the image %s, and keeps no limits: for that it needs cgroups v2, or root", engine, container.DefaultImage)
	}
	return fact(subject, "%s makes them, with the image %s, and keeps limits", engine, container.DefaultImage)
}

// FindContainers returns the containers that killed runs of this user have left, and changes nothing.
// Without an engine there are none.
func FindContainers(ctx context.Context) ([]Remains, error) {
	engine, err := container.Find(ctx, container.Config{})
	if err != nil {
		return nil, ignoreUnusable(err)
	}
	left, err := engine.Leftovers(ctx)
	var all []Remains
	for _, l := range left {
		if l.Dead {
			all = append(all, Remains{Path: l.Name, Container: true})
		}
	}
	return all, err
}

// ClearContainers removes what FindContainers finds, and returns what that was.
func ClearContainers(ctx context.Context) (cleared []Remains, err error) {
	engine, err := container.Find(ctx, container.Config{})
	if err != nil {
		return nil, ignoreUnusable(err)
	}
	removed, err := engine.Sweep(ctx)
	for _, name := range removed {
		cleared = append(cleared, Remains{Path: name, Container: true})
	}
	return cleared, err
}

func ignoreUnusable(err error) error {
	if errors.As(err, new(*container.UnusableError)) {
		return nil
	}
	return err
}
