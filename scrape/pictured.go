package scrape

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/gallery"
)

// maxSource bounds the source that a page is kept from: scripts take most of some.
const maxSource = 4 * maxEvidenceHTML

// pageSource returns the page's source, what stands in its fields, and whether a password stands in
// one that a picture could show. It runs apart from the page's own scripts, and uses nothing that
// an element's name could stand in for.
var pageSource = fmt.Sprintf(`(() => {
	const root = Object.getOwnPropertyDescriptor(Document.prototype, "documentElement").get.call(document);
	if (!root) return { source: "", values: "", password: false };
	const values = [];
	let password = false;
	const visit = tree => {
		for (const el of tree.querySelectorAll("*")) {
			const name = el.localName;
			if (name === "textarea") values.push(el.value);
			if (name === "input" && el.type !== "hidden" && el.value) {
				values.push(el.value);
				const of = [el.name, el.id, el.getAttribute("autocomplete"), el.getAttribute("placeholder")].join(" ");
				if ((el.type === "password" || /passw|pwd/i.test(of)) && el.getClientRects().length > 0) password = true;
			}
			if (name === "iframe" || name === "frame") visit(el.contentDocument?.documentElement ?? document.createElement("p"));
			if (el.shadowRoot) visit(el.shadowRoot);
		}
	};
	visit(root);
	return { source: root.outerHTML.slice(0, %d), values: values.join("\n"), password };
})()`, maxSource)

// errRevealing: a picture of the page could show a secret.
var errRevealing = errors.New("a password could be seen in it")

// pictured returns the source of the page that the tab shows, and a picture of it, unless that could
// show a password: one in a field, whoever has filled it in, or one of the recipe's anywhere. It
// looks before and after, as pages change.
func (a *attempt) pictured(ctx context.Context, take func(context.Context) ([]byte, error)) (source string, picture []byte, err error) {
	source, err = a.revealing(ctx)
	if err != nil {
		return source, nil, err
	}
	picture, err = take(ctx)
	if err != nil {
		return source, nil, err
	}
	if _, err := a.revealing(ctx); err != nil {
		return source, nil, err
	}
	return source, picture, nil
}

// revealing returns the page's source, and errRevealing where a picture could show a password. Frames
// of other origins are looked into for fields alone; one that cannot be is taken to have one.
func (a *attempt) revealing(ctx context.Context) (source string, err error) {
	tab := a.browser.Tab()
	var page struct {
		Source, Values string
		Password       bool
	}
	if err := tab.EvaluateApart(ctx, fetchLibrary(), pageSource, &page); err != nil {
		return "", err
	}
	data := a.veil().data
	switch {
	case page.Source == "": // of a page without an element, no picture would ever come
		return "", errors.New("the page is empty")
	case page.Password, data.Replace(page.Source) != page.Source, data.Replace(page.Values) != page.Values:
		return page.Source, errRevealing
	}
	frames, err := tab.ForeignFrames(ctx, browser.Target{Selector: "input[type=password]"})
	if err != nil {
		return page.Source, err
	}
	for _, f := range frames {
		if f.Met > 0 || f.URL == "" {
			return page.Source, errRevealing
		}
	}
	return page.Source, nil
}

// show takes a picture of the page for who looks on, if somebody does. A page that shows a
// password is left out.
func (a *attempt) show(ctx context.Context) {
	g := a.places.Gallery
	if !a.owns() || ctx.Err() != nil || !g.Wants(a.task.Worker) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, gallery.AtMost)
	defer cancel()
	began := time.Now()
	a.keepPage(ctx, func(_ string, content []byte, err error) {
		if err == nil && len(content) > 0 {
			g.Hang(a.task.Worker, gallery.Shot{Order: a.task.Name(), At: time.Now(), PNG: content})
		}
	}, false)
	took := time.Since(began)
	g.Took(a.task.Worker, took)
	a.phaseMS["show"] += float64(took) / float64(time.Millisecond)
}
