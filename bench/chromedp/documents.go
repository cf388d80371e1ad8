package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"

	"github.com/chromedp/cdproto/network"
	"golang.org/x/sync/errgroup"

	"github.com/poscrape/poscrape/bench/protocol"
)

// save brings the documents of an order home side by side, with the page's
// cookies, and completes their entries.
func save(out string, order protocol.Result, cookies []*network.Cookie) error {
	folder := filepath.Join(out, order.PO)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	var group errgroup.Group
	for i := range order.Documents {
		doc := &order.Documents[i]
		doc.File = filepath.Join(folder, filepath.Base(doc.Name))
		group.Go(func() error { return saveOne(doc, cookies) })
	}
	return group.Wait()
}

func saveOne(doc *protocol.Document, cookies []*network.Cookie) (err error) {
	req, err := http.NewRequest(http.MethodGet, doc.URL, nil)
	if err != nil {
		return err
	}
	for _, c := range cookies {
		req.AddCookie(&http.Cookie{Name: c.Name, Value: c.Value}) //nolint:gosec // a request's cookie has nothing else
	}
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, answer.Body.Close()) }()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s was answered with status %d", doc.URL, answer.StatusCode)
	}
	f, err := os.Create(doc.File)
	if err != nil {
		return err
	}
	hash := sha256.New()
	doc.Bytes, err = io.Copy(io.MultiWriter(f, hash), answer.Body)
	doc.SHA256 = hex.EncodeToString(hash.Sum(nil))
	return errors.Join(err, f.Close())
}
