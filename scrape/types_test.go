package scrape

import (
	"archive/zip"
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/poscrape/poscrape/inspect"
)

func TestReadRecipeTypes(t *testing.T) {
	t.Parallel()
	r, err := ReadRecipe("x.yaml", strings.NewReader("version: 1\nattachments: {item: a, types: [html, txt]}\n"))
	if err != nil || !slices.Equal(r.documentTypes(), []DocumentType{DocumentHTML, DocumentText}) {
		t.Errorf("got %+v, %v", r, err)
	}
	if AutoRecipe().documentTypes() != nil {
		t.Error("the built-in recipe takes texts as documents")
	}
}

// samples are the beginnings of files.
func samples(t *testing.T) map[string]string {
	t.Helper()
	archive := func(names ...string) string {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, name := range names {
			if _, err := z.Create(name); err != nil {
				t.Fatal(err)
			}
		}
		z.Close()
		return b.String()
	}
	wide := func(text string) string {
		var b []byte
		for _, u := range utf16.Encode([]rune(text)) {
			b = append(b, byte(u), byte(u>>8))
		}
		return string(b)
	}
	return map[string]string{
		"pdf": "%PDF-1.7\n1 0 obj", "junk pdf": "\r\n\x00junk\n%PDF-1.4\n1 0 obj", "warned pdf": "<br />\n<b>Warning</b>: x\n%PDF-1.4\n",
		"png": "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "jpeg": "\xff\xd8\xff\xe1\x00\x10Exif\x00", "gif": "GIF89a\x01\x00\x01\x00", "tiff": "II*\x00\x08\x00\x00\x00",
		"zip": archive("a.txt"), "docx": archive("[Content_Types].xml", "word/document.xml"), "xlsx": archive("[Content_Types].xml", "xl/workbook.xml"),
		"ole": "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 504), "rtf": `{\rtf1\ansi text}`, "dwg": "AC1027\x00\x00", "gzip": "\x1f\x8b\x08\x00\x00\x00\x00\x00",
		"html": "<!DOCTYPE html><html><body>Sign in</body></html>", "xhtml": `<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"></html>`,
		"form": "\n\n<form action=/login>", "xml": `<?xml version="1.0"?><Invoice></Invoice>`, "bare xml": "<Invoice><ID>1</ID></Invoice>", "bom xml": "\xef\xbb\xbf<?xml version=\"1.0\"?><a/>",
		"json": `{"error": "not found"}`, "list": `[{"a": 1}]`, "bom json": "\xef\xbb\xbf{\"a\": 1}", "text": "Internal error: 42", "csv": "a;b;c\r\n1;2;3\r\n",
		"utf16 csv": "\xff\xfe" + wide("a;b;c\r\n"), "utf16 csv without mark": wide("number;date;amount\r\n1;2;3\r\n"), "latin csv": "N\xfcrnberg;M\xfcnchen\r\n",
		"eml": "From: a@example.com\r\nTo: b@example.com\r\nSubject: x\r\n\r\nhello", "step": "ISO-10303-21;\nHEADER;", "edi": "UNB+UNOA:1+A+B'", "x12": "ISA*00*\x1d\x1c~",
		"binary": "\x01\x02\x00\x03\x04\xff\xfe\x00", "svg": `<svg xmlns="http://www.w3.org/2000/svg"></svg>`, "spreadsheet xml": `<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook></Workbook>`,
	}
}

