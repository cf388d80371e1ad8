package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// printed returns what a command says of its settings, or its error.
func printed(t *testing.T, settings string, args ...string) (text string, code int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "s.yaml")
	if err := os.WriteFile(file, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	tr := newTrial(nil, nil)
	code = tr.execute(t.Context(), append(args, "--config", file, "--print-config"))
	return strings.ReplaceAll(tr.out.String()+tr.err.String(), file, "s.yaml"), code
}

// TestSettingsComeFromFlagsThenVariablesThenTheFile, and it is said from where.
func TestSettingsComeFromFlagsThenVariablesThenTheFile(t *testing.T) {
	t.Setenv("POSCRAPE_WORKERS", "5")
	t.Setenv("POSCRAPE_RETRIES", "4")
	settings := `# a comment
workers: 3
retries: 1
grace: 45s
no-scale: true
cpu-threshold: 0.75
column: {po: Order no.}
recipe: [a.yaml, "b.yaml"]
proxy: http://user:secret@proxy.example:3128
max-worker-memory: 700MB
out: 'a dir'
`
	text, code := printed(t, settings, "run", "--retries", "7")
	for _, line := range []string{
		"workers: 5 # POSCRAPE_WORKERS", "retries: 7 # typed", "grace: 45s # s.yaml:4:8", "no-scale: true # s.yaml:5:11",
		"cpu-threshold: 0.75 # s.yaml:6:16", `column: ["po=Order no."] # s.yaml:7:9`, "recipe: [a.yaml, b.yaml] # s.yaml:8:9",
		`proxy: "http://user:xxxxx@proxy.example:3128" # s.yaml:9:8`, "max-worker-memory: 700MB # s.yaml:10:20",
		`out: "a dir" # s.yaml:11:6`, "task-timeout: 2m0s # default", "# url is not set",
	} {
		if !strings.Contains("\n"+text, "\n"+line+"\n") {
			t.Errorf("there is no line %q", line)
		}
	}
	if t.Failed() || code != exitWell || strings.Contains(text, "secret") {
		t.Fatalf("exit code %d, printed\n%s", code, text)
	}

	again, code := printed(t, strings.ReplaceAll(text, "xxxxx", "other"), "run")
	if code != exitWell || !strings.Contains(again, "grace: 45s # s.yaml:") || !strings.Contains(again, "recipe: [a.yaml, b.yaml] # s.yaml:") {
		t.Errorf("what it prints is read as\n%s", again)
	}

	// What a session remembers stays, and what means something else to a command is not its.
	text, _ = printed(t, settings+"json: true\n", "resume", "--grace", "1m")
	for _, line := range []string{"grace: 1m0s # typed", "# workers is what the session remembers, unless it is typed", "json: true # s.yaml:12:7", "# recipe is not set"} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("of resume there is no line %q in\n%s", line, text)
		}
	}
}

func TestSettingsThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	for settings, want := range map[string]string{
		"\nworker: 3":             `s.yaml:2:1: there is no setting "worker": did you mean workers?`,
		"No_Scale: true":          `s.yaml:1:1: there is no setting "No_Scale": did you mean no-scale?`,
		"frobnicate: 1":           `s.yaml:1:1: there is no setting "frobnicate": they are called as the flags in 'poscrape run --help'`,
		"config: x.yaml":          `s.yaml:1:1: config can only be typed`,
		"workers: 3\nworkers: 4":  `s.yaml:2:1: not YAML: mapping key "workers" already defined at [1:1]`,
		"workers: four":           `s.yaml:1:10: workers: "four" is not a whole number`,
		"mode: slow":              `s.yaml:1:7: mode: "slow" is not one of auto, render, fetch`,
		"grace:":                  `s.yaml:1:8: there is no value; leave the line out, or write one`,
		"column: {po: [a]}":       `s.yaml:1:14: it is not a single value`,
		"- workers":               `s.yaml:1:1: settings are names with values, such as workers: 4`,
		"workers: [":              `s.yaml:1:10: not YAML: sequence end token ']' not found`,
		"workers: 1\n---\nout: x": `s.yaml:3:4: settings are one document, without ---`,
		"out: \xff":               `s.yaml is not UTF-8; save it as UTF-8`,
	} {
		text, code := printed(t, settings, "run")
		if code != exitUsage || !strings.HasPrefix(text, "poscrape: "+want+"\n") {
			t.Errorf("%q: exit code %d, and\n%s\nwant %s", settings, code, text, want)
		}
	}
	tr := newTrial(nil, nil)
	if code := tr.execute(t.Context(), []string{"run", "--config", "none.yaml", "pos.csv"}); code != exitUsage || !strings.Contains(tr.err.String(), "--config: none.yaml cannot be read: ") {
		t.Errorf("a file that is not there: %d, %s", code, tr.err.String())
	}
}
