package main

import (
	"fmt"
	"html"
	"strings"
)

// The chart's measures, in pixels.
const (
	chartWidth  = 860
	labelWidth  = 310
	barHeight   = 16
	barGap      = 6
	titleHeight = 40
	// valueWidth is kept free behind the longest bar.
	valueWidth = 70
)

// chartStyle is readable on light and on dark pages.
const chartStyle = `<style>
text { font: 13px system-ui, sans-serif; fill: #24292f; }
.title { font-weight: 600; font-size: 15px; }
.ours { fill: #1f6feb; } .peer { fill: #8c959f; } .limit { fill: #c9b458; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .ours { fill: #58a6ff; } .peer { fill: #6e7681; } .limit { fill: #9e8a3a; }
}
</style>
`

// chart returns an SVG picture: for each case the tools' orders per second, each
// case on its own scale.
func (b *benchmark) chart() string {
	var body strings.Builder
	y := 0
	for _, c := range b.cases {
		all := figuresOf(c, b.tools, b.turns)
		most := 0.0
		for _, f := range all {
			most = max(most, f.rate.median)
		}
		if most == 0 {
			continue
		}
		fmt.Fprintf(&body, `<text class="title" x="0" y="%d">%s: orders per second</text>`+"\n", y+titleHeight-14, html.EscapeString(c.title))
		y += titleHeight
		for _, f := range all {
			y = bar(&body, f, y, most)
		}
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img">`+"\n", chartWidth, y+barGap) +
		chartStyle + body.String() + "</svg>\n"
}

// bar draws a tool's bar and returns where the next one begins. A tool without
// a figure has no bar.
func bar(to *strings.Builder, f figures, y int, most float64) int {
	value, width := "void", 0.0
	if f.good() {
		value = number(f.rate.median)
		width = f.rate.median / most * (chartWidth - labelWidth - valueWidth)
	}
	base := y + barHeight - 3
	fmt.Fprintf(to, `<text x="0" y="%d">%s</text><rect class="%s" x="%d" y="%d" width="%.1f" height="%d" rx="2"/><text x="%.1f" y="%d">%s</text>`+"\n",
		base, html.EscapeString(f.tool.title), f.tool.kind, labelWidth, y, width, barHeight, labelWidth+width+6, base, value)
	return y + barHeight + barGap
}
