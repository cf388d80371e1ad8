package main

import (
	"slices"
	"strings"
	"testing"
)

// The lines that a shell gets to choose from, without their descriptions.
func completed(t *testing.T, args ...string) []string {
	t.Helper()
	tr := newTrial(nil, nil)
	tr.start(t, append([]string{"__complete"}, args...)...)
	if code := tr.wait(t); code != 0 {
		t.Fatalf("exit code %d:\n%s", code, tr.err.String())
	}
	var words []string
	for line := range strings.Lines(tr.out.String()) {
		word, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		words = append(words, word)
	}
	return words
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	// The last line is cobra's directive: 4 is no files, 8 files of these
	// extensions, 16 directories, 2 no space, 32 keep the order.
	for _, c := range []struct {
		typed []string
		want  []string
	}{
		{[]string{""}, []string{"check", "completion", "config", "demo", "doctor", "help", "login", "open", "portal", "recipe", "report", "resume", "retry", "run", "version", "worker", ":4"}},
		{[]string{"resume", ""}, []string{":16"}},
		{[]string{"run", ""}, []string{"csv", "tsv", "txt", "xlsx", "xlsm", ":8"}},
		{[]string{"run", "pos.csv", ""}, []string{":4"}},
		{[]string{"run", "--worker-lifetime", ""}, []string{"reuse", "once", ":4"}},
		{[]string{"run", "--mode", ""}, []string{"auto", "render", "fetch", ":4"}},
		{[]string{"run", "--distribution", ""}, []string{"load_balanced", "round_robin", ":4"}},
		{[]string{"demo", "--distribution", ""}, []string{"load_balanced", "round_robin", ":4"}},
		{[]string{"run", "--workers", ""}, []string{"1", "2", "3", "4", "5", "6", "7", "8", ":4"}},
		{[]string{"run", "--recipe", ""}, []string{"yaml", "yml", ":8"}},
		{[]string{"run", "--out", ""}, []string{":16"}},
		{[]string{"run", "--column", ""}, []string{"po=", "url=", "supplier=", "amount=", "currency=", "priority=", "buyer=", "documents=", ":6"}},
		{[]string{"run", "--cpu-threshold", ""}, []string{"0.5", "0.6", "0.7", "0.8", "0.9", "0.95", ":36"}},
		{[]string{"run", "--grace", ""}, []string{":4"}},
		{[]string{"run", "--no-"}, []string{"--no-progress", "--no-repair", "--no-sandbox", "--no-scale", ":4"}},
		{[]string{"retry", "--only", ""}, []string{"partial", "not_found", "access_denied", "identity_mismatch", "session_expired", "timeout", "failed", "skipped", "unconfirmed", ":4"}},
		{[]string{"doctor", ""}, []string{":4"}},
		{[]string{"doctor", "--"}, []string{"--chrome", "--clean", "--help", "--json", "--temp-dir", ":4"}},
		{[]string{"version", ""}, []string{":4"}},
		{[]string{"help", ""}, []string{"check", "completion", "config", "demo", "doctor", "login", "open", "portal", "recipe", "report", "resume", "retry", "run", "version", "worker", ":4"}},
	} {
		t.Run(strings.Join(c.typed, " "), func(t *testing.T) {
			t.Parallel()
			got := completed(t, c.typed...)
			if strings.HasPrefix(c.typed[len(c.typed)-1], "--") || c.typed[0] == "" || c.typed[0] == "help" {
				slices.Sort(got[:len(got)-1])
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
