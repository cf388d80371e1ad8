package scrape

import (
	"errors"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/redact"
	"github.com/poscrape/poscrape/tasks"
)

// veil hides the secrets that a recipe is given, in all forms in which a page, an address or a
// message may show them.
type veil struct {
	// all hides every secret, in what is said about a page. data hides the passwords, in what a
	// page says about an order: a user's name can be its buyer's.
	all, data redact.Texts
}

// minHidden and minHiddenData are how long a secret must be: shorter ones stand in many texts by chance,
// and would make figures wrong.
const minHidden, minHiddenData = redact.MinHidden, 6

// secretText is a secret that a recipe is given.
type secretText struct {
	text     string
	password bool
}

var (
	namesPassword = regexp.MustCompile(`(?i)pass|pwd|secret|token|\bpin\b|kennwort|totp`)
	namesUser     = regexp.MustCompile(`(?i)user|login|mail|account|name|benutzer|tenant|mandant|company|customer`)
)

// secrets returns those that can be read now.
func (r *Recipe) secrets() []secretText {
	if r.opens != nil {
		return r.opens.secrets()
	}
	var all []secretText
	add := func(s Secret, certain bool, names ...string) {
		name := strings.Join(append(names, s.Env, filepath.Base(s.File)), " ")
		if value, err := s.Read(""); err == nil && s != (Secret{}) {
			all = append(all, secretText{value, certain || namesPassword.MatchString(name) || !namesUser.MatchString(name)})
		}
	}
	for _, step := range r.allSteps() {
		add(step.Secret, step.Kind == StepTOTP, step.Selector)
	}
	for _, h := range r.headers() {
		add(h.Secret, true)
	}
	if r.Login == nil || r.Login.HTTP == nil {
		return all
	}
	add(r.Login.HTTP.User, false, "user")
	add(r.Login.HTTP.Password, true)
	user, _ := r.Login.HTTP.User.Read("")
	if password, err := r.Login.HTTP.Password.Read(""); err == nil {
		all = append(all, secretText{user + ":" + password, true})
	}
	return all
}

// newVeil returns one that hides these.
func newVeil(secrets []secretText) *veil {
	var all, data []string
	for _, s := range secrets {
		if len(s.text) >= minHidden {
			all = append(all, s.text)
		}
		if s.password && len(s.text) >= minHiddenData {
			data = append(data, s.text)
		}
	}
	return &veil{all: redact.New(all), data: redact.New(data)}
}

// hide returns a text about a page without secrets.
func (p *Portal) hide(text string) string { return p.veil().all.Replace(text) }

// failure hides the secrets in a failure.
func (v *veil) failure(f *tasks.Failure) *tasks.Failure {
	if f == nil {
		return nil
	}
	veiled := *f
	veiled.Message, veiled.Seen = v.all.Replace(f.Message), v.all.Replace(f.Seen)
	return &veiled
}

// fields hides the secrets in fields, and returns them. One whose value has a secret in it cannot be used.
func (v *veil) fields(fields map[string]tasks.Field) map[string]tasks.Field {
	for name, field := range fields {
		value := field.Value
		field.Raw, field.Value, field.Error = v.data.Replace(field.Raw), v.data.Replace(value), v.all.Replace(field.Error)
		if field.Value != value && field.Error == "" {
			field.Error = "a secret stands in it, which is hidden: what the recipe signs in with, or the page sends in a header"
		}
		fields[name] = field
	}
	return fields
}

// result hides the secrets in what an attempt has brought home.
func (v *veil) result(res *tasks.Result) {
	res.Folder = v.data.Replace(res.Folder)
	res.URL, res.FellBack = v.all.Replace(res.URL), v.all.Replace(res.FellBack)
	res.Missing = v.failure(res.Missing)
	for i := range res.Notes {
		res.Notes[i] = v.all.Replace(res.Notes[i])
	}
	if res.Proof != nil {
		res.Proof = &tasks.Proof{By: res.Proof.By, Text: v.all.Replace(res.Proof.Text)}
	}
	if res.Shown != nil {
		v.lists(res.Shown.Lists)
	}
	v.fields(res.Fields)
	for _, line := range res.Lines {
		for column, text := range line {
			line[column] = v.data.Replace(text)
		}
	}
	for i := range res.Attachments {
		a := &res.Attachments[i]
		a.Source, a.URL, a.Error = v.all.Replace(a.Source), v.all.Replace(a.URL), v.failure(a.Error)
		a.Name, a.Original = v.data.Replace(a.Name), v.data.Replace(a.Original)
		if v.data.Replace(a.Validators) != a.Validators {
			a.Validators = ""
		}
	}
}

// lists hides the secrets in what pages say of their lists.
func (v *veil) lists(lists []tasks.List) {
	for i := range lists {
		l := &lists[i]
		l.Page, l.None = v.all.Replace(l.Page), v.all.Replace(l.None)
		if l.Count != nil {
			l.Count = &tasks.Counted{N: l.Count.N, Text: v.all.Replace(l.Count.Text), Asked: l.Count.Asked}
		}
	}
}

// probed hides the secrets in what was met on a page.
func (v *veil) probed(p *Probed) {
	p.Address, p.Failure = v.all.Replace(p.Address), v.failure(p.Failure)
	v.fields(p.Fields)
	if p.Result != nil {
		v.result(p.Result)
	}
	v.texts(reflect.ValueOf(p.View))
	v.texts(reflect.ValueOf(p.Description))
}

// longestSight is how much of a text sights.js returns, at least.
const longestSight = 200

// texts hides the secrets in all texts of a value.
func (v *veil) texts(value reflect.Value) {
	switch value.Kind() { // the other kinds have none
	case reflect.Pointer:
		v.texts(value.Elem())
	case reflect.Struct:
		for i := range value.NumField() {
			v.texts(value.Field(i))
		}
	case reflect.Slice:
		for i := range value.Len() {
			v.texts(value.Index(i))
		}
	case reflect.String:
		text := v.data.Replace(value.String())
		if len(text) >= longestSight { // it may have been cut
			text = text[:len(text)-v.data.Begun(text)]
		}
		value.SetString(text)
	case reflect.Interface:
		if !value.IsNil() {
			value.Set(reflect.ValueOf(v.data.Within(value.Interface())))
		}
	}
}

// discreet returns a text without secrets, for a message.
func (p *Portal) discreet(text string) string { return browser.RedactText(p.hide(text)) }

// discreetError hides the secrets in why a sign-in was not made.
func (p *Portal) discreetError(err error) error {
	var refused *SignInError
	var outage *OutageError
	switch {
	case errors.As(err, &refused):
		refused.Seen = p.discreet(refused.Seen)
	case errors.As(err, &outage):
		outage.Failure = p.veil().failure(outage.Failure)
	}
	return err
}
