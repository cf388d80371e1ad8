// Package claims holds what a document is called, and what a server says of it, against its bytes.
package claims

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/inspect"
)

// Claims are what is said about a document besides its bytes.
type Claims struct {
	// Item is its name on the page, File the one that the server suggests, Address
	// where it was asked for, Announced the content type that came with it.
	Item, File, Address, Announced string
	// Unnamed: the server suggests none, and File is the last part of the address.
	Unnamed bool
}

// forms are those that fit a name or an announced type.
type forms []inspect.Form

var (
	// plainText has no markup: what is sent in its place as JSON or XML is an error.
	plainText = forms{inspect.Text}
	office    = forms{inspect.ZIP, inspect.OLE} // encrypted ones are OLE files
	// legacy Office endings also stand for what Excel and Word open under them; texts
	// still need the recipe's types.
	sheet  = forms{inspect.OLE, inspect.ZIP, inspect.Text, inspect.XML, inspect.HTML, inspect.Other}
	letter = forms{inspect.OLE, inspect.ZIP, inspect.RTF, inspect.XML, inspect.HTML}
)

// endings are those of names that stand for certain forms.
var endings = spread(map[string]forms{
	".pdf": {inspect.PDF}, ".ai": {inspect.PDF, inspect.PS}, ".ps .eps": {inspect.PS, inspect.PDF},
	".docx .docm .dotx .dotm .xlsx .xlsm .xlsb .xltx .xltm .pptx .pptm .ppsx .potx .vsdx .odt .ods .odp .odg .ott .ots": office,
	".xls .xlt": sheet, ".doc .dot .wps": letter, ".ppt .pps .pot .msg .vsd .mpp .pub": office,
	".zip .jar .epub .kmz .3mf .xps .oxps": {inspect.ZIP},
	".7z":                                  {inspect.SevenZip}, ".rar": {inspect.RAR}, ".gz .tgz .svgz": {inspect.GZIP}, ".rtf": {inspect.RTF},
	".png": {inspect.PNG}, ".jpg .jpeg .jpe .jfif .pjpeg": {inspect.JPEG}, ".gif": {inspect.GIF}, ".tif .tiff": {inspect.TIFF},
	".bmp .dib": {inspect.BMP}, ".webp": {inspect.WebP}, ".heic .heif": {inspect.HEIF}, ".dwg .dwt": {inspect.DWG},
	".html .htm .xhtml": {inspect.HTML}, ".xml .xsd .xsl .svg": {inspect.XML}, ".json .geojson": {inspect.JSON},
	".csv .tsv .eml .ics .vcf .edi .edifact .x12 .step .stp .p21 .iges .igs": plainText,
})

// noText are the forms that no file with one of noteEndings has, though such files may hold any text:
// what comes in place of one was compressed twice, or is another file.
var (
	noText      = forms{inspect.PDF, inspect.ZIP, inspect.GZIP, inspect.OLE, inspect.SevenZip, inspect.RAR, inspect.PNG, inspect.JPEG, inspect.GIF, inspect.TIFF, inspect.WebP, inspect.HEIF}
	noteEndings = strings.Fields(".txt .text .md .log .xml .json .jsonl .yaml .yml .html .htm .sql .ini")
)

// textEndings are those of files that are text: whatever the text is, it is a document.
var textEndings = strings.Fields(`.txt .text .csv .tsv .tab .psv .asc .prn .log .md .markdown .rst .tex .ini .cfg .conf .properties .nfo
		.xml .xsd .xsl .xslt .svg .rss .ubl .json .jsonl .ndjson .geojson .yaml .yml .toml
		.eml .mbox .ics .ical .ifb .vcf .vcard .ldif .mht .mhtml
		.edi .edifact .edf .x12 .idoc .dat .sdf .mt940 .sta .c53 .bai .ofx .qif
		.step .stp .p21 .iges .igs .dxf .stl .obj .ply .gcode .nc .gbr .ger .drl .exc .ifc .hpgl .plt .wrl
		.ps .eps .rtf .sql .pem .crt .cer .p7m .p7s .p7b .asn .sig .asice`)

