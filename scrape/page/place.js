// place.js is one function: where a page lists its documents, what it says of their
// number there, and which controls would show more of them. It changes nothing.
//
//   labels  what texts say, see labels.js
//   eyes    how to look at the document, see extract.js; marks are the elements that show the order's number
//   all     the elements that a selector meets
(labels, { visible, target, address, edge = () => null, marks = () => [], shows = () => false }, all) => {
  const HEADING = "h1, h2, h3, h4, h5, h6, [role=heading], legend, caption, summary";
  const HEADED =
    HEADING + ", [class*=itle], [class*=eading], [class*=eader], dt, tbody th, b:only-child, strong:only-child";
  const LIST =
    "ul, ol, dl, table, menu, [role=list], [role=table], [role=grid], [role=treegrid], [role=listbox], [role=tree]";
  const TABLE = "table, [role=table], [role=grid], [role=treegrid]";
  const ROW = "li, tr, [role=row], [role=listitem], [role=option], [role=treeitem]";
  const CONTROL =
    "a, button, [role=button], [role=link], [role=tab], summary, input[type=button], input[type=submit], " +
    "input[type=image], " +
    "[onclick]:not(html, body, main, form, :has(h1, h2, h3, h4, h5, h6, ul, ol, dl, table, section, a, button, " +
    "select, textarea, [role=button], [role=tab], [onclick]))";
  const SECTION =
    "section, article, aside, main, body, fieldset, details, [role=tabpanel], [role=region], [role=main], .tab-pane";
  const BOUND = SECTION + ", td, th, li";

  const up = (el) => {
    if (el === edge()) return null; // what is around the order's row belongs to others as well
    if (dom.up(el)) return dom.up(el);
    const root = el.getRootNode();
    return root.host ?? root.defaultView?.frameElement ?? null;
  };
  const climb = (el, selector) => {
    for (; el; el = up(el)) if (dom.matches(el, selector)) return el;
    return null;
  };
  const contains = (outer, el) => {
    for (; el; el = up(el)) if (el === outer) return true;
    return false;
  };
  const find = (el, selector) => [...Element.prototype.querySelectorAll.call(el, selector)];
  const first = (el, selector) => Element.prototype.querySelector.call(el, selector);
  const classOf = (el) => dom.attr(el, "class") || "";
  const disabled = (el) =>
    dom.matches(el, ":disabled, [aria-disabled=true], [inert], [inert] *") ||
    [el, up(el)].some((at) => at && /(^|[-_\s])disabled([-_\s]|$)/i.test(classOf(at)));
  const { squeeze } = labels;

  // said returns the visible text of an element, with spaces between its parts: a
  // badge beside a word makes no longer word.
  const said = (el) => {
    const parts = [];
    const visit = (node) => {
      for (const child of (dom.shadow(node) || node).childNodes) {
        if (child.nodeType === 3) parts.push(child.data);
        else if (child.nodeType === 1 && !/^(script|style|template|noscript)$/.test(child.localName) && seen(child))
          visit(child);
      }
    };
    visit(el);
    return squeeze(parts.join(" "));
  };
  const small = (el, limit) => dom.text(el).length <= limit * 8 && squeeze(dom.text(el)).length <= limit;
  const labelOf = (el) => {
    const text = small(el, 200) ? said(el) : "";
    if (/[\p{L}\p{N}]/u.test(text)) return text;
    return squeeze(
      dom.attr(el, "aria-label") ||
        dom.attr(el, "title") ||
        (el.localName === "input" && (dom.attr(el, "value") || dom.attr(el, "alt"))) ||
        find(el, "[alt], [title], [aria-label]")
          .map((inner) => dom.attr(inner, "alt") || dom.attr(inner, "title") || dom.attr(inner, "aria-label"))
          .find(Boolean) ||
        text,
    );
  };

  // --- what is no part of the order ---

  const consent = /cookie|consent|gdpr|onetrust|usercentrics|didomi/i;
  const pagerClass = /(^|[-_\s])(pagination|paginator|paging|pager|paginate|pages)([-_\s]|$)|pagination|paginat(e|or)/i;
  const isPager = (el) => pagerClass.test(classOf(el)) || /pagin/i.test(dom.attr(el, "aria-label") || "");
  const inPager = (el) => {
    for (let depth = 0; el && depth < 6; depth++, el = up(el)) if (isPager(el)) return true;
    return false;
  };
  const widget = /^(chat|chat-?widget|intercom.*|toast.*|snackbar|notifications?)$/i,
    frames = /^((site|page|main|app|global)[-_]?)?(footer|navbar|topbar|breadcrumbs?)$/i;
  const tokens = (el) => (classOf(el) + " " + el.id).split(/\s+/);
  const tabClass = /(^|[-_\s])tabs?([-_\s]|$)|tab(list|strip|bar)/i;
  // sites: a header or footer is the site's, and none of a part of the page.
  const sites = (el) => {
    const outer = up(el);
    return (
      !outer ||
      outer.localName === "body" ||
      !!first(el, "nav, [role=navigation]") ||
      [...dom.children(outer)].some(
        (other) => other !== el && (dom.matches(other, "main, h1") || first(other, "main, h1")),
      )
    );
  };
  // over: it lies over the page, or is shown for a moment, unless it is told that those count.
  const message = /^(toast|snackbar|notifications?)/i;
  const dialogs = "dialog, [role=dialog], [role=alertdialog], [aria-modal=true]";
  const over = (el, told) =>
    dom.matches(el, dialogs + ", [role=menubar], [role=search]") ||
    (el.localName !== "body" &&
      el.localName !== "html" &&
      (consent.test(classOf(el) + " " + el.id) ||
        tokens(el).some(
          (token) =>
            widget.test(token) && !(message.test(token) && (told || first(el, "main, article, section, table"))),
        )));
  // central: it is around the order, which its number, its main heading, or the items that a recipe
  // means stand for. Of several, those in a dialog count only where all are in one.
  let centre = null,
    items = [];
  const keep = (found) => {
    items = found;
    centre = null;
  };
  const central = (el) => {
    if (!centre) {
      const shown = [
        ...new Set([...marks(), ...all("h1").filter((head) => small(head, 200) && shows(dom.text(head)))]),
      ];
      const open = shown.filter(visible),
        under = open.filter((one) => !climb(one, dialogs));
      centre = [...(under.length ? under : open), ...items];
    }
    return centre.some((one) => contains(el, one));
  };
  // its: a menu of the order's own parts, by their addresses.
  const its = (nav) => {
    const here = new URL(address(nav.ownerDocument)),
      order = (here.pathname.match(/^.*\/[^/]*\d{3}[^/]*/) || [])[0];
    return (
      !!order &&
      find(nav, "a[href]").some((link) => {
        const to = target(link),
          path = String(to.pathname);
        return path.startsWith(order + "/") || (path === order && to.search && to.search !== here.search);
      })
    );
  };
  // outside: in the site's header, menu or footer, a dialog, or a cookie banner; and in a message that
  // is shown for a moment, unless it is told that those count. What is around the order is none of these.
  const outside = (el, told = false) => {
    let frame = false; // the part around it is one of these, unless it belongs to a part of the page
    for (; el; el = up(el)) {
      if (over(el, told) && !central(el)) return true;
      if (dom.matches(el, "main, article, section, [role=main]")) frame = false;
      else if (dom.matches(el, "[role=banner], [role=contentinfo]")) frame = !central(el);
      else if (dom.matches(el, "nav[aria-label*=breadcrumb i]")) frame = true;
      else if (dom.matches(el, "nav, [role=navigation]"))
        frame = !isPager(el) && !tabClass.test(classOf(el)) && !first(el, "[role=tab]") && !its(el);
      else if (dom.matches(el, "header, footer") || tokens(el).some((token) => frames.test(token)))
        frame ||= sites(el) && !central(el);
    }
    return frame;
  };

  // menued: in a menu or sidebar of the site that has no heading of documents.
  const menus =
    /^((site|page|main|app|global|side|nav|top|left)[-_]?(menu|nav|navigation)|side[-_]?bar|navigation|menu|menubar)([-_](menu|nav|links|list|left|wrapper))?$/i;
  const menued = (el) => {
    for (; el; el = up(el))
      if (
        tokens(el).some((token) => menus.test(token)) &&
        sites(el) &&
        !find(el, HEADING).some((head) => labels.heads(labelOf(head)))
      )
        return true;
    return false;
  };

  // --- headings, and what stands under them ---

  const titleClass =
    /(^|[-_\s])(title|heading|headline|header|caption|legend|head)([-_\s]|$)|[a-z](Title|Header|Heading)\b/;
  const headOf = (el) => {
    if (dom.matches(el, HEADING)) return el;
    if (el.childElementCount > 6 || dom.matches(el, "table, ul, ol, dl, a, button, input, body, main")) return null;
    if (first(el, "table, ul, ol, dl, section, article, [role=tab]") || !small(el, 160)) return null;
    const inner = first(el, HEADING);
    if (inner) return inner;
    if (el.localName === "b" || el.localName === "strong")
      return dom.up(el) && dom.matches(dom.up(el), "p, div") && squeeze(dom.text(el)) === squeeze(dom.text(dom.up(el)))
        ? el
        : null;
    return titleClass.test(classOf(el)) && small(el, 80) && squeeze(dom.text(el)) && !first(el, "a[href]") ? el : null;
  };
  const level = (el) => Number((el.localName.match(/^h([1-6])$/) || [])[1] || dom.attr(el, "aria-level") || 7);
  // The text of a heading, without the buttons in it, and with a badge that stands beside it.
  const headText = (el) => {
    const whole = labelOf(el),
      next = el.nextElementSibling;
    const text =
      find(el, "button, [role=button]").reduce((rest, button) => squeeze(rest.replace(said(button), " ")), whole) ||
      whole;
    const badge =
      next &&
      seen(next) &&
      small(next, 12) &&
      !dom.first(next, "option") &&
      squeeze(dom.text(next)).match(/^[([]?\s*(\d[\d.,]*\+?)\s*[)\]]?$/);
    return badge && !(dom.matches(el, "dt, th") && labels.single(text)) ? text + " (" + badge[1] + ")" : text;
  };

  // keyed: one of the keys in the same list says documents.
  const keyed = (el) => {
    const outer = up(el);
    if (!keys.has(outer))
      keys.set(
        outer,
        [...dom.children(outer)].some(
          (key) =>
            (key.localName === "dt" || key.localName === "th") &&
            labels.documents(dom.text(key)) &&
            labels.heads(headText(key)),
        ),
      );
    return keys.get(outer);
  };

  let keys,
    opened = []; // of this survey: list -> keyed; the hidden parts that hold items
  // seen: a person sees it, or will with the items of a hidden part.
  const seen = (el) => visible(el) || opened.some((part) => contains(part, el));

  // Of this survey: scope -> headings in order; panel -> what opens it; element -> headings; scope -> child -> place.
  let scopes, tabs, known, orders;
  const look = () => {
    known = new Map();
    orders = new Map();
    keys = new Map();
    scopes = new Map();
    for (const el of new Set(all(HEADED))) {
      const key = el.localName === "dt" || el.localName === "th";
      if (dom.text(el).length > 600 || (key && !keyed(el))) continue;
      if (!seen(el) || (key ? dom.closest(el, "thead") : headOf(el) !== el)) continue;
      let node = el;
      for (let outer = up(node); outer && !key && !dom.matches(outer, BOUND) && headOf(outer); outer = up(node))
        node = outer;
      const scope = up(node);
      if (!scope) continue;
      if (!scopes.has(scope)) scopes.set(scope, []);
      scopes.get(scope).push({ el, node, level: key ? 8 : level(el) });
    }
    tabs = new Map();
    for (const el of all("[role=tab], [aria-controls], [data-target], [data-bs-target], [data-tab], a[href^='#']")) {
      const panel = opens(el);
      if (panel && visible(el)) tabs.set(panel, [...(tabs.get(panel) || []), el]);
    }
  };
  // precedes reports whether one child of a scope comes before another. Of siblings, compareDocumentPosition looks at
  // all between them.
  const precedes = (one, other, scope) => {
    if (!orders.has(scope)) orders.set(scope, new Map([...dom.children(scope)].map((child, i) => [child, i])));
    const [a, b] = [one, other].map((child) => orders.get(scope).get(child));
    return a === undefined || b === undefined ? !!(one.compareDocumentPosition(other) & 4) : a < b;
  };
  // above returns the headings that an element stands under, the nearest first.
  const above = (el) => {
    if (known.has(el)) return known.get(el);
    const found = [],
      inner = new Set();
    let rank = 9;
    for (let node = el, scope = up(el); scope; node = scope, scope = up(scope)) {
      for (const head of [...(scopes.get(scope) || [])].reverse()) {
        const before = head.node === node || contains(head.node, el) || precedes(head.node, node, scope);
        if (!before || (head.level >= rank && (head.level < 7 || inner.has(scope)))) continue;
        found.push(head);
        inner.add(scope);
        rank = Math.min(rank, head.level);
      }
    }
    known.set(el, found);
    return found;
  };
  const opens = (el) => {
    if (el.localName === "summary") return dom.up(el);
    const root = el.getRootNode();
    const ids = (dom.attr(el, "aria-controls") || "").split(/\s+/);
    for (const name of ["data-target", "data-bs-target", "data-tab", "href"]) {
      const id = (dom.attr(el, name) || "").trim();
      if (name !== "href" || id.startsWith("#")) ids.push(id.replace(/^#/, ""));
    }
    for (const id of ids) {
      const opened = id && root.getElementById && root.getElementById(id);
      if (opened && !contains(opened, el)) return opened;
    }
    const panels = el.id && root.querySelectorAll ? [...dom.all(root, "[role=tabpanel][aria-labelledby]")] : [];
    const panel = panels.find((panel) => dom.attr(panel, "aria-labelledby").split(/\s+/).includes(el.id));
    if (panel || !root.host || dom.all(root, CONTROL).length !== 1) return panel || null;
    return opens(root.host); // it is all that can be clicked in an element of the page's own
  };
  const isTab = (el) => {
    if (
      dom.matches(el, "[role=tab], [data-toggle=tab], [data-toggle=pill], [data-bs-toggle=tab], [data-bs-toggle=pill]")
    )
      return true;
    for (let at = el, depth = 0; at && depth < 4; depth++, at = up(at))
      if (dom.attr(at, "role") === "tablist" || tabClass.test(classOf(at)))
        return !dom.matches(at, ".tab-pane, .tab-content, [role=tabpanel]");
    return false;
  };

  // --- places ---

  // A place is {root, has, heads, documents, anchored}: the element that holds it,
  // whether an element is in or beside it, the texts of its heading and tabs, whether
  // they say documents, and whether anything was met there.
  const survey = (anchors) => {
    opened = [];
    const shared = new Map();
    for (const el of anchors) {
      if (!visible(el) && !opened.some((part) => contains(part, el))) {
        let hidden = el;
        for (let outer = up(el); outer && !visible(outer); outer = up(outer)) hidden = outer;
        opened.push(hidden);
      }
      for (let at = up(el); at; at = up(at)) shared.set(at, (shared.get(at) || 0) + 1);
    }
    look();
    const places = new Map();
    const place = (key, root, has, text) => {
      if (!places.has(key)) places.set(key, { root, has, heads: [], head: null, documents: false, anchored: false });
      const one = places.get(key);
      if (text && !one.heads.includes(text)) one.heads.push(text);
      one.documents ||= labels.heads(text || "");
      return one;
    };
    const under = (head, scope) => {
      const one = place(
        head.el,
        scope,
        (el) => contains(scope, el) && above(el).some((h) => h.el === head.el),
        headText(head.el),
      );
      one.head ||= head.node;
    };
    for (const [scope, heads] of scopes) {
      for (const head of heads) {
        const text = headText(head.el);
        if (labels.heads(text) && !outside(head.el)) under(head, scope);
      }
    }
    for (const el of all(
      "section[aria-label], [role=region][aria-label], ul[aria-label], table[aria-label], " +
        "[role=table][aria-label], [role=grid][aria-label]",
    )) {
      const text = dom.attr(el, "aria-label");
      if (labels.heads(text) && seen(el) && !outside(el)) place(el, el, (inner) => contains(el, inner), text);
    }
    for (const [panel, openers] of tabs) {
      const tab = openers.find((el) => isTab(el) || dom.has(el, "aria-controls"));
      if (tab && labels.heads(labelOf(tab)) && !outside(tab))
        place(panel, panel, (el) => contains(panel, el), labelOf(tab));
    }
    for (const el of anchors) {
      let documents = false;
      for (const one of places.values())
        if (one.documents && one.has(el)) {
          one.anchored = true;
          documents = true;
        }
      if (documents) continue;
      const core = climb(up(el) || el, LIST + ", " + SECTION);
      let list = core && dom.matches(core, LIST) ? core : el;
      for (
        let outer = up(list);
        outer &&
        !dom.matches(outer, SECTION) &&
        (list === el ? shared.get(outer) === 1 && outer.childElementCount === 1 : outer.childElementCount === 1);
        outer = up(list)
      )
        list = outer;
      if (list === el || !dom.matches(list, LIST))
        for (let node = list, outer = up(node); outer && !dom.matches(outer, SECTION); node = outer, outer = up(outer))
          if (shared.get(outer) > 1) {
            list = node;
            break;
          }
      // A single document in a text has nothing beside it.
      if (
        !(core && dom.matches(core, LIST)) &&
        up(list) &&
        dom.matches(up(list), SECTION) &&
        shared.get(up(list)) === 1
      )
        list = el;
      const beside = up(list) || list;
      const one = place(
        core === list ? list : beside,
        beside,
        (inner) =>
          contains(list, inner) ||
          (contains(beside, inner) &&
            ((shared.get(beside) > 1 && anchors.some((other) => contains(sibling(beside, inner), other))) ||
              follows(list, inner, beside))),
      );
      one.anchored = true;
      one.list = list;
    }
    return [...places.values()];
  };
  const sibling = (outer, el) => {
    while (el && up(el) !== outer) el = up(el);
    return el;
  };
  // follows: the element stands behind the list, with no heading and no other table
  // in between.
  const follows = (list, el, beside) => {
    const node = sibling(beside, el);
    for (let at = list.nextElementSibling; at; at = at.nextElementSibling) {
      if (seen(at) && (headOf(at) || first(at, HEADING) || dom.matches(at, TABLE) || first(at, TABLE))) return false;
      if (at === node) return true;
    }
    return false;
  };

  return {
    keep,
    up,
    climb,
    contains,
    find,
    first,
    said,
    small,
    labelOf,
    headText,
    outside,
    menued,
    inPager,
    isTab,
    opens,
    above,
    survey,
    classOf,
    disabled,
    visible,
    seen,
    target,
    address,
    CONTROL,
    ROW,
    LIST,
    TABLE,
    HEADING,
  };
};
