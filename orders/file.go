package orders

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// maxFileBytes bounds what is read into memory: some million rows.
const maxFileBytes = 256 << 20

// readFile reads all bytes of a sheet, and refuses what is none.
func readFile(name string, r io.Reader) ([]byte, *FileError) {
	if kind := workbookByName(name); kind != "" {
		return nil, workbookError(name, kind)
	}
	if file, ok := r.(interface{ Stat() (fs.FileInfo, error) }); ok {
		if info, err := file.Stat(); err == nil && info.IsDir() {
			return nil, &FileError{File: name, Message: "this is a directory: give the name of a CSV or TSV file"}
		}
	}
	data, err := io.ReadAll(io.LimitReader(r, maxFileBytes+1))
	if err != nil {
		return nil, &FileError{File: name, Message: "the file cannot be read", Err: err}
	}
	if len(data) > maxFileBytes {
		return nil, &FileError{File: name, Message: fmt.Sprintf(
			"the file is larger than %d MB: split it into smaller ones", maxFileBytes>>20)}
	}
	if kind := workbookByContent(data); kind != "" {
		return nil, workbookError(name, kind)
	}
	return data, nil
}

func workbookByName(name string) string {
	extension := strings.ToLower(filepath.Ext(name))
	if slices.Contains([]string{".xlsx", ".xlsm", ".xlsb", ".xls", ".ods", ".numbers"}, extension) {
		return "a workbook (" + extension + ")"
	}
	return ""
}

func workbookByContent(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return "a workbook or another ZIP file"
	case bytes.HasPrefix(data, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")):
		return "an old Excel workbook"
	}
	return ""
}

func workbookError(name, kind string) *FileError {
	return &FileError{File: name, Message: "this is " + kind + `, which poscrape cannot read: save the sheet as "CSV UTF-8", and give that file`}
}
