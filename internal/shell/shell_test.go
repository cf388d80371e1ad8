package shell_test

import (
	"os/exec"
	"testing"

	"github.com/poscrape/poscrape/internal/shell"
)

// TestAShellReadsWords has a shell read words, as a person would have it.
func TestAShellReadsWords(t *testing.T) {
	t.Parallel()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell:", err)
	}
	for _, word := range []string{"", "a.csv", "it's", "$HOME", "a b\tc", "`id`", "ä;é", `\"`, "*", "~/x", "a\nb", "#", "--column"} {
		out, err := exec.CommandContext(t.Context(), sh, "-c", "printf %s "+shell.Word(word)).Output()
		if err != nil || string(out) != word {
			t.Errorf("%q was read as %q, %v", word, out, err)
		}
	}
}

func TestSheet(t *testing.T) {
	t.Parallel()
	s := shell.Sheet{Recipes: []string{"a.yaml", "", "it's.yaml"}, Name: "Q 1", URL: "https://h/o?po={po}", State: "s.json",
		Columns: map[string]string{"url": "none", "po": "Order no."}}
	local := shell.Sheet{AllowLocal: true, State: "s.json"}
	for _, c := range []struct{ got, want string }{
		{local.Reading(), " --allow-local"},
		{local.Again(), " --allow-local --state s.json"},
		{s.Reading(), ` --sheet 'Q 1' --column 'po=Order no.' --column url=none --url 'https://h/o?po={po}'`},
		{s.Again(), ` --recipe a.yaml --recipe 'it'\''s.yaml' --column 'po=Order no.' --column url=none --url 'https://h/o?po={po}' --state s.json`},
		{shell.Sheet{}.Reading() + shell.Sheet{}.Again(), ""},
	} {
		if c.got != c.want {
			t.Errorf("got  %s\nwant %s", c.got, c.want)
		}
	}
}
