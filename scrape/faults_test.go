package scrape_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit/portalkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// TestFaults opens an order of each fault: it ends as it should, a person can
// find out why, and the same browser reads another order afterwards.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, fault := range portal.Faults() {
		t.Run(string(fault), func(t *testing.T) {
			t.Parallel()
			if fault == portal.ConsoleFlood && os.Getenv(thorough) == "" {
				t.Skip("part of make thorough; a late one floods as much")
			}
			p, url := portalkit.Start(t, portal.Config{Orders: 2, Variations: []portal.Variation{fault, portal.Plain}})
			recipe := scrape.AutoRecipe()
			recipe.Ready.Timeout = patience
			if slices.Contains([]portal.Variation{portal.EndlessPage, portal.EndlessPicture, portal.CutPage}, fault) {
				recipe.Ready.Timeout = 10 * time.Second
			}
			if fault == portal.EndlessPage && os.Getenv(thorough) == "" {
				recipe.Mode = scrape.ModeRender // what is fetched beside the next order waits for minutes
			}
			b := newBench(t, recipe, keepsEvidence, func(c *browser.Config, _ *scrape.Places) {
				c.MaxPageMemory, c.HangTimeout = 1500<<20, time.Minute
				if slices.Contains([]portal.Variation{portal.EndlessLoop, portal.EndlessDialogs, portal.NeverAnswers}, fault) {
					c.HangCheck, c.PageTimeout = time.Second, 2*time.Second
				}
			})
			limit := 10 * time.Minute
			if fault == portal.NeverAnswers {
				limit = 8 * time.Second
			}
			pid := b.browser.PID()
			faulty, plain := p.Orders()[0], p.Orders()[1]
			task, d := b.once(t, url, faulty, limit)
			want := faulty.Want
			want.Attempts = 1
			checkOrder(t, b.dir, faulty, want, task, d)
			if class := classOf(d); class != want.Class {
				t.Errorf("class %q, want %q: %v", class, want.Class, failureText(d))
			}
			if !want.Well() {
				begun := fault != portal.CutPage // the reset may take with it all that was sent
				checkEvidence(t, b.dir, d, begun)
			}
			t.Log(failureText(d))
			task, d = b.once(t, url, plain, 10*time.Minute)
			checkOrder(t, b.dir, plain, plain.Want, task, d)
			if err := b.browser.Fit(); err != nil || b.browser.PID() != pid {
				t.Errorf("the browser is not what it was: %v", err)
			}
		})
	}
}

// once makes one attempt, and no other.
func (b *bench) once(t *testing.T, url string, order portal.Order, limit time.Duration) (*tasks.ProcessingTask, tasks.Decision) {
	t.Helper()
	task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: order.Number, Digits: strings.TrimPrefix(order.Number, "PO"), Dir: order.Number, URL: url + order.Path}}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	res, err := b.scraper.Do(ctx, task)
	if res != nil {
		b.publish(t, task, res)
	}
	policy := tasks.DefaultPolicy()
	policy.Retries = 0
	d := policy.After(task, res, err, time.Now())
	task.Attempts++
	return task, d
}

func classOf(d tasks.Decision) string {
	if d.Failure == nil {
		return ""
	}
	return string(d.Failure.Class)
}

// checkEvidence reads what was kept of an attempt that did not end well: the
// reason, and how far it came. There is more of a page that has begun.
func checkEvidence(t *testing.T, dir string, d tasks.Decision, begun bool) {
	t.Helper()
	if d.Failure == nil {
		t.Fatal("there is no failure")
	}
	evidence := d.Failure.Evidence
	if d.Result != nil {
		evidence = d.Result.Evidence
	}
	at := slices.IndexFunc(evidence, func(path string) bool { return strings.HasSuffix(path, "console.json") })
	if at < 0 {
		t.Fatalf("the evidence is %v", evidence)
	}
	content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(evidence[at])))
	if err != nil {
		t.Fatal(err)
	}
	var told struct {
		Phase, Error, Asked string
		Happened            []struct{ Text string }
	}
	if err := json.Unmarshal(content, &told); err != nil {
		t.Fatal(err)
	}
	if told.Phase == "" || told.Error != d.Failure.Message || told.Asked == "" || len(told.Happened) == 0 {
		t.Errorf("it tells %s", content)
	}
	dead := slices.Contains([]tasks.Class{tasks.ClassPage, tasks.ClassRendererCrash}, d.Failure.Class)
	if begun && !dead && d.Failure.Phase != tasks.PhaseOpen && len(evidence) < 2 {
		t.Errorf("a page that can be looked at left only %v", evidence)
	}
}
