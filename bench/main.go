// Command bench measures poscrape against the tools that do the same job: on the
// same portal, with the same Chrome, for the same work, in turns. See README.md.
//
// It measures and checks; it drives no browser itself. Each tool is a program of
// its own that speaks the protocol of package protocol, or poscrape itself.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// settings are the flags.
type settings struct {
	orders, rounds, workers int
	cases, tools            string
	quick, write, keep      bool
	poscrape, chrome        string
	results                 string
	every                   time.Duration
}

func main() {
	serveAsHelper()
	if len(os.Args) > 1 && os.Args[1] == pairCommand {
		start(parsePair, runPair, os.Args[2:])
	}
	start(parse, run, os.Args[1:])
}

// serveAsHelper does the work of the processes that this program starts itself.
func serveAsHelper() {
	switch {
	case len(os.Args) == 3 && os.Args[1] == portalCommand:
		exit(servePortal(os.Args[2]))
	case len(os.Args) > 3 && os.Args[1] == accountCommand:
		exit(runCounted(os.Args[2], os.Args[3:]))
	}
}

// start does what the arguments say, and exits.
func start[S any](parse func([]string) (S, error), run func(context.Context, S) error, args []string) {
	s, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		os.Exit(0)
	}
	if err != nil {
		exit(err)
	}
	ctx, stop := interrupted()
	defer stop()
	exit(run(ctx, s))
}

// interrupted returns a context that ends when the program is asked to.
func interrupted() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

func parse(args []string) (settings, error) {
	s := settings{}
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.IntVar(&s.orders, "orders", 200, "how many orders the slow tools get in the first case; the fast ones get more")
	f.IntVar(&s.rounds, "rounds", 5, "how often each tool has its turn")
	f.IntVar(&s.workers, "workers", 4, "how many orders a tool works on at once")
	f.StringVar(&s.cases, "cases", "", "the cases, by name with commas between (default: all)")
	f.StringVar(&s.tools, "tools", "", "the tools, by name with commas between (default: all)")
	f.BoolVar(&s.quick, "quick", false, "20 orders for each tool, in one round: shows that it works, and measures nothing")
	f.BoolVar(&s.write, "write", false, "write the results into docs/performance.md as well")
	f.BoolVar(&s.keep, "keep", false, "with --cases: keep what --results says of the others, measured with the same machine and programs")
	f.StringVar(&s.poscrape, "poscrape", "bin/poscrape", "the poscrape to measure")
	f.StringVar(&s.chrome, "chrome", "", "the Chrome that all tools use (default: the one that poscrape finds)")
	f.StringVar(&s.results, "results", "bench/results.json", "where all figures go")
	f.DurationVar(&s.every, "sample", 2*time.Second, "how often memory is looked at; to look at 25 processes takes 40 ms of a processor")
	if err := f.Parse(args); err != nil {
		return s, err
	}
	if s.quick {
		s.orders, s.rounds = 20, 1
	}
	switch {
	case f.NArg() > 0:
		return s, fmt.Errorf("%q is no flag: see --help", f.Arg(0))
	case s.orders < 1 || s.rounds < 1 || s.workers < 1:
		return s, errors.New("--orders, --rounds and --workers must be at least 1")
	case s.workers > 8:
		return s, fmt.Errorf("--workers is %d: poscrape has at most 8", s.workers)
	case s.every <= 0:
		return s, fmt.Errorf("--sample is %v: it must be positive", s.every)
	case s.quick && s.write:
		return s, errors.New("--quick measures nothing that could be written: leave out --write")
	}
	return s, nil
}

// chosen returns those of all whose names are in the list, or all of them where
// the list is empty.
func chosen[T any](all []T, list, what string, name func(T) string) ([]T, error) {
	if list == "" {
		return all, nil
	}
	var picked []T
	for _, want := range strings.Split(list, ",") {
		found := false
		for _, candidate := range all {
			if name(candidate) == want {
				picked, found = append(picked, candidate), true
			}
		}
		if !found {
			var names []string
			for _, candidate := range all {
				names = append(names, name(candidate))
			}
			return nil, fmt.Errorf("there is no %s %q; there are: %s", what, want, strings.Join(names, ", "))
		}
	}
	return picked, nil
}
