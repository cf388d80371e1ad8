package scrape

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/otp"
	"github.com/poscrape/poscrape/internal/template"
	"github.com/poscrape/poscrape/tasks"
)

// StepKind says what a step does.
type StepKind string

// The kinds of steps, as recipes write them.
const (
	StepFill   StepKind = "fill"
	StepSelect StepKind = "select"
	StepPress  StepKind = "press"
	StepClick  StepKind = "click"
	StepWait   StepKind = "wait"
	StepTOTP   StepKind = "totp"
	StepGo     StepKind = "go"
)

// Step is one thing that a recipe does in a page.
type Step struct {
	// Where is its place in the recipe, "login.steps[2]".
	Where string
	Kind  StepKind
	// Target is the element; StepPress may have none.
	browser.Target
	// A click's Text is a template as Value is, but in a sign-in.
	// Value is the template of what StepFill writes and StepSelect chooses, with {po},
	// {digits} and {column:NAME}; or the key of StepPress.
	Value string
	// Secret is what StepFill writes in place of Value, and the key of StepTOTP.
	Secret Secret
	// To are the hosts that may have the secret besides the portal's own.
	To []string
	// Go says which page StepGo opens; of other steps it is nil.
	Go *GoRule
	// Window: a click opens a window, whose page becomes the order's. Unless is the selector of what
	// makes a click needless where it is visible, or empty.
	Window bool
	Unless string
	// Says is what a click or key does that does more than show a page, as the page says it: a template as
	// Value is. Or it is empty.
	Says string
	// signIn: it is one of a sign-in, which may do anything.
	signIn bool
	// told: a click's text is not known to be all that its element shows, or comes from the sheet.
	told bool
	at   position
}

// template returns what of the step has placeholders, or "".
func (s Step) template() string {
	switch s.Kind {
	case StepPress, StepGo:
		return ""
	case StepClick:
		return s.Text
	}
	return s.Value
}

// templates returns all of the step that cells of the sheet may stand in.
func (s Step) templates() []string {
	if s.Go != nil {
		return []string{s.Go.URL, s.Go.Data.Answer, s.Go.Data.Get}
	}
	return []string{s.template(), s.Says}
}

// field is the path of the step's key in the recipe.
func (s Step) field() string { return s.Where + "." + string(s.Kind) }

// allSteps returns the steps of the recipe: those of an order first.
func (r *Recipe) allSteps() []Step {
	if r.Login == nil {
		return r.Open.Steps
	}
	return slices.Concat(r.Open.Steps, r.Login.Steps)
}

// takesNumber reports whether one of the steps is told an order's number or cells.
func takesNumber(steps []Step) bool {
	for _, step := range steps {
		if strings.Contains(step.template(), "{") || step.Go.namesOrder() {
			return true
		}
	}
	return false
}

// StepError says which step of the recipe could not be done, and why.
type StepError struct {
	Step Step
	Err  error
	// Limit is how long was tried, where that is why it was given up.
	Limit time.Duration
	// Besides is what else may be why, or empty.
	Besides string
}

func (e *StepError) Error() string {
	text := fmt.Sprintf("%s %s", e.Step.Where, e.Step.Kind)
	var element *browser.ElementError
	switch {
	case errors.As(e.Err, &element):
		text += " " + element.Error()
		if len(element.Refused) > 0 {
			text += fmt.Sprintf("; what is of %s was left out: this secret goes only to %s, and to the hosts that stand beside it (to)",
				quotedAll(element.Refused), strings.Join(e.Step.Origins, ", "))
		}
	default:
		text += ": " + e.Err.Error()
	}
	if e.Limit > 0 {
		text += fmt.Sprintf(" within %v", e.Limit)
	}
	return text + e.Besides
}

func (e *StepError) Unwrap() error { return e.Err }

const (
	// calm is how long a page waits for no server before what a step has caused counts as
	// over: applications ask some milliseconds after a click.
	calm = 200 * time.Millisecond
	// settleAfterStep bounds how long that is waited for, as pages may poll.
	settleAfterStep = 5 * time.Second
)

// runSteps does the steps in the tab, one after the other, each within the recipe's
// ready.timeout. Values is what their placeholders stand for. It returns a *StepError for
// the first that could not be done; where ctx has ended, that wraps its cause. lead does those that
// lead to another page, in what is the browser's tab then; it is nil where there are none.
func (p *Portal) runSteps(ctx context.Context, tab *browser.Tab, steps []Step, values template.Values, lead leadStep) error {
	var fields []*written // since something was sent
	for _, step := range steps {
		needless, err := p.needless(ctx, tab, step, values)
		if needless {
			continue
		}
		var field *written
		switch {
		case err != nil:
		case step.Kind == StepGo:
			tab, err = lead(ctx, step)
		default:
			field, err = p.runStep(ctx, &tab, step, values, fields, lead)
		}
		if err != nil {
			return err
		}
		switch {
		case field != nil:
			fields = append(fields, field)
		case step.Kind == StepClick || step.Kind == StepPress || step.Kind == StepGo:
			fields = nil
		}
	}
	return nil
}

// leadStep does a step that leads to another page, and returns the tab that shows that. Its errors are the
// attempt's as they stand.
type leadStep func(context.Context, Step) (*browser.Tab, error)

