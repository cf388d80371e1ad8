package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/poscrape/poscrape/bench/protocol"
	"github.com/poscrape/poscrape/internal/portal"
)

// check compares what a tool has brought home with what the portal has shown. It
// returns an error that names the first difference. In protocol.ModeDocuments,
// it reads the documents themselves, which are below dir unless they are absolute.
func check(want []portal.BenchOrder, got []protocol.Result, mode, dir string) error {
	byPO := map[string]protocol.Result{}
	for _, r := range got {
		if _, twice := byPO[r.PO]; twice {
			return fmt.Errorf("%s was brought home twice", r.PO)
		}
		byPO[r.PO] = r
	}
	for _, o := range want {
		r, ok := byPO[o.PO]
		if !ok {
			return fmt.Errorf("%s is missing (%d of %d orders are there)", o.PO, len(got), len(want))
		}
		if err := checkOrder(o, r, mode, dir); err != nil {
			return fmt.Errorf("%s: %w", o.PO, err)
		}
		delete(byPO, o.PO)
	}
	for po := range byPO {
		return fmt.Errorf("%q was brought home and is no order", po)
	}
	return nil
}

func checkOrder(want portal.BenchOrder, got protocol.Result, mode, dir string) error {
	for _, name := range slices.Sorted(maps.Keys(want.Fields)) {
		if got.Fields[name] != want.Fields[name] {
			return fmt.Errorf("the field %s is %q and not %q", name, got.Fields[name], want.Fields[name])
		}
	}
	if len(got.Documents) != len(want.Documents) {
		return fmt.Errorf("%d documents were found, and there are %d", len(got.Documents), len(want.Documents))
	}
	for i, doc := range want.Documents {
		found := got.Documents[i]
		if found.Name != doc.Name {
			return fmt.Errorf("document %d is %q and not %q", i+1, found.Name, doc.Name)
		}
		if mode == protocol.ModeList {
			if found.Size != doc.Size {
				return fmt.Errorf("the size of %s is %q and not %q", doc.Name, found.Size, doc.Size)
			}
			continue
		}
		if err := checkDocument(doc, found, dir); err != nil {
			return fmt.Errorf("%s: %w", doc.Name, err)
		}
	}
	return nil
}

// checkDocument compares both what the tool says and what is on disk.
func checkDocument(want portal.BenchListed, got protocol.Document, dir string) error {
	if got.SHA256 != want.SHA256 || got.Bytes != want.Bytes {
		return fmt.Errorf("the tool says %d bytes with the hash %q, and it has %d with %s", got.Bytes, got.SHA256, want.Bytes, want.SHA256)
	}
	if got.File == "" {
		return errors.New("the tool does not say where it is")
	}
	file := got.File
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, filepath.FromSlash(file))
	}
	sum, err := hashOf(file)
	if err == nil && sum != want.SHA256 {
		err = fmt.Errorf("%s has the hash %s and not %s", file, sum, want.SHA256)
	}
	return err
}

func hashOf(file string) (sum string, err error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	hash := sha256.New()
	_, err = io.Copy(hash, f)
	return hex.EncodeToString(hash.Sum(nil)), err
}
