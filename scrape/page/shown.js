// shown.js is one function: what a page shows by which it may be told whose it is. Its texts are those that stand
// alone, each with a hash of its place; its labels are hashes of headings and labels, without their digits.
//
//   numbers(text)  it shows the order's number, or one like it
//   hashes         of labels, kept from one page to the next
//   body(root)     where to begin; nothing of a shadow root
(rule, { roots, body, all, visible, squeeze, numbers, target, address, hashes }) => {
  // Names, or roles.
  const FRAMES = new Set(["nav", "header", "footer", "search", "banner", "navigation", "contentinfo"]);
  const LISTS = new Set(["table", "ul", "ol", "menu", "list", "grid", "listbox"]);
  const OWN = "main, article, section, [role=main]";
  const CODE = new Set("script style template noscript svg math object video audio canvas head".split(" "));
  const LABELS = new Set(["h1", "h2", "h3", "h4", "h5", "h6", "legend", "caption", "th", "dt", "label", "summary"]);
  const most = 400, // texts
    longest = 120; // characters
  const hash = (text) => {
    let h = 0x811c9dc5;
    for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
    return h >>> 0;
  };

  // The fields of a form hide its own properties by their names, and those of a document the document's.
  const getter = (of, name) => Object.getOwnPropertyDescriptor(of.prototype, name).get;
  const typeOf = getter(Node, "nodeType"),
    parentOf = getter(Node, "parentNode"),
    beforeOf = getter(Element, "previousElementSibling"),
    nameOf = getter(Element, "localName"),
    { closest, getAttribute } = Element.prototype,
    { createTreeWalker } = Document.prototype;
  const SHADOW = Node.DOCUMENT_FRAGMENT_NODE;
  const around = (node) => {
    const parent = parentOf.call(node);
    if (!parent) return null;
    const type = typeOf.call(parent);
    return type === Node.ELEMENT_NODE ? parent : type === SHADOW ? parent.host : null;
  };

  // ofOrders: several orders stand alike in it.
  const ofOrders = (list) => {
    let found = 0;
    for (const { textContent: text } of list.rows ?? dom.children(list))
      if (text.length <= 1000 && /\d/.test(text) && numbers(text) && ++found > 1) return true;
    return false;
  };
  // leads: a link to a page of this one's kind.
  const kinds = new Map();
  const kind = (path) => path.replace(/\d+/g, "0").replace(/\/$/, "");
  const leads = (a) => {
    const doc = a.ownerDocument;
    if (!kinds.has(doc)) kinds.set(doc, kind(new URL(address(doc)).pathname));
    return kind(String(target(a).pathname)) === kinds.get(doc);
  };
  const skipped = (el, name, role) =>
    CODE.has(name) ||
    ((FRAMES.has(name) || FRAMES.has(role)) && !closest.call(el, OWN)) ||
    (name === "a" && getAttribute.call(el, "href") !== null && leads(el)) ||
    ((LISTS.has(name) || LISTS.has(role)) && ofOrders(el));
  const hashOf = (label) => {
    if (hashes.size > 1000) hashes.clear();
    if (!hashes.has(label)) {
      const said = squeeze(label.normalize("NFKC").replace(/[\p{N}\p{P}\p{S}]+/gu, " ")).toLowerCase();
      hashes.set(label, said && said.length <= 60 ? hash(said) : 0);
    }
    return hashes.get(label);
  };

  // apart are the lists of documents; within is the order's row of a list of orders, or null.
  return (apart, within) => {
    const texts = [],
      labels = new Set();
    const add = (text, at) => {
      if (rule.values && text.length <= longest && texts.length < most && /[\p{L}\p{N}]{2}/u.test(text))
        texts.push({ text, at });
    };
    const tops = within ? [within] : roots().map(body).filter(Boolean),
      shadows = roots().filter((root) => typeOf.call(root) === SHADOW);
    const places = new Map(tops.map((top) => [top, { at: 0, list: apart.has(top) }]));
    const counted = new Map();
    // countOf is an element's place among its siblings of the same name.
    const countOf = (el, name) => {
      let n = 1;
      for (let other = beforeOf.call(el); other; other = beforeOf.call(other)) {
        if (nameOf.call(other) !== name) continue;
        n += counted.get(other) ?? 1;
        if (counted.has(other)) break;
      }
      counted.set(el, n);
      return n;
    };
    // placeOf is null where an element, or one around it, is skipped.
    const placeOf = (el) => {
      if (places.has(el)) return places.get(el);
      const outer = around(el),
        outside = outer && placeOf(outer);
      let place = null;
      if (outside) {
        const name = nameOf.call(el),
          role = getAttribute.call(el, "role");
        if (!skipped(el, name, role)) {
          const at = rule.values ? hash(outside.at + name + countOf(el, name)) : 0;
          place = { at, list: outside.list || apart.has(el) };
        }
      }
      places.set(el, place);
      return place;
    };
    for (const top of tops.concat(shadows)) {
      const walker = createTreeWalker.call(document, top, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const { data } = node;
        if (!/\S/.test(data)) continue;
        const el = around(node),
          named = LABELS.has(nameOf.call(el)) || getAttribute.call(el, "role") === "heading";
        if (!rule.values && !named && !/[:：]/.test(data)) continue;
        const place = placeOf(el),
          text = place && squeeze(data);
        if (!text || text.length > longest || !visible(el)) continue;
        add(text, place.at);
        if (place.list) continue;
        if (named) labels.add(hashOf(text));
        else if (/^\P{N}{1,40}?[:：]/u.test(text)) labels.add(hashOf(text.replace(/[:：].*$/su, "")));
      }
    }
    for (const el of rule.values ? all("input, textarea, select") : []) {
      const chosen = nameOf.call(el) === "select" ? el.selectedOptions[0]?.textContent : el.value,
        ours = rule.acts && el.value !== el.defaultValue;
      if (ours || /^(?:password|hidden|submit|button|checkbox|radio|search)$/.test(el.type)) continue;
      if (placeOf(el) && visible(el)) add(squeeze(chosen), placeOf(el).at);
    }
    labels.delete(0);
    return { texts, labels: [...labels].sort((a, b) => a - b) };
  };
};
