package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/poscrape/poscrape/internal/portal"
)

// pairCommand makes this program compare two builds of poscrape.
const pairCommand = "pair"

// pairSettings are the flags of the comparison.
type pairSettings struct {
	base, cases, chrome     string
	rounds, workers         int
	quick, allowDifferences bool
}

// pairCase is what both builds do at the same time.
type pairCase struct {
	name   string
	orders int
	// recipe is a file of bench/recipes; without one it is the built-in recipe.
	recipe, mode string
	portal       portal.BenchConfig
}

// pairCases is the table of all cases of the comparison. Each run takes some ten
// seconds where two builds share two processors.
func pairCases() []pairCase {
	const kilobyte = 1000
	served := portal.BenchConfig{Documents: 2, DocumentSize: 100 * kilobyte}
	mounted := portal.BenchConfig{Documents: 2, DocumentSize: 100 * kilobyte, Mount: mount}
	empty := portal.BenchConfig{Documents: 2, DocumentSize: 5 * kilobyte, Empty: true, Mount: mount, Late: late, LateEvery: 10}
	return []pairCase{
		{"rendered", 100, "list.yaml", "render", served},
		{"fetched", 600, "list.yaml", "auto", served},
		{"late", 80, "documents.yaml", "auto", mounted},
		{"none", 100, "documents.yaml", "auto", empty},
		{"no recipe", 80, "", "auto", served},
	}
}

// build is one of the two programs.
type build struct{ name, program string }

// pairRun is what one run of a build has come to.
type pairRun struct {
	cpu     time.Duration
	results map[string]pairResult
}

// pairing compares two builds.
type pairing struct {
	settings pairSettings
	work     string
	chrome   string
	// builds are the base and the working tree.
	builds  [2]build
	account account
}

func parsePair(args []string) (pairSettings, error) {
	s := pairSettings{}
	f := flag.NewFlagSet("bench pair", flag.ContinueOnError)
	f.StringVar(&s.base, "base", "", "the commit that the working tree is compared with")
	f.StringVar(&s.cases, "cases", "", "the cases, by name with commas between (default: all)")
	f.StringVar(&s.chrome, "chrome", "", "the Chrome that both use (default: the one that poscrape finds)")
	f.IntVar(&s.rounds, "rounds", 6, "how many rounds of two pairs, of which either build is started first in one")
	f.IntVar(&s.workers, "workers", 2, "how many orders each build works on at once")
	f.BoolVar(&s.quick, "quick", false, "12 orders in one round: shows that it works, and measures nothing")
	f.BoolVar(&s.allowDifferences, "allow-differences", false, "do not fail where the two builds bring home different results")
	if err := f.Parse(args); err != nil {
		return s, err
	}
	if s.quick {
		s.rounds = 1
	}
	switch {
	case f.NArg() > 0:
		return s, fmt.Errorf("%q is no flag: see --help", f.Arg(0))
	case s.base == "":
		return s, errors.New("--base is missing: name the commit to compare with, as in make bench-pair BASE=HEAD~1")
	case s.rounds < 1 || s.workers < 1 || s.workers > 8:
		return s, errors.New("--rounds must be at least 1, and --workers 1 to 8")
	}
	return s, nil
}

// runPair builds both programs, and compares them case by case.
func runPair(ctx context.Context, s pairSettings) (err error) {
	all, err := chosen(pairCases(), s.cases, "case", func(c pairCase) string { return c.name })
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "poscrape-pair-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	// Chrome may run as another user, who has to get to its profile.
	if err := os.Chmod(work, 0o755); err != nil {
		return err
	}
	p := &pairing{settings: s, work: work, chrome: s.chrome}
	if p.builds, err = buildBoth(ctx, s.base, work); err != nil {
		return err
	}
	if p.account, err = newAccount(ctx); err != nil {
		return err
	}
	fmt.Printf("%s against %s, both at once; CPU time by %s\n\n", p.builds[1].name, p.builds[0].name, p.account)
	differ := 0
	for _, c := range all {
		if s.quick {
			c.orders = 12
		}
		n, err := p.compare(ctx, c)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		differ += n
	}
	if differ > 0 && !s.allowDifferences {
		return errors.New("the results differ: with --allow-differences that is no error")
	}
	return nil
}

