package workbook

import (
	"bytes"
	"strings"
	"unicode/utf16"
)

// Looks reports whether the data is a workbook, of whatever program, or an archive, going by
// its first bytes.
func Looks(data []byte) bool {
	return bytes.HasPrefix(data, []byte("PK\x03\x04")) || bytes.HasPrefix(data, []byte("PK\x05\x06")) || isCompound(data)
}

// isCompound reports whether it is a compound file: of an old program, or an encrypted one.
func isCompound(data []byte) bool {
	return bytes.HasPrefix(data, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"))
}

// otherFormat says what a compound file is.
func otherFormat(data []byte) string {
	switch {
	case !isCompound(data):
		return ""
	case bytes.Contains(data, utf16Text("EncryptedPackage")):
		return "it is encrypted; save it without a password"
	}
	return "it is an old Excel workbook (.xls); save it as .xlsx"
}

func utf16Text(text string) []byte {
	var out []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		out = append(out, byte(unit), byte(unit>>8))
	}
	return out
}

// otherArchive says what an archive is that holds no workbook of ours.
func (w *Workbook) otherArchive() string {
	has := func(prefix string) bool {
		for name := range w.parts {
			if strings.HasPrefix(name, prefix) {
				return true
			}
		}
		return false
	}
	switch {
	case has("xl/workbook.bin"):
		return "it is a binary Excel workbook (.xlsb); save it as .xlsx"
	case has("content.xml") && has("mimetype"):
		return "it is an OpenDocument file, such as .ods; save it as .xlsx"
	case has("index/") && has("metadata/"):
		return "it is a Numbers document; export it as .xlsx"
	case has("word/") || has("ppt/"):
		return "it is a document of another Office program"
	case !has("[content_types].xml") && !has("_rels/"):
		return "it is a ZIP file of something else"
	}
	return ""
}
