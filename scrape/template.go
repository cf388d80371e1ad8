package scrape

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// maxFolderLevels bounds the depth of a recipe's folder, so that the path of a
// document stays within the 260 characters that Windows grants by default.
const maxFolderLevels = 4

// unknownValue stands in a folder's name for a value that the order does not have.
const unknownValue = "unknown"

// TemplateValues are what the placeholders of a template stand for.
type TemplateValues struct {
	// PO is {po}, the canonical number; Digits is {digits}, see PORule.Digits.
	PO, Digits string
	// BaseURL is {base_url}. It may hold placeholders itself.
	BaseURL string
	// Columns is the input's header row, Cells the order's first row, which may
	// be shorter: {column:NAME}.
	Columns, Cells []string
	// Fields are the order's values by name, for folders.
	Fields map[string]string
}

// column returns the row's cell below the header called name, and whether there
// is such a header: the same to the letter, else the same without case, spaces,
// "_" and "-", as column names are matched everywhere.
func (v TemplateValues) column(name string) (string, bool) {
	i := slices.Index(v.Columns, name)
	if i < 0 {
		i = slices.IndexFunc(v.Columns, func(c string) bool { return looseName(c) == looseName(name) })
	}
	switch {
	case i < 0:
		return "", false
	case i >= len(v.Cells):
		return "", true
	default:
		return strings.TrimSpace(v.Cells[i]), true
	}
}

func looseName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// templatePart is literal text, or the name of a placeholder.
type templatePart struct {
	literal, placeholder string
}

func parseTemplate(template string) ([]templatePart, error) {
	var parts []templatePart
	for rest := template; rest != ""; {
		literal, tail, found := strings.Cut(rest, "{")
		if strings.Contains(literal, "}") {
			return nil, errors.New("has a } without its {")
		}
		if literal != "" {
			parts = append(parts, templatePart{literal: literal})
		}
		if !found {
			break
		}
		name, after, closed := strings.Cut(tail, "}")
		if !closed || strings.Contains(name, "{") {
			return nil, errors.New("has a { without its }")
		}
		if column, is := strings.CutPrefix(name, "column:"); strings.TrimSpace(name) == "" || is && strings.TrimSpace(column) == "" {
			return nil, fmt.Errorf("has the placeholder {%s}, which names nothing", name)
		}
		parts = append(parts, templatePart{placeholder: name})
		rest = after
	}
	return parts, nil
}

// CheckURLTemplate returns what is wrong with a URL template, or nil. Its
// scheme (http or https) and its host are fixed, or come from {base_url} at its
// beginning: a row that lives on another host brings its own URL.
func CheckURLTemplate(template, baseURL string) error {
	v := TemplateValues{PO: "1", Digits: "1", BaseURL: baseURL}
	_, err := expandURL(template, func(name string) (string, error) {
		if strings.HasPrefix(name, "column:") {
			return "1", nil
		}
		return v.urlValue(name)
	}, baseURL)
	return err
}

// ExpandURL fills in a URL template. Values are escaped so that they can only
// be one segment of a path, or one value of a query. It returns an error that
// names the placeholder for one that is not known or whose value is missing.
func ExpandURL(template string, v TemplateValues) (string, error) {
	return expandURL(template, v.urlValue, v.BaseURL)
}

func (v TemplateValues) urlValue(name string) (string, error) {
	value, known := v.orderValue(name)
	column, isColumn := strings.CutPrefix(name, "column:")
	switch {
	case known && value != "":
		return value, nil
	case known:
		return "", fmt.Errorf("needs {%s}, which is empty in this row", name)
	case isColumn:
		return "", fmt.Errorf("needs the column %q, which the input does not have", column)
	}
	hint := "a URL can have {po}, {digits}, {base_url} and {column:NAME}"
	if near := nearest(name, []string{"po", "digits", "base_url"}); near != "" {
		hint = "did you mean {" + near + "}?"
	}
	return "", fmt.Errorf("has the placeholder {%s}, which is not known; %s", name, hint)
}

// orderValue returns what {po}, {digits} or {column:NAME} stands for, and
// whether name is one of these and there is such a column.
func (v TemplateValues) orderValue(name string) (value string, known bool) {
	if column, is := strings.CutPrefix(name, "column:"); is {
		return v.column(column)
	}
	switch name {
	case "po":
		return v.PO, true
	case "digits":
		return v.Digits, true
	}
	return "", false
}

