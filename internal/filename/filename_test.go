package filename

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// assertSafe checks what every file system and person can rely on.
func assertSafe(t *testing.T, name string, limit int) {
	t.Helper()
	switch {
	case name == "" || name == "." || name == "..":
		t.Errorf("%q is no name", name)
	case len(name) > limit:
		t.Errorf("%q has %d bytes, more than %d", name, len(name), limit)
	case !utf8.ValidString(name) || !norm.NFC.IsNormalString(name):
		t.Errorf("%q is not UTF-8 in NFC", name)
	case strings.ContainsAny(name, `/\<>:"|?*`):
		t.Errorf("%q has a character that Windows refuses", name)
	case strings.HasSuffix(name, ".") || strings.HasSuffix(name, " ") || strings.HasPrefix(name, ".") || strings.HasPrefix(name, " "):
		t.Errorf("%q begins or ends with a dot or space", name)
	case strings.ContainsFunc(name, func(r rune) bool {
		return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
	}):
		t.Errorf("%q has a character that is not seen", name)
	case !filepath.IsLocal(name):
		t.Errorf("%q is not local", name)
	}
	device := strings.ToUpper(strings.TrimRight(strings.SplitN(name, ".", 2)[0], " "))
	if slices.Contains([]string{
		"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$",
		"COM0", "COM1", "COM2", "COM3", "COM4", "COM5", "COM6", "COM7", "COM8", "COM9", "COM¹", "COM²", "COM³",
		"LPT0", "LPT1", "LPT2", "LPT3", "LPT4", "LPT5", "LPT6", "LPT7", "LPT8", "LPT9", "LPT¹", "LPT²", "LPT³",
	}, device) {
		t.Errorf("%q is a device of Windows", name)
	}
}

func hostileNames() map[string]string {
	return map[string]string{
		"Quote 1.pdf":                        "Quote 1.pdf",
		"":                                   "document",
		"   ":                                "document",
		".":                                  "document",
		"..":                                 "document",
		"...":                                "document",
		"/":                                  "document",
		"../../x":                            "x",
		"../../etc/passwd":                   "passwd",
		`..\..\boot.ini`:                     "boot.ini",
		`C:\Users\x\a.pdf`:                   "a.pdf",
		`C:\x`:                               "x",
		"C:x":                                "C_x",
		`\\server\share\f.pdf`:               "f.pdf",
		"folder/":                            "folder",
		"a/..":                               "document",
		"CON.pdf":                            "_CON.pdf",
		"con":                                "_con",
		"nul .txt":                           "_nul .txt",
		"Aux.tar.gz":                         "_Aux.tar.gz",
		"COM1.pdf":                           "_COM1.pdf",
		"lpt¹":                               "_lpt¹",
		"COM10.pdf":                          "COM10.pdf",
		"CONTRACT.pdf":                       "CONTRACT.pdf",
		"conin$":                             "_conin$",
		"a\x00b.pdf":                         "ab.pdf",
		"a\r\nb\t c.pdf":                     "a b c.pdf",
		"a\x1b[31m.pdf":                      "a[31m.pdf",
		"name. . ":                           "name",
		"invoice.pdf...":                     "invoice.pdf",
		"=cmd()":                             "=cmd()",
		"what?<is>|this*\"\".pdf":            "what__is__this___.pdf",
		"12:30.pdf":                          "12_30.pdf",
		"evil\u202efdp.exe":                  "evilfdp.exe",
		"x\u2066y\u2069\u200e.pdf":           "xy.pdf",
		"zero\u200bwidth\ufeff.pdf":          "zerowidth.pdf",
		"u\u0308ber.pdf":                     "über.pdf",
		"u\u200b\u0308ber.pdf":               "über.pdf",
		"\u00a0a\u00a0b\u2028c.pdf":          "a b c.pdf",
		"bad\xff\xfeutf.pdf":                 "bad_utf.pdf",
		".htaccess":                          "document.htaccess",
		".pdf":                               "document.pdf",
		"..pdf":                              "document.pdf",
		"فاتورة.pdf":                         "فاتورة.pdf",
		"見積書.pdf":                            "見積書.pdf",
		"👩‍👩‍👧 family.pdf":                   "👩‍👩‍👧 family.pdf",
		"private\uf022use.pdf":               "private_use.pdf",
		"clock$.pdf":                         "_clock$.pdf",
		"tag\U000e0041s\u2061.pdf":           "tags.pdf",
		"bad\ufffd.pdf":                      "bad_.pdf",
		strings.Repeat("a", 300) + ".pdf":    strings.Repeat("a", 146) + ".pdf",
		strings.Repeat("é", 300) + ".pdf":    strings.Repeat("é", 73) + ".pdf",
		strings.Repeat("a", 300) + ".tar.gz": strings.Repeat("a", 143) + ".tar.gz",
		strings.Repeat("a", 300):             strings.Repeat("a", 150),
		"a." + strings.Repeat("b", 300):      "a." + strings.Repeat("b", 148),
		strings.Repeat("a", 140) + "      " + "bbbbbbbbbbb.pdf": strings.Repeat("a", 140) + " bbbbb.pdf",
		strings.Repeat("a", 145) + " " + "bbbbbbbbbbb" + ".pdf": strings.Repeat("a", 145) + ".pdf",
		strings.Repeat(".", 300) + "x.pdf":                      "document.x.pdf",
	}
}

