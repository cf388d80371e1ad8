package session_test

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// thorough is the environment variable with which make thorough has long tests do all that
// they can.
const thorough = "POSCRAPE_THOROUGH"

// longOnly passes by a row of a table that only make thorough has time for.
func longOnly(t *testing.T, name string) {
	t.Helper()
	if strings.HasPrefix(name, "thorough") && os.Getenv(thorough) == "" {
		t.Skip("part of make thorough")
	}
}

// office is a part of the demo portal that has a recipe of its own.
type office struct {
	// recipe is its file, or empty for the built-in one. more is added to it.
	recipe, more string
	// variations of its orders, of which there is one each, or as many as orders says.
	variations []portal.Variation
	orders     int
	// numbers: the sheet has nothing but numbers, as the recipe knows the way to an order.
	numbers bool
	// door stands before the portal, or is nil.
	door *portal.Door
	mode session.Mode
	// want says how an order should end, where that is not Order.WantRecipe.
	want func(portal.Order) portal.Want
}

// offices are all parts of the demo portal, with all that it can show, but for faults, which no
// portal means, and mix-ups, which are shown by many orders.
func offices() map[string]office {
	listed := []portal.Variation{
		portal.Plain, portal.Several, portal.SixtyLines, portal.NoneMarker, portal.SameNameOtherBytes, portal.HostileNames,
		portal.NotFound, portal.AccessDenied, portal.Truncated, portal.InlinePDF, portal.OctetStream, portal.Redirect,
	}
	found := []portal.Variation{
		portal.Plain, portal.ScriptMount, portal.NoneMarker, portal.NotFound, portal.AccessDenied, portal.WrongOrder,
		portal.Truncated, portal.SearchedTwice, portal.Paged,
	}
	hashed := []portal.Variation{portal.Plain, portal.SameNameOtherBytes, portal.EmptyList, portal.ThirtyDocuments}
	odd, bare := portal.Oddities(), slices.DeleteFunc(portal.Oddities(), portal.Variation.NeedsRecipe)
	if os.Getenv(thorough) == "" { // each is read with the recipe or without it
		for i, v := range slices.Clone(bare) {
			other := &odd
			if i%2 == 0 {
				other = &bare
			}
			*other = slices.DeleteFunc(*other, func(o portal.Variation) bool { return o == v })
		}
	}
	return map[string]office{
		"variations":         {recipe: "../testdata/recipes/demo.yaml", variations: portal.Variations()},
		"thorough: oddities": {recipe: "../testdata/recipes/odd.yaml", variations: odd},
		"thorough: oddities, without a recipe": {
			variations: bare,
			want:       func(o portal.Order) portal.Want { return o.Want },
		},
		"thorough: frames":      {recipe: "../docs/recipes/frames.yaml", variations: listed, numbers: true},
		"thorough: search":      {recipe: "../docs/recipes/search.yaml", variations: found, numbers: true},
		"thorough: menu":        {recipe: "../docs/recipes/menu.yaml", variations: []portal.Variation{portal.Menu, portal.NoneMarker, portal.NotFound}, numbers: true},
		"thorough: application": {recipe: "../docs/recipes/spa.yaml", variations: hashed, numbers: true, want: inApplication},
		"its data":              {recipe: "../docs/recipes/json.yaml", variations: hashed, numbers: true, want: inApplication},
	}
}

// inApplication says how an order should end in the portal's application: what is not listed
// there is proven by the lists of other orders.
func inApplication(o portal.Order) portal.Want {
	want := o.WantRecipe
	if o.Variation == portal.EmptyList {
		want = portal.Want{Outcome: string(tasks.OutcomeNoAttachments), Attempts: 1}
	}
	return want
}

// TestEveryVariation reads an order of each variation of the demo portal, with two workers and
// the recipe of its part, and checks outcome, fields, every count and every byte against what
// the portal says of itself: with make thorough five times with four workers and either kind of Chrome.
func TestEveryVariation(t *testing.T) {
	t.Parallel()
	times, kinds := 1, []string{"headless shell"}
	if os.Getenv(thorough) != "" {
		times, kinds = 5, []string{"headless shell", "full Chrome"}
	}
	for name, o := range offices() {
		for _, kind := range kinds {
			for i := range times {
				t.Run(fmt.Sprintf("%s, %s, %d", name, kind, i+1), func(t *testing.T) {
					t.Parallel()
					longOnly(t, name)
					o.work(t, kind)
				})
			}
		}
	}
}

