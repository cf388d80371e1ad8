//go:build unix

package scrape_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// TestHungBrowserIsNotCharged stops a browser while it opens an order, and others wait
// for it: all are given back, with the reason and what was known, and only the one
// that was open may have been the cause.
func TestHungBrowserIsNotCharged(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	t.Cleanup(func() { testkit.EndServer(server) })
	b := newBench(t, scrape.AutoRecipe(), keepsEvidence, ownChrome, func(c *browser.Config, _ *scrape.Places) { c.HangCheck, c.HangTimeout = time.Second, 3*time.Second })
	go func() {
		<-asked
		pid := b.browser.PID()
		// A browser leads its own group, and this test's own group is another one.
		if group, err := syscall.Getpgid(pid); err != nil || group != pid || pid <= 1 || pid == syscall.Getpgrp() {
			t.Errorf("process %d is not the browser: group %d, %v", pid, group, err)
			return
		}
		if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
			t.Error(err)
		}
	}()
	ends := make(chan tasks.Decision)
	for _, digits := range []string{"7000001", "7000002", "7000003"} {
		go func() {
			number := "PO" + digits
			task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: number, Digits: digits, Dir: number, URL: server.URL + "/orders/" + number}}
			res, err := b.scraper.Do(t.Context(), task)
			ends <- tasks.DefaultPolicy().After(task, res, err, time.Now())
		}()
	}
	lost := 0
	for range 3 {
		d := <-ends
		if !d.Released || classOf(d) != string(tasks.ClassBrowserLost) || !strings.Contains(failureText(d), "hangs") {
			t.Errorf("released %v, %s: %s", d.Released, classOf(d), failureText(d))
		}
		if d.Lost {
			lost++
			checkEvidence(t, b.dir, d, true)
		}
	}
	if lost != 1 {
		t.Errorf("%d orders may have been the cause", lost)
	}
}

// TestFetchedOrderAnswersForItsBrowser: with --mode fetch, orders that have lost a
// browser are fetched again, one at a time, so that the cause is found.
func TestFetchedOrderAnswersForItsBrowser(t *testing.T) {
	t.Parallel()
	b := &bench{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "PO7000001") {
			if err := syscall.Kill(b.browser.PID(), syscall.SIGKILL); err != nil {
				t.Error(err)
			}
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(`<title>PO7000001</title><h1>Order PO7000001</h1>`))
	}))
	t.Cleanup(func() { testkit.EndServer(server) })
	recipe := scrape.AutoRecipe()
	recipe.Mode = scrape.ModeFetch
	b = newBench(t, recipe, ownChrome)
	do := func(digits string, history ...tasks.Attempt) tasks.Decision {
		task := &tasks.ProcessingTask{ID: uuid.New(), History: history, Spec: tasks.Spec{PO: "PO" + digits, Digits: digits, Dir: "PO" + digits, URL: server.URL + "/orders/PO" + digits}}
		res, err := b.scraper.Do(t.Context(), task)
		return tasks.DefaultPolicy().After(task, res, err, time.Now())
	}
	do("7000001") // brings the tab to the portal
	lost := tasks.Attempt{Released: true, Error: tasks.Release(tasks.ClassBrowserLost, "killed")}
	if d := do("7000002", lost); !d.Lost || !d.Released || d.Failure.Executor != tasks.ExecutorFetch {
		t.Errorf("lost %v, released %v, by %s: %s", d.Lost, d.Released, d.Failure.Executor, failureText(d))
	}
}
