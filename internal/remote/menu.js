// Finds the drop-down list that a person opens, and chooses of it. It runs beside the page's
// own scripts, in a world that they cannot reach.
globalThis.poscrapeMenu = (() => {
  "use strict";
  let list = null;

  const isList = (element) =>
    element && element.localName === "select" && !element.disabled && !element.multiple && element.size < 2;

  const inside = (frame) => {
    try {
      return frame.contentDocument;
    } catch {
      return null; // of another origin
    }
  };

  const offer = (element) => {
    list = isList(element) ? element : null;
    if (!list) return [];
    list.focus();
    return Array.from(list.options, (option) => ({
      label: option.label.slice(0, 200),
      group: option.parentNode.localName === "optgroup" ? option.parentNode.label.slice(0, 200) : "",
      disabled: option.disabled || !!option.parentNode.disabled,
      selected: option.selected,
    }));
  };

  const at = (x, y) => {
    let root = document;
    let element = null;
    for (;;) {
      const found = root.elementFromPoint(x, y);
      if (!found || found === element) return offer(element);
      element = found;
      const frame = /^i?frame$/.test(element.localName) && inside(element);
      if (frame) {
        const box = element.getBoundingClientRect();
        x -= box.left + element.clientLeft;
        y -= box.top + element.clientTop;
        root = frame;
      } else if (element.shadowRoot) {
        root = element.shadowRoot;
      } else {
        return offer(element);
      }
    }
  };

  const focused = () => {
    let element = document.activeElement;
    for (;;) {
      const frame = element && /^i?frame$/.test(element.localName) && inside(element);
      const next = frame ? frame.activeElement : element && element.shadowRoot && element.shadowRoot.activeElement;
      if (!next) return offer(element);
      element = next;
    }
  };

  const choose = (index) => {
    if (!list || index < 0 || index === list.selectedIndex) return;
    list.selectedIndex = index;
    for (const type of ["input", "change"])
      list.dispatchEvent(new Event(type, { bubbles: true, composed: type === "input" }));
  };

  return { at, focused, choose };
})();
