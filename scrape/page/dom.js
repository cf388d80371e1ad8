// dom.js asks nodes for what every one of them has: a form has the names of its fields for properties, and one
// may be called "children" or "matches".
(() => {
  const of = (type, name) => Object.getOwnPropertyDescriptor(type.prototype, name).get;
  const { matches, closest, getAttribute, hasAttribute } = Element.prototype;
  // by returns what nodes of each kind have by this name: elements, documents, and fragments such as shadow roots.
  const by = (get) => ({ 1: get(Element), 9: get(Document), 11: get(DocumentFragment) });
  const all = by((type) => type.prototype.querySelectorAll),
    first = by((type) => type.prototype.querySelector),
    children = by((type) => of(type, "children"));
  const kind = of(Node, "nodeType"),
    parent = of(Node, "parentElement"),
    content = of(Node, "textContent"),
    namespace = of(Element, "namespaceURI"),
    inner = of(HTMLElement, "innerText"),
    shadow = of(Element, "shadowRoot");
  return {
    up: (node) => parent.call(node),
    children: (node) => children[kind.call(node)].call(node),
    all: (node, selector) => all[kind.call(node)].call(node, selector),
    first: (node, selector) => first[kind.call(node)].call(node, selector),
    text: (node) => content.call(node),
    shown: (el) => (namespace.call(el) === "http://www.w3.org/1999/xhtml" ? inner.call(el) : undefined),
    shadow: (node) => (kind.call(node) === 1 ? shadow.call(node) : null),
    matches: (el, selector) => matches.call(el, selector),
    closest: (el, selector) => closest.call(el, selector),
    attr: (el, name) => getAttribute.call(el, name),
    has: (el, name) => hasAttribute.call(el, name),
  };
})();