// announcements are the content types that stand for certain forms. General ones, such
// as application/octet-stream, text/plain and text/html, which servers send where nobody
// has told them another, are not among them.
var announcements = spread(map[string]forms{
	"application/pdf application/x-pdf application/acrobat application/vnd.pdf text/pdf text/x-pdf": {inspect.PDF},
	"image/png image/x-png": {inspect.PNG}, "image/jpeg image/jpg image/pjpeg": {inspect.JPEG}, "image/gif": {inspect.GIF},
	"image/tiff image/x-tiff": {inspect.TIFF}, "image/bmp image/x-ms-bmp": {inspect.BMP}, "image/webp": {inspect.WebP},
	"image/heic image/heif": {inspect.HEIF}, "image/svg+xml": {inspect.XML},
	"application/msword": letter, "application/vnd.ms-powerpoint application/vnd.ms-outlook": office,
	"application/vnd.ms-excel application/x-msexcel application/excel application/x-excel application/msexcel": append(slices.Clone(sheet), inspect.JSON),
	"application/zip application/x-zip application/x-zip-compressed":                                           {inspect.ZIP, inspect.OLE},
	"application/gzip application/x-gzip":                                                                      {inspect.GZIP},
	"application/x-7z-compressed":                                                                              {inspect.SevenZip},
	"application/vnd.rar application/x-rar-compressed":                                                         {inspect.RAR},
	"application/rtf text/rtf":                                                                                 {inspect.RTF},
	"application/json":                                                                                         {inspect.JSON},
	"application/xml text/xml":                                                                                 {inspect.XML, inspect.HTML},
	"text/csv application/csv text/tab-separated-values":                                                       plainText,
	"message/rfc822 text/calendar":                                                                             plainText,
})

// contents are what files with an ending are for. Which program's format they are in does not
// matter: workbooks of OpenDocument's are exported as .xlsx, new ones as .xls.
var contents = spread(map[string]inspect.Content{
	".docx .docm .dotx .dotm .doc .dot .wps .odt .ott":  inspect.Letter,
	".xlsx .xlsm .xlsb .xltx .xltm .xls .xlt .ods .ots": inspect.Sheet,
	".pptx .pptm .ppsx .potx .ppt .pps .pot .odp":       inspect.Slides,
	".vsdx .vsd .odg": inspect.Drawing, ".msg": inspect.Mail, ".mpp": "a project", ".pub": "a publication",
	"application/vnd.openxmlformats-officedocument.wordprocessingml.document application/vnd.oasis.opendocument.text":           inspect.Letter,
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet application/vnd.oasis.opendocument.spreadsheet":          inspect.Sheet,
	"application/vnd.openxmlformats-officedocument.presentationml.presentation application/vnd.oasis.opendocument.presentation": inspect.Slides,
})

// spread gives each word of the keys an entry of its own.
func spread[V any](byWords map[string]V) map[string]V {
	all := map[string]V{}
	for words, fit := range byWords {
		for word := range strings.FieldsSeq(words) {
			all[word] = fit
		}
	}
	return all
}

// fitsAnnounced returns the forms that an announced type stands for, or nil for any.
func fitsAnnounced(announced string) forms {
	kind := mediaType(announced)
	if strings.HasPrefix(kind, "application/vnd.openxmlformats-officedocument.") || strings.HasPrefix(kind, "application/vnd.oasis.opendocument.") {
		return office
	}
	return announcements[kind]
}

func mediaType(announced string) string {
	kind, _, _ := strings.Cut(announced, ";")
	return strings.ToLower(strings.TrimSpace(kind))
}

// Misuse compares what names say with what an Office file or an archive is for. What the server
// announced matters only where no name says it.
func (c Claims) Misuse(content inspect.Content) string {
	if content == "" {
		return ""
	}
	named := false
	for _, name := range []string{c.Item, c.File, pathOf(c.Address)} {
		want := contents[Ending(name)]
		if want == "" || named && name == pathOf(c.Address) { // an address is no name
			continue
		}
		if named = true; want != content {
			return fmt.Sprintf("it is %s, and its name ends in %s", content, Ending(name))
		}
	}
	if want := contents[mediaType(c.Announced)]; !named && want != "" && want != content {
		return fmt.Sprintf("it is %s, and the server announced %s", content, c.Announced)
	}
	return ""
}

