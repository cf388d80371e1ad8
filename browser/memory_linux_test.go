package browser_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"testing"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/proc"
)

// TestPageMemoryIsBounded: all processes that render pages have the limit, those
// of tabs that are opened later among them.
func TestPageMemoryIsBounded(t *testing.T) {
	t.Parallel()
	url := serve(t, map[string]http.HandlerFunc{
		"/": html("fine"),
		"/doc": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/pdf")
			fmt.Fprint(w, "done")
		},
	})
	b := launch(t, func(c *browser.Config) { c.MaxPageMemory = 1 << 30 })
	open(t, b.Tab(), url)
	before := len(renderers(t, b))
	if _, err := b.Fetch(t.Context(), browser.Request{URL: url + "/doc", MaxSize: 100, Allowed: func(string) bool { return true }}); err != nil {
		t.Fatal(err)
	}
	pids := renderers(t, b)
	if len(pids) <= before {
		t.Errorf("the tab of the document has no process of its own: %v", pids)
	}
	for _, pid := range pids {
		limits, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", pid))
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(`Max data size +(\d+)`).FindSubmatch(limits)
		if found == nil || string(found[1]) != fmt.Sprint(1<<30) {
			t.Errorf("process %d: %s", pid, limits)
		}
	}
}

// TestStreamedDocumentsAreNotKept: Chrome lets go of the documents that it has sent.
func TestStreamedDocumentsAreNotKept(t *testing.T) {
	t.Parallel()
	const size, times = 1 << 20, 60
	document := bytes.Repeat([]byte("0123456789abcdef"), size/16)
	url := serve(t, map[string]http.HandlerFunc{"/doc": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		w.Header().Set("Content-Length", fmt.Sprint(size))
		w.Write(document)
	}})
	b := launch(t)
	fetch := func() {
		t.Helper()
		file, err := b.Fetch(t.Context(), browser.Request{URL: url + "/doc", MaxSize: size, Allowed: func(string) bool { return true }})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(file.Path); err != nil {
			t.Fatal(err)
		}
	}
	for range 5 { // its buffers
		fetch()
	}
	before := proportional(t, b.PID())
	for range times {
		fetch()
	}
	if grown := proportional(t, b.PID()) - before; grown > times*size/3 {
		t.Errorf("after %d documents of %d bytes the browser has %d bytes more", times, size, grown)
	}
}

// proportional returns the bytes of memory of a process, its share of what it shares.
func proportional(t *testing.T, pid int) int {
	t.Helper()
	n, err := proc.Memory(pid)
	if err != nil {
		t.Fatal(err)
	}
	return int(n)
}
