package scrape

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/spelling"
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
)

// Step is one thing that a recipe does in a page.
type Step struct {
	// Where is its place in the recipe, "login.steps[2]".
	Where string
	Kind  StepKind
	// Target is the element; StepPress may have none.
	browser.Target
	// Value is the template of what StepFill writes and StepSelect chooses, with {po},
	// {digits} and {column:NAME}; or the key of StepPress.
	Value string
	// Secret is what StepFill writes in place of Value, and the key of StepTOTP.
	Secret Secret
	at     position
}

// field is the path of the step's key in the recipe.
func (s Step) field() string { return s.Where + "." + string(s.Kind) }

// CheckSteps returns a *RecipeError for the first placeholder of the recipe's steps that is
// no column of the sheet.
func (r *Recipe) CheckSteps(columns []string) error {
	for _, step := range r.allSteps() {
		if step.Kind == StepPress {
			continue
		}
		parts, err := template.Parse(step.Value)
		if err != nil {
			return r.stepError(step, err.Error()) // ReadRecipe has seen to it
		}
		for _, p := range parts {
			name, isColumn := strings.CutPrefix(p.Placeholder, "column:")
			if _, ok := template.FindColumn(columns, name); !isColumn || ok {
				continue
			}
			message := fmt.Sprintf("has the placeholder {%s}, and the sheet has no column of that name", p.Placeholder)
			if near := spelling.Nearest(strings.ToLower(name), lowered(columns)); near != "" {
				message += fmt.Sprintf("; did you mean {column:%s}?", near)
			}
			return r.stepError(step, message)
		}
	}
	return nil
}

// allSteps returns the steps of the recipe: those of an order first.
func (r *Recipe) allSteps() []Step {
	if r.Login == nil {
		return r.Open.Steps
	}
	return slices.Concat(r.Open.Steps, r.Login.Steps)
}

func (r *Recipe) stepError(step Step, message string) error {
	return &RecipeError{File: r.File, Line: step.at.line, Column: step.at.column, Field: step.field(), Message: message}
}

// takesNumber reports whether one of the steps is told an order's number or cells.
func takesNumber(steps []Step) bool {
	for _, step := range steps {
		if step.Kind != StepPress && strings.Contains(step.Value, "{") {
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
}

func (e *StepError) Error() string {
	text := fmt.Sprintf("%s %s", e.Step.Where, e.Step.Kind)
	var element *browser.ElementError
	switch {
	case errors.As(e.Err, &element):
		text += fmt.Sprintf(" %q", element.Selector)
		if element.Frame != "" {
			text += fmt.Sprintf(" in the frame %q", element.Frame)
		}
		text += ": " + element.Why
	default:
		text += ": " + e.Err.Error()
	}
	if e.Limit > 0 {
		text += fmt.Sprintf(" within %v", e.Limit)
	}
	return text
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
// the first that could not be done; where ctx has ended, that wraps its cause.
func (p *Portal) runSteps(ctx context.Context, tab *browser.Tab, steps []Step, values template.Values) error {
	for _, step := range steps {
		if err := p.runStep(ctx, tab, step, values); err != nil {
			return err
		}
	}
	return nil
}

func (p *Portal) runStep(ctx context.Context, tab *browser.Tab, step Step, values template.Values) error {
	text, err := p.stepText(ctx, step, values)
	if err != nil {
		return &StepError{Step: step, Err: err}
	}
	limit := p.recipe.Ready.Timeout
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	switch step.Kind {
	case StepFill, StepTOTP:
		err = tab.Fill(bounded, step.Target, text)
	case StepSelect:
		err = tab.Select(bounded, step.Target, text)
	case StepPress:
		err = tab.Press(bounded, step.Target, step.Value)
	case StepClick:
		err = tab.Click(bounded, step.Target)
	case StepWait:
		err = tab.Wait(bounded, step.Target)
	}
	if err == nil && step.Kind != StepFill && step.Kind != StepWait {
		err = tab.Calm(ctx, calm, settleAfterStep)
	}
	if err == nil {
		return nil
	}
	failed := &StepError{Step: step, Err: err}
	if ctx.Err() == nil && bounded.Err() != nil {
		failed.Limit = limit
	}
	return failed
}

// stepText returns what a step writes or chooses. It blocks where a one-time code has to be
// waited for.
func (p *Portal) stepText(ctx context.Context, step Step, values template.Values) (string, error) {
	switch {
	case step.Kind == StepTOTP:
		secret, err := step.Secret.Read(step.field())
		if err != nil {
			return "", err
		}
		key, err := parseTOTP(secret)
		if err != nil {
			return "", err
		}
		return p.codes.next(ctx, key)
	case step.Secret != Secret{}:
		return step.Secret.Read(step.field())
	case step.Kind == StepPress:
		return "", nil
	}
	text, err := fillIn(step.Value, values)
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
