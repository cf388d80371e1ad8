package workbook

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// limits bound the memory and the time that a workbook takes.
type limits struct {
	// part is how many bytes a part may unpack to.
	part uint64
	// cells is how many cells the rows of a sheet may have, empty ones before a filled one
	// included, and how many rows its merged and linked areas may have; empty is how many of
	// the cells may be empty.
	cells, empty int
	// areas is how many merged and linked areas, and linked cells, there may be.
	areas int
	// text is how many bytes the texts of a sheet's cells may have, and the shared ones: each cell
	// has its own, also where many share one. shared is how many shared ones there may be.
	text, shared int
}

const (
	maxParts    = 10_000  // parts of a workbook
	maxElements = 100_000 // elements of a part that is read as a whole: Excel allows 65,530 links
	maxStyling  = 500_000 // elements of the styles, which some programs never clean up
	freeShared  = 1 << 17 // shared texts, and one more for each byte of the file: they differ
	maxElement  = 2 << 20 // bytes between the beginnings of two elements, names and attributes among them

	// freeText is the least that limits.text is, and largestRatio how many times as large as its file
	// a workbook's text may be besides: no text that stands in the sheet itself compresses better.
	freeText, largestRatio, maxTexts = 8 << 20, 1000, 256 << 20
)

// tooLarge returns an ErrTooLarge.
func tooLarge(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrTooLarge, fmt.Sprintf(format, args...))
}

var (
	// ErrOther: the data is no workbook that can be read; the error says what it is.
	ErrOther = errors.New("not an .xlsx workbook")
	// ErrBroken: the workbook is damaged.
	ErrBroken = errors.New("the workbook is damaged")
	// ErrTooLarge: it would take too much memory or time.
	ErrTooLarge = errors.New("the workbook is too large")
)

// Sheet is one of a workbook's that has rows; charts are none.
type Sheet struct {
	Name string
	// Hidden: people do not see its tab.
	Hidden bool
	part   string
}

// Workbook is one that was opened.
type Workbook struct {
	// Sheets in the order of their tabs.
	Sheets []Sheet

	parts map[string]*zip.File
	// texts are the shared strings, formats those of numbers, by style.
	texts   []string
	formats []format
	// from1904: days are counted from the year 1904.
	from1904 bool
	limits   limits
}

// Open opens a workbook. The error is an ErrOther, an ErrBroken or an ErrTooLarge.
func Open(data []byte) (*Workbook, error) {
	if other := otherFormat(data); other != "" {
		return nil, fmt.Errorf("%w: %s", ErrOther, other)
	}
	if bytes.Count(data, []byte("PK\x01\x02")) > maxParts { // each stands before an entry of the directory
		return nil, tooLarge("it has more than %d parts", maxParts)
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, broken("", err)
	}
	w := &Workbook{parts: map[string]*zip.File{}, limits: limits{
		part: 256 << 20, cells: 1 << 24, empty: 1 << 23, areas: 1 << 20, text: min(max(freeText, largestRatio*len(data)), maxTexts), shared: freeShared + len(data),
	}}
	for _, f := range archive.File {
		w.parts[partName(f.Name)] = f
	}
	if other := w.otherArchive(); other != "" {
		return nil, fmt.Errorf("%w: %s", ErrOther, other)
	}
	return w, w.open()
}

// partName folds what may differ between a part's name and a reference to it.
func partName(name string) string {
	return strings.ToLower(strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "/"))
}

