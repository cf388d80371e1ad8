package inspect

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"

	"github.com/gabriel-vasile/mimetype"
)

// HeadSize is how many of a file's first bytes Sniff can make use of.
const HeadSize = 3072

// Form is what a file's bytes are, as coarse as its ending and its name can tell.
type Form string

// The forms that are told apart. Texts have one of the first four.
const (
	HTML     Form = "HTML"
	XML      Form = "XML"
	JSON     Form = "JSON"
	Text     Form = "text"
	PDF      Form = "PDF"
	ZIP      Form = "ZIP" // Word, Excel, PowerPoint and OpenDocument files among them
	OLE      Form = "OLE" // older Office files, Outlook messages, encrypted Office files
	RTF      Form = "RTF"
	PS       Form = "PostScript"
	PNG      Form = "PNG"
	JPEG     Form = "JPEG"
	GIF      Form = "GIF"
	TIFF     Form = "TIFF"
	BMP      Form = "BMP"
	WebP     Form = "WebP"
	HEIF     Form = "HEIF"
	DWG      Form = "DWG"
	GZIP     Form = "gzip"
	SevenZip Form = "7-Zip"
	RAR      Form = "RAR"
	Other    Form = "other" // a form without a name here, or none that is known
)

// IsText reports whether the form is one that people can read as it is.
func (f Form) IsText() bool { return f == HTML || f == XML || f == JSON || f == Text }

// Type is what a file's first bytes say.
type Type struct {
	Form Form
	// MIME type and usual extension, with its dot; the extension may be empty.
	MIME, Extension string
	// Late: a PDF that begins behind other bytes. Its end shows whether it is one.
	Late bool
	// Unknown: no signature fits, and the bytes are no text.
	Unknown bool
	// HasNUL: one of the bytes is zero, as in no text but UTF-16 and UTF-32.
	HasNUL bool
	// Program: a system would run the bytes, whatever their name. Empty for all others.
	Program Program
}

func (t Type) String() string { return t.MIME }

// signatures are the forms with fixed first bytes that are not left to mimetype, which
// wants more of them than a producer may write.
var signatures = []struct {
	prefix string
	form   Form
}{
	{"%PDF-", PDF}, {"PK\x03\x04", ZIP}, {"PK\x05\x06", ZIP}, {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", OLE}, {`{\rtf`, RTF},
	{"%!PS", PS}, {"\xc5\xd0\xd3\xc6", PS}, {"\x89PNG\r\n\x1a\n", PNG}, {"\xff\xd8\xff", JPEG}, {"GIF87a", GIF}, {"GIF89a", GIF},
	{"II*\x00", TIFF}, {"MM\x00*", TIFF}, {"II+\x00", TIFF}, {"MM\x00+", TIFF}, {"AC10", DWG}, {"\x1f\x8b\x08", GZIP},
	{"7z\xbc\xaf\x27\x1c", SevenZip}, {"Rar!\x1a\x07", RAR},
}

var formsByMIME = map[string]Form{
	"text/html": HTML, "application/xhtml+xml": HTML, "text/xml": XML, "application/json": JSON,
	"image/bmp": BMP, "image/webp": WebP, "image/heic": HEIF, "image/heif": HEIF, "text/plain": Text,
}

// pdfWithin is how far from its beginning a PDF's header may stand for readers to take
// it (Adobe's supplement to ISO 32000, implementation note 13).
const pdfWithin = 1024

// oldPDF is how the headers of early PDFs begin, which readers take as well (note 14).
var oldPDF = regexp.MustCompile(`^%!PS-Adobe-\d\.\d PDF-\d\.\d`)

// Sniff returns what a file's first bytes say. More than HeadSize are not looked at.
func Sniff(head []byte) Type {
	head = head[:min(len(head), HeadSize)]
	kind := mimetype.Detect(head)
	t := Type{Form: Other, MIME: kind.String(), Extension: kind.Extension(), HasNUL: bytes.IndexByte(head, 0) >= 0, Program: programOf(head)}
	if oldPDF.Match(head) {
		return Type{Form: PDF, MIME: "application/pdf", Extension: ".pdf", HasNUL: t.HasNUL, Program: t.Program}
	}
	for _, s := range signatures {
		if bytes.HasPrefix(head, []byte(s.prefix)) {
			t.Form = s.form
			return t
		}
	}
	if begins := bytes.Index(head[:min(len(head), pdfWithin)], []byte("%PDF-1.")); begins > 0 {
		return Type{Form: PDF, MIME: "application/pdf", Extension: ".pdf", Late: true, HasNUL: t.HasNUL, Program: t.Program}
	}
	for k := kind; k != nil; k = k.Parent() {
		name, _, _ := strings.Cut(k.String(), ";")
		if form, known := formsByMIME[name]; known {
			t.Form = form
			break
		}
	}
	t.Unknown = kind.Is("application/octet-stream")
	if t.Form == Text || t.Unknown {
		if text, ok := decode(head); ok {
			t.refine(text)
		}
	}
	return t
}

// refine names the form of a text that mimetype knows as plain text, or not at all: it
// takes no byte order mark and no UTF-16 into account.
func (t *Type) refine(text string) {
	if t.Unknown {
		t.Form, t.MIME, t.Extension, t.Unknown = Text, "text/plain; charset=utf-16", ".txt", false
	}
	text = strings.ToLower(strings.TrimLeftFunc(text, unicode.IsSpace))
	switch {
	case strings.HasPrefix(text, "<!doctype html"), strings.HasPrefix(text, "<html"):
		t.Form, t.MIME, t.Extension = HTML, "text/html", ".html"
	case strings.HasPrefix(text, "<?xml"):
		t.Form, t.MIME, t.Extension = XML, "text/xml", ".xml"
		if strings.Contains(text, "<html") {
			t.Form, t.MIME, t.Extension = HTML, "application/xhtml+xml", ".html"
		}
	case len(text) > 2 && text[0] == '<' && (text[1] == '!' || isLetter(text[1])) && strings.Contains(text, ">"):
		t.Form = XML
	case len(text) > 1 && text[0] == '{' && strings.Contains(`"}`, firstOf(text[1:])), len(text) > 1 && text[0] == '[' && strings.Contains(`"{[]`, firstOf(text[1:])):
		t.Form = JSON
	}
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' }

// firstOf returns the first character that is no white space, or a space.
func firstOf(text string) string {
	text = strings.TrimLeftFunc(text, unicode.IsSpace)
	if text == "" {
		return " "
	}
	return text[:1]
}
