// Package scrub makes a page harmless that is kept: nothing in it runs or is loaded, and no secret stands in it.
package scrub

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/poscrape/poscrape/browser"
)

// scrubHead opens every page that is kept as evidence. Its policy is a second wall:
// nothing that the scrubbing has let through would be run or loaded.
const scrubHead = `<!doctype html>
<html><head><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'">` +
	`<meta charset="utf-8">
`

// Page returns a page that shows what another did, runs no script, loads nothing
// when it is opened, and holds no secrets as far as their names tell. What is not known
// to be harmless is left out; an element or attribute that is not listed here keeps its
// name only as a remark. It ends after some most bytes.
func Page(source string, most int) []byte {
	out := bytes.NewBufferString(scrubHead)
	page, err := html.Parse(strings.NewReader(source))
	if err != nil {
		return out.Bytes()
	}
	left := most
	scrubWithin(page, false, &left)
	for part := range page.Descendants() {
		if part.Data != "head" && part.Parent.Data == "html" || part.Parent.Data == "head" {
			_ = html.Render(out, part) // a buffer takes all, and what was parsed can be rendered
		}
	}
	return out.Bytes()
}

// scrubWithin scrubs what is in an element. secret: its text is one. left is how much more is kept.
func scrubWithin(parent *html.Node, secret bool, left *int) {
	for n := range slices.Values(slices.Collect(parent.ChildNodes())) {
		*left -= len(n.Data)
		switch {
		case *left < 0, n.Type != html.TextNode && n.Type != html.ElementNode, droppedElements[n.Data] || n.Namespace != "":
			parent.RemoveChild(n)
		case n.Type == html.ElementNode:
			scrubElement(n, left)
		case parent.Data == "style":
			n.Data = scrubStyle(n.Data)
		case secret && strings.TrimSpace(n.Data) != "":
			n.Data = "redacted"
		default:
			n.Data = browser.RedactText(n.Data)
		}
	}
}

func scrubElement(n *html.Node, left *int) {
	secret, unseen := holdsSecret(n), isUnseen(n)
	tag, attributes := n.Data, n.Attr
	n.Attr = nil
	if known := keptElements[tag] || structure[tag] || customElement.MatchString(tag); !known {
		n.Data, n.DataAtom = "div", atom.Div
		n.Attr = []html.Attribute{{Key: "data-was", Val: tag}}
	}
	if tag == "template" {
		n.Attr = append(n.Attr, html.Attribute{Key: "hidden"})
	}
	for _, a := range attributes {
		if plainName.MatchString(a.Key) && !strings.HasPrefix(a.Key, "on") && a.Key != "nonce" && a.Key != "srcdoc" {
			kept := scrubAttribute(tag, a.Key, a.Val, secret)
			*left -= len(kept.Val)
			n.Attr = append(n.Attr, kept)
		}
	}
	scrubWithin(n, tag == "textarea" || secret && (showsCode[tag] || unseen), left)
}

// The elements of a page that is kept. What is dropped goes with all that is in it:
// text that a browser may take for markup, and what is not HTML.
var (
	keptElements = setOf(`a abbr acronym address area article aside b bdi bdo big blockquote br button caption center
		cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em fieldset figcaption figure font footer
		form h1 h2 h3 h4 h5 h6 header hgroup hr i img input ins kbd label legend li main map mark menu meter nav ol
		optgroup option output p picture pre progress q rp rt ruby s samp search section select slot small span strike strong
		style sub summary sup table tbody td textarea tfoot th thead time title tr tt u ul var wbr`)
	// structure is what the parser makes of any page.
	structure       = setOf("html head body")
	droppedElements = setOf("base iframe link math meta noembed noframes noscript object plaintext script svg xmp")
	keptAttributes  = setOf(`abbr align alt autocomplete bgcolor border cellpadding cellspacing checked class color cols colspan dir
		disabled download for headers height hidden id itemid itemprop itemscope itemtype label lang max maxlength min multiple name
		open pattern placeholder property readonly required role rows rowspan scope selected size slot span start step summary
		tabindex title type valign width wrap`)
	// namingAttributes say what the others of their element hold.
	namingAttributes = setOf("aria-label autocomplete data-field data-key data-name for formcontrolname id itemprop key name ng-model placeholder property title type v-model")
	showsCode        = setOf("code data kbd output pre samp var")
	addresses        = setOf("action background cite classid codebase data data-href data-src data-url formaction href longdesc manifest ping poster src xlink:href")

	customElement = regexp.MustCompile(`^[a-z][a-z0-9._]*-[a-z0-9._-]*$`)
	plainName     = regexp.MustCompile(`^[a-z_][a-z0-9_.:-]*$`)
)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}

