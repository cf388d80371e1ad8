package main

import (
	"fmt"
	"strings"
)

// text returns all tables and how they were measured, in Markdown.
func (b *benchmark) text() string {
	var out strings.Builder
	out.WriteString(b.summary())
	for _, c := range b.cases {
		if all := figuresOf(c, b.tools, b.turns); len(all) > 0 {
			fmt.Fprintf(&out, "\n### %s\n\n%s\n\n%s", c.title, c.about, table(all))
		}
	}
	out.WriteString(b.reuse())
	if len(b.missing) > 0 {
		out.WriteString("\n### Not measured\n\n")
		for _, t := range b.tools {
			if why := b.missing[t.name]; why != "" {
				fmt.Fprintf(&out, "- %s: %s\n", t.title, why)
			}
		}
	}
	out.WriteString(b.how())
	return out.String()
}

// summary compares poscrape with the best peer of each case.
func (b *benchmark) summary() string {
	var out strings.Builder
	out.WriteString("### In short\n\nOrders per second; × says how many times the best peer's.\n\n" +
		"| case | best peer | poscrape, render | poscrape, auto | chromedp by hand |\n|---|---|---|---|---|\n")
	for _, c := range b.cases {
		all := figuresOf(c, b.tools, b.turns)
		against := bestPeer(all)
		if len(all) == 0 {
			continue
		}
		name := "-"
		if against != nil {
			name = fmt.Sprintf("%s: %s", against.tool.title, number(against.rate.median))
		}
		fmt.Fprintf(&out, "| %s | %s |", c.title, name)
		for _, tool := range []string{"poscrape-render", "poscrape-auto", "chromedp-reuse"} {
			fmt.Fprintf(&out, " %s |", compared(named(all, tool), against))
		}
		out.WriteString("\n")
	}
	return out.String()
}

// compared writes a rate and how many times the other's it is.
func compared(f, against *figures) string {
	switch {
	case f == nil:
		return "-"
	case against == nil:
		return number(f.rate.median)
	}
	return fmt.Sprintf("%s, × %s", number(f.rate.median), number(f.rate.median/against.rate.median))
}

// table returns the figures of a case.
func table(all []figures) string {
	var out strings.Builder
	out.WriteString("| tool | orders/s: median [min..max] | × best peer | first order | memory | CPU for each order | of that its own |\n" +
		"|---|---|---|---|---|---|---|\n")
	against := bestPeer(all)
	var notes []string
	for _, f := range all {
		title := f.tool.title
		if f.tool.kind == ours {
			title = "**" + title + "**"
		}
		if f.voids > 0 {
			notes = append(notes, fmt.Sprintf("%s: %d of %d turns are void: %s",
				f.tool.title, f.voids, f.turns, cell(strings.Join(f.void, "; "))))
		}
		if f.how != "" {
			notes = append(notes, f.tool.title+": "+f.how)
		}
		if !f.good() {
			fmt.Fprintf(&out, "| %s | void | | | | | |\n", title)
			continue
		}
		ratio := "-"
		if against != nil {
			ratio = number(f.rate.median / against.rate.median)
		}
		memory := "-"
		if f.memory.median > 0 {
			memory = fmt.Sprintf("%.0f MB", megabytes(f.memory.median))
		}
		fmt.Fprintf(&out, "| %s | %s [%s..%s] | %s | %.2f s | %s | %.0f ms | %.1f %% |\n",
			title, number(f.rate.median), number(f.rate.least), number(f.rate.most), ratio,
			f.first.median, memory, 1000*(f.own.median+f.chrome.median), 100*f.ownShare())
	}
	for i, note := range notes {
		if i == 0 {
			out.WriteString("\n")
		}
		out.WriteString("- " + note + "\n")
	}
	return out.String()
}

// reuse compares poscrape's two lifetimes of a worker.
func (b *benchmark) reuse() string {
	var out strings.Builder
	for _, c := range b.cases {
		all := figuresOf(c, b.tools, b.turns)
		kept, fresh := named(all, "poscrape-render"), named(all, "poscrape-once")
		if kept == nil || fresh == nil {
			continue
		}
		fmt.Fprintf(&out, "\n### A browser for many orders, or for one: %s\n\n"+
			"| --worker-lifetime | time for each order | memory | CPU for each order |\n|---|---|---|---|\n", c.title)
		for _, f := range []*figures{kept, fresh} {
			name := "reuse"
			if f == fresh {
				name = "once"
			}
			fmt.Fprintf(&out, "| %s | %.0f ms | %.0f MB | %.0f ms |\n", name, 1000/f.rate.median,
				megabytes(f.memory.median), 1000*(f.own.median+f.chrome.median))
		}
	}
	return out.String()
}

// number writes three digits or so.
func number(n float64) string {
	switch {
	case n >= 99.95:
		return fmt.Sprintf("%.0f", n)
	case n >= 9.995:
		return fmt.Sprintf("%.1f", n)
	}
	return fmt.Sprintf("%.2f", n)
}

// cell takes out of a text what would break a line of Markdown.
func cell(text string) string {
	return strings.NewReplacer("|", "/", "\n", " ", "<", "&lt;").Replace(text)
}
