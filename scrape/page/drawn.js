// drawn.js is one function: in what the text of a value differs from what people see of it.
({ visible, flat }) => {
  // What is drawn beside an amount or a date and its text does not tell: digits that stand higher or
  // lower than those before them, and what styles put there, such as a sign.
  const added = (el) => {
    const found = [];
    for (const at of [el, ...[...dom.all(el, "*")].slice(0, 50)]) {
      if (!visible(at)) continue;
      const raised = flat ? dom.matches(at, "sup, sub") : /^su(per|b)$/.test(getComputedStyle(at).verticalAlign),
        text = dom.text(at).trim();
      if (at !== el && raised && /^\d/.test(text) && /\d\s*$/.test(at.previousSibling?.textContent ?? ""))
        found.push("raised: " + text);
      for (const side of flat ? [] : ["::before", "::after"]) {
        const [, drawn] = getComputedStyle(at, side).content.match(/^"(.*)"$/) || [];
        if (drawn && /[\p{L}\p{N}\p{Pd}\u2212+()%]/u.test(drawn))
          found.push("drawn " + side.slice(2) + " it: " + drawn);
      }
    }
    return found;
  };

  // faded: a style of its own, or around it within the value, leaves nothing of it to see.
  const faded = (at, el) => {
    for (; at && at !== el; at = dom.up(at)) if (getComputedStyle(at).opacity === "0") return true;
    return false;
  };
  // digitsOf are the digits of a value, with their places on the page. joined: it stands right behind
  // the one before, or behind a mark within one number.
  const digitsOf = (el) => {
    const texts = el.ownerDocument.createTreeWalker(el, 4),
      range = el.ownerDocument.createRange(),
      digits = [];
    let gap = " ";
    for (let node; digits.length < 60 && (node = texts.nextNode()); ) {
      if (!visible(dom.up(node)) || dom.matches(dom.up(node), "script, style, template")) continue;
      const hidden = faded(dom.up(node), el);
      for (let i = 0; i < node.data.length && digits.length < 60; i++) {
        if (!/\d/.test(node.data[i])) {
          gap += node.data[i];
          continue;
        }
        range.setStart(node, i);
        range.setEnd(node, i + 1);
        const box = range.getBoundingClientRect();
        digits.push({
          digit: node.data[i],
          box,
          seen: !hidden && box.width * box.height > 0,
          joined: /^[.,]?$/.test(gap),
        });
        gap = "";
      }
    }
    return digits;
  };
  // behind reports whether people read one before the other that its text has behind it.
  const behind = (a, b) => {
    const line = Math.abs(a.top - b.top) < Math.max(a.height, b.height) / 2;
    return line ? b.left < a.left - 1 : b.bottom <= a.top + 1;
  };
  // other: digits that nobody sees among others, and numbers whose digits people see in another order.
  const other = (el) => {
    if (flat || !visible(el)) return [];
    const digits = digitsOf(el),
      seen = digits.filter((one) => one.seen),
      found = [];
    if (seen.length && seen.length < digits.length)
      found.push(
        "not to be seen: " +
          digits
            .filter((one) => !one.seen)
            .map((one) => one.digit)
            .join(""),
      );
    if (
      digits.some((one, i) => i && one.joined && one.seen && digits[i - 1].seen && behind(digits[i - 1].box, one.box))
    )
      found.push("shown in another order");
    return found;
  };
  return { added, other };
};
