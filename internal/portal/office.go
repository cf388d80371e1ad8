package portal

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"hash/crc32"
	"io"
)

const xmlHead = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"

func (c content) writeDOCX(w io.Writer) error {
	return c.writeZip(w, [][2]string{
		{"[Content_Types].xml", contentTypes("/word/document.xml", "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml")},
		{"_rels/.rels", relationship("word/document.xml")},
		{"word/document.xml", xmlHead + `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>` +
			escapeXML(c.title) + `</w:t></w:r></w:p></w:body></w:document>`},
	}, "word/media/scan.bin")
}

func (c content) writeXLSX(w io.Writer) error {
	return c.writeZip(w, [][2]string{
		{"[Content_Types].xml", contentTypes("/xl/workbook.xml", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml")},
		{"_rels/.rels", relationship("xl/workbook.xml")},
		{"xl/workbook.xml", xmlHead + `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheets/></workbook>`},
		{"xl/title.xml", xmlHead + `<title>` + escapeXML(c.title) + `</title>`},
	}, "xl/media/scan.bin")
}

// writeZip writes the entries, and one more that holds the padding.
func (c content) writeZip(w io.Writer, entries [][2]string, padded string) error {
	archive := zip.NewWriter(w)
	for _, e := range entries {
		sum := crc32.ChecksumIEEE([]byte(e[1]))
		size := uint64(len(e[1]))
		raw, err := archive.CreateRaw(&zip.FileHeader{
			Name: e[0], Method: zip.Store, CRC32: sum, CompressedSize64: size, UncompressedSize64: size,
		})
		if err != nil {
			return err
		}
		if _, err := io.WriteString(raw, e[1]); err != nil {
			return err
		}
	}
	scan, err := archive.CreateHeader(&zip.FileHeader{Name: padded, Method: zip.Store})
	if err != nil {
		return err
	}
	if err := c.pad(scan); err != nil {
		return err
	}
	return archive.Close()
}

func contentTypes(part, mime string) string {
	return xmlHead + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Default Extension="xml" ContentType="application/xml"/>` +
		`<Default Extension="bin" ContentType="application/octet-stream"/>` +
		`<Override PartName="` + part + `" ContentType="` + mime + `"/></Types>`
}

func relationship(part string) string {
	return xmlHead + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="` +
		part + `"/></Relationships>`
}

func escapeXML(s string) string {
	var b bytes.Buffer
	// A buffer never returns an error.
	_ = xml.EscapeText(&b, []byte(s))
	return b.String()
}
