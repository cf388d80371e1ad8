package orders

import (
	"bytes"
	"regexp"
)

const (
	isPDF     = "a PDF, not a sheet: ask for the table as .xlsx or .csv, or copy it into a spreadsheet program, and save it as .xlsx"
	isRTF     = "a text document (RTF), not a sheet: copy the table into a spreadsheet program, and save it as .xlsx"
	isPicture = "a picture, not a sheet: type the order numbers into a spreadsheet program, and save them as .xlsx"
	isArchive = "an archive, not a sheet: unpack it, and name the sheet that is in it"
	isJSON    = "JSON, not a sheet: save it as .csv or .xlsx, with a header row and a row for each order"
	isSaved   = "a page in a web archive (MHTML), not a sheet, whatever its name: open it in a spreadsheet program, and save it as .xlsx"
	isPage    = "a page (HTML or XML), not a sheet, whatever its name: open it in a spreadsheet program, and save it as .xlsx"
)

// beginnings are the first bytes of files that are no sheets, with what they are.
var beginnings = []struct{ with, is string }{
	{"%PDF-", isPDF}, {`{\rtf`, isRTF},
	{"\x89PNG", isPicture}, {"\xff\xd8\xff", isPicture}, {"GIF8", isPicture}, {"II*\x00", isPicture}, {"MM\x00*", isPicture},
	{"\x1f\x8b", isArchive}, {"7z\xbc\xaf", isArchive}, {"Rar!", isArchive}, {"BZh", isArchive},
}

var (
	// savedBeginning are the lines of a message's head, MIME-Version among them.
	savedBeginning = regexp.MustCompile(`(?i)^([\w-]+: [^\r\n]*\r?\n([ \t][^\r\n]*\r?\n)*)*MIME-Version:`)
	jsonBeginning  = regexp.MustCompile(`^\s*(\{\s*["}]|\[\s*[\[{"\]])`)
	pageBeginning  = regexp.MustCompile(`(?i)^\s*(<!--.*?-->\s*)*<(!doctype|html|head|meta|style|body|div|table|\?xml|\?mso|workbook)\b`)
)

// otherKind says what a file is, if it is plainly no sheet, and what to do about that.
func otherKind(data []byte) string {
	head := data[:min(len(data), 4096)]
	for _, b := range beginnings {
		if bytes.HasPrefix(head, []byte(b.with)) {
			return b.is
		}
	}
	head = bytes.TrimPrefix(head, []byte("\ufeff"))
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		head = bytes.ReplaceAll(head[2:], []byte{0}, nil) // UTF-16, of which plain letters are left
	}
	switch {
	case jsonBeginning.Match(head):
		return isJSON
	case savedBeginning.Match(head):
		return isSaved
	case pageBeginning.Match(head):
		return isPage
	}
	return ""
}
