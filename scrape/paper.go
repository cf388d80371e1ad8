package scrape

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

//go:embed page/paper.js
var paperScript string

// paper is what a print of a page shows, as the page's own scripts leave it.
type paper struct {
	// Type is that of what the tab shows where it is no HTML page; Frames: it is made of frames alone.
	Type   string `json:"type"`
	Frames bool   `json:"frames"`
	// Text is all that can be read on it, Words are its words, and Main those that are not in menus, buttons
	// and the like.
	Text  string `json:"text"`
	Words string `json:"words"`
	Main  string `json:"main"`
	// Shown: what the recipe's shows meets is on it.
	Shown bool `json:"shown"`
	// Blank: it shows neither a text nor a picture.
	Blank bool `json:"blank"`
	// Cut names what cuts off a text that is on the page, Covered what covers one.
	Cut     string `json:"cut"`
	Covered string `json:"covered"`
	// Broken are the addresses of pictures that did not come, and Pictures those of backgrounds and frames,
	// of which Chrome alone knows. PDF names an element that holds a PDF, Empty a frame that shows nothing.
	Broken   []string `json:"broken"`
	Pictures []string `json:"pictures"`
	PDF      string   `json:"pdf"`
	Empty    string   `json:"empty"`
}

// paperWidth finds out how wide the paper is that the page asks for, without its margins, in CSS pixels.
const paperWidth = `(() => {
	const units = { px: 1, in: 96, cm: 96 / 2.54, mm: 96 / 25.4, pt: 4 / 3, pc: 16 };
	const pixels = (text) => parseFloat(text) * (units[text.replace(/[-\d.]+/, "")] ?? NaN);
	const sizes = { letter: "216mm 279mm", legal: "216mm 356mm", ledger: "279mm 432mm", a3: "297mm 420mm", a4: "210mm 297mm", a5: "148mm 210mm" };
	let size = "216mm 279mm", left = "0.4in", right = "0.4in";
	const visit = (rules) => {
		for (const rule of rules) {
			if (rule instanceof CSSMediaRule && /print|all/.test(rule.conditionText)) visit(rule.cssRules);
			if (!(rule instanceof CSSPageRule) || rule.selectorText) continue;
			size = rule.style.getPropertyValue("size") || size;
			left = rule.style.marginLeft || left;
			right = rule.style.marginRight || right;
		}
	};
	for (const sheet of document.styleSheets) {
		try {
			visit(sheet.cssRules);
		} catch {} // it is another host's
	}
	const turned = /landscape/.test(size);
	size = size.replace(/landscape|portrait|auto/g, "").trim() || "216mm 279mm";
	let [width, height = width] = (sizes[size.toLowerCase()] ?? size).split(/\s+/).map(pixels);
	if (turned) width = Math.max(width, height);
	return Math.round(width - pixels(left) - pixels(right)) || 739;
})()`

// shrinks is how much wider than paper a page may be: so far Chrome makes it smaller, and cuts off the rest.
const shrinks = 1.5

// paper looks at what the tab shows. Where width is not 0, it is as on paper of that width, and is also kept
// whenever it is printed from now on.
func (a *attempt) paper(ctx context.Context, width int) (p paper, err error) {
	shows := ""
	if docs := a.recipe().Attachments; docs != nil {
		shows = docs.Shows
	}
	err = a.browser.Tab().Inspect(ctx, fmt.Sprintf("%s({keep: %v, shows: %s, widest: %v})", withDOM(asExpression(paperScript)), width > 0, inScript(shows), shrinks*float64(width)), &p)
	return p, err
}

// kept returns what the tab showed each time that it was printed since it was to be kept: each other
// look once.
func (a *attempt) kept(ctx context.Context) (kept []paper, err error) {
	err = a.browser.Tab().Inspect(ctx, "[...globalThis.keptPrints.values()]", &kept)
	return kept, err
}

