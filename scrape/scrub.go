package scrape

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/poscrape/poscrape/browser"
)

// scrubHead opens every page that is kept as evidence. Its policy is a second wall:
// nothing that the scrubbing has let through would be run or loaded.
const scrubHead = `<!doctype html>
<html><head><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'">` +
	`<meta charset="utf-8">
`

// scrub returns a page that shows what another did, runs no script, loads nothing
// when it is opened, and holds no secrets as far as their names tell. It is built
// anew from what is known to be harmless: an element or attribute that is not listed
// here keeps its name only as a remark.
func scrub(source string) []byte {
	s := scrubber{tokens: html.NewTokenizer(strings.NewReader(source))}
	s.out.WriteString(scrubHead)
	for s.out.Len() < maxEvidenceHTML && s.next() {
	}
	return s.out.Bytes()
}

// The elements of a page that is kept. What is dropped goes with all that is in it:
// text that a browser may take for markup, and what is not HTML.
var (
	keptElements = setOf(`a abbr acronym address area article aside b bdi bdo big blockquote body br button caption center
		cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em fieldset figcaption figure font footer
		form h1 h2 h3 h4 h5 h6 header hgroup hr html i img input ins kbd label legend li main map mark menu meter nav ol
		optgroup option output p picture pre progress q rp rt ruby s samp search section select slot small span strike strong
		style sub summary sup table tbody td textarea tfoot th thead time title tr tt u ul var wbr`)
	droppedElements = setOf("base head iframe link math meta noembed noframes noscript object plaintext script svg xmp")
	voidElements    = setOf(`area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr`)
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

// scrubber writes the tokens of a page that may stay.
type scrubber struct {
	tokens *html.Tokenizer
	out    bytes.Buffer
	// style: the next text is a style sheet. area: it is that of a text area, or of
	// something else that may hold a secret.
	style, area bool
}

// next takes one token over, and reports whether there was one.
func (s *scrubber) next() bool {
	kind := s.tokens.Next()
	switch kind {
	case html.ErrorToken:
		return false
	case html.TextToken:
		s.text()
	case html.StartTagToken, html.SelfClosingTagToken:
		tag := s.tokens.Token()
		if droppedElements[tag.Data] {
			s.drop(tag.Data, kind)
			return true
		}
		s.start(tag)
	case html.EndTagToken:
		name, _ := s.tokens.TagName()
		s.style, s.area = false, false
		if tag := string(name); !droppedElements[tag] && !voidElements[tag] {
			s.out.WriteString("</" + writtenAs(tag) + ">")
		}
	case html.CommentToken, html.DoctypeToken: // they show nothing, and may hold anything
	}
	return true
}

// drop passes over an element with all that is in it.
func (s *scrubber) drop(name string, kind html.TokenType) {
	if voidElements[name] || name == "head" || kind == html.SelfClosingTagToken && (name == "svg" || name == "math") {
		return
	}
	for depth := 1; depth > 0; {
		switch s.tokens.Next() {
		case html.ErrorToken:
			return
		case html.StartTagToken:
			if tag, _ := s.tokens.TagName(); string(tag) == name {
				depth++
			}
		case html.EndTagToken:
			if tag, _ := s.tokens.TagName(); string(tag) == name {
				depth--
			}
		case html.TextToken, html.SelfClosingTagToken, html.CommentToken, html.DoctypeToken:
		}
	}
}

func (s *scrubber) text() {
	text := string(s.tokens.Text())
	switch {
	case s.style:
		s.out.WriteString(scrubStyle(text))
	case s.area && strings.TrimSpace(text) != "":
		s.out.WriteString("redacted")
	default:
		s.out.WriteString(html.EscapeString(browser.RedactText(text)))
	}
}

// writtenAs returns the name under which an element is kept.
func writtenAs(name string) string {
	if keptElements[name] || customElement.MatchString(name) {
		return name
	}
	return "div"
}

func (s *scrubber) start(tag html.Token) {
	as := writtenAs(tag.Data)
	s.style, s.area = as == "style", as == "textarea"
	s.out.WriteString("<" + as)
	if as != tag.Data && plainName.MatchString(tag.Data) {
		s.attribute("data-was", tag.Data)
	}
	if tag.Data == "template" {
		s.attribute("hidden", "")
	}
	secret := holdsSecret(tag)
	s.area = s.area || secret && (showsCode[as] || isUnseen(tag))
	for _, a := range tag.Attr {
		if plainName.MatchString(a.Key) && !strings.HasPrefix(a.Key, "on") && a.Key != "nonce" && a.Key != "srcdoc" {
			s.keep(tag.Data, a.Key, a.Val, secret)
		}
	}
	s.out.WriteByte('>')
	if as == "div" && voidElements[tag.Data] {
		s.out.WriteString("</div>")
	}
}

// holdsSecret reports whether an element says by its type, or by a name, that what it
// holds is a secret.
func holdsSecret(tag html.Token) bool {
	return slices.ContainsFunc(tag.Attr, func(a html.Attribute) bool {
		kind := strings.ToLower(strings.TrimSpace(a.Val))
		return tag.Data == "input" && a.Key == "type" && (kind == "hidden" || kind == "password") ||
			namingAttributes[a.Key] && nameSecret(a.Val)
	})
}

func isUnseen(tag html.Token) bool {
	return slices.ContainsFunc(tag.Attr, func(a html.Attribute) bool {
		return a.Key == "hidden" || a.Key == "style" && strings.Contains(a.Val, "none")
	})
}

// nameSecret reports whether one of the words that name an element says secret.
func nameSecret(names string) bool {
	return slices.ContainsFunc(strings.Fields(names), browser.SaysSecret)
}

// keep writes one attribute of an element; secret: what the element holds is a secret.
func (s *scrubber) keep(element, name, value string, secret bool) {
	held := name == "value" || name == "content" || strings.HasPrefix(name, "data-") || !keptAttributes[name] && !strings.HasPrefix(name, "aria-")
	switch {
	case name == "style":
		value = scrubStyle(value)
	case browser.SaysSecret(name), secret && held && !namingAttributes[name] && !addresses[name]:
		value = replaced(value)
	case element == "img" && name == "src" && strings.HasPrefix(strings.ToLower(value), "data:image/"):
		s.attribute(name, value)
		return
	case addresses[name], strings.Contains(value, "://"):
		value = scrubAddress(value)
	default:
		value = browser.RedactText(value)
	}
	switch {
	case name == "href" && element == "a" && isPlainAddress(value),
		name == "value", name == "style", keptAttributes[name], strings.HasPrefix(name, "aria-"), strings.HasPrefix(name, "data-"):
	default:
		name = "data-" + strings.ReplaceAll(name, ":", "-")
	}
	s.attribute(name, value)
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

func (s *scrubber) attribute(name, value string) {
	s.out.WriteString(" " + name + `="` + html.EscapeString(strings.ToValidUTF8(value, "")) + `"`)
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
