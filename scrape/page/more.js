// more.js is one function: what a page says, or offers, beyond the documents that
// were listed on it: counts that say more, and controls that would show more.
//
//   place    where documents stand, see place.js
//   own(el)  the address of an item or a link, or ""
//   names    {file(text), foreign(text)}: whether a text names a file, or another order
((labels, place, { all, own, excluded, names, rule }) => {
  const { find, first, up, contains, visible } = place;
  const preview = /preview|viewer|vorschau|carousel|slider|gallery|wizard|stepper|progress/i;

  // --- counts ---

  // holders returns all elements that hold one of these, and these.
  const holders = (els) => {
    const found = new Set();
    for (let el of els) for (; el && !found.has(el); el = up(el)) found.add(el);
    return found;
  };
  // counts returns all that a place says of its number of documents: {count, text}.
  // here are the items that it has.
  const counts = (one, here) => {
    const found = [];
    const add = (count, text) => found.push({ count, text });
    for (const text of one.heads) {
      const said = labels.heads(text) && labels.count(text);
      if (said && said.unit === "documents") add(said.count, text);
    }
    const holding = holders(here);
    let steps = 0;
    const visit = (el) => {
      if (++steps > 4000 || here.has(el) || !/\d/.test(el.textContent) || !place.seen(el) || /^(select|script|style|textarea)$/.test(el.localName) || preview.test(place.classOf(el))) return;
      const holds = holding.has(el);
      if (holds && el !== one.root && el.matches(place.ROW)) return;
      if (!holds && place.small(el, 120) && one.has(el)) {
        const text = place.said(el), said = labels.count(text);
        if (said) {
          const least = said.pages ? Math.max(said.count, here.size + 1) : said.further ? said.count + [...here].filter(visible).length : said.count;
          if (believed(said, text, one, el, here.size)) add(least, text);
          return;
        }
      }
      for (const child of (el.shadowRoot || el).children) visit(child);
    };
    visit(one.root);
    return found.concat(attributed(one, here));
  };
  const believed = (said, text, one, el, met) => {
    if (said.unit === "others" || place.outside(el)) return false;
    if (said.pages) return said.count > 1 && !previewed(el);
    if (said.further) return met > 0;
    if (said.weak) return said.to === met;
    if (said.to === undefined) return said.sure || labels.bare(text);
    return said.unit === "documents" || one.documents || said.to - said.from + 1 === met;
  };
  // previewed: the pages are those of one document that is shown.
  const previewed = (el) => {
    const head = place.above(el)[0];
    if (head && preview.test(labels.fold(head.el.textContent))) return true;
    for (let at = el, depth = 0; at && depth < 3; depth++, at = up(at)) {
      if (preview.test(place.classOf(at)) || first(at, "canvas, iframe, embed, object")) return true;
    }
    return false;
  };
  // attributed are the counts that stand in attributes.
  const attributed = (one, here) => {
    const found = [];
    const grids = new Set(find(one.root, "[aria-rowcount]"));
    for (const item of here) { const grid = place.climb(item, "[aria-rowcount]"); if (grid) grids.add(grid); }
    for (const grid of grids) {
      const count = Number(grid.getAttribute("aria-rowcount")), rows = find(grid, "tr, [role=row]");
      const inside = [...here].filter((item) => contains(grid, item)).length;
      if (!inside && !(one.documents && one.has(grid)) || !(count > 0) || rows.length >= count) continue;
      const heads = rows.filter((row) => row.matches("thead tr") || find(row, "th, [role=columnheader]").length && !find(row, "td, [role=cell], [role=gridcell]").length).length;
      if (one.documents || inside === rows.length - heads) found.push({ count: count - heads, text: "aria-rowcount=" + count });
    }
    for (const row of find(one.root, "[aria-setsize]").slice(0, 50)) {
      const size = Number(row.getAttribute("aria-setsize")), around = up(row);
      if (!row.matches(place.ROW + ", [role=article]") || !one.has(row) && ![...here].some((item) => contains(row, item))) continue;
      if (size > find(around, "[aria-setsize]").length) found.push({ count: size, text: "aria-setsize=" + size });
    }
    return found;
  };

  // --- controls ---

  const disabled = (el) => el.matches(":disabled, [aria-disabled=true], [inert], [inert] *") || [el, up(el)].some((at) => at && /(^|[-_\s])disabled([-_\s]|$)/i.test(place.classOf(at)));
  const current = (el) => el.matches("[aria-selected=true], [aria-expanded=true], [aria-current]:not([aria-current=false])") ||
    [el, up(el)].some((at) => at && at.matches("a, button, li, span, [role=tab]") && /(^|[-_\s])(active|current|selected)([-_\s]|$)/i.test(place.classOf(at)));
  // filled: what the control opens is in the page already.
  const filled = (el) => {
    const opened = place.opens(el);
    if (!opened) return false;
    const own = el.localName === "summary" ? el.textContent : "";
    return labels.squeeze(opened.textContent).length > labels.squeeze(own).length;
  };
  // elsewhere: it leads to mail, to an app, within the page, or to another order.
  const elsewhere = (el) => {
    if (el.localName !== "a" || !el.hasAttribute("href")) return false;
    const raw = el.getAttribute("href").trim(), to = place.target(el);
    if (raw === "" || /^javascript:/i.test(raw)) return false;
    if (raw.startsWith("#")) {
      const root = el.getRootNode();
      return raw.length > 1 && !!root.getElementById && (!!root.getElementById(raw.slice(1)) || raw === "#top");
    }
    if (!/^https?:$/.test(to.protocol)) return true;
    const here = place.address(el.ownerDocument), path = String(to.pathname), own = here.replace(/^[a-z]+:\/\/[^/]*/, "").replace(/[?#].*$/, "");
    return to.href === here || path !== own && path.replace(/\d+/g, "0") === own.replace(/\d+/g, "0");
  };
  const arrow = /^(?:[›»→>⟩❯▶]+|\d{1,3})$/;
  // shows: the control would show more of the list, or a list of documents.
  const shows = (el, name) => {
    if (el.matches("[rel=prev], [aria-haspopup]:not([aria-haspopup=false]):not([aria-haspopup=dialog])") && !labels.documents(name)) return false;
    if (labels.shows(name) || labels.heads(name) && (place.isTab(el) || el.matches("summary, [aria-expanded=false]"))) return true;
    return arrow.test(name) && place.inPager(el);
  };

  // facts: met are the items that item met, items those that are left of them, none
  // and counted what the recipe's none and count met.
  const facts = (met, items, none, counted) => {
    const places = place.survey([...none, ...counted, ...met].slice(0, 300));
    const addresses = new Set(met.map(own).filter(Boolean));
    const chosen = [], said = new Map(), listed = new Set(met), holding = holders(met);
    const within = (el) => { for (; el; el = up(el)) if (listed.has(el)) return true; return false; };
    for (const one of places) {
      const here = new Set(met.slice(0, 1000).filter((el) => one.has(el)));
      const all = rule.count === undefined ? counts(one, here) : [];
      said.set(one, { here, all, met: here.size || met.length });
    }
    let declared = null, zero = "", most = 0;
    const weigh = (count, text, found) => {
      most = Math.max(most, count);
      if (count === 0) zero ||= text;
      if (count > found && !(declared && declared.count >= count)) declared = { count, text };
    };
    for (const el of rule.count ? counted : []) {
      const text = place.said(el) || labels.squeeze(el.getAttribute("value")), count = labels.told(text);
      if (count !== null) weigh(count, text, met.length);
    }
    for (const { all, met } of said.values()) for (const { count, text } of all) weigh(count, text, met);

    const offered = (el, name, one, sure) => {
      const { here, met: found } = said.get(one) || { here: new Set(), met: met.length };
      if (!visible(el) || disabled(el) || current(el) || excluded(el) || place.outside(el) || elsewhere(el) || filled(el)) return "";
      if (holding.has(el) || within(el) || addresses.has(own(el))) return "";
      const more = sure || shows(el, name);
      const row = place.climb(el, place.ROW);
      const second = row && one && contains(one.root, row) && holding.has(row);
      if (second && !(more && labels.more(name))) return "";
      const promised = labels.promised(name);
      if (promised && (promised.further ? [...here].filter((item) => !visible(item)).length >= promised.count : found >= promised.count)) return "";
      return more ? "more" : rule.auto && way(el, name, one, row, found) ? "way" : "";
    };
    const way = (el, name, one, row, found) => {
      if (labels.refused(name) || labels.aside(name) || place.inPager(el) || names.foreign(name)) return false;
      if (labels.downloads(name) && labels.all(name)) return found === 0;
      if (labels.leads(name) || names.file(name)) return true;
      return !!row && !!one && one.documents && !one.heads.some(labels.related) && contains(one.root, row) && row !== el && /\p{L}/u.test(name) && !labels.order(name);
    };
    const add = (text) => { if (!chosen.includes(text) && chosen.length < 8) chosen.push(text); };
    for (const one of places) {
      const { all, met: found } = said.get(one);
      const full = rule.count === undefined ? all.length > 0 && all.every(({ count }) => count <= found) : !declared && (most > 0 || zero !== "");
      if (full) continue;
      for (const el of find(one.root, place.CONTROL)) {
        if (holding.has(el) || !place.small(el, 200) || !one.has(el)) continue;
        const name = place.labelOf(el), kind = name && offered(el, name, one);
        if (kind === "more" || kind === "way" && (one.anchored || !met.length)) add(name);
      }
      if (rule.auto && one.documents) rows(one, holding, within, add);
    }
    // Tabs of documents that were not opened, wherever they are; and where the page has
    // no place of documents at all, whatever leads to one.
    const placeless = !places.some((one) => one.anchored || one.documents);
    for (const el of all(placeless ? place.CONTROL : "[role=tab], a, button")) {
      const text = el.textContent + " " + (el.getAttribute("aria-label") || "") + " " + (el.getAttribute("title") || "");
      if (text.length > 300 || !labels.documents(text)) continue;
      const name = place.labelOf(el);
      if (!labels.heads(name) || !placeless && !place.isTab(el) || labels.refused(name) || place.outside(el)) continue;
      const count = rule.count === undefined && visible(el) && labels.count(name);
      if (count && count.unit === "documents") weigh(count.count, name, met.length);
      if (offered(el, name, null, placeless)) add(name);
    }
    return { declared, zero: most > 0 ? "" : zero, controls: chosen };
  };
  const idle = (el) => { const name = place.labelOf(el); return !name || labels.aside(name) || labels.refused(name); };
  // rows adds those of a list of documents that name a file, and nothing to get it by.
  const rows = (one, holding, within, add) => {
    for (const row of find(one.root, place.ROW).slice(0, 300)) {
      if (!visible(row) || !one.has(row) || holding.has(row) || first(row, place.ROW) || within(row) || !find(row, place.CONTROL).every(idle)) continue;
      const text = place.small(row, 160) ? place.said(row) : "";
      const unnamed = find(row, "a[href]").some((a) => own(a) && !place.labelOf(a)); // an icon without a word
      if (names.file(text) || unnamed && /\p{L}/u.test(text)) add(text);
    }
  };

  return { facts };
})
