package scrape_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"go.uber.org/goleak"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit/chromekit"
	"github.com/poscrape/poscrape/internal/testkit/portalkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// patience is the ready time-out of pages that come to rest: enough on a loaded machine.
// Where the clock is virtual, waiting for a page that does not takes no such time.
const patience = time.Minute

// thorough is the environment variable with which make thorough has long tests do all that
// they can.
const thorough = "POSCRAPE_THOROUGH"

// rows returns the names of a table's rows that are read with a clock: all with make thorough,
// else those of the kinds, one for each way in which rows differ, with the virtual clock, and one in
// five of them in real time, where pages take much longer. Where no kinds are named, each row is one.
func rows[T any](clock scrape.Clock, table map[string]T, kinds ...string) []string {
	names := slices.Sorted(maps.Keys(table))
	if os.Getenv(thorough) != "" {
		return names
	}
	for _, name := range kinds {
		if _, there := table[name]; !there {
			panic(fmt.Sprintf("%q is no row of the table", name))
		}
	}
	if len(kinds) > 0 {
		names = kinds
	}
	if clock == scrape.ClockReal {
		return oneIn(5, names)
	}
	return names
}

// kinds is rows with the virtual clock.
func kinds[T any](table map[string]T, kinds ...string) []string {
	return rows(scrape.ClockVirtual, table, kinds...)
}

// oneIn returns one in so many of a list of what is much alike: all with make thorough.
func oneIn[T any](many int, list []T) []T {
	if os.Getenv(thorough) != "" {
		return list
	}
	var some []T
	for i := 0; i < len(list); i += many {
		some = append(some, list[i])
	}
	return some
}

// inTurn reports whether a row is read by the first of two readers, or by the other: the rows take
// turns, but with make thorough each reads them all.
func inTurn(row int, first bool) bool {
	return first == (row%2 == 0) || os.Getenv(thorough) != ""
}

// TestMain has twice as many tests run at once as there are processors, unless told otherwise:
// they spend most of their time waiting for pages to come to rest.
func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(chromekit.Tests{M: m})
}

// bench is a browser with a portal to work on.
type bench struct {
	portal  *scrape.Portal
	scraper *scrape.Scraper
	browser *browser.Browser
	places  scrape.Places
	dir     string
}

func newBench(t testing.TB, recipe *scrape.Recipe, change ...func(*browser.Config, *scrape.Places)) *bench {
	t.Helper()
	return newBenchOf(t, scrape.NewPortal(recipe, nil), change...)
}

// keepsEvidence has a bench keep evidence of what does not end well, which takes as long as the
// reading of a page.
func keepsEvidence(_ *browser.Config, places *scrape.Places) {
	places.Evidence = scrape.NewEvidence(scrape.KeepFailed, 1<<30, nil)
}

// newBenchOf returns one more browser for a portal, which other tests have used before or use after it.
func newBenchOf(t testing.TB, p *scrape.Portal, change ...func(*browser.Config, *scrape.Places)) *bench {
	t.Helper()
	if testing.Short() {
		t.Skip("it starts a Chrome")
	}
	chrome, err := browser.Find(t.Context(), "", false)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cfg := browser.DefaultConfig()
	cfg.Chrome, cfg.Sandbox = chrome, browser.NoSandbox()
	cfg.StallTimeout = 5 * time.Second
	for _, d := range []string{filepath.Join(dir, "session", "orders"), filepath.Join(dir, "session", "staging")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Configure(&cfg); err != nil {
		t.Fatal(err)
	}
	session := filepath.Join(dir, "session")
	root, err := os.OpenRoot(session)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	places := scrape.Places{Session: session, Staging: filepath.Join(session, "staging"), Evidence: scrape.NewEvidence(scrape.KeepNone, 1<<30, nil)}
	for _, do := range change {
		do(&cfg, &places)
	}
	places.Evidence.Open(root)
	b := openChrome(t, cfg)
	return &bench{portal: p, scraper: p.Scraper(b, places), browser: b, places: places, dir: session}
}

// with returns the same browser at work on another portal, whose recipe has the same
// ready, block and dialogs: a browser is launched with these.
func (b *bench) with(p *scrape.Portal) *bench {
	return &bench{portal: p, scraper: p.Scraper(b.browser, b.places), browser: b.browser, places: b.places, dir: b.dir}
}

// work makes attempts until the policy grants no more, and puts the documents of
// each attempt in their place, as a session does.
func (b *bench) work(t *testing.T, task *tasks.ProcessingTask) tasks.Decision {
	t.Helper()
	policy := tasks.DefaultPolicy()
	for {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
		res, err := b.scraper.Do(ctx, task)
		cancel()
		if res != nil {
			b.publish(t, task, res)
		}
		d := policy.After(task, res, err, time.Now())
		if d.Result != nil {
			task.Result = d.Result
		}
		task.Attempts++
		if d.To != tasks.StatePending {
			return d
		}
	}
}

func (b *bench) publish(t *testing.T, task *tasks.ProcessingTask, res *tasks.Result) {
	t.Helper()
	for i := range res.Attachments {
		doc := &res.Attachments[i]
		if doc.Staged == "" {
			continue
		}
		doc.Path = path.Join("orders", task.Dir, doc.Staged)
		to := filepath.Join(b.dir, filepath.FromSlash(doc.Path))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(res.Staging, doc.Staged), to); err != nil {
			t.Fatal(err)
		}
		doc.Staged = ""
	}
}

