// inert.js is one function: the eyes for a document that was only parsed. There is
// no layout, so what a person sees is told by the elements themselves.
(doc, where, utf8, flat) => {
  const base = () => {
    const el = dom.first(doc, "base[href]");
    try {
      return el ? new URL(dom.attr(el, "href"), where).href : where;
    } catch {
      return where;
    }
  };
  const from = base();

  const unseen = new Set(
    "script style template noscript head title meta link base datalist param source track area rp".split(" "),
  );
  // replaced elements show something else than what stands within them.
  const replaced = new Set("textarea input iframe object embed video audio canvas img svg math".split(" "));
  const blocks = new Set(
    (
      "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption " +
      "figure footer form h1 h2 h3 h4 h5 h6 " +
      "header hgroup hr html legend li main menu nav ol optgroup option p pre search section summary table tbody " +
      "tfoot thead tr ul"
    ).split(" "),
  );

  const inline = (el, property) => {
    const text = dom.attr(el, "style");
    const m = text && text.toLowerCase().match(new RegExp("(?:^|;)\\s*" + property + "\\s*:\\s*([a-z-]+)"));
    return m ? m[1] : "";
  };
  const above = (el) => dom.up(el) || el.getRootNode().host || null;
  // drawn: the element and all around it have a place on the page.
  const known = new Map();
  const drawn = (el) => {
    if (!el) return true;
    let is = known.get(el);
    if (is !== undefined) return is;
    const outer = above(el),
      name = el.localName;
    is =
      !unseen.has(name) &&
      !dom.has(el, "hidden") &&
      inline(el, "display") !== "none" &&
      !(name === "input" && (dom.attr(el, "type") || "").toLowerCase() === "hidden") &&
      !(name === "dialog" && !dom.has(el, "open")) &&
      !(
        outer &&
        outer.localName === "details" &&
        !dom.has(outer, "open") &&
        dom.first(outer, ":scope > summary") !== el
      ) &&
      drawn(outer);
    known.set(el, is);
    return is;
  };
  // clear: no style on it, or around it, makes it invisible.
  const clears = new Map();
  const clear = (el) => {
    if (!el) return true;
    if (!clears.has(el)) {
      const visibility = inline(el, "visibility");
      clears.set(el, visibility ? /^(?:visible|inherit)$/.test(visibility) : clear(above(el)));
    }
    return clears.get(el);
  };
  const visible = (el) => drawn(el) && clear(el);

  // shown returns an element's text as its page would: blocks and breaks end lines.
  const shown = (el) => {
    if (!el || el.namespaceURI !== "http://www.w3.org/1999/xhtml") return undefined;
    let text = "";
    const visit = (node, kept) => {
      if (node.nodeType === 3) {
        text += kept ? node.data : node.data.replace(/[ \t\r\n\f]+/g, " ");
        return;
      }
      if (node.nodeType !== 1) return;
      const name = node.localName;
      if (name === "br") {
        text += "\n";
        return;
      }
      if (unseen.has(name) || replaced.has(name) || !drawn(node)) return;
      const block = blocks.has(name) && node !== el;
      if (block) text += "\n";
      if ((name === "td" || name === "th") && node.previousElementSibling) text += "\t";
      const inner = (dom.shadow(node) || node).childNodes;
      for (const child of inner) visit(child, kept || name === "pre");
      if (block) text += "\n";
    };
    visit(el, false);
    return text
      .replace(/ *\n */g, "\n")
      .replace(/\n{3,}/g, "\n\n")
      .replace(/^\n+|\n+$/g, "");
  };

  const nowhere = { href: undefined, protocol: "", pathname: "", search: "", hash: "" };
  let ambiguous = false;
  const target = (a) => {
    if (a.namespaceURI !== "http://www.w3.org/1999/xhtml") return nowhere;
    const href = dom.attr(a, "href");
    // A page of another character set asks in that set.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: all that is ASCII
    if (!utf8 && /\?[^#]*[^\x00-\x7f]/.test(href)) ambiguous = true;
    try {
      return new URL(href, from);
    } catch {
      return { ...nowhere, href };
    }
  };
  return {
    visible,
    shown,
    target,
    resolve: (_, href) => new URL(href, from),
    address: () => where,
    flat,
    ambiguous: () => ambiguous,
  };
};
