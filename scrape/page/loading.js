// loading.js is one function: whether a page says that it is still loading, or that it could
// not load, in the place of documents or in the part that shows the order's number.
((page, lexicon) => {
  const { all, roots, visible, textOf, place, numberPart, quote } = page;
  const busy = '[aria-busy="true"], .spinner, .loader, .loading, [role=progressbar]:not([aria-valuenow])';
  const spins = (el) => visible(el) && (el.getAttribute("aria-busy") === "true" || textOf(el).length < 40 && !el.querySelector("a, table, form"));

  // up is the element around one, out of shadow roots and frames too.
  const up = (el) => {
    if (el.parentElement) return el.parentElement;
    const root = el.getRootNode();
    if (root.host) return root.host;
    try { return root.defaultView.frameElement; } catch { return null; }
  };
  const aside = "aside, nav, footer, dialog, [role=complementary], [role=navigation], [role=contentinfo], [role=dialog], [role=alertdialog], [role=log], [class*=chat i], [id*=chat i], [class*=cookie i], [class*=toast i]";
  // within reports whether an element is in one of the parts, and not in something else that
  // is there too.
  const within = (el, parts) => {
    for (let e = el, out = false; e; e = up(e)) {
      if (parts.has(e)) return !out;
      out ||= e.matches(aside);
    }
    return false;
  };
  const both = () => new Set([...place(), ...numberPart()]);

  // texts are the elements of the page that hold nothing but a short text which the stems
  // allow for.
  const label = "button, label, legend, option, th, dt, summary, a, select, textarea, script, style, noscript, template, [role=button], [role=tab], [role=link], [role=menuitem], [role=columnheader], [role=rowheader]";
  const texts = (may) => {
    const found = new Set();
    for (const root of roots()) {
      if (!may.test(root.nodeType === 9 ? root.documentElement?.textContent : root.textContent)) continue;
      const walker = (root.ownerDocument || root).createTreeWalker(root, 4);
      for (let node; (node = walker.nextNode());) {
        const text = node.data;
        if (text.length > 300 || !may.test(text)) continue;
        let el = node.parentElement;
        if (!el || el.closest(label)) continue;
        // A word in bold, and dots that are moved, are of the text around them.
        while (/^(b|strong|em|i|span|small|font|u)$/.test(el.localName) && el.parentElement && el.parentElement.textContent.length <= 120) el = el.parentElement;
        if (!el.closest(label)) found.add(el);
      }
    }
    return [...found];
  };
  // labels: a word without dots that stands before one other element is the label of that.
  const labels = (el) => !/\.\.|\u2026/.test(el.textContent) && el.nextElementSibling && el.parentElement?.children.length === 2 &&
    textOf(el.nextElementSibling) !== "";

  const loading = () => {
    const spinning = all(busy).filter(spins);
    const saying = texts(lexicon.stems).filter((el) => visible(el) && !labels(el) && lexicon.loading(el.textContent));
    if (!spinning.length && !saying.length) return "";
    const parts = both();
    const el = saying.find((e) => within(e, parts)) || spinning.find((e) => within(e, parts) || holds(e, parts));
    return el ? quote([textOf(el)]) || "a spinner" : "";
  };
  // holds: what is busy may be all around a part, too.
  const holds = (el, parts) => el.getAttribute("aria-busy") === "true" && [...parts].some((part) => within(part, new Set([el])));

  // broken quotes what says, in the place of documents, that these could not be loaded.
  const broken = () => {
    const said = texts(lexicon.failing).filter((el) => visible(el) && el.textContent.length <= 300 && lexicon.finds("failed", lexicon.fold(el.textContent)));
    if (!said.length) return "";
    const parts = new Set(place());
    const el = said.find((e) => within(e, parts));
    return el ? quote([textOf(el)]) : "";
  };
  return { loading, broken };
})
