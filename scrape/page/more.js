// more.js is one function: what a page says, or offers, beyond the documents that
// were listed on it: counts that say more, and controls that would show more.
//
//   place    where documents stand, see place.js
//   own(el)  the address of an item or a link, or ""
//   names    {of(el), file(text), named(text), foreign(text)}: the name of an item; whether a
//            text names a file, or is the name of one, or names another order
//   apart    what names a file, and is not listed
//   pointed  what waits for a person to point at it
//   turning  {page, met}: the number of this page of documents, and what attachments.next meets;
//            null where the recipe has none
(labels, place, { all, own, excluded, names, apart, pointed, rule, turning }) => {
  const { find, first, up, contains, visible, disabled } = place;
  const preview = /preview|viewer|vorschau|carousel|slider|gallery|wizard|stepper|progress/i;

  // --- counts ---

  // holders returns all elements that hold one of these, and these.
  const holders = (els) => {
    const found = new Set();
    for (let el of els) for (; el && !found.has(el); el = up(el)) found.add(el);
    return found;
  };
  // hosting are the elements with an open shadow root, the text of which is not theirs, and what they stand in.
  let hosts;
  const hosting = () => (hosts ??= holders(all("*").filter((el) => el.shadowRoot)));
  const among = (root, selector) =>
    hosting().has(root) ? all(selector).filter((el) => contains(root, el)) : find(root, selector);
  // counts returns all that a place says of its number of documents: {count, text}.
  // here are the items that it has.
  const counts = (one, here) => {
    const found = [];
    const add = (count, text, pages = 0) => found.push({ count, text, pages });
    for (const text of one.heads) {
      const said = labels.heads(text) && labels.count(text);
      if (said && said.unit === "documents" && (said.count > 0 || labels.zero(text))) add(said.count, text);
    }
    const holding = holders(here);
    let steps = 0;
    const visit = (el) => {
      if (
        ++steps > 4000 ||
        here.has(el) ||
        (!/\d/.test(el.textContent) && !hosting().has(el)) ||
        !place.seen(el) ||
        /^(select|script|style|textarea)$/.test(el.localName) ||
        preview.test(place.classOf(el))
      )
        return;
      const holds = holding.has(el);
      if (holds && el !== one.root && el.matches(place.ROW)) return;
      if (!holds && place.small(el, 120) && one.has(el)) {
        const text = place.said(el),
          said = labels.count(text);
        if (said) {
          const least = said.pages
            ? Math.max(said.count, here.size + 1)
            : said.further
              ? said.count + [...here].filter(visible).length
              : said.count;
          if (believed(said, text, one, el, here.size, holding)) add(least, text, said.pages ? said.count : 0);
          return;
        }
      }
      for (const child of (el.shadowRoot || el).children) visit(child);
    };
    visit(one.root);
    return found.concat(attributed(one, here));
  };
  const believed = (said, text, one, el, met, holding) => {
    if (said.unit === "others" || place.outside(el)) return false;
    if (
      said.count === 0 &&
      (!labels.zero(text) ||
        (place.climb(el, "a, button, [role=button], [role=link], label, option") && !place.isTab(el)))
    )
      return false;
    if (
      said.plain &&
      [el.previousElementSibling, el.nextElementSibling].some(
        (at) => at && place.small(at, 60) && /\p{L}:?\s*\d[\d.,]*$/u.test(place.said(at)),
      )
    )
      return false;
    if (said.entries)
      return (
        one.documents &&
        said.count >= met &&
        !find(one.root, place.TABLE).some(
          (table) => one.has(table) && !holding.has(table) && first(table, "td, [role=cell], [role=gridcell]"),
        )
      );
    if (said.pages) return said.count > 1 && !previewed(el);
    if (said.further) return met > 0;
    if (said.weak) return said.to === met;
    if (said.to === undefined) return said.sure || labels.bare(text) || labels.zero(text);
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
    for (const item of here) {
      const grid = place.climb(item, "[aria-rowcount]");
      if (grid) grids.add(grid);
    }
    for (const grid of grids) {
      const count = Number(grid.getAttribute("aria-rowcount")),
        rows = find(grid, "tr, [role=row]");
      const inside = [...here].filter((item) => contains(grid, item)).length;
      if ((!inside && !(one.documents && one.has(grid))) || !(count > 0) || rows.length > count) continue;
      const heads = rows.filter(
        (row) =>
          row.matches("thead tr") ||
          (find(row, "th, [role=columnheader]").length && !find(row, "td, [role=cell], [role=gridcell]").length),
      ).length;
      if (one.documents || inside === rows.length - heads)
        found.push({ count: count - heads, text: "aria-rowcount=" + count });
    }
    for (const row of find(one.root, "[aria-setsize]").slice(0, 50)) {
      const size = Number(row.getAttribute("aria-setsize")),
        around = up(row);
      if (
        !row.matches(place.ROW + ", [role=article]") ||
        (!one.has(row) && ![...here].some((item) => contains(row, item)))
      )
        continue;
      if (size > find(around, "[aria-setsize]").length) found.push({ count: size, text: "aria-setsize=" + size });
    }
    return found;
  };

  // --- controls ---

  const current = (el) =>
    el.matches("[aria-selected=true], [aria-expanded=true], [aria-current]:not([aria-current=false])") ||
    [el, up(el)].some(
      (at) =>
        at &&
        (at.matches("a, button, li, span, [role=tab]") || at === el) &&
        /(^|[-_\s])(active|current|selected)([-_\s]|$)/i.test(place.classOf(at)),
    );
  // filled: what the control opens is in the page already, and more than its heading and
  // "Click to load". holding are those that hold an item.
  const filled = (el, holding) => {
    const opened = place.opens(el);
    if (!opened) return place.isTab(el) && matched(el, holding);
    if (holding.has(opened)) return true;
    let text = labels.squeeze(opened.textContent);
    for (const head of text.length > 2000 ? [] : find(opened, place.HEADING))
      text = labels.squeeze(text.replace(labels.squeeze(head.textContent), ""));
    if (text.length > 60 || labels.none(text)) return true;
    if (text) return !labels.opens(text) && !/(…|\.\.\.)$/.test(text);
    return visible(opened) && !opened.matches(".tab-pane, [role=tabpanel], details") && !!first(opened, place.HEADING);
  };
  // matched: of several tabs and as many panels, its own holds items.
  const matched = (el, holding) => {
    const like = (one) =>
      [...up(one).children].filter(
        (other) => other.localName === one.localName && other.classList[0] === one.classList[0],
      );
    const tab = up(el) && up(el).matches("li") ? up(el) : el,
      tabs = up(tab) ? like(tab) : [];
    return [...holding].some((panel) => {
      if (visible(panel) || !up(panel) || !visible(up(panel))) return false;
      const panels = like(panel);
      return panels.length === tabs.length && panels.indexOf(panel) === tabs.indexOf(tab);
    });
  };
  // elsewhere: it leads to mail, to an app, within the page, or to another order.
  const elsewhere = (el) => {
    if (el.localName !== "a" || !el.hasAttribute("href")) return false;
    const raw = el.getAttribute("href").trim(),
      to = place.target(el);
    if (raw === "" || /^javascript:/i.test(raw)) return false;
    if (raw.startsWith("#")) {
      if (place.isTab(el) || el.matches("[data-toggle], [data-bs-toggle], [aria-expanded], [aria-controls]"))
        return false;
      const root = el.getRootNode();
      return raw.length > 1 && !!root.getElementById && (!!root.getElementById(raw.slice(1)) || raw === "#top");
    }
    if (!/^https?:$/.test(to.protocol)) return true;
    const here = place.address(el.ownerDocument),
      path = String(to.pathname),
      own = here.replace(/^[a-z]+:\/\/[^/]*/, "").replace(/[?#].*$/, "");
    return to.href === here || (path !== own && path.replace(/\d+/g, "0") === own.replace(/\d+/g, "0"));
  };
  // below: the address is one of the order's own: it has the number that the page's has.
  const below = (el) => {
    const numbers = place
      .address(el.ownerDocument)
      .replace(/[?#].*$/, "")
      .split("/")
      .slice(3)
      .filter((part) => /\d{3}/.test(part));
    const path = el.localName === "a" && el.hasAttribute("href") ? String(place.target(el).pathname).split("/") : [];
    return numbers.some((part) => path.includes(part));
  };
  const aside = (el) => place.outside(el) || (place.menued(el) && !below(el));
  const arrow = /^(?:[›»→>⟩❯▶…⋯]+|\.\.\.)$/,
    page = new RegExp("^(?:" + labels.page + "\\s+)?(\\d{1,3})$", "iu");
  // numbered: it is one of several numbers in order.
  const numbered = (el, n) => {
    const inList = up(el) && up(el).matches("li") && up(up(el)),
      around = inList || up(el);
    return (
      !!around &&
      around.childElementCount <= 30 &&
      [...around.children].some(
        (other) =>
          other !== el && !contains(other, el) && Math.abs(Number(labels.squeeze(other.textContent) || NaN) - n) === 1,
      )
    );
  };
  // iconOf returns what the class of an icon in a pager says, where it is the next page's.
  const iconOf = (el) => {
    if (!place.inPager(el)) return "";
    const classes = [el, ...find(el, "*")].map(place.classOf),
      found = classes.find((text) => /(^|[-_\s])(next|right|forward)([-_\s]|$)/i.test(text));
    if (found || el.matches("[rel=next]")) return labels.squeeze(found) || "rel=next";
    let pager = el;
    while (up(pager) && place.inPager(up(pager))) pager = up(pager);
    const all = find(pager, "a, button");
    return all.length > 1 && all[all.length - 1] === el ? "›" : "";
  };
  // shows: the control would show more of the list, or a list of documents.
  const shows = (el, name, one, here) => {
    if (
      el.matches("[rel=prev], [aria-haspopup]:not([aria-haspopup=false]):not([aria-haspopup=dialog])") &&
      !labels.documents(name)
    )
      return false;
    if (labels.shows(name) || (labels.heads(name) && (place.isTab(el) || el.matches("summary, [aria-expanded=false]"))))
      return true;
    const n = (labels.fold(name).match(page) || [])[1];
    if (!n && !arrow.test(name)) return false;
    if (place.inPager(el)) return true;
    if (!one || !one.documents || (place.climb(el, place.TABLE + ", " + place.ROW) && !n) || previewed(el))
      return false;
    return n ? /\p{L}/u.test(name) || numbered(el, Number(n)) : ofAll(el, here);
  };
  // ofAll: it stands beside the whole list, and not in the card of one of its items.
  const ofAll = (el, here) => {
    let at = up(el);
    while (at && ![...here].some((item) => contains(at, item))) at = up(at);
    return !here.size || [...here].every((item) => contains(at, item));
  };

  // turned: it is what attachments.next meets, or of the same pager; there a number that is not this
  // page's nor one's before it leads further, and is noted.
  const pagers = new Set(turning ? turning.met.map(up) : []);
  const numbers = new Set(); // what leads further
  const turned = (el, name) => {
    if (!turning || (!turning.met.length && turning.page === 1)) return false;
    if (turning.met.some((one) => contains(one, el) || contains(el, one))) return true;
    const n = (labels.fold(name).match(page) || [])[1];
    if (!n && !arrow.test(name) && !labels.shows(name)) return false;
    const beside = [up(el), up(el) && up(up(el))].some(
      (around) => around && [...pagers].some((pager) => around === pager || around === up(pager)),
    );
    if (!beside && !place.inPager(el) && !(n && !turning.met.length)) return false;
    if (n && Number(n) > turning.page) numbers.add(name);
    return true;
  };

  // facts: met are the items that item met, none and counted what the recipe's none and
  // count met.
  const facts = (met, none, counted) => {
    hosts = undefined; // the page may have others by now
    const places = place.survey([...none, ...counted, ...met].slice(0, 300));
    const addresses = new Set(met.map(own).filter(Boolean));
    const chosen = [],
      said = new Map(),
      listed = new Set(met),
      holding = holders(met);
    const within = (el) => {
      for (; el; el = up(el)) if (listed.has(el)) return true;
      return false;
    };
    for (const one of places) {
      const here = new Set(met.slice(0, 1000).filter((el) => one.has(el)));
      const all = rule.count === undefined ? counts(one, here) : [];
      said.set(one, { here, all, met: here.size || met.length });
    }
    // A place may count those that stand under no heading of documents, too.
    const reach = (here) =>
      met.filter((el) => here.has(el) || !places.some((other) => other.documents && other.has(el))).length;
    for (const [one, known] of said)
      if (one.documents && known.here.size && known.all.some(({ count }) => count === reach(known.here)))
        known.met = reach(known.here);
    let declared = null,
      zero = "",
      told = "",
      most = null,
      pages = null;
    const weigh = (count, text, found, ofPages) => {
      if (ofPages && turning && (turning.met.length || turning.page > 1)) {
        if (!(pages && pages.count >= ofPages)) pages = { count: ofPages, text };
        return;
      }
      if (count > (most?.count ?? 0)) most = { count, text };
      if (count === met.length && !ofPages) told ||= text;
      if (count === 0) zero ||= text;
      if (count > found && !(declared && declared.count >= count)) declared = { count, text };
    };
    for (const el of rule.count ? counted : []) {
      const text = place.said(el) || labels.squeeze(el.getAttribute("value")),
        count = labels.told(text);
      if (count !== null) weigh(count, text, met.length);
    }
    for (const { all, met } of said.values()) for (const { count, text, pages } of all) weigh(count, text, met, pages);
    // Several places may count the items of each.
    const parts = [...said.values()]
      .filter(({ here }) => here.size)
      .map(({ here, all }) => ({ n: here.size, said: all.find(({ count, pages }) => count === here.size && !pages) }));
    if (parts.every((part) => part.said) && parts.reduce((sum, { n }) => sum + n, 0) === met.length)
      told ||= parts.map(({ said }) => said.text).join(", ");

    // heads: it stands over a column, and sorts or filters that.
    const heads = (el) => {
      const head = place.climb(el, "th, [role=columnheader]"),
        row = head && place.climb(head, place.ROW);
      return !!row && !first(row, "td, [role=cell], [role=gridcell]");
    };
    const offered = (el, name, one, sure) => {
      const { here, met: found } = said.get(one) || { here: new Set(), met: met.length };
      if (
        !visible(el) ||
        disabled(el) ||
        current(el) ||
        excluded(el) ||
        aside(el) ||
        elsewhere(el) ||
        filled(el, holding) ||
        turned(el, name) ||
        heads(el)
      )
        return "";
      if (!own(el) && !labels.shows(name) && !labels.downloads(name) && place.composes(el)) return "";
      if (holding.has(el) || within(el) || addresses.has(own(el))) return "";
      const more = sure || shows(el, name, one, here);
      const row = place.climb(el, place.ROW);
      const second = row && one && contains(one.root, row) && holding.has(row);
      if (second && !(more && labels.more(name))) return "";
      const promised = labels.promised(name);
      if (
        promised &&
        (promised.further
          ? [...here].filter((item) => !visible(item)).length >= promised.count
          : found >= promised.count)
      )
        return "";
      return more ? "more" : rule.auto && way(el, name, one, row, found, here) ? "way" : "";
    };
    const way = (el, name, one, row, found, here) => {
      const listed = row && row !== el && one && contains(one.root, row);
      if (source(el, name, one)) return true;
      if ((idle(el) && !(listed && own(el) && labels.titled(name))) || place.inPager(el) || names.foreign(name))
        return false;
      if (labels.downloads(name) && (labels.all(name) || labels.selected(name))) return found === 0;
      if (labels.leads(name) || names.file(name)) return true;
      if (!one || !one.documents || one.heads.some(labels.related) || !/\p{L}/u.test(name)) return false;
      if (labels.order(name) && own(el) && strange.test(place.target(el).pathname)) return false;
      return listed || ((!row || row === el) && alone(el, name, one, here));
    };
    // source: right under the documents' heading, it leads to what the order comes from.
    const source = (el, name, one) => {
      if (!one || !one.documents || one.heads.some(labels.related) || !own(el) || labels.refused(name)) return false;
      const head = place.above(el)[0];
      if (place.climb(el, "dd") || !head || !labels.heads(place.labelOf(head.el))) return false;
      return [name, leading(el), String(place.target(el).pathname).replace(/[^a-z]+/gi, " ")].some(labels.requisitions);
    };
    // leading returns the text that stands before an element, in the same one.
    const leading = (el) => {
      let before = "";
      for (let node = el.previousSibling; node && node.nodeType === 3; node = node.previousSibling)
        before = node.data + before;
      return before;
    };
    // talks: it opens comments or messages that are not in the page, and may have documents.
    const talks = (el, name) =>
      labels.talks(name) &&
      (labels.opens(name) || el.matches("[aria-expanded=false], summary, [role=tab]")) &&
      !idle(el) &&
      !/(^|\D)0(\D|$)/.test(name) &&
      ![el, up(el)].some((at) => at?.nextElementSibling && folded(at.nextElementSibling));
    const folded = (el) =>
      !visible(el) && !el.matches("script, style, template") && labels.squeeze(el.textContent) !== "";
    // alone: outside a list it stands as the documents do, or first under their heading.
    const alone = (el, name, one, here) => {
      if (
        el.localName === "a"
          ? own(el)
            ? strange.test(place.target(el).pathname)
            : !/^(#?$|javascript:)/i.test((el.getAttribute("href") ?? "").trim())
          : !el.matches("button, [role=button], [role=link], [onclick], summary")
      )
        return false;
      if (el.localName === "summary") return true; // a folder that holds nothing yet
      const beside = place.small(up(el), 200)
        ? place
            .said(up(el))
            .replace(name, "")
            .replace(/[\d.,]+\s*\p{L}+/gu, "")
        : "";
      if (
        labels.opens(name) ||
        labels.more(name) ||
        labels.all(name) ||
        labels.others(beside) ||
        /\p{L}[^:]*$/u.test(leading(el))
      )
        return false;
      return here.size ? alike(el) : under(one.head ? one.head.nextElementSibling : one.root.firstElementChild, el);
    };
    const strange =
      /^\/?$|\/(suppliers?|vendors?|companies|users?|people|contacts?|profiles?|orders?|requisitions?|projects?|products?|help|support|legal|terms|home|login|logout)(\/[^/]*)?\/?$/i;
    const worktop =
      /(^|[-_\s])(actions?|tools?|toolbar|buttons?|footer|breadcrumbs?|nav|menu|tabs|filters?)([-_\s]|$)/i;
    const under = (at, el) => {
      for (; at; at = at.nextElementSibling) {
        if (
          at !== el &&
          (labels.none(place.small(at, 200) ? place.said(at) : "") ||
            (place.HEADING.includes(at.localName) && at.matches(place.HEADING)))
        )
          return false;
        if (contains(at, el)) return !worktop.test(place.classOf(at)) && !worktop.test(place.classOf(up(el)));
        if (![at, ...find(at, place.CONTROL)].every((other) => !other.matches(place.CONTROL) || idle(other)))
          return false;
      }
      return false;
    };
    const alike = (el) => {
      let block = el;
      while (up(block) && !holding.has(up(block))) block = up(block);
      const around = up(block),
        rest = (at, control) =>
          /\p{L}/u.test(place.small(at, 300) ? place.said(at).replace(place.said(control), "") : "x");
      if (!around) return false;
      const like = [...around.children].filter(
        (other) => other !== block && other.localName === block.localName && holding.has(other),
      );
      const cards =
        up(around) &&
        [...up(around).children].filter((other) => other.localName === around.localName && holding.has(other));
      if (block === el)
        return (
          like.length > 0 &&
          cards.length < 2 &&
          ![...around.childNodes].some((node) => node.nodeType === 3 && /\p{L}/u.test(node.data))
        );
      return (
        like.some((other) =>
          rest(
            other,
            met.find((item) => contains(other, item)),
          ),
        ) ||
        (like.length > 0 && !rest(block, el))
      );
    };
    // lacks: the text names a file, and nothing beside it brings it.
    const lacks = (el, text, one) => {
      if (place.climb(el, place.ROW) && contains(one.root, place.climb(el, place.ROW))) return false;
      const file = labels.fold(names.named(text)),
        titles = called();
      let around = up(el);
      while (around && !holding.has(around) && around !== one.root) around = up(around);
      return !titles.some((name, i) => name.includes(file) || (!names.file(name) && contains(around, met[i])));
    };
    let titles;
    const called = () => (titles ??= met.slice(0, 1000).map((item) => labels.fold(names.of(item))));
    const add = (text) => {
      if (text && !chosen.includes(text) && chosen.length < 8) chosen.push(text);
    };
    for (const one of places) {
      const { all, met: found } = said.get(one);
      const full =
        rule.count === undefined
          ? all.length > 0 && all.every(({ count }) => count <= found)
          : !declared && (most || zero !== "");
      if (full) continue;
      for (const el of among(one.root, place.CONTROL)) {
        if (holding.has(el) || !place.small(el, 200) || !one.has(el)) continue;
        const label = place.labelOf(el),
          name = label || iconOf(el),
          kind = name && offered(el, name, one, !label);
        if (kind === "more" || (kind === "way" && (one.anchored || one.documents || !met.length))) add(name);
      }
      for (const el of among(one.root, "select"))
        if (one.has(el) && (one.documents || one.anchored)) add(narrowing(el, holding, said.get(one).here));
      if (rule.auto && one.documents) rows(one, holding, within, add);
      texts(one.root, listed, (el, text) => {
        if (text.length <= 40 && labels.opens(text) && labels.shows(text) && !labels.helps(text)) {
          if (offered(el, text, one) === "more" && one.has(el)) add(text);
        } else if (
          rule.auto &&
          one.documents &&
          /\.\w/.test(text) &&
          names.named(text) &&
          visible(el) &&
          one.has(el) &&
          lacks(el, text, one)
        )
          add(text);
      });
    }
    // Where some are listed, what a row of other things offers of its own documents: "View attachments";
    // and comments that are closed, and counted.
    if (rule.auto && met.length)
      for (const el of all(place.CONTROL)) {
        if (el.textContent.length > 300) continue;
        const name = place.labelOf(el),
          row = place.climb(el, place.ROW);
        const theirs =
          row &&
          !holding.has(row) &&
          labels.several(name) &&
          (labels.opens(name) || labels.count(name)?.count > 0) &&
          !idle(el) &&
          !names.file(name) &&
          !(place.small(row, 400) && names.foreign(place.said(row)));
        const closed = el.matches("summary, [aria-expanded=false]") && /[1-9]/.test(name) && talks(el, name);
        if (theirs ? offered(el, name.replace(/\d+/g, ""), null, true) : closed && offered(el, name, null, true))
          add(name);
      }
    if (rule.auto && !met.length) {
      typed(add);
      showing(add);
    }
    const placeless = !places.some((one) => one.anchored || one.documents);
    deeds(
      add,
      holding,
      called,
      (el) => placeless || places.some((one) => (one.anchored || one.documents) && one.has(el)),
      (el) =>
        places.some(
          (one) =>
            said.get(one).all.length &&
            said.get(one).all.every(({ count }) => count <= said.get(one).met) &&
            one.has(el),
        ),
    );
    // Tabs of documents that were not opened, wherever they are; and where the page has
    // no place of documents at all, whatever leads to one.
    for (const el of all((placeless ? place.CONTROL : "[role=tab], a, button") + ", " + TABBY)) {
      if (!el.matches(place.CONTROL) && el.childElementCount > 3) continue;
      const text =
        el.textContent + " " + (el.getAttribute("aria-label") || "") + " " + (el.getAttribute("title") || "");
      if (text.length > 300) continue;
      const name = place.labelOf(el);
      if (!labels.documents(text) && !labels.documents(name)) continue; // words may stand without a space in the text
      if (!el.matches(place.CONTROL) && !tabby(el)) continue;
      if (!labels.heads(name) || (!placeless && !place.isTab(el)) || labels.refused(name) || aside(el)) continue;
      const count = rule.count === undefined && visible(el) && labels.count(name);
      if (count && count.unit === "documents" && (count.count > 0 || (place.isTab(el) && labels.zero(name))))
        weigh(count.count, name, met.length);
      if (offered(el, name, null, placeless)) add(name);
    }
    // Where nothing is listed, and the page does not say that there is nothing.
    if (rule.auto && !met.length && (most || zero === "")) {
      for (const el of all(place.CONTROL)) {
        if (el.textContent.length > 300) continue;
        const name = place.labelOf(el);
        if (name && talks(el, name) && offered(el, name, null, true)) add(name);
      }
      for (const el of beckoning()) {
        const name = place.labelOf(el);
        if (offered(el, name, null, true)) add(name);
      }
    }
    return {
      declared,
      counted: declared || !told ? null : { n: met.length, text: told },
      zero: most ? "" : zero,
      controls: chosen,
      promised: Object.fromEntries(
        chosen
          .map((name) => [name, labels.promised(name)])
          .flatMap(([name, is]) => (is && !is.further ? [[name, is.count]] : [])),
      ),
      ...(turning ? { told: most, pages, numbers: [...numbers] } : {}),
    };
  };
  // narrowing returns what is chosen in a list of choices that leaves a part of the documents out: a
  // number of rows that is reached, a year, or something beside "All"; or "". What the choices do
  // ("Download all"), ask ("Filter by …") or are sent with is none.
  const everything = (text) => labels.all(text) && /^\P{L}*\p{L}+(?:\s+\p{L}+)?\P{L}*$/u.test(text);
  const narrowing = (el, holding, here) => {
    const row = place.climb(el, place.ROW),
      form = place.climb(el, "form"),
      options = [...el.options].map((option) => labels.squeeze(option.textContent)),
      now = options[el.selectedIndex] ?? "",
      others = options.filter((text) => text !== now && !everything(text)),
      said = now + " of " + options.join(", ").slice(0, 60);
    if (
      options.length < 2 ||
      options.length > 60 ||
      !/[\p{L}\p{N}]/u.test(now) ||
      labels.all(now) ||
      el.multiple ||
      (row && holding.has(row)) ||
      (form && first(form, "input[type=file], textarea")) ||
      !visible(el) ||
      disabled(el) ||
      excluded(el) ||
      aside(el)
    )
      return "";
    const number = (text) => Number((/^(\d{1,4})(?:\s+\p{L}+)*$/u.exec(text) || [])[1] ?? NaN),
      year = (text) => /^(?:19|20)\d\d$/.test(text);
    if (year(now) && others.every(year)) return said;
    if (number(now) > 0 && others.every((text) => number(text) > 0)) return here.size >= number(now) ? said : "";
    const asks = el.selectedIndex === 0 && (el.options[0].value === "" || /(…|\.\.\.|:)$/.test(now));
    const does = options.some((text) => labels.downloads(text) || labels.refused(text) || labels.acts(text));
    return !asks && !does && others.length + 1 < options.length ? said : "";
  };
  // beckoning are the elements that say documents and no more, and seem to show something to who points
  // at them, or enters them.
  const drops = /[▾▼▿▽⌄˅﹀🔽⯆🞃]\s*$/u,
    enters = "[aria-haspopup]:not([aria-haspopup=false]), [tabindex]:not([tabindex^='-'])",
    hovers = "[onmouseenter], [onmouseover], [onpointerenter], [onpointerover], [onfocus], [onfocusin]";
  const beckoning = () => {
    const waiting = pointed();
    return all("*").filter((el) => {
      if (el.childElementCount > 3 || !place.small(el, 60) || /^(body|html|script|style)$/.test(el.localName))
        return false;
      const name = place.labelOf(el);
      if (!labels.heads(name) || labels.none(name)) return false;
      if (find(el, "[role=tab]").some((tab) => labels.heads(place.labelOf(tab)))) return false; // which is looked at
      const head = place.climb(el, place.HEADING) || first(el, place.HEADING);
      return drops.test(name) || el.matches(hovers) || (!head && (waiting.has(el) || el.matches(enters)));
    });
  };
  // tabby: no control, but one of several tabs.
  const TABBY = "[class*=tab i], .tabs > *, .nav-tabs > *";
  const tabToken = /(^|[-_])tab([-_]?(item|label|title|link|head|header|name))?$/i;
  const tabby = (el) =>
    el.childElementCount <= 3 &&
    !/^(ul|ol|nav|table|tbody|tr|td|th)$/.test(el.localName) &&
    place.isTab(el) &&
    !first(el, place.CONTROL + ", " + place.HEADING + ", li, div") &&
    (place
      .classOf(el)
      .split(/\s+/)
      .some((token) => tabToken.test(token)) ||
      (up(el) && up(el).matches(".tabs, .nav-tabs")));
  const idle = (el) => {
    const name = place.labelOf(el);
    return !name || labels.aside(name) || labels.refused(name) || labels.does(name) || labels.idle(name);
  };
  // texts visits the texts of a place that are no controls.
  const texts = (root, listed, see) => {
    let steps = 0;
    const visit = (el) => {
      if (
        ++steps > 4000 ||
        listed.has(el) ||
        el.matches(place.CONTROL) ||
        /^(select|script|style|textarea|label|template|option)$/.test(el.localName)
      )
        return;
      let text = "";
      for (const node of el.childNodes) if (node.nodeType === 3 && text.length < 200) text += " " + node.data;
      text = labels.squeeze(text);
      if (text && text.length <= 160) see(el, text);
      for (const child of (el.shadowRoot || el).children) visit(child);
    };
    visit(root);
  };
  // deeds adds what would do something to a file that is not listed, and what names one
  // elsewhere.
  const deeds = (add, holding, called, placed, settled) => {
    const files = apart.length ? called().filter((name) => name.length > 3) : [];
    for (const el of apart) {
      const name = place.labelOf(el),
        row = place.climb(el, place.ROW),
        text = labels.fold(name);
      if (!visible(el) || disabled(el) || excluded(el) || (row && holding.has(row)) || settled(el)) continue;
      const verb = labels.acts(name) || labels.refused(name);
      if (verb ? aside(el) || !placed(el) : labels.does(name)) continue;
      if (!files.some((file) => text.includes(file))) add(name);
    }
  };
  // fields are those for typing in an element.
  const typing =
    "textarea, input:not([type=checkbox], [type=radio], [type=password], [type=hidden], [type=submit], [type=button])";
  const fields = (el) => find(el, typing).filter(visible);
  // typed adds the names of files that stand in such fields, as where an order is shown as a form.
  const typed = (add) => {
    for (const field of all(typing).slice(0, 2000))
      if (/\.\w/.test(field.value || "") && names.named(labels.squeeze(field.value)) && visible(field))
        add(labels.squeeze(field.value).slice(0, 80));
  };
  // showing adds the files that the page shows within itself, or has as a choice or a part of a picture.
  const showing = (add) => {
    for (const el of all("object[data], embed[src]").filter((el) => /html/i.test(el.type) && visible(el)))
      try {
        const within = el.matches("object") ? el.contentDocument.body : null; // what an embed has cannot be looked into
        if (!within || labels.documents(within.textContent) || within.querySelector("a[href], iframe, form"))
          add((el.getAttribute("data") || el.getAttribute("src")).slice(0, 80));
      } catch {} // of another host, see unlisted.js
    for (const el of all("embed[src], object[data], iframe[src], area[href], option[value]").slice(0, 2000)) {
      const at = ["src", "data", "href", "value"].map((name) => el.getAttribute(name)).find(Boolean) || "",
        file = at.replace(/[?#].*$/, "").replace(/^.*\//, "");
      const is = el.matches("area, option")
        ? names.named(file)
        : /\.(pdf|tiff?|docx?|xlsx?)$/i.test(file) || /^application\/pdf\b/i.test(el.getAttribute("type") || "");
      if (is && (el.matches("area") || visible(el.closest("select") || el)) && !aside(el))
        add((file || at).slice(0, 80));
    }
  };
  // titling: it is the first, and has the names of columns.
  const titling = (row) =>
    !row.previousElementSibling && [...row.children].some((cell) => labels.columns(place.said(cell)));
  // like: the row stands among those of documents, as one of them, and says that it is there.
  const like = (row, text, holding) =>
    /\p{L}{3}/u.test(find(row, place.CONTROL).reduce((rest, el) => rest.replace(place.said(el), " "), text)) &&
    text.length <= 120 &&
    [...up(row).children].some(
      (other) =>
        holding.has(other) && other.localName === row.localName && other.childElementCount >= row.childElementCount,
    ) &&
    (row.localName !== "tr" || labels.squeeze(row.children[0].textContent) !== "") &&
    !first(row, "th, [role=columnheader]" + (row.localName === "tr" ? ", [colspan]" : "")) &&
    !titling(row) &&
    !first(row, place.HEADING + ", input, select, textarea") &&
    !/head|title|group|foot|total|divider/i.test(place.classOf(row)) &&
    ![labels.none, labels.absence, labels.asks, labels.demands, labels.count, labels.does, labels.idle].some((says) =>
      says(text),
    );
  // rows adds those of a list of documents that name a file, say that it is not there yet, or are like
  // the others, and have nothing to get it by.
  const rows = (one, holding, within, add) => {
    for (const row of find(one.root, place.ROW).slice(0, 300)) {
      if (
        !visible(row) ||
        !one.has(row) ||
        holding.has(row) ||
        first(row, place.ROW) ||
        within(row) ||
        !find(row, place.CONTROL).every(idle)
      )
        continue;
      const said = [...fields(row).map((field) => field.value || ""), place.small(row, 160) ? place.said(row) : ""];
      const text = labels.squeeze(said.join(" ")).slice(0, 160);
      // unnamed: a link that is an icon, or "?".
      const unnamed = find(row, "a[href]").some((a) => own(a) && !/[\p{L}\p{N}]/u.test(place.labelOf(a)));
      if (names.file(text) || labels.pending(text) || (unnamed && /\p{L}/u.test(text)) || like(row, text, holding))
        add(text);
    }
  };

  return { facts };
};
