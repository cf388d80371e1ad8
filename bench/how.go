package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// how says how it was measured.
func (b *benchmark) how() string {
	m := b.machine
	var versions []string
	for _, name := range slices.Sorted(maps.Keys(m.Versions)) {
		versions = append(versions, name+" "+m.Versions[name])
	}
	var out strings.Builder
	out.WriteString("\n### How it was measured\n\n")
	for _, line := range []string{
		fmt.Sprintf("On %s, %d cores (%s), %s of memory, %s; load before: %s.", m.Date, m.Cores, m.CPU, m.Memory, m.System, m.Load),
		fmt.Sprintf("With %s for all tools, %s, built with %s; Node.js %s.", m.Chrome, m.Poscrape, m.Go, m.Node),
		"Against " + strings.Join(versions, ", ") + ".",
		fmt.Sprintf("Rounds: %s, in each of which every tool has its turn, beginning with another one. Workers: %d.", b.rounds(), b.settings.workers),
		"Orders in a turn: " + b.counts() + ".",
		fmt.Sprintf("The portal, a process of its own, took at most %.0f %% of one core.", 100*b.portalShare()),
		"A turn counts only if each field and each document is what the portal has shown; `bench/README.md` says more.",
	} {
		out.WriteString("- " + line + "\n")
	}
	return out.String()
}

// rounds says how many there were, of one case or another.
func (b *benchmark) rounds() string {
	last := map[string]int{}
	for _, t := range b.turns {
		last[t.Case] = max(last[t.Case], t.Round)
	}
	all := slices.Sorted(maps.Values(last))
	switch n := len(all); {
	case n == 0:
		return "0"
	case all[0] != all[n-1]:
		return fmt.Sprintf("%d to %d", all[0], all[n-1])
	default:
		return fmt.Sprint(all[0])
	}
}

// counts says how many orders a turn had, by case.
func (b *benchmark) counts() string {
	var parts []string
	for _, c := range b.cases {
		least, most := 0, 0
		for _, t := range b.turns {
			if t.Case != c.name {
				continue
			}
			if least == 0 || t.Orders < least {
				least = t.Orders
			}
			most = max(most, t.Orders)
		}
		if most > 0 {
			parts = append(parts, fmt.Sprintf("%s %d to %d", strings.ToLower(c.title[:1])+c.title[1:], least, most))
		}
	}
	return strings.Join(parts, ", ") + ", the more the faster the tool"
}

// portalShare is the highest share of a core that the portal took in a turn.
func (b *benchmark) portalShare() float64 {
	highest := 0.0
	for _, c := range b.cases {
		for _, f := range figuresOf(c, b.tools, b.turns) {
			highest = max(highest, f.portal)
		}
	}
	return highest
}
