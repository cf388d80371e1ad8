// paper.js is one function: it returns what a print of the page shows, and what it would lack. Where
// keep is true, it also keeps what that is at each time that the page is printed. shows is a selector of
// what has to be on the paper, or empty, and widest how far to the right paper reaches, or 0 for a screen.
({ keep, shows, widest }) => {
  const words = (text) => text.replace(/\s+/g, " ").trim();
  const visible = (el) => el.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const named = (el) => {
    const first = el.classList[0];
    return el.localName + (el.id ? `#${el.id}` : first ? `.${first}` : "");
  };
  // roots are the document, its open shadow roots, and those of its frames that can be looked into.
  const roots = (root = document) => {
    const found = [root];
    for (const el of dom.all(root, "*")) {
      if (dom.shadow(el)) found.push(...roots(dom.shadow(el)));
      if (/^i?frame$/.test(el.localName) && el.contentDocument?.body && visible(el))
        found.push(...roots(el.contentDocument));
    }
    return found;
  };
  const up = (el) => el.assignedSlot ?? dom.up(el) ?? el.getRootNode().host;

  const look = () => {
    if (!/^(text\/html|application\/xhtml\+xml)$/.test(document.contentType) || !document.body) {
      return { type: document.contentType };
    }
    if (document.body.localName === "frameset") return { frames: true };
    const everywhere = roots();
    const all = (selector) => everywhere.flatMap((root) => [...dom.all(root, selector)]).filter(visible);
    const memo = (known, make) => (el) => known.get(el) ?? known.set(el, make(el)).get(el);
    const styleOf = memo(new Map(), (el) => getComputedStyle(el));
    const seen = memo(new Map(), visible);

    // --- where a text is ---

    // The page's own scroll is that of its root, or of its body where the root has none: paper takes it whole.
    const pageScrolls = (el) => {
      const { documentElement: root, body } = el.ownerDocument;
      return el === root || (el === body && styleOf(root).overflowY === "visible");
    };
    // What cuts off what is outside of it: its place without borders, or null.
    const clip = memo(new Map(), (el) => {
      const { overflowX, overflowY, display } = styleOf(el);
      const x = overflowX !== "visible",
        y = overflowY !== "visible";
      const boxless = /^(inline|contents|table-row.*|table-column.*)$/.test(display);
      if ((!x && !y) || boxless || pageScrolls(el) || /svg$/.test(el.namespaceURI)) return {};
      const box = el.getBoundingClientRect();
      const [left, top] = [box.left + el.clientLeft, box.top + el.clientTop];
      const [right, bottom] = [left + el.clientWidth, top + el.clientHeight];
      return { x, y, left, top, right, bottom, none: el.clientWidth <= 2 || el.clientHeight <= 2 };
    });
    const beside = (at, left, right) => at.right > right + 3 || at.left < left - 3;
    const below = (at, top, bottom) => Math.min(at.bottom, bottom) - Math.max(at.top, top) < at.height / 2;
    const hidden = "hidden";
    // replaced: a picture stands in its place.
    const replaced = (el, at, c) =>
      styleOf(el).backgroundImage !== "none" && (at.left >= c.right || at.right <= c.left || at.top >= c.bottom);
    // place says of a part of a text in an element that it is "hidden", as for readers of screens alone, or by
    // what it is cut off; it is "" for what is on paper.
    const place = (el, at) => {
      const win = el.ownerDocument.defaultView;
      if (at.right + win.scrollX <= 0 || at.bottom + win.scrollY <= 0) return hidden;
      let out = ""; // the position by which it is out of the boxes around it
      for (let e = el; e; e = up(e)) {
        const { position, transform } = styleOf(e);
        if (out && transform === "none" && (out === "fixed" || position === "static")) continue;
        const c = clip(e);
        if (c.none || (c.x && replaced(e, at, c))) return hidden;
        if ((c.x && beside(at, c.left, c.right)) || (c.y && below(at, c.top, c.bottom))) return named(e);
        out = /^(absolute|fixed)$/.test(position) ? position : "";
      }
      if (win !== window)
        return beside(at, 0, win.innerWidth) || below(at, 0, win.innerHeight) ? named(win.frameElement) : "";
      if (!widest || at.right + scrollX <= widest + 3) return "";
      const off = [document.documentElement, document.body].some((e) => /hidden|clip/.test(styleOf(e).overflowX));
      return out === "fixed" || (off && at.left + scrollX >= widest) ? hidden : "the page";
    };

    // --- its texts ---

    const blockOf = memo(new Map(), (el) => {
      let e = el;
      while (e && /^(inline.*|contents)$/.test(styleOf(e).display)) e = up(e);
      return e;
    });
    // site is what is around the pages of a site, and frame what else is no part of what a page is about.
    const part = ":not(main *, article *, section *)";
    const site =
      `nav, [role=navigation], [aria-hidden=true], header${part}, footer${part}, button, [role=button], ` +
      "[role=banner], [role=contentinfo], [role=search], [class*=cookie i], [class*=consent i]";
    const frame = site + ", aside, dialog, [role=dialog]";
    const around = (el, selector) => {
      for (let e = el; e; e = e.getRootNode().host) if (dom.closest(e, selector)) return true;
      return false;
    };
    const range = document.createRange();
    const partsOf = (node) => {
      range.selectNodeContents(node);
      return [...range.getClientRects()].filter((at) => at.width > 1 && at.height > 1);
    };
    let cut = "";
    const texts = []; // what is on paper: where, and in which element
    const add = (el, text, parts) => {
      const places = parts.map((at) => place(el, at));
      if (!cut && !around(el, site)) cut = places.find((at) => at && at !== hidden) ?? "";
      const on = parts.filter((_, i) => places[i] === "");
      if (on.length) texts.push({ el, text, on });
    };
    const typed =
      "input:is(:not([type]), [type=text i], [type=search i], [type=email i], " +
      "[type=tel i], [type=url i], [type=number i])";
    const held = typed + ", input[type=date i], textarea, select";
    for (const root of everywhere) {
      const nodes = root.ownerDocument ?? root;
      const walker = nodes.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
      while (walker.nextNode()) {
        const node = walker.currentNode;
        if (node.nodeType === 1) {
          if (!dom.matches(node, held) || !seen(node)) continue;
          const options = [...(node.selectedOptions ?? [])].map((o) => o.text);
          const text = node.localName === "select" ? options.join("\n") : node.value;
          if (words(text))
            add(
              node,
              text,
              [node.getBoundingClientRect()].filter((at) => at.width > 1),
            );
          const larger = node.scrollHeight > node.clientHeight + 4 || node.scrollWidth > node.clientWidth + 4;
          const boxed = typed + ", textarea, select[multiple], select[size]:not([size='1'])";
          if (!cut && larger && words(text) && dom.matches(node, boxed) && !around(node, site)) cut = named(node);
          continue;
        }
        const el = dom.up(node) ?? root.host;
        if (!el || words(node.data) === "" || dom.closest(el, "script, style, noscript, template, select, textarea"))
          continue;
        if (seen(el)) add(el, node.data, partsOf(node));
      }
    }
    let text = "",
      last = null;
    for (const one of texts) {
      const block = blockOf(one.el);
      if (block !== last) text += /^t[dh]$/.test(block?.localName) && last ? "\t" : "\n";
      last = block;
      text += one.text;
    }

    // --- what covers them ---

    const opaque = (el) => {
      const { backgroundColor: color, backgroundImage: image } = styleOf(el);
      const alpha = color.match(/^rgba\(.*, *([\d.]+)\)$/);
      return seen(el) && (image !== "none" || (alpha ? alpha[1] >= 0.5 : color !== "transparent"));
    };
    const covers = (el) => {
      const inner = [el, ...dom.all(el, "*")].slice(0, 200).filter(opaque);
      const boxes = inner.map((e) => e.getBoundingClientRect()).filter((box) => box.width > 2 && box.height > 2);
      const under = ({ left, top, width, height }) =>
        boxes.some((box) => {
          const [x, y] = [left + width / 2, top + height / 2];
          return box.left < x && x < box.right && box.top < y && y < box.bottom;
        });
      return texts.some((one) => !around(one.el, frame) && !el.contains(one.el) && one.on.some(under));
    };
    const above = (el) => {
      const { position, zIndex } = styleOf(el);
      return position === "fixed" || (position === "absolute" && zIndex > 0) || dom.matches(el, ":modal");
    };
    const cover = all("body *").find((el) => above(el) && el.ownerDocument === document && covers(el));

    // --- pictures and frames ---

    const pictured = (el) => (el.localName === "img" ? el.naturalWidth > 0 : el.getBoundingClientRect().width > 0);
    // What counts visits has a pixel for a picture.
    const tiny = (el) =>
      [dom.attr(el, "width"), dom.attr(el, "height"), el.style.width, el.style.height].some(
        (size) => size && parseFloat(size) <= 2 && !size.endsWith("em"),
      );
    const broken = (img) => dom.attr(img, "src") && img.complete && img.naturalWidth === 0 && !tiny(img);
    const large = (el, least = 50) => {
      const box = el.getBoundingClientRect();
      return box.width >= 50 && box.height >= least;
    };
    const behind = (el) => [...styleOf(el).backgroundImage.matchAll(/url\("([^"]*)"\)/g)].map((m) => m[1]);
    const resolved = (el) => new URL(dom.attr(el, "href") ?? dom.attr(el, "xlink:href") ?? "", el.baseURI).href;
    const source = (el) => el.src || el.data || "";
    const holdsPDF = (el) =>
      /^application\/pdf\b/i.test(dom.attr(el, "type") || el.contentDocument?.contentType || "") ||
      /\.pdf$/i.test(source(el).replace(/[?#].*/, ""));
    const within = all("embed, object, iframe").filter((el) => large(el));
    // hole: a frame that shows nothing, or what nobody can look into though it is the page's own host's.
    const hole = (el) => {
      const doc = el.contentDocument;
      const [entry] = performance.getEntriesByName(source(el)).slice(-1);
      if (entry?.responseStatus >= 400) return true;
      if (doc) return words(doc.body?.innerText ?? "") === "" && !dom.first(doc, "img, canvas, svg, video, iframe");
      return new URL(source(el) || location.href, location.href).origin === location.origin;
    };
    const empty = within.find((el) => el.localName === "iframe" && !holdsPDF(el) && hole(el));
    const met = shows ? everywhere.flatMap((root) => [...dom.all(root, shows)]) : [];
    const says = (one) => /[\p{L}\p{N}]/u.test(one.text);
    const holds = (el, inner) => {
      for (let e = inner; e; e = up(e)) if (e === el) return true;
      return false;
    };
    return {
      text: text.trim(),
      words: words(texts.map((one) => one.text).join(" ")),
      main: words(
        texts
          .filter((one) => !around(one.el, frame))
          .map((one) => one.text)
          .join(" "),
      ),
      shown: met.some((el) => texts.some((one) => says(one) && holds(el, one.el))),
      blank: words(text) === "" && !all("img, canvas, svg, video, iframe").some(pictured),
      cut,
      covered: cover ? named(cover) : "",
      broken: all("img")
        .filter(broken)
        .map((img) => img.currentSrc || img.src),
      pictures: [
        ...all("body, body *")
          .filter((el) => large(el, 20))
          .flatMap(behind),
        ...all("svg image").map(resolved),
        ...within.map(source),
      ],
      pdf: within.filter(holdsPDF).map(named)[0] || "",
      empty: empty ? named(empty) : "",
    };
  };
  if (keep) {
    const kept = new Map();
    globalThis.keptPrints = kept;
    addEventListener("beforeprint", () => {
      const paper = look();
      kept.set(JSON.stringify(paper), paper);
    });
  }
  return look();
};
