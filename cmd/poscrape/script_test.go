package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/poscrape/poscrape/internal/testkit"
)

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		WorkdirRoot:         t.TempDir(),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			program, err := exec.LookPath("poscrape")
			if err != nil {
				return err
			}
			env.Setenv("POSCRAPE", program)
			env.Setenv("POSCRAPE_CHROME", os.Getenv("POSCRAPE_CHROME"))
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
	})
}

// exits CODE PROGRAM [ARG...] runs a program that must end with the code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var ended *exec.ExitError
		if !errors.As(err, &ended) {
			ts.Fatalf("%v", err)
		}
		code = ended.ExitCode()
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
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
