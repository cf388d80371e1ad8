package portal

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/testkit"
)

func TestFaultsAreDescribedAndOptional(t *testing.T) {
	t.Parallel()
	p, err := New(quick(Faults()...))
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range p.Orders() {
		if o.Variation != Faults()[i] || o.Variation.About() == "" || slices.Contains(Variations(), o.Variation) {
			t.Errorf("%s: it has no description, or is one of those that need not be named", o.Variation)
		}
		if well := o.Want.Well(); o.Want.Outcome == "" || well != (o.Want.Class == "") || well != (o.Want.Attempts == 1) {
			t.Errorf("%s: it wants %+v", o.Variation, o.Want)
		}
		if shown := o.Want.Well() || o.Want.Outcome == "partial"; shown != (o.Want.Fields != nil) || shown != (o.Want.Done == 2) {
			t.Errorf("%s: it wants %+v", o.Variation, o.Want)
		}
	}
}

// TestFaultyPages looks at the pages whose scripts do what they should not.
func TestFaultyPages(t *testing.T) {
	t.Parallel()
	s := open(t, quick(Faults()...))
	script := string(s.get("/assets/faults.js").body)
	byScript := 0
	for _, o := range s.Orders() {
		if !slices.Contains([]Variation{EndlessLoop, EndlessDialogs, MemoryHog, DeepTree, ConsoleFlood, LateConsoleFlood, ClosesItself, NavigationLoop}, o.Variation) {
			continue
		}
		page := s.get(o.Path).body
		plan := planOf(t, page)
		if o.Variation == ConsoleFlood {
			if plan.Console != 20_000 {
				t.Errorf("%s: its plan is %+v", o.Variation, plan)
			}
			continue
		}
		if !strings.Contains(script, "\n    "+plan.Fault+": function") || !strings.Contains(string(page), "/assets/faults.js") {
			t.Errorf("%s: no script does %q", o.Variation, plan.Fault)
		}
		byScript++
	}
	if byScript != 7 {
		t.Errorf("%d pages have a script for their fault", byScript)
	}
}

func TestCutPage(t *testing.T) {
	t.Parallel()
	s := open(t, quick(CutPage))
	a := s.get(s.only().Path)
	if a.cut == nil || a.StatusCode != http.StatusOK {
		t.Errorf("status %d, and it ended with %v", a.StatusCode, a.cut)
	}
	if links := attachmentLink.FindAll(a.body, -1); len(links) != 1 {
		t.Errorf("%d of two documents were listed before the cut", len(links))
	}
}

func TestRedirectLoop(t *testing.T) {
	t.Parallel()
	s := open(t, quick(RedirectLoop))
	s.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	if a := s.get(s.only().Path); a.StatusCode != http.StatusFound || a.Header.Get("Location") != s.only().Path {
		t.Errorf("status %d, to %q", a.StatusCode, a.Header.Get("Location"))
	}
}

func TestNeverAnswers(t *testing.T) {
	t.Parallel()
	s := open(t, quick(NeverAnswers))
	result := make(chan error, 1)
	go func() {
		answer, err := s.client.Get(s.base + s.only().Path)
		if err == nil {
			_ = answer.Body.Close()
		}
		result <- err
	}()
	testkit.Wait(t, "the request", func() bool {
		select {
		case err := <-result:
			t.Fatalf("it was answered: %v", err)
		default:
		}
		return s.Requests(s.only().Number).Pages > 0
	})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-result; err == nil {
		t.Error("it was answered")
	}
}

// TestEndlessAnswers reads more than an answer's beginning of what never ends.
func TestEndlessAnswers(t *testing.T) {
	t.Parallel()
	for v, address := range map[Variation]string{EndlessPage: "", EndlessPicture: "/api/picture"} {
		t.Run(string(v), func(t *testing.T) {
			t.Parallel()
			s := open(t, quick(v))
			if address == "" {
				address = s.only().Path
			} else if !strings.Contains(string(s.get(s.only().Path).body), address) {
				t.Errorf("the page has no %s", address)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base+address, http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := s.client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			body := bufio.NewReader(answer.Body)
			if v == EndlessPage {
				for line := ""; !strings.Contains(line, "</html>"); {
					if line, err = body.ReadString('\n'); err != nil {
						t.Fatal(err)
					}
				}
			}
			if _, err := io.CopyN(io.Discard, body, 10); err != nil {
				t.Errorf("it came to an end: %v", err)
			}
			cancel()
			if _, err := io.Copy(io.Discard, body); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
		})
	}
}
