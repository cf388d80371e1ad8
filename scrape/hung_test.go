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
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// TestHungBrowserIsNotCharged stops a browser while it opens an order: the order
// is given back, with the reason and what was known.
func TestHungBrowserIsNotCharged(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	b := newBench(t, scrape.AutoRecipe(), func(c *browser.Config, _ *scrape.Places) { c.HangCheck, c.HangTimeout = time.Second, 3*time.Second })
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
	task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO7000001", Digits: "7000001", Dir: "PO7000001", URL: server.URL + "/orders/PO7000001"}}
	res, err := b.scraper.Do(t.Context(), task)
	d := tasks.DefaultPolicy().After(task, res, err, time.Now())
	if !d.Released || !d.Lost || classOf(d) != string(tasks.ClassBrowserLost) || !strings.Contains(failureText(d), "hangs") {
		t.Fatalf("released %v, lost %v, %s: %s", d.Released, d.Lost, classOf(d), failureText(d))
	}
	checkEvidence(t, b.dir, d)
}
