package scrape

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/inspect"
	"github.com/poscrape/poscrape/internal/claims"
	"github.com/poscrape/poscrape/internal/filename"
	"github.com/poscrape/poscrape/tasks"
)

// keep moves a downloaded file into the staging directory if it is not there yet, has
// it counted and hashed, and sniffs its bytes. A file that is no document makes the
// document failed; an error means that the file could not be stored.
func (doc *document) keep(file *browser.File) error {
	staged, size, sum := file.Path, file.Size, file.SHA256
	var err error
	if filepath.Dir(staged) == filepath.Clean(doc.staging) && sum != "" {
		err = flush(staged)
	} else {
		staged = filepath.Join(doc.staging, uuid.NewString())
		size, sum, err = move(file, staged)
	}
	if err != nil {
		return tasks.Retry(tasks.ClassStorage, "the document %q could not be stored: %w", doc.Name, err)
	}
	if doc.hide != nil {
		file.Suggested = doc.hide(file.Suggested)
	}
	says := claims.Claims{Item: doc.Name, File: file.Suggested, Address: doc.item.URL, Announced: file.Type, Unnamed: file.Unnamed}
	kind, why, err := doc.check(staged, file, says)
	if err != nil {
		return tasks.Retry(tasks.ClassStorage, "the document %q could not be read back: %w", doc.Name, err)
	}
	doc.Size, doc.SHA256, doc.MIME, doc.Validators = size, sum, kind.MIME, file.Validators
	wanted := fileName(doc.Name, file, kind.Extension)
	if doc.saveAs != nil {
		wanted = doc.saveAs(cmp.Or(doc.Name, file.Suggested), wanted)
	}
	found := says.Running(kind, wanted)
	var wrong *tasks.Failure
	switch {
	case size == 0:
		wrong = tasks.Retry(tasks.ClassEmptyFile, "the portal sent an empty file")
	case size != file.Size:
		wrong = tasks.Retry(tasks.ClassWrongSize, "%d bytes were stored of %d", size, file.Size)
	case kind.Form == inspect.HTML && strings.HasPrefix(strings.ToLower(file.Type), "text/html") && !slices.Contains(doc.types, claims.DocumentHTML):
		wrong = downloadFailure(&browser.DownloadError{Kind: browser.KindPage, URL: file.URL})
	case notTaken(found, doc.types) != nil:
		wrong = notTaken(found, doc.types)
	default:
		wrong = why
	}
	doc.Original = file.Suggested
	if doc.Name == "" {
		doc.Name = file.Suggested
	}
	if wrong != nil {
		doc.fail(wrong)
		return os.Remove(staged)
	}
	if len(found) > 0 {
		wanted = filename.Safe(wanted + heldBack)
	}
	doc.State, doc.staged, doc.wanted = tasks.AttachmentDone, filepath.Base(staged), wanted
	return nil
}

// check says what a file's bytes are, and what is wrong with them, or nil.
func (doc *document) check(staged string, file *browser.File, says claims.Claims) (inspect.Type, *tasks.Failure, error) {
	f, err := os.Open(staged)
	if err != nil {
		return inspect.Type{}, nil, err
	}
	defer f.Close()
	head := make([]byte, inspect.HeadSize)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return inspect.Type{}, nil, err
	}
	kind := inspect.Sniff(head[:n])
	info, err := f.Stat()
	if err != nil {
		return kind, nil, err
	}
	text := ""
	if kind.Form.IsText() {
		text = inspect.Decode(head[:n])
	}
	blank, err := inspect.Blank(io.NewSectionReader(f, 0, info.Size()))
	if err != nil {
		return kind, nil, err
	}
	if whole := info.Size() == int64(n); blank || whole && (n == 1 || text != "" && utf8.RuneCountInString(strings.TrimSpace(text)) <= 1) {
		return kind, tasks.Retry(tasks.ClassEmptyFile, "the portal sent a file of %s with nothing in it", count(int(info.Size()), "byte")), nil
	}
	doc.Macros = inspect.HasMacros(f, info.Size(), kind.Form)
	wrong := says.Conflict(kind, doc.types)
	if wrong == "" {
		wrong = says.Misuse(inspect.ContentOf(f, info.Size(), kind.Form))
	}
	if wrong != "" {
		return kind, tasks.Retry(tasks.ClassWrongType, "%s", wrong), nil
	}
	if complains(text, kind.Form, info.Size() == int64(n)) {
		return kind, tasks.Retry(tasks.ClassWrongType, "its bytes are %s that says that something went wrong, or asks for a sign-in, and no document", kind), nil
	}
	if kind.Form.IsText() && file.Unproven == "" && !says.Names(kind.Form) {
		return kind, nil, nil
	}
	return kind, lacksEnd(f, info.Size(), kind, file), nil
}

