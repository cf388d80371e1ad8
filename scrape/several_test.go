package scrape

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

func readSeveral(t *testing.T, texts ...string) []*Recipe {
	t.Helper()
	var list []*Recipe
	for i, text := range texts {
		r, err := ReadRecipe(fmt.Sprintf("%c.yaml", 'a'+i), strings.NewReader("version: 1\n"+text))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

func TestRecipeForHost(t *testing.T) {
	t.Parallel()
	recipes := readSeveral(t,
		"base_url: https://Portal.Example/app\nallowed_hosts: [old.example, shared.example, '*.a.example']",
		"base_url: https://portal.example:8443\nallowed_hosts: [shared.example]",
		"base_url: https://bücher.example",
		"base_url: http://[::1]:9000",
	)
	for host, want := range map[string]string{
		"portal.example": "a.yaml", "PORTAL.example": "a.yaml", "portal.example.": "a.yaml",
		"portal.example:443": "a.yaml", "portal.example:80": "a.yaml", "portal.example:8443": "b.yaml", "portal.example:9": "a.yaml",
		"xn--bcher-kva.example": "c.yaml", "BÜCHER.example:443": "c.yaml", "[::1]:9000": "d.yaml",
		"old.example": "a.yaml", "x.a.example": "a.yaml",
		"www.portal.example": "no recipe's base_url has that host", "shared.example": "several name it", "[::1]:9001": "no recipe's base_url",
		"portal.example.evil": "no recipe's base_url", "evilportal.example": "no recipe's base_url", "a.example": "no recipe's base_url", "": "no recipe's base_url",
	} {
		r, err := ForHost(recipes, host)
		got := fmt.Sprint(err)
		if err == nil {
			got = r.File
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", host, got, want)
		}
	}
}

func TestSeveralRecipesMustDiffer(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ texts, want []string }{
		"two hosts":           {[]string{"base_url: https://a.example", "base_url: https://b.example"}, nil},
		"two ports":           {[]string{"base_url: https://a.example:1", "base_url: https://a.example:2", "base_url: https://a.example"}, nil},
		"no base_url":         {[]string{"base_url: https://a.example", "name: x"}, []string{"b.yaml:1:1: base_url is missing"}},
		"one host":            {[]string{"base_url: https://a.example", "name: x\nbase_url: https://A.example./other"}, []string{"b.yaml:3:11: base_url", "a.yaml:2 (a.example)"}},
		"the scheme's port":   {[]string{"base_url: https://a.example", "base_url: https://a.example:443"}, []string{"b.yaml:2:11"}},
		"http and https":      {[]string{"base_url: http://a.example", "base_url: https://a.example"}, []string{"b.yaml:2:11"}},
		"international names": {[]string{"base_url: https://bücher.example", "base_url: https://xn--bcher-kva.example"}, []string{"b.yaml:2:11"}},
	} {
		err := CheckSeveral(readSeveral(t, test.texts...))
		if (err == nil) != (test.want == nil) {
			t.Errorf("%s: %v", name, err)
		}
		for _, want := range test.want {
			if !strings.Contains(fmt.Sprint(err), want) {
				t.Errorf("%s: %v, want %q in it", name, err, want)
			}
		}
	}
}

// TestRatesOfSeveralRecipes: who waits for one portal's turn takes none of another's.
func TestRatesOfSeveralRecipes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var portals []*Portal
		for _, r := range readSeveral(t, "base_url: https://a.example\nlimits: {rate: 30/m}", "base_url: https://b.example\nlimits: {rate: 10/s}") {
			portals = append(portals, NewPortal(r, nil))
		}
		began := time.Now()
		slow := make(chan time.Duration, 3)
		for range cap(slow) {
			go func() {
				if err := portals[0].wait(t.Context(), "https://a.example/1"); err != nil {
					t.Error(err)
				}
				slow <- time.Since(began)
			}()
		}
		synctest.Wait()
		for range 11 {
			if err := portals[1].wait(t.Context(), "https://b.example/1"); err != nil {
				t.Error(err)
			}
		}
		if took := time.Since(began); took != time.Second {
			t.Errorf("11 requests at 10/s took %v", took)
		}
		for i := range cap(slow) {
			if at, want := <-slow, time.Duration(i)*2*time.Second; at != want {
				t.Errorf("request %d at 30/m was let go after %v", i+1, at)
			}
		}
	})
}

