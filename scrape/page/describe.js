// describe.js is one function: what a page shows, and by which locators of a recipe each of it is
// found, for whoever learns where on a portal's pages things are. It changes nothing.
//
//   page   what extract.js has made of it, by a rule with auto
//   asked  locators to look up besides those that it finds: [{kind, label, selector}]
//   closed the texts of controls that would show more documents, and were not used
(page, asked, closed) => {
  const { all, items, describe, inner } = page;
  const {
    roots,
    query,
    visible,
    textOf,
    linesOf,
    held,
    squeeze,
    selected,
    labelled,
    heading,
    norm,
    textsOf,
    kept,
    shows,
    empty,
    more,
    fileBeside,
    forbids,
  } = inner;
  const most = {
    elements: 4000,
    values: 2500,
    labels: 500,
    controls: 400,
    tables: 20,
    rows: 200,
    text: 500,
    alike: 60,
  };
  const silent = "head, script, style, template, noscript, option, datalist, svg *, html, body, main";
  const buttons = "[type=hidden], [type=button], [type=submit], [type=reset], [type=image], [type=file]";
  const input = "input:not(" + buttons + ", [type=password], [type=checkbox], [type=radio]), select, textarea";
  const inline = /^(a|abbr|b|bdi|bdo|br|cite|code|data|em|i|mark|s|small|span|strong|sub|sup|time|u|var|wbr)$/;

  // numbers tell places apart. What has no other text than what is within it is one place with that, and
  // what is read as its only control holds is one with the control.
  const known = new Map();
  const numberOf = (el) => known.get(el) ?? known.set(el, known.size).get(el);
  const placeOf = (el) => numberOf(whole(el));
  const whole = (el) => {
    const within = dom.matches(el, input) ? [] : dom.all(el, input);
    if (within.length === 1 && held(el) && held(el) === squeeze(held(within[0]))) return within[0];
    let at = el;
    for (let outer = dom.up(el); outer && dom.text(outer).length <= 600; outer = dom.up(outer)) {
      if (outer.localName === "body" || squeeze(dom.text(outer)) !== squeeze(dom.text(at))) break;
      if (dom.matches(at, input) || dom.all(outer, input).length) break;
      at = outer;
    }
    return at;
  };
  // holderOf is the place that has an element and more text, counted from 1, or 0 where that is much.
  const holderOf = (el) => {
    const outer = dom.up(whole(el));
    return outer && dom.text(outer).length <= 600 ? placeOf(outer) + 1 : 0;
  };
  // saidAt is the place of a value that stands behind its label.
  const saidAt = ({ el, at, value }) =>
    el ? placeOf(el) : placeOf(squeeze(dom.text(at)).includes(value) ? at : dom.up(at) || at);

  // --- what stays the same when a portal is built anew, as far as a name shows that ---

  // made: by a machine, or for one order. Words are letters with vowels in them.
  const part = (text) =>
    /^[A-Z]{1,6}$/.test(text) ||
    /^[a-zA-Z]{1,4}$/.test(text) ||
    (/^[a-zA-Z]+$/.test(text) && /[aeiouyAEIOUY]/.test(text));
  const humps = (text) => text.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) || [];
  const word = (text) => part(text) && (humps(text).length < 3 || text.length / humps(text).length >= 3);
  const steady = (name) =>
    name.length >= 2 &&
    name.length <= 50 &&
    /^[\w-]+(?:[.:][\w-]+)*$/.test(name) &&
    !/\d/.test(name) &&
    name
      .split(/[-_.:]+/)
      .filter(Boolean)
      .every(word);
  // idOf asks for the attribute: the id of a form that has a control named "id" is that control.
  const idOf = (el) => dom.attr(el, "id") || "";
  // hashed are the classes that libraries make of the styles themselves, such as "css-bxmwoh".
  const hashed = /^(css|sc|jss|jsx|svelte|emotion|styled)-/;
  // Griffel names styles "fpgykix", beside a class that begins with "___".
  const classes = (el) => {
    const made = [...el.classList].some((name) => name.startsWith("___")) ? /^[fr][a-z0-9]{4,8}$/ : hashed;
    return [...el.classList].filter((name) => steady(name) && !hashed.test(name) && !made.test(name));
  };
  const useful = /^(data-.+|name|itemprop|property|formcontrolname|headers|aria-labelledby|rel|role)$/;
  const attributes = (el) =>
    [...el.attributes].filter(
      ({ name, value }) => useful.test(name) && (steady(value) || (name === "itemprop" && value)),
    );
  const quoted = (text) => '"' + text.replace(/["\\]/g, "\\$&") + '"';
  const has = ({ name, value }) => "[" + name + "=" + quoted(value) + "]";
  const meets = new Map(); // selectors and the elements that they meet
  const met = (selector) => meets.get(selector) ?? meets.set(selector, all(selector)).get(selector);
  // tail is the end of an id that a server has made of the names of all that is around the element, as in
  // "ctl00_Main_lblVendor", or "".
  const tail = (el) => {
    const [end] = idOf(el).match(/[_:][A-Za-z]{3,}$/) || [""];
    return end && !steady(idOf(el)) && steady(end.slice(1)) ? end : "";
  };
  // names are what an element is called by, the surest first.
  const names = (el) => [
    ...(steady(idOf(el)) ? [{ kind: "id", selector: "#" + CSS.escape(idOf(el)) }] : []),
    ...(tail(el) ? [{ kind: "attr", selector: "[id$=" + quoted(tail(el)) + "]" }] : []),
    ...attributes(el).map((at) => ({ kind: "attr", selector: has(at) })),
    ...classes(el).map((name) => ({ kind: "class", selector: "." + CSS.escape(name) })),
  ];
  const anchors = new Map(); // the one name that an element has to itself, or ""
  const anchor = (el) => {
    if (!anchors.has(el)) anchors.set(el, names(el).find((one) => met(one.selector).length === 1)?.selector || "");
    return anchors.get(el);
  };
  const tagOf = (el) => CSS.escape(el.localName);
  const steps = new Map();
  const place = (el) => {
    if (!steps.has(el)) {
      const alike = dom.up(el) ? [...dom.children(dom.up(el))].filter((one) => one.localName === el.localName) : [el];
      steps.set(el, tagOf(el) + (alike.length > 1 ? ":nth-of-type(" + (alike.indexOf(el) + 1) + ")" : ""));
    }
    return steps.get(el);
  };
  // path leads to an element from the body, or from the nearest one around it that has a name.
  const path = (el, named) => {
    const way = [];
    for (let at = el; at && way.length < 16; at = dom.up(at)) {
      const name = at === el ? "" : named(at);
      if (name || at.localName === "body") return [name || "body", ...way].join(" > ");
      way.unshift(place(at));
    }
    return "";
  };
  const selectorsOf = (el) => {
    const found = names(el),
      own = classes(el).map((name) => "." + CSS.escape(name));
    if (own.length > 1) found.push({ kind: "class", selector: own.join("") });
    const outer = dom.up(el),
      head = dom.closest(el, "h1");
    if (head) found.push({ kind: "class", selector: head === el ? "h1" : "h1 " + tagOf(el) });
    for (const name of outer ? names(outer) : [])
      found.push({ kind: "class", selector: name.selector + " > " + tagOf(el) });
    let at = outer;
    while (at && at.localName !== "body" && !anchor(at)) at = dom.up(at);
    if (at && anchor(at)) for (const name of own) found.push({ kind: "class", selector: anchor(at) + " " + name });
    if (at && anchor(at) && dom.matches(el, input))
      found.push({ kind: "class", selector: anchor(at) + " " + tagOf(el) });
    for (const way of [path(el, anchor), path(el, () => "")])
      if (way && !found.some((one) => one.selector === way)) found.push({ kind: "path", selector: way });
    return found;
  };

  // --- values ---

  const ownText = (el) => [...el.childNodes].some((node) => node.nodeType === 3 && squeeze(node.data));
  // wraps: all that it holds is one element with a text, as a label may be a link to its help.
  const wraps = (el) =>
    dom.children(el).length === 1 && inline.test(el.firstElementChild.localName) && ownText(el.firstElementChild);
  const holds = (el) => {
    if (dom.matches(el, silent)) return false;
    if (dom.matches(el, input)) return true;
    if (ownText(el)) return squeeze(dom.text(el)).length <= most.text;
    const inner = [...dom.children(el)];
    return (
      inner.length > 0 &&
      inner.length <= 4 &&
      inner.every((one) => inline.test(one.localName)) &&
      squeeze(dom.text(el)) !== "" &&
      squeeze(dom.text(el)).length <= 120
    );
  };
  const elements = roots()
    .flatMap((root) => [...query(root, "*")])
    .slice(0, most.elements);
  const values = elements.filter((el) => holds(el) && !kept(el)).slice(0, most.values);

  const finds = [];
  const note = (locator, found) => {
    const seen = found.filter((one) => one.seen),
      best = seen.length ? seen : found,
      texts = new Set(best.map((one) => one.value).filter((value) => value !== undefined));
    if (!best.length) return;
    const value = texts.size === 1 && !best.some((one) => one.bare) ? [...texts][0].slice(0, most.text) : "";
    const lines = value && best[0].el && !locator.attr ? linesOf(best[0].el) : "";
    finds.push({
      ...locator,
      met: best.length,
      differ: texts.size > 1,
      values: texts.size > 1 ? [...texts].slice(0, 12).map((text) => text.slice(0, 300)) : [],
      seen: seen.length > 0,
      value,
      lines: lines.includes("\n") && lines.length <= most.text ? lines : "",
      at: saidAt(best[0]),
      within: best[0].el ? holderOf(best[0].el) : 0,
      shows: value !== "" && shows(value),
      none: value.length <= 200 && empty(value),
    });
  };
  // noteAll also notes what a locator finds in each frame of several that have different texts.
  const noteAll = (locator, find) => {
    const found = find("");
    note(locator, found);
    const frames = new Set(found.map((one) => frameOf(one.el || one.at)));
    if (frames.size > 1) for (const frame of frames) if (frame) note({ ...locator, frame }, find(frame));
  };
  const frameOf = (el) => {
    const frame = el.ownerDocument.defaultView?.frameElement;
    return frame ? anchor(frame) : "";
  };
  const bySelector = new Map();
  const add = (one, el) => bySelector.has(one.selector) || bySelector.set(one.selector, { kind: one.kind, el });
  for (const el of values) for (const one of selectorsOf(el)) add(one, el);
  for (const one of asked) if (one.selector) add(one);
  const single = roots().length === 1;
  // A path leads to one element, by its making; to look each of them up takes seconds.
  for (const [selector, { kind, el }] of bySelector)
    if (kind === "path" && el && single)
      note({ kind, selector }, [{ el, value: squeeze(held(el)), seen: visible(el) }]);
    else if (met(selector).length <= 12)
      noteAll({ kind, selector }, (frame) => selected({ selector, frame, attr: "" }));

  // --- what is looked at where none of these finds a value: the texts that it stands in, and attributes ---

  const around = [];
  const sentence = /^(address|caption|dd|dt|figcaption|h[1-6]|li|p|td|th|tr)$/;
  const stands = (el) => {
    const text = squeeze(dom.text(el));
    return text.includes(" ") && text.length <= 300 && el.childElementCount <= 4 && visible(el);
  };
  const selectorsAround = (el) => [
    ...(sentence.test(el.localName) ? [el.localName] : []),
    ...classes(el).map((name) => "." + CSS.escape(name)),
  ];
  const noteAround = (selector) => {
    if (met(selector).length > most.alike) return;
    const found = selected({ selector, frame: "", attr: "" }).filter((one) => one.value !== undefined);
    const best = found.some((one) => one.seen) ? found.filter((one) => one.seen) : found;
    if (!best.length || best.some((one) => one.value.length > 2 * most.text)) return;
    around.push({
      kind: "words",
      selector,
      met: best.length,
      differ: true,
      values: [...new Set(best.map((one) => one.value))],
      seen: true,
      at: saidAt(best[0]),
    });
  };
  const outlying = elements.filter((el) => !dom.matches(el, silent) && !kept(el));
  new Set(outlying.filter(stands).flatMap(selectorsAround)).forEach(noteAround);

  const speaking = /^(alt|title|aria-label|datetime|content|data-.+)$/;
  // What is chosen may have a code for its value ("USD") where it shows words ("US dollar").
  const speaks = (el) => [
    ...[...el.attributes].filter(({ name }) => speaking.test(name)),
    ...(el.localName === "select" ? [{ name: "value", value: el.value }] : []),
  ];
  const attributed = new Map(); // by selector and attribute
  for (const el of outlying)
    for (const { name, value } of speaks(el))
      if (attributed.size < most.values && squeeze(value) && value.length <= 200 && visible(el))
        for (const { kind, selector } of selectorsOf(el))
          if (kind !== "path") attributed.set(name + " " + selector, { kind, selector, attr: name });
  for (const locator of attributed.values()) {
    if (met(locator.selector).length > 12) continue;
    const found = selected({ ...locator, frame: "" }).filter((one) => one.value && one.seen),
      texts = new Set(found.map((one) => squeeze(one.value)));
    if (texts.size !== 1) continue;
    const value = [...texts][0].slice(0, most.text);
    around.push({ ...locator, met: found.length, seen: true, value, at: placeOf(found[0].el) });
  }

  // --- labels ---

  const index = new Map(); // by root: what is to be looked at for a label
  for (const root of roots()) {
    const els = new Map(),
      texts = new Map();
    const put = (map, key, one) => key && (map.has(key) ? map.get(key).push(one) : map.set(key, [one]));
    for (const el of query(root, "*")) {
      if (dom.text(el).length <= 500) {
        const keys = new Set([norm(dom.text(el)), el.childElementCount ? norm(textOf(el)) : ""]);
        keys.add(norm(dom.attr(el, "aria-label") || ""));
        for (const key of keys) put(els, key, el);
      }
    }
    for (const node of textsOf(root)) {
      const keys = new Set();
      for (const line of dom.up(node) && dom.closest(dom.up(node), "pre") ? node.data.split("\n") : [node.data])
        for (const m of line.slice(0, 200).matchAll(/[:：]|$/g)) keys.add(norm(line.slice(0, m.index)));
      for (const key of keys) put(texts, key, node);
    }
    index.set(root, { elements: (want) => els.get(want) || [], texts: (want) => texts.get(want) || [] });
  }
  const among = (root) => index.get(root) || { elements: () => [], texts: () => [] };
  const labels = new Map();
  const label = (text) => {
    const name = squeeze(text).replace(/[\s:：*]+$/, ""),
      letters = (name.match(/\p{L}/gu) || []).length;
    if (letters >= 2 && name.length <= 60 && letters >= name.length / 2 && !labels.has(norm(name)))
      labels.set(norm(name), name);
  };
  for (const el of elements) {
    if (labels.size >= most.labels) break;
    if (dom.matches(el, silent + ", a, button, [role=button], input, select, textarea")) continue;
    const small = dom.text(el).length <= 200;
    if (small && visible(el) && (ownText(el) || wraps(el) || dom.matches(el, "th, td, dt, label"))) {
      label(textOf(el));
      for (const line of (dom.closest(el, "pre") ? dom.text(el) : squeeze(dom.text(el))).split("\n"))
        for (const m of line.matchAll(/[:：]/g)) label(line.slice(0, m.index));
    }
    label(dom.attr(el, "aria-label") || "");
  }
  for (const one of asked) if (one.label) label(one.label);
  // Parts of a page may have the same labels: then their headings tell them apart. One with a number is not on all
  // pages.
  const parted = (name) => {
    const headings = new Set(labelled(name, "", "", among).map((one) => heading(one.el || one.at)));
    return [...headings].filter((text) => text && text.length <= 60 && !/\d{2}/.test(text));
  };
  for (const name of labels.values()) {
    noteAll({ kind: "label", label: name }, (frame) => labelled(name, frame, "", among));
    for (const under of parted(name)) note({ kind: "label", label: name, under }, labelled(name, "", under, among));
  }

  // --- controls, of which some are documents ---

  const control =
    "a[href], a[download], button, [role=button], [role=link], [role=menuitem], input[type=button], [onclick]";
  const listed = items(),
    told = new Map(listed.map((el, i) => [el, describe(el, i)]));
  // Hidden ones, such as those of a picker that nobody has opened, may be thousands.
  const others = all(control).filter((el) => !told.has(el)),
    open = others.filter(visible);
  const controls = [...new Set([...listed, ...open, ...others.slice(0, most.controls)])]
    .slice(0, most.controls)
    .filter((el) => !kept(el));
  const groupsOf = (el) => {
    const found = [],
      tag = tagOf(el),
      own = names(el).filter((one) => one.kind !== "id");
    for (const { kind, selector } of own) found.push({ kind, selector: kind === "class" ? tag + selector : selector });
    for (const { name } of el.attributes)
      if (/^data-/.test(name)) found.push({ kind: "attr", selector: tag + "[" + name + "]" });
    if (dom.has(el, "download")) found.push({ kind: "attr", selector: tag + "[download]" });
    let cell = dom.closest(el, "td, [role=cell], [role=gridcell]");
    if (cell && cell.localName !== "td") cell = null;
    for (let at = dom.up(el), n = 0; at && at.localName !== "body" && n < 8; at = dom.up(at), n++)
      for (const { kind, selector } of names(at)) {
        found.push({ kind: kind === "class" ? "class" : "attr", selector: selector + " " + tag });
        for (const mine of own)
          if (mine.kind === "class") found.push({ kind: "class", selector: selector + " " + tag + mine.selector });
        if (cell && at.contains(cell) && at !== cell)
          found.push({
            kind: "path",
            selector: selector + " td:nth-child(" + ([...dom.children(cell.parentNode)].indexOf(cell) + 1) + ") " + tag,
          });
      }
    // What serves a document has a name, too: "get.do?id=17".
    const [, server] = (tag === "a" && (dom.attr(el, "href") || "").match(/([a-z][a-z_.-]*)\?/i)) || [];
    if (server) found.push({ kind: "href", selector: 'a[href*="' + server + '?"]' });
    const [end] = (tag === "a" && (dom.attr(el, "href") || "").match(/\.[a-z]{3,4}$/i)) || [];
    if (end) found.push({ kind: "path", selector: "a[href$=" + quoted(end) + "]" });
    if (tag === "a" && dom.attr(el, "href"))
      for (const [, name] of (el.pathname || "").matchAll(/\/([a-z]+(?:[-_][a-z]+)*)(?=\/)/gi))
        if (steady(name)) found.push({ kind: "href", selector: 'a[href*="/' + name + '/"]' });
    return found;
  };
  const numbered = new Map(controls.map((el, i) => [el, i]));
  const groups = new Map();
  for (const el of controls) {
    for (const { kind, selector } of groupsOf(el)) {
      if (groups.has(selector)) continue;
      const inside = met(selector).length <= 200 ? met(selector).filter((one) => !kept(one)) : [];
      const all = inside.length > 0 && inside.length <= 100 && inside.every((one) => numbered.has(one));
      groups.set(selector, all ? { kind, selector, of: inside.map((one) => numbered.get(one)) } : null);
    }
  }
  const outside = (el) =>
    !!dom.closest(el, "nav, header, footer, [role=navigation], [role=banner], [role=contentinfo]");
  // link is where a link leads; what runs a script, or stays in the page, leads nowhere.
  const link = (el) =>
    el.localName === "a" && dom.has(el, "href") && typeof el.href === "string" && !/^(#|javascript:|$)/i.test(raw(el))
      ? el.href
      : "";
  const raw = (el) => dom.attr(el, "href").trim();

  // --- what opens the place of documents ---

  const named = (el, text) =>
    [textOf(el), dom.text(el), dom.attr(el, "aria-label") || ""].some((name) => close(name) === close(text));
  const close = (text) => text.replace(/\s+/g, ""); // between its parts a text may have spaces, or not
  // counted: a library has numbered what the page is made of, such as ":r1j:", so that another page has other numbers.
  const counted = /[:«]r[0-9a-z]+[:»]|_r_[0-9a-z]+_/;
  // openersOf are the selectors that meet nothing but this control: names, else what a machine has called it, else
  // its place among its like, or on the page.
  const openersOf = (el) => {
    const kind = dom.has(el, "role") ? "[role=" + quoted(dom.attr(el, "role")) + "]" : tagOf(el);
    return [
      ...names(el).map((one) => one.selector),
      ...(idOf(el) && !counted.test(idOf(el)) ? ["#" + CSS.escape(idOf(el))] : []),
      ...[...el.attributes]
        .filter(({ name, value }) => /^(aria-controls|aria-haspopup|data-.+)$/.test(name) && !counted.test(value))
        .map(has),
      dom.up(el) ? kind + ":nth-child(" + ([...dom.children(dom.up(el))].indexOf(el) + 1) + ")" : "",
      path(el, anchor),
    ].filter((selector) => selector && met(selector).length === 1);
  };
  const openers = closed.flatMap((text) => {
    const tabs = all(control + ", [role=tab], summary, [aria-expanded=false]").filter(
      (el) =>
        visible(el) &&
        dom.matches(el, "[role=tab], summary, [aria-expanded], [aria-controls], [aria-haspopup]") &&
        named(el, text),
    );
    return tabs.length === 1 ? [{ text, selectors: openersOf(tabs[0]) }] : [];
  });

  // --- tables ---

  const tables = [];
  for (const table of all("table").filter(visible).slice(0, most.tables)) {
    const cells = (row) => [...row.cells].map(textOf);
    const rows = [...table.rows],
      head = rows.find((row) => dom.closest(row, "thead") || [...row.cells].every((cell) => cell.localName === "th")),
      body = rows.filter(
        (row) =>
          row !== head &&
          dom.closest(row, "thead") === null &&
          dom.closest(row, "tfoot") === null &&
          [...row.cells].some((cell) => cell.localName === "td"),
      );
    if (!head || !body.length || head.cells.length < 3) continue;
    const within = [
      ...new Set([table, table.tBodies[0], dom.up(table), dom.closest(table, "section, article, div[id], div[class]")]),
    ].filter(Boolean);
    const found = [];
    for (const outer of within)
      for (const { kind, selector } of names(outer))
        for (const rest of outer.localName === "tbody" ? [" > tr"] : [" tbody > tr", " tr:has(> td)"])
          if (met(selector + rest).length === body.length && met(selector + rest).every((row) => body.includes(row)))
            found.push({ kind, selector: selector + rest });
    const first = [...body[0].cells];
    const columns = first.map((cell, i) => {
      const own = names(cell)
        .filter((one) => one.kind !== "id")
        .map((one) => (one.kind === "class" ? tagOf(cell) : "") + one.selector);
      const alone = own.find((one) =>
        body.every((row) => dom.all(row, one).length === 1 && row.cells[i] && dom.matches(row.cells[i], one)),
      );
      return alone || ":scope > :nth-child(" + (i + 1) + ")";
    });
    tables.push({
      heads: cells(head),
      rows: body.slice(0, most.rows).map(cells),
      found,
      columns,
      links: [...dom.all(table, "a, button")].filter((el) => numbered.has(el)).map((el) => numbered.get(el)),
    });
  }

  return {
    language: String(navigator.language),
    finds,
    around,
    controls: controls.map((el) => ({
      text: textOf(el).slice(0, 200),
      href: link(el),
      seen: visible(el),
      outside: outside(el),
      listed: told.has(el),
      name: told.get(el)?.name || "",
      refused: told.has(el) ? told.get(el).refused : forbids(textOf(el)) ? textOf(el).slice(0, 80) : "",
      beside: told.has(el) || link(el) ? "" : fileBeside(el),
      closed: dom.matches(el, "[aria-expanded=false]:not([aria-haspopup]), [role=tab][aria-selected=false]"),
    })),
    groups: [...groups.values()].filter(Boolean),
    tables,
    openers,
    further: closed.filter(more),
  };
};
