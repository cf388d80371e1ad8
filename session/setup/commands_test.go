package setup

import "testing"

func TestCommandsCanBeTyped(t *testing.T) {
	t.Parallel()
	c := Config{
		File: "my sheet.xlsx", Sheet: "Q1", URL: "https://h/o?po={po}&x=1", RecipeFile: "a.yaml", MoreRecipes: []string{"it's.yaml"},
		Columns: map[string]string{"po": "Order no.", "url": "none"}, State: "$s.json",
	}
	if got, want := c.CheckCommand([]string{"PO1", "$(touch x)7"}), `poscrape check 'my sheet.xlsx' --recipe a.yaml --recipe 'it'\''s.yaml' --sheet Q1`+
		` --column 'po=Order no.' --column url=none --url 'https://h/o?po={po}&x=1' --probe 'PO1,$(touch x)7'`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := c.LoginCommand("a.yaml"), "poscrape login --recipe a.yaml --state '$s.json'"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
