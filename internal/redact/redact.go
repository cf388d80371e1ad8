// Package redact puts a word in the place of secrets, in whatever form these stand in a text: in an address,
// in HTML, in JSON, in base64.
package redact

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Texts puts Hidden in the place of each form of a secret, and of the beginning of one that was cut.
type Texts struct {
	whole *strings.Replacer
	forms []string
}

// Replace returns a text without secrets.
func (t Texts) Replace(text string) string {
	text = t.whole.Replace(text)
	if !strings.Contains(text, cutOff) {
		return text
	}
	parts := strings.Split(text, cutOff)
	for i := range parts[:len(parts)-1] {
		if n := t.Begun(parts[i]); n > 0 {
			parts[i] = parts[i][:len(parts[i])-n] + Hidden
		}
	}
	return strings.Join(parts, cutOff)
}

// cutOff stands behind what was cut, see shortly.
const cutOff = "..."

// maxCut bounds how much of a secret stands before that.
const maxCut = 500

// Begun returns how much of the beginning of a secret a text ends with, if that is enough to tell.
func (t Texts) Begun(text string) (most int) {
	for _, form := range t.forms {
		for n := min(len(form)-1, len(text), maxCut); n >= minBegun && n > most; n-- {
			if strings.HasSuffix(text, form[:n]) {
				most = n
			}
		}
	}
	return most
}

// Hidden stands in the place of a secret.
const Hidden = "redacted"

const (
	// MinHidden is how long a form of a secret must be: shorter ones stand in many texts by chance.
	MinHidden = 3
	// minBegun is how much of the beginning of one tells that it was cut.
	minBegun = 6
	// minPart is how long a piece of base64 must be to stand for a secret.
	minPart = 8
)

// New returns what puts Hidden in the place of these secrets, the longest form first.
func New(secrets []string) Texts {
	var forms []string
	for _, secret := range secrets {
		forms = append(forms, formsOf(secret)...)
	}
	slices.SortFunc(forms, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	var pairs []string
	forms = slices.Compact(forms)
	for _, form := range forms {
		pairs = append(pairs, form, Hidden)
	}
	return Texts{strings.NewReplacer(pairs...), forms}
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
	forms = slices.DeleteFunc(append(forms, base64Forms(text)...), func(form string) bool { return len(form) < MinHidden })
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

// Within returns a value of JSON without secrets in its texts.
func (t Texts) Within(value any) any {
	switch value := value.(type) {
	case string:
		return t.Replace(value)
	case []any:
		for i, one := range value {
			value[i] = t.Within(one)
		}
	case map[string]any:
		for name, one := range value {
			value[name] = t.Within(one)
		}
	}
	return value
}
