package scrape

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"unicode"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

//go:embed page/paper.js
var paperScript string

// paper is what a print of a page shows, as the page's own scripts leave it.
type paper struct {
	// Type is that of what the tab shows where it is no HTML page.
	Type string `json:"type"`
	Text string `json:"text"`
	// Blank: it shows neither a text nor a picture.
	Blank bool `json:"blank"`
	// Scrolls names a box of whose text only a part is in sight, and so on paper.
	Scrolls string `json:"scrolls"`
	// Broken are the addresses of pictures that did not come, PDF names an element that holds a PDF.
	Broken []string `json:"broken"`
	PDF    string   `json:"pdf"`
}

// paper looks at what the tab shows. Where keep is true, it is also kept whenever it is printed from now on.
func (a *attempt) paper(ctx context.Context, keep bool) (p paper, err error) {
	argument := "(false)"
	if keep {
		argument = "(true)"
	}
	err = a.browser.Tab().Inspect(ctx, asExpression(paperScript)+argument, &p)
	return p, err
}

// kept returns what the tab showed each time that it was printed since it was to be kept: each other
// look once.
func (a *attempt) kept(ctx context.Context) (kept []paper, err error) {
	err = a.browser.Tab().Inspect(ctx, "[...globalThis.keptPrints.values()]", &kept)
	return kept, err
}

// flaw returns why a print of the paper is no document, or nil. Pictures that are not to be loaded may
// lack.
func (p paper) flaw(block Block) error {
	switch {
	case p.Type != "":
		return tasks.Permanent("", tasks.ClassAttachment, "only an HTML page is printed, and this is %s; a file is had by an item or a link", quoted(p.Type))
	case p.Blank:
		return tasks.Retry(tasks.ClassAttachment, "the page shows no text and no picture as it is printed, so its print would be blank")
	case p.Scrolls != "":
		return tasks.Permanent("", tasks.ClassAttachment, "%s scrolls in itself, so a print of the page would lack a part of its text", p.Scrolls)
	case p.PDF != "":
		return tasks.Permanent("", tasks.ClassAttachment, "%s shows a PDF, which is not in a print of the page; that file is the document (attachments.item)", p.PDF)
	case block.Images:
		return nil
	}
	for _, address := range p.Broken {
		if u, err := url.Parse(address); err != nil || !block.Blocks(u.Host) {
			return tasks.Retry(tasks.ClassAttachment, "a picture of the page did not come, so its print would lack it: %s; if no print needs it, block its host (block.hosts)", browser.Redact(address))
		}
	}
	return nil
}

// changedOnPaper returns why what was printed is not the paper that was judged, or nil.
func (p paper) changedOnPaper(kept []paper, block Block) error {
	if len(kept) == 0 {
		return tasks.Retry(tasks.ClassAttachment, "the page's scripts keep others from learning that it is printed, so it is unclear what its print shows")
	}
	for _, k := range kept {
		if err := k.flaw(block); err != nil {
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
	words, err := json.Marshal(readerRule(a.recipe(), a.task.PO, a.task.Digits))
	if err == nil {
		err = a.browser.Tab().Inspect(ctx, fmt.Sprintf("poscrape.numbersIn(%s, %s, %s)", words, inScript(text), inScript(others)), &found)
	}
	return found, err
}

var digitRuns = regexp.MustCompile(`\d+`)

// sameForm returns another number that stands in a text in the form of an order's: its letters and signs, and as
// many digits. It returns "" where there is none, or where the number has no letters, and so no form of its own.
func sameForm(text, number string) string {
	if !strings.ContainsFunc(number, unicode.IsLetter) || !digitRuns.MatchString(number) {
		return ""
	}
	form := digitRuns.ReplaceAllStringFunc(regexp.QuoteMeta(number), func(run string) string {
		return fmt.Sprintf(`\d{%d}`, len(run))
	})
	alone := regexp.MustCompile(`(?i)(?:^|[^\pL\pN])(` + form + `)(?:$|[^\pL\pN])`)
	for _, found := range alone.FindAllStringSubmatch(text, -1) {
		if !strings.EqualFold(found[1], number) {
			return found[1]
		}
	}
	return ""
}
