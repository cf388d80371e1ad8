package report

import (
	"encoding/xml"
	"errors"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

// TestLibreOfficeOpensTheWorkbook has LibreOffice read the workbook of 5,000 orders and write
// what it has read: every row is there, every link leads to its file, and nothing is calculated.
func TestLibreOfficeOpensTheWorkbook(t *testing.T) {
	t.Parallel()
	office, err := exec.LookPath("soffice")
	if err != nil {
		t.Skip("LibreOffice is not installed (Debian: libreoffice-calc)")
	}
	const orders = 5_000
	dir := t.TempDir()
	m := newMany(orders)
	m.sample(t, dir)
	if _, err := WriteFiles(t.Context(), dir, m); err != nil {
		t.Fatal(err)
	}
	home := url.URL{Scheme: "file", Path: filepath.ToSlash(t.TempDir())}
	cmd := exec.CommandContext(t.Context(), office, "-env:UserInstallation="+home.String(), "--headless",
		"--convert-to", "fods", "--outdir", dir, filepath.Join(dir, WorkbookFile))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("LibreOffice: %v\n%s", err, out)
	}
	seen := readFlat(t, filepath.Join(dir, "results.fods"), dir)
	done := orders - orders/20
	if seen.rows["Orders"] != orders+1 || seen.rows["Lines"] != 2*done+1 || seen.rows["Documents"] != 2*done+1 {
		t.Errorf("the sheets have %v rows", seen.rows)
	}
	if want := done + 2*done; seen.files != want || seen.pages != orders || seen.formulas != 0 {
		t.Errorf("%d links to files and folders, want %d; %d to pages, want %d; %d formulas", seen.files, want, seen.pages, orders, seen.formulas)
	}
}

// sample gives the orders documents with awkward names, which it writes below dir.
func (m *many) sample(t *testing.T, dir string) {
	awkward := []string{"100 % #2 [a] {b}", "Größe & Maß", "見積", "it's 50%25", "x;y=1,2+3@~^`", "$5 (copy)!"}
	m.change = func(task *tasks.ProcessingTask) {
		if task.Result == nil {
			return
		}
		task.Result.Folder = "orders/" + awkward[len(task.PO)%3] + "/" + task.PO
		for i := range task.Result.Attachments {
			a := &task.Result.Attachments[i]
			a.Path = task.Result.Folder + "/" + awkward[int(a.Size)%len(awkward)] + " " + a.Name
			file := filepath.Join(dir, filepath.FromSlash(a.Path))
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, nil, 0o644)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// flat is what a flat OpenDocument sheet holds.
type flat struct {
	rows                   map[string]int
	files, pages, formulas int
}

// readFlat reads such a file in dir, and follows its links.
func readFlat(t *testing.T, name, dir string) flat {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	found, sheet, empty := flat{rows: map[string]int{}}, "", true
	for d := xml.NewDecoder(f); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			for _, a := range e.Attr {
				switch {
				case e.Name.Local == "table" && a.Name.Local == "name":
					sheet = a.Value
				case e.Name.Local == "table-cell" && a.Name.Local == "formula":
					found.formulas++
				case e.Name.Local == "a" && a.Name.Local == "href":
					found.follow(t, dir, a.Value)
				}
			}
			if e.Name.Local == "table-row" {
				empty = true
			}
			empty = empty && e.Name.Local != "p"
		case xml.EndElement:
			if e.Name.Local == "table-row" && !empty {
				found.rows[sheet]++
			}
		}
	}
}

func (f *flat) follow(t *testing.T, dir, link string) {
	if strings.HasPrefix(link, "https://portal.example/") {
		f.pages++
		return
	}
	path, err := url.PathUnescape(link)
	if err == nil {
		_, err = os.Stat(filepath.Join(dir, filepath.FromSlash(path)))
	}
	if err != nil {
		t.Errorf("the link %s leads nowhere: %v", link, err)
	}
	f.files++
}