// lacksEnd returns why a file may lack a part, or nil. A server that announces how long a file is
// may have lost its end itself.
func lacksEnd(f io.ReaderAt, size int64, kind inspect.Type, file *browser.File) *tasks.Failure {
	verdict, why := inspect.End(f, size, kind.Form)
	sure := file.Unproven == "" && !kind.Late
	switch {
	case verdict == inspect.Whole, verdict == inspect.Doubtful && sure:
		return nil
	case verdict == inspect.Cut && sure:
		return tasks.Retry(tasks.ClassWrongSize, "it seems to be cut: the file %s, though it has as many bytes as announced", why)
	case verdict == inspect.Cut, verdict == inspect.Doubtful:
		return tasks.Retry(tasks.ClassWrongSize, "it seems to be cut: the file %s; %s", why, cmp.Or(file.Unproven, "it begins like another one"))
	case !file.NeedsProof:
		return nil
	}
	return tasks.Retry(tasks.ClassWrongSize, "it cannot be told whether it is all there: %s, and the file %s", file.Unproven, why)
}

// flush has the bytes of a file written to the disk.
func flush(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// move moves a file, and returns its size and hash. It is on the disk when move returns. Its bytes are
// copied: what a browser has written it may still change, or put something else in its place.
func move(from *browser.File, to string) (size int64, sum string, err error) {
	in, err := from.Open()
	if err != nil {
		return 0, "", err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return 0, "", err
	}
	hash := sha256.New()
	size, err = io.Copy(io.MultiWriter(out, hash), io.LimitReader(in, from.Size+1)) // it may grow for ever
	if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
		return 0, "", errors.Join(err, os.Remove(to))
	}
	return size, hex.EncodeToString(hash.Sum(nil)), from.Remove()
}

// fileName returns a safe name for the document's file: its own name, with an
// extension from what the server says or the bytes are, if it has none.
func fileName(name string, file *browser.File, usual string) string {
	if name == "" {
		name = file.Suggested
	}
	safe := filename.Safe(name)
	if hasExtension(safe) {
		return safe
	}
	extension := filepath.Ext(filename.Safe(file.Suggested))
	if extension == "" || len(extension) > 6 || file.Unnamed && claims.RunsAs(file.Suggested) != "" {
		extension = usual
	}
	return filename.Safe(safe + extension)
}

// hasExtension reports whether a name ends in something that looks like a file
// type: "Quote.pdf" does, "Rev. 2" and "v1.5" do not.
func hasExtension(name string) bool {
	extension := strings.TrimPrefix(filepath.Ext(name), ".")
	return len(extension) >= 2 && len(extension) <= 5 && strings.ContainsAny(strings.ToLower(extension), "abcdefghijklmnopqrstuvwxyz") && !strings.Contains(extension, " ")
}

// nameFiles gives the staged files the names that they are wanted under, made
// unlike each other, and unlike those that are in place already, in the order in
// which the page lists them; and puts the documents into the result.
func nameFiles(res *tasks.Result, docs []document) error {
	var order []int
	var names []string
	for i, doc := range docs {
		if doc.Path != "" {
			order, names = append(order, i), append(names, path.Base(doc.Path))
		}
	}
	for i, doc := range docs {
		if doc.staged != "" {
			order, names = append(order, i), append(names, doc.wanted)
		}
	}
	for n, name := range filename.Unique(names) {
		doc := &docs[order[n]]
		if doc.staged == "" {
			continue
		}
		if err := os.Rename(filepath.Join(doc.staging, doc.staged), filepath.Join(doc.staging, name)); err != nil {
			return fmt.Errorf("naming a document: %w", err)
		}
		doc.Staged = name
	}
	for _, doc := range docs {
		res.Attachments = append(res.Attachments, doc.Attachment)
	}
	return nil
}
