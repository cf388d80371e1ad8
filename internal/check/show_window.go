package check

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/signin"
	"github.com/poscrape/poscrape/tasks"
)

//go:embed frames.js
var framesScript string

// drawAtMost bounds drawing the frames.
const drawAtMost = 10 * time.Second

// looker keeps an order signed in with what the session that runs has stored, and signs in
// nowhere itself.
func (s *shown) looker() *signin.Keeper {
	return signin.New(signin.Config{State: s.keeper.Latest(), Stop: func(seen, _ string) {
		s.wall = seen + "; the session still runs, and a second sign-in could end its own: wait until it has ended, then try again"
	}, Tell: func(e tasks.Event) { s.cfg.Tell("%s", e.Detail) }})
}

// stay shows the page, with what was met in frames, until the window is closed or ctx ends.
func (s *shown) stay(ctx context.Context, probed *scrape.Probed) error {
	if len(s.recipe.Related) > 0 || probed.View == nil { // it shows another page of the order now, or none
		s.goBack(ctx, probed)
	}
	b := s.opener.First().Browser()
	tab := b.Tab()
	stop := tab.KeepPace(ctx)
	defer stop()
	if probed.View != nil {
		if err := s.drawFrames(ctx, tab, probed.View.Sights); err != nil && ctx.Err() == nil {
			s.cfg.Tell("Warning: the frames could not be drawn in the window: %v", err)
		}
	}
	s.cfg.Tell("The window shows the order as poscrape sees it. Close it, or press Ctrl-C, to end.")
	if s.cfg.Shown != nil {
		s.cfg.Shown()
	}
	select {
	case <-ctx.Done():
	case <-b.Lost():
	case <-tab.Gone():
	}
	return nil
}

// goBack opens the order's own page again.
func (s *shown) goBack(ctx context.Context, probed *scrape.Probed) {
	alone := *s.recipe.Recipe
	alone.Related = nil
	ctx, cancel := context.WithTimeout(ctx, s.visitor.cfg.TaskTimeout)
	defer cancel()
	again := scrape.NewPortal(&alone, s.sheet.Input.Columns).Scraper(s.opener.First().Browser(), scrape.Places{}).
		Probe(ctx, &tasks.ProcessingTask{ID: uuid.New(), Spec: s.task.Spec}, scrape.Wanted{})
	if again.View != nil {
		probed.View = again.View
	}
}

// drawn is a frame around what a selector met, as frames.js draws it.
type drawn struct {
	Name     string           `json:"name"`
	Colour   string           `json:"colour"`
	Elements []scrape.Element `json:"elements"`
}

// drawFrames draws the frames into the page that the person looks at. What was read of it is
// known by then, so nothing that the page does with them matters.
func (s *shown) drawFrames(ctx context.Context, tab *browser.Tab, sights []scrape.Sight) error {
	ctx, cancel := context.WithTimeout(ctx, drawAtMost)
	defer cancel()
	numbers := s.numbers()
	frames := []drawn{}
	for i, sight := range sights {
		c := colours[i%len(colours)]
		f := drawn{Name: frameName(sight.Where, numbers), Colour: fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B), Elements: []scrape.Element{}}
		for _, el := range sight.Elements[:min(len(sight.Elements), framedOfOne)] {
			if el.Seen && el.Width > 0 && el.Height > 0 {
				f.Elements = append(f.Elements, el)
			}
		}
		frames = append(frames, f)
	}
	text, err := json.Marshal(frames)
	if err != nil {
		return err
	}
	return tab.EvaluateApart(ctx, "", fmt.Sprintf("(%s)(%s)", strings.TrimSuffix(strings.TrimSpace(framesScript), ";"), text), nil)
}
