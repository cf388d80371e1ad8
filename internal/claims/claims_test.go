package claims

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/poscrape/poscrape/inspect"
)

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
		"pdf": "%PDF-1.7\n1 0 obj", "junk pdf": "\r\n\x00junk\n%PDF-1.4\n1 0 obj", "old pdf": "%!PS-Adobe-3.0 PDF-1.2\n1 0 obj", "postscript": "%!PS-Adobe-3.0\n%%EOF", "warned pdf": "<br />\n<b>Warning</b>: x\n%PDF-1.4\n",
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
		Claims
		types string
		fits  bool
	}{
		{"pdf", Claims{Item: "Invoice.pdf", Announced: "application/pdf"}, "", true},
		{"pdf", Claims{Item: "Invoice", Announced: "application/octet-stream"}, "", true},
		{"pdf", Claims{Item: "Invoice", Announced: "application/x-pdf"}, "", true},
		{"pdf", Claims{Item: "Invoice.PDF (12 KB)", Announced: "application/force-download"}, "", true},
		{"pdf", Claims{Item: "Invoice.pdf", Announced: "text/plain"}, "", true},
		{"pdf", Claims{Item: "Invoice", Announced: "text/html; charset=utf-8", File: "x.pdf"}, "", true},
		{"pdf", Claims{Item: "Invoice", Address: "http://h/render.html?id=1"}, "", true},
		{"pdf", Claims{Item: "Invoice", Address: "http://h/doc.aspx?id=1"}, "", true},
		{"pdf", Claims{Item: "Drawing.ai", Announced: "application/pdf"}, "", true},
		{"pdf", Claims{Item: "Rev. 2.5", Announced: "application/pdf"}, "", true},
		{"junk pdf", Claims{Item: "Invoice.pdf"}, "", true},
		{"old pdf", Claims{Item: "Invoice.pdf"}, "", true},
		{"postscript", Claims{Item: "Invoice.pdf"}, "", false},
		{"warned pdf", Claims{Item: "Invoice.pdf"}, "", true},
		{"pdf", Claims{Item: "Invoice.docx"}, "", false},
		{"pdf", Claims{Item: "photo", Announced: "image/png"}, "", false},
		{"pdf", Claims{Item: "data", Announced: "text/csv"}, "", false},
		{"png", Claims{Item: "Invoice.pdf"}, "", false},
		{"png", Claims{Item: "Invoice", Announced: "application/pdf"}, "", false},
		{"png", Claims{Item: "Invoice", Address: "http://h/a/invoice.pdf"}, "", false},
		{"png", Claims{Item: "photo.jpg"}, "", false},
		{"png", Claims{Item: "photo.png", Announced: "image/x-png"}, "", true},
		{"jpeg", Claims{Item: "photo.jfif", Announced: "image/jpg"}, "", true},
		{"jpeg", Claims{Item: "photo.JPEG", Announced: "image/pjpeg"}, "", true},
		{"jpeg", Claims{Item: "photo", Announced: "image/png"}, "", false},
		{"tiff", Claims{Item: "scan.tif", Announced: "image/tiff"}, "", true},
		{"gif", Claims{Item: "scan.tiff"}, "", false},
		{"docx", Claims{Item: "Offer.docx", Announced: "application/zip"}, "", true},
		{"docx", Claims{Item: "Offer.docx", Announced: "application/vnd.openxmlformats-officedocument.wordprocessingml.document"}, "", true},
		{"docx", Claims{Item: "Offer.docx", Announced: "application/x-zip-compressed"}, "", true},
		{"xlsx", Claims{Item: "Sheet.xlsm", Announced: "binary/octet-stream"}, "", true},
		{"xlsx", Claims{Item: "Sheet.xls", Announced: "application/vnd.ms-excel"}, "", true},
		{"zip", Claims{Item: "Sheet.xlsx"}, "", true},
		{"ole", Claims{Item: "Encrypted.xlsx"}, "", true},
		{"ole", Claims{Item: "Old.doc", Announced: "application/msword"}, "", true},
		{"ole", Claims{Item: "Old.xls", Announced: "application/vnd.ms-excel"}, "", true},
		{"ole", Claims{Item: "Mail.msg", Announced: "application/vnd.ms-outlook"}, "", true},
		{"ole", Claims{Item: "Old.pdf"}, "", false},
		{"rtf", Claims{Item: "Old.doc", Announced: "application/msword"}, "", true},
		{"rtf", Claims{Item: "Old.rtf", Announced: "text/rtf"}, "", true},
		{"rtf", Claims{Item: "Old.docx"}, "", false},
		{"zip", Claims{Item: "all.zip", Announced: "application/x-download"}, "", true},
		{"pdf", Claims{Item: "all.zip"}, "", false},
		{"zip", Claims{Item: "Invoice.pdf"}, "", false},
		{"gzip", Claims{Item: "data.csv"}, "", false},
		{"gzip", Claims{Item: "note.txt", Announced: "text/plain"}, "", false},
		{"pdf", Claims{Item: "Note", File: "note.txt"}, "", false},
		{"pdf", Claims{Item: "Note", Address: "http://h/note.txt"}, "", true},
		{"dwg", Claims{Item: "Part.dwg", Announced: "application/acad"}, "", true},
		{"text", Claims{Item: "Part.dwg"}, "", false},
		{"binary", Claims{Item: "Signature.p7m"}, "", true},
		{"binary", Claims{Item: "Blob", Announced: "application/unknown"}, "", true},
		{"binary", Claims{Item: "Invoice.pdf"}, "", false},
		{"binary", Claims{Item: "data.csv"}, "", false},
		{"html", Claims{Item: "Invoice.pdf", Announced: "application/pdf"}, "", false},
		{"html", Claims{Item: "Invoice.pdf"}, "html", false},
		{"html", Claims{Item: "Invoice"}, "", false},
		{"html", Claims{Item: "Invoice"}, "html", true},
		{"html", Claims{Item: "Invoice.html", Announced: "text/html"}, "", false},
		{"html", Claims{Item: "Invoice.html", Announced: "text/html"}, "html", true},
		{"html", Claims{Item: "note.txt"}, "", false},
		{"html", Claims{Item: "Export.xls", Announced: "application/vnd.ms-excel"}, "", false},
		{"html", Claims{Item: "Export.xls", Announced: "application/vnd.ms-excel"}, "html", true},
		{"xhtml", Claims{Item: "data.xml"}, "", false},
		{"form", Claims{Item: "Invoice", Announced: "application/octet-stream"}, "", false},
		{"form", Claims{Item: "Invoice.csv"}, "", false},
		{"xml", Claims{Item: "Invoice.xml", Announced: "application/xml"}, "", true},
		{"bare xml", Claims{Item: "Invoice.xml", Announced: "text/xml"}, "", true},
		{"bom xml", Claims{Item: "Invoice.xml"}, "", true},
		{"xml", Claims{Item: "Invoice"}, "", false},
		{"xml", Claims{Item: "Invoice"}, "xml", true},
		{"xml", Claims{Item: "Invoice.pdf"}, "xml", false},
		{"xml", Claims{Item: "data.csv"}, "", false},
		{"spreadsheet xml", Claims{Item: "Export.xls"}, "", false},
		{"spreadsheet xml", Claims{Item: "Export.xls"}, "xml", true},
		{"svg", Claims{Item: "logo.svg", Announced: "image/svg+xml"}, "", true},
		{"json", Claims{Item: "Invoice", Announced: "application/json"}, "", false},
		{"json", Claims{Item: "Invoice.json", Announced: "application/json"}, "", true},
		{"bom json", Claims{Item: "Invoice.json"}, "", true},
		{"list", Claims{Item: "Invoice"}, "json", true},
		{"json", Claims{Item: "Invoice"}, "txt", false},
		{"json", Claims{Item: "data.csv", Announced: "text/csv"}, "", false},
		{"json", Claims{Item: "Invoice.xml"}, "", false},
		{"text", Claims{Item: "Invoice"}, "", false},
		{"text", Claims{Item: "Invoice", Announced: "text/plain"}, "txt", true},
		{"text", Claims{Item: "Invoice.pdf"}, "txt", false},
		{"text", Claims{Item: "Invoice.xml"}, "", false},
		{"text", Claims{Item: "note", File: "note.txt"}, "", true},
		{"text", Claims{Item: "note", Address: "http://h/a/note.txt?x=1"}, "", true},
		{"text", Claims{Item: "README.md"}, "", true},
		{"text", Claims{Item: "run.log", Announced: "application/octet-stream"}, "", true},
		{"csv", Claims{Item: "lines.csv", Announced: "application/vnd.ms-excel"}, "", true},
		{"csv", Claims{Item: "lines", File: "lines.csv", Announced: "text/csv"}, "", true},
		{"csv", Claims{Item: "lines", Announced: "text/csv"}, "", true},
		{"csv", Claims{Item: "lines.xls"}, "", false},
		{"csv", Claims{Item: "lines.xls"}, "txt", true},
		{"utf16 csv", Claims{Item: "lines.csv"}, "", true},
		{"utf16 csv without mark", Claims{Item: "lines.csv"}, "", true},
		{"latin csv", Claims{Item: "lines.csv"}, "", true},
		{"eml", Claims{Item: "mail.eml", Announced: "message/rfc822"}, "", true},
		{"step", Claims{Item: "part.STEP"}, "", true},
		{"edi", Claims{Item: "order.edi"}, "", true},
		{"x12", Claims{Item: "order.x12"}, "", true},
	} {
		var allowed []DocumentType
		if c.types != "" {
			allowed = []DocumentType{DocumentType(c.types)}
		}
		if wrong := c.Conflict(inspect.Sniff([]byte(bytesOf[c.bytes])), allowed); (wrong == "") != c.fits {
			t.Errorf("%s as %+v, types %q: %q", c.bytes, c.Claims, c.types, wrong)
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
		Claims
		fits bool
	}{
		{inspect.Sheet, Claims{Item: "Lines.xlsx", Announced: excel}, true},
		{inspect.Sheet, Claims{Item: "Lines.xls"}, true},
		{inspect.Sheet, Claims{Item: "Lines.ods"}, true},
		{inspect.Sheet, Claims{Item: "Lines.docx"}, false},
		{inspect.Sheet, Claims{Item: "Lines", File: "lines.doc"}, false},
		{inspect.Sheet, Claims{Item: "Lines", Address: "http://h/lines.docx"}, false},
		{inspect.Sheet, Claims{Item: "Lines.xlsx", Address: "http://h/to.docx"}, true},
		{inspect.Sheet, Claims{Item: "Lines", Announced: word}, false},
		{inspect.Sheet, Claims{Item: "Lines.xlsx", Announced: word}, true},
		{inspect.Sheet, Claims{Item: "Lines", Announced: "application/msword"}, true},
		{inspect.Letter, Claims{Item: "Offer.xlsx"}, false},
		{inspect.Letter, Claims{Item: "Offer.odt"}, true},
		{inspect.Slides, Claims{Item: "Plan.mpp"}, false},
		{inspect.Mail, Claims{Item: "Mail.msg"}, true},
		{inspect.Letter, Claims{Item: "Mail.msg"}, false},
		{inspect.Archive, Claims{Item: "Lines.xlsx"}, false},
		{inspect.Archive, Claims{Item: "Offer", Announced: word}, false},
		{inspect.Archive, Claims{Item: "all.zip"}, true},
		{inspect.Sheet, Claims{Item: "all.zip"}, true},
		{"", Claims{Item: "Encrypted.xlsx"}, true},
	} {
		if wrong := c.Misuse(c.content); (wrong == "") != c.fits {
			t.Errorf("%s as %+v: %q", c.content, c.Claims, wrong)
		}
	}
}
