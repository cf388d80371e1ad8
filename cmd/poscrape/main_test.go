package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"go.uber.org/goleak"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/internal/testkit/chromekit"
)

// allowLocal is the variable of the flag --allow-local: the tests' portals are on this machine.
const allowLocal = "POSCRAPE_ALLOW_LOCAL"

func TestMain(m *testing.M) {
	testscript.Main(leakChecked{m}, map[string]func(){
		"poscrape": func() {
			os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
		},
		"poscrape-on-stage": func() { os.Exit(runOnStage()) },
	})
}

// leakChecked fails if goroutines outlive the tests.
type leakChecked struct{ m *testing.M }

func (l leakChecked) Run() int {
	// Else the race detector has each process wait for a second before it ends.
	if err := os.Setenv("GORACE", os.Getenv("GORACE")+" atexit_sleep_ms=50"); err != nil {
		panic(err)
	}
	flag.Parse()
	chromekit.NoSandbox() // sets its variable, for the programs
	if err := os.Setenv(allowLocal, "true"); err != nil {
		panic(err)
	}
	code := testkit.OwnState{M: l.m}.Run()
	if code != 0 {
		return code
	}
	if err := goleak.Find(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
