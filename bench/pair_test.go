package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestDifferencesOfTwoBuilds(t *testing.T) {
	t.Parallel()
	const right = `{"tasks":[{"po":"A","outcome":"complete","fields":{"a":1},"attachments":[{"name":"a.pdf","state":"done","sha256":"0"}]}]}`
	for _, c := range []struct{ name, from, to, want string }{
		{"none", "", "", "same results"},
		{"an outcome", `"complete"`, `"partial"`, "A: outcome partial, was complete"},
		{"a field", `{"a":1}`, `{"a":2}`, "A: fields"},
		{"a hash", `"sha256":"0"`, `"sha256":"1"`, "A: documents"},
		{"an order", `"A"`, `"B"`, "2 orders DIFFER (A: missing; B: not in the base)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := differences{}
			d.add(resultsIn(t, right), resultsIn(t, strings.Replace(right, c.from, c.to, 1)))
			if got := d.String(); !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q in it", got, c.want)
			}
		})
	}
}

func resultsIn(t *testing.T, report string) map[string]pairResult {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "report.json"), []byte(report), 0o600); err != nil {
		t.Fatal(err)
	}
	results, err := readResults(dir)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

func TestUsedInControlGroups(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"1500000\n": 1500 * time.Microsecond,
		"usage_usec 1500\nuser_usec 1000\nsystem_usec 500\n": 1500 * time.Microsecond,
	} {
		file := filepath.Join(t.TempDir(), "usage")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := usedIn(file); err != nil || got != want {
			t.Errorf("%q: got %v, %v, want %v", text, got, err, want)
		}
	}
	if got := quantile([]float64{3, 1, 2}, 0.25); got != 1.5 {
		t.Errorf("the first quartile of 1, 2 and 3 is %v, want 1.5", got)
	}
}
