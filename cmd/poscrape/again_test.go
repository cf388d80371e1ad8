package main

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/session"
)

// TestFailedRowsNeedTheFirstRunsFlags runs sheets of a session folder without the
// flags that the session was started with.
func TestFailedRowsNeedTheFirstRunsFlags(t *testing.T) {
	t.Parallel()
	first := session.DefaultConfig()
	first.URL, first.Columns = "https://h/{po}", map[string]string{"po": "Order's no."}
	first.Workers, first.NoSandbox = 2, true
	first.RecipeFile, first.MoreRecipes = "/r/a.yaml", []string{"/r/b.yaml"}
	const hint = `the session that wrote this file was started with other flags: ` +
		`poscrape run --recipe /r/a.yaml --recipe /r/b.yaml --url 'https://h/{po}' --column 'po=Order'\''s no.' --workers 2 --no-sandbox some/out/failed.csv`
	unreadable := &orders.FileError{File: "some/out/failed.csv", Message: "there is no column of URLs"}
	for name, c := range map[string]struct {
		args   []string
		err    error
		recall func(string) (session.Config, error)
		hinted bool
	}{
		"without any":      {[]string{"some/out/failed.csv"}, unreadable, func(string) (session.Config, error) { return first, nil }, true},
		"with a recipe":    {[]string{"--recipe", "/r/a.yaml", "--url", first.URL, "--column", "po=Order's no.", "some/out/failed.csv"}, unreadable, func(string) (session.Config, error) { return first, nil }, true},
		"with the same":    {[]string{"--recipe", "/r/a.yaml", "--recipe", "/r/b.yaml", "--url", first.URL, "--column", "po=Order's no.", "some/out/failed.csv"}, unreadable, func(string) (session.Config, error) { return first, nil }, false},
		"no session":       {[]string{"some/out/failed.csv"}, unreadable, func(string) (session.Config, error) { return session.Config{}, errors.New("none") }, false},
		"standard input":   {[]string{"-"}, unreadable, nil, false},
		"something else":   {[]string{"some/out/failed.csv"}, errors.New("no Chrome"), nil, false},
		"the sheet itself": {[]string{"pos.csv"}, unreadable, func(string) (session.Config, error) { return session.DefaultConfig(), nil }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr := newTrial(nil, nil)
			tr.open = func(context.Context, session.Config) (runner, error) { return nil, c.err }
			asked := ""
			tr.recall = func(dir string) (session.Config, error) { asked = dir; return c.recall(dir) }
			tr.start(t, append([]string{"run"}, c.args...)...)
			tr.wait(t)
			if got := strings.Contains(tr.err.String(), hint); got != c.hinted {
				t.Errorf("it says %s", tr.err.String())
			}
			if c.hinted && asked != "some/out" {
				t.Errorf("it asked for the session in %q", asked)
			}
		})
	}
}
