package scrape

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/url"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

// veil hides the secrets that a recipe is given, in all forms in which a page, an address or a
// message may show them.
type veil struct {
	// all hides every secret, in what is said about a page. data hides the passwords, in what a
	// page says about an order: a user's name can be its buyer's.
	all, data hider
}

// hider puts hidden in the place of each form of a secret, and of the beginning of one that was cut.
type hider struct {
	whole *strings.Replacer
	forms []string
}

// Replace returns a text without secrets.
func (h hider) Replace(text string) string {
	text = h.whole.Replace(text)
	if !strings.Contains(text, cutOff) {
		return text
	}
	parts := strings.Split(text, cutOff)
	for i := range parts[:len(parts)-1] {
		if n := h.begun(parts[i]); n > 0 {
			parts[i] = parts[i][:len(parts[i])-n] + hidden
		}
	}
	return strings.Join(parts, cutOff)
}

// cutOff stands behind what was cut, see shortly.
const cutOff = "..."

// maxCut bounds how much of a secret stands before that.
const maxCut = 500

// begun returns how much of the beginning of a secret a text ends with, if that is enough to tell.
func (h hider) begun(text string) (most int) {
	for _, form := range h.forms {
		for n := min(len(form)-1, len(text), maxCut); n >= minHiddenData && n > most; n-- {
			if strings.HasSuffix(text, form[:n]) {
				most = n
			}
		}
	}
	return most
}

const (
	// hidden stands in the place of a secret.
	hidden = "redacted"
	// minHidden and minHiddenData are how long a secret must be: shorter ones stand in many texts
	// by chance, and would make figures wrong.
	minHidden, minHiddenData = 3, 6
	// minPart is how long a piece of base64 must be to stand for a secret.
	minPart = 8
)

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
			all = append(all, formsOf(s.text)...)
		}
		if s.password && len(s.text) >= minHiddenData {
			data = append(data, formsOf(s.text)...)
		}
	}
	return &veil{all: replacing(all), data: replacing(data)}
}

// replacing returns what puts hidden in the place of each form, the longest first.
func replacing(forms []string) hider {
	slices.SortFunc(forms, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	var pairs []string
	forms = slices.Compact(forms)
	for _, form := range forms {
		pairs = append(pairs, form, hidden)
	}
	return hider{strings.NewReplacer(pairs...), forms}
}

// formsOf returns the forms in which a text can stand somewhere: itself, in an address, in HTML, in
// JSON, in base64.
func formsOf(text string) []string {
	forms := []string{text, url.QueryEscape(text), url.PathEscape(text), strings.ReplaceAll(url.QueryEscape(text), "+", "%20")}
	for _, quote := range []string{`"`, "&#34;", "&quot;"} {
		for _, apostrophe := range []string{"'", "&#39;", "&#x27;", "&apos;"} {
			forms = append(forms, strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, quote, "'", apostrophe).Replace(text))
		}
	}
	for _, form := range slices.Clone(forms) {
		if strings.Contains(form, "%") {
			forms = append(forms, lowerEscapes(form))
		}
	}
	for _, escape := range []bool{true, false} {
		var out strings.Builder
		encoder := json.NewEncoder(&out)
		encoder.SetEscapeHTML(escape)
		if encoder.Encode(text) == nil {
			inner := strings.Trim(strings.TrimSuffix(out.String(), "\n"), `"`)
			forms = append(forms, inner, strings.ReplaceAll(inner, "/", `\/`))
		}
	}
	forms = slices.DeleteFunc(append(forms, base64Forms(text)...), func(form string) bool { return len(form) < minHidden })
	slices.Sort(forms)
	return slices.Compact(forms)
}

var escapes = regexp.MustCompile(`%[0-9A-F]{2}`)

func lowerEscapes(text string) string { return escapes.ReplaceAllStringFunc(text, strings.ToLower) }

// base64Forms returns how a text looks in base64 wherever in a longer one it begins.
func base64Forms(text string) []string {
	var forms []string
	for before := range 3 {
		bytes := append(make([]byte, before), text...)
		begin := []int{0, 2, 3}[before] // what also depends on the bytes before it
		end := len(bytes) * 8 / 6       // and on those behind it
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			if form := encoding.EncodeToString(bytes)[begin:end]; len(form) >= minPart {
				forms = append(forms, form)
			}
		}
	}
	return append(forms, base64.StdEncoding.EncodeToString([]byte(text)))
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
			text = text[:len(text)-v.data.begun(text)]
		}
		value.SetString(text)
	case reflect.Interface:
		if !value.IsNil() {
			value.Set(reflect.ValueOf(v.data.within(value.Interface())))
		}
	}
}

// within returns a value of JSON without secrets in its texts.
func (h hider) within(value any) any {
	switch value := value.(type) {
	case string:
		return h.Replace(value)
	case []any:
		for i, one := range value {
			value[i] = h.within(one)
		}
	case map[string]any:
		for name, one := range value {
			value[name] = h.within(one)
		}
	}
	return value
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
