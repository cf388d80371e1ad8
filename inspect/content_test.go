package inspect_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/poscrape/poscrape/inspect"
)

// TestContentOf looks into containers: their main part counts, not what is embedded in it.
func TestContentOf(t *testing.T) {
	t.Parallel()
	const types = `<Types><Default Extension="xlsx" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"/><Override PartName="/x" ContentType="`
	for name, c := range map[string]struct {
		data string
		want inspect.Content
	}{
		"Word":               {zipOf(t, "[Content_Types].xml", types+`application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>`), inspect.Letter},
		"Word with macros":   {zipOf(t, "[Content_Types].xml", types+`application/vnd.ms-word.document.macroEnabled.main+xml"/>`), inspect.Letter},
		"Excel, its own way": {zipOf(t, "[content_types].xml", strings.ReplaceAll(types+`application/vnd.ms-excel.sheet.binary.macroEnabled.main"/>`, `"`, `'`)), inspect.Sheet},
		"PowerPoint":         {zipOf(t, "[Content_Types].xml", types+`application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml"/>`), inspect.Slides},
		"something packed":   {zipOf(t, "[Content_Types].xml", types+`application/x"/>`), ""},
		"OpenDocument":       {zipOf(t, "mimetype", "application/vnd.oasis.opendocument.spreadsheet-template"), inspect.Sheet},
		"a book":             {zipOf(t, "mimetype", "application/epub+zip"), ""},
		"an archive":         {zipOf(t, "docs/[Content_Types].xml", types), inspect.Archive},
		"an empty archive":   {zipOf(t), ""},
		"half an archive":    {zipOf(t, "a.txt", "text")[:40], ""},
		"an old workbook":    {oleOf("Root Entry", "Workbook", "WordDocument"), inspect.Sheet},
		"an old letter":      {oleOf("Root Entry", "WordDocument", "Workbook"), inspect.Letter},
		"an encrypted file":  {oleOf("Root Entry", "EncryptedPackage", ""), ""},
		"half a directory":   {oleOf("Root Entry", "Workbook", "")[:1100], ""},
	} {
		data := strings.NewReader(c.data)
		if got := inspect.ContentOf(data, data.Size(), inspect.Sniff([]byte(c.data)).Form); got != c.want {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

// TestHasMacros looks for what Office programs keep macros in.
func TestHasMacros(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		data string
		want bool
	}{
		"Word with macros":         {zipOf(t, "[Content_Types].xml", "", "word/vbaProject.bin", ""), true},
		"written otherwise":        {zipOf(t, `xl\VBAPROJECT.BIN`, ""), true},
		"Excel's older macros":     {zipOf(t, "xl/macrosheets/sheet1.xml", ""), true},
		"LibreOffice's":            {zipOf(t, "mimetype", "", "Basic/Standard/Module1.xml", ""), true},
		"Word":                     {zipOf(t, "[Content_Types].xml", "", "word/document.xml", "vbaProject.bin"), false},
		"an old letter":            {oleOf("Root Entry", "WordDocument", ""), false},
		"an old letter with them":  {oleOf("Root Entry", "WordDocument", "_VBA_PROJECT"), true},
		"half a file":              {zipOf(t, "word/vbaProject.bin", "")[:40], false},
		"a text with such a title": {"vbaProject.bin", false},
	} {
		data := strings.NewReader(c.data)
		if got := inspect.HasMacros(data, data.Size(), inspect.Sniff([]byte(c.data)).Form); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// zipOf is an archive of files: name, text, name, text ...
func zipOf(t *testing.T, files ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(files[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// oleOf is a compound file whose root holds a storage, which comes first in its directory and
// holds the stream embedded, and beside that storage the stream own.
func oleOf(root, own, embedded string) string {
	data := bytes.Repeat([]byte{0xff}, 3*512) // the header, the table, the directory
	copy(data, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	binary.LittleEndian.PutUint16(data[30:], 9)
	binary.LittleEndian.PutUint32(data[48:], 1)
	binary.LittleEndian.PutUint32(data[76:], 0)
	binary.LittleEndian.PutUint32(data[512:], 0xfffffffd)
	binary.LittleEndian.PutUint32(data[516:], 0xfffffffe)
	for i, e := range []struct {
		name         string
		right, child uint32
	}{{root, 0xffffffff, 1}, {"ObjectPool", 3, 2}, {embedded, 0xffffffff, 0xffffffff}, {own, 0xffffffff, 0xffffffff}} {
		entry := data[1024+128*i:]
		for n, unit := range utf16.Encode([]rune(e.name)) {
			binary.LittleEndian.PutUint16(entry[2*n:], unit)
		}
		binary.LittleEndian.PutUint16(entry[64:], uint16(2*len(e.name)+2))
		binary.LittleEndian.PutUint32(entry[72:], e.right)
		binary.LittleEndian.PutUint32(entry[76:], e.child)
	}
	return string(data)
}
