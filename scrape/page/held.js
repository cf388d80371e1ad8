// held.js is one function: the value of an element that has controls in it, as a person reads
// it: its text, with what each control holds in the control's place. A list of choices is read
// as the one that was chosen, and a button or a bare mark that leads elsewhere ("?") as nothing.
//
//   page  visible, textOf and squeeze, see extract.js
({ visible, textOf, squeeze }) => {
  const CONTROL = "select, textarea, input:not([type=hidden])";
  const silent = "script, style, template, noscript, datalist, button, [role=button], input[type=password]";
  const label = /^(submit|button|reset|image|file|checkbox|radio)$/; // what such inputs hold is no text to read
  const inline = /^(a|abbr|b|bdi|bdo|big|code|em|font|i|mark|s|small|span|strong|sub|sup|tt|u)$/;
  const bare = (el) => el.localName === "a" && !/[\p{L}\p{N}]/u.test(dom.text(el));
  // next: the label of something else, with which the value ends.
  const next = (el) => dom.matches(el, "th, dt") || (el.localName === "label" && el.control && !ticks(el.control));
  const ticks = (el) => /^(checkbox|radio)$/.test(el.type);
  // left: a radio button that was not chosen, the label of which says what is not so.
  const left = (el) => el.localName === "input" && el.type === "radio" && !el.checked;

  const holds = (el) => Element.prototype.querySelector.call(el, CONTROL) !== null;
  const text = (outer) => {
    const seen = visible(outer);
    let said = "",
      passing = false,
      ended = false;
    const visit = (node) => {
      if (ended) return;
      if (node.nodeType === 3) said += passing ? "" : node.data;
      if (node.nodeType !== 1 || dom.matches(node, silent) || bare(node) || (seen && !visible(node))) return;
      if (dom.matches(node, CONTROL)) {
        passing = left(node);
        if (!label.test(node.type)) said += " " + textOf(node) + " ";
        return;
      }
      if (node.localName === "label" && node.control && left(node.control)) return;
      if (next(node) && squeeze(said)) {
        ended = true;
        return;
      }
      const apart = inline.test(node.localName) ? "" : " ";
      said += apart;
      for (const child of node.childNodes) visit(child);
      said += apart;
    };
    for (const child of outer.childNodes) visit(child);
    return squeeze(said);
  };
  return (el) => (el && !dom.matches(el, CONTROL) && holds(el) ? text(el) : textOf(el));
};
