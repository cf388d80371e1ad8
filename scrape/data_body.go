package scrape

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/poscrape/poscrape/internal/jsondata"
	"github.com/poscrape/poscrape/internal/template"
)

// Body is the template of what a POST for data sends: JSON, or the fields of a form.
type Body struct {
	text  string // as it stands in the recipe
	form  bool
	parts []bodyPart
}

// bodyPart is literal text of the body, or the placeholder of a value: in a text, or a number.
type bodyPart struct {
	literal, placeholder string
	number               bool
}

func (b *Body) String() string {
	if b == nil {
		return ""
	}
	return b.text
}

// key tells the body from others that say something else.
func (b *Body) key() string {
	if b == nil || b.form {
		return b.String()
	}
	var text strings.Builder
	for _, part := range b.parts {
		text.WriteString(part.literal)
		switch {
		case part.number: // a text that no body has
			text.WriteString(`"\u0000` + part.placeholder + `"`)
		case part.placeholder != "":
			text.WriteString(inJSONText("{" + part.placeholder + "}"))
		}
	}
	return sameBody(text.String())
}

// sameBody returns what a body of JSON says, without the white space that says nothing and in one order
// of its members; any other as it is.
func sameBody(text string) string {
	value, err := jsondata.Read([]byte(text))
	if err != nil {
		return text
	}
	plain, err := json.Marshal(spaced(value))
	if err != nil {
		return text
	}
	return string(plain)
}

// spaced returns a value whose documents of GraphQL have single spaces, unless they hold texts.
func spaced(value any) any {
	switch v := value.(type) {
	case []any:
		for i := range v {
			v[i] = spaced(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = spaced(v[name])
		}
	case string:
		if isGraphQL(v) && !strings.ContainsAny(v, `"#`) {
			return strings.Join(strings.Fields(v), " ")
		}
	}
	return value
}

// kind returns the content type.
func (b *Body) kind() string {
	if b.form {
		return "application/x-www-form-urlencoded"
	}
	return "application/json"
}

// needs returns the placeholders, as in a template.
func (b *Body) needs() string {
	if b == nil {
		return ""
	}
	var names strings.Builder
	for _, part := range b.parts {
		if part.placeholder != "" {
			names.WriteString("{" + part.placeholder + "}")
		}
	}
	return names.String()
}

// fill fills in values, each so that it is nothing but a part of its text. why says which is missing,
// or is empty.
func (b *Body) fill(value func(placeholder string) (value, why string)) (filled, why string) {
	var out strings.Builder
	for _, part := range b.parts {
		out.WriteString(part.literal)
		if part.placeholder == "" {
			continue
		}
		text, why := value(part.placeholder)
		switch {
		case why != "":
			return "", why
		case b.form:
			text = url.QueryEscape(text)
		case part.number && !wholeNumber.MatchString(text):
			return "", fmt.Sprintf("%q needs a number for {%s}, and that is %q; put the placeholder in quotes", b.text, part.placeholder, text)
		case !part.number:
			text = inJSONText(text)
		}
		out.WriteString(text)
	}
	return out.String(), ""
}

var wholeNumber = regexp.MustCompile(`^(?:0|[1-9][0-9]{0,17})$`)

// inJSONText returns a text as it stands between the quotes of JSON.
func inJSONText(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		return "" // a text can be written
	}
	return string(quoted[1 : len(quoted)-1])
}