func TestSafe(t *testing.T) {
	t.Parallel()
	for name, want := range hostileNames() {
		got := Safe(name)
		if got != want {
			t.Errorf("Safe(%q) is %q, want %q", name, got, want)
		}
		assertSafe(t, got, MaxBytes)
		if again := Safe(got); again != got {
			t.Errorf("Safe(%q) is %q, so it is not its own", got, again)
		}
	}
}

func TestUnique(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 146) + ".pdf"
	for _, c := range []struct{ names, want []string }{
		{nil, nil},
		{[]string{"a.pdf"}, []string{"a.pdf"}},
		{[]string{"a.pdf", "a.pdf", "a.pdf"}, []string{"a.pdf", "a~2.pdf", "a~3.pdf"}},
		{[]string{"a.pdf", "A.PDF"}, []string{"a.pdf", "A~2.PDF"}},
		{[]string{"a", "a"}, []string{"a", "a~2"}},
		{[]string{"a.tar.gz", "a.tar.gz"}, []string{"a.tar.gz", "a~2.tar.gz"}},
		{[]string{"a.pdf", "a.pdf", "a~2.pdf"}, []string{"a.pdf", "a~3.pdf", "a~2.pdf"}},
		{[]string{"a.pdf", "a~2.pdf", "a.pdf"}, []string{"a.pdf", "a~2.pdf", "a~3.pdf"}},
		{[]string{"über.pdf", "u\u0308ber.pdf", "ÜBER.pdf"}, []string{"über.pdf", "u\u0308ber~2.pdf", "ÜBER~3.pdf"}},
		{[]string{"straße", "STRASSE"}, []string{"straße", "STRASSE~2"}},
		{[]string{"a\u200db", "ab"}, []string{"a\u200db", "ab~2"}},
		{[]string{long, long}, []string{long, strings.Repeat("a", 144) + "~2.pdf"}},
	} {
		if got := Unique(c.names); !slices.Equal(got, c.want) {
			t.Errorf("Unique(%q) is %q, want %q", c.names, got, c.want)
		}
	}
}