func (w *Workbook) open() error {
	root, err := w.relations("")
	if err != nil {
		return err
	}
	main := ""
	for _, r := range root {
		if r.is("officeDocument") {
			main = r.Target
		}
	}
	var book struct {
		Properties struct {
			Date1904 string `xml:"date1904,attr"`
		} `xml:"workbookPr"`
		Sheets []struct {
			Name  string     `xml:"name,attr"`
			State string     `xml:"state,attr"`
			Attrs []xml.Attr `xml:",any,attr"`
		} `xml:"sheets>sheet"`
	}
	if found, err := w.decode(main, maxElements, &book); err != nil || !found {
		return broken(main, err)
	}
	w.from1904 = book.Properties.Date1904 == "1" || book.Properties.Date1904 == "true"
	parts, err := w.relations(main)
	if err != nil {
		return err
	}
	for _, s := range book.Sheets {
		id := ""
		for _, a := range s.Attrs {
			if a.Name.Local == "id" {
				id = a.Value
			}
		}
		if r, ok := parts[id]; ok && r.is("worksheet") {
			w.Sheets = append(w.Sheets, Sheet{Name: s.Name, Hidden: s.State != "" && s.State != "visible", part: r.Target})
		}
	}
	styled, shared := false, false // each is read once, however many relations lead to it
	for _, r := range parts {
		switch {
		case r.is("styles") && !styled:
			styled = true
			err = w.readFormats(r.Target)
		case r.is("sharedStrings") && !shared:
			shared = true
			err = w.readTexts(r.Target)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// relation leads from one part to another.
type relation struct {
	ID     string `xml:"Id,attr"`
	Type   string `xml:"Type,attr"`
	Target string `xml:"Target,attr"`
	Mode   string `xml:"TargetMode,attr"`
}

// is reports whether the relation is of a kind, in either of the standard's namespaces.
func (r relation) is(kind string) bool { return path.Base(r.Type) == kind }

// relations returns those of a part by their ids, with the targets that are parts as paths.
func (w *Workbook) relations(of string) (map[string]relation, error) {
	dir, file := path.Split(of)
	var list struct {
		Relations []relation `xml:"Relationship"`
	}
	if _, err := w.decode(dir+"_rels/"+file+".rels", maxElements, &list); err != nil {
		return nil, err
	}
	all := map[string]relation{}
	for _, r := range list.Relations {
		if r.Mode != "External" && !strings.HasPrefix(r.Target, "/") {
			r.Target = path.Join(dir, r.Target)
		}
		all[r.ID] = r
	}
	return all, nil
}

// decode reads a small part of so many elements at most, and reports whether it is there.
func (w *Workbook) decode(part string, elements int, into any) (found bool, err error) {
	r, found, err := w.openPart(part)
	if err != nil || !found {
		return found, err
	}
	defer r.Close()
	if err := xml.NewTokenDecoder(&countedTokens{d: xml.NewDecoder(r), most: elements}).Decode(into); err != nil {
		return true, partError(part, err)
	}
	return true, nil
}

// countedTokens ends with an ErrTooLarge where there are too many elements.
type countedTokens struct {
	d       *xml.Decoder
	n, most int
}

func (c *countedTokens) Token() (xml.Token, error) {
	token, err := c.d.RawToken()
	if _, begins := token.(xml.StartElement); begins {
		if c.n++; c.n > c.most {
			return nil, tooLarge("it has more than %d elements", c.most)
		}
	}
	return token, err
}

// elementReader ends with an ErrTooLarge where an element begins that has more than maxElement bytes.
type elementReader struct {
	io.ReadCloser
	since int
}

func (r *elementReader) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	if i := bytes.LastIndexByte(p[:n], '<'); i >= 0 {
		r.since = n - i
	} else if r.since += n; r.since > maxElement {
		return 0, tooLarge("an element has more than %d MiB", maxElement>>20)
	}
	return n, err
}

func (w *Workbook) openPart(part string) (io.ReadCloser, bool, error) {
	f := w.parts[partName(part)]
	if f == nil {
		return nil, false, nil
	}
	if f.UncompressedSize64 > w.limits.part {
		return nil, true, tooLarge("%s unpacks to more than %d MiB", part, w.limits.part>>20)
	}
	r, err := f.Open() // ends with an error where there is more than was announced
	if err != nil {
		return nil, true, broken(part, err)
	}
	return &elementReader{ReadCloser: r}, true, nil
}

func broken(part string, err error) error {
	switch {
	case part == "" && err == nil:
		return fmt.Errorf("%w: it does not say which sheets it has", ErrBroken)
	case part == "":
		return fmt.Errorf("%w: %w", ErrBroken, err)
	case err == nil:
		return fmt.Errorf("%w: %s is missing", ErrBroken, part)
	case errors.Is(err, ErrBroken), errors.Is(err, ErrTooLarge):
		return err
	}
	return fmt.Errorf("%w: %s: %w", ErrBroken, part, err)
}

// partError is broken for an error of the XML decoder, which takes an end for no error of its own.
func partError(part string, err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return broken(part, err)
}
