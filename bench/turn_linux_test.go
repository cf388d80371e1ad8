package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/poscrape/poscrape/bench/protocol"
	"github.com/poscrape/poscrape/internal/portal"
)

// Not parallel, as all that measures: see measure_linux_test.go.
func TestATurnCountsOnlyIfAllIsRight(t *testing.T) {
	c := cases()[0]
	c.portal.Orders, c.portal.DocumentSize = 4, 4096
	p, err := startPortal(c.portal)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.close(); err != nil {
			t.Error(err)
		}
	})
	if err := adoptOrphans(); err != nil {
		t.Fatal(err)
	}
	b := measured()
	b.settings = settings{orders: 4, workers: 2, every: time.Millisecond}
	b.env = environment{work: t.TempDir()}

	right := linesOf(t, p.Orders)
	for _, turn := range []struct{ name, said, void string }{
		{"all is right", right, ""},
		{"the last is missing", right[:strings.LastIndex(strings.TrimSpace(right), "\n")+1], "is missing (3 of 4"},
		{"a wrong field", strings.Replace(right, `"supplier":"`, `"supplier":"X`, 1), "the field supplier is"},
		{"no result", "Hello\n" + right, "no result"},
		{"nothing", "", "is missing (0 of 4"},
	} {
		t.Run(turn.name, func(t *testing.T) {
			said := filepath.Join(t.TempDir(), "said")
			if err := os.WriteFile(said, []byte(turn.said), 0o600); err != nil {
				t.Fatal(err)
			}
			done, err := b.take(t.Context(), c, standIn("cat", said), p, 3)
			if err != nil {
				t.Fatal(err)
			}
			if turn.void == "" && done.Void != "" || !strings.Contains(done.Void, turn.void) {
				t.Errorf("void because %q, want %q", done.Void, turn.void)
			}
			if done.Orders != 4 || done.Round != 3 || done.Wall <= 0 || done.First < 0 || turn.said != "" && done.First <= 0 {
				t.Errorf("got %+v", done)
			}
		})
	}
	done, err := b.take(t.Context(), c, standIn("false"), p, 1)
	if err != nil || !strings.Contains(done.Void, "exit status 1") {
		t.Errorf("a tool that fails: void because %q, %v", done.Void, err)
	}
	if left, err := os.ReadDir(b.env.work); err != nil || len(left) > 0 {
		t.Errorf("the turns left %v, %v", left, err)
	}
}

// standIn is a tool that is a command without its options.
func standIn(line ...string) tool {
	return tool{name: "stand-in", pace: 1, command: func(environment, protocol.Options) []string { return line }}
}

// linesOf is what a tool says that has found all that there is.
func linesOf(t *testing.T, orders []portal.BenchOrder) string {
	t.Helper()
	var text strings.Builder
	for _, o := range orders {
		r := protocol.Result{PO: o.PO, Fields: o.Fields}
		for _, doc := range o.Documents {
			r.Documents = append(r.Documents, protocol.Document{Name: doc.Name, Size: doc.Size})
		}
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(append(line, '\n'))
	}
	return text.String()
}