func TestFolders(t *testing.T) {
	t.Parallel()
	folders := NewFolders()
	for _, test := range []struct{ text, want string }{
		{"PO1", "PO1"},
		{"po1", "po1~2"},
		{"PO1", "PO1~3"},
		{"PO1~2", "PO1~2~2"},
		{"1.2", "1.2"},
		{"1.2", "1.2~2"},
		{"4500-123/7", "4500-123_7"},
		{`<>:"/\|?*` + "\x00\n\u202e1", "_________ 1"},
		{"CON.1", "_CON.1"},
		{"com1", "_com1"},
		{"LPT9 .x", "_LPT9 .x"},
		{"COM10", "COM10"},
		{"1. .", "1"},
		{"..1", "1~2"},
		{"...", "unknown"},
		{"", "unknown~2"},
		{"A\u030a1", "\u00c51"},
		{"\u00e51", "\u00e51~2"},
		{"STRASSE1", "STRASSE1"},
		{"STRAßE1", "STRAßE1~2"},
		{strings.Repeat("ü", 40), strings.Repeat("ü", 40)},
		{strings.Repeat("ü", 41), strings.Repeat("ü", 39) + "~2"},
	} {
		got := folders.Name(test.text)
		if got != test.want {
			t.Errorf("%q is named %q, want %q", test.text, got, test.want)
		}
		if again := SafeFolder(got); again != got {
			t.Errorf("%q as a folder is %q, so it is not safe", got, again)
		}
	}
}

func TestManyEqualFolders(t *testing.T) {
	t.Parallel()
	folders := NewFolders()
	for n := range 20_000 {
		want := "PO1"
		if n > 0 {
			want = fmt.Sprintf("PO1~%d", n+1)
		}
		if got := folders.Name("PO1"); got != want {
			t.Fatalf("the name is %q, want %q", got, want)
		}
	}
}

func assertUnique(t *testing.T, names []string) {
	t.Helper()
	seen := map[string]string{}
	for _, name := range names {
		key := norm.NFC.String(cases.Fold().String(norm.NFC.String(name)))
		if other, clash := seen[key]; clash {
			t.Errorf("%q and %q are one name where case does not count", other, name)
		}
		seen[key] = name
	}
}

func FuzzSafe(f *testing.F) {
	for name := range hostileNames() {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		safe := Safe(name)
		assertSafe(t, safe, MaxBytes)
		if again := Safe(safe); again != safe {
			t.Errorf("Safe(%q) is %q, and of that %q", name, safe, again)
		}
		folder := SafeFolder(name)
		assertSafe(t, folder, MaxFolderBytes)
		if again := SafeFolder(folder); again != folder {
			t.Errorf("SafeFolder(%q) is %q, and of that %q", name, folder, again)
		}
	})
}

func FuzzUnique(f *testing.F) {
	f.Add("a.pdf\na.pdf\nA~2.pdf")
	f.Add("ﬁ\nFI\nfi~2")
	f.Fuzz(func(t *testing.T, lines string) {
		names := strings.Split(lines, "\n")
		for i := range names {
			names[i] = Safe(names[i])
		}
		unique := Unique(names)
		if len(unique) != len(names) {
			t.Fatalf("%d names became %d", len(names), len(unique))
		}
		assertUnique(t, unique)
		for _, name := range unique {
			assertSafe(t, name, MaxBytes)
		}
	})
}

func FuzzFolders(f *testing.F) {
	for _, text := range []string{"PO1", "CON", "a.", "\u202e", "~2", strings.Repeat("\U0001f600", 40), "x\xff"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		folders := NewFolders()
		names := []string{folders.Name(text), folders.Name(text), folders.Name(text)}
		assertUnique(t, names)
		for _, name := range names {
			assertSafe(t, name, MaxFolderBytes)
		}
	})
}

func BenchmarkUnique(b *testing.B) {
	names := slices.Repeat([]string{"invoice.pdf"}, 200)
	for b.Loop() {
		Unique(names)
	}
}

func ExampleSafe() {
	fmt.Println(Safe(`C:\offers\CON.pdf`))
	// Output: _CON.pdf
}

func ExampleUnique() {
	fmt.Println(Unique([]string{"offer.pdf", "Offer.pdf", "terms.pdf"}))
	// Output: [offer.pdf Offer~2.pdf terms.pdf]
}
