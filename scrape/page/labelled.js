// labelled.js is one function: the values that a page shows under a label that people read,
// whatever the markup: [{el, value, seen}], where el may be missing. It changes nothing.
//
//   page    roots, query, visible, textOf, held and squeeze, see extract.js
//   names   the labels of all fields, none of which is a value
//   astray  whether an element is no part of the order that the page shows
//   own     the order's row, where the page is a list of orders
({ roots, query, visible, textOf, held, squeeze }, names, astray, own = () => null) => {
  const plain = (text) => squeeze(text).normalize("NFKC").toLowerCase();
  const norm = (text) => plain(text).replace(/[\s:*]+$/, "");
  const colon = (text) => /:[\s*]*$/.test(plain(text));
  const silent = "script, style, template, noscript, option, datalist",
    unread = silent + ", textarea"; // whose text is no label
  const buttons = "[type=hidden], [type=button], [type=submit], [type=reset], [type=image], [type=file]";
  const unsaid = "[type=password], [type=checkbox], [type=radio]"; // what these hold is no text to read
  const CONTROL = "input:not(" + buttons + ", " + unsaid + "), select, textarea";
  const FIELD = "input:not(" + buttons + "), select, textarea";
  const CELL = "td, th, [role=cell], [role=gridcell], [role=rowheader], [role=columnheader]";
  const TABLE = "table, [role=table], [role=grid], [role=treegrid]";
  const HEAD = "th, [role=columnheader], [role=rowheader]";
  // What bears the label and does something is none; what is as large as these is no value.
  const acting = "a, button, summary, [role=button], [role=tab], [role=link], [role=menuitem], nav, [role=navigation]";
  const part = "table, ul, ol, dl, form, section, article, h1, h2, h3, h4, h5, h6, [role=tabpanel], [role=region]";
  const larger = [acting, part, silent].join();
  const block =
    /^(address|article|aside|blockquote|body|dd|div|dl|dt|fieldset|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|tbody|td|th|tr|ul)$/;

  const dots = (el) => !!el && /^[:：]$/.test(squeeze(dom.text(el))); // a colon that stands alone
  const blank = (el) => !squeeze(dom.text(el)) && !inside(el, FIELD + ", img").length;

  const sign = (el) => el.localName + "." + (dom.attr(el, "class") || "");
  const inside = (el, selector) => [...Element.prototype.querySelectorAll.call(el, selector)];
  // behindRoots are the fields in the open shadow roots of an element, and of what is in it.
  const behindRoots = (el) => [el, ...inside(el, "*")].flatMap(shadowed).filter((one) => dom.matches(one, FIELD));
  // deep is the only control in the open shadow roots of an element that has no text of its own, or null.
  const shadowed = (el) =>
    dom.shadow(el) ? [...query(dom.shadow(el), "*")].flatMap((one) => [one, ...shadowed(one)]) : [];
  const deep = (el) => {
    const found = behindRoots(el);
    return found.length === 1 && dom.matches(found[0], CONTROL) ? found[0] : null;
  };
  // holding is what an element has for a value: its text, or what its only control holds.
  const holding = (el) => {
    if (dom.matches(el, unsaid)) return null;
    if (dom.matches(el, CONTROL)) return el;
    const controls = inside(el, FIELD);
    if (!controls.length) return (!squeeze(dom.text(el)) && deep(el)) || el;
    const rest = controls.reduce(
      (text, control) => text.replace(squeeze(dom.text(control)), ""),
      squeeze(dom.text(el)),
    );
    if (rest) return el;
    return controls.length === 1 && dom.matches(controls[0], CONTROL) ? controls[0] : null;
  };
  const known = new Set(names.map(norm));
  // struck: a line through it says that it does not hold any more.
  const line = /line-through/;
  const struck = (el) => {
    for (let at = el; at; at = dom.up(at)) {
      if (/^(s|del|strike)$/.test(at.localName) || line.test(dom.attr(at, "style") || "")) return true;
      const win = at.ownerDocument.defaultView;
      if (win && line.test(win.getComputedStyle(at).textDecorationLine)) return true;
    }
    return false;
  };
  // void: all that it says is struck; and rest is what of its text is not.
  const rest = (el) => {
    const crossed = (node) => node.nodeType === 1 && struck(node);
    const visit = (node) =>
      node.nodeType === 3
        ? node.data
        : crossed(node) || node.nodeType !== 1 || dom.matches(node, silent) || !visible(node)
          ? " "
          : [...node.childNodes].map(visit).join("");
    return squeeze([...el.childNodes].map(visit).join(""));
  };
  const marred = (el) =>
    inside(el, "*")
      .slice(0, 50)
      .some((one) => squeeze(dom.text(one)) && struck(one));
  const of = (label, el) => {
    const at = el && holding(el);
    if (!at || struck(at) || struck(label)) return null;
    if (dom.matches(at, FIELD)) return { el: at, value: held(at), seen: visible(label) && visible(at) };
    if (known.has(norm(textOf(at)))) return null;
    const value = dom.text(at).length <= 2000 && marred(at) ? rest(at) : held(at);
    if (!value && marred(at)) return null;
    return { el: at, value, seen: visible(label) && visible(at) };
  };
  // alike: two texts may both be the value of one label: an amount and its currency are none such.
  const amount = (text) => /^\D{0,5}\d[\d.,'\u2019 /-]*\D{0,5}$/.test(text);
  const alike = (one, other) => {
    const [a, b] = [one, other].map((el) => squeeze(dom.text(el)));
    if (!a || !b || known.has(norm(b)) || colon(b)) return false;
    const [x, y] = [a, b].map((text) => text.replace(/[\d.,'\u2019 /-]/g, ""));
    return (
      (amount(a) && amount(b) && (x === y || (!/%/.test(x + y) && (!x || !y)))) ||
      (sign(one) === sign(other) && ![a, b].some((text) => /\d/.test(text)) && a.length > 3 && b.length > 3)
    );
  };

  const told = (label, value) =>
    value && !known.has(norm(value)) && !struck(label) ? { value, at: label, seen: visible(label) } : null;

  // --- the forms of a label and its value ---

  const defined = (dt) => {
    const found = []; // none where another label follows: its value is that one's
    let dd = dt.nextElementSibling;
    for (; dd && dd.localName === "dd"; dd = dd.nextElementSibling) found.push(dd);
    return found;
  };
  const bold = (cell) => {
    const [only, ...others] = dom.children(cell);
    return (
      !!only &&
      !others.length &&
      /^(b|strong)$/.test(only.localName) &&
      squeeze(dom.text(only)) === squeeze(dom.text(cell))
    );
  };
  const headly = /(^|[-_\s])(th|hdr|head|heads|header|headers|heading|headings|columns?)([-_\s]|$)/i;
  // several are the values of a label: the next one that is not struck, and those behind it that are like it.
  const several = (next, others, label) => {
    const left = [next, ...others].filter((el) => !struck(el) && !(squeeze(dom.text(el)) && marred(el) && !rest(el)));
    if (!left.length) return [next];
    const ends = left.findIndex(
      (el, i) => i > 0 && (sign(el) === sign(label) || dom.matches(el, HEAD) || !alike(left[0], el)),
    );
    return left.slice(0, ends < 0 ? left.length : ends);
  };
  const beside = (cell, text) => {
    const row = dom.closest(cell, "tr, [role=row]"),
      table = dom.closest(cell, TABLE);
    if (!row || !table) return [];
    const cellsOf = (row) => [...dom.children(row)].filter((el) => dom.matches(el, CELL));
    const cells = cellsOf(row),
      at = cells.indexOf(cell),
      next = cells[at + 1],
      third = cells[at + 2];
    const rows = inside(table, "tr, [role=row]").filter((one) => dom.closest(one, TABLE) === table);
    const after = rows.slice(rows.indexOf(row) + 1).map(cellsOf);
    const spans = (one) => one.colSpan > 1 || one.rowSpan > 1;
    // under is the cell of a row below this one: some grids say of each cell in which column it is.
    const nth = dom.attr(cell, "aria-colindex");
    const under = (one) => {
      if (nth && one.some((el) => dom.has(el, "aria-colindex")))
        return one.find((el) => dom.attr(el, "aria-colindex") === nth);
      return one.length === cells.length ? one[at] : undefined;
    };
    const below = () => {
      const mine = own();
      if (mine) {
        // Only a cell that comes down to the order's row from above is in the way of it.
        const i = rows.indexOf(mine),
          first = rows.indexOf(row);
        const covers = (one, k) => cellsOf(one).some((el) => el.rowSpan > i - first - k);
        if (i <= first || [...cells, ...cellsOf(mine)].some(spans)) return [];
        if (rows.slice(first, i).some(covers)) return [];
        return [under(cellsOf(mine))].filter((one) => one && !colon(dom.text(one)));
      }
      if ([cells, ...after].flat().some(spans)) return [];
      const found = after.map(under).filter(Boolean);
      return found.some((one) => colon(dom.text(one))) ? [] : found; // they are labels, too
    };
    if (dots(next)) return third && !dom.matches(third, HEAD) && !colon(dom.text(third)) ? [third] : [];
    // A column that nothing stands in parts labels and values that do not look like labels.
    const unlike =
      third && sign(cell) !== sign(third) && (sign(next) !== sign(third) || (colon(text) && rows.length > 2));
    const parted = unlike && blank(next) && !dom.matches(third, HEAD) && !colon(dom.text(third));
    if (parted && rows.length > 1 && rows.map(cellsOf).every((one) => !one[at + 1] || blank(one[at + 1])))
      return [third];
    // What is bold is a head where not all is: else values are bold as well, as is what follows "Supplier:".
    const head = (el) => dom.matches(el, HEAD) || bold(el);
    const paired = colon(text) && next && !dom.matches(next, HEAD) && !colon(dom.text(next));
    const others = rows.filter((one) => one !== row).map(cellsOf);
    const tells =
      cells.every((el) => dom.matches(el, HEAD)) || !others.length || !others.every((one) => one.every(head));
    const headRow =
      headly.test(dom.attr(row, "class") || "") || cells.every((el) => headly.test(dom.attr(el, "class") || ""));
    const named = cells.length > 1 && others.length > 0 && rows[0] === row && headRow && !paired;
    const heads = named || (cells.length > 1 && cells.every(head) && !paired && tells);
    if (heads || dom.closest(cell, "thead") || dom.attr(cell, "scope") === "col") return below();
    if (!next || dom.matches(next, HEAD) || colon(dom.text(next))) return [];
    // Below columns of values, nobody knows of which of them the label is.
    const rest = cells.slice(at + 1).filter((el) => squeeze(textOf(el)));
    const columned = [...inside(table, "thead th"), ...inside(table, "tr:first-child > th + th")].length > 0;
    if (rest.length > 1 && columned && at === 0) return rest;
    // Of more than two cells that are all alike, nobody knows whether they are heads.
    const sure = cells.length === 2 || dom.matches(cell, HEAD) || colon(text) || sign(cell) !== sign(next);
    return sure ? several(next, cells.slice(at + 2), cell) : [next, ...below()];
  };
  // behind is the text directly behind an element, which that may be a label of.
  const behind = (el) => {
    let at = el.nextSibling;
    while (at && at.nodeType === 3 && !squeeze(at.data)) at = at.nextSibling;
    return at && at.nodeType === 3 ? squeeze(at.data) : "";
  };
  // linked reports whether nothing but links, with bars between them, follows in the same line: what one can do
  // with a value, such as seeing an address on a map.
  const linked = (node) => {
    for (let at = node; at; at = at.nextSibling) {
      if (at.localName === "br" || block.test(at.localName)) return true;
      if (at.nodeType === 3 ? /[^\s|]/.test(at.data) : at.nodeType === 1 && at.localName !== "a") return false;
    }
    return true;
  };
  // inline is the text behind a label in the same line, up to what looks like the next label.
  const inline = (node, begun, like) => {
    let text = begun,
      held = null;
    const seen = visible(node.nodeType === 1 ? node : dom.up(node));
    for (let at = node.nextSibling; at; at = at.nextSibling) {
      if (at.nodeType === 3) {
        const said = squeeze(text) ? at.data : at.data.replace(/^\s*[:：]/, "");
        if (/:(\s|$)/.test(said)) break;
        text += said;
        continue;
      }
      if (at.nodeType !== 1 || dom.matches(at, silent) || (seen && !visible(at) && at.localName !== "br")) continue;
      if (at.localName === "br" || block.test(at.localName)) break;
      if (dom.matches(at, FIELD)) {
        held = squeeze(text) ? held : at;
        break;
      }
      if (dom.matches(at, "button, [role=button]") || struck(at)) continue;
      if (/[^\s|]\s*\|\s*$/.test(text) && linked(at)) {
        text = text.replace(/\|\s*$/, "");
        break;
      }
      if (colon(dom.text(at)) || (like && sign(at) === like && (squeeze(text) || behind(at)))) break;
      text += " " + (textOf(at) || dom.text(at));
    }
    return { held, text: squeeze(text) };
  };
  const pair = (label, text) => {
    let next = label.nextElementSibling,
      alone = false;
    const passed = (el) =>
      dots(el) || (dom.matches(el, "i, svg, img, button, [role=button], script, style") && !squeeze(dom.text(el)));
    for (; next && (passed(next) || (sign(next) !== sign(label) && struck(next))); next = next.nextElementSibling)
      alone ||= dots(next);
    if (!next || (next.localName !== "a" && (dom.matches(next, larger) || inside(next, part).length))) return [];
    if (squeeze(dom.text(next)).length > 500 || colon(dom.text(next))) return [];
    if (sign(label) !== sign(next) || colon(text) || alone) {
      const others = [];
      for (let at = next.nextElementSibling; at && !dom.matches(at, larger); at = at.nextElementSibling)
        others.push(at);
      return several(next, others, label);
    }
    const outer = label.parentNode; // an element, or a shadow root
    if (dom.children(outer).length !== 2 || behind(next)) return [];
    // Two columns of two could be labels and values, as two rows could.
    const around = dom.up(outer) ? [...dom.children(dom.up(outer))] : [];
    const other = around.length === 2 && around.find((el) => el !== outer);
    const alike = other && sign(other) === sign(outer) && dom.children(other).length === 2;
    return alike && around[0] === outer ? [next, dom.children(other)[0]] : alike ? [next, next] : [next];
  };

  // above is the value over a label that stands below it, as on cards with figures. What tells that from a label over
  // its value are the others like it: no label has a digit in it, and values have.
  const pairs = new Map(); // by signs: whether the second ones are labels
  const above = (label) => {
    const [first, last, ...more] = dom.children(label.parentNode); // an element, or a shadow root
    if (last !== label || more.length || sign(first) === sign(last)) return [];
    if (dom.matches(first, acting + ", " + silent + ", table, ul, ol, dl, form") || inside(first, part).length)
      return [];
    const key = sign(first) + ">" + sign(last);
    if (!pairs.has(key)) {
      const alike = [...query(label.getRootNode(), last.localName)].filter((el) => {
        const before = el.previousElementSibling;
        return before && dom.children(el.parentNode).length === 2 && sign(before) + ">" + sign(el) === key;
      });
      const numbered = (els) => els.filter((el) => /\d/.test(dom.text(el))).length;
      const labels = numbered(alike), // such as "VAT 20 %"
        values = numbered(alike.map((el) => el.previousElementSibling));
      const tell = alike.length > 2 && values > 0 && (!labels || (6 * labels <= alike.length && 3 * labels <= values));
      pairs.set(key, tell);
    }
    return pairs.get(key) && squeeze(dom.text(first)).length <= 200 ? [first] : [];
  };

  const bySigns = (label, text) => {
    const within = (selector) => (dom.matches(label, selector) ? label : inside(label, selector)[0]);
    const dt = within("dt"),
      cell = within(CELL),
      tag = dom.closest(label, "label") || within("label");
    if (dt) return defined(dt).map((dd) => of(dt, dd));
    if (cell) return beside(cell, text).map((el) => of(cell, el));
    if (tag && tag.control) return [of(tag, tag.control)];
    // What a control holds is no text of what is around it.
    const controls = inside(label, CONTROL),
      own = (controls.length ? controls : behindRoots(label)).filter((el) => visible(el) || !visible(label));
    if (own.length) return own.length === 1 ? [of(label, own[0])] : [];
    const ids = [label, ...inside(label, "[id]")].map((el) => el.id).filter(Boolean);
    const root = label.getRootNode();
    const named = ids.flatMap((id) => [...query(root, '[aria-labelledby~="' + CSS.escape(id) + '"]')]);
    const fit = named.filter((el) => !dom.matches(el, part + ", [role=dialog], [role=group], [role=list], " + acting));
    if (fit.length) return fit.map((el) => of(label, el));
    if (dom.closest(label, acting)) return [];
    let at = label.nextSibling;
    while (at && at.nodeType === 3 && !squeeze(at.data)) at = at.nextSibling;
    if (at && (at.localName === "br" || at.nodeType === 3)) {
      const { held, text } = inline(at.nodeType === 3 ? label : at, "", sign(label));
      return held ? [of(label, held)] : [told(label, text)];
    }
    // What stands under a heading may be its part of the page.
    const weak = !!dom.closest(label, "h1, h2, h3, h4, h5, h6, [role=heading]");
    if (!label.nextElementSibling) return above(label).map((el) => ({ ...of(label, el), weak: true }));
    return pair(label, text).map((el) => ({ ...of(label, el), weak }));
  };

  // reads reports whether an element's text is the label, but for what nobody sees of it.
  const reads = (el, text, want) =>
    norm(text) === want || (el.childElementCount > 0 && plain(text).includes(want) && norm(textOf(el)) === want);
  // bears reports whether the label that an element is called by stands in it, too.
  const bears = (el, want) =>
    plain(dom.text(el)).includes(want) && inside(el, "*").some((one) => reads(one, dom.text(one), want));
  // heading is the text of what an element stands under and looks like a heading, or "". What has more in it than a
  // heading is another part of the page.
  const HEADING = "h1, h2, h3, h4, h5, h6, [role=heading], legend, caption, summary";
  const heading = (el) => {
    for (let at = el; at && at.localName !== "body"; at = dom.up(at)) {
      for (let before = at.previousElementSibling; before; before = before.previousElementSibling) {
        const own = headOf(before, at);
        if (own && textOf(own)) return textOf(own);
      }
    }
    return "";
  };
  // headOf returns the heading that an element is, or has and nothing else, before another one.
  const titled =
    /(^|[-_\s])(title|heading|headline|header|head|caption|legend)([-_\s]|$)|[a-z](Title|Header|Heading)\b/;
  const headOf = (el, at) => {
    if (dom.matches(el, HEADING)) return el;
    if (el.localName === "tr") {
      const cells = [...dom.children(el)];
      return cells.length === 1 && (cells[0].colSpan > 1 || dom.matches(cells[0], "th")) ? cells[0] : null;
    }
    const own = inside(el, HEADING)[0],
      card = dom.attr(el, "class") && sign(el) === sign(at); // it is beside it, and stands under its own heading
    if (own) return !card && heads(el, own) ? own : null;
    const text = squeeze(dom.text(el)),
      under = el.nextElementSibling;
    if (!text || text.length > 80 || card || !under || dom.matches(el, larger + ", dt, dd, th, td, label")) return null;
    // What stands over a mere text may be its label.
    if (!inside(under, "*").length && !dom.matches(under, part) && !/[:：]/.test(dom.text(under))) return null;
    if (colon(text) && !dom.matches(under, part)) return null;
    const only = bold(el) || /^(b|strong)$/.test(el.localName);
    return only || titled.test(dom.attr(el, "class") || "") ? el : null;
  };
  // heads reports whether an element has a heading, controls, a few words beside it, and nothing else.
  const heads = (el, own) => {
    const beside = [own, ...inside(el, "a, button").filter((one) => !own.contains(one))];
    const rest = beside.reduce((text, one) => text.replace(squeeze(dom.text(one)), ""), squeeze(dom.text(el))).trim();
    return (
      !rest ||
      (rest.length <= 40 &&
        inside(el, HEADING).length === 1 &&
        !inside(el, larger + ", p, " + FIELD).some(
          (one) => one !== own && !own.contains(one) && !one.contains(own) && !dom.matches(one, acting),
        ) &&
        dom.matches(el, "div, header, span"))
    );
  };
  // labelled returns the values under a label; frame is the selector of the frames to look in, and under the heading
  // that they stand under, if that counts. Among returns which elements and texts of a root to look at, where that is
  // known.
  const labelled = (label, frame, under, among) => {
    const want = norm(label),
      found = [];
    for (const root of roots(frame)) {
      const equal = new Set();
      for (const el of among ? among(root).elements(want) : query(root, "*")) {
        if (el.localName === "html" || el.localName === "body" || dom.matches(el, unread)) continue;
        const said = dom.attr(el, "aria-label");
        if (said && norm(said) === want && !dom.matches(el, acting + ", " + part) && !bears(el, want))
          found.push(of(el, el));
        const text = dom.text(el);
        if (text.length > 4 * want.length + 200 || !reads(el, text, want)) continue;
        equal.add(el);
        if (equal.has(dom.up(el))) continue;
        const values = bySigns(el, text).filter((one) => one && one.value !== undefined);
        found.push(...values);
        if (!values.length && unanswered(el)) found.push({ at: el, value: undefined, seen: true, bare: true });
      }
      found.push(...spoken(root, want, equal, among && among(root).texts(want)));
    }
    const asked = (one) => !under || norm(heading(one.el || one.at)) === norm(under);
    const fit = found.filter((one) => one && !astray(one.el || one.at) && asked(one)),
      all = fit.filter((one) => one.value !== undefined),
      bare = fit.filter((one) => one.bare),
      seen = all.filter((one) => one.seen);
    // What is hidden is not the value of a label that is seen; and where one of two has a value that cannot be
    // read, nobody knows whether the other's is meant.
    if (bare.length) return [...seen, ...bare];
    const best = seen.length ? seen : all;
    return best.some((one) => !one.weak) ? best.filter((one) => !one.weak) : best;
  };
  // unanswered: it looks like the label of a value that is not read: no heading, head of a column, way to
  // somewhere, entry of a list, value, nor the label of a box to tick.
  const unanswered = (el) => {
    const next = el.nextElementSibling,
      does = dom.closest(el, acting);
    if (!visible(el) || struck(el)) return false;
    if (does) return does === el && !!next && !dom.matches(next, acting) && amount(squeeze(dom.text(next)));
    const cell = dom.matches(el, CELL) ? el : inside(el, CELL)[0],
      tag = dom.closest(el, "label") || inside(el, "label")[0];
    return (
      !cell &&
      !(tag && tag.control) &&
      !dom.closest(el, "dd, li, td, th, p, h1, h2, h3, h4, h5, h6, [role=heading], legend, caption, [role=listbox]") &&
      !inside(el, "li, h1, h2, h3, h4, h5, h6, [role=heading], " + acting).length
    );
  };
  // spoken are the values that stand behind a label within one text.
  const spoken = (root, want, equal, texts = textsOf(root)) => {
    const found = [];
    for (const node of texts) {
      const outer = dom.up(node);
      if (!outer || equal.has(outer) || dom.closest(outer, unread) || dom.closest(outer, acting)) continue;
      for (const line of dom.closest(outer, "pre") ? node.data.split("\n") : [node.data]) {
        if (!plain(line).startsWith(want)) continue;
        const at = [...line.matchAll(/[:：]|$/g)].find((m) => norm(line.slice(0, m.index)) === want);
        if (!at) continue;
        const begun = line.slice(at.index + 1);
        const { held, text: value } = dom.closest(outer, "pre") ? { text: squeeze(begun) } : inline(node, begun, "");
        if (held) found.push(of(outer, held));
        else found.push(told(outer, value));
      }
    }
    return found;
  };
  const textsOf = (root) => {
    const start = root.nodeType === 9 ? root.documentElement : root,
      texts = [];
    if (!start) return texts; // a document may have no element, or not yet
    const walker = (root.ownerDocument || root).createTreeWalker(start, 4);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(node);
    return texts;
  };
  return { labelled, heading, norm, textsOf };
};
