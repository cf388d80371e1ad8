package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// benchmark is one run of the whole.
type benchmark struct {
	settings settings
	env      environment
	machine  machine
	cases    []benchCase
	tools    []tool
	turns    []turn
	// missing says of tools why they were not measured.
	missing map[string]string
}

// run measures what is asked for, and tells it.
func run(ctx context.Context, s settings) (err error) {
	b := &benchmark{settings: s, missing: map[string]string{}}
	if b.cases, err = chosen(cases(), s.cases, "case", func(c benchCase) string { return c.name }); err != nil {
		return err
	}
	if b.tools, err = chosen(tools(), s.tools, "tool", func(t tool) string { return t.name }); err != nil {
		return err
	}
	if err := adoptOrphans(); err != nil {
		return err
	}
	if b.env, err = prepare(ctx, s); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.env.work)) }()
	if b.machine, err = lookAround(ctx, s, b.env); err != nil {
		return err
	}
	for _, t := range b.tools {
		if why := t.missing(b.env); why != "" {
			b.missing[t.name] = why
			fmt.Fprintf(os.Stderr, "%-19s %s\n", t.name, why)
		}
	}
	asked := b.cases
	if s.keep {
		if err := b.keep(s.results); err != nil {
			return err
		}
	}
	for _, c := range asked {
		if err := b.measureCase(ctx, c); err != nil {
			return err
		}
	}
	return b.tell()
}

// prepare finds what is measured, and builds the programs of this directory.
func prepare(ctx context.Context, s settings) (e environment, err error) {
	root, err := filepath.Abs(".")
	if err != nil {
		return e, err
	}
	if _, err := os.Stat(filepath.Join(root, "bench", "recipes")); err != nil {
		return e, errors.New("run it in the directory of the project: go run ./bench")
	}
	e.recipes, e.node = filepath.Join(root, "bench", "recipes"), filepath.Join(root, "bench", "node")
	if e.poscrape, err = filepath.Abs(s.poscrape); err != nil {
		return e, err
	}
	help, err := exec.CommandContext(ctx, e.poscrape, "run", "--help").Output()
	if err != nil {
		return e, fmt.Errorf("there is no poscrape to measure: %w; build it with make build, or name one with --poscrape", err)
	}
	e.help = string(help)
	if e.work, err = os.MkdirTemp("", "poscrape-bench-"); err != nil {
		return e, err
	}
	// Chrome may run as another user, who has to get to its profile.
	err = os.Chmod(e.work, 0o755)
	if err == nil {
		var said []byte
		said, err = exec.CommandContext(ctx, "go", "build", "-o", e.work, "./bench/chromedp", "./bench/loop").CombinedOutput()
		if err != nil {
			err = fmt.Errorf("building the programs: %w: %s", err, strings.TrimSpace(string(said)))
		}
	}
	if err != nil {
		err = errors.Join(err, os.RemoveAll(e.work))
	}
	return e, err
}

// measureCase gives each tool its turn in each round. Every round begins with
// another tool, so that none always follows the same one.
func (b *benchmark) measureCase(ctx context.Context, c benchCase) (err error) {
	var part []tool
	most := 0
	for _, t := range b.tools {
		if t.takesPart(c) && b.missing[t.name] == "" {
			part = append(part, t)
			most = max(most, c.orders(b.settings.orders, b.settings.workers, t))
		}
	}
	if len(part) == 0 {
		return nil
	}
	c.portal.Orders = most
	p, err := startPortal(c.portal)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	for round := range b.settings.rounds {
		for i := range part {
			t := part[(i+round)%len(part)]
			done, err := b.take(ctx, c, t, p, round+1)
			if err != nil {
				return err
			}
			b.turns = append(b.turns, done)
			done.show()
		}
	}
	return nil
}

// show writes a line for whoever waits.
func (t turn) show() {
	if t.Void != "" {
		fmt.Fprintf(os.Stderr, "%-9s %d  %-19s void: %s\n", t.Case, t.Round, t.Tool, t.Void)
		return
	}
	fmt.Fprintf(os.Stderr, "%-9s %d  %-19s %6.1f orders/s, %4d orders in %5.1f s, the first after %4.1f s, %5.0f MB  %s\n",
		t.Case, t.Round, t.Tool, t.rate(), t.Orders, t.Wall, t.First, megabytes(float64(t.Memory)), t.How)
}

// tell writes the tables, and all figures.
func (b *benchmark) tell() error {
	figures, err := json.MarshalIndent(measurement{b.machine, b.turns, b.missing}, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(b.settings.results, append(figures, '\n'), 0o644); err != nil {
		return err
	}
	text := b.text()
	fmt.Print(text)
	if !b.settings.write {
		return nil
	}
	if err := os.WriteFile(chartFile, []byte(b.chart()), 0o644); err != nil {
		return err
	}
	return replaceBetweenMarkers(documentFile, text+"\n![Orders per second of each tool in each case](performance.svg)\n")
}
