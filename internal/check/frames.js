// frames.js draws frames around what selectors have met, with their names, for a person who looks
// at the page. They let clicks through, and go with the page.
(frames) => {
  const thickness = 2;
  const host = document.createElement("div");
  host.style.cssText = "all: initial; position: absolute; left: 0; top: 0; z-index: 2147483647; pointer-events: none";
  const root = host.attachShadow({ mode: "closed" });
  const add = (parent, css, text) => {
    const el = document.createElement("div");
    el.style.cssText = css;
    el.textContent = text;
    parent.append(el);
    return el;
  };
  for (const { name, colour, elements } of frames)
    for (const [i, { x, y, width, height }] of elements.entries()) {
      const frame = add(
        root,
        `position: absolute; box-sizing: border-box; border: ${thickness}px solid ${colour};
          left: ${x - thickness}px; top: ${y - thickness}px;
          width: ${width + 2 * thickness}px; height: ${height + 2 * thickness}px`,
        "",
      );
      if (i > 0) continue;
      add(
        frame,
        `position: absolute; left: -${thickness}px; ${y < 20 ? "top: 100%" : "bottom: 100%"}; padding: 1px 4px;
          background: ${colour}; color: white; font: 12px/14px sans-serif; white-space: nowrap`,
        name,
      );
    }
  document.documentElement.append(host);
};