// runStep does a step. It returns the field that was written into, if any was.
func (p *Portal) runStep(ctx context.Context, in **browser.Tab, step Step, values template.Values, fields []*written, lead leadStep) (field *written, err error) {
	tab, step := *in, p.secretTarget(step)
	text, err := p.stepText(ctx, step, values)
	if err == nil && step.Says != "" {
		step.Says, err = stepValue(step, step.Says, values)
	}
	if err != nil {
		return nil, &StepError{Step: step, Err: err}
	}
	limit := p.recipe.Ready.Timeout
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	switch step.Kind {
	case StepFill, StepTOTP:
		field = &written{target: step.Target, text: text}
		err = field.write(bounded, tab)
	case StepSelect:
		err = tab.Select(bounded, step.Target, text)
	case StepPress:
		step.Check = p.permit(tab, step)
		if err = keepWritten(bounded, tab, fields, step); err == nil {
			err = tab.Press(bounded, step.Target, step.Value)
		}
	case StepClick:
		step.Text = text
		step.Check = p.permit(tab, step)
		err = keepWritten(bounded, tab, fields, step)
		switch {
		case err != nil:
		case step.Window:
			*in, err = lead(ctx, step)
			return nil, err
		default:
			err = p.clickStep(bounded, tab, step)
		}
	case StepWait:
		err = tab.Wait(bounded, step.Target)
	}
	if err == nil && step.Kind != StepFill && step.Kind != StepWait {
		err = tab.Calm(ctx, calm, settleAfterStep)
	}
	if err == nil {
		return field, nil
	}
	failed := &StepError{Step: step, Err: err}
	if ctx.Err() == nil && bounded.Err() != nil {
		failed.Limit = limit
	}
	return nil, failed
}

// clickStep clicks what a step is for. Where the recipe does not say all of what is read on that, it may do
// more than show something, and is not clicked then.
func (p *Portal) clickStep(ctx context.Context, tab *browser.Tab, step Step) error {
	if !step.told {
		return tab.Click(ctx, step.Target)
	}
	label, does, err := p.labelOf(ctx, tab, step)
	switch {
	case err != nil:
		return err
	case does.Surely && !step.says([]string{spoken(label)}):
		return &UnsaidError{Step: step, Label: does.Label}
	case does.Surely:
	case does.Label != "":
		return tasks.Permanent("", tasks.ClassNotClicked, "it was not clicked: %q may do more than show %q; say with a selector (a class, an id) beside the text which elements only do that", does.Label, step.Text)
	}
	step.Text, step.Part = label, false
	return tab.Click(ctx, step.Target)
}

// doesMore is what says that a click may do more than show something, and whether that is sure.
type doesMore struct {
	Label  string
	Surely bool
}

// labelOf returns what people read on the only element that shows the step's text, and what of it does more.
func (p *Portal) labelOf(ctx context.Context, tab *browser.Tab, step Step) (label string, does doesMore, err error) {
	for {
		var said string
		if label, said, err = tab.Label(ctx, step.Target); err != nil {
			return "", does, err
		}
		does, err = p.doesMore(ctx, tab, label, said, step.Text, told.MatchString(step.Selector) || !step.Part)
		if !errors.Is(err, browser.ErrNavigated) || ctx.Err() != nil {
			return label, does, err
		}
	}
}

// doesMore returns what says that an element does more than show something: of its label, and of all that it
// says. It was looked for by a text; chosen: and by more than that.
func (p *Portal) doesMore(ctx context.Context, tab *browser.Tab, label, said, text string, chosen bool) (does doesMore, err error) {
	err = tab.Inspect(ctx, call("refusedLabel", readerRule(p.recipe, "", ""), label, said, text, chosen), &does)
	return does, err
}

// stepText returns what a step writes, chooses or looks for. It blocks where a one-time code has to be
// waited for.
func (p *Portal) stepText(ctx context.Context, step Step, values template.Values) (string, error) {
	switch {
	case step.Kind == StepTOTP:
		secret, err := step.Secret.Read(step.field())
		if err != nil {
			return "", err
		}
		key, err := otp.Parse(secret)
		if err != nil {
			return "", err
		}
		return p.codes.Next(ctx, key)
	case step.Secret != Secret{}:
		return step.Secret.Read(step.field())
	case step.Kind == StepPress:
		return "", nil
	}
	return stepValue(step, step.template(), values)
}

// stepValue returns a template of a step with an order's own values.
func stepValue(step Step, source string, values template.Values) (string, error) {
	text, err := fillIn(source, values)
	if err != nil {
		return "", tasks.Permanent(tasks.OutcomeInvalidInput, tasks.ClassInvalidInput, "%s %s: %w", step.Where, step.Kind, err)
	}
	return text, nil
}

// fillIn returns a template with an order's own values, none of which may be empty.
func fillIn(source string, values template.Values) (string, error) {
	parts, err := template.Parse(source)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, part := range parts {
		out.WriteString(part.Literal)
		if part.Placeholder == "" {
			continue
		}
		value, known := values.Value(part.Placeholder)
		if !known || strings.TrimSpace(value) == "" {
			return "", fmt.Errorf("{%s} is empty for this order", part.Placeholder)
		}
		out.WriteString(value)
	}
	return out.String(), nil
}
