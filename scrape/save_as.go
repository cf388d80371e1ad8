package scrape

import (
	"errors"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/poscrape/poscrape/internal/filename"
	"github.com/poscrape/poscrape/internal/template"
	"github.com/poscrape/poscrape/tasks"
)

// saveAsNames are the placeholders of save_as that are neither fields nor columns: the
// order's number, and the document's place in the list and name.
var saveAsNames = []string{"po", "digits", "n", "name"}

// checkSaveAs returns what is wrong with a template of a file's name, or nil.
func checkSaveAs(source string) error {
	if _, err := template.Parse(source); err != nil {
		return err
	}
	if len(splitFolder(source)) > 1 || strings.ContainsRune(source, '\\') {
		return errors.New("has a / or \\; it is the name of a file, and folder says where it is")
	}
	return nil
}

// saveAs returns what names the file of the n-th document, or nil where the document's own
// name does.
func (a *attempt) saveAs(n int, res *tasks.Result, hide func(string) string) func(name, file string) string {
	r := a.recipe()
	if r.Attachments == nil || r.Attachments.SaveAs == "" {
		return nil
	}
	fields := map[string]string{}
	for name, field := range res.Fields {
		fields[name] = hide(field.Raw)
	}
	values := a.values()
	values.PO = a.task.PO
	return func(name, file string) string {
		return expandSaveAs(r.Attachments.SaveAs, n, name, file, values, fields)
	}
}

// expandSaveAs fills in the template for a document, whose file would be named so by itself.
// Its extension is kept where the template's own text does not end with one.
func expandSaveAs(source string, n int, name, file string, values template.Values, fields map[string]string) string {
	parts, err := template.Parse(source)
	if err != nil {
		return file // not of a recipe that was read
	}
	extension := filepath.Ext(file)
	if !hasExtension(file) {
		extension = ""
	}
	var text strings.Builder
	for _, p := range parts {
		text.WriteString(p.Literal)
		switch p.Placeholder {
		case "":
		case "n":
			text.WriteString(strconv.Itoa(n))
		case "name":
			if name == "" {
				name = file
			}
			text.WriteString(oneName(name))
		default:
			text.WriteString(oneName(folderValue(p.Placeholder, values, fields)))
		}
	}
	wanted := text.String()
	last := parts[len(parts)-1]
	if !hasExtension(last.Literal) && !strings.EqualFold(filepath.Ext(wanted), extension) {
		wanted = filename.Safe(strings.TrimRight(wanted, ". ")) + extension
	}
	return filename.Safe(wanted)
}

// oneName has a value be a part of a name, and no path.
func oneName(text string) string { return strings.NewReplacer("/", "_", `\`, "_").Replace(text) }
