package scrape

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/claims"
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
		if deed.Free == "cookies" || deed.Free == "search" && changes == nil {
			return nil
		}
		does, err := p.doing(ctx, tab, deed)
		if err != nil {
			return err
		}
		switch {
		case len(does) > 0 && !step.says(does):
			return &UnsaidError{Step: step, Label: does[0]}
		case step.Says != "" || len(does) > 0:
		case len(deed.Texts) == 0 && changes != nil: // a form without a button
			return &UnsaidError{Step: step, Label: deed.Action}
		case deed.Control != "" && !deed.Opens && (deed.Leads == "" || checkVisit(deed.Leads) != nil) && !slices.ContainsFunc(deed.Texts, isReadable):
			return &UnsaidError{Step: step, Label: deed.Control, Unread: true}
		}
		return nil
	}
}

// doing returns the texts on a control that say that it does more than show a page, or that may be another word
// than people read.
func (p *Portal) doing(ctx context.Context, tab *browser.Tab, deed browser.Deed) (does []string, err error) {
	var readings []string
	var of []int // the text that a reading is of
	for i, text := range deed.Texts {
		for _, reading := range readingsOf(text) {
			readings, of = append(readings, reading), append(of, i)
		}
	}
	if len(readings) == 0 {
		return nil, nil
	}
	var found []struct{ Does, Leaves bool }
	if err := tab.Inspect(ctx, call("doing", readerRule(p.recipe, "", ""), readings), &found); err != nil {
		return nil, err
	}
	for i, one := range found {
		text := spoken(deed.Texts[of[i]])
		more := one.Does && (!one.Leaves || deed.Free != "dialog")
		if (more || isMixed(text)) && !slices.Contains(does, text) {
			does = append(does, text)
		}
	}
	return does, nil
}

// longestVerb bounds, in bytes, the beginning of a label that is read as if it had no spaces.
const longestVerb = 40

// readingsOf returns the ways to read a text on a control: as it stands, without a number or sign before it,
// and with the pieces at its beginning put together, as a page may write a word by its letters.
func readingsOf(text string) []string {
	text = spoken(text)
	all := []string{text, strings.TrimLeftFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })}
	pieces := strings.Fields(all[1])
	if len(pieces) == 0 {
		return nil
	}
	joined := pieces[0]
	for _, piece := range pieces[1:] {
		if joined += piece; len(joined) > longestVerb {
			break
		}
		all = append(all, joined)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// alike are the scripts that have letters which look like those of another one.
var alike = []*unicode.RangeTable{unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee, unicode.Coptic, unicode.Lisu}

// isMixed reports whether the first word on a control mixes letters that look like others.
func isMixed(text string) bool {
	word := strings.TrimLeftFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	if end := strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }); end >= 0 {
		word = word[:end]
	}
	scripts := 0
	for _, script := range alike {
		if strings.ContainsFunc(word, func(r rune) bool { return unicode.Is(script, r) }) {
			scripts++
		}
	}
	return scripts > 1
}

// isReadable reports whether a text on a control has more than pictures of a font.
func isReadable(text string) bool {
	return strings.ContainsFunc(spoken(text), func(r rune) bool { return !unicode.Is(unicode.Co, r) && !unicode.IsSpace(r) })
}

// says reports whether the recipe says of the step what the texts on its control say: one of them as it is,
// and nothing that another one contradicts.
func (s Step) says(texts []string) bool {
	said := spoken(s.Says)
	return slices.Contains(texts, said) && !slices.ContainsFunc(texts, func(text string) bool {
		return !strings.HasPrefix(text, said) && !strings.HasPrefix(said, text)
	})
}

// spoken returns a text as it is compared with what is read on a control.
func spoken(text string) string {
	text = strings.Map(func(r rune) rune {
		if claims.Invisible(r) {
			return -1
		}
		return r
	}, norm.NFKC.String(text))
	return strings.ToLower(strings.Join(strings.Fields(text), " "))
}

// UnsaidError says that a step was not done that does more than show a page, and how a recipe says that it may.
type UnsaidError struct {
	Step Step
	// Label is what says that it does more.
	Label string
	// Unread: nothing that people can read says what it does, and Label is its element.
	Unread bool
}

func (e *UnsaidError) Error() string {
	if e.Unread {
		return fmt.Sprintf("it was not done: no text on %s says what it does; if it is meant, write: %s", e.Label, e.Step.saying(e.Label))
	}
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
