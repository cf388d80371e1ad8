package report

import (
	"encoding/json"
	"errors"
	"html"
	"io"
	"net/url"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

var links = regexp.MustCompile(`(?:href|src)="([^"]*)"`)

func TestPageLoadsNothingFromElsewhere(t *testing.T) {
	t.Parallel()
	for name, session := range sessions {
		page := written(t, build(t, session()).WriteHTML)
		for _, found := range links.FindAllStringSubmatch(page, -1) {
			link := html.UnescapeString(found[1])
			if strings.HasPrefix(link, "https://portal.example/orders/") {
				continue
			}
			u, err := url.Parse(link)
			if err != nil || u.Scheme != "" || u.Host != "" || !strings.HasPrefix(link, "./") || strings.HasPrefix(path.Clean(u.Path), "..") {
				t.Errorf("%s: the page links to %q", name, link)
			}
		}
		if strings.Contains(page, "@import") || strings.Contains(page, "url(") || strings.Contains(page, "<link") {
			t.Errorf("%s: the page loads a resource", name)
		}
	}
}

func TestPageEscapesWhatItShows(t *testing.T) {
	t.Parallel()
	page := written(t, build(t, hostile()).WriteHTML)
	for text, want := range map[string]int{
		"<script": 2, "</script": 2, "<style": 1, "<img": 0, "<img src=x": 0, `="javascript:`: 0, "\x00": 0,
	} {
		if got := strings.Count(page, text); got != want {
			t.Errorf("%q is %d times in the page, want %d", text, got, want)
		}
	}
	if strings.Contains(page, "token=secret") {
		t.Error("the page shows a document's address")
	}
}

func TestFileLink(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"orders/PO1/a.pdf":      "./orders/PO1/a.pdf",
		"orders/PO 1/a#b?c.pdf": "./orders/PO%201/a%23b%3Fc.pdf",
		"orders/50%25/ü.pdf":    "./orders/50%2525/%C3%BC.pdf",
		"javascript:alert(1)":   "./javascript:alert%281%29",
		"":                      "", ".": "", "..": "", "../x": "", "/etc/passwd": "", "a/../../x": "", "a//b": "", `a\..\b`: "", "a\x00b": "",
	} {
		if got := fileLink(name); got != want {
			t.Errorf("fileLink(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestWebLink(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://portal.example/orders/1?a=b#c": "https://portal.example/orders/1?a=b#c",
		"http://127.0.0.1:8080/x":               "http://127.0.0.1:8080/x",
		"javascript:alert(1)":                   "", "data:text/html,x": "", "file:///etc/passwd": "", "/orders/1": "", "https:": "", "::": "",
	} {
		if got := webLink(address); got != want {
			t.Errorf("webLink(%q) = %q, want %q", address, got, want)
		}
	}
}

func TestPageHeads(t *testing.T) {
	t.Parallel()
	single := finished()
	single.tasks = single.tasks[:1]
	whole := interrupted()
	whole.tasks, whole.session.Status = whole.tasks[:1], tasks.SessionCompleted
	for name, test := range map[string]struct {
		session *memory
		want    []string
	}{
		"finished": {finished(), []string{"3 of 11 orders ended well", "8 need attention.", "failed.csv", "1 of those that ended well could not be confirmed.",
			"<b>1 order</b><span>1 only listed", "1 order: nothing on its pages says how many documents there are", `data-show="confirmed"`, `data-show="unconfirmed"`}},
		"one order":   {single, []string{"The order ended well and is confirmed", "<b>1 order</b><span>all that ended well"}},
		"unconfirmed": {whole, []string{"The order ended well; 1 could not be confirmed"}},
		"interrupted": {interrupted(), []string{"1 of 5 orders ended well", "Ctrl-C · The session can be resumed."}},
		"nothing":     {nothing(), []string{"No orders", "The session goes on; this is how it stood."}},
	} {
		page := written(t, build(t, test.session).WriteHTML)
		for _, text := range test.want {
			if !strings.Contains(page, text) {
				t.Errorf("%s: the page does not say %q", name, text)
			}
		}
	}
}

// tableOf returns the rows of a page's table.
func tableOf(t *testing.T, page string) (rows []tableRow) {
	t.Helper()
	_, text, _ := strings.Cut(page, `id="rows">`)
	text, _, _ = strings.Cut(text, "</script>")
	if err := json.Unmarshal([]byte(text), &rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestPageSaysWhatConfirms: of each order that ended well, and of no other.
func TestPageSaysWhatConfirms(t *testing.T) {
	t.Parallel()
	for _, row := range tableOf(t, written(t, build(t, finished()).WriteHTML)) {
		facts := map[string]string{}
		for _, fact := range row.Facts {
			facts[fact[0]] = fact[1]
		}
		want := map[string]string{}
		if row.PO == "PO1001" || row.PO == "PO1003" {
			want["Whose page"] = `row: the page shows the number, and of its row Supplier "Acme GmbH"`
		}
		switch row.PO {
		case "PO1001":
			want["Confirmed"], want["List of documents"] = "yes", `count: the page says "Documents (2)"`
		case "PO1003":
			want["Confirmed"], want["List of documents"] = "no: nothing on its pages says how many documents there are", "auto: the page is settled, and has no way to more"
		}
		if row.Confirmed != (row.PO == "PO1001") || (row.Unconfirmed != "") != (row.PO == "PO1003") {
			t.Errorf("%s: confirmed %v, lacks %q", row.PO, row.Confirmed, row.Unconfirmed)
		}
		for _, name := range []string{"Confirmed", "Whose page", "List of documents"} {
			if facts[name] != want[name] {
				t.Errorf("%s: %s is %q, want %q", row.PO, name, facts[name], want[name])
			}
		}
	}
}

func TestPageOfManyShowsWhatNeedsAttentionFirst(t *testing.T) {
	t.Parallel()
	r := build(t, newMany(120)) // every twentieth was not found
	for limit, unwell := range map[int]int{100: 6, 6: 6, 2: 2} {
		page := written(t, func(w io.Writer) error { return r.writePage(w, limit, false) })
		rows, got := tableOf(t, page), 0
		for _, row := range rows {
			if row.Outcome == "not_found" {
				got++
			}
		}
		if len(rows) != limit || got != unwell {
			t.Errorf("of 120 orders, the page has %d, and %d that did not end well, want %d and %d", len(rows), got, limit, unwell)
		}
		if want := "The table has " + count(limit) + " of 120 orders"; !strings.Contains(page, want) {
			t.Errorf("the page does not say: %s", want)
		}
	}
}

func TestFormats(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ got, want string }{
		{duration(0), "0 ms"}, {duration(999), "999 ms"}, {duration(1000), "1.0 s"}, {duration(59_940), "59.9 s"}, {duration(59_990), "1 min 00 s"},
		{duration(61_000), "1 min 01 s"}, {duration(3_599_999), "1 h 00 min"}, {duration(7_380_000), "2 h 03 min"},
		{count(7), "7"}, {count(1234567), "1\u202f234\u202f567"}, {plural(1, "order"), "1 order"}, {plural(0, "order"), "0 orders"},
		{percent(0.914), "91 %"}, {words("no_attachments"), "no attachments"}, {base(`C:\sheets\pos.csv`), "pos.csv"},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
}

// short is a writer whose disk is full after some bytes.
type short struct{ left int }

var errFull = errors.New("no space left")

func (s *short) Write(p []byte) (int, error) {
	if len(p) > s.left {
		n := s.left
		s.left = 0
		return n, errFull
	}
	s.left -= len(p)
	return len(p), nil
}

func TestWritersTellThatTheDiskIsFull(t *testing.T) {
	t.Parallel()
	r, parts := build(t, finished()), 12
	if thorough() {
		parts = 50
	}
	for name, write := range map[string]func(io.Writer) error{
		JSONFile: r.WriteJSON, HTMLFile: r.WriteHTML, ResultsFile: r.WriteResultsCSV, FailedFile: r.WriteFailedCSV,
	} {
		whole := len(written(t, write))
		for left := 0; left < whole; left += 1 + whole/parts {
			if err := write(&short{left: left}); !errors.Is(err, errFull) {
				t.Errorf("%s: after %d of %d bytes the error is %v", name, left, whole, err)
			}
		}
		if err := write(&short{left: whole}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPageSavesWhatHasScripts: a link to a file whose scripts a browser would run saves it.
func TestPageSavesWhatHasScripts(t *testing.T) {
	t.Parallel()
	for name, saved := range map[string]bool{
		"a.svg": true, "a.HTML": true, "a.mhtml": true, "a.mht": true, "a.xml": true, "a.xhtml": true, "a.svg~2.svg": true,
		"a.pdf": false, "a.xlsx": false, "a.txt": false, "svg": false, "a.svg.pdf": false, "a.exe.download": false,
	} {
		d := newTableDoc(&Attachment{Name: name, Path: "orders/PO1/" + name, Macros: !saved})
		if d.Saved != saved || (d.Why == "it has macros") == saved {
			t.Errorf("%s: %+v", name, d)
		}
	}
}
