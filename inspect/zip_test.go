package inspect_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/inspect"
)

// TestManyEntries: an archive with very many files in its directory is not looked into, and is no
// less whole for that.
func TestManyEntries(t *testing.T) {
	t.Parallel()
	many := func(n, nameSize int) []byte {
		var b bytes.Buffer
		b.WriteString("PK\x03\x04")
		entry := make([]byte, 46+nameSize)
		copy(entry, "PK\x01\x02")
		binary.LittleEndian.PutUint16(entry[28:], uint16(nameSize))
		copy(entry[46:], strings.Repeat("a", nameSize))
		begin := b.Len()
		for range n {
			b.Write(entry)
		}
		end := make([]byte, 22)
		copy(end, "PK\x05\x06")
		binary.LittleEndian.PutUint16(end[8:], uint16(n))
		binary.LittleEndian.PutUint16(end[10:], uint16(n))
		binary.LittleEndian.PutUint32(end[12:], uint32(b.Len()-begin))
		binary.LittleEndian.PutUint32(end[16:], uint32(begin))
		b.Write(end)
		return b.Bytes()
	}
	data := many(150, 60_000)
	verdict, why := inspect.End(bytes.NewReader(data), int64(len(data)), inspect.ZIP)
	if verdict != inspect.Unknown || !strings.Contains(why, "too large") {
		t.Errorf("%s, %s", verdict, why)
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := range 5_000 {
		if _, err := z.Create(fmt.Sprintf("scans/%05d.tif", i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if v, why := inspect.End(bytes.NewReader(b.Bytes()), int64(b.Len()), inspect.ZIP); v != inspect.Whole {
		t.Errorf("5,000 files: %s, %s", v, why)
	}
}
