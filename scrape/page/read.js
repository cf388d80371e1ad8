// read.js is one expression: it waits until the page is settled by the rule it
// is given, and returns everything that poscrape wants of it. It changes
// nothing on the page.
(async (rule) => {
  const watchKey = Symbol.for("poscrape.watch");
  const listKey = Symbol.for("poscrape.list");
  const began = performance.now();

  // --- finding things, in open shadow roots and frames of the same origin ---

  const roots = () => {
    const found = [];
    const visit = (root) => {
      found.push(root);
      for (const el of root.querySelectorAll("*")) {
        if (el.shadowRoot) visit(el.shadowRoot);
        if (el.localName === "iframe" || el.localName === "frame") {
          try { if (el.contentDocument) visit(el.contentDocument); } catch { /* another origin's */ }
        }
      }
    };
    visit(document);
    return found;
  };
  const badSelector = (selector) => Object.assign(new Error(selector), { badSelector: selector });
  const all = (selector) => {
    try {
      return roots().flatMap((root) => [...root.querySelectorAll(selector)]);
    } catch { throw badSelector(selector); }
  };
  const visible = (el) => {
    if (!el.checkVisibility || !el.checkVisibility({ visibilityProperty: true })) return false;
    for (let win = el.ownerDocument.defaultView; win && win.frameElement; win = win.parent) {
      if (!win.frameElement.checkVisibility({ visibilityProperty: true })) return false;
    }
    return true;
  };
  const anyVisible = (selector) => all(selector).some(visible);
  // Where several elements match, visible ones win over hidden ones.
  const best = (elements) => elements.find(visible) || elements[0];
  const squeeze = (text) => (text || "").replace(/[\s\u00a0\u200b-\u200d\ufeff]+/g, " ").trim();
  const textOf = (el) => {
    if (!el) return "";
    if (/^(input|textarea|select)$/.test(el.localName)) return el.value || "";
    return squeeze(visible(el) && el.innerText !== undefined ? el.innerText : el.textContent);
  };

  // --- settling ---

  const frames = () => {
    const found = [];
    const visit = (win) => {
      try { if (win.document) found.push(win); } catch { return; }
      for (let i = 0; i < win.frames.length; i++) visit(win.frames[i]);
    };
    visit(window);
    return found;
  };
  const watches = () => frames().map((win) => win[watchKey]).filter(Boolean);
  const own = window[watchKey];
  const pause = own ? own.pause : (ms) => new Promise((over) => setTimeout(over, ms));
  const looksBusy = () => {
    if (all('[aria-busy="true"]').some(visible)) return true;
    return all(".spinner, .loader, .loading, [role=progressbar]:not([aria-valuenow])")
      .some((el) => visible(el) && textOf(el).length < 40 && !el.querySelector("a, table, form"));
  };
  // notReady says which part of the ready rule is not met, or "".
  const notReady = () => {
    if (rule.ready.selector && all(rule.ready.selector).length === 0) return "selector";
    if (rule.ready.gone ? anyVisible(rule.ready.gone) : looksBusy()) return "gone";
    return "";
  };
  const unsettled = () => {
    if (!own) return document.readyState === "complete" ? "" : "the page is still loading";
    for (const w of watches()) {
      const why = w.busy();
      if (why) return why;
    }
    return Math.min(...watches().map((w) => w.quiet())) < rule.ready.quietMs ? "the page keeps changing" : "";
  };

  // --- the page's nature ---

  const pageText = () => squeeze(roots().map((root) => root.body ? root.body.innerText : root.host ? root.textContent : "").join(" "));
  const marked = (marker, text) => {
    if (marker.selector && anyVisible(marker.selector)) return true;
    const lower = text.toLowerCase();
    return (marker.text || []).some((t) => t && lower.includes(squeeze(t).toLowerCase()));
  };
  const compact = (text) => (text || "").normalize("NFKC").toUpperCase().replace(/[\s\u200b-\u200d\ufeff]+/g, "");
  // foreign: the digits stand behind the prefix of another kind of order.
  const foreign = (lead, n) => /\d/.test(n[0]) && rule.otherPrefixes.some((p) => lead.endsWith(p) && !/[A-Z]/.test(lead[lead.length - p.length - 1] || ""));
  // shows reports whether the text holds the number, or its digits, and not only
  // as a part of a longer one.
  const shows = (text) => {
    const t = compact(text);
    for (const number of [rule.po, rule.digits]) {
      const n = compact(number);
      if (!n) continue;
      for (let at = t.indexOf(n); at >= 0; at = t.indexOf(n, at + 1)) {
        const before = t[at - 1] || "", after = t[at + n.length] || "";
        const joined = /\d/.test(n[0]) ? /\d/ : /[A-Z0-9]/;
        if (!joined.test(before) && !/\d/.test(after) && !foreign(t.slice(0, at), n)) return true;
      }
    }
    return false;
  };
  const numberLike = /\d{4,}/;

  // --- fields ---

  const pairs = () => {
    const found = [];
    const add = (label, el) => {
      const name = squeeze(label).replace(/[:*]+$/, "").trim();
      if (name && name.length <= 60 && el) found.push([name, textOf(el)]);
    };
    for (const dt of all("dl > dt, dl > div > dt").filter(visible)) {
      let dd = dt.nextElementSibling;
      if (dd && dd.localName === "dd") add(dt.innerText, dd);
    }
    for (const tr of all("tr").filter(visible)) {
      const cells = [...tr.children];
      if (cells.length === 2 && (cells[0].localName === "th" || cells[1].localName === "td") && !tr.closest("thead")) {
        const table = tr.closest("table");
        if (table && [...table.rows].every((row) => row.cells.length === 2)) add(cells[0].innerText, cells[1]);
      }
    }
    for (const label of all("label").filter(visible)) {
      if (label.control && label.control.type !== "password") add(label.innerText, label.control);
      else if (!label.control && label.nextElementSibling) add(label.innerText, label.nextElementSibling);
    }
    for (const el of all(".label, .field-label, [class$='__label']").filter(visible)) {
      if (el.nextElementSibling && el.localName !== "label" && el.parentElement.children.length === 2) add(el.innerText, el.nextElementSibling);
    }
    for (const el of all("[itemprop]")) add(el.getAttribute("itemprop"), el.hasAttribute("content") ? { localName: "input", value: el.content } : el);
    return found.concat(linkedData());
  };
  const linkedData = () => {
    const found = [];
    for (const script of all('script[type="application/ld+json"]')) {
      let data;
      try { data = JSON.parse(script.textContent); } catch { continue; }
      const visit = (value, name, depth) => {
        if (value === null || depth > 4 || found.length > 100) return;
        if (typeof value === "object") {
          for (const [key, inner] of Object.entries(value)) if (!key.startsWith("@")) visit(inner, Array.isArray(value) ? name : name ? name + " " + key : key, depth + 1);
        } else if (name) found.push([name.replace(/([a-z])([A-Z])/g, "$1 $2"), squeeze(String(value))]);
      };
      visit(data, "", 0);
    }
    return found;
  };
  const slug = (name) => name.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "_").replace(/^_+|_+$/g, "");
  const autoFields = (found) => {
    const fields = {};
    for (const [name, value] of found) {
      const id = slug(name);
      if (id && !(id in fields) && value.length <= 2000 && Object.keys(fields).length < 200) fields[id] = value;
    }
    return fields;
  };
  const valueOf = (el, attr) => {
    if (!attr) return textOf(el);
    return attr === "value" ? el.value ?? el.getAttribute("value") : el.getAttribute(attr);
  };
  const ruledFields = () => {
    const fields = {};
    for (const f of rule.fields) {
      const el = best(all(f.selector));
      const value = el ? valueOf(el, f.attr) : null;
      if (value !== null && value !== undefined) fields[f.name] = f.attr ? String(value) : squeeze(String(value));
    }
    return fields;
  };
  const lines = () => {
    if (!rule.lines) return [];
    const rows = all(rule.lines.row), shown = rows.filter(visible);
    return (shown.length ? shown : rows).map((row) => {
      const line = {};
      for (const c of rule.lines.columns) {
        try { line[c.name] = textOf(row.querySelector(c.selector)); } catch { throw badSelector(c.selector); }
      }
      return line;
    });
  };

  // --- identity ---

  const orderLabel = /^(p\.?o\.?|purchase[ _]?order|order|bestellung|bestell|commande|pedido|ordine)([ _-]?(number|no\.?|nr\.?|nummer|num|id|#|№))?$|^order_?number$|^bestellnummer$/i;
  const identity = (found) => {
    if (rule.identity) {
      const els = all(rule.identity), shown = els.filter(visible);
      return (shown.length ? shown : els).some((el) => shows(textOf(el)) || shows(el.value || ""));
    }
    const labelled = found.filter(([name, value]) => orderLabel.test(name) && numberLike.test(value));
    if (labelled.length) return labelled.some(([, value]) => shows(value));
    const headings = [document.title, ...all("h1, h2").filter(visible).map(textOf)].filter((t) => numberLike.test(t));
    if (headings.some(shows)) return true;
    return shows(pageText());
  };

  // --- documents ---

  const fileType = /\.(pdf|docx?|xlsx?|xlsm|pptx?|csv|txt|rtf|od[tsp]|zip|7z|rar|gz|tgz|msg|eml|xml|json|png|jpe?g|tiff?|gif|bmp|webp|svg|dwg|dxf|step|stp|p7m|edi|idoc)$/i;
  const saysSo = /\/(attachments?|downloads?|documents?|files?|dokumente?|anhaenge?|pieces?-jointes?)\/(?:[^/]+\/)*([^/]*\d[^/]*)\/?$/i;
  const queried = /[?&](download|attachment|file|document)(_?id)?=[^&]+/i;
  const noDocument = /^\s*(add|upload|attach|manage|new|edit|delete|remove|help|how\b|preview all)/i;
  const isDocument = (a) => {
    if (a.closest("nav, footer, [role=navigation], [role=contentinfo]")) return false;
    if (noDocument.test(textOf(a))) return false;
    if (a.localName === "a" && a.hasAttribute("download")) return true;
    const named = fileType.test(textOf(a));
    if (a.localName !== "a" || !/^https?:$/.test(a.protocol) || a.getAttribute("href").startsWith("#")) return named;
    let path;
    try { path = decodeURIComponent(a.pathname); } catch { path = a.pathname; }
    return fileType.test(path) || saysSo.test(path) || queried.test(a.search);
  };
  const folded = "details, [role=tabpanel], .collapse, .tab-pane, .accordion, [hidden=until-found]";
  const items = () => {
    let els = rule.attachments ? all(rule.attachments.item) : rule.auto ? all("a[href], button, [role=button]").filter(isDocument) : [];
    for (const selector of rule.attachments ? rule.attachments.exclude : []) {
      const out = new Set(all(selector));
      els = els.filter((el) => !out.has(el));
    }
    const shown = els.filter(visible);
    if (shown.length) els = els.filter((el) => visible(el) || el.closest(folded));
    if (rule.auto) {
      const seen = new Set();
      els = els.filter((el) => {
        const id = el.href && !el.getAttribute("href").startsWith("#") ? el.href : el;
        return !seen.has(id) && seen.add(id);
      });
    }
    return els;
  };
  const linkOf = (el) => {
    if (el.localName === "a" && el.hasAttribute("href")) return el;
    const inner = [...el.querySelectorAll("a[href]")];
    return inner.length === 1 ? inner[0] : null;
  };
  const fileInText = /[^\s\/\\:*?"<>|](?:[^\/\\:*?"<>|\n]*[^\s\/\\:*?"<>|])?\.[a-z0-9]{2,5}(?=$|[\s(,;\[])/i;
  const nameOf = (el, link) => {
    if (rule.attachments && rule.attachments.name) {
      let named;
      try { named = el.querySelector(rule.attachments.name); } catch { throw badSelector(rule.attachments.name); }
      if (named && squeeze(named.textContent)) return squeeze(named.textContent);
    }
    if (link && link.getAttribute("download")) return link.getAttribute("download");
    if (rule.auto) {
      const text = (el.innerText || el.textContent || "");
      for (const part of [...[...el.children].map((c) => c.textContent), ...text.split("\n")]) {
        const m = squeeze(part).match(fileInText);
        if (m && m.index === 0) return m[0];
      }
    }
    return textOf(el);
  };
  const describe = (el, index) => {
    const link = linkOf(el);
    const raw = link ? link.getAttribute("href").trim() : "";
    const plain = !!link && /^https?:$/.test(link.protocol) && raw !== "" && !raw.startsWith("#") &&
      !(link.hash && link.href.split("#")[0] === document.location.href.split("#")[0]);
    return {
      index, name: nameOf(el, link),
      url: plain ? link.href : raw.startsWith("data:") ? raw : "",
      source: el.ownerDocument.location.href === "about:srcdoc" ? document.location.href : el.ownerDocument.location.href,
    };
  };

  // --- what auto reads off a page that is no order ---

  const refusals = {
    notFound: /\b(not found|no such (purchase )?order|(order|page|document|record) (does not|doesn't) exist|could ?n[o']t (be )?f(ou|i)nd|unknown order|nicht gefunden|existiert nicht|introuvable|n'existe pas|no encontrad[oa]|no existe|non trovat[oa]|niet gevonden|não encontrad[oa])\b/i,
    denied: /\b(access denied|not authori[sz]ed|permission denied|forbidden|no permission|zugriff verweigert|keine berechtigung|accès refusé|acceso denegado|accesso negato|geen toegang)\b/i,
  };
  // A page that refuses says so in its title or headings, and shows little else.
  const refusal = (found) => {
    if (!rule.auto) return "";
    const head = [document.title, ...all("h1, h2, h3, [role=alert]").filter(visible).map(textOf)].join(" | ");
    const orderShown = found.some(([name, value]) => orderLabel.test(name) && shows(value));
    if (orderShown) return "";
    for (const [kind, pattern] of Object.entries(refusals)) if (pattern.test(head)) return kind;
    return "";
  };
  const loginForm = () => all('input[type="password"]').some(visible);

  // --- the reading ---

  try {
    let missing = "", why = "";
    for (;;) {
      missing = notReady();
      why = unsettled();
      if (!missing && !why) break;
      // A settled page that refuses will not show the order, however long one waits.
      if (missing === "selector" && !why) {
        const text = pageText();
        if (marked(rule.notFound, text) || marked(rule.accessDenied, text)) break;
      }
      if (performance.now() - began >= rule.ready.timeoutMs) break;
      await pause(15);
    }
    const text = pageText();
    const found = rule.auto || !rule.identity ? pairs() : [];
    const list = items();
    Object.defineProperty(window, listKey, { value: list, configurable: true });
    const refused = refusal(found);
    return {
      url: document.location.href, title: document.title,
      notReady: missing, unsettled: why,
      identity: identity(found),
      notFound: marked(rule.notFound, text) || refused === "notFound",
      denied: marked(rule.accessDenied, text) || refused === "denied",
      login: loginForm(),
      fields: rule.auto ? autoFields(found) : ruledFields(),
      lines: lines(),
      none: !!(rule.attachments && rule.attachments.none) && anyVisible(rule.attachments.none),
      items: list.map(describe),
    };
  } catch (error) {
    if (error.badSelector) return { badSelector: error.badSelector };
    throw error;
  }
})
