package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// gift makes a session folder that was made elsewhere, with open orders at addresses (none: one at an outside portal),
// whose settings may name a program that notes that it was run. It returns the folder, and what is there once it was.
func gift(t *testing.T, settings string, addresses ...string) (dir, ran string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("it needs a shell")
	}
	top := t.TempDir()
	dir, ran = filepath.Join(top, "gift"), filepath.Join(top, "ran")
	testkit.Must(t, os.MkdirAll(filepath.Join(dir, "orders"), 0o700))
	testkit.Must(t, os.WriteFile(filepath.Join(dir, "orders", "chrome-headless-shell"), []byte("#!/bin/sh\necho x >>'"+ran+"'\necho Chromium 156.0.0.0\n"), 0o700))
	testkit.Must(t, os.WriteFile(filepath.Join(top, ".profile"), []byte("# mine\n"), 0o600))
	settings = strings.NewReplacer("CHROME", filepath.Join(dir, "orders", "chrome-headless-shell"), "PROFILE", filepath.Join(top, ".profile")).Replace(settings)
	l, err := ledger.Open(filepath.Join(dir, folder.LedgerName))
	testkit.Must(t, err)
	standard, err := json.Marshal(session.DefaultConfig())
	testkit.Must(t, err)
	config := strings.TrimSuffix(string(standard), "}") + "," + settings + "}" // of two values, the last one counts
	if addresses == nil {
		addresses = []string{"https://portal.example/PO1"}
	}
	testkit.Must(t, l.SaveSession(t.Context(), tasks.Session{ID: uuid.New(), Status: tasks.SessionInterrupted, Config: []byte(config), Foreign: true,
		Input: tasks.Input{Rows: len(addresses), Columns: []string{"po", "url"}}}))
	for i, address := range addresses {
		digits := strconv.Itoa(i + 1)
		po := "PO" + digits
		_, err = l.Enqueue(t.Context(), tasks.Spec{Key: po, PO: po, Digits: digits, Dir: po, URL: address, Rows: []tasks.Row{{Line: i + 2, Cells: []string{po, address}}}})
		testkit.Must(t, err)
	}
	testkit.Must(t, l.Close())
	return dir, ran
}

// command runs poscrape, and returns its exit code and what it said.
func command(t *testing.T, args ...string) (int, string) {
	t.Helper()
	var out syncBuffer
	code := run(t.Context(), args, strings.NewReader(""), &out, &out)
	return code, out.String()
}

// No command on a folder that was made elsewhere runs its program, whatever it is for; what says what to type is
// right, and a folder that is allowed is like one's own.
func TestAFolderRunsNoProgram(t *testing.T) {
	t.Setenv("POSCRAPE_CHROME", "")
	for what, args := range map[string]func(dir string) []string{
		"resume":              func(dir string) []string { return []string{"resume", dir} },
		"resume, quietly":     func(dir string) []string { return []string{"resume", "-q", dir} },
		"resume, its folders": func(dir string) []string { return []string{"resume", dir + "/../gift/"} },
		"retry":               func(dir string) []string { return []string{"retry", dir} },
		"open":                func(dir string) []string { return []string{"open", "--picture", dir + "/../x.png", dir, "PO1"} },
		"update":              func(dir string) []string { return []string{"run", "--update", dir, "-o", dir + "/../again"} },
		"a dry run":           func(dir string) []string { return []string{"resume", "--dry-run", dir} },
		"another typed":       func(dir string) []string { return []string{"resume", "--no-sandbox", "--proxy", "system", dir} },
	} {
		dir, ran := gift(t, `"chrome":"CHROME","log_file":"PROFILE"`)
		code, said := command(t, args(dir)...)
		if _, err := os.Stat(ran); err == nil || code != exitUsage || !strings.Contains(said, "chrome: ") || !strings.Contains(said, "--chrome ") || !strings.Contains(said, "poscrape config allow ") {
			t.Errorf("%s: exit code %d, ran: %v, said %s", what, code, err == nil, said)
		}
		if text, err := os.ReadFile(filepath.Join(filepath.Dir(dir), ".profile")); err != nil || string(text) != "# mine\n" {
			t.Errorf("%s: .profile is %q, %v", what, text, err)
		}
	}
	dir, ran := gift(t, `"chrome":"CHROME"`)
	if code, said := command(t, "report", dir); code != exitWell || !strings.Contains(said, `"PO1"`) {
		t.Errorf("report: exit code %d, %s", code, said)
	}
	if code, said := command(t, "config", "allow", dir); code != exitWell || !strings.Contains(said, "chrome: "+filepath.Join(dir, "orders")) {
		t.Errorf("config allow: exit code %d, %s", code, said)
	}
	if code, said := command(t, "resume", dir); code != exitEnvironment {
		t.Errorf("allowed: exit code %d, %s", code, said)
	}
	if _, err := os.Stat(ran); err != nil {
		t.Error("allowed, and the Chrome that it names is not tried, so nothing above is shown")
	}
}

