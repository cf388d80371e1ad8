package portal

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"io"
	"math/rand/v2"
	"path"
	"strings"
)

// content is the bytes of a document, which are made while they are written.
// It is a value; equal contents have equal bytes.
type content struct {
	kind kind
	// title is written into the document where its format shows text.
	title string
	seed  [32]byte
	// size in bytes, of which padding are seeded.
	size, padding int64
}

// kind is a file format, named by its extension.
type kind string

const (
	kindPDF  kind = "pdf"
	kindDOCX kind = "docx"
	kindXLSX kind = "xlsx"
	kindPNG  kind = "png"
	kindCSV  kind = "csv"
	kindTXT  kind = "txt"
	kindZIP  kind = "zip"
)

// kindOf returns the format that the name's extension says, or PDF.
func kindOf(name string) kind {
	switch k := kind(strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))); k {
	case kindDOCX, kindXLSX, kindPNG, kindCSV, kindTXT, kindZIP:
		return k
	}
	return kindPDF
}

// mime returns the media type without parameters.
func (k kind) mime() string {
	switch k {
	case kindDOCX:
		return "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	case kindXLSX:
		return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	case kindPNG:
		return "image/png"
	case kindCSV:
		return "text/csv"
	case kindTXT:
		return "text/plain"
	case kindZIP:
		return "application/zip"
	}
	return "application/pdf"
}

// newContent returns a document of size bytes, or of the
// fewest that its format takes; text has whole rows only.
func newContent(k kind, title string, seed [32]byte, size int64) content {
	c := content{kind: k, title: title, seed: seed}
	var overhead byteCount
	// A byteCount takes everything, so writing to it cannot fail.
	_ = c.write(&overhead)
	c.padding = max(0, size-int64(overhead))
	if k == kindCSV || k == kindTXT {
		c.padding -= c.padding % textRow
	}
	c.size = int64(overhead) + c.padding
	return c
}

// digest returns the document's SHA-256 in hexadecimal.
func (c content) digest() string {
	h := sha256.New()
	// A hash never returns an error.
	_ = c.write(h)
	return hex.EncodeToString(h.Sum(nil))
}

// write writes the whole document.
func (c content) write(w io.Writer) error {
	switch c.kind {
	case kindDOCX:
		return c.writeDOCX(w)
	case kindXLSX:
		return c.writeXLSX(w)
	case kindZIP:
		return c.writeZip(w, nil, "scan.bin")
	case kindPNG:
		return c.writePNG(w)
	case kindCSV:
		return c.writeText(w, "item,text\n", ",")
	case kindTXT:
		return c.writeText(w, c.title+"\n\n", " ")
	}
	return c.writePDF(w)
}

// writePDF writes one page that shows the title. The padding is a stream that
// no object refers to. Numbers have a fixed width, so that the size grows with
// the padding alone.
func (c content) writePDF(w io.Writer) error {
	text := strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(asciiOnly(c.title))
	show := fmt.Sprintf("BT /F1 18 Tf 72 720 Td (%s) Tj ET", text)
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(show), show),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
	}
	var head bytes.Buffer
	head.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	offsets := make([]int, 0, len(objects)+1)
	for i, object := range objects {
		offsets = append(offsets, head.Len())
		fmt.Fprintf(&head, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	offsets = append(offsets, head.Len())
	fmt.Fprintf(&head, "%d 0 obj\n<< /Length %010d >>\nstream\n", len(offsets), c.padding)

	var tail bytes.Buffer
	tail.WriteString("\nendstream\nendobj\n")
	xref := int64(head.Len()) + c.padding + int64(tail.Len())
	fmt.Fprintf(&tail, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, offset := range offsets {
		fmt.Fprintf(&tail, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&tail, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%010d\n%%%%EOF\n", len(offsets)+1, xref)

	if _, err := w.Write(head.Bytes()); err != nil {
		return err
	}
	if err := c.pad(w); err != nil {
		return err
	}
	_, err := w.Write(tail.Bytes())
	return err
}

// pngEnd is the length of the chunk that ends every PNG.
const pngEnd = 12

// writePNG writes a small picture. The padding is a private chunk before its end.
func (c content) writePNG(w io.Writer) error {
	const side = 48
	picture := image.NewRGBA(image.Rect(0, 0, side, side))
	for i := range side * side {
		picture.SetRGBA(i%side, i/side, color.RGBA{c.seed[0], uint8(i % side * 5), uint8(i / side * 5), 255})
	}
	var encoded bytes.Buffer
	if err := png.Encode(&encoded, picture); err != nil {
		return err
	}
	body := encoded.Bytes()
	if _, err := w.Write(body[:len(body)-pngEnd]); err != nil {
		return err
	}
	if err := binary.Write(w, binary.BigEndian, uint32(c.padding)); err != nil {
		return err
	}
	sum := crc32.NewIEEE()
	chunk := io.MultiWriter(w, sum)
	if _, err := io.WriteString(chunk, "poRt"); err != nil {
		return err
	}
	if err := c.pad(chunk); err != nil {
		return err
	}
	if err := binary.Write(w, binary.BigEndian, sum.Sum32()); err != nil {
		return err
	}
	_, err := w.Write(body[len(body)-pngEnd:])
	return err
}

// textRow is the length of a row of text, its line feed included.
const textRow = 64

// writeText writes the head, and as padding whole rows of two columns.
func (c content) writeText(w io.Writer, head, separator string) error {
	if _, err := io.WriteString(w, head); err != nil {
		return err
	}
	stream := rand.NewChaCha8(c.seed)
	var random [(textRow - 2) / 2]byte
	for range c.padding / textRow {
		// ChaCha8 never returns an error.
		_, _ = stream.Read(random[:])
		digits := hex.EncodeToString(random[:])
		if _, err := io.WriteString(w, digits[:20]+separator+digits[20:]+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// pad writes the padding.
func (c content) pad(w io.Writer) error {
	_, err := io.CopyN(w, rand.NewChaCha8(c.seed), c.padding)
	return err
}

// byteCount counts what is written to it.
type byteCount int64

func (n *byteCount) Write(b []byte) (int, error) {
	*n += byteCount(len(b))
	return len(b), nil
}

// asciiOnly replaces what the PDF's font cannot show.
func asciiOnly(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, s)
}
