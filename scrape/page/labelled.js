// labelled.js is one function: the values that a page shows under a label that people read,
// whatever the markup: [{el, value, seen}], where el may be missing. It changes nothing.
//
//   page    roots, query, visible, textOf, held and squeeze, see extract.js
//   names   the labels of all fields, none of which is a value
//   astray  whether an element is no part of the order that the page shows
({ roots, query, visible, textOf, held, squeeze }, names, astray) => {
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
  const HEAD = "th, [role=columnheader], [role=rowheader]";
  // What bears the label and does something is none; what is as large as these is no value.
  const acting = "a, button, summary, [role=button], [role=tab], [role=link], [role=menuitem], nav, [role=navigation]";
  const part = "table, ul, ol, dl, form, section, article, h1, h2, h3, h4, h5, h6, [role=tabpanel], [role=region]";
  const larger = [acting, part, silent].join();
  const block =
    /^(address|article|aside|blockquote|body|dd|div|dl|dt|fieldset|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|tbody|td|th|tr|ul)$/;

  const dots = (el) => !!el && /^[:：]$/.test(squeeze(el.textContent)); // a colon that stands alone
  const blank = (el) => !squeeze(el.textContent) && !inside(el, FIELD + ", img").length;

  const sign = (el) => el.localName + "." + (el.getAttribute("class") || "");
  const inside = (el, selector) => [...Element.prototype.querySelectorAll.call(el, selector)];
  // holding is what an element has for a value: its text, or what its only control holds.
  const holding = (el) => {
    if (el.matches(unsaid)) return null;
    if (el.matches(CONTROL)) return el;
    const controls = inside(el, FIELD);
    if (!controls.length) return el;
    const rest = controls.reduce(
      (text, control) => text.replace(squeeze(control.textContent), ""),
      squeeze(el.textContent),
    );
    if (rest) return el;
    return controls.length === 1 && controls[0].matches(CONTROL) ? controls[0] : null;
  };
  const known = new Set(names.map(norm));
  const of = (label, el) => {
    const at = el && holding(el);
    if (at && !at.matches(FIELD) && known.has(norm(textOf(at)))) return null;
    return at ? { el: at, value: held(at), seen: visible(label) && visible(at) } : null;
  };

  const told = (label, value) => (value && !known.has(norm(value)) ? { value, at: label, seen: visible(label) } : null);

  // --- the forms of a label and its value ---

  const defined = (dt) => {
    const found = []; // none where another label follows: its value is that one's
    let dd = dt.nextElementSibling;
    for (; dd && dd.localName === "dd"; dd = dd.nextElementSibling) found.push(dd);
    return found;
  };
  const bold = (cell) => {
    const [only, ...others] = cell.children;
    return (
      !!only &&
      !others.length &&
      /^(b|strong)$/.test(only.localName) &&
      squeeze(only.textContent) === squeeze(cell.textContent)
    );
  };
  const beside = (cell, text) => {
    const row = cell.closest("tr, [role=row]"),
      table = cell.closest("table, [role=table], [role=grid]");
    if (!row || !table) return [];
    const cellsOf = (row) => [...row.children].filter((el) => el.matches(CELL));
    const cells = cellsOf(row),
      at = cells.indexOf(cell),
      next = cells[at + 1],
      third = cells[at + 2];
    const rows = inside(table, "tr, [role=row]").filter(
      (one) => one.closest("table, [role=table], [role=grid]") === table,
    );
    const after = rows.slice(rows.indexOf(row) + 1).map(cellsOf);
    const below = () => {
      if ([cells, ...after].flat().some((one) => one.colSpan > 1 || one.rowSpan > 1)) return [];
      const found = after.filter((one) => one.length === cells.length).map((one) => one[at]);
      return found.some((one) => colon(one.textContent)) ? [] : found; // they are labels, too
    };
    if (dots(next)) return third && !third.matches(HEAD) && !colon(third.textContent) ? [third] : [];
    // A column that nothing stands in parts labels and values that do not look like labels.
    const unlike =
      third && sign(cell) !== sign(third) && (sign(next) !== sign(third) || (colon(text) && rows.length > 2));
    const parted = unlike && blank(next) && !third.matches(HEAD) && !colon(third.textContent);
    if (parted && rows.length > 1 && rows.map(cellsOf).every((one) => !one[at + 1] || blank(one[at + 1])))
      return [third];
    // What is bold is a head where not all is: else values are bold as well, as is what follows "Supplier:".
    const head = (el) => el.matches(HEAD) || bold(el);
    const paired = colon(text) && next && !next.matches(HEAD) && !colon(next.textContent);
    const others = rows.filter((one) => one !== row).map(cellsOf);
    const tells = cells.every((el) => el.matches(HEAD)) || !others.length || !others.every((one) => one.every(head));
    const heads = cells.length > 1 && cells.every(head) && !paired && tells;
    if (heads || cell.closest("thead") || cell.getAttribute("scope") === "col") return below();
    if (!next || next.matches(HEAD) || colon(next.textContent)) return [];
    // Below columns of values, nobody knows of which of them the label is.
    const rest = cells.slice(at + 1).filter((el) => squeeze(textOf(el)));
    const columned = [...inside(table, "thead th"), ...inside(table, "tr:first-child > th + th")].length > 0;
    if (rest.length > 1 && columned && at === 0) return rest;
    // Of more than two cells that are all alike, nobody knows whether they are heads.
    const sure = cells.length === 2 || cell.matches(HEAD) || colon(text) || sign(cell) !== sign(next);
    return sure ? [next] : [next, ...below()];
  };
  // behind is the text directly behind an element, which that may be a label of.
  const behind = (el) => {
    let at = el.nextSibling;
    while (at && at.nodeType === 3 && !squeeze(at.data)) at = at.nextSibling;
    return at && at.nodeType === 3 ? squeeze(at.data) : "";
  };
  // inline is the text behind a label in the same line, up to what looks like the next label.
  const inline = (node, begun, like) => {
    let text = begun,
      held = null;
    const seen = visible(node.nodeType === 1 ? node : node.parentElement);
    for (let at = node.nextSibling; at; at = at.nextSibling) {
      if (at.nodeType === 3) {
        const said = squeeze(text) ? at.data : at.data.replace(/^\s*[:：]/, "");
        if (/:(\s|$)/.test(said)) break;
        text += said;
        continue;
      }
      if (at.nodeType !== 1 || at.matches(silent) || (seen && !visible(at) && at.localName !== "br")) continue;
      if (at.localName === "br" || block.test(at.localName)) break;
      if (at.matches(FIELD)) {
        held = squeeze(text) ? held : at;
        break;
      }
      if (at.matches("button, [role=button]")) continue;
      if (colon(at.textContent) || (like && sign(at) === like && (squeeze(text) || behind(at)))) break;
      text += " " + (textOf(at) || at.textContent);
    }
    return { held, text: squeeze(text) };
  };
  const pair = (label, text) => {
    let next = label.nextElementSibling,
      alone = false;
    const passed = (el) =>
      dots(el) || (el.matches("i, svg, img, button, [role=button], script, style") && !squeeze(el.textContent));
    for (; next && passed(next); next = next.nextElementSibling) alone ||= dots(next);
    if (!next || (next.localName !== "a" && (next.matches(larger) || inside(next, part).length))) return [];
    if (squeeze(next.textContent).length > 500 || colon(next.textContent)) return [];
    if (sign(label) !== sign(next) || colon(text) || alone) return [next];
    const outer = label.parentNode; // an element, or a shadow root
    if (outer.children.length !== 2 || behind(next)) return [];
    // Two columns of two could be labels and values, as two rows could.
    const around = outer.parentElement ? [...outer.parentElement.children] : [];
    const other = around.length === 2 && around.find((el) => el !== outer);
    const alike = other && sign(other) === sign(outer) && other.children.length === 2;
    return alike && around[0] === outer ? [next, other.children[0]] : alike ? [next, next] : [next];
  };

  // above is the value over a label that stands below it, as on cards with figures. What tells that from a label over
  // its value are the others like it: no label has a digit in it, and values have.
  const pairs = new Map(); // by signs: whether the second ones are labels
  const above = (label) => {
    const [first, last, ...more] = label.parentNode.children; // an element, or a shadow root
    if (last !== label || more.length || sign(first) === sign(last)) return [];
    if (first.matches(acting + ", " + silent + ", table, ul, ol, dl, form") || inside(first, part).length) return [];
    const key = sign(first) + ">" + sign(last);
    if (!pairs.has(key)) {
      const alike = [...query(label.getRootNode(), last.localName)].filter((el) => {
        const before = el.previousElementSibling;
        return before && el.parentNode.children.length === 2 && sign(before) + ">" + sign(el) === key;
      });
      const numbered = (els) => els.filter((el) => /\d/.test(el.textContent)).length;
      const labels = numbered(alike), // such as "VAT 20 %"
        values = numbered(alike.map((el) => el.previousElementSibling));
      const tell = alike.length > 2 && values > 0 && (!labels || (6 * labels <= alike.length && 3 * labels <= values));
      pairs.set(key, tell);
    }
    return pairs.get(key) && squeeze(first.textContent).length <= 200 ? [first] : [];
  };

  const bySigns = (label, text) => {
    const within = (selector) => (label.matches(selector) ? label : inside(label, selector)[0]);
    const dt = within("dt"),
      cell = within(CELL),
      tag = label.closest("label") || within("label");
    if (dt) return defined(dt).map((dd) => of(dt, dd));
    if (cell) return beside(cell, text).map((el) => of(cell, el));
    if (tag && tag.control) return [of(tag, tag.control)];
    // What a control holds is no text of what is around it.
    const own = inside(label, CONTROL).filter((el) => visible(el) || !visible(label));
    if (own.length) return own.length === 1 ? [of(label, own[0])] : [];
    const ids = [label, ...inside(label, "[id]")].map((el) => el.id).filter(Boolean);
    const root = label.getRootNode();
    const named = ids.flatMap((id) => [...query(root, '[aria-labelledby~="' + CSS.escape(id) + '"]')]);
    const fit = named.filter((el) => !el.matches(part + ", [role=dialog], [role=group], [role=list], " + acting));
    if (fit.length) return fit.map((el) => of(label, el));
    if (label.closest(acting)) return [];
    let at = label.nextSibling;
    while (at && at.nodeType === 3 && !squeeze(at.data)) at = at.nextSibling;
    if (at && at.localName === "br") {
      const { held, text } = inline(at, "", sign(label));
      return held ? [of(label, held)] : [told(label, text)];
    }
    if (at && at.nodeType === 3) {
      const { held, text } = inline(label, "", sign(label));
      return held ? [of(label, held)] : [told(label, text)];
    }
    // What stands under a heading may be its part of the page.
    const weak = !!label.closest("h1, h2, h3, h4, h5, h6, [role=heading]");
    if (!label.nextElementSibling) return above(label).map((el) => ({ ...of(label, el), weak: true }));
    return pair(label, text).map((el) => ({ ...of(label, el), weak }));
  };

  // reads reports whether an element's text is the label, but for what nobody sees of it.
  const reads = (el, text, want) =>
    norm(text) === want || (el.childElementCount > 0 && plain(text).includes(want) && norm(textOf(el)) === want);
  // bears reports whether the label that an element is called by stands in it, too.
  const bears = (el, want) =>
    plain(el.textContent).includes(want) && inside(el, "*").some((one) => reads(one, one.textContent, want));
  // heading is the text of the heading that an element stands under, or "". What has more in it than a heading is
  // another part of the page.
  const HEADING = "h1, h2, h3, h4, h5, h6, [role=heading], legend, caption";
  const heading = (el) => {
    for (let at = el; at && at.localName !== "body"; at = at.parentElement) {
      for (let before = at.previousElementSibling; before; before = before.previousElementSibling) {
        const own = before.matches(HEADING) ? before : inside(before, HEADING)[0];
        if (own && textOf(own) && (own === before || heads(before, own))) return textOf(own);
      }
    }
    return "";
  };
  // heads reports whether an element has a heading, controls, and nothing else.
  const heads = (el, own) => {
    const beside = [own, ...inside(el, "a, button").filter((one) => !own.contains(one))];
    return !beside.reduce((text, one) => text.replace(squeeze(one.textContent), ""), squeeze(el.textContent)).trim();
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
        if (el.localName === "html" || el.localName === "body" || el.matches(unread)) continue;
        const said = el.getAttribute("aria-label");
        if (said && norm(said) === want && !el.matches(acting + ", " + part) && !bears(el, want))
          found.push(of(el, el));
        const text = el.textContent;
        if (text.length > 4 * want.length + 200 || !reads(el, text, want)) continue;
        equal.add(el);
        if (!equal.has(el.parentElement)) found.push(...bySigns(el, text));
      }
      found.push(...spoken(root, want, equal, among && among(root).texts(want)));
    }
    const asked = (one) => !under || norm(heading(one.el || one.at)) === norm(under);
    const all = found.filter((one) => one && one.value !== undefined && !astray(one.el || one.at) && asked(one)),
      seen = all.filter((one) => one.seen),
      best = seen.length ? seen : all;
    return best.some((one) => !one.weak) ? best.filter((one) => !one.weak) : best;
  };
  // spoken are the values that stand behind a label within one text.
  const spoken = (root, want, equal, texts = textsOf(root)) => {
    const found = [];
    for (const node of texts) {
      const outer = node.parentElement;
      if (!outer || equal.has(outer) || outer.closest(unread) || outer.closest(acting)) continue;
      for (const line of outer.closest("pre") ? node.data.split("\n") : [node.data]) {
        if (!plain(line).startsWith(want)) continue;
        const at = [...line.matchAll(/[:：]|$/g)].find((m) => norm(line.slice(0, m.index)) === want);
        if (!at) continue;
        const begun = line.slice(at.index + 1);
        const { held, text: value } = outer.closest("pre") ? { text: squeeze(begun) } : inline(node, begun, "");
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