// What counts as typed: a flag, a variable, a file that was named.
func TestTypedForAFolder(t *testing.T) {
	settings := filepath.Join(t.TempDir(), "mine.yaml")
	testkit.Must(t, os.WriteFile(settings, []byte("proxy: http://mine.example:1\nchrome: /no/such/chrome\n"), 0o600))
	for what, test := range map[string]struct {
		env  map[string]string
		args []string
		may  bool
	}{
		"nothing":       {nil, nil, false},
		"a flag":        {nil, []string{"--proxy", "http://mine.example:1", "--chrome", "/no/such/chrome"}, true},
		"an empty flag": {nil, []string{"--proxy", "", "--chrome", "/no/such/chrome"}, true},
		"one of two":    {nil, []string{"--proxy", ""}, false},
		"variables":     {map[string]string{"POSCRAPE_PROXY": "http://mine.example:1", "POSCRAPE_CHROME": "/no/such/chrome"}, nil, true},
		"a file":        {nil, []string{"--config", settings}, true},
	} {
		t.Run(what, func(t *testing.T) {
			t.Setenv("POSCRAPE_CHROME", "")
			for name, value := range test.env {
				t.Setenv(name, value)
			}
			dir, _ := gift(t, `"chrome":"CHROME","proxy":"http://evil.example:1"`)
			code, said := command(t, append(append([]string{"resume", "--dry-run"}, test.args...), dir)...)
			if test.may == strings.Contains(said, "was not made by you") || test.may == (code == exitUsage) {
				t.Errorf("exit code %d, %s", code, said)
			}
			if strings.Contains(said, "--proxy http://evil.example:1") == test.may && !test.may && what != "one of two" {
				t.Errorf("nothing says what to type: %s", said)
			}
		})
	}
}

