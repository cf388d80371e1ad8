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
    CODE.test(el.localName) ||
    (el.matches(FRAME) && !el.closest(OWN)) ||
    (el.localName === "a" && el.hasAttribute("href") && leads(el)) ||
    (el.matches(LIST) && ofOrders(el));

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
      for (const node of (el.shadowRoot || el).childNodes) {
        if (node.nodeType === 1) {
          const n = (counts[node.localName] = (counts[node.localName] ?? 0) + 1);
          visit(node, hash(at + node.localName + n), list);
        } else if (node.nodeType === 3) {
          const text = squeeze(node.data);
          if (!text || text.length > longest || !visible(el)) continue;
          add(text, at);
          if (!list && (LABEL.test(el.localName) || el.getAttribute("role") === "heading")) label(text);
          else if (!list && /^\P{N}{1,40}?[:：]/u.test(text)) label(text.replace(/[:：].*$/su, ""));
        }
      }
      if (/^(?:input|textarea|select)$/.test(el.localName) && visible(el)) {
        const chosen = el.localName === "select" ? el.selectedOptions[0]?.textContent : el.value,
          ours = rule.acts && el.value !== el.defaultValue;
        if (!ours && !/^(?:password|hidden|submit|button|checkbox|radio|search)$/.test(el.type))
          add(squeeze(chosen), at);
      }
    };
    for (const top of within ? [within] : roots().map(body).filter(Boolean)) visit(top, 0, false);
    return { texts, labels: [...labels].sort((a, b) => a - b) };
  };
};
