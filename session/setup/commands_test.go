package setup

import "testing"

func TestCommandsCanBeTyped(t *testing.T) {
	t.Parallel()
	c := Config{
		File: "my sheet.xlsx", Sheet: "Q1", URL: "https://h/o?po={po}&x=1", RecipeFile: "a.yaml", MoreRecipes: []string{"it's.yaml"},
		Columns: map[string]string{"po": "Order no.", "url": "none"}, State: "$s.json",
	}
	if got, want := c.CheckCommand([]string{"PO1", "$(touch x)7"}), `poscrape check 'my sheet.xlsx' --recipe a.yaml --recipe 'it'\''s.yaml' --sheet Q1`+
		` --column 'po=Order no.' --column url=none --url 'https://h/o?po={po}&x=1' --state '$s.json' --probe 'PO1,$(touch x)7'`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := c.RunCommand("it's.yaml"), `poscrape run --recipe 'it'\''s.yaml' --sheet Q1 --column 'po=Order no.' --column url=none`+
		` --url 'https://h/o?po={po}&x=1' --state '$s.json' 'my sheet.xlsx'`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := c.AgainFlags(), ` --recipe a.yaml --recipe 'it'\''s.yaml' --column 'po=Order no.' --column url=none --url 'https://h/o?po={po}&x=1' --state '$s.json'`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	bare := Config{Out: "my out", URL: "http://h:81/o?po={po}"}
	for _, c := range []struct{ got, want string }{
		{c.LoginCommand("a.yaml", "https://h/o/1"), "poscrape login --recipe a.yaml --state '$s.json'"},
		{c.LoginCommand("", "https://portal:8443/o/1"), "poscrape login --url https://portal:8443/ --state '$s.json'"},
		{bare.LoginCommand("", "https://portal/o/1"), "poscrape login --url https://portal/ --state portal.state.json"},
		{bare.LoginCommand("", "https://Portal.example:443/o/1"), "poscrape login --url https://portal.example/ --state portal.state.json"},
		{c.MendedCommand(), `poscrape retry --recipe a.yaml --recipe 'it'\''s.yaml' ''`},
		{bare.MendedCommand(), "poscrape retry 'my out'"},
		{bare.LoginCommand("", ""), "poscrape login --url http://h:81/ --state portal.state.json"},
		{Config{}.LoginCommand("", "javascript:x"), "poscrape login --url https://PORTAL/ --state portal.state.json"},
		{bare.ResumeWith(bare.SignInFile("")), "poscrape resume --state portal.state.json 'my out'"},
		{bare.ResumeWith(bare.SignInFile("a.yaml")), bare.ResumeCommand()},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
}
