package portal

import (
	"bytes"
	"fmt"
	"math/rand/v2"
)

const (
	// vendorModules makes a script of about 120 KB, as a framework weighs.
	vendorModules = 330
	// messageCount makes a script of about 45 KB, as the texts of one language weigh.
	messageCount = 620
)

// generator returns the random numbers of a generated asset.
func generator(asset uint64) *rand.Rand { return rand.New(rand.NewPCG(2026, asset)) }

// vendorScript is a framework's worth of modules. They are all run, and fill
// tables, as modules do when they are loaded.
func vendorScript() []byte {
	rng := generator(1)
	var b bytes.Buffer
	b.WriteString(`(function(w){"use strict";var m={},o=[];w.portal={define:function(n,f){o.push([n,f])},` +
		`require:function(n){return m[n]},boot:function(){o.forEach(function(e){var x={};e[1](x,w.portal.require);m[e[0]]=x});return o.length},` +
		"messages:function(t){m.messages=t}};})(window);\n")
	for i := range vendorModules {
		fmt.Fprintf(&b, "portal.define(%d,function(e,t){var a=[", i)
		for j := range 28 {
			if j > 0 {
				b.WriteByte(',')
			}
			fmt.Fprint(&b, rng.IntN(1<<16))
		}
		fmt.Fprintf(&b, "],k={};for(var i=0;i<a.length;i++)k[a[i]%%%d]=(a[i]*%d+i)%%%d;e.id=%q;"+
			"e.pick=function(n){return k[n%%%d]||0};e.sort=function(){return a.slice().sort(function(x,y){return x-y})};e.top=e.sort()[0]});\n",
			61+rng.IntN(90), 3+rng.IntN(60), 907+rng.IntN(90), fmt.Sprintf("vendor/module-%03d", i), 61+rng.IntN(90))
	}
	b.WriteString("portal.boot();\n")
	return b.Bytes()
}

// messagesScript is the catalogue of the portal's texts, as scripts hold it.
func messagesScript() []byte {
	words := []string{
		"order", "line", "supplier", "amount", "change", "approval", "delivery", "quantity", "item",
		"the", "a", "this", "for", "was", "will be", "cannot be", "confirmed", "updated", "closed", "selected",
	}
	rng := generator(2)
	var b bytes.Buffer
	b.WriteString("portal.messages({\n")
	for i := range messageCount {
		fmt.Fprintf(&b, "\"ui.%s.%d\":\"", pick(rng, words[:9]), i)
		for j := range 6 + rng.IntN(6) {
			if j > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(pick(rng, words))
		}
		b.WriteString("\",\n")
	}
	b.WriteString("});\n")
	return b.Bytes()
}

// themeStyle is a design system's utility classes, of which pages use few, for
// each width of screen. It weighs about 60 KB.
func themeStyle() []byte {
	properties := [][2]string{
		{"m", "margin"}, {"mt", "margin-top"}, {"mb", "margin-bottom"}, {"ml", "margin-left"}, {"mr", "margin-right"},
		{"p", "padding"}, {"pt", "padding-top"}, {"pb", "padding-bottom"}, {"pl", "padding-left"}, {"pr", "padding-right"},
		{"g", "gap"}, {"w", "width"}, {"h", "height"}, {"t", "top"}, {"r", "border-radius"},
	}
	var b bytes.Buffer
	for _, screen := range []struct {
		name  string
		width int
	}{{"", 0}, {"sm-", 640}, {"md-", 768}, {"lg-", 1024}, {"xl-", 1440}} {
		fmt.Fprintf(&b, "@media (min-width:%dpx){\n", screen.width)
		for _, p := range properties {
			for step := range 30 {
				fmt.Fprintf(&b, ".u-%s%s-%d{%s:%gpx}\n", screen.name, p[0], step, p[1], float64(step)*2.5)
			}
		}
		b.WriteString("}\n")
	}
	return b.Bytes()
}