// Names reports whether a name stands for files of this form.
func (c Claims) Names(form inspect.Form) bool {
	return slices.ContainsFunc([]string{c.Item, c.File, pathOf(c.Address)}, func(name string) bool {
		return slices.Equal(endings[Ending(name)], forms{form})
	})
}

// Conflict compares what is said about a document with its bytes. It returns what is wrong,
// or nothing; allowed are the kinds of text that the recipe takes as documents.
func (c Claims) Conflict(kind inspect.Type, allowed []DocumentType) string {
	names := []string{c.Item, c.File}
	if endings[Ending(c.File)] == nil && !isTextName(c.File) {
		names = append(names, pathOf(c.Address))
	}
	for i, name := range names {
		fit := endings[Ending(name)]
		route := i == 2 && !kind.Form.IsText() && slices.ContainsFunc(fit, inspect.Form.IsText) // an address is no name
		if fit != nil && !route && !fit.has(kind) {
			return fmt.Sprintf("its bytes are %s, and its name ends in %s%s", kind, Ending(name), hint(kind))
		}
		if i < 2 && slices.Contains(noteEndings, Ending(name)) && slices.Contains(noText, kind.Form) {
			return fmt.Sprintf("its bytes are %s, and its name ends in %s", kind, Ending(name))
		}
	}
	if fit := fitsAnnounced(c.Announced); fit != nil && !fit.has(kind) {
		return fmt.Sprintf("its bytes are %s, and the server announced %s%s", kind, c.Announced, hint(kind))
	}
	switch {
	case !kind.Form.IsText() || slices.Contains(allowed, documentTypes[kind.Form]):
		return ""
	case kind.Form == inspect.HTML:
		return "its bytes are an HTML page, which is a document only with attachments.types: [html]; open its link to see whether it is a sign-in page, an error, or a page that has the document's own link"
	case slices.ContainsFunc([]string{c.Item, c.File, pathOf(c.Address)}, isTextName),
		kind.Form == inspect.Text && slices.Equal(fitsAnnounced(c.Announced), plainText): // text/csv and the like, which no error page is sent as
		return ""
	}
	return fmt.Sprintf("its bytes are %s, and no name of it ends as that of such a file does; if it is a document, allow it with attachments.types: [%s]", kind, documentTypes[kind.Form])
}

func isTextName(name string) bool { return slices.Contains(textEndings, Ending(name)) }

// has reports whether bytes are of one of the forms. Bytes that nobody knows are taken
// for text where none of them is zero: some texts have control characters.
func (f forms) has(kind inspect.Type) bool {
	return slices.Contains(f, kind.Form) || kind.Unknown && !kind.HasNUL && slices.Contains(f, inspect.Text)
}

func hint(kind inspect.Type) string {
	if kind.Form.IsText() {
		return "; open its link to see whether it is an error or a sign-in page"
	}
	return ""
}

// Ending returns a name's last part from its point on, in lower case.
func Ending(name string) string {
	return strings.ToLower(strings.TrimSpace(path.Ext(strings.TrimRight(name, " \t\r\n)]\"'"))))
}

// DocumentType is a kind of text that a recipe takes as a document, or one of the kinds of files that a
// system would run (RunsAs).
type DocumentType string

// The types of attachments.types.
const (
	DocumentHTML DocumentType = "html"
	DocumentXML  DocumentType = "xml"
	DocumentJSON DocumentType = "json"
	DocumentText DocumentType = "txt"
)

var documentTypes = map[inspect.Form]DocumentType{
	inspect.HTML: DocumentHTML, inspect.XML: DocumentXML, inspect.JSON: DocumentJSON, inspect.Text: DocumentText,
}

func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Path
}