// TestClaims holds what is said about a document against its bytes.
func TestClaims(t *testing.T) {
	t.Parallel()
	bytesOf := samples(t)
	for _, c := range []struct {
		bytes string
		claims
		types string
		fits  bool
	}{
		{"pdf", claims{item: "Invoice.pdf", announced: "application/pdf"}, "", true},
		{"pdf", claims{item: "Invoice", announced: "application/octet-stream"}, "", true},
		{"pdf", claims{item: "Invoice", announced: "application/x-pdf"}, "", true},
		{"pdf", claims{item: "Invoice.PDF (12 KB)", announced: "application/force-download"}, "", true},
		{"pdf", claims{item: "Invoice.pdf", announced: "text/plain"}, "", true},
		{"pdf", claims{item: "Invoice", announced: "text/html; charset=utf-8", file: "x.pdf"}, "", true},
		{"pdf", claims{item: "Invoice", address: "http://h/render.html?id=1"}, "", true},
		{"pdf", claims{item: "Invoice", address: "http://h/doc.aspx?id=1"}, "", true},
		{"pdf", claims{item: "Drawing.ai", announced: "application/pdf"}, "", true},
		{"pdf", claims{item: "Rev. 2.5", announced: "application/pdf"}, "", true},
		{"junk pdf", claims{item: "Invoice.pdf"}, "", true},
		{"warned pdf", claims{item: "Invoice.pdf"}, "", true},
		{"pdf", claims{item: "Invoice.docx"}, "", false},
		{"pdf", claims{item: "photo", announced: "image/png"}, "", false},
		{"pdf", claims{item: "data", announced: "text/csv"}, "", false},
		{"png", claims{item: "Invoice.pdf"}, "", false},
		{"png", claims{item: "Invoice", announced: "application/pdf"}, "", false},
		{"png", claims{item: "Invoice", address: "http://h/a/invoice.pdf"}, "", false},
		{"png", claims{item: "photo.jpg"}, "", false},
		{"png", claims{item: "photo.png", announced: "image/x-png"}, "", true},
		{"jpeg", claims{item: "photo.jfif", announced: "image/jpg"}, "", true},
		{"jpeg", claims{item: "photo.JPEG", announced: "image/pjpeg"}, "", true},
		{"jpeg", claims{item: "photo", announced: "image/png"}, "", false},
		{"tiff", claims{item: "scan.tif", announced: "image/tiff"}, "", true},
		{"gif", claims{item: "scan.tiff"}, "", false},
		{"docx", claims{item: "Offer.docx", announced: "application/zip"}, "", true},
		{"docx", claims{item: "Offer.docx", announced: "application/vnd.openxmlformats-officedocument.wordprocessingml.document"}, "", true},
		{"docx", claims{item: "Offer.docx", announced: "application/x-zip-compressed"}, "", true},
		{"xlsx", claims{item: "Sheet.xlsm", announced: "binary/octet-stream"}, "", true},
		{"xlsx", claims{item: "Sheet.xls", announced: "application/vnd.ms-excel"}, "", true},
		{"zip", claims{item: "Sheet.xlsx"}, "", true},
		{"ole", claims{item: "Encrypted.xlsx"}, "", true},
		{"ole", claims{item: "Old.doc", announced: "application/msword"}, "", true},
		{"ole", claims{item: "Old.xls", announced: "application/vnd.ms-excel"}, "", true},
		{"ole", claims{item: "Mail.msg", announced: "application/vnd.ms-outlook"}, "", true},
		{"ole", claims{item: "Old.pdf"}, "", false},
		{"rtf", claims{item: "Old.doc", announced: "application/msword"}, "", true},
		{"rtf", claims{item: "Old.rtf", announced: "text/rtf"}, "", true},
		{"rtf", claims{item: "Old.docx"}, "", false},
		{"zip", claims{item: "all.zip", announced: "application/x-download"}, "", true},
		{"pdf", claims{item: "all.zip"}, "", false},
		{"zip", claims{item: "Invoice.pdf"}, "", false},
		{"gzip", claims{item: "data.csv"}, "", false},
		{"gzip", claims{item: "note.txt", announced: "text/plain"}, "", false},
		{"pdf", claims{item: "Note", file: "note.txt"}, "", false},
		{"pdf", claims{item: "Note", address: "http://h/note.txt"}, "", true},
		{"dwg", claims{item: "Part.dwg", announced: "application/acad"}, "", true},
		{"text", claims{item: "Part.dwg"}, "", false},
		{"binary", claims{item: "Signature.p7m"}, "", true},
		{"binary", claims{item: "Blob", announced: "application/unknown"}, "", true},
		{"binary", claims{item: "Invoice.pdf"}, "", false},
		{"binary", claims{item: "data.csv"}, "", false},
		{"html", claims{item: "Invoice.pdf", announced: "application/pdf"}, "", false},
		{"html", claims{item: "Invoice.pdf"}, "html", false},
		{"html", claims{item: "Invoice"}, "", false},
		{"html", claims{item: "Invoice"}, "html", true},
		{"html", claims{item: "Invoice.html", announced: "text/html"}, "", false},
		{"html", claims{item: "Invoice.html", announced: "text/html"}, "html", true},
		{"html", claims{item: "note.txt"}, "", false},
		{"html", claims{item: "Export.xls", announced: "application/vnd.ms-excel"}, "", false},
		{"html", claims{item: "Export.xls", announced: "application/vnd.ms-excel"}, "html", true},
		{"xhtml", claims{item: "data.xml"}, "", false},
		{"form", claims{item: "Invoice", announced: "application/octet-stream"}, "", false},
		{"form", claims{item: "Invoice.csv"}, "", false},
		{"xml", claims{item: "Invoice.xml", announced: "application/xml"}, "", true},
		{"bare xml", claims{item: "Invoice.xml", announced: "text/xml"}, "", true},
		{"bom xml", claims{item: "Invoice.xml"}, "", true},
		{"xml", claims{item: "Invoice"}, "", false},
		{"xml", claims{item: "Invoice"}, "xml", true},
		{"xml", claims{item: "Invoice.pdf"}, "xml", false},
		{"xml", claims{item: "data.csv"}, "", false},
		{"spreadsheet xml", claims{item: "Export.xls"}, "", false},
		{"spreadsheet xml", claims{item: "Export.xls"}, "xml", true},
		{"svg", claims{item: "logo.svg", announced: "image/svg+xml"}, "", true},
		{"json", claims{item: "Invoice", announced: "application/json"}, "", false},
		{"json", claims{item: "Invoice.json", announced: "application/json"}, "", true},
		{"bom json", claims{item: "Invoice.json"}, "", true},
		{"list", claims{item: "Invoice"}, "json", true},
		{"json", claims{item: "Invoice"}, "txt", false},
		{"json", claims{item: "data.csv", announced: "text/csv"}, "", false},
		{"json", claims{item: "Invoice.xml"}, "", false},
		{"text", claims{item: "Invoice"}, "", false},
		{"text", claims{item: "Invoice", announced: "text/plain"}, "txt", true},
		{"text", claims{item: "Invoice.pdf"}, "txt", false},
		{"text", claims{item: "Invoice.xml"}, "", false},
		{"text", claims{item: "note", file: "note.txt"}, "", true},
		{"text", claims{item: "note", address: "http://h/a/note.txt?x=1"}, "", true},
		{"text", claims{item: "README.md"}, "", true},
		{"text", claims{item: "run.log", announced: "application/octet-stream"}, "", true},
		{"csv", claims{item: "lines.csv", announced: "application/vnd.ms-excel"}, "", true},
		{"csv", claims{item: "lines", file: "lines.csv", announced: "text/csv"}, "", true},
		{"csv", claims{item: "lines", announced: "text/csv"}, "", true},
		{"csv", claims{item: "lines.xls"}, "", false},
		{"csv", claims{item: "lines.xls"}, "txt", true},
		{"utf16 csv", claims{item: "lines.csv"}, "", true},
		{"utf16 csv without mark", claims{item: "lines.csv"}, "", true},
		{"latin csv", claims{item: "lines.csv"}, "", true},
		{"eml", claims{item: "mail.eml", announced: "message/rfc822"}, "", true},
		{"step", claims{item: "part.STEP"}, "", true},
		{"edi", claims{item: "order.edi"}, "", true},
		{"x12", claims{item: "order.x12"}, "", true},
	} {
		var allowed []DocumentType
		if c.types != "" {
			allowed = []DocumentType{DocumentType(c.types)}
		}
		if wrong := c.conflict(inspect.Sniff([]byte(bytesOf[c.bytes])), allowed); (wrong == "") != c.fits {
			t.Errorf("%s as %+v, types %q: %q", c.bytes, c.claims, c.types, wrong)
		}
	}
}