// Each setting counts for a folder that was made elsewhere when it is typed, in whichever way, and otherwise not.
func TestEachSettingCountsWhenTyped(t *testing.T) {
	top := t.TempDir()
	t.Chdir(top)
	testkit.Must(t, os.WriteFile("mine.yaml", []byte("version: 1\nbase_url: https://mine.example\nopen: {url: '{base_url}/{po}'}\n"), 0o600))
	testkit.Must(t, os.Mkdir("profile", 0o700))
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	testkit.Must(t, os.WriteFile("ca.pem", server.Certificate().Raw, 0o600))
	testkit.Must(t, os.WriteFile("state.json", []byte("{}"), 0o600))
	for flag, test := range map[string]struct{ stored, mine string }{
		"recipe":       {`"recipe_file":"/away/r.yaml"`, "mine.yaml"},
		"url":          {`"url":"https://evil.example/{po}"`, "https://mine.example/{po}"},
		"state":        {`"state":"/away/s.json"`, "state.json"},
		"secret":       {`"secrets":["PORTAL_PIN=env:HOME"]`, "PORTAL_PIN=env:USER"},
		"base-profile": {`"base_profile":"/away/profile"`, "profile"},
		"proxy":        {`"proxy":"http://evil.example:1"`, "http://mine.example:1"},
		"ca":           {`"ca":"/away/ca.pem"`, "ca.pem"},
		"chrome":       {`"chrome":"CHROME"`, "/no/such/chrome"},
		"no-sandbox":   {`"no_sandbox":true`, "true"},
		"allow-local":  {`"allow_local":true`, "true"},
	} {
		dir, _ := gift(t, test.stored)
		settings := []byte(flag + ": " + test.mine + "\n")
		for way, counts := range map[string]bool{"nothing": false, "a flag": true, "a variable": true, "a file that is named": true, "a file that is allowed": true, "a file that is found": false} {
			t.Run(flag+", "+way, func(t *testing.T) {
				for _, name := range []string{"POSCRAPE_CHROME", "POSCRAPE_NO_SANDBOX", allowLocal} {
					t.Setenv(name, "")
				}
				t.Setenv("POSCRAPE_STATE_DIR", t.TempDir())
				if flag != "chrome" {
					t.Setenv("POSCRAPE_CHROME", "/no/such/chrome")
				}
				var typed []string
				switch way {
				case "a flag":
					typed = []string{"--" + flag + "=" + test.mine}
				case "a variable":
					t.Setenv(variable(flag), test.mine)
				case "a file that is named":
					testkit.Must(t, os.WriteFile("settings.yaml", settings, 0o600))
					typed = []string{"--config", "settings.yaml"}
				case "a file that is allowed", "a file that is found":
					testkit.Must(t, os.WriteFile(configName, settings, 0o600))
					defer os.Remove(configName)
				}
				if way == "a file that is allowed" {
					if code, said := command(t, "config", "allow"); code != exitWell || !strings.Contains(said, flag+": "+test.mine) {
						t.Fatalf("config allow: exit code %d, %s", code, said)
					}
				}
				for _, args := range [][]string{{"resume", "--dry-run", dir}, {"retry", "--dry-run", dir}, {"open", "--picture", "x.png", dir, "PO1"}, {"run", "--dry-run", "--update", dir}} {
					code, said := command(t, append(args, typed...)...)
					refused := code == exitUsage && (strings.Contains(said, "was not made by you") || strings.Contains(said, "config allow "+configName))
					if refused == counts || counts && code == exitUsage {
						t.Errorf("%s: exit code %d, %s", args[0], code, said)
					}
				}
			})
		}
	}
}

// A session of one's own goes on with the recipe that it remembers, unless another is typed.
func TestOnlyATypedRecipeIsForOnesOwnSession(t *testing.T) {
	for what, test := range map[string]struct {
		foreign bool
		typed   []string
		want    string
	}{
		"one's own": {false, nil, ""}, "one's own, typed": {false, []string{"--recipe", "typed.yaml"}, "typed.yaml"},
		"made elsewhere": {true, nil, "variable.yaml"}, "made elsewhere, typed": {true, []string{"--recipe", "typed.yaml"}, "typed.yaml"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Setenv("POSCRAPE_RECIPE", "variable.yaml")
			tr := newTrial(nil, nil)
			tr.recall = func(string) (session.Config, error) { return session.Config{Foreign: test.foreign}, nil }
			got := "it was not resumed"
			tr.resume = func(_ context.Context, _ string, cfg session.ResumeConfig) (runner, error) {
				got = cfg.Recipe
				return nil, errors.New("nothing to resume")
			}
			tr.execute(t.Context(), append([]string{"resume", "the-folder"}, test.typed...))
			if got != test.want {
				t.Errorf("the recipe is %q, want %q; %s", got, test.want, tr.err.String())
			}
		})
	}
}

// A sheet in a folder that was made elsewhere has no command proposed that runs its programs.
func TestNoCommandOfAFolderIsProposed(t *testing.T) {
	dir, _ := gift(t, `"chrome":"CHROME","url":"https://evil.example/{po}"`)
	sheet := filepath.Join(dir, "failed.csv")
	testkit.Must(t, os.WriteFile(sheet, []byte("po\nPO1\n"), 0o600))
	if code, said := command(t, "run", sheet); code != exitUsage || strings.Contains(said, "chrome-headless-shell") || strings.Contains(said, "evil.example") {
		t.Errorf("exit code %d, %s", code, said)
	}
}

