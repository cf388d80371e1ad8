package orders

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFolderNames(t *testing.T) {
	t.Parallel()
	names := newFolderNames()
	for _, test := range []struct{ text, want string }{
		{"PO1", "PO1"},
		{"po1", "po1~2"},
		{"PO1", "PO1~3"},
		{"PO1~2", "PO1~2~2"},
		{"4500-123/7", "4500-123_7"},
		{`<>:"/\|?*` + "\x00\n\u202e1", "____________1"},
		{"CON.1", "_CON.1"},
		{"com1", "_com1"},
		{"LPT9 .x", "_LPT9 .x"},
		{"COM10", "COM10"},
		{"1. .", "1"},
		{"..1", "_..1"},
		{"...", "_"},
		{"", "_~2"},
		{"A\u030a1", "\u00c51"},
		{"\u00e51", "\u00e51~2"},
		{"STRASSE1", "STRASSE1"},
		{"STRAßE1", "STRAßE1~2"},
		{strings.Repeat("ü", 64), strings.Repeat("ü", 50)},
		{strings.Repeat("ü", 65), strings.Repeat("ü", 49) + "~2"},
	} {
		if got := names.name(test.text); got != test.want {
			t.Errorf("%q is named %q, want %q", test.text, got, test.want)
		}
	}
}

var (
	forbidden = regexp.MustCompile(`[<>:"/\\|?*\x00-\x1f\x7f]|[. ]$|^\.`)
	device    = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com\d|lpt\d)(\.|$)`)
)

func FuzzSafeName(f *testing.F) {
	for _, text := range []string{"PO1", "CON", "a.", "\u202e", "~2", strings.Repeat("\U0001f600", 40), "x\xff"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		names, seen := newFolderNames(), map[string]bool{}
		for range 3 {
			name := names.name(text)
			switch {
			case name == "" || len(name) > maxNameBytes || !utf8.ValidString(name):
				t.Errorf("%q is named %q", text, name)
			case forbidden.MatchString(name) || device.MatchString(name):
				t.Errorf("%q is named %q, which is not safe", text, name)
			case seen[strings.ToLower(name)]:
				t.Errorf("%q is named %q twice", text, name)
			}
			seen[strings.ToLower(name)] = true
		}
	})
}

func TestManyEqualNames(t *testing.T) {
	t.Parallel()
	names := newFolderNames()
	for n := range 20_000 {
		want := "PO1"
		if n > 0 {
			want = fmt.Sprintf("PO1~%d", n+1)
		}
		if got := names.name("PO1"); got != want {
			t.Fatalf("the name is %q, want %q", got, want)
		}
	}
}
