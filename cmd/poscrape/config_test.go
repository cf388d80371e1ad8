package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/session"
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
proxy: http://user:hunter2@proxy.example:3128
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
	if t.Failed() || code != exitWell || strings.Contains(text, "hunter2") {
		t.Fatalf("exit code %d, printed\n%s", code, text)
	}

	again, code := printed(t, strings.ReplaceAll(text, "xxxxx", "other"), "run")
	if code != exitWell || !strings.Contains(again, "grace: 45s # s.yaml:") || !strings.Contains(again, "recipe: [a.yaml, b.yaml] # s.yaml:") {
		t.Errorf("what it prints is read as\n%s", again)
	}

	// What a session remembers stays, and what means something else to a command is not its.
	text, _ = printed(t, settings+"json: true\n", "resume", "--grace", "1m")
	for _, line := range []string{"grace: 1m0s # typed", "# workers is what the session remembers, unless it is typed", "json: true # s.yaml:12:7", "# recipe is what the session remembers, unless it is typed",
		"# proxy is what the session remembers, unless it is typed"} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("of resume there is no line %q in\n%s", line, text)
		}
	}
}

// TestSettingsOfAnUpdateAreThoseOfItsSession, and what chooses its orders is typed.
func TestSettingsOfAnUpdateAreThoseOfItsSession(t *testing.T) {
	settings := "update: was\nworkers: 3\nrecipe: a.yaml\nonly: po=1\nlimit: 2\nskip-done: [x]\nproxy: http://p:1\ncolumn: {po: Number}\nout: here\njson: true\n"
	t.Setenv("POSCRAPE_RETRIES", "1")
	text, code := printed(t, settings, "run", "--limit", "7")
	for _, line := range []string{
		"update: was # s.yaml:1:9", "out: here # s.yaml:9:6", "limit: 7 # typed", "json: true # s.yaml:10:7",
		"# only is not set, unless it is typed", "# skip-done is not set, unless it is typed",
	} {
		if !strings.Contains("\n"+text, "\n"+line+"\n") {
			t.Errorf("there is no line %q", line)
		}
	}
	for _, name := range []string{"workers", "recipe", "retries", "proxy", "column", "sheet", "url"} {
		if !strings.Contains("\n"+text, "\n# "+name+" is what the session remembers, unless it is typed\n") {
			t.Errorf("%s is not what the session remembers", name)
		}
	}
	if t.Failed() || code != exitWell {
		t.Fatalf("exit code %d, printed\n%s", code, text)
	}
	if text, _ := printed(t, settings, "run", "pos.csv"); !strings.Contains(text, "workers: 3 # s.yaml:2:10\n") || !strings.Contains(text, "only: [\"po=1\"]") && !strings.Contains(text, "only: [po=1]") {
		t.Errorf("of another sheet it prints\n%s", text)
	}

	file := filepath.Join(t.TempDir(), "s.yaml")
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(settings, "update: was\n", "")), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("POSCRAPE_UPDATE", "was")
	var opened session.Config
	tr := newTrial(nil, &opened)
	tr.recall = func(string) (session.Config, error) {
		cfg := session.DefaultConfig()
		cfg.Workers, cfg.RecipeFile, cfg.Only = 6, "remembered.yaml", []string{"po=9"}
		return cfg, nil
	}
	tr.execute(t.Context(), []string{"run", "--config", file, "--limit", "7"})
	if opened.Workers != 6 || opened.RecipeFile != "" || opened.Only != nil || opened.Limit != 7 || opened.SkipDone != nil || opened.Update != "was" || !opened.Again || opened.Out != "here" {
		t.Errorf("opened with %+v; printed %s", opened, tr.err.String())
	}
}

// TestVariablesOfOtherFlags: a variable is that of run's flag, wherever a flag has the same name.
func TestVariablesOfOtherFlags(t *testing.T) {
	t.Setenv("POSCRAPE_OUT", "somewhere")
	t.Setenv("POSCRAPE_ONLY", "po=1")
	t.Setenv("POSCRAPE_RECIPE", "acme.yaml")
	t.Setenv("POSCRAPE_CHROME", "/opt/a chrome")
	for command, want := range map[string]string{
		"run": "out: somewhere # POSCRAPE_OUT\n", "check": "# out is not set\n", "recipe init": "# recipe is not set\n", "login": "recipe: [acme.yaml] # POSCRAPE_RECIPE\n", "retry": "# only is not set\n",
	} {
		text, code := printed(t, "", strings.Fields(command)...)
		if code != exitWell || !strings.Contains(text, want) {
			t.Errorf("%s prints no line %q: exit code %d,\n%s", command, want, code, text)
		}
		if command != "retry" && !strings.Contains(text, "chrome: \"/opt/a chrome\" # POSCRAPE_CHROME\n") {
			t.Errorf("%s does not say which Chrome it takes:\n%s", command, text)
		}
	}
}

