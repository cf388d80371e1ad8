// loading.js is one function: whether a page says that it is still loading, or that it could
// not load, in the place of documents or in the part that shows the order's number. Where the page itself
// is the document, that is anywhere in it.
(page, lexicon) => {
  const { all, roots, visible, textOf, place, numberPart, items, quote, whole } = page;
  const bodies = () => roots().map((root) => (root.nodeType === 9 ? root.documentElement : root.host));

  // --- spinners ---

  const busy =
    '[aria-busy="true"], progress:not([value]), [role=progressbar]:not([aria-valuenow]), [class*=spin i], ' +
    "[class*=load i], [class*=skeleton i], [class*=throbber i], [class*=shimmer i], [class*=circular i], " +
    "[class*=busyindicator i]";
  const spinner =
    /spinner|skeleton|throbber|shimmer|circular-?progress|progress-?circular|(?:busy|load(?:ing)?)-?indicator|(?:^|[-_])spin(?:ning)?$|(?:^|[-_]|pre)load(?:ing|er)$|[a-z]Load(?:ing|er)$|loading-?(?:icon|overlay|mask|dots?|text|message|wheel|ring|image|placeholder)$/i;
  // What is named like one, and is none: a box for a number, a picture that waits to be seen,
  // the part around a spinner, a file's upload, a port of loading.
  const alike =
    /spinner-(?:up|down|input|button|btn|arrow|box)|lazy|nested|(?:up|down|un)load|(?:^|[-_])(?:of|no|not)[-_]|(?<!in)determinate/i;
  const named = (el) =>
    (dom.attr(el, "class") || "").split(/\s+/).some((token) => spinner.test(token) && !alike.test(token));
  const spins = (el) => {
    if (dom.attr(el, "aria-busy") === "true") return visible(el);
    if (
      dom.attr(el, "aria-busy") === "false" ||
      dom.matches(el, "html, body, main, a, button, input, select, textarea, table, form")
    )
      return false;
    const bar = !named(el);
    if (
      (bar && !dom.matches(el, "progress, [role=progressbar]")) ||
      dom.closest(el, "[aria-valuenow]") ||
      !visible(el) ||
      dom.first(el, "a, table, form, input")
    )
      return false;
    const text = textOf(el),
      name = bar ? dom.attr(el, "aria-label") || dom.attr(el, "aria-valuetext") || text : text;
    if (
      text.length >= 40 ||
      (dom.first(el, "img") && /skeleton|shimmer/i.test(dom.attr(el, "class"))) ||
      unseen(el) ||
      sizeless(el)
    )
      return false;
    // A bar may be of something else, and a field may be that of a loading dock.
    if (bar) return !name || ["loading", "loaded"].some((idea) => lexicon.finds(idea, lexicon.fold(name)));
    return (
      !text ||
      says(text) ||
      (!dom.matches(el, "dd, dt, td, th") && [...dom.children(el)].filter((child) => textOf(child)).length < 2)
    );
  };

  // moving: it is just coming or going, again and again perhaps.
  const moving = (el) => el.getAnimations().some((one) => one.pending || one.playState === "running");
  const empty = (el) => {
    const box = el.getBoundingClientRect();
    return !box.width || !box.height;
  };
  // unseen: it is see-through, or cut to nothing. A document that was only parsed cannot tell.
  const unseen = (el) => {
    if (!el.ownerDocument.defaultView) return false;
    if (empty(el) && /hidden|clip/.test(getComputedStyle(el).overflow) && !moving(el)) return true;
    if (el.checkVisibility({ opacityProperty: true })) return false;
    for (let e = el; e; e = up(e)) if (getComputedStyle(e).opacity === "0") return !moving(e);
    return false;
  };
  // sizeless: nothing of it is drawn. That says something where its own style makes it so, or
  // where the page's styles are there.
  const sizeless = (el) => {
    if (!el.ownerDocument.defaultView || !empty(el) || moving(el) || (textOf(el) && !el.offsetWidth)) return false;
    if ([...dom.all(el, "*")].some((inner) => !empty(inner))) return false;
    if (["::before", "::after"].some((part) => !/^(none|normal)$/.test(getComputedStyle(el, part).content)))
      return false;
    const zero = (property) => String(el.computedStyleMap().get(property)) === "0px";
    return (el.offsetWidth > 0 && el.offsetHeight > 0) || zero("width") || zero("height") || styled(el.ownerDocument);
  };
  const styled = (doc) =>
    doc.styleSheets.length > 0 &&
    [...dom.all(doc, "link[rel~=stylesheet i]:not([disabled])")].every((link) => link.sheet);

  // --- where it is ---

  // up is the element around one, out of shadow roots and frames too.
  const up = (el) => {
    const root = el.getRootNode();
    return dom.up(el) ?? root.host ?? root.defaultView?.frameElement;
  };
  const aside =
    "aside, nav, footer, dialog, [role=complementary], [role=navigation], [role=contentinfo], [role=dialog], " +
    "[role=alertdialog], [role=log], [class*=chat i], [id*=chat i], [class*=cookie i], [class*=toast i]";
  // within reports whether an element is in one of the parts, and not in something else that
  // is there too.
  const within = (el, parts) => {
    for (let e = el, out = false; e; e = up(e)) {
      if (parts.has(e)) return !out;
      out ||= dom.matches(e, aside);
    }
    return false;
  };
  // under is the heading that stands nearest above an element in one of the parts.
  const heading = "h1, h2, h3, h4, h5, h6, legend, summary, [role=heading]";
  const under = (el, parts) => {
    for (let e = el; e && !parts.has(e); e = up(e)) {
      if (dom.matches(e, heading)) return e;
      for (let before = e.previousElementSibling; before; before = before.previousElementSibling) {
        if (dom.matches(before, heading)) return before;
        const inner = dom.first(before, heading);
        if (
          inner &&
          (dom.matches(before, "header, [class*=head i], [class*=title i]") || textOf(before) === textOf(inner))
        )
          return inner;
      }
    }
    return null;
  };
  // elsewhere: documents are listed, and it stands under a heading of something else. As long
  // as none are, whatever is loading may bring them.
  const elsewhere = (el, parts) => {
    const head = items().length > 0 && under(el, parts),
      text = head ? lexicon.fold(textOf(head)) : "";
    if (
      !text ||
      head.localName === "h1" ||
      /\d{3}/.test(text) ||
      ["documentHeading", "loading", "order", "loadedToo"].some((idea) => lexicon.finds(idea, text))
    )
      return false;
    return !items().some((item) => under(item, parts) === head);
  };

  // --- what is said ---

  // texts are the elements of the page that hold nothing but a short text which the stems
  // allow for.
  const label =
    "button, label, legend, option, th, dt, summary, a, select, textarea, script, style, noscript, template, " +
    "[role=button], [role=tab], [role=link], [role=menuitem], [role=columnheader], [role=rowheader]";
  const texts = (may) => {
    const found = new Set();
    for (const root of roots()) {
      if (!may.test(root.nodeType === 9 ? root.documentElement?.textContent : dom.text(root))) continue;
      const walker = (root.ownerDocument || root).createTreeWalker(root, 4);
      for (let node; (node = walker.nextNode()); ) {
        const text = node.data;
        if (text.length > 300 || !may.test(text)) continue;
        let el = dom.up(node);
        if (!el || dom.closest(el, label)) continue;
        // A word in bold, and dots that are moved, are of the text around them.
        while (
          /^(b|strong|em|i|span|small|font|u)$/.test(el.localName) &&
          dom.up(el) &&
          dom.text(dom.up(el)).length <= 120
        )
          el = dom.up(el);
        if (!dom.closest(el, label)) found.add(el);
      }
    }
    return [...found];
  };
  // labels: a word without dots that stands before one other element is the label of that.
  const labels = (el) =>
    !/\.\.|\u2026/.test(dom.text(el)) &&
    el.nextElementSibling &&
    dom.up(el) &&
    dom.children(dom.up(el)).length === 2 &&
    textOf(el.nextElementSibling) !== "";

  // says reports whether a text is a loading phrase, for the order by its number perhaps.
  const working = /(?:\.\.|…)\s*$|being prep|vorbereitet|en pr[ée]paration|przygot/i;
  const stems = new RegExp(lexicon.stems.source + "|" + working.source, "i");
  const says = (text) => {
    if (text.length > 120) return false;
    if (lexicon.stems.test(text) && lexicon.loading(text.replace(/[\p{L}#]{0,5}-?\d{4,}/gu, "1"))) return true;
    if (!working.test(text)) return false;
    const folded = lexicon.fold(text);
    return (
      lexicon.finds("working", folded) &&
      (/\.\.$/.test(folded) || lexicon.finds("documentHeading", folded)) &&
      !lexicon.rest(folded.replace(/\S*\d\S*/g, " "), ["working", "loaded", "loadedToo", "order", "small"])
    );
  };
  const loading = () => {
    const spinning = all(busy).filter(spins);
    const saying = texts(stems).filter((el) => visible(el) && !labels(el) && says(dom.text(el)) && !unseen(el));
    const unfilled = whole ? texts(/\{\{[^{}]+\}\}/).filter(visible) : [];
    saying.push(...unfilled);
    if (!spinning.length && !saying.length) return "";
    const parts = new Set(whole ? bodies() : [...place(), ...numberPart()]);
    const there = (e) => within(e, parts) && !elsewhere(e, parts);
    const el = saying.find(there) || spinning.find((e) => there(e) || holds(e, parts));
    return el ? quote([textOf(el)]) || "a spinner" : "";
  };
  // holds: what is busy may be all around a part, too.
  const holds = (el, parts) =>
    dom.attr(el, "aria-busy") === "true" && [...parts].some((part) => within(part, new Set([el])));

  // broken quotes what says, in the place of documents, that these could not be loaded, or
  // may not be seen. Where no such place is known, it must name them. On a page that is the document,
  // messages that are shown for a moment count, too.
  const failing = new RegExp(
    lexicon.failing.source +
      "|availab|(?:not|n't|to) get|shown|displayed?|verf[üu]gbar|angezeigt|pas pu|dispon|hemos|pudimos|riusciti" +
      "|conseguimos|beschikbaar|opgehaald|dost[ęe]p|pobra|permi|autori|authori|access|acc[èe]s|zugriff|berecht" +
      "|toegang|upraw",
    "i",
  );
  const broken = () => {
    const said = texts(failing).filter(
      (el) => visible(el) && dom.text(el).length <= 300 && lexicon.fails(lexicon.fold(dom.text(el))),
    );
    if (!said.length) return "";
    if (whole) {
      const el = said.find((e) => !dom.closest(e, "aside, nav, footer, [class*=chat i], [class*=cookie i]"));
      return el ? quote([textOf(el)]) : "";
    }
    const known = place(),
      parts = new Set(known.length ? known : numberPart());
    const el = said.find(
      (e) =>
        within(e, parts) &&
        (known.length ? !elsewhere(e, parts) : lexicon.finds("documentHeading", lexicon.fold(dom.text(e)))),
    );
    return el ? quote([textOf(el)]) : "";
  };
  return { loading, broken };
};
