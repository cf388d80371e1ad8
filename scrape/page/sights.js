// sights.js is one function: where the elements stand that a recipe's selectors meet. It changes
// nothing.
//
//   page  what extract.js has made of it
//   auto  by the built-in recipe, which has no selectors
(page, auto) => {
  const { items, inner } = page,
    { met, textOf, visible, pairs, slug } = inner;
  const shownAtMost = 200, // elements of one selector
    longest = 200;
  const getter = (type, name) => {
    const { get } = Object.getOwnPropertyDescriptor(type.prototype, name);
    return (node) => get.call(node);
  };
  const documentOf = getter(Node, "ownerDocument"),
    root = getter(Document, "documentElement")(document);
  const rectOf = (el) => Element.prototype.getBoundingClientRect.call(el);

  // place returns where an element stands on the whole page, frames added up, in CSS pixels.
  const place = (el) => {
    const rect = rectOf(el);
    let { x, y } = rect;
    for (let win = documentOf(el).defaultView; win && win !== window && win.frameElement; win = win.parent) {
      const frame = rectOf(win.frameElement);
      x += frame.x + win.frameElement.clientLeft;
      y += frame.y + win.frameElement.clientTop;
    }
    return { x: x + window.scrollX, y: y + window.scrollY, width: rect.width, height: rect.height };
  };
  const sight = (el) => ({ ...place(el), seen: visible(el), text: textOf(el).slice(0, longest) });

  const found = met(items());
  if (auto) {
    for (const [name, , el] of pairs()) if (el) found.push({ where: "fields." + slug(name), els: [el] });
    found.push({ where: "documents", els: items() });
  }
  return {
    sights: found.map(({ where, els }) => ({ where, met: els.length, elements: els.slice(0, shownAtMost).map(sight) })),
    width: root.scrollWidth,
    height: root.scrollHeight,
  };
};
