package scrape

import (
	"fmt"

	"github.com/poscrape/poscrape/internal/jsondata"
	"github.com/poscrape/poscrape/internal/jsonfault"
)

// Pages carry data in their own script elements, as JSON alone, or as JSON that a script assigns:
//
//	<script id="__NEXT_DATA__" type="application/json">{...}</script>
//	<script>window.__DATA__ = {...}; window.__LINES__ = JSON.parse("[...]")</script>

// inScripts returns what stands in the script elements that a selector has met.
func (a *attempt) inScripts(p *page, selector string) *dataset {
	texts := p.Scripts[selector]
	set := &dataset{asked: len(texts) > 0, of: a.number()}
	if !set.asked {
		set.why = fmt.Sprintf("no script of the page met %q", selector)
	}
	for _, text := range texts {
		values := jsondata.InScript([]byte(text))
		if len(values) == 0 {
			set.doubt = fmt.Sprintf("a script that met %q holds no JSON", selector)
		}
		for _, value := range values {
			d := datum{value: value, from: p.URL, shown: anyScalar(value, a.names), fault: faultText(jsonfault.In(value, a.names))}
			if !d.shown {
				d.other = a.otherIn(value)
			}
			set.add(d)
		}
	}
	return set
}