// The settings that a found file cannot set unasked, each with the programs and hosts of somebody else.
func TestFoundSettingsRunNothing(t *testing.T) {
	t.Setenv("POSCRAPE_CHROME", "")
	top := t.TempDir()
	here := filepath.Join(top, "here")
	testkit.Must(t, os.MkdirAll(filepath.Join(here, "sub"), 0o700))
	t.Chdir(here)
	ran := filepath.Join(top, "ran")
	testkit.Must(t, os.WriteFile("evil", []byte("#!/bin/sh\necho x >>'"+ran+"'\necho Chromium 156.0.0.0\n"), 0o700))
	testkit.Must(t, os.WriteFile("pos.csv", []byte("po,url\nPO1,http://127.0.0.1:1/PO1\n"), 0o600))
	links := os.Symlink(top, "away") == nil
	commands := [][]string{
		{"run", "--no-progress", "pos.csv"}, {"run", "-q", "pos.csv"}, {"run", "--dry-run", "pos.csv"}, {"check", "pos.csv"}, {"check", "--probe", "1", "pos.csv"},
		{"login", "--url", "http://127.0.0.1:1/", "--state", "s.json", "--remote", "127.0.0.1:0"}, {"recipe", "init", "pos.csv", "-o", "new.yaml"}, {"resume", "x"}, {"retry", "x"}, {"open", "x", "PO1"},
	}
	for settings, must := range map[string]bool{
		"on-end: ./evil": true, "chrome: ./evil": true, "no-sandbox: true": true, "proxy: http://u:s3cret@evil.example:1": true, "ca: ca.pem": true,
		"base-profile: sub": true, "secret: [PORTAL_PIN=env:HOME]": true, "log-file: x.log": true, "temp-dir: sub": true, "ui: 0.0.0.0:0": true, "metrics-addr: '[::]:0'": true, "ui: evil.example:0": true,
		"recipe: ../r.yaml": true, "recipe: [r.yaml, " + top + "/r.yaml]": true, "state: sub/../../s.json": true, "out: " + top + "/out": true, "recipe: away/r.yaml": links,
		"workers: 2\nchrome: ./evil": true, `"chrome": "./evil"`: true,
		"workers: 2": false, "ui: :0": false, "ui: 127.0.0.1:0": false, "metrics-addr: localhost:0": false, "recipe: sub/r.yaml": false, "out: sub/out": false, "state: ./s.json": false, "url: 'https://portal.example/{po}'": false,
	} {
		testkit.Must(t, os.WriteFile(configName, []byte(settings+"\n"), 0o600))
		for i, args := range commands {
			if i > 0 && !strings.Contains(settings, "evil") {
				break // one is enough
			}
			if !must {
				args = []string{"run", "--dry-run", "pos.csv"}
			}
			code, said := command(t, args...)
			if asked := strings.Contains(said, "poscrape config allow "+configName); asked != must || must && code != exitUsage || strings.Contains(said, "s3cret") {
				t.Errorf("%q, %v: exit code %d, %s", settings, args, code, said)
			}
			if _, err := os.Stat(ran); err == nil {
				t.Fatalf("%q, %v: the program ran", settings, args)
			}
		}
	}
	runs := func(settings string) bool {
		testkit.Must(t, os.WriteFile(configName, []byte(settings+"\n"), 0o600))
		_, said := command(t, "run", "--dry-run", "pos.csv")
		return !strings.Contains(said, "config allow")
	}
	testkit.Must(t, os.WriteFile(configName, []byte("workers: 2\nchrome: ./evil\n"), 0o600))
	if code, said := command(t, "config", "allow"); code != exitWell || !strings.Contains(said, "chrome: ./evil") || strings.Contains(said, "workers") {
		t.Errorf("config allow: exit code %d, %s", code, said)
	}
	for settings, want := range map[string]bool{
		"workers: 2\nchrome: ./evil": true, "workers: 3\nchrome: ./evil\n# more": true, "chrome: './evil'": true,
		"chrome: ./evil2": false, "chrome: ./evil\non-end: ./evil": false, "no-sandbox: ./evil": false,
	} {
		if got := runs(settings); got != want {
			t.Errorf("with other settings allowed, %q counts: %v", settings, got)
		}
	}
	t.Chdir(filepath.Join(here, "sub")) // the same file elsewhere
	testkit.Must(t, os.WriteFile("pos.csv", []byte("po,url\nPO1,http://127.0.0.1:1/PO1\n"), 0o600))
	if runs("chrome: ./evil") {
		t.Error("a copy in another folder counts")
	}
}