func demoRecipe(t testing.TB) *scrape.Recipe {
	t.Helper()
	f, err := os.Open("../testdata/recipes/demo.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := scrape.ReadRecipe("demo.yaml", f)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestVariations reads an order of each variation, with the built-in recipe and
// with one that names everything, and checks outcome, fields and documents. With the
// latter sessions do so, unless it is to be thorough.
func TestVariations(t *testing.T) {
	t.Parallel()
	for name, recipe := range map[string]*scrape.Recipe{"auto": scrape.AutoRecipe(), "demo": demoRecipe(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !recipe.Auto && os.Getenv(thorough) == "" {
				t.Skip("part of make thorough; TestEveryVariation of package session reads them")
			}
			recipe.Ready.Timeout = patience
			variations := oneIn(2, portal.Variations())
			p, url := portalkit.Start(t, portal.Config{Orders: len(variations), Variations: variations, MaxDocument: 8 << 10, Mount: 100 * time.Millisecond,
				Wave: 200 * time.Millisecond, Busy: 300 * time.Millisecond, Late: 400 * time.Millisecond, Slow: 100 * time.Millisecond})
			b := newBench(t, recipe, keepsEvidence)
			for _, order := range p.Orders() {
				began := time.Now()
				task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: order.Number, Digits: strings.TrimPrefix(order.Number, "PO"), Dir: order.Number, URL: url + order.Path}}
				d := b.work(t, task)
				want := order.Want
				if !recipe.Auto {
					want = order.WantRecipe
				}
				checkOrder(t, b.dir, order, want, task, d)
				t.Logf("%-22s %-18s %d attempts, %v, %v", order.Variation, d.Outcome, task.Attempts, time.Since(began).Round(time.Millisecond), failureText(d))
			}
			if err := b.browser.Fit(); err != nil {
				t.Errorf("the browser is unfit: %v", err)
			}
		})
	}
}

func failureText(d tasks.Decision) string {
	if d.Failure == nil {
		return ""
	}
	return d.Failure.Error()
}

func checkOrder(t *testing.T, dir string, order portal.Order, want portal.Want, task *tasks.ProcessingTask, d tasks.Decision) {
	t.Helper()
	if string(d.Outcome) != want.Outcome || task.Attempts != want.Attempts {
		t.Errorf("%s: got %s after %d attempts, want %s after %d (%v)", order.Variation, d.Outcome, task.Attempts, want.Outcome, want.Attempts, failureText(d))
	}
	found, done, failed, skipped := d.Result.Count()
	if done != want.Done || failed != want.Failed || skipped != want.Skipped {
		t.Errorf("%s: got %d documents: %d done, %d failed, %d skipped; want %d, %d, %d", order.Variation, found, done, failed, skipped, want.Done, want.Failed, want.Skipped)
		if d.Result != nil {
			for _, a := range d.Result.Attachments {
				t.Logf("  %s %q %s %v", a.State, a.Name, a.URL, a.Error)
			}
		}
	}
	for name, value := range want.Fields {
		if d.Result == nil || d.Result.Fields[name].Value != value {
			t.Errorf("%s: field %s: got %+v, want %q", order.Variation, name, d.Result, value)
		}
	}
	sums := map[string]int{}
	for _, doc := range order.Documents {
		if !doc.Broken {
			sums[doc.SHA256]++
		}
	}
	if d.Result == nil {
		return
	}
	for _, a := range d.Result.Attachments {
		if a.State != tasks.AttachmentDone {
			continue
		}
		if sums[a.SHA256]--; sums[a.SHA256] < 0 {
			t.Errorf("%s: %s has bytes that the portal did not send for a document", order.Variation, a.Name)
		}
		if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(a.Path))); err != nil || info.Size() != a.Size {
			t.Errorf("%s: %s: %v", order.Variation, a.Path, err)
		}
	}
}
