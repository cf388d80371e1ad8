package scrape

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/poscrape/poscrape/browser"
)

// permit returns what is asked right before a step clicks or presses a key. It refuses what says that it does
// more than show a page, unless the recipe says so at the step. The steps of a sign-in need no leave.
func (p *Portal) permit(tab *browser.Tab, step Step) func(context.Context, browser.Deed) error {
	if step.signIn {
		return nil
	}
	return func(ctx context.Context, deed browser.Deed) error {
		changes := error(nil)
		if deed.Action != "" {
			changes = checkVisit(deed.Action)
		}
		if deed.Free != "" && (deed.Free != "search" || changes == nil) {
			return nil
		}
		for _, text := range deed.Texts {
			does, err := p.doesMore(ctx, tab, text, text, text, true)
			if err != nil {
				return err
			}
			if does.Label != "" && !step.says(text) {
				return &UnsaidError{Step: step, Label: text}
			}
		}
		if len(deed.Texts) == 0 && changes != nil && step.Says == "" { // a form without a button
			return &UnsaidError{Step: step, Label: deed.Action}
		}
		return nil
	}
}

// says reports whether the recipe says of the step that it does this.
func (s Step) says(label string) bool { return s.Says != "" && spoken(s.Says) == spoken(label) }

// spoken returns a text as it is compared with what is read on a control.
func spoken(text string) string {
	return strings.ToLower(strings.Join(strings.Fields(norm.NFKC.String(text)), " "))
}

// UnsaidError says that a step was not done that does more than show a page, and how a recipe says that it may.
type UnsaidError struct {
	Step Step
	// Label is what says that it does more.
	Label string
}

func (e *UnsaidError) Error() string {
	return fmt.Sprintf("it was not done: %q says that it does more than show a page; if that is meant, write: %s", e.Label, e.Step.saying(e.Label))
}

// saying returns a step as it is written in a recipe with what it says.
func (s Step) saying(label string) string {
	var keys []string
	add := func(key, value string) {
		if value != "" {
			keys = append(keys, key+": "+quoted(value))
		}
	}
	add("selector", s.Selector)
	add("frame", s.Frame)
	if s.Kind == StepPress {
		add("key", s.Value)
	}
	add("text", s.Text)
	if s.Part {
		keys = append(keys, "part: true")
	}
	add("unless", s.Unless)
	if s.Window {
		keys = append(keys, "window: true")
	}
	add("says", label)
	return fmt.Sprintf("%s: {%s}", s.Kind, strings.Join(keys, ", "))
}