// FuzzFoundSettings: a file that was not allowed sets none of what has to be.
func FuzzFoundSettings(f *testing.F) {
	for _, text := range []string{"chrome: x", "on-end: |\n  id\n", "recipe: [a, ../b]", "ui: 1.2.3.4:5", "? {chrome: x}\n: y", "&a chrome: x", "!!str chrome: x", "chrome: &x y", "out: ..", "<<: {chrome: x}", "secret: {A: env:B}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		name := filepath.Join(dir, configName)
		testkit.Must(t, os.WriteFile(name, []byte(text), 0o600))
		p := &program{}
		root := p.newRootCommand()
		c := configFile{name: name, text: []byte(text), known: configurable(root)}
		cmd, _, err := root.Find([]string{"run"})
		testkit.Must(t, err)
		if c.admit() != nil || c.apply(cmd.Flags()) != nil {
			return
		}
		for _, flag := range allowedAlone {
			if f := cmd.Flags().Lookup(flag); f != nil && f.Annotations[fromFile] != nil {
				t.Errorf("%q sets %s to %q", text, flag, f.Value)
			}
		}
		for _, flag := range []string{"recipe", "out", "state", "ui", "metrics-addr"} {
			f := cmd.Flags().Lookup(flag)
			values := []string{f.Value.String()}
			if list, is := f.Value.(interface{ GetSlice() []string }); is {
				values = list.GetSlice()
			}
			if f.Annotations[fromFile] != nil && mustBeAllowed(flag, values, dir) {
				t.Errorf("%q sets %s to %q", text, flag, values)
			}
		}
	})
}

// Every setting that has to be allowed, or typed, is one.
func TestGuardedSettingsAreThere(t *testing.T) {
	t.Parallel()
	known := configurable((&program{}).newRootCommand())
	for _, name := range session.Reaching() {
		if known[name] == nil {
			t.Errorf("there is no --%s", name)
		}
	}
}

// The url of a file that was only found makes addresses: it names neither who may have a secret, nor what is asked
// inside. Typed in whichever way, it does.
func TestAFoundURLLendsNoTrust(t *testing.T) {
	t.Setenv("PORTAL_PIN", "1234")
	t.Setenv(allowLocal, "")
	top := t.TempDir()
	t.Chdir(top)
	testkit.Must(t, os.WriteFile("secret.yaml", []byte("version: 1\nfields: {x: {get: '/{po}.json', headers: {X-Pin: 'env:PORTAL_PIN'}, path: $.x}}\n"), 0o600))
	testkit.Must(t, os.WriteFile("plain.yaml", []byte("version: 1\n"), 0o600))
	testkit.Must(t, os.WriteFile("pos.csv", []byte("po\nPO1\n"), 0o600))
	for what, test := range map[string]struct{ recipe, url, says string }{
		"a secret": {"secret.yaml", "https://portal.example/{po}", "--url 'https://portal.example/{po}'"},
		"inside":   {"plain.yaml", "http://127.0.0.1:1/{po}", "--allow-local"},
		"neither":  {"plain.yaml", "https://portal.example/{po}", ""},
	} {
		for way, counts := range map[string]bool{"a flag": true, "a variable": true, "a file that is named": true, "a file that is allowed": true, "a file that is found": false} {
			t.Run(what+", "+way, func(t *testing.T) {
				t.Setenv("POSCRAPE_STATE_DIR", t.TempDir())
				args := []string{"run", "--dry-run", "--recipe", test.recipe, "pos.csv"}
				switch way {
				case "a flag":
					args = append(args, "--url", test.url)
				case "a variable":
					t.Setenv(variable("url"), test.url)
				default:
					testkit.Must(t, os.WriteFile(configName, []byte("url: '"+test.url+"'\n"), 0o600))
					defer os.Remove(configName)
				}
				switch way {
				case "a file that is named":
					args = append(args, "--config", configName)
				case "a file that is allowed":
					if code, said := command(t, "config", "allow"); code != exitWell {
						t.Fatalf("config allow: exit code %d, %s", code, said)
					}
				}
				code, said := command(t, args...)
				if may := counts || test.says == ""; may != (code == exitWell) || !may && (!strings.Contains(said, test.says) || !strings.Contains(said, "config allow")) {
					t.Errorf("exit code %d, %s", code, said)
				}
			})
		}
	}
}
