// shown.js is one function: what a page shows by which it may be told whose it is. Its texts are those that stand
// alone, each with a hash of its place; its labels are hashes of headings and labels, without their digits.
//
//   numbers(text)  it shows the order's number, or one like it
//   body(root)     where to begin; nothing of a shadow root, which is looked into where it is
(rule, { roots, body, visible, squeeze, numbers, target, address }) => {
  const FRAME = "nav, header, footer, [role=banner], [role=navigation], [role=contentinfo], [role=search], search";
  const OWN = "main, article, section, [role=main]";
  const CODE = /^(?:script|style|template|noscript|svg|math|object|video|audio|canvas|head)$/;
  const LABEL = /^(?:h[1-6]|legend|caption|th|dt|label|summary)$/;
  const LIST = "table, ul, ol, menu, [role=list], [role=table], [role=grid], [role=listbox]";
  const most = 400, // texts
    longest = 120; // characters
  const hash = (text) => {
    let h = 0x811c9dc5;
    for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
    return h >>> 0;
  };

  // The fields of a form hide its own properties by their names.
  const getter = (of, name) => Object.getOwnPropertyDescriptor(of.prototype, name).get;
  const childrenOf = getter(Node, "childNodes"),
    typeOf = getter(Node, "nodeType"),
    nameOf = getter(Element, "localName"),
    shadowOf = getter(Element, "shadowRoot"),
    { matches, closest } = Element.prototype;

  // ofOrders: several orders stand alike in it.
  const ofOrders = (list) => {
    let found = 0;
    for (const row of list.rows ?? list.children)
      if (row.textContent.length <= 1000 && numbers(row.textContent) && ++found > 1) return true;
    return false;
  };
  // leads: a link to a page of this one's kind.
  const leads = (a) => {
    const kind = (path) => path.replace(/\d+/g, "0").replace(/\/$/, "");
    return kind(String(target(a).pathname)) === kind(new URL(address(a.ownerDocument)).pathname);
  };
  const skipped = (el) =>
    CODE.test(nameOf.call(el)) ||
    (matches.call(el, FRAME) && !closest.call(el, OWN)) ||
    (matches.call(el, "a[href]") && leads(el)) ||
    (matches.call(el, LIST) && ofOrders(el));

  // apart are the lists of documents; within is the order's row of a list of orders, or null.
  return (apart, within) => {
    const texts = [],
      labels = new Set();
    const label = (text) => {
      const said = squeeze(text.normalize("NFKC").replace(/[\p{N}\p{P}\p{S}]+/gu, " ")).toLowerCase();
      if (said && said.length <= 60) labels.add(hash(said));
    };
    const add = (text, at) => {
      if (text.length <= longest && texts.length < most && /[\p{L}\p{N}]{2}/u.test(text)) texts.push({ text, at });
    };
    const visit = (el, at, inList) => {
      if (el !== within && skipped(el)) return;
      const list = inList || apart.has(el);
      const counts = {};
      const kind = nameOf.call(el);
      for (const node of childrenOf.call(shadowOf.call(el) ?? el)) {
        if (typeOf.call(node) === 1) {
          const name = nameOf.call(node),
            n = (counts[name] = (counts[name] ?? 0) + 1);
          visit(node, hash(at + name + n), list);
        } else if (typeOf.call(node) === 3) {
          const text = squeeze(node.data);
          if (!text || text.length > longest || !visible(el)) continue;
          add(text, at);
          if (!list && (LABEL.test(kind) || matches.call(el, "[role=heading]"))) label(text);
          else if (!list && /^\P{N}{1,40}?[:：]/u.test(text)) label(text.replace(/[:：].*$/su, ""));
        }
      }
      if (/^(?:input|textarea|select)$/.test(kind) && visible(el)) {
        const chosen = kind === "select" ? el.selectedOptions[0]?.textContent : el.value,
          ours = rule.acts && el.value !== el.defaultValue;
        if (!ours && !/^(?:password|hidden|submit|button|checkbox|radio|search)$/.test(el.type))
          add(squeeze(chosen), at);
      }
    };
    for (const top of within ? [within] : roots().map(body).filter(Boolean)) visit(top, 0, false);
    return { texts, labels: [...labels].sort((a, b) => a - b) };
  };
};
