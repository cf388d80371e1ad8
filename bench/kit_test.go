package main

import (
	"testing"

	"github.com/poscrape/poscrape/bench/protocol"
)

func toolNamed(t *testing.T, name string) tool {
	t.Helper()
	for _, tool := range tools() {
		if tool.name == name {
			return tool
		}
	}
	t.Fatalf("there is no tool %s", name)
	return tool{}
}

func optionsOf(sheet string) protocol.Options {
	return protocol.Options{Sheet: sheet, Workers: 4, Mode: protocol.ModeList}
}

// measured is a benchmark of one case with these turns.
func measured(turns ...turn) *benchmark {
	c := cases()[0]
	b := &benchmark{cases: []benchCase{c}, tools: tools(), missing: map[string]string{}}
	for _, t := range turns {
		t.Case = c.name
		b.turns = append(b.turns, t)
	}
	return b
}

// turnOf is a good turn at this rate, with a tenth of its CPU time its own.
func turnOf(tool string, rate float64) turn {
	return turn{Tool: tool, Orders: 100, Wall: 100 / rate, First: 0.5, OwnCPU: 1, Chrome: 9, Portal: 0.1, Memory: 300 << 20}
}
