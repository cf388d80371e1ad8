package scrape

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/secret"
	"github.com/poscrape/poscrape/internal/template"
)

// steps reads a list of steps. Those of a sign-in write nothing that stands in the recipe,
// and know no order.
func (rd *recipeReader) steps(dst *[]Step, signIn bool) readNode {
	return func(n ast.Node, path string) {
		list, ok := n.(*ast.SequenceNode)
		if !ok {
			rd.problem(n, path, "%v", wrongKind(n, `a list of steps such as - click: "#go"`))
			return
		}
		for i, item := range list.Values {
			at := beginning(item)
			step := Step{Where: fmt.Sprintf("%s[%d]", path, i), signIn: signIn, at: position{at.Line, at.Column}}
			seen := rd.keys(item, step.Where, nil, rd.stepKinds(&step, signIn))
			if seen != nil && len(seen) != 1 {
				rd.problem(item, step.Where, "has %d keys; each step is one of fill, select, press, click, wait, totp and go, with a - of its own", len(seen))
			}
			*dst = append(*dst, step)
		}
	}
}

func (rd *recipeReader) stepKinds(step *Step, signIn bool) recipeKeys {
	of := func(kind StepKind, read readNode) readNode {
		return func(n ast.Node, path string) {
			step.Kind = kind
			read(n, path)
		}
	}
	return recipeKeys{
		"fill":   of(StepFill, func(n ast.Node, path string) { rd.secretStep(n, path, step, signIn) }),
		"totp":   of(StepTOTP, func(n ast.Node, path string) { rd.secretStep(n, path, step, true) }),
		"select": of(StepSelect, func(n ast.Node, path string) { rd.selectStep(n, path, step, signIn) }),
		"press":  of(StepPress, func(n ast.Node, path string) { rd.pressStep(n, path, step, signIn) }),
		"click":  of(StepClick, func(n ast.Node, path string) { rd.clickStep(n, path, step, signIn) }),
		"wait":   of(StepWait, func(n ast.Node, path string) { rd.plainStep(n, path, step) }),
		"go":     of(StepGo, func(n ast.Node, path string) { rd.goStep(n, path, step, signIn) }),
	}
}

// checkListSteps sees that what is done once the list's frame has taken the page's place is done in that.
func (rd *recipeReader) checkListSteps() {
	_, within := rd.recipe.stepsOfList()
	for _, step := range within {
		if step.Frame != rd.recipe.List.Frame && step.Selector+step.Text != "" {
			rd.problemAt(step.at.line, step.at.column, step.field(), "stands behind a step in the list's frame, which is opened alone then; do it before, or write frame: %q there too", rd.recipe.List.Frame)
		}
	}
}

// search reads how an order is found.
func (rd *recipeReader) search(n ast.Node, path string) {
	rule := &SearchRule{}
	seen := rd.keys(n, path, []string{"url", "result"}, recipeKeys{
		"url": one(rd, &rule.URL, parseText), "input": rd.selector(&rule.Input),
		"submit": rd.selector(&rule.Submit), "result": rd.selector(&rule.Result),
	})
	switch at := seen["submit"]; {
	case seen == nil:
		return
	case at != nil && rule.Input == "":
		rd.problem(at, joinPath(path, "submit"), "goes with an input, which takes the number")
	case rule.URL != "" && rule.Input == "" && !strings.Contains(strings.ReplaceAll(rule.URL, "{base_url}", ""), "{"):
		rd.problem(seen["url"], joinPath(path, "url"), "has no place for the number; write {po} or {digits} there, or name the field that takes it as input")
	}
	rd.recipe.Open.Search = rule
}

// target returns the keys that say which element a step is for.
func (rd *recipeReader) target(step *Step, more recipeKeys) recipeKeys {
	more["selector"], more["frame"] = rd.selector(&step.Selector), rd.selector(&step.Frame)
	return more
}

// clickStep reads what plainStep does, or the text that is clicked, alone or on what a selector meets.
func (rd *recipeReader) clickStep(n ast.Node, path string, step *Step, signIn bool) {
	if _, is := n.(*ast.MappingNode); !is {
		rd.plainStep(n, path, step)
		return
	}
	keys := rd.target(step, recipeKeys{
		"text": one(rd, &step.Text, stepTemplate(signIn)), "part": one(rd, &step.Part, parseBool),
		"unless": rd.selector(&step.Unless),
	})
	if !signIn {
		keys["window"] = one(rd, &step.Window, parseBool)
		keys["says"] = one(rd, &step.Says, stepTemplate(false))
	}
	seen := rd.keys(n, path, nil, keys)
	step.told = step.Part || strings.Contains(step.Text, "{")
	if at := seen["part"]; at != nil && seen["text"] == nil {
		rd.problem(at, joinPath(path, "part"), "goes with a text, of which it says that it is only a part of what is shown")
	}
	if seen != nil && seen["selector"] == nil && seen["text"] == nil {
		rd.problem(n, joinPath(path, "selector"), "is missing; write it, or the text of what is clicked")
	}
}

