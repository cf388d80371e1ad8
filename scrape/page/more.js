// more.js is one function: what a page says, or offers, beyond the documents that
// were listed on it: counts that say more, and controls that would show more.
//
//   place    where documents stand, see place.js
//   own(el)  the address of an item or a link, or ""
//   names    {of(el), named(text), foreign(text)}: the name of an item; whether a text names a file, or another order
//   apart    what names a file, and is not listed; marks() show the order's number
//   turning  {page, met}: the number of this page of documents, and what attachments.next meets;
//            null where the recipe has none
(labels, place, { all, own, excluded, names, apart, marks, rule, turning }) => {
  const { find, first, up, climb, contains, visible, disabled, small, said, labelOf, classOf } = place;
  const preview = /preview|viewer|vorschau|carousel|slider|gallery|wizard|stepper|progress/i;

  // holders returns all elements that hold one of these, and these.
  const holders = (els) => {
    const found = new Set();
    for (let el of els) for (; el && !found.has(el); el = up(el)) found.add(el);
    return found;
  };
  // hosting are the elements with an open shadow root, the text of which is not theirs, and what they stand in.
  let hosts;
  const hosting = () => (hosts ??= holders(all("*").filter((el) => dom.shadow(el))));
  const among = (root, selector) =>
    hosting().has(root) ? all(selector).filter((el) => contains(root, el)) : find(root, selector);

  // --- counts ---

  // counts returns all that a place says of its number of documents: {count, text, pages}.
  // here are the items that it has.
  const counts = (one, here) => {
    const found = [],
      holding = holders(here);
    const add = (count, text, pages = 0) => found.push({ count, text, pages });
    for (const text of one.heads) {
      const is = labels.heads(text) && labels.count(text);
      if (is && is.unit === "documents" && (is.count > 0 || labels.zero(text))) add(is.count, text);
    }
    let steps = 0;
    // barred: what is around it says more than a count, as how many rows a page has.
    const visit = (el, barred) => {
      if (
        ++steps > 4000 ||
        here.has(el) ||
        (!/\d/.test(dom.text(el)) && !hosting().has(el)) ||
        !place.seen(el) ||
        /^(select|script|style|textarea)$/.test(el.localName) ||
        preview.test(classOf(el)) ||
        (holding.has(el) && el !== one.root && dom.matches(el, place.ROW))
      )
        return;
      if (!holding.has(el) && small(el, 120) && one.has(el)) {
        const text = said(el),
          is = labels.count(text);
        if (is && !(barred && is.to === undefined)) {
          const shown = [...here].filter(visible).length,
            least = is.pages ? Math.max(is.count, here.size + 1) : is.further ? is.count + shown : is.count;
          const its = believed(is, text, one, el, here.size, holding);
          if (its) add(least, text, is.pages ? is.count : 0);
          if (its || !first(el, "select, [role=combobox], input")) return;
          barred = true;
        }
      }
      for (const child of dom.children(dom.shadow(el) || el)) visit(child, barred);
    };
    visit(one.root, false);
    return found.concat(attributed(one, here));
  };
  // believed: the count is of the documents there.
  const believed = (is, text, one, el, met, holding) => {
    if (is.unit === "others" || place.outside(el)) return false;
    const tables = () => find(one.root, place.TABLE).filter((table) => one.has(table) && !holding.has(table));
    const ends = (at) => at && small(at, 60) && /\p{L}:?\s*\d[\d.,]*$/u.test(said(at)); // one of several numbers
    if (is.count === 0 && (!labels.zero(text) || (climb(el, place.CONTROL + ", label, option") && !place.isTab(el))))
      return false;
    if (is.plain && is.to === undefined && (ends(el.previousElementSibling) || ends(el.nextElementSibling)))
      return false;
    if (is.entries)
      return one.documents && is.count >= met && !tables().some((table) => first(table, "td, [role*=cell]"));
    if (is.pages) return is.count > 1 && !previewed(el);
    if (is.further) return met > 0;
    if (is.weak) return is.to === met;
    if (is.to === undefined) return is.sure || labels.bare(text) || labels.zero(text);
    return is.unit === "documents" || one.documents || is.to - is.from + 1 === met;
  };
  // previewed: the pages are those of one document that is shown.
  const previewed = (el) => {
    const head = place.above(el)[0];
    if (head && preview.test(labels.fold(dom.text(head.el)))) return true;
    for (let at = el, depth = 0; at && depth < 3; depth++, at = up(at)) {
      if (preview.test(classOf(at)) || first(at, "canvas, iframe, embed, object")) return true;
    }
    return false;
  };
  // attributed are the counts that stand in attributes.
  const attributed = (one, here) => {
    const within = (el) => [...here].filter((item) => contains(el, item)).length,
      head = (row) => first(row, "th, [role=columnheader]") && !first(row, "td, [role=cell], [role=gridcell]"),
      around = [...here].map((item) => climb(item, "[aria-rowcount]")).filter(Boolean),
      found = [];
    for (const grid of new Set([...find(one.root, "[aria-rowcount]"), ...around])) {
      const count = Number(dom.attr(grid, "aria-rowcount")),
        rows = find(grid, "tr, [role=row]"),
        heads = rows.filter((row) => dom.matches(row, "thead tr") || head(row)).length,
        inside = within(grid),
        its = one.documents ? inside || one.has(grid) : inside && inside === rows.length - heads;
      if (its && count > 0 && rows.length <= count)
        found.push({ count: count - heads, text: "aria-rowcount=" + count });
    }
    for (const row of find(one.root, "[aria-setsize]").slice(0, 50)) {
      const size = Number(dom.attr(row, "aria-setsize"));
      if (dom.matches(row, place.ROW + ", [role=article]") && (one.has(row) || within(row)))
        if (size > find(up(row), "[aria-setsize]").length) found.push({ count: size, text: "aria-setsize=" + size });
    }
    return found;
  };

  // stranger returns, in whatever language, a number of documents that is at least that of the listed ones: in
  // brackets, or in an element of its own, at the end of their heading or tab; or in "1-2 x 5" beside them. Or null.
  const bracketed = /^\P{N}*\p{L}\P{N}*?[(（[［【]\s*(\d{1,3})\s*\p{L}{0,3}\s*[)）\]］】]$/u;
  const stranger = (one, here, holding) => {
    const met = here.size,
      item = [...here][0],
      panel = item && climb(item, "[role=tabpanel]");
    if (!item || one.documents) return null;
    const tabs = panel ? all("[role=tab]").filter((el) => place.opens(el) === panel) : [];
    for (const el of [...place.above(item).slice(0, 1), ...tabs.map((el) => ({ el }))].map((head) => head.el)) {
      const text = place.headText(el),
        badge = dom.matches(el, "[role=tab]") || find(el, "*").some((part) => /^\d{1,3}$/.test(said(part))),
        end = badge ? text.match(/^\P{N}*\p{L}\P{N}*(\d{1,3})$/u) : null,
        count = Number((text.match(bracketed) ?? end)?.[1]);
      if (count >= met && !labels.others(text) && !place.outside(el)) return { count, text };
    }
    for (const el of find(one.root, "*").slice(0, 600)) {
      if (!small(el, 60) || !/\d/.test(dom.text(el)) || holding.has(el) || holding.has(climb(el, place.ROW))) continue;
      const text = said(el),
        n = (text.match(/\d+/g) ?? []).map(Number);
      const range = n.length === 3 && n[0] === 1 && n[1] === met && /1\s*[-–—〜～~]\s*\d/.test(text),
        part = n.length === 2 && n[0] === met && /\d\s*(?:\/|\p{L}{1,6})\s*\d+\P{N}*$/u.test(text);
      if ((range || part) && n.at(-1) > met && n.at(-1) < 1000 && one.has(el) && visible(el))
        return { count: n.at(-1), text };
    }
    return null;
  };
  // elsewhereCounted are the counts of documents that stand in no place of them.
  const elsewhereCounted = (places, holding) =>
    all("*").flatMap((el) => {
      if (el.childElementCount > 2 || dom.text(el).length > 80 || !/\d/.test(dom.text(el))) return [];
      if (holding.has(el) || dom.matches(el, "script, style, option")) return [];
      if (!labels.documents(dom.text(el).replace(/\d+/g, " $& "))) return [];
      const text = said(el),
        is = labels.count(text);
      if (is?.unit !== "documents" || is.pages || is.further || !labels.bare(text) || climb(up(el) ?? el, place.ROW))
        return [];
      if (labels.single(text.replace(/\P{L}*\d+\P{L}*$/u, "")) || climb(el, place.CONTROL) || !visible(el)) return [];
      return place.outside(el) || places.some((one) => one.documents && one.has(el)) ? [] : [{ count: is.count, text }];
    });

  // --- pagers ---

  const forth = /^(?:[›»→>⟩❯▶…⋯]+|\.\.\.)$/,
    back = /^[‹«←<⟨❮◀]+$/,
    page = new RegExp("^(?:" + labels.page + "\\s+)?(\\d{1,4})(?:\\s*[-–—]\\s*(\\d{1,4}))?$", "iu");
  // step returns what a cell of a pager says: the number of a page, a range or a year as {from, to}, or {} for
  // an arrow; or null.
  const step = (text) => {
    const m = labels.fold(text).match(page);
    if (m) return { from: Number(m[1]), to: Number(m[2] ?? m[1]) };
    return forth.test(text) || back.test(text) ? {} : null;
  };
  // runs: the element is one of several siblings that number the pages of something: numbers, ranges or years
  // in order, and beside them only arrows and words that turn pages.
  const runs = (el) => {
    let cell = el;
    const text = labels.squeeze(dom.text(el));
    for (let outer = up(cell); outer; outer = up(outer)) {
      if (!small(outer, 60) || labels.squeeze(dom.text(outer)) !== text || find(outer, place.CONTROL).length > 1) break;
      cell = outer;
    }
    // In a row of a table all cells are, else those that stand side by side.
    const turning = (one) => {
      const text = visible(one) && small(one, 60) ? said(one) || labelOf(one) : " ";
      return text === "" || step(text) || labels.turns(text) || labels.count(text) ? text : null;
    };
    const near = [cell];
    for (const [next, put] of [
      ["previousElementSibling", "unshift"],
      ["nextElementSibling", "push"],
    ])
      for (let at = cell[next]; at && near.length <= 40 && turning(at) !== null; at = at[next]) near[put](at);
    if (up(cell) && dom.matches(up(cell), "tr, [role=row]") && near.length < up(cell).childElementCount) return false;
    const steps = near.map((one) => step(turning(one) ?? ""));
    const pages = steps.filter((one) => one?.from !== undefined);
    const pairs = pages.slice(1).map((one, i) => [pages[i], one]);
    const ordered = [([a, b]) => a.to < b.from, ([a, b]) => a.from > b.to].some((is) => pairs.every(is));
    const next = ([a, b]) => b.from === a.to + 1 || b.to === a.from - 1;
    return pairs.length > 0 && ordered && (pairs.some(next) || steps.some((one) => one && one.from === undefined));
  };
  // again: it leads to this very page, but for a number.
  const again = (el) => {
    if (/Page\$(?:\d|Next)/.test((dom.attr(el, "href") || "") + dom.attr(el, "onclick"))) return true;
    if (!own(el)) return false;
    const to = new URL(own(el)),
      here = new URL(place.address(el.ownerDocument));
    const rest = (url) => [...url.searchParams].filter(([, value]) => !/^\d{1,6}$/.test(value)).join("&");
    return (
      to.origin + to.pathname === here.origin + here.pathname && to.search !== here.search && rest(to) === rest(here)
    );
  };
  // iconOf returns what the class of an icon in a pager says, where it is the next page's.
  const iconOf = (el) => {
    if (dom.matches(el, "[rel=next]")) return "rel=next";
    if (!place.inPager(el)) return "";
    const classes = [el, ...find(el, "*")].map(classOf),
      found = classes.find((text) => /(^|[-_\s])(next|right|forward)([-_\s]|$)/i.test(text));
    return found ? labels.squeeze(found) : "";
  };
  // ofAll: it stands beside the whole list, and not in the card of one of its items.
  const ofAll = (el, here) => {
    let at = up(el);
    while (at && ![...here].some((item) => contains(at, item))) at = up(at);
    return [...here].every((item) => contains(at, item));
  };
  // turns: it leads to another page of the list of a place.
  const turns = (el, name, one, here) => {
    const is = step(name);
    if (is?.from !== undefined) return place.inPager(el) || ((/\p{L}/u.test(name) || runs(el)) && !previewed(el));
    if (back.test(name) || (!is && /[\p{L}\p{N}]/u.test(name))) return false;
    if (place.inPager(el) && is) return true;
    if (!one.documents || climb(el, place.TABLE + ", " + place.ROW) || previewed(el)) return false;
    return (is || again(el)) && ofAll(el, here);
  };

  // turned: it is what attachments.next meets, or of the same pager; there a number that is not this
  // page's nor one's before it leads further, and is noted.
  const pagers = new Set(turning ? turning.met.map(up) : []);
  const numbers = new Set(); // what leads further
  const turned = (el, name) => {
    if (!turning || (!turning.met.length && turning.page === 1)) return false;
    if (turning.met.some((one) => contains(one, el) || contains(el, one))) return true;
    const is = step(name);
    if (!is && !labels.shows(name)) return false;
    const beside = [up(el), up(el) && up(up(el))].some(
      (around) => around && [...pagers].some((pager) => around === pager || around === up(pager)),
    );
    if (!beside && !place.inPager(el) && !(is?.from && (!turning.met.length || runs(el)))) return false;
    if (is?.from > turning.page) numbers.add(name);
    return true;
  };

  // --- choices ---

  // narrows returns what is chosen of several texts, where that leaves out a part of so many documents: a year, a
  // number of rows that is reached, or something beside "All"; or "".
  const narrows = (texts, at, here) => {
    const now = texts[at] ?? "",
      others = texts.filter((text) => text !== now),
      everything = (text) => labels.all(text) && /^\P{L}*\p{L}+(?:\s+\p{L}+)?\P{L}*$/u.test(text),
      number = (text) => Number((/^(\d{1,4})(?:\s+\p{L}+)*$/u.exec(text) || [])[1] ?? NaN),
      year = (text) => /^(?:19|20)\d\d$/.test(text),
      rest = others.filter((text) => !everything(text));
    if (texts.length < 2 || texts.length > 60 || !/[\p{L}\p{N}]/u.test(now) || labels.all(now)) return "";
    const says = now + " of " + texts.join(", ").slice(0, 60);
    if (year(now) && rest.every(year)) return says;
    if (number(now) > 0 && rest.every((text) => number(text) > 0)) return here.size >= number(now) ? says : "";
    const does = texts.some((text) => [labels.downloads, labels.refused, labels.acts].some((is) => is(text)));
    return !does && rest.length < others.length ? says : "";
  };
  // choices are those of a place: its lists, and its groups of radio buttons.
  const choices = (one, holding) => {
    const counts = (el) =>
      one.has(el) && visible(el) && !disabled(el) && !excluded(el) && !aside(el) && !holding.has(climb(el, place.ROW));
    const found = among(one.root, "select")
      .filter((el) => counts(el) && !el.multiple && !first(climb(el, "form") ?? el, "input[type=file], textarea"))
      .filter((el) => el.selectedIndex !== 0 || !(el.value === "" || /(…|\.\.\.|:)$/.test(el.options[0].text.trim())))
      .map((el) => [[...el.options].map((option) => labels.squeeze(dom.text(option))), el.selectedIndex]);
    const radios = Map.groupBy(among(one.root, "input[type=radio]").filter(counts), (el) => el.name);
    for (const group of radios.values())
      found.push([group.map((el) => said(el.labels?.[0] ?? up(el))), group.findIndex((el) => el.checked)]);
    return found;
  };

  // --- controls ---

  const current = (el) =>
    dom.matches(el, "[aria-selected=true], [aria-expanded=true], [aria-current]:not([aria-current=false])") ||
    [el, up(el)].some(
      (at) =>
        at &&
        (dom.matches(at, "a, button, li, span, [role=tab]") || at === el) &&
        /(^|[-_\s])(active|current|selected)([-_\s]|$)/i.test(classOf(at)),
    );
  // filled: what the control opens is in the page already, and more than its heading and
  // "Click to load". holding are those that hold an item.
  const filled = (el, holding) => {
    const opened = place.opens(el);
    if (!opened) return place.isTab(el) && matched(el, holding);
    if (holding.has(opened)) return true;
    let text = labels.squeeze(dom.text(opened));
    for (const head of text.length > 2000 ? [] : find(opened, place.HEADING))
      text = labels.squeeze(text.replace(labels.squeeze(dom.text(head)), ""));
    if (text.length > 60 || labels.none(text)) return true;
    if (text) return !labels.opens(text) && !/(…|\.\.\.)$/.test(text);
    return (
      visible(opened) && !dom.matches(opened, ".tab-pane, [role=tabpanel], details") && !!first(opened, place.HEADING)
    );
  };
  // matched: of several tabs and as many panels, its own holds items.
  const matched = (el, holding) => {
    const like = (one) =>
      [...dom.children(up(one))].filter(
        (other) => other.localName === one.localName && other.classList[0] === one.classList[0],
      );
    const tab = up(el) && dom.matches(up(el), "li") ? up(el) : el,
      tabs = up(tab) ? like(tab) : [];
    return [...holding].some((panel) => {
      if (visible(panel) || !up(panel) || !visible(up(panel))) return false;
      const panels = like(panel);
      return panels.length === tabs.length && panels.indexOf(panel) === tabs.indexOf(tab);
    });
  };
  // elsewhere: it leads to mail, to an app, within the page, or to another order.
  const elsewhere = (el) => {
    if (el.localName !== "a" || !dom.has(el, "href")) return false;
    const raw = dom.attr(el, "href").trim(),
      to = place.target(el);
    if (raw === "" || /^javascript:/i.test(raw)) return false;
    if (raw.startsWith("#")) {
      if (place.isTab(el) || dom.matches(el, "[data-toggle], [data-bs-toggle], [aria-expanded], [aria-controls]"))
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
    const path = el.localName === "a" && dom.has(el, "href") ? String(place.target(el).pathname).split("/") : [];
    return numbers.some((part) => path.includes(part));
  };
  const aside = (el) => place.outside(el) || (place.menued(el) && !below(el));
  // heads: it stands over a column, and sorts or filters that.
  const heads = (el) => {
    const head = climb(el, "th, [role=columnheader]"),
      row = head && climb(head, place.ROW);
    return !!row && !first(row, "td, [role=cell], [role=gridcell]");
  };
  // shows: the control would show more of the list, or a list of documents.
  const shows = (el, name, one, here) => {
    const menu = "[rel=prev], [aria-haspopup]:not([aria-haspopup=false], [aria-haspopup=dialog])";
    if (dom.matches(el, menu) && !labels.documents(name)) return false;
    const closed = place.isTab(el) || dom.matches(el, "summary, [aria-expanded=false]");
    return labels.shows(name) || (closed && labels.heads(name)) || (!!one && turns(el, name, one, here));
  };
  const idle = (name) =>
    !/\p{L}/u.test(name) || [labels.aside, labels.refused, labels.does, names.foreign].some((is) => is(name));
  // composes: it stands where a comment is written, or a file is brought.
  const composes = (el) => {
    for (let at = up(el), depth = 0; at && depth < 3 && !dom.matches(at, "main, body, form"); depth++, at = up(at))
      if (first(at, "textarea, input[type=file]")) return true;
    return false;
  };
  // speaks: its text is a word for documents, and what it does is nothing else; in a row of something else, it is
  // of several.
  const speaks = (el, name, row) =>
    labels.heads(name) &&
    !idle(name) &&
    (below(el) || place.isTab(el) || !climb(el, "nav, [role=navigation]")) &&
    (!row || row === el || (labels.several(name) && !(small(row, 400) && names.foreign(said(row)))));
  // leads: it stands in a row of documents, or in no sentence where none is listed, and may be one.
  const leads = (el, name, one, here) => {
    if (!dom.matches(el, place.CONTROL) || !one.documents || one.heads.some(labels.related) || place.inPager(el))
      return false;
    if (idle(name) && !(own(el) && labels.titled(name))) return false;
    const row = climb(el, place.ROW);
    if (row) return contains(one.root, row);
    if (!here.size && (labels.downloads(name) || labels.opens(name))) return true;
    if (
      here.size ||
      !/\d/.test(own(el).replace(/^\w+:\/\/[^/]*/, "")) ||
      (climb(el, "dd") && !(one.head && dom.matches(one.head, "dt")))
    )
      return false;
    return ![...up(el).childNodes].some((node) => node.nodeType === 3 && /\p{L}/u.test(node.data));
  };
  // TABBY may be a tab that is no control.
  const TABBY = "[class*=tab i], .tabs > *, .nav-tabs > *";
  const control = (el) =>
    dom.matches(el, place.CONTROL) ||
    (el.childElementCount <= 3 &&
      !dom.matches(el, "ul, ol, nav, table, tbody, tr, td, th") &&
      place.isTab(el) &&
      !first(el, place.CONTROL + ", " + place.HEADING + ", li, div"));

  // facts: met are the items that item met, none and counted what the recipe's none and
  // count met.
  const facts = (met, none, counted) => {
    hosts = undefined; // the page may have others by now
    const places = place.survey([...none, ...counted, ...met].slice(0, 300)),
      addresses = new Set(met.map(own).filter(Boolean)),
      controls = new Set(),
      listed = new Set(met),
      holding = holders(met),
      known = new Map();
    const inside = (el) => {
      for (; el; el = up(el)) if (listed.has(el)) return true;
      return false;
    };
    for (const one of places) {
      const here = new Set(met.slice(0, 1000).filter((el) => one.has(el)));
      const all = rule.count === undefined ? counts(one, here) : [],
        strange = rule.count === undefined && !all.length && stranger(one, here, holding);
      known.set(one, { here, all: strange ? [strange] : all, met: here.size || met.length });
    }
    // A place may count those that stand under no heading of documents, too.
    const free = met.filter((el) => !places.some((one) => one.documents && one.has(el))).length;
    for (const [one, its] of known) {
      const reach = its.here.size + free;
      if (one.documents && its.here.size && its.all.some(({ count }) => count === reach)) its.met = reach;
    }
    let declared = null,
      zero = "",
      told = "",
      most = null,
      pages = null,
      // The list may be one of orders, or rows of something else have documents of their own.
      others = marks().length > 0 && marks().every((el) => holding.has(climb(el, "tr, [role=row]")));
    const weigh = (count, text, found, ofPages) => {
      if (ofPages && turning && (turning.met.length || turning.page > 1)) {
        if (!(pages && pages.count >= ofPages)) pages = { count: ofPages, text };
        return;
      }
      if (count > (most?.count ?? 0)) most = { count, text };
      if (count === met.length && !ofPages && !greater(text, count)) told ||= text;
      if (count === 0) zero ||= text;
      if (count > found && !(declared && declared.count >= count)) declared = { count, text };
    };
    for (const el of rule.count ? counted : []) {
      const text = said(el) || labels.squeeze(dom.attr(el, "value")),
        count = labels.told(text);
      if (count !== null) weigh(count, text, met.length);
    }
    for (const { all, met } of known.values()) for (const { count, text, pages } of all) weigh(count, text, met, pages);
    for (const { count, text } of rule.count === undefined ? elsewhereCounted(places, holding) : [])
      if (count > met.length) weigh(count, text, met.length);
    // Several places may count the items of each.
    const parts = [...known.values()]
      .filter(({ here }) => here.size)
      .map(({ here, all }) => ({ n: here.size, is: all.find(({ count, pages }) => count === here.size && !pages) }));
    if (parts.every(({ is }) => is && !greater(is.text, is.count)))
      if (parts.reduce((sum, { n }) => sum + n, 0) === met.length) told ||= parts.map(({ is }) => is.text).join(", ");

    const add = (text) => {
      if (text && controls.size < 8) controls.add(text);
    };
    // unused: it can be used, and was not, and leads to nothing that is listed.
    const unused = (el, name, found, here) => {
      if (!visible(el) || disabled(el) || current(el) || excluded(el) || aside(el) || elsewhere(el)) return false;
      if (filled(el, holding) || turned(el, name) || heads(el)) return false;
      if (holding.has(el) || inside(el) || addresses.has(own(el))) return false;
      const promised = labels.promised(name);
      if (!promised) return true;
      const hidden = [...here].filter((item) => !visible(item)).length;
      return promised.further ? hidden < promised.count : found < promised.count;
    };
    // every: it downloads all of them at once, beside the single ones.
    const every = (name) =>
      rule.auto && met.length > 0 && labels.downloads(name) && (labels.all(name) || labels.several(name));
    let titles;
    const files = () => (titles ??= met.slice(0, 1000).map((item) => labels.fold(names.of(item))));
    // unnamed: the text is the name of a file, and nothing beside it brings that.
    const unnamed = (el, one) => {
      const file = /\.\w/.test(dom.text(el)) && names.named(labels.squeeze(dom.text(el)));
      if (!file || dom.closest(el, place.CONTROL + ", option, script, style") || !visible(el) || excluded(el))
        return false;
      if (inside(el) || holding.has(climb(el, place.ROW)) || !one.has(el)) return false;
      return !files().some((name) => name.includes(labels.fold(file)));
    };
    for (const one of places) {
      const its = known.get(one),
        met = its.all.length > 0 && its.all.every(({ count }) => count <= its.met),
        part = its.all.some(({ text }) => labels.count(text)?.to), // "1-2 of 2" is no count of a page
        // Where all that are counted are there, only what turns pages says that there are more.
        full = rule.count === undefined ? met : !declared && (most || zero !== "");
      const leaves = among(one.root, "*").filter((el) => !el.childElementCount && dom.text(el).length <= 160);
      for (const el of rule.auto && one.documents && !full ? leaves : [])
        if (unnamed(el, one)) add(labels.squeeze(dom.text(el)));
      // What opens something may be no control.
      const opens = (el) =>
        small(el, 40) &&
        [labels.shows, labels.opens].every((is) => is(dom.text(el))) &&
        !/[.!?]\s*$/.test(dom.text(el));
      for (const el of new Set([...among(one.root, place.CONTROL), ...leaves.filter(opens)])) {
        if (holding.has(el) || !small(el, 200) || !one.has(el)) continue;
        const label = labelOf(el),
          name = label || iconOf(el) || (again(el) ? "›" : ""),
          row = climb(el, place.ROW),
          second = row && contains(one.root, row) && holding.has(row);
        const further = (step(name)?.from && runs(el)) || (!part && labels.more(name) && labels.shows(name));
        if (!name || every(name) || (full && !further)) continue;
        if ((second && !labels.more(name)) || !unused(el, name, its.met, its.here)) continue;
        if (!label || shows(el, name, one, its.here) || (rule.auto && leads(el, name, one, its.here))) add(name);
      }
      if (!full && (one.documents || one.anchored))
        for (const [texts, at] of choices(one, holding)) add(narrows(texts, at, its.here));
    }
    // Tabs of documents that were not opened, wherever they are; and what shows documents, where the page has no
    // place of them, or no recipe says what shows them.
    const placeless = !places.some((one) => one.anchored || one.documents);
    for (const el of all(place.CONTROL + ", " + TABBY)) {
      if (dom.text(el).length > 300 || !control(el)) continue;
      const title = dom.attr(el, "title") ?? "",
        name = labels.heads(labelOf(el)) || !labels.heads(title) ? labelOf(el) : title + " " + labelOf(el),
        row = climb(el, place.ROW);
      if (!labels.heads(name) || labels.refused(name) || aside(el)) continue;
      if (row && !holding.has(row) && row !== el && /[1-9]/.test(name) && visible(el)) others = true;
      const tab = place.isTab(el),
        count = rule.count === undefined && (placeless || tab) && visible(el) && labels.count(name);
      if (count && count.unit === "documents" && (count.count > 0 || (tab && labels.zero(name))))
        weigh(count.count, name, met.length);
      if ((row && holding.has(row)) || (!tab && !own(el) && composes(el))) continue;
      if (!unused(el, name, met.length, new Set())) continue;
      if (placeless || tab || (rule.auto && !every(name) && speaks(el, name, row))) add(name);
    }
    const placed = (el) => placeless || places.some((one) => (one.anchored || one.documents) && one.has(el));
    for (const el of apart) {
      const name = labelOf(el),
        row = climb(el, place.ROW),
        deed = labels.acts(name) || labels.refused(name);
      if (!visible(el) || disabled(el) || excluded(el) || (row && holding.has(row))) continue;
      if (deed ? aside(el) || !placed(el) : labels.does(name)) continue;
      if (!files().some((file) => file.length > 3 && labels.fold(name).includes(file))) add(name);
    }
    if (rule.auto && !met.length) for (const file of within()) add(file);
    const promises = [...controls].map((name) => [name, labels.promised(name)]);
    return {
      declared,
      counted: declared || others || !told ? null : { n: met.length, text: told },
      zero: most ? "" : zero,
      controls: [...controls],
      promised: Object.fromEntries(promises.flatMap(([name, is]) => (is && !is.further ? [[name, is.count]] : []))),
      ...(turning ? { told: most, pages, numbers: [...numbers] } : {}),
    };
  };
  // within are the files, and pages with links, that the page shows within itself, or has as a part of a picture.
  const within = () =>
    all("embed[src], object[data], iframe[src], area[href]").flatMap((el) => {
      const at = ["src", "data", "href"].map((name) => dom.attr(el, name)).find(Boolean),
        file = at.replace(/[?#].*$/, "").replace(/^.*\//, ""),
        type = dom.attr(el, "type") || "",
        page = dom.matches(el, "object") && el.contentDocument; // what an embed has cannot be looked into
      if (aside(el) || !(dom.matches(el, "area") || visible(el))) return [];
      const other = /html/i.test(type) && (!page || dom.first(page, "a[href], iframe, form"));
      const is = dom.matches(el, "area") ? names.named(file) : /\.(pdf|tiff?|docx?|xlsx?)$/i.test(file);
      return is || /^application\/pdf\b/i.test(type) || other ? [(file || at).slice(0, 80)] : [];
    });
  // greater: the text has a greater number, as that of which these are a part: "1-2 of 2 (filtered from 57)".
  const greater = (text, count) =>
    !text.startsWith("aria-") && (text.match(/\d[\d.,]*/g) ?? []).some((n) => Number(n.replace(/\D/g, "")) > count);

  return { facts };
};
