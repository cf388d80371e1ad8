package claims

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/inspect"
)

// TestRunningKindsAreDocumented compares the table with that of the docs.
func TestRunningKindsAreDocumented(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/recipe.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "| what | endings |\n|---|---|\n")
	if !found {
		t.Fatal("docs/recipe.md has no such table")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	var want []string
	for _, group := range running {
		want = append(want, "| "+group.what+" | "+group.kinds+" |")
	}
	if got := strings.Split(table, "\n"); !slices.Equal(got, want) {
		t.Errorf("docs/recipe.md has\n%s\nand the table is\n%s", table, strings.Join(want, "\n"))
	}
	for _, kind := range []inspect.Program{inspect.EXE, inspect.ELF, inspect.MachO, inspect.Shortcut, inspect.Script} {
		if !runningKinds[string(kind)] || kind.String() == "" {
			t.Errorf("%q is in no table", string(kind))
		}
	}
	plain := regexp.MustCompile(`^[a-z0-9.-]+$`)
	for kind := range maps.Keys(runningKinds) {
		if !plain.MatchString(kind) || endings["."+kind] != nil && kind != "jar" || isTextName("x."+kind) && kind != "desktop.ini" {
			t.Errorf("%q is a document's ending as well, or none", kind)
		}
	}
}

// TestRunsAs: the last ending decides, as a system would see it.
func TestRunsAs(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"invoice.pdf.exe": "exe", "INVOICE.SCR": "scr", "a.lnk. . ": "lnk", "a.js\u00a0": "js", "a.v\u200bbs": "vbs", "a.bat\u2800": "bat",
		"a.cmd\u3164": "cmd", "a.ps1\ufe0f": "ps1", "rtlo\u202efdp.exe": "exe", "a.e\u200dxe": "exe", `C:\x\desktop.ini`: "desktop.ini", "Desktop.INI ": "desktop.ini",
		"x.SettingContent-ms": "settingcontent-ms", "Invoice from acme.com": "com", "a.exe/": "exe", "autorun.inf": "inf", ".lnk": "lnk",
		"invoice.exe.pdf": "", "exe": "", "a.exe.": "exe", "macro.docm": "", "a.svg": "", "x.ini": "", "all.zip": "", "part.step": "", "part.dwg": "", "": "",
		"orders.MDB": "mdb", "prices.xlam": "xlam", "a.shs": "shs", "a.pyzw": "pyzw", "Setup.vsix": "vsix", "a.vmdk": "vmdk", "label.cdr": "", "book.xlsb": "", "book.accdb": "",
		"mail.eml": "", "mail.msg": "", "sign.p7m": "", "Rev. 2.5": "", "a.exe (12 KB)": "", "list.xml": "", "notes.txt": "", "a.pdf:stream.exe": "exe",
	} {
		if got := RunsAs(name); got != want {
			t.Errorf("%q runs as %q, want %q", name, got, want)
		}
	}
}

// TestRunning judges files by all that is known of them.
func TestRunning(t *testing.T) {
	t.Parallel()
	pdf, mz := inspect.Sniff([]byte("%PDF-1.7\n")), inspect.Sniff([]byte("MZ\x90\x00\x03\x00"))
	word, text := inspect.Sniff([]byte("PK\x03\x04")), inspect.Sniff([]byte("Get-Process\r\n"))
	for _, c := range []struct {
		says    Claims
		kind    inspect.Type
		stored  string
		allowed []DocumentType
		want    string // kinds, the refused one with !
	}{
		{Claims{Item: "Invoice", File: "invoice.pdf"}, pdf, "Invoice.pdf", nil, ""},
		{Claims{Item: "Invoice", File: "invoice.exe"}, pdf, "Invoice.exe", nil, "!exe"},
		{Claims{Item: "Invoice.exe", File: "invoice.pdf"}, pdf, "Invoice.exe", nil, "!exe"},
		{Claims{Item: "Invoice", File: "invoice.pdf"}, mz, "Invoice.pdf", nil, "!exe"},
		{Claims{Item: "Invoice", File: "invoice.pdf"}, mz, "Invoice.pdf", []DocumentType{"exe"}, "exe"},
		{Claims{Item: "Invoice", File: "invoice.pdf"}, pdf, "1.scr", nil, "!scr"},
		{Claims{Item: "acme.com", File: "x.lnk"}, pdf, "acme.com", []DocumentType{"com"}, "com !lnk"},
		{Claims{Item: "acme.com", File: "x.pdf"}, pdf, "acme.com", []DocumentType{"com"}, "com"},
		{Claims{Item: "acme.com", File: "x.pdf"}, mz, "acme.com", []DocumentType{"com"}, "com"},
		{Claims{Item: "Invoice", File: "get.exe", Unnamed: true}, pdf, "Invoice.pdf", nil, ""},
		{Claims{Item: "Offer", File: "GetFile.dll.exe", Unnamed: true}, word, "Offer.zip", nil, ""},
		{Claims{Item: "Lines.csv", File: "export.exe", Unnamed: true}, text, "Lines.csv", nil, ""},
		{Claims{Item: "Lines", File: "run.ps1", Unnamed: true}, text, "Lines.txt", nil, "!ps1"},
		{Claims{Item: "Lines", File: "run.exe", Unnamed: true}, mz, "Lines.exe", nil, "!exe"},
	} {
		var got []string
		for _, r := range c.says.Running(c.kind, c.stored) {
			if !slices.Contains(c.allowed, DocumentType(r.Kind)) {
				r.Kind = "!" + r.Kind
			}
			got = append(got, r.Kind)
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%+v, %s, %q: %s, want %s", c.says, c.kind, c.stored, text, c.want)
		}
	}
}
