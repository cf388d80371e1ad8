package inspect_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/inspect"
)

func noise(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func picture() image.Image {
	g := image.NewGray(image.Rect(0, 0, 60, 60))
	copy(g.Pix, noise(len(g.Pix)))
	return g
}

// wholes are files that are all there, by what is special about them.
func wholes(t testing.TB) map[string]struct {
	form inspect.Form
	data []byte
} {
	t.Helper()
	all := map[string]struct {
		form inspect.Form
		data []byte
	}{}
	add := func(name string, form inspect.Form, data []byte) {
		all[name] = struct {
			form inspect.Form
			data []byte
		}{form, data}
	}
	made := func(write func(*bytes.Buffer) error) []byte {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	pdf := "%PDF-1.4\n1 0 obj\n<<>>\nendobj\n" + strings.Repeat("content ", 200) + "\nxref\n0 1\ntrailer\n<<>>\nstartxref\n1630\n%%EOF\n"
	add("a PDF", inspect.PDF, []byte(pdf))
	add("a padded PDF", inspect.PDF, []byte(pdf+strings.Repeat("\x00", 9000)+"\r\n"))
	add("a PDF with an update", inspect.PDF, []byte(pdf+"2 0 obj\n<<>>\nendobj\nstartxref\n1700\n%%EOF"))
	add("a PDF with more behind it", inspect.PDF, []byte(pdf+"<!-- served by 10.0.0.1 -->"))
	add("a PDF with CR alone", inspect.PDF, []byte(strings.ReplaceAll(pdf, "\n", "\r")))
	add("a ZIP", inspect.ZIP, made(func(b *bytes.Buffer) error {
		z := zip.NewWriter(b)
		for _, name := range []string{"[Content_Types].xml", "word/document.xml"} {
			w, err := z.Create(name)
			if err != nil {
				return err
			}
			if _, err := w.Write(noise(3000)); err != nil {
				return err
			}
		}
		return z.Close()
	}))
	add("a PNG", inspect.PNG, made(func(b *bytes.Buffer) error { return png.Encode(b, picture()) }))
	add("a JPEG", inspect.JPEG, made(func(b *bytes.Buffer) error { return jpeg.Encode(b, picture(), nil) }))
	add("a GIF", inspect.GIF, made(func(b *bytes.Buffer) error { return gif.Encode(b, picture(), nil) }))
	add("a gzip file", inspect.GZIP, made(func(b *bytes.Buffer) error {
		z := gzip.NewWriter(b)
		if _, err := z.Write(noise(5000)); err != nil {
			return err
		}
		return z.Close()
	}))
	xml := `<?xml version="1.0" encoding="%s"?><!-- x --><Invoice a="1"><ID>M` + "\xfc" + `nchen</ID><Empty/></Invoice>`
	add("XML in Latin-1", inspect.XML, fmt.Appendf(nil, xml, "ISO-8859-1"))
	add("XML", inspect.XML, []byte("\xef\xbb\xbf<Doc><b>&amp;&nbsp;</b></Doc>\n"))
	add("JSON", inspect.JSON, []byte(`{"a": [1, 2, {"b": null}]}`))
	add("RTF", inspect.RTF, []byte(`{\rtf1{\fonttbl}\{ text \}}`+"\r\n\x00"))
	bmp := append([]byte("BM"), make([]byte, 98)...)
	binary.LittleEndian.PutUint32(bmp[2:], 100)
	binary.LittleEndian.PutUint32(bmp[14:], 40)
	add("a BMP", inspect.BMP, bmp)
	ole := make([]byte, 512*4)
	copy(ole, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	ole[30] = 9
	for at := 76; at < 512; at += 4 {
		binary.LittleEndian.PutUint32(ole[at:], 0xffffffff)
	}
	binary.LittleEndian.PutUint32(ole[76:], 0)
	for at := 512; at < 1024; at += 4 {
		binary.LittleEndian.PutUint32(ole[at:], 0xffffffff)
	}
	for i, next := range []uint32{0xfffffffd, 2, 0xfffffffe} {
		binary.LittleEndian.PutUint32(ole[512+4*i:], next)
	}
	add("an OLE file", inspect.OLE, ole)
	return all
}

// TestEnd cuts files that are whole, anywhere: no part of one is taken for whole, but of
// what stands behind its end.
func TestEnd(t *testing.T) {
	t.Parallel()
	for name, c := range wholes(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if v, why := inspect.End(bytes.NewReader(c.data), int64(len(c.data)), c.form); v != inspect.Whole {
				t.Fatalf("it is %s: %s", v, why)
			}
			if sniffed := inspect.Sniff(c.data); sniffed.Form != c.form {
				t.Errorf("it is sniffed as %+v", sniffed)
			}
			body := bytes.TrimRight(c.data, "\x00\r\n")
			if end := bytes.LastIndex(body, []byte("%%EOF")); end > 0 {
				body = body[:end+4]
			}
			first := bytes.Index(body, []byte("%%EOF")) // an update's predecessor is whole by itself
			for n := range len(body) {
				if c.form == inspect.OLE || first > 0 && n > first && n < first+16 {
					continue
				}
				if v, why := inspect.End(bytes.NewReader(body[:n]), int64(n), c.form); v == inspect.Whole {
					t.Fatalf("%d of %d bytes are %s: %s", n, len(c.data), v, why)
				}
			}
		})
	}
}

func TestEndOfDamaged(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a ZIP", "a PNG", "a gzip file"} {
		c := wholes(t)[name]
		c.data[len(c.data)/3] ^= 0xff
		if v, why := inspect.End(bytes.NewReader(c.data), int64(len(c.data)), c.form); v != inspect.Cut {
			t.Errorf("%s: %s, %s", name, v, why)
		}
	}
	// The stream of 5000 bytes fills ten sectors behind the directory, and the table names one more.
	data := append([]byte(oleOf("Root Entry", "Workbook", "")), make([]byte, 11*512)...)
	for at := uint32(2); at < 13; at++ {
		binary.LittleEndian.PutUint32(data[512+4*at:], at+1)
	}
	own := data[1024+3*128:]
	own[66] = 2
	binary.LittleEndian.PutUint32(own[116:], 2)
	binary.LittleEndian.PutUint32(own[120:], 5000)
	workbook := string(data)
	for name, c := range map[string]struct {
		form inspect.Form
		data string
		want inspect.Verdict
	}{
		"a linearized PDF that is cut":   {inspect.PDF, "%PDF-1.4\n1 0 obj\n<</Linearized 1/L 90000/H[1 2]>>\nendobj\nstartxref\n0\n%%EOF\n2 0 obj\n<<", inspect.Cut},
		"a PDF shorter than it says":     {inspect.PDF, "%PDF-1.4\n1 0 obj\n<</Linearized 1/L 90000/H[1 2]>>\nendobj\nstartxref\n0\n%%EOF\n", inspect.Doubtful},
		"a PDF without %%EOF":            {inspect.PDF, "%PDF-1.4\n1 0 obj\n<<>>\nendobj\nstartxref\n0\n", inspect.Doubtful},
		"a PDF without startxref":        {inspect.PDF, "%PDF-1.4\n1 0 obj\n<<>>\nendobj\n", inspect.Cut},
		"a PDF without objects":          {inspect.PDF, "%PDF-1.4\n", inspect.Doubtful},
		"a PDF with much behind it":      {inspect.PDF, "%PDF-1.4\n1 0 obj\n<<>>\nendobj\nstartxref\n0\n%%EOF\n" + strings.Repeat("<p>log</p>", 2000), inspect.Whole},
		"a PDF with a long page behind":  {inspect.PDF, "%PDF-1.4\n1 0 obj\n<<>>\nendobj\nstartxref\n0\n%%EOF\n" + strings.Repeat("<p>log</p>", 20000), inspect.Whole},
		"an OLE file with its streams":   {inspect.OLE, workbook, inspect.Whole},
		"an OLE file that was cut":       {inspect.OLE, workbook[:7*512], inspect.Cut},
		"an OLE file without directory":  {inspect.OLE, workbook[:2*512], inspect.Cut},
		"an OLE file with a free sector": {inspect.OLE, workbook[:13*512], inspect.Doubtful},
		"an OLE file without its table":  {inspect.OLE, string(wholes(t)["an OLE file"].data[:900]), inspect.Cut},
		"half an OLE file":               {inspect.OLE, string(wholes(t)["an OLE file"].data[:1100]), inspect.Doubtful},
	} {
		if v, why := inspect.End(strings.NewReader(c.data), int64(len(c.data)), c.form); v != c.want {
			t.Errorf("%s: %s, %s", name, v, why)
		}
	}
	for _, form := range []inspect.Form{inspect.Text, inspect.Other, inspect.TIFF} {
		if v, why := inspect.End(strings.NewReader("a;b\n"), 4, form); v != inspect.Unknown || why == "" {
			t.Errorf("%s: %s, %s", form, v, why)
		}
	}
}

// FuzzEnd has no bytes make it panic, or go on without end.
func FuzzEnd(f *testing.F) {
	for _, c := range wholes(f) {
		f.Add(string(c.form), c.data)
		f.Add(string(c.form), c.data[:len(c.data)/2])
	}
	f.Fuzz(func(t *testing.T, form string, data []byte) {
		sniffed := inspect.Sniff(data)
		for _, form := range []inspect.Form{inspect.Form(form), sniffed.Form} {
			if v, why := inspect.End(bytes.NewReader(data), int64(len(data)), form); v == "" || why == "" {
				t.Errorf("%q, %q", v, why)
			}
			inspect.ContentOf(bytes.NewReader(data), int64(len(data)), form)
		}
	})
}
