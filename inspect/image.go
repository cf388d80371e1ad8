package inspect

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

// endOfPNG walks from chunk to chunk, compares their checksums, and ends at IEND.
func endOfPNG(r *bufio.Reader) error {
	if _, err := r.Discard(8); err != nil {
		return err
	}
	for {
		var head [8]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return err
		}
		sum := crc32.NewIEEE()
		sum.Write(head[4:])
		if _, err := io.CopyN(sum, r, int64(binary.BigEndian.Uint32(head[:4]))); err != nil {
			return err
		}
		var want [4]byte
		if _, err := io.ReadFull(r, want[:]); err != nil {
			return err
		}
		if sum.Sum32() != binary.BigEndian.Uint32(want[:]) {
			return errors.New("the checksum of a PNG chunk does not fit")
		}
		if string(head[4:]) == "IEND" {
			return nil
		}
	}
}

// The markers of JPEG (ITU T.81, table B.1) that stand alone, or that end something.
const (
	jpegMark  = 0xff
	jpegTEM   = 0x01
	jpegRST0  = 0xd0
	jpegRST7  = 0xd7
	jpegSOI   = 0xd8
	jpegEOI   = 0xd9
	jpegSOS   = 0xda
	jpegStuff = 0x00
)

// endOfJPEG walks from segment to segment, through the scans, to the picture's end.
// What cameras put behind that does not count.
func endOfJPEG(r *bufio.Reader) error {
	for {
		marker, err := nextMarker(r)
		switch {
		case err != nil:
			return err
		case marker == jpegEOI:
			return nil
		case marker == jpegSOI, marker == jpegTEM, marker >= jpegRST0 && marker <= jpegRST7:
			continue
		}
		var length [2]byte
		if _, err := io.ReadFull(r, length[:]); err != nil {
			return err
		}
		if _, err := r.Discard(max(0, int(binary.BigEndian.Uint16(length[:]))-2)); err != nil {
			return err
		}
	}
}

// nextMarker passes by the data of a scan.
func nextMarker(r *bufio.Reader) (byte, error) {
	for {
		c, err := r.ReadByte()
		if err != nil {
			return 0, err
		}
		for c == jpegMark {
			if c, err = r.ReadByte(); err != nil {
				return 0, err
			}
			if c != jpegMark && c != jpegStuff && (c < jpegRST0 || c > jpegRST7) {
				return c, nil
			}
		}
	}
}

// endOfGIF walks from block to block to the trailer (GIF89a, appendix B).
func endOfGIF(r *bufio.Reader) error {
	var head [13]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return err
	}
	if err := skipColours(r, head[10]); err != nil {
		return err
	}
	for {
		block, err := r.ReadByte()
		if err != nil {
			return err
		}
		switch block {
		case 0x3b:
			return nil
		case 0x21: // an extension: its label, then its data
			_, err = r.Discard(1)
		case 0x2c: // a picture: its place, its colours, the size of its codes, then its data
			var place [9]byte
			if _, err = io.ReadFull(r, place[:]); err == nil {
				err = skipColours(r, place[8])
			}
			if err == nil {
				_, err = r.Discard(1)
			}
		case 0x00:
			continue
		default:
			return errors.New("a GIF block is of no known kind")
		}
		if err == nil {
			err = skipData(r)
		}
		if err != nil {
			return err
		}
	}
}

// skipColours passes by a table of colours, if the flags say that there is one.
func skipColours(r *bufio.Reader, flags byte) error {
	if flags&0x80 == 0 {
		return nil
	}
	_, err := r.Discard(3 << (flags&7 + 1))
	return err
}

func skipData(r *bufio.Reader) error {
	for {
		n, err := r.ReadByte()
		if err != nil || n == 0 {
			return err
		}
		if _, err := r.Discard(int(n)); err != nil {
			return err
		}
	}
}