// work reads the office's orders with a kind of Chrome, and returns how that went.
func (o office) work(t *testing.T, kind string) (session.End, wholeReport) {
	t.Helper()
	cfg, p := o.open(t)
	chrome, err := browser.Find(t.Context(), "", kind == "full Chrome")
	if err != nil {
		t.Fatal(err)
	}
	if chrome.HeadlessShell != (kind == "headless shell") {
		t.Fatalf("%s is no %s", chrome.Path, kind)
	}
	cfg.Chrome, cfg.Mode = chrome.Path, o.mode
	if o.door != nil || os.Getenv(thorough) != "" { // each is a Chrome that has to start
		cfg.Workers = 4
	}
	end, r := run(t, cfg)
	o.check(t, cfg, p, end, r)
	return end, r
}

// open serves the office, and returns what its session is told.
func (o office) open(t *testing.T) (session.Config, *portal.Portal) {
	t.Helper()
	p, err := portal.New(portal.Config{Orders: max(o.orders, len(o.variations)), Variations: o.variations, Late: 8e9})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(p)
	if o.door != nil {
		o.door.Portal, o.door.User, o.door.Password = p, "buyer-4711", doorPassword
		server.Config.Handler = o.door
	}
	server.Start()
	t.Cleanup(func() { server.CloseClientConnections(); server.Close(); _ = p.Close() })
	dir := t.TempDir()
	sheet := []byte("po\n")
	if o.numbers {
		for _, order := range p.Orders() {
			sheet = append(sheet, order.Number+"\n"...)
		}
	} else {
		var b strings.Builder
		if err := p.WriteCSV(&b, server.URL); err != nil {
			t.Fatal(err)
		}
		sheet = []byte(b.String())
	}
	cfg := config(t, filepath.Join(dir, "pos.csv"))
	files := map[string]string{cfg.File: string(sheet), filepath.Join(dir, "user"): "buyer-4711", filepath.Join(dir, "password"): doorPassword}
	if o.recipe != "" {
		cfg.RecipeFile = filepath.Join(dir, filepath.Base(o.recipe))
		text, err := os.ReadFile(o.recipe)
		if err != nil {
			t.Fatal(err)
		}
		// Enough for pages on a loaded machine; the clock of an endless spinner runs ahead.
		patient := strings.NewReplacer("https://portal.example", server.URL, "timeout: 20s", "timeout: 60s")
		files[cfg.RecipeFile] = patient.Replace(string(text)) + strings.ReplaceAll(o.more, "https://portal.example", server.URL)
	}
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cfg, p
}

// check holds a session's report and files against what the portal says of its orders.
func (o office) check(t *testing.T, cfg session.Config, p *portal.Portal, end session.End, r wholeReport) {
	t.Helper()
	named := o.fields(t, cfg)
	notWell := 0
	for _, task := range r.Tasks {
		order, ok := p.Order(task.PO)
		if !ok {
			t.Errorf("%s is no order of the portal", task.PO)
			continue
		}
		want := order.WantRecipe
		if o.want != nil {
			want = o.want(order)
		}
		for name := range want.Fields {
			if named != nil && !slices.Contains(named, name) {
				delete(want.Fields, name)
			}
		}
		if order.Variation == portal.CutOnce && len(task.Attempts) == 1 {
			want.Attempts = 1 // Chrome itself has asked again
		}
		checkTask(t, end.Dir, p, order, want, task)
		if !task.Outcome.Well() {
			notWell++
		}
	}
	checkCounts(t, r, len(p.Orders()))
	checkCleared(t, end)
	checkFailedRows(t, end, notWell)
}

// fields returns the names of the recipe's fields, or nil for the built-in recipe.
func (o office) fields(t *testing.T, cfg session.Config) []string {
	t.Helper()
	if cfg.RecipeFile == "" {
		return nil
	}
	f, err := os.Open(cfg.RecipeFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	recipe, err := scrape.ReadRecipe(cfg.RecipeFile, f)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, field := range recipe.Fields {
		names = append(names, field.Name)
	}
	return names
}

// checkFailedRows checks that failed.csv is input of so many orders, or not there.
func checkFailedRows(t *testing.T, end session.End, want int) {
	t.Helper()
	failed, err := os.Open(filepath.Join(end.Dir, "failed.csv"))
	if want == 0 && os.IsNotExist(err) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	defer failed.Close()
	again, err := orders.Read("failed.csv", failed, orders.Options{URL: "http://127.0.0.1/{po}"})
	if err != nil || len(again.Problems) > 0 || len(again.Orders) != want {
		t.Errorf("failed.csv has %d orders and the problems %v, %v; want %d", len(again.Orders), again.Problems, err, want)
	}
}
