package inspect

import (
	"archive/zip"
	"encoding/binary"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"
)

// Content is what a file in a container, ZIP or OLE, is for, whichever program wrote it.
type Content string

// The contents that are told apart.
const (
	Letter  Content = "a text document" // of Word, or OpenDocument's
	Sheet   Content = "a workbook"
	Slides  Content = "a presentation"
	Drawing Content = "a drawing"
	Mail    Content = "an Outlook message"
	Archive Content = "a plain ZIP archive"
)

// mainPart is how an Office file's list of content types names its main part (ECMA-376, part 2).
var mainPart = regexp.MustCompile(`ContentType\s*=\s*["']application/vnd\.(?:openxmlformats-officedocument\.(\w+)|ms-(\w+))\.[\w.]*\bmain\b`)

var (
	partsOf = map[string]Content{
		"wordprocessingml": Letter, "word": Letter, "spreadsheetml": Sheet, "excel": Sheet,
		"presentationml": Slides, "powerpoint": Slides, "visio": Drawing,
	}
	openDocuments = map[string]Content{"text": Letter, "spreadsheet": Sheet, "presentation": Slides, "graphics": Drawing}
	streams       = map[string]Content{
		"WordDocument": Letter, "Workbook": Sheet, "Book": Sheet, "PowerPoint Document": Slides,
		"VisioDocument": Drawing, "__properties_version1.0": Mail,
	}
)

// ContentOf says what a file is for, or nothing where it does not show, as of encrypted files,
// or where it shows several things.
func ContentOf(file io.ReaderAt, size int64, form Form) Content {
	found := map[Content]bool{}
	switch form {
	case ZIP:
		archive, err := openZIP(file, size)
		if err != nil {
			return ""
		}
		found = contentOfZIP(archive)
	case OLE:
		found = contentOfOLE(file)
	}
	if len(found) == 1 {
		for content := range found {
			return content
		}
	}
	return ""
}

// HasMacros reports whether a file holds macros of an Office program, which may run when it is
// opened there.
func HasMacros(file io.ReaderAt, size int64, form Form) bool {
	switch form {
	case ZIP:
		archive, err := openZIP(file, size)
		return err == nil && slices.ContainsFunc(archive.File, func(entry *zip.File) bool {
			name := strings.ToLower(strings.ReplaceAll(entry.Name, `\`, "/"))
			return path.Base(name) == "vbaproject.bin" || strings.HasPrefix(name, "xl/macrosheets/") || strings.HasPrefix(name, "basic/")
		})
	case OLE:
		return slices.ContainsFunc(oleEntries(file), func(entry []byte) bool { return oleName(entry) == "_VBA_PROJECT" })
	}
	return false
}

func contentOfZIP(archive *zip.Reader) map[Content]bool {
	found, packed := map[Content]bool{}, false
	for _, entry := range archive.File {
		switch strings.ToLower(entry.Name) {
		case "[content_types].xml":
			packed = true
			for _, m := range mainPart.FindAllStringSubmatch(entryText(entry), -1) {
				if content := partsOf[m[1]+m[2]]; content != "" {
					found[content] = true
				}
			}
		case "mimetype":
			packed = true
			kind, _ := strings.CutPrefix(entryText(entry), "application/vnd.oasis.opendocument.")
			kind, _, _ = strings.Cut(strings.TrimSpace(kind), "-") // -template, -master
			if content := openDocuments[kind]; content != "" {
				found[content] = true
			}
		case "meta-inf/manifest.xml":
			packed = true
		}
	}
	if !packed && len(archive.File) > 0 {
		found[Archive] = true
	}
	return found
}

// entryText returns the beginning of an entry, or nothing where it cannot be unpacked.
func entryText(entry *zip.File) string {
	r, err := entry.Open()
	if err != nil {
		return ""
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, 1<<20))
	if err != nil {
		return ""
	}
	return string(text)
}

// What of a compound file's directory is needed (MS-CFB 2.6).
const (
	oleDirectory = 48  // where the header names the directory's first sector
	oleEntry     = 128 // an entry's size
	oleMaxEntry  = 1 << 14
)

// contentOfOLE looks at the streams that stand in the root: those of embedded files stand
// deeper.
func contentOfOLE(file io.ReaderAt) map[Content]bool {
	entries := oleEntries(file)
	found, seen := map[Content]bool{}, map[uint32]bool{}
	var visit func(id uint32)
	visit = func(id uint32) {
		if uint64(id) >= uint64(len(entries)) || seen[id] {
			return
		}
		seen[id] = true
		entry := entries[id]
		if content := streams[oleName(entry)]; content != "" {
			found[content] = true
		}
		visit(binary.LittleEndian.Uint32(entry[68:])) // the siblings before and after it
		visit(binary.LittleEndian.Uint32(entry[72:]))
	}
	if len(entries) > 0 {
		visit(binary.LittleEndian.Uint32(entries[0][76:]))
	}
	return found
}

// oleSize returns the size of a compound file's sectors, or 0.
func oleSize(head []byte) int64 {
	if shift := binary.LittleEndian.Uint16(head[30:]); shift == 9 || shift == 12 {
		return 1 << shift
	}
	return 0
}

// oleChain calls visit with the place of each sector, from one on as the table links them, until it
// returns false.
func oleChain(file io.ReaderAt, head []byte, at uint32, visit func(place int64) bool) {
	sector := oleSize(head)
	perTable := uint32(sector / 4)
	for at <= oleMaxPlace {
		if !visit((int64(at) + 1) * sector) {
			return
		}
		place := olePlaces + 4*int64(at/perTable)
		if place+4 > oleHeader {
			return
		}
		var cell [4]byte
		table := (int64(binary.LittleEndian.Uint32(head[place:])) + 1) * sector
		if _, err := file.ReadAt(cell[:], table+4*int64(at%perTable)); err != nil {
			return
		}
		at = binary.LittleEndian.Uint32(cell[:])
	}
}

// oleEntries reads the directory.
func oleEntries(file io.ReaderAt) [][]byte {
	head := make([]byte, oleHeader)
	if _, err := file.ReadAt(head, 0); err != nil || oleSize(head) == 0 {
		return nil
	}
	var entries [][]byte
	oleChain(file, head, binary.LittleEndian.Uint32(head[oleDirectory:]), func(place int64) bool {
		block := make([]byte, oleSize(head))
		if _, err := file.ReadAt(block, place); err != nil {
			return false
		}
		for i := 0; i+oleEntry <= len(block); i += oleEntry {
			entries = append(entries, block[i:i+oleEntry])
		}
		return len(entries) < oleMaxEntry
	})
	return entries
}

func oleName(entry []byte) string {
	units := make([]uint16, 0, 32)
	for i := 0; i < min(64, int(binary.LittleEndian.Uint16(entry[64:]))-2); i += 2 {
		units = append(units, binary.LittleEndian.Uint16(entry[i:]))
	}
	return string(utf16.Decode(units))
}
