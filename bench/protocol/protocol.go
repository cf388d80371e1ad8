// Package protocol is what the runner and a tool say to each other: what a tool
// is told on its command line, and the line of JSON that it writes to standard
// output as soon as an order is done. Programs in other languages speak the same.
package protocol

import (
	_ "embed"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// Extract is a JavaScript function that reads an order's page; see the file.
//
//go:embed extract.js
var Extract string

// Extraction returns the expression that reads a page whose documents may be
// mounted up to patience after it has been parsed.
func Extraction(patience time.Duration) string {
	function := strings.TrimSuffix(strings.TrimSpace(Extract), ";")
	return fmt.Sprintf("(%s)(%d)", function, patience.Milliseconds())
}

// The modes: what is brought home besides an order's fields.
const (
	// ModeList: the names and sizes of its documents.
	ModeList = "list"
	// ModeDocuments: the documents as well, on disk, with their hashes.
	ModeDocuments = "documents"
)

// Options are what a tool is told.
type Options struct {
	// Sheet is a CSV file with the columns po and url.
	Sheet string
	// Out is an empty directory for documents.
	Out string
	// Workers is how many orders are worked on at once.
	Workers int
	// Mode is ModeList or ModeDocuments.
	Mode string
	// Patience is how long after a page has been parsed its documents may be
	// mounted; 0 means that they are there.
	Patience time.Duration
	// Chrome is the path of the binary.
	Chrome string
	// Variant is which way of several the tool goes.
	Variant string
	// Recipe is a recipe of poscrape's, for tools that can use one.
	Recipe string
}

// Args returns the options as a command line.
func (o Options) Args() []string {
	return []string{
		"--sheet", o.Sheet, "--out", o.Out, "--workers", fmt.Sprint(o.Workers), "--mode", o.Mode,
		"--patience", fmt.Sprint(o.Patience.Milliseconds()), "--chrome", o.Chrome,
		"--variant", o.Variant, "--recipe", o.Recipe,
	}
}

// Parse reads a command line that Args wrote.
func Parse(args []string) (Options, error) {
	var o Options
	var patience int64
	f := flag.NewFlagSet("tool", flag.ContinueOnError)
	f.StringVar(&o.Sheet, "sheet", "", "CSV file of the orders")
	f.StringVar(&o.Out, "out", "", "directory for documents")
	f.IntVar(&o.Workers, "workers", 4, "orders at once")
	f.StringVar(&o.Mode, "mode", ModeList, "list or documents")
	f.Int64Var(&patience, "patience", 0, "milliseconds after which documents may be mounted")
	f.StringVar(&o.Chrome, "chrome", "", "path of Chrome")
	f.StringVar(&o.Variant, "variant", "", "which way of several")
	f.StringVar(&o.Recipe, "recipe", "", "recipe of poscrape's")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	o.Patience = time.Duration(patience) * time.Millisecond
	if o.Workers < 1 {
		return o, fmt.Errorf("--workers is %d: it must be at least 1", o.Workers)
	}
	return o, nil
}

// Order is a row of the sheet.
type Order struct{ PO, URL string }

// WriteSheet writes a sheet.
func WriteSheet(w io.Writer, orders []Order) error {
	rows := [][]string{{"po", "url"}}
	for _, o := range orders {
		rows = append(rows, []string{o.PO, o.URL})
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// Orders reads the sheet.
func (o Options) Orders() (orders []Order, err error) {
	f, err := os.Open(o.Sheet)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", o.Sheet, err)
	}
	if len(rows) == 0 || !slices.Equal(rows[0], []string{"po", "url"}) {
		return nil, fmt.Errorf("%s does not begin with the columns po and url", o.Sheet)
	}
	for _, row := range rows[1:] {
		orders = append(orders, Order{PO: row[0], URL: row[1]})
	}
	return orders, nil
}

// Result is what a tool has brought home of an order.
type Result struct {
	PO string `json:"po"`
	// Fields by name, as the page shows them.
	Fields    map[string]string `json:"fields"`
	Documents []Document        `json:"documents"`
}

// Document is a document that a page lists.
type Document struct {
	Name string `json:"name"`
	// Size as the page shows it, or empty where the tool has counted Bytes.
	Size string `json:"size,omitempty"`
	// URL is where it is; only extract.js says so.
	URL string `json:"url,omitempty"`
	// File is the path of its bytes, absolute or below the tool's directory;
	// Bytes and SHA256 (in lower-case hexadecimal) are what the tool says of
	// them. All three are zero in ModeList.
	File   string `json:"file,omitempty"`
	Bytes  int64  `json:"bytes,omitempty"`
	SHA256 string `json:"sha256,omitempty"`
}

// Writer writes results. It may be used by many goroutines at once.
type Writer struct {
	mu sync.Mutex
	to io.Writer
}

// Write writes a result as one line, at once.
func (w *Writer) Write(r Result) error {
	line, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("writing the result of %s: %w", r.PO, err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err = w.to.Write(append(line, '\n'))
	return err
}