// ParseBody reads the template of JSON. Its errors go on after the key that it stands under.
func ParseBody(text string) (*Body, error) {
	b := &Body{text: text}
	var sample strings.Builder
	literal := func(text string) {
		sample.WriteString(text)
		b.parts = append(b.parts, bodyPart{literal: text})
	}
	for rest := text; rest != ""; {
		next := strings.IndexAny(rest, `"{`)
		if next < 0 {
			literal(rest)
			break
		}
		literal(rest[:next])
		rest = rest[next:]
		if name := barePlaceholder.FindStringSubmatch(rest); name != nil {
			sample.WriteString("0")
			b.parts = append(b.parts, bodyPart{placeholder: name[1], number: true})
			rest = rest[len(name[0]):]
			continue
		}
		if rest[0] == '{' {
			literal("{")
			rest = rest[1:]
			continue
		}
		quoted, size := jsondata.First([]byte(rest))
		if size == 0 {
			return nil, errors.New("is no JSON: a text in it has no end")
		}
		rest = rest[size:]
		isKey := strings.HasPrefix(strings.TrimSpace(rest), ":")
		if err := b.addText(quoted, isKey); err != nil {
			return nil, err
		}
		sample.Write(quoted)
	}
	value, err := jsondata.Read([]byte(sample.String()))
	if err != nil {
		return nil, errors.New(`is no JSON; write JSON in single quotes, as '{"id": "{po}"}', or keys with values for a form`)
	}
	switch value.(type) {
	case map[string]any, []any:
		return b, checkOperations(value)
	}
	return nil, errors.New("is a single value; JSON that is posted is an object or a list")
}

// barePlaceholder is one outside of texts, where JSON has none.
var barePlaceholder = regexp.MustCompile(`^\{((?:column:)?[\pL\pN_][\pL\pN_ .-]*)\}`)

// addText adds a text of JSON, with its quotes.
func (b *Body) addText(quoted []byte, isKey bool) error {
	var text string
	if err := json.Unmarshal(quoted, &text); err != nil {
		return errors.New("is no JSON: a text in it is broken")
	}
	parts, err := placeholdersIn(text)
	if err != nil {
		return err
	}
	if parts == nil || isKey {
		if isKey && parts != nil {
			return fmt.Errorf("has a placeholder in the name %q; only values can have one", text)
		}
		b.parts = append(b.parts, bodyPart{literal: string(quoted)})
		return nil
	}
	b.parts = append(b.parts, bodyPart{literal: `"`})
	for _, part := range parts {
		b.parts = append(b.parts, bodyPart{literal: inJSONText(part.Literal), placeholder: part.Placeholder})
	}
	b.parts = append(b.parts, bodyPart{literal: `"`})
	return nil
}

// addField adds a field of a form.
func (b *Body) addField(name, text string) error {
	parts, err := placeholdersIn(text)
	if err != nil {
		return err
	}
	if parts == nil {
		parts = []template.Part{{Literal: text}}
	}
	and := "&"
	if len(b.parts) == 0 {
		and = ""
	}
	b.form = true
	b.text += and + name + "=" + text
	b.parts = append(b.parts, bodyPart{literal: and + url.QueryEscape(name) + "="})
	for _, part := range parts {
		b.parts = append(b.parts, bodyPart{literal: url.QueryEscape(part.Literal), placeholder: part.Placeholder})
	}
	return nil
}

// placeholdersIn returns the parts of a text that has placeholders, or nil. In a language with rules of
// its own, such as a query, JSON, or anything with quotes, nobody knows how a value is to be written:
// there it has to stand alone.
func placeholdersIn(text string) ([]template.Part, error) {
	parts, err := template.Parse(text)
	plain := err == nil && !isGraphQL(text)
	has := false
	for _, part := range parts {
		name := strings.TrimPrefix(part.Placeholder, "column:")
		has = has || part.Placeholder != ""
		plain = plain && (part.Placeholder == "" || valueName.MatchString(name) || strings.HasPrefix(part.Placeholder, "column:"))
	}
	names := namesOrder(text) || strings.Contains(text, "{column:")
	switch {
	case !plain && names:
		return nil, fmt.Errorf("has a placeholder within %q, where a value could change what it says; in GraphQL, hand the value over in variables", shortly(text))
	case !plain || !has:
		return nil, nil
	case strings.ContainsAny(text, "'\"`\\<>$"):
		return nil, fmt.Errorf("has a placeholder beside quotes in %q, where a value could change what it says; the placeholder must stand without them", shortly(text))
	}
	return parts, nil
}
