package inspect

import (
	"bufio"
	"encoding/binary"
	"io"
)

// endByHeader compares a file's size with the one that its first bytes name.
func endByHeader(file io.ReaderAt, size int64, form Form) (Verdict, string) {
	head := beginning(file, size)
	need := int64(-1)
	switch {
	case form == BMP && len(head) >= 6:
		need = int64(binary.LittleEndian.Uint32(head[2:]))
	case form == WebP && len(head) >= 8:
		need = int64(binary.LittleEndian.Uint32(head[4:])) + 8
	case form == SevenZip && len(head) >= 32:
		offset, length := binary.LittleEndian.Uint64(head[12:]), binary.LittleEndian.Uint64(head[20:])
		need = 32 + int64(min(offset, 1<<50)) + int64(min(length, 1<<50))
	}
	switch {
	case need < 0 || need > size:
		return Cut, "has fewer bytes than its header says"
	case need == 0:
		return Unknown, "has a header that names no size"
	}
	return Whole, "has as many bytes as its header says"
}

// What of a compound file's header is needed (MS-CFB 2.2).
const (
	oleHeader   = 512
	olePlaces   = 76 // where the header's list of table sectors begins
	oleFree     = 0xffffffff
	oleMaxPlace = 0xfffffffa
)

// endOfOLE looks up the last sector that is in use, and whether it is there.
func endOfOLE(file io.ReaderAt, size int64) (Verdict, string) {
	head := make([]byte, oleHeader)
	if _, err := file.ReadAt(head, 0); err != nil {
		return Cut, "ends within its header"
	}
	sector := oleSize(head)
	if sector == 0 {
		return Unknown, "has a header that is not understood"
	}
	table := make([]byte, sector)
	last, n := int64(-1), int64(0)
	for at := olePlaces; at+4 <= oleHeader; at += 4 {
		place := binary.LittleEndian.Uint32(head[at:])
		if place > oleMaxPlace {
			break
		}
		if _, err := file.ReadAt(table, (int64(place)+1)*sector); err != nil {
			return Cut, "ends before the table of its sectors"
		}
		for i := int64(0); i < sector; i += 4 {
			if binary.LittleEndian.Uint32(table[i:]) != oleFree {
				last = n
			}
			n++
		}
	}
	need := (last + 2) * sector
	switch {
	case last < 0:
		return Unknown, "has no table of its sectors"
	case size >= need:
		return Whole, "has all sectors that its table names"
	case lacksStream(file, head, size):
		return Cut, "ends before the end of what its directory lists"
	case size > need-sector:
		return Unknown, "has a last sector that is not full"
	}
	return Doubtful, "lacks sectors that its table names" // some writers name free ones
}

// lacksStream reports whether a part of a stream that stands in the table lies beyond the end.
func lacksStream(file io.ReaderAt, head []byte, size int64) bool {
	const root, stream, small = 5, 2, 4096 // small ones stand in the root's
	sector := oleSize(head)
	if (int64(binary.LittleEndian.Uint32(head[oleDirectory:]))+1)*sector >= size {
		return true
	}
	left := size / sector // no two streams share a sector
	for _, entry := range oleEntries(file) {
		length := int64(binary.LittleEndian.Uint32(entry[120:]))
		if entry[66] != root && (entry[66] != stream || length < small) {
			continue
		}
		beyond := false
		oleChain(file, head, binary.LittleEndian.Uint32(entry[116:]), func(place int64) bool {
			beyond = place+min(length, sector) > size
			length -= sector
			left--
			return !beyond && length > 0 && left > 0
		})
		if beyond {
			return true
		}
	}
	return false
}

// endOfRTF counts the groups: the first one's end is the file's.
func endOfRTF(r *bufio.Reader) error {
	depth := 0
	for {
		c, err := r.ReadByte()
		if err != nil {
			return err
		}
		switch c {
		case '\\':
			_, err = r.Discard(1)
		case '{':
			depth++
		case '}':
			depth--
		}
		if err != nil || depth == 0 {
			return err
		}
	}
}
