// extract.js is one function: what is read off a document, by the rule that it
// is given. The document is a page, or one that was only parsed; eyes know how to
// look at it. It changes nothing in it.
//
//   eyes.visible(el)   whether a person sees it
//   eyes.shown(el)     its text as a person sees it, lines kept, or undefined
//   eyes.target(a)     where a link leads: href, protocol, pathname, search, hash
//   eyes.resolve(el, href)  the same for an address that an element has, as a URL
//   eyes.address(doc)  where a document comes from
//   eyes.flat          it has neither shadow roots nor frames that can be looked into
((rule, doc, { visible, shown, target, resolve, address, flat }) => {
  // A form or picture that is named "title" or "body" hides the document's own.
  const property = (doc, name) => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(doc);
  const query = (root, selector) => (root.nodeType === 9 ? Document : DocumentFragment).prototype.querySelectorAll.call(root, selector);

  // --- finding things, in open shadow roots and frames of the same origin ---

  let known = null; // while nothing can change the document
  const roots = () => known || walk();
  const walk = () => {
    if (flat) return [doc];
    const found = [];
    const visit = (root) => {
      found.push(root);
      const frames = new Set(query(root, "iframe, frame"));
      for (const el of query(root, "*")) {
        if (el.shadowRoot) visit(el.shadowRoot);
        if (frames.has(el)) {
          try { if (el.contentDocument) visit(el.contentDocument); } catch { /* another origin's */ }
        }
      }
    };
    visit(doc);
    return found;
  };
  // still looks at a document that does not change in the meantime: look is no
  // async function.
  const still = (look) => {
    const outer = known;
    known = outer || walk();
    try { return look(); } finally { known = outer; }
  };
  // checked runs a query of the recipe; a selector that is none is named.
  const checked = (selector, run) => {
    try { return run(); } catch (error) {
      throw error.name === "SyntaxError" ? Object.assign(error, { badSelector: selector }) : error;
    }
  };
  const all = (selector) => checked(selector, () => roots().flatMap((root) => [...query(root, selector)]));
  const anyVisible = (selector) => all(selector).some(visible);
  // Where several elements match, visible ones win over hidden ones.
  const best = (elements) => elements.find(visible) || elements[0];
  const squeeze = (text) => (text || "").replace(/[\s\u00a0\u200b-\u200d\ufeff]+/g, " ").trim();
  const textOf = (el) => {
    if (!el) return "";
    if (el.localName === "select") return squeeze([...el.selectedOptions].map((o) => o.textContent).join(", "));
    if (/^(input|textarea)$/.test(el.localName)) return el.value || "";
    return squeeze((visible(el) ? shown(el) : undefined) ?? el.textContent);
  };

  // --- readiness ---

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

  // --- the page's nature ---

  const pageText = () => squeeze(roots().map((root) => root.nodeType !== 9 ? root.textContent : shown(property(root, "body"))).join(" "));
  const marked = (marker, text) => {
    if (marker.selector && anyVisible(marker.selector)) return true;
    const words = (marker.text || []).map((t) => squeeze(t).toLowerCase()).filter(Boolean);
    if (!words.length) return false;
    const lower = text().toLowerCase();
    return words.some((t) => lower.includes(t));
  };
  const plain = (text) => (text || "").normalize("NFKC").toUpperCase().replace(/[\u200b-\u200d\ufeff]/g, "").replace(/\s+/g, " ");
  const literally = (text) => text.replace(/[^A-Z0-9]/g, "\\$&");
  const joint = "[ _#.:-]*"; // what may stand between a prefix and its digits
  const [, ownPrefix, ownRest] = plain(rule.po).match(/^([A-Z]*)(.*)$/);
  const whole = ownPrefix && new RegExp("(?<![A-Z0-9])" + ownPrefix + joint + literally(ownRest) + "(?!\\d)");
  const bare = new RegExp("(?<!\\d)" + literally(plain(rule.digits || rule.po)) + "(?!\\d)", "g");
  const lead = new RegExp("([A-Z]+)" + joint + "$");
  // shows reports whether the text holds the number, or its digits: not as a part
  // of a longer one, and not behind the prefix of another kind of order.
  const shows = (text) => {
    const t = plain(text);
    if (whole && whole.test(t)) return true;
    return [...t.matchAll(bare)].some((m) => !rule.otherPrefixes.includes((t.slice(0, m.index).match(lead) || [])[1]));
  };
  // A run of digits about as long as the order's own is an order number too; a
  // year is none.
  const digits = (rule.digits || rule.po).replace(/\D/g, "");
  const numberLike = new RegExp("\\d{" + (digits.length >= 7 ? digits.length - 2 : Math.max(digits.length, 1)) + ",}");

  // --- fields ---

  const pairs = () => {
    const found = [];
    const add = (label, el) => {
      const name = squeeze(label).replace(/[:*]+$/, "").trim();
      if (name && name.length <= 60 && el) found.push([name, textOf(el)]);
    };
    for (const dt of all("dl > dt, dl > div > dt").filter(visible)) {
      let dd = dt.nextElementSibling;
      if (dd && dd.localName === "dd") add(shown(dt), dd);
    }
    for (const table of all("table").filter(visible)) {
      const rows = [...table.rows].slice(0, 500);
      if (!rows.every((row) => row.cells.length === 2)) continue;
      for (const row of rows) {
        if (row.cells[1].localName === "td" && !row.closest("thead")) add(shown(row.cells[0]), row.cells[1]);
      }
    }
    for (const label of all("label").filter(visible)) {
      if (label.control && label.control.type !== "password") add(shown(label), label.control);
      else if (!label.control && label.nextElementSibling) add(shown(label), label.nextElementSibling);
    }
    for (const el of all(".label, .field-label, [class$='__label']").filter(visible)) {
      if (el.nextElementSibling && el.localName !== "label" && el.parentElement.children.length === 2) add(shown(el), el.nextElementSibling);
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
    const rows = all(rule.lines.row), seen = rows.filter(visible);
    return (seen.length ? seen : rows).map((row) => {
      const line = {};
      for (const c of rule.lines.columns) {
        line[c.name] = textOf(checked(c.selector, () => row.querySelector(c.selector)));
      }
      return line;
    });
  };

  // --- identity ---

  const orderLabel = /^(p\.?o\.?|purchase[ _]?order|order|bestellung|bestell|commande|pedido|ordine)([ _-]?(number|no\.?|nr\.?|nummer|num|id|#|№))?$|^order_?number$|^bestellnummer$/i;
  const title = () => String(property(doc, "title"));
  const written = /\b(?:purchase order|p\.?o\.?|order|bestellung|commande|pedido|ordine)\s*(?:number|no\.?|nr\.?|nummer|#)?\s*[:#]\s*([a-z]{0,4}[- ]?\d[\d-]*)/gi;
  const aside = /(related|previous|parent|next|linked|original|other|last)\s*$/i;
  // identity says how the page shows the order's number: "sure" where it says
  // what it is about, "mentioned" where the number merely stands somewhere, and
  // "" where it does not show it, or is about another order.
  const identity = (found) => {
    if (rule.identity) {
      const els = all(rule.identity), seen = els.filter(visible);
      return (seen.length ? seen : els).some((el) => shows(textOf(el)) || shows(el.value || "")) ? "sure" : "";
    }
    const labelled = found.filter(([name, value]) => orderLabel.test(name) && numberLike.test(value));
    if (labelled.length) return labelled.some(([, value]) => shows(value)) ? "sure" : "";
    const headings = [title(), ...all("h1").filter(visible).map(textOf)].filter((t) => numberLike.test(t));
    if (headings.length) return headings.some(shows) ? "sure" : "";
    const text = pageText();
    const spoken = [...text.matchAll(written)].filter((m) => numberLike.test(m[1]) && !aside.test(text.slice(0, m.index)));
    if (spoken.length) return spoken.some((m) => shows(m[1])) ? "sure" : "";
    return shows(text) ? "mentioned" : "";
  };

  // --- documents ---

  const fileType = /\.(pdf|docx?|xlsx?|xlsm|pptx?|csv|txt|rtf|od[tsp]|zip|7z|rar|gz|tgz|msg|eml|xml|json|png|jpe?g|tiff?|gif|bmp|webp|svg|dwg|dxf|step|stp|p7m|edi|idoc)$/i;
  const saysSo = /\/(attachments?|downloads?|documents?|files?|dokumente?|anhaenge?|pieces?-jointes?)\/(?:[^/]+\/)*([^/]*\d[^/]*)\/?$/i;
  const queried = /[?&](download|attachment|file|document)(_?id)?=[^&]+/i;
  const noDocument = /^\s*(add|upload|attach|manage|new|edit|delete|remove|help|how|preview all)\b/i;
  const isDocument = (a) => {
    const frame = a.closest("nav, footer, [role=navigation], [role=contentinfo]");
    if (frame && !frame.closest("main, article, section, [role=main]")) return false;
    if (a.localName === "a" && a.hasAttribute("download")) return true;
    if (fileType.test(textOf(a))) return true;
    if (a.localName !== "a") return false;
    const to = target(a);
    if (!/^https?:$/.test(to.protocol) || a.getAttribute("href").startsWith("#")) return false;
    let path;
    try { path = decodeURIComponent(to.pathname); } catch { path = to.pathname; }
    return fileType.test(path) || !noDocument.test(textOf(a)) && (saysSo.test(path) || queried.test(to.search));
  };
  const folded = "details, [role=tabpanel], .collapse, .tab-pane, .accordion, [hidden=until-found]";
  const items = () => {
    let els = rule.attachments ? all(rule.attachments.item) : rule.auto ? all("a[href], button, [role=button]").filter(isDocument) : [];
    for (const selector of rule.attachments ? rule.attachments.exclude : []) {
      const out = new Set(all(selector));
      els = els.filter((el) => !out.has(el));
    }
    if (els.some(visible)) els = els.filter((el) => visible(el) || el.closest(folded));
    if (rule.auto) {
      const seen = new Set();
      els = els.filter((el) => {
        const id = el.hasAttribute("href") && !el.getAttribute("href").startsWith("#") && target(el).href || el;
        return !seen.has(id) && seen.add(id);
      });
    }
    return els;
  };
  const linkOf = (el) => {
    if (el.localName === "a" && el.hasAttribute("href")) return el;
    const inner = [...Element.prototype.querySelectorAll.call(el, "a[href]")];
    return inner.length === 1 ? inner[0] : null;
  };
  const fileInText = /[^\s\/\\:*?"<>|](?:[^\/\\:*?"<>|\n]*[^\s\/\\:*?"<>|])?\.[a-z0-9]{2,5}(?=$|[\s(,;\[])/i;
  const nameOf = (el, link) => {
    if (rule.attachments && rule.attachments.name) {
      const named = checked(rule.attachments.name, () => Element.prototype.querySelector.call(el, rule.attachments.name));
      if (named && squeeze(named.textContent)) return squeeze(named.textContent);
    }
    if (link && link.getAttribute("download")) return link.getAttribute("download");
    if (rule.auto) {
      const text = (shown(el) || el.textContent || "");
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
    const to = link && target(link);
    const plain = !!to && typeof to.href === "string" && /^https?:$/.test(to.protocol) && raw !== "" && !raw.startsWith("#") &&
      !(to.hash && to.href.split("#")[0] === address(doc).split("#")[0]);
    return {
      index, name: nameOf(el, link),
      url: plain ? to.href : raw.startsWith("data:") ? raw : "",
      source: address(el.ownerDocument),
    };
  };

  // --- what auto reads off a page that is no order ---

  const refusals = {
    notFound: /\b(not found|no results|0 results|no match(es)?|nothing found|keine ergebnisse|keine treffer|aucun résultat|sin resultados|nessun risultato|no such (purchase )?order|(order|page|document|record) (does not|doesn't) exist|could ?n[o']t (be )?f(ou|i)nd|unknown order|nicht gefunden|existiert nicht|introuvable|n'existe pas|no encontrad[oa]|no existe|non trovat[oa]|niet gevonden|não encontrad[oa])\b/i,
    denied: /\b(access denied|not authori[sz]ed|permission denied|forbidden|no permission|zugriff verweigert|keine berechtigung|accès refusé|acceso denegado|accesso negato|geen toegang)\b/i,
  };
  // A page that refuses says so in its title or headings, and lists nothing.
  const refusal = (found, list) => {
    if (!rule.auto || list.length) return "";
    const head = [title(), ...all("h1, h2, [role=alert]").filter(visible).map(textOf)];
    if (found.some(([name, value]) => orderLabel.test(name) && shows(value))) return "";
    for (const [kind, pattern] of Object.entries(refusals)) {
      const speaking = head.filter((t) => pattern.test(t));
      if (speaking.length && !all("h1").filter(visible).map(textOf).some((t) => shows(t) && !pattern.test(t))) return kind;
    }
    return "";
  };
  // loginForm: the page asks for a password, and no field of it is the order's number.
  const loginForm = (found) => all('input[type="password"]').some(visible) &&
    !(rule.identity ? identity(found) : found.some(([name, value]) => orderLabel.test(name) && shows(value)));

  const none = () => !!(rule.attachments && rule.attachments.none) && anyVisible(rule.attachments.none);

  // sources lists where the document's scripts and frames come from, without queries.
  const sources = () => [...new Set(all("script[src], iframe, frame, object, embed").map((el) => {
    const from = el.getAttribute("src") || el.getAttribute("data");
    try { return el.localName + " " + (from ? resolve(el, from).host + resolve(el, from).pathname : ""); } catch { return el.localName + " " + from; }
  }))].sort();

  // read returns what there is to say of the document, with this list of items.
  const read = (list) => still(() => {
    let words;
    const text = () => words ??= pageText(); // which is dear: it goes through all of the page
    const found = rule.auto || !rule.identity ? pairs() : [];
    const refused = refusal(found, list);
    return {
      identity: identity(found),
      notFound: marked(rule.notFound, text) || refused === "notFound",
      denied: marked(rule.accessDenied, text) || refused === "denied",
      login: loginForm(found),
      fields: rule.auto ? autoFields(found) : ruledFields(),
      lines: lines(),
      none: none(),
      items: list.map(describe),
      sources: sources(),
    };
  });

  return { all, property, notReady, pageText, marked, items, none, still, read };
})
