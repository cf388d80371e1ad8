package inspect

import (
	"encoding/binary"
	"io"
)

// What of a TIFF is needed (TIFF 6.0, section 2): the fields that say where the picture's
// parts begin, and how long they are.
const (
	tiffStrips, tiffStripSizes = 273, 279
	tiffTiles, tiffTileSizes   = 324, 325
	tiffMaxPages               = 1 << 12
	tiffMaxParts               = 1 << 16
)

// endOfTIFF goes from page to page, and looks whether the parts of each picture are within
// the file.
func endOfTIFF(file io.ReaderAt, size int64) (Verdict, string) {
	head := beginning(file, size)
	if len(head) < 8 {
		return Cut, "ends within its header"
	}
	t := tiff{file: file, size: size, order: binary.LittleEndian}
	if head[0] == 'M' {
		t.order = binary.BigEndian
	}
	if t.order.Uint16(head[2:]) != 42 {
		return Unknown, "is a BigTIFF, whose end does not show"
	}
	at := int64(t.order.Uint32(head[4:]))
	for range tiffMaxPages {
		if at == 0 {
			return Whole, "has all parts that a TIFF's pages name"
		}
		next, whole := t.page(at)
		if !whole {
			return Cut, "ends before what a page of its TIFF names"
		}
		at = next
	}
	return Unknown, "has too many pages to look at"
}

type tiff struct {
	file  io.ReaderAt
	size  int64
	order binary.ByteOrder
}

// page looks through one page's fields. It returns where the next page is, and whether all
// that this one names is there.
func (t *tiff) page(at int64) (next int64, whole bool) {
	count := t.read(at, 2)
	if count == nil {
		return 0, false
	}
	n := int64(t.order.Uint16(count))
	fields := t.read(at+2, n*12+4)
	if fields == nil {
		return 0, false
	}
	values := map[uint16][]int64{}
	for i := range n {
		field := fields[i*12:]
		switch tag := t.order.Uint16(field); tag {
		case tiffStrips, tiffStripSizes, tiffTiles, tiffTileSizes:
			list, ok := t.values(field)
			if !ok {
				return 0, false
			}
			values[tag] = list
		}
	}
	for _, pair := range [][2]uint16{{tiffStrips, tiffStripSizes}, {tiffTiles, tiffTileSizes}} {
		begins, lengths := values[pair[0]], values[pair[1]]
		for i, begin := range begins {
			if begin > t.size || i < len(lengths) && len(lengths) == len(begins) && begin+lengths[i] > t.size {
				return 0, false
			}
		}
	}
	return int64(t.order.Uint32(fields[n*12:])), true
}

// values are a field's numbers, which stand in it where they are few.
func (t *tiff) values(field []byte) ([]int64, bool) {
	width := map[uint16]int64{3: 2, 4: 4}[t.order.Uint16(field[2:])]
	n := min(int64(t.order.Uint32(field[4:])), tiffMaxParts)
	if width == 0 {
		return nil, true
	}
	data := field[8:12]
	if n*width > 4 {
		if data = t.read(int64(t.order.Uint32(data)), n*width); data == nil {
			return nil, false
		}
	}
	list := make([]int64, n)
	for i := range list {
		if width == 2 {
			list[i] = int64(t.order.Uint16(data[int64(i)*2:]))
		} else {
			list[i] = int64(t.order.Uint32(data[int64(i)*4:]))
		}
	}
	return list, true
}

// read returns bytes of the file, or nil where it has fewer.
func (t *tiff) read(at, n int64) []byte {
	if at+n > t.size {
		return nil
	}
	buf := make([]byte, n)
	if _, err := t.file.ReadAt(buf, at); err != nil {
		return nil
	}
	return buf
}
