package main

import "slices"

// spread is what several turns have come to.
type spread struct{ median, least, most float64 }

// spreadOf returns the spread of values, of which there must be one at least.
func spreadOf(values []float64) spread {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	s := spread{median: sorted[middle], least: sorted[0], most: sorted[len(sorted)-1]}
	if len(sorted)%2 == 0 {
		s.median = (sorted[middle-1] + sorted[middle]) / 2
	}
	return s
}

// figures are those of one tool in one case. Void turns count for nothing.
type figures struct {
	tool  tool
	turns int
	// void is why turns are void, each reason once.
	void  []string
	voids int
	// rate in orders per second, first in seconds, memory in bytes, own and
	// chrome in seconds of CPU time for each order; without a good turn all are 0.
	rate, first, memory, own, chrome spread
	// portal is the share of a CPU core that the portal took, at most.
	portal float64
	how    string
}

// good reports whether there is a figure.
func (f figures) good() bool { return f.turns > f.voids }

// ownShare is the share of the tool's own process in the CPU time of the run.
func (f figures) ownShare() float64 {
	if f.own.median+f.chrome.median == 0 {
		return 0
	}
	return f.own.median / (f.own.median + f.chrome.median)
}

// figuresOf returns the figures of the tools that took part in a case.
func figuresOf(c benchCase, tools []tool, turns []turn) []figures {
	var all []figures
	for _, t := range tools {
		f := figures{tool: t}
		var rate, first, memory, own, chrome []float64
		for _, turn := range turns {
			if turn.Case != c.name || turn.Tool != t.name {
				continue
			}
			f.turns++
			if turn.Void != "" {
				f.voids++
				if !slices.Contains(f.void, turn.Void) {
					f.void = append(f.void, turn.Void)
				}
				continue
			}
			orders := float64(turn.Orders)
			rate, first, memory = append(rate, turn.rate()), append(first, turn.First), append(memory, float64(turn.Memory))
			own, chrome = append(own, turn.OwnCPU/orders), append(chrome, turn.Chrome/orders)
			f.portal, f.how = max(f.portal, turn.Portal/turn.Wall), turn.How
		}
		if f.good() {
			f.rate, f.first, f.memory = spreadOf(rate), spreadOf(first), spreadOf(memory)
			f.own, f.chrome = spreadOf(own), spreadOf(chrome)
		}
		if f.turns > 0 {
			all = append(all, f)
		}
	}
	return all
}

// bestPeer returns the fastest peer, or nil where there is none with a figure.
func bestPeer(all []figures) *figures {
	var fastest *figures
	for i, f := range all {
		if f.tool.kind == peer && f.good() && (fastest == nil || f.rate.median > fastest.rate.median) {
			fastest = &all[i]
		}
	}
	return fastest
}

// named returns the figures of a tool, or nil where it has none.
func named(all []figures, name string) *figures {
	for i, f := range all {
		if f.tool.name == name && f.good() {
			return &all[i]
		}
	}
	return nil
}

func megabytes(bytes float64) float64 { return bytes / (1 << 20) }

// quantile returns the value below which this share of the values is.
func quantile(values []float64, share float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	at := share * float64(len(sorted)-1)
	i := int(at)
	if i+1 == len(sorted) {
		return sorted[i]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}