// buildBoth builds the base, from a worktree that is removed again, and the working tree.
func buildBoth(ctx context.Context, base, work string) (builds [2]build, err error) {
	commit, err := said(ctx, ".", "git", "rev-parse", "--short", "--verify", base+"^{commit}")
	if err != nil {
		return builds, err
	}
	tree, err := said(ctx, ".", "git", "describe", "--always", "--dirty")
	if err != nil {
		return builds, err
	}
	builds = [2]build{{commit, filepath.Join(work, "base")}, {"the working tree (" + tree + ")", filepath.Join(work, "tree")}}
	source := filepath.Join(work, "source")
	if _, err := said(ctx, ".", "git", "worktree", "add", "--detach", source, commit); err != nil {
		return builds, err
	}
	defer func() {
		_, removeErr := said(context.WithoutCancel(ctx), ".", "git", "worktree", "remove", "--force", source)
		err = errors.Join(err, removeErr)
	}()
	if _, err := said(ctx, source, "go", "build", "-o", builds[0].program, "./cmd/poscrape"); err != nil {
		return builds, err
	}
	_, err = said(ctx, ".", "go", "build", "-o", builds[1].program, "./cmd/poscrape")
	return builds, err
}

// said runs a command in a directory, and returns what it says.
func said(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	text := strings.TrimSpace(string(out))
	if err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, text)
	}
	return text, nil
}

// compare runs both builds in all rounds of a case, tells what that has come to, and
// returns in how many orders their results differ.
func (p *pairing) compare(ctx context.Context, c pairCase) (differ int, err error) {
	c.portal.Orders = c.orders
	served, err := startPortal(c.portal)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, served.close()) }()
	var cpu [2][]float64
	var ratios []float64
	different := differences{}
	outcomes := ""
	for i := range 2 * p.settings.rounds {
		runs, err := p.runBoth(ctx, c, served, i%2)
		if err != nil {
			return 0, err
		}
		for side, run := range runs {
			cpu[side] = append(cpu[side], run.cpu.Seconds()*1000/float64(c.orders))
		}
		ratios = append(ratios, runs[1].cpu.Seconds()/runs[0].cpu.Seconds())
		different.add(runs[0].results, runs[1].results)
		outcomes = outcomesOf(runs[1].results)
	}
	fmt.Printf("%-10s %.1f ms/order, base %.1f: ratio %.3f (%.3f to %.3f in %d pairs); %s; %s\n", c.name,
		spreadOf(cpu[1]).median, spreadOf(cpu[0]).median, spreadOf(ratios).median,
		quantile(ratios, 0.1), quantile(ratios, 0.9), len(ratios), outcomes, different)
	return len(different), nil
}

// runBoth runs both builds at the same time, one of them started first.
func (p *pairing) runBoth(ctx context.Context, c pairCase, served *portalProcess, first int) (runs [2]pairRun, err error) {
	group, ctx := errgroup.WithContext(ctx)
	for _, side := range []int{first, 1 - first} {
		started := make(chan struct{})
		group.Go(func() error {
			var err error
			if runs[side], err = p.run(ctx, c, served, side, started); err != nil {
				return fmt.Errorf("%s: %w", p.builds[side].name, err)
			}
			return nil
		})
		<-started
	}
	return runs, group.Wait()
}

// run runs one build; started is closed when its process is there, or cannot be.
func (p *pairing) run(ctx context.Context, c pairCase, served *portalProcess, side int, started chan<- struct{}) (done pairRun, err error) {
	begun := func() { close(started) }
	defer func() {
		if begun != nil {
			begun()
		}
	}()
	place, err := os.MkdirTemp(p.work, "run-")
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(place)) }()
	sheet, out, temporary := filepath.Join(place, "orders.csv"), filepath.Join(place, "out"), filepath.Join(place, "tmp")
	if err := errors.Join(os.Chmod(place, 0o755), os.Mkdir(temporary, 0o755), writeSheet(sheet, served.sheet(c.orders))); err != nil {
		return done, err
	}
	cmd, sum, err := p.account.command(ctx, p.builds[side].program, p.line(c, sheet, out))
	if err != nil {
		return done, err
	}
	cmd.Dir, cmd.Env = place, append(os.Environ(), "TMPDIR="+temporary)
	complaint := &tail{}
	cmd.Stderr = complaint
	if err := cmd.Start(); err != nil {
		return done, err
	}
	begun()
	begun = nil
	err = cmd.Wait()
	used, sumErr := sum()
	if err != nil {
		return done, errors.Join(fmt.Errorf("%w: %s", err, complaint), sumErr)
	}
	done.cpu = used
	done.results, err = readResults(out)
	return done, errors.Join(err, sumErr)
}

// line are the arguments of poscrape.
func (p *pairing) line(c pairCase, sheet, out string) []string {
	line := []string{
		"run", "--workers", fmt.Sprint(p.settings.workers), "--no-scale", "--no-progress", "--json", "-q",
		"--allow-local", "--mode", c.mode, "--out", out,
	}
	if p.chrome != "" {
		line = append(line, "--chrome", p.chrome)
	}
	if c.recipe == "" {
		return append(line, sheet)
	}
	recipe, err := filepath.Abs(filepath.Join("bench", "recipes", c.recipe))
	if err != nil {
		recipe = c.recipe
	}
	return append(line, "--recipe", recipe, sheet)
}
