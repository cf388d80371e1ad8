package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/internal/testkit/chromekit"
)

// TestScripts runs the scripts whose commands are processes.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, scripts(t, "testdata/script", exits))
}

// TestScriptsHere runs the scripts that start no browser, and need no process of their own: under
// the race detector most of what such a command takes is to begin. They share this process's working
// directory and environment, so they are run one by one, and nothing beside them.
func TestScriptsHere(t *testing.T) {
	dir, err := filepath.Abs("testdata/script/here")
	if err != nil {
		t.Fatal(err)
	}
	var script *testing.T
	testscript.RunT(oneByOne{t, &script}, scripts(t, dir, func(ts *testscript.TestScript, neg bool, args []string) { exitsHere(script, ts, dir, neg, args) }))
}

func scripts(t *testing.T, dir string, exits func(*testscript.TestScript, bool, []string)) testscript.Params {
	t.Helper()
	return testscript.Params{
		Dir:                 dir,
		WorkdirRoot:         testkit.OpenTempDir(t),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			program, err := exec.LookPath("poscrape")
			if err != nil {
				return err
			}
			env.Setenv("POSCRAPE", program)
			env.Setenv("POSCRAPE_CHROME", os.Getenv("POSCRAPE_CHROME"))
			env.Setenv("POSCRAPE_STATE_DIR", os.Getenv("POSCRAPE_STATE_DIR"))
			env.Setenv(allowLocal, "true")
			env.Setenv(chromekit.NoSandboxVariable, os.Getenv(chromekit.NoSandboxVariable))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":     exits,
			"untouched": untouched,
			"appears":   appears,
			"says":      says,
			"one-line":  oneLine,
			"begins":    begins,
		},
	}
}

// oneByOne has scripts run one after the other. At is the test of the one that is run.
type oneByOne struct {
	*testing.T
	at **testing.T
}

func (oneByOne) Parallel()     {}
func (oneByOne) Verbose() bool { return testing.Verbose() }

func (o oneByOne) Run(name string, script func(testscript.T)) {
	o.T.Run(name, func(t *testing.T) {
		*o.at = t
		script(oneByOne{t, o.at})
	})
}

// variables are what a script sets for the commands after that.
var variables = regexp.MustCompile(`(?m)^env (\w+)=`)

// exitsHere is exits for poscrape in this process.
func exitsHere(t *testing.T, ts *testscript.TestScript, dir string, neg bool, args []string) {
	if neg || len(args) < 2 || args[1] != "poscrape" {
		ts.Fatalf("usage: exits CODE poscrape [ARG...]")
	}
	script, err := filepath.Glob(filepath.Join(dir, ts.Name()+".txt*"))
	ts.Check(err)
	text, err := os.ReadFile(script[0])
	ts.Check(err)
	t.Setenv("TMPDIR", ts.Getenv("TMPDIR"))
	for _, set := range variables.FindAllStringSubmatch(string(text), -1) {
		t.Setenv(set[1], ts.Getenv(set[1]))
	}
	t.Chdir(ts.MkAbs("."))
	wantCode(ts, args[0], run(t.Context(), args[2:], strings.NewReader(""), ts.Stdout(), ts.Stderr()))
}

// exits CODE PROGRAM [ARG...] runs a program that must end with the code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARG...]")
	}
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var ended *exec.ExitError
		if !errors.As(err, &ended) {
			ts.Fatalf("%v", err)
		}
		code = ended.ExitCode()
	}
	wantCode(ts, args[0], code)
}

func wantCode(ts *testscript.TestScript, want string, code int) {
	if strconv.Itoa(code) != want {
		ts.Fatalf("exit code %d, want %s", code, want)
	}
}

// untouched FILE... checks that there are these files in the working directory,
// and no others, nor anything in the directory for temporary files.
func untouched(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("untouched cannot be negated")
	}
	var there []string
	root := ts.MkAbs(".")
	ts.Check(filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		name, _ := filepath.Rel(root, path)
		if err == nil && name != "." && name != ".tmp" {
			there = append(there, filepath.ToSlash(name))
		}
		return err
	}))
	slices.Sort(args)
	slices.Sort(there)
	if !slices.Equal(there, args) {
		ts.Fatalf("there are %q, want %q", there, args)
	}
}

// appears FILE waits until a file is there and has something in it.
func appears(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: appears FILE")
	}
	await(ts, args[0]+" to appear", func() bool {
		info, err := os.Stat(ts.MkAbs(args[0]))
		return err == nil && info.Size() > 0
	})
}

// says FILE TEXT waits until a text is in a file that may not be there yet.
func says(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: says FILE TEXT")
	}
	await(ts, args[0]+" to say "+args[1], func() bool {
		text, err := os.ReadFile(ts.MkAbs(args[0]))
		return err == nil && strings.Contains(string(text), args[1])
	})
}

func await(ts *testscript.TestScript, what string, condition func() bool) {
	if !testkit.Holds(condition) {
		ts.Fatalf("waited %v in vain for %s", testkit.Patience, what)
	}
}

// one-line FILE checks that a file, or stderr, is one line of text, or that and
// the line that says where help is.
func oneLine(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: one-line FILE")
	}
	lines := strings.Split(strings.TrimSuffix(ts.ReadFile(args[0]), "\n"), "\n")
	if len(lines) == 2 && strings.HasPrefix(lines[1], "See 'poscrape") {
		lines = lines[:1]
	}
	if len(lines) != 1 || !strings.HasPrefix(lines[0], "poscrape: ") {
		ts.Fatalf("%s is not one clear message: %q", args[0], lines)
	}
}