// TestVariablesOfLogin: what login shares with run, it takes from the same variables.
func TestVariablesOfLogin(t *testing.T) {
	t.Setenv("POSCRAPE_RECIPE", "acme.yaml")
	t.Setenv("POSCRAPE_STATE", "s.json")
	tr := newTrial(nil, nil)
	if code := tr.execute(t.Context(), []string{"login"}); code != exitUsage || !strings.Contains(tr.err.String(), "acme.yaml") {
		t.Errorf("exit code %d, %s", code, tr.err.String())
	}
}

// TestFoundSettings: a file that nobody named is told of, and is not read where others can write it.
func TestFoundSettings(t *testing.T) {
	t.Chdir(t.TempDir())
	try := func(settings string, mode os.FileMode, args ...string) (string, int) {
		t.Helper()
		err := os.WriteFile(configName, []byte(settings), 0o600)
		if err == nil {
			err = os.Chmod(configName, mode)
		}
		if err != nil {
			t.Fatal(err)
		}
		tr := newTrial(nil, nil)
		code := tr.execute(t.Context(), args)
		return tr.err.String(), code
	}
	if text, code := try("on-end: id\nworkers: 3\n", 0o600, "run", "-q", "pos.csv"); code != exitUsage || !strings.Contains(text, "on-end: id\n") || !strings.Contains(text, "poscrape config allow poscrape.yaml") {
		t.Errorf("not allowed: exit code %d, %q", code, text)
	}
	if text, code := try("on-end: id\nworkers: 3\n", 0o600, "config", "allow"); code != exitWell {
		t.Errorf("config allow: exit code %d, %q", code, text)
	}
	if text, _ := try("on-end: id\nworkers: 3\nquiet: true\n", 0o600, "run", "pos.csv"); !strings.HasPrefix(text, "poscrape.yaml here sets workers, quiet, on-end; --print-config says to what\n") {
		t.Errorf("a file that silences: %q", text)
	}
	for _, args := range [][]string{{"run", "-q", "pos.csv"}, {"run", "--workers", "2", "--on-end", "true", "pos.csv"}} {
		if text, _ := try("on-end: id\nworkers: 3\n", 0o600, args...); strings.Contains(text, "here sets") {
			t.Errorf("%v: %q", args, text)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	for _, mode := range []os.FileMode{0o666, 0o602} {
		text, code := try("on-end: id\n", mode, "run", "pos.csv")
		if code != exitUsage || !strings.Contains(text, "poscrape.yaml in the working directory is not read, because other users can write it") || !strings.Contains(text, "chmod go-w poscrape.yaml") {
			t.Errorf("mode %o: exit code %d, %s", mode, code, text)
		}
		if text, code := try("workers: 3\n", mode, "run", "--config", configName, "--print-config"); code != exitWell {
			t.Errorf("named by the user: exit code %d, %s", code, text)
		}
	}
	if text, code := try("workers: 3\n", 0o660, "run", "pos.csv"); !strings.Contains(text, "here sets workers") {
		t.Errorf("one that the user's own group may write: exit code %d, %s", code, text)
	}
	if os.Geteuid() == 0 {
		if err := os.Chown(configName, 0, 12345); err != nil {
			t.Fatal(err)
		}
		if text, code := try("workers: 3\n", 0o620, "run", "pos.csv"); code != exitUsage || !strings.Contains(text, "other users can write it") {
			t.Errorf("one that another group may write: exit code %d, %s", code, text)
		}
		if err := os.Chown(configName, 12345, 12345); err != nil {
			t.Fatal(err)
		}
		text, code := try("on-end: id\n", 0o600, "run", "pos.csv")
		if code != exitUsage || !strings.Contains(text, "it belongs to another user (12345)") {
			t.Errorf("another user's: exit code %d, %s", code, text)
		}
	}
}

func TestSettingsThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	for settings, want := range map[string]string{
		"\nworker: 3":                         `s.yaml:2:1: there is no setting "worker": did you mean workers?`,
		"No_Scale: true":                      `s.yaml:1:1: there is no setting "No_Scale": did you mean no-scale?`,
		"frobnicate: 1":                       `s.yaml:1:1: there is no setting "frobnicate": they are called as the flags in 'poscrape run --help'`,
		"config: x.yaml":                      `s.yaml:1:1: config can only be typed`,
		"workers: 3\nworkers: 4":              `s.yaml:2:1: not YAML: mapping key "workers" already defined at [1:1]`,
		"workers: four":                       `s.yaml:1:10: workers: "four" is not a whole number`,
		"mode: slow":                          `s.yaml:1:7: mode: "slow" is not one of auto, render, fetch`,
		"grace:":                              `s.yaml:1:8: there is no value; leave the line out, or write one`,
		"column: {po: [a]}":                   `s.yaml:1:14: it is not a single value`,
		"- workers":                           `s.yaml:1:1: settings are names with values, such as workers: 4`,
		"workers: [":                          `s.yaml:1:10: not YAML: sequence end token ']' not found`,
		"workers: 1\n---\nout: x":             `s.yaml:3:4: settings are one document, without ---`,
		"out: " + strings.Repeat("[", 40_000): `s.yaml:1:105: lists and mappings are nested more than 100 deep; write them flatter`,
		"out: \xff":                           `s.yaml is not UTF-8; save it as UTF-8`,
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