// plainStep reads a selector, or a selector and its frame.
func (rd *recipeReader) plainStep(n ast.Node, path string, step *Step) {
	if _, is := n.(*ast.MappingNode); is {
		rd.keys(n, path, []string{"selector"}, rd.target(step, recipeKeys{}))
		return
	}
	one(rd, &step.Selector, func(n ast.Node) (string, error) {
		if text, ok := scalarText(n); ok {
			if err := checkNoDuration(text); err != nil {
				return "", err
			}
		}
		return rd.parseSelector(n)
	})(n, path)
}

var duration = regexp.MustCompile(`^[\d.]+ ?(ms|s|sec|m|min)?$`)

func checkNoDuration(text string) error {
	if duration.MatchString(text) {
		return fmt.Errorf("is %q; a step waits for an element, and not for a time: write its selector", text)
	}
	return nil
}

func (rd *recipeReader) pressStep(n ast.Node, path string, step *Step, signIn bool) {
	key := one(rd, &step.Value, checkedText(func(name string) error {
		if !browser.KnownKey(name) {
			return fmt.Errorf("is %q, which is no key; write Enter, Tab, Escape, ArrowDown, or a character", name)
		}
		return nil
	}))
	if _, is := n.(*ast.MappingNode); is {
		keys := recipeKeys{"key": key}
		if !signIn {
			keys["says"] = one(rd, &step.Says, stepTemplate(false))
		}
		rd.keys(n, path, []string{"key"}, rd.target(step, keys))
		return
	}
	key(n, path)
}

func (rd *recipeReader) selectStep(n ast.Node, path string, step *Step, signIn bool) {
	rd.keys(n, path, []string{"selector", "value"}, rd.target(step, recipeKeys{"value": one(rd, &step.Value, stepTemplate(signIn))}))
}

// secretStep reads a step that writes: what is in the environment or a file, and but for
// secrets a text.
func (rd *recipeReader) secretStep(n ast.Node, path string, step *Step, secret bool) {
	keys := rd.target(step, recipeKeys{
		"env":  one(rd, &step.Secret.Env, checkedText(checkEnv)),
		"file": rd.secretFile(&step.Secret),
		"to":   rd.to(&step.To),
	})
	sources := []string{"env", "file"}
	if !secret {
		sources = append(sources, "value")
		keys["value"] = one(rd, &step.Value, stepTemplate(false))
	} else {
		keys["value"] = func(n ast.Node, path string) {
			rd.problem(n, path, "stands in the recipe, where no secret may be; put it into the environment or a file, and write env: NAME or file: PATH")
		}
	}
	seen := rd.keys(n, path, []string{"selector"}, keys)
	if step.Secret != (Secret{}) {
		step.Secret.Sources = rd.recipe.sources
	}
	if secret && seen["value"] != nil {
		return
	}
	rd.oneOf(n, path, seen, sources...)
	if at := seen["to"]; at != nil && seen["value"] != nil {
		rd.problem(at, joinPath(path, "to"), "goes with env or file: any page may have what stands in the recipe")
	}
}

func checkEnv(name string) error {
	if !secret.IsVariable(name) {
		return errors.New("is no name of an environment's variable; write the name, and not the value") // which may be a secret
	}
	return nil
}

// stepTemplate reads what a step writes or chooses.
func stepTemplate(signIn bool) func(ast.Node) (string, error) {
	return checkedText(func(source string) error {
		parts, err := template.Parse(source)
		if err != nil {
			return err
		}
		for _, p := range parts {
			_, column := strings.CutPrefix(p.Placeholder, "column:")
			switch {
			case p.Placeholder == "":
			case signIn:
				return fmt.Errorf("has the placeholder {%s}; a sign-in is for no single order", p.Placeholder)
			case !column && p.Placeholder != "po" && p.Placeholder != "digits":
				return fmt.Errorf("has the placeholder {%s}; known here: {po}, {digits} and {column:NAME}", p.Placeholder)
			}
		}
		return nil
	})
}
