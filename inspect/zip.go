package inspect

import (
	"archive/zip"
	"bufio"
	"compress/gzip"
	"errors"
	"io"
	"math"
	"strconv"
)

// encryptedFlag is the bit of an entry's flags that says that it is encrypted (APPNOTE 4.4.4).
const encryptedFlag = 1

// maxDirectory is how many bytes the directory of an archive may have that is looked into. That is
// some 100,000 files; each of them takes five times as much memory.
const maxDirectory = 8 << 20

// openZIP reads an archive's directory. It returns errLimit if that is larger than maxDirectory.
func openZIP(file io.ReaderAt, size int64) (*zip.Reader, error) {
	bounded := &boundedReader{ReaderAt: file, left: maxDirectory + 1<<17} // the end is looked for in the last bytes
	archive, err := zip.NewReader(bounded, size)
	bounded.left = math.MaxInt64
	return archive, err
}

// boundedReader reads so many bytes in all, and then no more.
type boundedReader struct {
	io.ReaderAt
	left int64
}

func (r *boundedReader) ReadAt(p []byte, at int64) (int, error) {
	if r.left -= int64(len(p)); r.left < 0 {
		return 0, errLimit
	}
	return r.ReaderAt.ReadAt(p, at)
}

// endOfZIP looks for the directory, which stands at the end, and compares the checksums
// of what it lists, up to a limit. Past that, and where an entry is encrypted or packed
// in a way that is not known here, the directory alone is believed.
func endOfZIP(file io.ReaderAt, size int64) (Verdict, string) {
	archive, err := openZIP(file, size)
	if errors.Is(err, errLimit) {
		return Unknown, err.Error()
	}
	if err != nil {
		return Cut, "has no directory at its end, as a whole ZIP file has (Office files are such)"
	}
	left := int64(maxRead)
	for _, entry := range archive.File {
		start, err := entry.DataOffset()
		if err != nil || entry.CompressedSize64 > uint64(size) || start+int64(entry.CompressedSize64) > size {
			return Cut, "lacks what its directory lists as " + strconv.Quote(entry.Name)
		}
		if left <= 0 || entry.Flags&encryptedFlag != 0 {
			continue
		}
		n, err := unpack(entry, left)
		left -= n
		switch {
		case err == nil, errors.Is(err, zip.ErrAlgorithm):
		case errors.Is(err, zip.ErrChecksum):
			return Cut, "is damaged: the checksum of " + strconv.Quote(entry.Name) + " does not fit"
		default:
			return Cut, "is damaged: " + strconv.Quote(entry.Name) + " cannot be unpacked (" + err.Error() + ")"
		}
	}
	return Whole, "has a ZIP file's directory, and its checksums fit"
}

// unpack reads an entry up to a limit. Its end has the checksum compared.
func unpack(entry *zip.File, limit int64) (int64, error) {
	r, err := entry.Open()
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(io.Discard, io.LimitReader(r, limit))
	return n, errors.Join(err, r.Close())
}

func endOfGZIP(r *bufio.Reader) error {
	z, err := gzip.NewReader(r)
	if err != nil {
		return err
	}
	n, err := io.Copy(io.Discard, io.LimitReader(z, maxRead))
	if err == nil && n == maxRead {
		return errLimit
	}
	if errors.Is(err, gzip.ErrHeader) { // other bytes behind the first member
		return nil
	}
	return err
}
