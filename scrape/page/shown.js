// shown.js is one function: what a page shows by which it may be told whose it is. Its texts are those that stand
// alone, each with a hash of its place; its labels are hashes of headings and labels, without their digits.
//
//   numbers(text)  it shows the order's number, or one like it
//   hashes         of labels, kept from one page to the next
//   body(root)     where to begin; nothing of a shadow root, which is looked into where it is
(rule, { roots, body, visible, squeeze, numbers, target, address, hashes }) => {
  const FRAMES = new Set(["nav", "header", "footer", "search", "banner", "navigation", "contentinfo"]); // names, or roles
  const LISTS = new Set(["table", "ul", "ol", "menu", "list", "grid", "listbox"]);
  const OWN = "main, article, section, [role=main]";
  const CODE = new Set(
    ["script", "style", "template", "noscript", "svg", "math"].concat(["object", "video", "audio", "canvas", "head"]),
  );
  const LABELS = new Set(["h1", "h2", "h3", "h4", "h5", "h6", "legend", "caption", "th", "dt", "label", "summary"]);
  const CONTROLS = new Set(["input", "textarea", "select"]);
  const most = 400, // texts
    longest = 120; // characters
  const hash = (text) => {
    let h = 0x811c9dc5;
    for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
    return h >>> 0;
  };

  // The fields of a form hide its own properties by their names.
  const getter = (of, name) => Object.getOwnPropertyDescriptor(of.prototype, name).get;
  const firstOf = getter(Node, "firstChild"),
    nextOf = getter(Node, "nextSibling"),
    typeOf = getter(Node, "nodeType"),
    nameOf = getter(Element, "localName"),
    shadowOf = getter(Element, "shadowRoot"),
    { closest, getAttribute } = Element.prototype;

  // ofOrders: several orders stand alike in it.
  const ofOrders = (list) => {
    let found = 0;
    for (const { textContent: text } of list.rows ?? list.children)
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
    const label = (text) => labels.add(hashOf(text));
    const add = (text, at) => {
      if (rule.values && text.length <= longest && texts.length < most && /[\p{L}\p{N}]{2}/u.test(text))
        texts.push({ text, at });
    };
    const visit = (el, name, at, inList) => {
      const role = getAttribute.call(el, "role");
      if (el !== within && skipped(el, name, role)) return;
      const list = inList || apart.has(el),
        counts = {};
      let seen;
      for (let node = firstOf.call(shadowOf.call(el) ?? el); node; node = nextOf.call(node)) {
        const type = typeOf.call(node);
        if (type === 1) {
          const inner = nameOf.call(node),
            n = (counts[inner] = (counts[inner] ?? 0) + 1);
          visit(node, inner, rule.values ? hash(at + inner + n) : 0, list);
        } else if (type === 3 && /\S/.test(node.data)) {
          const named = !list && (LABELS.has(name) || role === "heading");
          if (!rule.values && !named && !/[:：]/.test(node.data)) continue;
          const text = squeeze(node.data);
          if (!text || text.length > longest || !(seen ??= visible(el))) continue;
          add(text, at);
          if (named) label(text);
          else if (!list && /^\P{N}{1,40}?[:：]/u.test(text)) label(text.replace(/[:：].*$/su, ""));
        }
      }
      if (rule.values && CONTROLS.has(name) && visible(el)) {
        const chosen = name === "select" ? el.selectedOptions[0]?.textContent : el.value,
          ours = rule.acts && el.value !== el.defaultValue;
        if (!ours && !/^(?:password|hidden|submit|button|checkbox|radio|search)$/.test(el.type))
          add(squeeze(chosen), at);
      }
    };
    for (const top of within ? [within] : roots().map(body).filter(Boolean)) visit(top, nameOf.call(top), 0, false);
    labels.delete(0);
    return { texts, labels: [...labels].sort((a, b) => a - b) };
  };
};
