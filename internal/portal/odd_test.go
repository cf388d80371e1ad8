package portal

import (
	"bytes"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"testing"
)

func TestOdditiesAreDescribedAndOptional(t *testing.T) {
	t.Parallel()
	p, err := New(quick(Oddities()...))
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range p.Orders() {
		if o.Variation != Oddities()[i] || o.Variation.About() == "" || slices.Contains(Variations(), o.Variation) {
			t.Errorf("%s: it has no description, or is one of those that need not be named", o.Variation)
		}
		want := o.WantRecipe
		if want.Outcome == "" || want.Attempts == 0 || (want.Outcome != outcomeFailed) != (want.Fields["total"] == o.Total) {
			t.Errorf("%s: it wants %+v", o.Variation, want)
		}
	}
}

// TestTicketsAndTokens asks for documents whose addresses and forms work once.
func TestTicketsAndTokens(t *testing.T) {
	t.Parallel()
	s := open(t, quick(OneTime, ShortLived, Form))
	once := regexp.MustCompile(`href="([^"]*\?ticket=[^"]*)"`)
	token := regexp.MustCompile(`name="token" value="([^"]*)"`)
	for _, o := range s.Orders() {
		page := s.get(o.Path).body
		ask := func() answer { return s.get(string(once.FindSubmatch(page)[1])) }
		if o.Variation == Form {
			ask = func() answer {
				r, err := s.client.PostForm(s.base+o.Documents[0].Path, url.Values{"token": {string(token.FindSubmatch(page)[1])}})
				if err != nil {
					t.Fatal(err)
				}
				defer r.Body.Close()
				return answer{Response: r}
			}
		}
		first, second := ask().StatusCode, ask().StatusCode
		if again := second == http.StatusOK; first != http.StatusOK || again != (o.Variation == ShortLived) {
			t.Errorf("%s: status %d, then %d", o.Variation, first, second)
		}
	}
}

func TestCharsets(t *testing.T) {
	t.Parallel()
	s := open(t, quick(Windows1252, ShiftJIS, Mislabelled))
	for i, want := range []string{"M\xfcller", "\x93\x63\x92\x86 \x88\xa4\x8e\x71", "M\xc3\xbcller"} {
		o := s.Orders()[i]
		if page := s.get(o.Path).body; !bytes.Contains(page, []byte(want)) {
			t.Errorf("%s: the page has no %q", o.Variation, want)
		}
	}
}

func TestSearchFindsNeighbours(t *testing.T) {
	t.Parallel()
	s := open(t, quick(Plain, NotFound, SearchedTwice))
	for i, want := range []int{3, 0, 4} {
		page := s.get(SearchPath + "?q=" + s.Orders()[i].Number).body
		if n := bytes.Count(page, []byte(`class="result"`)); n != want || (n == 0) != bytes.Contains(page, []byte(`class="nothing"`)) {
			t.Errorf("%s: %d results, want %d", s.Orders()[i].Variation, n, want)
		}
	}
}
