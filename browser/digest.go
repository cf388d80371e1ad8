package browser

import (
	"bytes"
	"crypto/md5" //nolint:gosec // what stores send
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"strings"
)

// digests are the checksums that a store sends with a document.
type digests []digest

type digest struct {
	// name is the field and the algorithm, for people.
	name string
	want []byte
	sum  hash.Hash
}

// digests returns the checksums of the bytes on disk: those of Repr-Digest and
// Content-Digest (RFC 9530), Digest (RFC 3230), Content-MD5 (RFC 1864) and x-goog-hash.
// There are none where the body was encoded, as some are of the one form and some of the
// other, nor of what Google's store has unpacked. One of an algorithm that is not known,
// or that does not fit it, says nothing.
func (h head) digests() digests {
	if stored := h.get("x-goog-stored-content-encoding"); h.coding() != "" || stored != "" && !strings.EqualFold(stored, "identity") {
		return nil
	}
	var all digests
	for _, field := range []string{"Repr-Digest", "Content-Digest", "Digest", "x-goog-hash"} {
		for member := range strings.SplitSeq(h.get(field), ",") {
			algorithm, value, _ := strings.Cut(strings.TrimSpace(member), "=")
			all = all.add(field, algorithm, value)
		}
	}
	return all.add("Content-MD5", "md5", h.get("Content-MD5"))
}

func (d digests) add(field, algorithm, value string) digests {
	var sum hash.Hash
	algorithm = strings.ToLower(strings.TrimSpace(algorithm))
	switch algorithm {
	case "sha-256":
		sum = sha256.New()
	case "sha-512":
		sum = sha512.New()
	case "md5":
		sum = md5.New() //nolint:gosec // what stores send
	case "crc32c":
		sum = crc32.New(crc32.MakeTable(crc32.Castagnoli))
	default:
		return d
	}
	value, _, _ = strings.Cut(value, ";") // parameters
	value = strings.Trim(strings.TrimSpace(value), `:"`)
	for _, decode := range []func(string) ([]byte, error){base64.StdEncoding.DecodeString, hex.DecodeString} {
		if want, err := decode(value); err == nil && len(want) == sum.Size() {
			return append(d, digest{field + " " + algorithm, want, sum})
		}
	}
	return d
}

func (d digests) write(data []byte) {
	for _, one := range d {
		one.sum.Write(data)
	}
}

// differs names the first checksum that does not fit what was written, or nothing.
func (d digests) differs() string {
	for _, one := range d {
		if !bytes.Equal(one.sum.Sum(nil), one.want) {
			return one.name
		}
	}
	return ""
}

// file writes what a file has.
func (d digests) file(of *File) error {
	if len(d) == 0 {
		return nil
	}
	f, err := of.Open()
	if err != nil {
		return fmt.Errorf("comparing a document's checksum: %w", err)
	}
	defer f.Close()
	var all []io.Writer
	for _, one := range d {
		all = append(all, one.sum)
	}
	_, err = io.Copy(io.MultiWriter(all...), f)
	return err
}