// TestMisuse holds names against what an Office file is for. A name that only stands for another
// format of the same is none to doubt.
func TestMisuse(t *testing.T) {
	t.Parallel()
	const word, excel = "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	for _, c := range []struct {
		content inspect.Content
		claims
		fits bool
	}{
		{inspect.Sheet, claims{item: "Lines.xlsx", announced: excel}, true},
		{inspect.Sheet, claims{item: "Lines.xls"}, true},
		{inspect.Sheet, claims{item: "Lines.ods"}, true},
		{inspect.Sheet, claims{item: "Lines.docx"}, false},
		{inspect.Sheet, claims{item: "Lines", file: "lines.doc"}, false},
		{inspect.Sheet, claims{item: "Lines", address: "http://h/lines.docx"}, false},
		{inspect.Sheet, claims{item: "Lines.xlsx", address: "http://h/to.docx"}, true},
		{inspect.Sheet, claims{item: "Lines", announced: word}, false},
		{inspect.Sheet, claims{item: "Lines.xlsx", announced: word}, true},
		{inspect.Sheet, claims{item: "Lines", announced: "application/msword"}, true},
		{inspect.Letter, claims{item: "Offer.xlsx"}, false},
		{inspect.Letter, claims{item: "Offer.odt"}, true},
		{inspect.Slides, claims{item: "Plan.mpp"}, false},
		{inspect.Mail, claims{item: "Mail.msg"}, true},
		{inspect.Letter, claims{item: "Mail.msg"}, false},
		{inspect.Archive, claims{item: "Lines.xlsx"}, false},
		{inspect.Archive, claims{item: "Offer", announced: word}, false},
		{inspect.Archive, claims{item: "all.zip"}, true},
		{inspect.Sheet, claims{item: "all.zip"}, true},
		{"", claims{item: "Encrypted.xlsx"}, true},
	} {
		if wrong := c.misuse(c.content); (wrong == "") != c.fits {
			t.Errorf("%s as %+v: %q", c.content, c.claims, wrong)
		}
	}
}
