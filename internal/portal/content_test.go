package portal

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"image/png"
	"io"
	"strconv"
	"strings"
	"testing"
)

func written(t *testing.T, c content) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := c.write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestContentHasItsSizeAndHash(t *testing.T) {
	t.Parallel()
	for _, k := range []kind{kindPDF, kindDOCX, kindXLSX, kindPNG, kindCSV, kindTXT} {
		for _, size := range []int64{1, 1 << 10, 12_345, 300_000} {
			c := newContent(k, "PO1 Title", [32]byte{1}, size)
			b := written(t, c)
			if int64(len(b)) != c.size {
				t.Errorf("%s of %d: %d bytes were written, %d are announced", k, size, len(b), c.size)
			}
			off := c.size - size
			rounded := k == kindCSV || k == kindTXT
			if size >= 12_345 && off != 0 && (!rounded || off >= 0 || off <= -textRow) {
				t.Errorf("%s: asked for %d bytes, got %d", k, size, c.size)
			}
			sum := sha256.Sum256(b)
			if hex.EncodeToString(sum[:]) != c.digest() {
				t.Errorf("%s of %d: the digest is not that of its bytes", k, size)
			}
			other := newContent(k, "PO1 Title", [32]byte{2}, size)
			if size >= 12_345 && other.digest() == c.digest() {
				t.Errorf("%s of %d: another seed makes the same bytes", k, size)
			}
		}
	}
}

func TestPDFIsOne(t *testing.T) {
	t.Parallel()
	b := written(t, newContent(kindPDF, "PO1 (draft) \u202e.pdf", [32]byte{3}, 20_000))
	if !bytes.HasPrefix(b, []byte("%PDF-1.4\n")) || !bytes.HasSuffix(b, []byte("%%EOF\n")) {
		t.Fatalf("it begins with %q and ends with %q", b[:9], b[len(b)-9:])
	}
	_, tail, found := bytes.Cut(b[len(b)-64:], []byte("startxref\n"))
	if !found {
		t.Fatal("it has no startxref")
	}
	at, err := strconv.Atoi(string(bytes.Fields(tail)[0]))
	if err != nil {
		t.Fatal(err)
	}
	table := b[at:]
	if !bytes.HasPrefix(table, []byte("xref\n0 7\n")) {
		t.Fatalf("startxref leads to %q", table[:20])
	}
	for i := 1; i <= 6; i++ {
		entry := table[len("xref\n0 7\n")+20*i:][:20]
		offset, err := strconv.Atoi(string(entry[:10]))
		if err != nil {
			t.Fatal(err)
		}
		if want := strconv.Itoa(i) + " 0 obj\n"; !bytes.HasPrefix(b[offset:], []byte(want)) {
			t.Errorf("object %d is not where the table says", i)
		}
	}
	if !bytes.Contains(b, []byte(`(PO1 \(draft\) ?.pdf) Tj`)) {
		t.Error("the title is not shown")
	}
}

func TestOfficeFilesAreArchives(t *testing.T) {
	t.Parallel()
	for k, part := range map[kind]string{kindDOCX: "word/document.xml", kindXLSX: "xl/workbook.xml"} {
		b := written(t, newContent(k, "A & B", [32]byte{4}, 20_000))
		archive, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		names := map[string]bool{}
		for _, f := range archive.File {
			names[f.Name] = true
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, r); err != nil {
				t.Errorf("%s: reading %s: %v", k, f.Name, err)
			}
			r.Close()
		}
		if !names["[Content_Types].xml"] || !names[part] {
			t.Errorf("%s: it has %v", k, names)
		}
	}
}

func TestPictureAndTextCanBeRead(t *testing.T) {
	t.Parallel()
	picture, err := png.Decode(bytes.NewReader(written(t, newContent(kindPNG, "", [32]byte{5}, 9_000))))
	if err != nil {
		t.Fatal(err)
	}
	if picture.Bounds().Dx() != 48 {
		t.Errorf("the picture is %v", picture.Bounds())
	}
	rows, err := csv.NewReader(bytes.NewReader(written(t, newContent(kindCSV, "", [32]byte{6}, 9_000)))).ReadAll()
	if err != nil || len(rows) != 141 {
		t.Errorf("the CSV has %d rows, error %v", len(rows), err)
	}
	text := string(written(t, newContent(kindTXT, "PO1 Note", [32]byte{7}, 9_000)))
	if !strings.HasPrefix(text, "PO1 Note\n\n") || !strings.HasSuffix(text, "\n") {
		t.Errorf("the text begins with %q", text[:20])
	}
}

func BenchmarkContent(b *testing.B) {
	c := newContent(kindPDF, "PO1", [32]byte{8}, 1<<20)
	b.SetBytes(c.size)
	for b.Loop() {
		if err := c.write(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