// holdsSecret reports whether an element says by its type, or by a name, that what it
// holds is a secret.
func holdsSecret(n *html.Node) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool {
		kind := strings.ToLower(strings.TrimSpace(a.Val))
		return n.Data == "input" && a.Key == "type" && (kind == "hidden" || kind == "password") ||
			namingAttributes[a.Key] && nameSecret(a.Val)
	})
}

func isUnseen(n *html.Node) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool {
		return a.Key == "hidden" || a.Key == "style" && strings.Contains(a.Val, "none")
	})
}

// nameSecret reports whether one of the words that name an element says secret.
func nameSecret(names string) bool {
	return slices.ContainsFunc(strings.Fields(names), browser.SaysSecret)
}

// scrubAttribute returns an attribute of an element as it is kept; secret: what the element holds is a secret.
func scrubAttribute(element, name, value string, secret bool) html.Attribute {
	held := name == "value" || name == "content" || strings.HasPrefix(name, "data-") || !keptAttributes[name] && !strings.HasPrefix(name, "aria-")
	picture := element == "img" && name == "src" && strings.HasPrefix(strings.ToLower(value), "data:image/")
	switch {
	case picture:
	case name == "style":
		value = scrubStyle(value)
	case browser.SaysSecret(name), secret && held && !namingAttributes[name] && !addresses[name]:
		value = replaced(value)
	case addresses[name], strings.Contains(value, "://"):
		value = scrubAddress(value)
	default:
		value = browser.RedactText(value)
	}
	if !keepsName(element, name, value) && !picture {
		name = "data-" + strings.ReplaceAll(name, ":", "-")
	}
	return html.Attribute{Key: name, Val: strings.ToValidUTF8(value, "")}
}

// keepsName reports whether an attribute with this value does nothing under its own name.
func keepsName(element, name, value string) bool {
	return name == "href" && element == "a" && isPlainAddress(value) || name == "value" || name == "style" || keptAttributes[name] ||
		strings.HasPrefix(name, "data-") || strings.HasPrefix(name, "aria-")
}

func replaced(value string) string {
	if value == "" {
		return ""
	}
	return "redacted"
}

// scrubAddress returns an attribute's text, which may be an address, without secrets.
func scrubAddress(value string) string {
	trimmed := strings.TrimSpace(value)
	if strings.ContainsAny(trimmed, " \t\n{[,") && !strings.HasPrefix(strings.ToLower(trimmed), "data:") { // a list of them, or something else
		return browser.RedactText(value)
	}
	return browser.Redact(trimmed)
}

// isPlainAddress reports whether a link does nothing but lead to a page or document.
func isPlainAddress(address string) bool {
	scheme, _, found := strings.Cut(address, ":")
	if !found || strings.ContainsAny(scheme, "/?#") {
		return true
	}
	scheme = strings.ToLower(scheme)
	return scheme == "http" || scheme == "https" || scheme == "mailto" || scheme == "tel"
}

// loadingStyle is what a style may load something by, or hide that it does.
var loadingStyle = regexp.MustCompile(`(?i)@import|url|image-set|image\s*\(|src|expression|behavior|-moz-binding|[\\<]`)

// scrubStyle returns a style without those of its parts that may load something.
func scrubStyle(style string) string {
	var out strings.Builder
	for style != "" {
		end := strings.IndexAny(style, ";{}")
		if end < 0 {
			end = len(style)
		}
		if part := style[:end]; !loadingStyle.MatchString(part) {
			out.WriteString(part)
		}
		next := min(end+1, len(style))
		out.WriteString(style[end:next])
		style = style[next:]
	}
	return out.String()
}