// flaw returns why a print of the paper is no document, or nil. problems are those of the page.
func (a *attempt) flaw(p paper) error {
	no := func(format string, args ...any) error {
		return tasks.Permanent("", tasks.ClassAttachment, format, args...)
	}
	switch {
	case p.Type != "":
		return no("only an HTML page is printed, and this is %s; a file is had by an item or a link", quoted(p.Type))
	case p.Frames:
		return no("the page is made of frames, which are not printed; the page in one of them may be the document, at its own address")
	case p.Blank:
		return tasks.Retry(tasks.ClassAttachment, "the page shows no text and no picture as it is printed, so its print would be blank")
	case p.Cut == "the page":
		return no("the page is wider than its paper, so a print of it would lack a part of its text")
	case p.Cut != "":
		return no("%s is smaller than the text in it, so a print of the page would lack a part of that", p.Cut)
	case p.Covered != "":
		return no("%s covers text of the page, so its print would lack that", p.Covered)
	case p.PDF != "":
		return no("%s shows a PDF, which is not in a print of the page; that file is the document (attachments.item)", p.PDF)
	case p.Empty != "":
		return tasks.Retry(tasks.ClassAttachment, "%s shows nothing, could not be loaded or cannot be looked into, so a print of the page would lack it", p.Empty)
	}
	return a.pictures(p)
}

// pictures returns which picture or frame lacks on the paper, or nil. What is not to be loaded may lack.
func (a *attempt) pictures(p paper) error {
	block := a.portal.recipe.Block
	broken := p.Broken
	for _, problem := range a.browser.Tab().Problems() {
		if problem.Kind == "network" && slices.ContainsFunc(p.Pictures, func(address string) bool { return browser.Redact(address) == problem.URL }) {
			broken = append(broken, problem.URL)
		}
	}
	for _, address := range broken {
		if u, err := browser.ParseURL(address); err != nil || !block.Images && !block.Blocks(u.Host) {
			return tasks.Retry(tasks.ClassAttachment, "a picture or frame of the page did not come, so its print would lack it: %s; if no print needs it, block its host (block.hosts)", browser.Redact(address))
		}
	}
	return nil
}

// fewWords is how many words a page may have of which most are not on paper.
const fewWords = 8

// lacks returns why too little of what the screen shows is on paper, or nil.
func (p paper) lacks(screen paper) error {
	on := map[string]int{}
	for _, word := range strings.Fields(p.Words) {
		on[word]++
	}
	all, gone := 0, 0
	for _, word := range strings.Fields(screen.Main) {
		if all++; on[word] == 0 {
			gone++
		} else {
			on[word]--
		}
	}
	if all >= fewWords && 2*gone > all {
		return tasks.Permanent("", tasks.ClassAttachment, "the page's styles for print hide %d of its %d words, so a print of it is not what the page shows", gone, all)
	}
	return nil
}

// changedOnPaper returns why what was printed is not the paper that was judged, or nil.
func (a *attempt) changedOnPaper(p paper, kept []paper) error {
	if len(kept) == 0 {
		return tasks.Retry(tasks.ClassAttachment, "the page's scripts keep others from learning that it is printed, so it is unclear what its print shows")
	}
	for _, k := range kept {
		if err := a.flaw(k); err != nil {
			return err
		}
		if strings.Join(strings.Fields(k.Text), " ") != strings.Join(strings.Fields(p.Text), " ") {
			return tasks.Retry(tasks.ClassAttachment, "the page's scripts change it as it is printed, so its print is not what was read")
		}
	}
	return nil
}

// numbersIn are the order numbers that a text shows.
type numbersIn struct {
	// Own: it shows the order's. Other is another order's, as far as that is known, or "".
	Own   bool   `json:"own"`
	Other string `json:"other"`
}

// numbersIn looks for order numbers in a text, as a page has to show them.
func (a *attempt) numbersIn(ctx context.Context, text string) (found numbersIn, err error) {
	others := []string{}
	if a.related != nil {
		others = append(others, a.related.others...)
	}
	err = a.browser.Tab().Inspect(ctx, call("numbersIn", a.words(), text, others), &found)
	return found, err
}