// TestPortalsShareAHostsRate: two recipes that allow the same host ask it no more often together
// than the stricter of them says.
func TestPortalsShareAHostsRate(t *testing.T) {
	t.Parallel()
	recipes := readSeveral(t, "base_url: https://a.example\nlimits: {rate: 2/s}", "base_url: https://b.example\nlimits: {rate: 10/s}")
	synctest.Test(t, func(t *testing.T) {
		rates, began := NewRates(), time.Now()
		for range 5 {
			for _, r := range recipes {
				p := NewPortal(r, nil)
				p.ShareRates(rates)
				if err := p.wait(t.Context(), "https://files.example/1.pdf"); err != nil {
					t.Fatal(err)
				}
			}
		}
		if took := time.Since(began); took < 4400*time.Millisecond {
			t.Errorf("ten requests took %v at two a second", took)
		}
	})
}

// TestPause: a server that says that there were too many requests is asked for nothing meanwhile, by no order.
func TestPause(t *testing.T) {
	t.Parallel()
	recipe := readSeveral(t, "base_url: https://a.example\nlimits: {rate: 1/s}")[0]
	synctest.Test(t, func(t *testing.T) {
		p, began := NewPortal(recipe, nil), time.Now()
		tell := func(order, header string, status int, addresses ...string) time.Duration {
			f := tasks.Retry(tasks.ClassHTTPStatus, "status %d", status)
			(&attempt{Scraper: &Scraper{portal: p}, task: &tasks.ProcessingTask{Spec: tasks.Spec{Key: order}}}).heed(f, status, header, addresses...)
			return f.After
		}
		for _, c := range []struct {
			order, address, header string
			status                 int
			after, quiet           time.Duration
		}{
			{"1", "https://a.example:443/1", "8", 429, 8 * time.Second, 8 * time.Second},
			{"1", "https://A.example/1", "100", 429, 100 * time.Second, 8 * time.Second}, // once for each order
			{"1", "https://b.example/1.pdf", fmt.Sprint(began.Add(time.Minute).Unix()), 429, time.Minute, time.Minute},
			{"1", "https://c.example/1", "100", 503, 100 * time.Second, 0},
			{"1", "https://c.example/1", "soon", 429, 0, 0},
			{"1", "https://c.example/1", "900000001", 429, 0, 0}, // in 1998
			{"1", "https://d.example/1", "86400", 429, 24 * time.Hour, longestPause},
		} {
			if after, quiet := tell(c.order, c.header, c.status, c.address), max(0, p.rates.Quiet(c.address).Sub(began)); after != c.after || quiet != c.quiet {
				t.Errorf("%+v: %v, %v", c, after, quiet)
			}
		}
		tell("2", "70", 429, "https://www.f.example/2", "https://f.example/2")
		if at := p.rates.Quiet("https://f.example/3"); at.Sub(began) != 70*time.Second {
			t.Errorf("what led to a server that is left alone is asked at %v", at)
		}
		err := p.wait(t.Context(), "https://b.example/2.pdf")
		if f := tasks.AsFailure(err); f == nil || f.Advice != tasks.AdviceRelease || f.After != time.Minute || !strings.Contains(f.Message, "b.example has had too many requests, by its own word, and is left alone for 1m0s more") {
			t.Errorf("a long pause: %v", err)
		}
		// What waits for its turn already waits for the end of the pause too, and then keeps to the rate.
		var gone []time.Duration
		times := make(chan time.Duration, 3)
		for range cap(times) {
			go func() {
				if err := p.wait(t.Context(), "https://a.example/2"); err != nil {
					t.Error(err)
				}
				times <- time.Since(began)
			}()
		}
		for range cap(times) {
			gone = append(gone, <-times)
		}
		if want := []time.Duration{8 * time.Second, 9 * time.Second, 10 * time.Second}; !slices.Equal(gone, want) {
			t.Errorf("they went at %v, want %v", gone, want)
		}
		var told string
		p.OutwaitPauses(func(format string, args ...any) { told += fmt.Sprintf(format, args...) })
		if err := p.wait(t.Context(), "https://b.example/2.pdf"); err != nil || time.Since(began) != time.Minute || !strings.Contains(told, "is left alone for 50s more") {
			t.Errorf("with all patience: %v after %v, and it says %q", err, time.Since(began), told)
		}
	})
}