// fixedHost matches a template's beginning when scheme and host are complete in it.
var fixedHost = regexp.MustCompile(`(?i)^https?://[^/?#\\{]+([/?#]|$)`)

func expandURL(template string, value func(name string) (string, error), baseURL string) (string, error) {
	if strings.Contains(template, "{base_url}") {
		if baseURL == "" {
			return "", errors.New("needs {base_url}, and there is no base_url")
		}
		template = strings.ReplaceAll(template, "{base_url}", strings.TrimRight(baseURL, "/"))
	}
	host := fixedHost.FindString(template)
	parts, err := parseTemplate(template[len(host):])
	if err != nil {
		return "", err
	}
	address := host
	for _, p := range parts {
		address += escapeLiteral(p.literal)
		if p.placeholder == "" {
			continue
		}
		text, err := value(p.placeholder)
		if err != nil {
			return "", err
		}
		address += escapeValue(text)
	}
	if host == "" {
		return "", errors.New("must begin with http:// or https:// and a host without placeholders, or with {base_url}")
	}
	if err := checkURL(address); err != nil {
		return "", err
	}
	return address, nil
}

// escapeValue escapes all but letters, digits and -_.~ and so fits into paths,
// queries and fragments alike.
func escapeValue(text string) string {
	return strings.ReplaceAll(url.QueryEscape(text), "+", "%20")
}

// escapeLiteral escapes what cannot stand in a URL, as browsers do. With it
// there, url.URL would escape the whole path anew and undo escapeValue.
func escapeLiteral(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._~:/?#[]@!$&'()*+,;=%", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func checkURL(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return fmt.Errorf("is not a URL: %w", errors.Unwrap(err))
	case u.Hostname() == "":
		return errors.New("has no host")
	case u.User != nil:
		return errors.New("has a user name in it; secrets do not belong there")
	}
	for segment := range strings.SplitSeq(strings.ReplaceAll(u.Path, `\`, "/"), "/") {
		if segment == "." || segment == ".." {
			return fmt.Errorf("has %q in its path, which leads elsewhere", segment)
		}
	}
	return nil
}

// checkFolderTemplate returns what is wrong with a folder template, or nil.
func checkFolderTemplate(template string) error {
	if _, err := parseTemplate(template); err != nil {
		return err
	}
	segments := splitFolder(template)
	switch {
	case strings.ContainsRune(template, '\\'):
		return errors.New(`has a \; write / between folders`)
	case strings.HasPrefix(template, "/") || len(template) > 1 && template[1] == ':':
		return errors.New("must be a path below the session's orders folder, not an absolute one")
	case len(segments) > maxFolderLevels:
		return fmt.Errorf("has %d levels; at most %d are possible", len(segments), maxFolderLevels)
	}
	for _, segment := range segments {
		if strings.TrimSpace(segment) == "" {
			return errors.New("has a folder without a name; remove the / too many")
		}
		if strings.Trim(segment, ". ") == "" {
			return fmt.Errorf("has %q in it; a folder stays below the session's orders folder", segment)
		}
	}
	return nil
}

// splitFolder splits at each "/" outside of placeholders.
func splitFolder(template string) []string {
	levels := []string{""}
	inside := false
	for _, r := range template {
		if r == '/' && !inside {
			levels = append(levels, "")
			continue
		}
		inside = r == '{' || inside && r != '}'
		levels[len(levels)-1] += string(r)
	}
	return levels
}

// ExpandFolder fills in a recipe's folder: {po} and {digits} are the order's
// number; another {name} is a field, else a column, else "unknown". The result
// is a relative path with "/" between safe names, as deep as the template,
// whatever the values are. Two orders can have the same.
func ExpandFolder(template string, v TemplateValues) string {
	var names []string
	for _, segment := range splitFolder(template) {
		parts, err := parseTemplate(segment)
		if err != nil {
			parts = []templatePart{{literal: segment}} // not of a recipe that was read
		}
		var b strings.Builder
		for _, p := range parts {
			b.WriteString(p.literal)
			if p.placeholder != "" {
				b.WriteString(v.folderValue(p.placeholder))
			}
		}
		names = append(names, safeFolderName(b.String()))
	}
	return strings.Join(names[:min(len(names), maxFolderLevels)], "/")
}

func (v TemplateValues) folderValue(name string) string {
	value, known := v.orderValue(name)
	if !known {
		value = strings.TrimSpace(v.Fields[name])
	}
	if !known && value == "" {
		value, _ = v.column(name)
	}
	if value == "" {
		return unknownValue
	}
	return value
}
