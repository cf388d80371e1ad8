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
			checkEvidence(t, b.dir, d)
		}
	}
	if lost != 1 {
		t.Errorf("%d orders may have been the cause", lost)
	}
}
