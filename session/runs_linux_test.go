package session_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// withMacros is a Word file that has macros.
func withMacros(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{"[Content_Types].xml", "word/document.xml", "word/vbaProject.bin"} {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte("<x/>"))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestWhatCouldRunIsNoDocument has a portal list files that a system would run beside documents: none
// of them is stored but the kind that the recipe takes, which is held back by its name; and what is
// stored bears the mark of what came from the internet, also what a later session copies.
func TestWhatCouldRunIsNoDocument(t *testing.T) {
	t.Parallel()
	program, shortcut := "MZ\x90\x00\x03\x00\x00\x00"+strings.Repeat("\x01\x02", 900), "L\x00\x00\x00\x01\x14\x02\x00"+strings.Repeat("\x00\x01", 300)
	pdf := "%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n" + strings.Repeat("x", 500) + "\nstartxref\n9\n%%EOF\n"
	refused := map[string]string{ // by proof, and three variations: behind dots and spaces, a name of the system, bytes alone
		"invoice.pdf.exe": program, "invoice.scr": program, "invoice.pdf.lnk": shortcut, "setup.msi": "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 2000),
		"run.js": "var s = 1;\n", "x.hta": "<html><script>alert(1)</script></html>", "rtlo\u202efdp.exe": program, "x.dat": program, "desktop.ini": "[.ShellClassInfo]\r\n",
		"late.cmd . .": "@echo off\r\n", "app.settingcontent-ms": "<?xml version='1.0'?><PCSettings/>", "report.dat": "#!/bin/sh\nid\n", "scan.pdf": program,
	}
	taken := map[string]string{
		"Invoice.pdf": pdf, "offer.docm": withMacros(t), "logo.svg": `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`,
		"mail.eml": "From: a@b.example\r\nSubject: x\r\n\r\ntext\r\n", "Quote from acme.com": pdf,
	}
	bodies := maps.Clone(refused)
	maps.Copy(bodies, taken)
	names := slices.Sorted(maps.Keys(bodies))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/f/") {
			fmt.Fprint(w, `<!doctype html><title>Order</title><h1>Order PO1001</h1><ul>`)
			for i, name := range names {
				fmt.Fprintf(w, `<li><a class="doc" href="/f/%d?key=secret">%s</a></li>`, i, name)
			}
			fmt.Fprint(w, `</ul>`)
			return
		}
		i, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/f/"))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		body := bodies[names[i]]
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Disposition", "attachment")
		w.Header().Set("ETag", `"1"`)
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		fmt.Fprint(w, body)
	}))
	t.Cleanup(server.Close)
	sheet := filepath.Join(t.TempDir(), "pos.csv")
	testkit.Write(t, sheet, "po\nPO1001\n")
	cfg := config(t, sheet)
	cfg.Workers, cfg.Retries, cfg.URL, cfg.RecipeFile = 1, 0, server.URL+"/orders/{po}", filepath.Join(t.TempDir(), "r.yaml")
	testkit.Write(t, cfg.RecipeFile, "version: 1\nname: runs\nidentity: {selector: h1}\nattachments: {item: a.doc, types: [com]}\n")
	end, report := run(t, cfg)
	check := func(end session.End, r wholeReport) {
		t.Helper()
		if n := len(r.Tasks[0].Attachments); n != len(names) {
			t.Fatalf("%d documents of %d", n, len(names))
		}
		for i, d := range r.Tasks[0].Attachments {
			_, want := taken[names[i]]
			if (d.State == tasks.AttachmentDone) != want || !want && (d.Error.Class != tasks.ClassWrongType || !strings.Contains(d.Error.Message, "attachments.types: [")) {
				t.Errorf("%q is %s: %+v", d.Name, d.State, d.Error)
			}
			if path := filepath.Join(end.Dir, filepath.FromSlash(d.Path)); want && mark(t, path) != fmt.Sprintf("%s/f/%d", server.URL, i) {
				t.Errorf("%q came from %q", d.Name, mark(t, path))
			}
			if d.Macros != (d.Name == "offer.docm") {
				t.Errorf("%q: macros are %v", d.Name, d.Macros)
			}
			if d.Name == "Quote from acme.com" && d.Path != "orders/PO1001/Quote from acme.com.download" {
				t.Errorf("%q is stored as %q", d.Name, d.Path)
			}
		}
	}
	check(end, report)
	page, err := os.ReadFile(filepath.Join(end.Dir, "report.html"))
	if err != nil || !strings.Contains(string(page), `logo.svg","saved":true`) || !strings.Contains(string(page), "it has macros") {
		t.Errorf("report.html says nothing of what may run: %v", err)
	}

	again := config(t, sheet)
	again.Workers, again.Retries, again.URL, again.RecipeFile, again.Update = 1, 0, cfg.URL, cfg.RecipeFile, end.Dir
	end, report = run(t, again)
	check(end, report)
	if err := os.Remove(filepath.Join(end.Dir, "orders/PO1001/mail.eml")); err != nil {
		t.Fatal(err)
	}
	check(resume(t, end.Dir, session.ResumeConfig{}))
}

// mark returns where a file came from, as its mark says.
func mark(t *testing.T, path string) string {
	t.Helper()
	text := make([]byte, 1000)
	n, err := syscall.Getxattr(path, "user.xdg.origin.url", text)
	if errors.Is(err, syscall.ENOTSUP) {
		t.Skip("the file system has no place for marks")
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return string(text[:n])
}
