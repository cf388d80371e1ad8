package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/poscrape/poscrape/bench/protocol"
)

// kind is what a tool's figures are there for.
type kind string

const (
	// ours is poscrape.
	ours kind = "ours"
	// peer is what poscrape is measured against.
	peer kind = "peer"
	// limit is a program that leaves out all that it can, to see what is left to win.
	limit kind = "limit"
)

// tool is something that brings orders home.
type tool struct {
	name, title string
	kind        kind
	// pace multiplies the orders that it gets, so that a fast tool does not
	// spend most of its run in starting.
	pace float64
	// settles: it finds out by itself when a page is complete, and waits no longer.
	settles bool
	// command returns the command line; see environment.
	command func(environment, protocol.Options) []string
	// reports: the results are in the report of poscrape's session, and not on
	// standard output.
	reports bool
	// only are the names of the cases that it takes part in; none means all.
	only []string
	// missing says why it cannot be measured here, or nothing.
	missing func(environment) string
}

// environment is where the programs are.
type environment struct {
	// poscrape is the program to measure, help what it prints about its flags.
	poscrape, help string
	// work is a directory of this run of the benchmark, with the built programs.
	work string
	// recipes is the directory of the recipes, node that of the tools for Node.js.
	recipes, node string
}

// tools is the table of all tools.
func tools() []tool {
	return []tool{
		poscrape("poscrape-render", "poscrape, render", 2.5, "render"),
		poscrape("poscrape-auto", "poscrape, auto", 25, "auto"),
		once(poscrape("poscrape-once", "poscrape, a browser for each order", 0.25, "render")),
		script("cluster-page", "puppeteer-cluster, pages", "cluster.js", "page"),
		script("cluster-context", "puppeteer-cluster, contexts", "cluster.js", "context"),
		script("cluster-browser", "puppeteer-cluster, browsers", "cluster.js", "browser"),
		script("crawlee-playwright", "Crawlee with Playwright", "crawlee-playwright.js", ""),
		script("crawlee-puppeteer", "Crawlee with Puppeteer", "crawlee-puppeteer.js", ""),
		program("chromedp-tabs", "chromedp, a tab for each order", peer, 1, "chromedp", "tabs"),
		program("chromedp-browsers", "chromedp, 4 browsers, a tab for each order", peer, 1, "chromedp", "browsers"),
		program("chromedp-reuse", "chromedp by hand, 4 browsers, tabs reused", limit, 2, "chromedp", "reuse"),
		inCases(program("loop-bare", "bare loop, one evaluation", limit, 2, "loop", "bare"), "server", "latency"),
		settling(program("loop-read", "bare loop, poscrape's reading", limit, 2, "loop", "read")),
	}
}

// poscrape is run as users run it.
func poscrape(name, title string, pace float64, mode string) tool {
	return tool{
		name: name, title: title, kind: ours, pace: pace, settles: true, reports: true,
		command: func(e environment, o protocol.Options) []string {
			line := []string{
				e.poscrape, "run", "--workers", fmt.Sprint(o.Workers), "--no-scale", "--no-progress", "--json", "-q",
				"--allow-local", "--chrome", o.Chrome, "--recipe", o.Recipe, "--out", o.Out,
			}
			if e.hasModes() {
				line = append(line, "--mode", mode)
			}
			return append(line, o.Sheet)
		},
		missing: func(e environment) string {
			if mode != "render" && !e.hasModes() {
				return "not there yet: this poscrape has no --mode"
			}
			return ""
		},
	}
}

// hasModes reports whether this poscrape can be told how to read pages.
func (e environment) hasModes() bool { return strings.Contains(e.help, "--mode ") }

// once has poscrape use each browser for one order.
func once(t tool) tool {
	command := t.command
	t.command = func(e environment, o protocol.Options) []string {
		line := command(e, o)
		return append(line[:2:2], append([]string{"--worker-lifetime", "once"}, line[2:]...)...)
	}
	return inCases(t, "server")
}

// script is a tool for Node.js.
func script(name, title, file, variant string) tool {
	return tool{
		name: name, title: title, kind: peer, pace: 1,
		command: func(e environment, o protocol.Options) []string {
			o.Variant = variant
			return append([]string{"node", filepath.Join(e.node, file)}, o.Args()...)
		},
		missing: func(e environment) string {
			if _, err := exec.LookPath("node"); err != nil {
				return "node is not installed: see make bench"
			}
			if _, err := os.Stat(filepath.Join(e.node, "node_modules")); errors.Is(err, fs.ErrNotExist) {
				return "it is not installed: see make bench"
			}
			return ""
		},
	}
}

// program is a Go program of this directory.
func program(name, title string, k kind, pace float64, dir, variant string) tool {
	return tool{
		name: name, title: title, kind: k, pace: pace,
		command: func(e environment, o protocol.Options) []string {
			o.Variant = variant
			return append([]string{filepath.Join(e.work, dir)}, o.Args()...)
		},
		missing: func(environment) string { return "" },
	}
}

// settling: it reads as poscrape does.
func settling(t tool) tool {
	t.settles = true
	return t
}

func inCases(t tool, names ...string) tool {
	t.only = names
	return t
}
