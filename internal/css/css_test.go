package css

import (
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"a", "*", "#id", ".c", "a.b#c[d]", "a > b + c ~ d e", "a,b , c", `[data-x="1" i]`, "[x=y]", "[x^='a'", `a[href="x`, "a:has(> b)",
		"a:is(b, c):not(.d)", "tr:nth-child(2n + 1 of .x) td", `.\31 0`, `#\31 23`, ".ü", "a::before", "*|a", "svg|*", "a/* c */b", "/* c */ a",
		":host(.x)", "td:nth-child(3", "a:hover", "-x", "--x", "&", "& a", "a:first-child", "p::first-line", "[a|=b]", "a /**/ b",
	} {
		if err := Check(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	for text, want := range map[string]string{
		"//td[2]": "XPath", "./td": "XPath", "(//a)[1]": "XPath", "xpath=//a": "XPath", "id('x')/b": "XPath", "../a": "XPath",
		"": "empty", "  ": "empty", "a,": "ends", "a >": "ends", ",a": "comma", "a,,b": "comma", "> a": "begins", "a > > b": "no CSS",
		"#1a": `[id="1a"]`, ".1a": `[class~="1a"]`, "a)": "no CSS", "a]": "no CSS", "[a": "", "a{": "no CSS", "a!b": "no CSS", "[]": "no CSS",
		"[x=1]": "quotes", "[x!=y]": ":not", "td[@class='x']": "attribute", "a:contains('x')": "label", "td:eq(2)": "nth", "a::text": "label",
		"a::attr(href)": "attr:", "a b@c": "no CSS", "text=Total": "no CSS", "[x='a\nb']": "line break", ".": "ends", "#": "ends", "a. b": "no CSS",
		"[x]div": "no CSS", "a..b": "no CSS", "a:": "ends", "100": "no CSS", "a || b": "||",
	} {
		switch err := Check(text); {
		case want == "" && err != nil:
			t.Errorf("%q: %v", text, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, and not %q", text, err, want)
		}
	}
}

func FuzzCheck(f *testing.F) {
	for _, seed := range []string{"a > b", `[x="y" i]`, ".\\31 0", "a:is(b,c", "/*", "'", "\\", "a\\"} {
		f.Add(seed)
	}
	f.Fuzz(func(_ *testing.T, text string) { _ = Check(text) }) // it ends, and does not panic
}
