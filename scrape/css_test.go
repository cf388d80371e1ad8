package scrape_test

import (
	"encoding/json"
	"testing"

	"github.com/poscrape/poscrape/internal/css"
	"github.com/poscrape/poscrape/scrape"
)

// TestNoSelectorIsRefusedThatChromeTakes has Chrome judge texts that are nearly selectors.
func TestNoSelectorIsRefusedThatChromeTakes(t *testing.T) {
	t.Parallel()
	base := []string{
		"a", "*", "div > p.c + #id ~ [x='1' i]:not(.a, b):has(> i)", `.\31 0`, "*|a", "|a", "ns|a", "a/* c */b", "a /**/ b", "[x|='y']", "[*|x]",
		"a::before:hover", "p:is(a, , b)", ":where()", "&", "& > a", "a&", "&a", "td:nth-child(2n + 1 of .x)", "-x", "--x", "-1", "--", "#-a", "#--", "#1",
		"a>>b", "a||b", "a>>>b", "a--> b", "a <!-- b", "u+a", "[x=y s]", "[x=y q]", `[x="y"i]`, ".ü#é", "a:first", "a:nth-last-of-type(odd)", "a:contains('x')",
		"//a", "id('x')", "a.b.c#d.e", "[x][y]", "a[x]b", "a*", "**", "a:lang(de)", "::slotted(a)", ":host", ":state(x)", "a\\", "[x='\\\n']", "/* c", "a/*",
		"[ x = y ]", "[x=y", "a:not(", "'a'", "url(x)", "a url(x)", "text=x", "a:hover::after", "::part(x)", "[x='y' ]", "a,b", ", a", "a,", "@media", "1%", "+a",
	}
	texts := append([]string{}, base...)
	for _, text := range base {
		for at := range len(text) + 1 {
			for _, put := range []string{"", "-", " ", ">", "[", "]", "(", ")", "'", "1", ":", ".", "#", "\\", "|", ",", "&", "*", "/", "=", "~", "x", "\n"} {
				texts = append(texts, text[:at]+put+text[at:], text[:at]+put+text[min(at+1, len(text)):])
			}
		}
	}
	words, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	var taken []bool
	script := `(() => { const page = document.createDocumentFragment();
		return ` + string(words) + `.map((text) => { try { page.querySelector(text); return true } catch { return false } }) })()`
	if err := newBench(t, scrape.AutoRecipe()).browser.Tab().Evaluate(t.Context(), script, &taken); err != nil {
		t.Fatal(err)
	}
	refused, known := 0, 0
	for i, text := range texts {
		why := css.Check(text)
		switch {
		case taken[i] && why != nil:
			t.Errorf("%q is refused: %v", text, why)
		case !taken[i]:
			refused++
			if why != nil {
				known++
			}
		}
	}
	if known*10 < refused*7 {
		t.Errorf("of %d texts that Chrome refuses, only %d are known", refused, known)
	}
	t.Logf("of %d texts Chrome refuses %d, %d of them are known", len(texts), refused, known)
}
