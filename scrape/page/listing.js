// listing.js is one function: which documents a page lists, how each is described,
// and what the page says of further ones.
//
//   parts  the functions of labels.js, place.js and more.js, and the words
//   eyes   how to look at the document, see extract.js
//   page   all, checked, textOf, numberText, and shows and numbers: whether a text shows this order's number, or one
(parts, rule, eyes, { all, everywhere, checked, textOf, numberText, part, shows, numbers, alike, elsewhere }) => {
  const { visible, shown, target, address } = eyes;
  const labels = (parts.said ??= parts.labels(parts.known));
  const { squeeze } = labels;
  const ruled = rule.attachments;
  const place = parts.place(labels, { ...eyes, shows }, all);
  const { find, contains, up, climb } = place;

  // --- what the built-in recipe takes for a document ---

  const fileType =
    /[^\s.]\.(pdf|docx?|xlsx?|xlsm|pptx?|csv|txt|rtf|od[tsp]|zip|7z|rar|gz|tgz|msg|eml|mht|mhtml|ics|vcf|tsv|xml|json|png|jpe?g|tiff?|gif|bmp|webp|heic|svg|vsdx?|dwg|dxf|step|stp|p7m|p7s|edi|idoc)$/i;
  const saysSo =
    /\/(attachments?|downloads?|documents?|files?|dokumente?|anhaenge?|pieces?-jointes?)\/(?:[^/]+\/)*([^/]*\d[^/]*)\/?$/i;
  const queried = /[?&](download|attachment|file|document)(_?id)?=[^&]+/i;
  // What serves files, with a query behind it, and the content of one.
  const served = /(?:attachment|download|(?:get|fetch|serve|show|view|open)[-_]?(?:file|doc(?:ument)?))s?[^/]*$/i,
    content =
      /\/(?:attachments?|downloads?|documents?|files?)\/[^/]*\d[^/]*\/(?:content|download|raw|data)\/?$|\)\/\$value$/i;
  // A program that sends the file that its query names.
  const sender = /\/(?:get|fetch|serve|stream|download|file|media|attachment|document)s?(?:\.[a-z]+)?$/i;
  const decoded = (text) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  };
  const pathOf = (a) => decoded(target(a).pathname);
  // named returns the name of the file that a text is, with a size or date behind it, or "".
  const typed = new RegExp(fileType.source.replace("$", "(?=$|[\\s(,;\\[])"), "i");
  const behind = /^(?:[\s,;:·|–—./-]|[([][^()[\]]{0,40}[)\]]|\d|(?:bytes?|[kmg]i?b|[kmg]o|pdf)\b)*$/i;
  const named = (text) => {
    if (fileType.test(text)) return text;
    const m = text.match(typed),
      end = m && m.index + m[0].length;
    return m && behind.test(text.slice(end)) ? text.slice(0, end) : "";
  };
  // whole returns a label that is cut short as its title has it in full, and for an icon its title.
  const whole = (el, label) => {
    const title = squeeze(dom.attr(el, "title") || ""),
      cut = label.match(/^(.+?)\s*(?:…|\.{3})$/u);
    const fits = cut ? labels.fold(title).startsWith(labels.fold(cut[1])) : !/[\p{L}\p{N}]/u.test(label);
    return title && fits ? title : label;
  };
  // itself: the label of a link is just the name of the file that it leads to: its address
  // ends with that name, or numbers the file, and says nothing of what is refused.
  const stem = (name) =>
    labels
      .fold(name)
      .replace(/\.[a-z0-9]{2,5}$/, "")
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
  const itself = (link, label) => {
    const name = named(label),
      segments = pathOf(link).split("/"),
      last = segments.pop();
    if (
      !name ||
      !describeLink(link) ||
      segments.concat(target(link).search.split(/[?&=]/)).some((part) => labels.refused(part) || labels.acts(part))
    )
      return false;
    return (
      dom.has(link, "download") ||
      (fileType.test(last) && (stem(last) === stem(name) || /^[\da-f ]*\d[\da-f ]*$/.test(stem(last))))
    );
  };
  const saysDocument = (a) => {
    const path = pathOf(a);
    return (
      fileType.test(path) ||
      saysSo.test(path) ||
      content.test(path) ||
      queried.test(target(a).search) ||
      (sender.test(path) &&
        [...new URLSearchParams(target(a).search).values()].some((value) => fileType.test(value))) ||
      (served.test(path) && /=./.test(target(a).search) && !labels.heads(textOf(a)))
    );
  };
  // naming are the names that an element has besides its text, and inner those of what is in it, too.
  const naming = (el, of = ["aria-label", "title"]) =>
    of.map((name) => squeeze(dom.attr(el, name) || "").slice(0, 120)).filter(Boolean);
  const inner = (el) =>
    [el, ...find(el, "*").slice(0, 20)].flatMap((one) => naming(one, ["aria-label", "title", "alt"]));
  // icons are the words that the page's code has for the pictures in an element.
  const icons = (el) =>
    [el, ...find(el, "*").slice(0, 20)].flatMap((one) => [
      ...["class", "name", "icon", "data-icon", "data-lucide", "data-feather", "data-testid", "data-action"].map(
        (name) => dom.attr(one, name) || "",
      ),
      (dom.attr(one, "href") || dom.attr(one, "xlink:href") || "").replace(/^[^#]*/, ""),
      (dom.attr(one, "src") || "").replace(/^data:.*|^.*\//, ""),
      /^[a-z]+(?:_[a-z]+)*$/.test(dom.text(one)) && !one.childElementCount ? dom.text(one) : "",
    ]);
  const bins = /(?:^|[^a-z])(?:trash|delete|remove|dustbin|eraser|unlink)(?![a-z])/;
  const binned = (el) =>
    icons(el).some((text) => text && bins.test(text.replace(/(\p{Ll})(?=\p{Lu})/gu, "$1-").toLowerCase()));
  // changes: a link, by its address, by how it is followed, or by its picture, does something to the order or
  // a document. The name of a file says nothing of that, and random letters are no words.
  const wordy = /^\p{L}{2,}(?:[-_.~ ]\p{L}+)*\d*$/u;
  const changes = (a) => {
    if (binned(a)) return true;
    if (a.localName !== "a" || !dom.has(a, "href")) return false;
    const method = ["data-method", "data-turbo-method", "data-http-method"]
      .map((name) => dom.attr(a, name))
      .find(Boolean);
    if (
      /^(?!get$)\w/i.test(method || "") ||
      ["hx-post", "hx-put", "hx-patch", "hx-delete"].some((name) => dom.has(a, name))
    )
      return true;
    const to = target(a);
    const parts = pathOf(a)
      .replace(/;[^/]*/g, "")
      .split("/");
    if (fileType.test(parts.at(-1))) parts.pop();
    for (const part of String(to.search || "")
      .replace(/^\?/, "")
      .split(/[&;]/)) {
      const [name, ...value] = part.split("=").map((text) => decoded(text.replace(/\+/g, " ")));
      if (/^(?:return|back|from|ref|referr?er|next|redirect)/i.test(name)) continue;
      parts.push(name, ...value.flatMap((text) => (fileType.test(text) ? [] : text.split("/"))));
    }
    return parts.some((part) => part.length <= 60 && wordy.test(part) && labels.verbs(part));
  };
  // deed: what names a file does something to it, and is no way to it: "Delete Quote.pdf". What is clicked says
  // only that it shows something, beside the name of the file.
  const deed = (el, text) => {
    const link = el.localName === "a" && dom.has(el, "href") && describeLink(el);
    const said = [text, ...inner(el)].map((label) => label.slice(0, 120));
    if (said.some(labels.begun) || changes(el)) return !link || !itself(el, text) || changes(el);
    const besides = (label) => label.replace(named(label), " ");
    return (
      !link &&
      (said.some(labels.makes) ||
        ![text, ...naming(el, ["aria-label"])].every((label) => labels.showing(besides(label))) ||
        said.some((label) => labels.deeds(besides(label))))
    );
  };
  // view: it prints the page, or exports what that shows.
  const format = /^(?:download|pdf|csv|excel|xlsx?|xml|html)?$/i,
    printed = /(?:^|\/)(?:print|export)(?:[-_]?(?:view|preview|version))?(?:\.[a-z]+)?\/?$/i;
  const view = (a, text) =>
    labels.views(text) || (a.localName === "a" && dom.has(a, "href") && format.test(text) && printed.test(pathOf(a)));
  // another: it is this page itself in another format, as "PDF" at /orders/1.pdf on /orders/1.
  const another = (a, text) =>
    a.localName === "a" &&
    dom.has(a, "href") &&
    !dom.has(a, "download") &&
    /^(?:pdf|csv|excel|xlsx?|xml|json|atom|rss|html|te?xt)$/i.test(text) &&
    /\.[a-z]+$/i.test(target(a).pathname) &&
    target(a).pathname.replace(/\.[a-z]+$/i, "") ===
      new URL(address(a.ownerDocument)).pathname.replace(/\/$|\.x?html?$/i, "");
  // kind: it is a document; or "placed", if it stands in the place of documents; or a deed; or "".
  const kind = (a) => {
    if (!dom.matches(a, "a, button") && dom.text(a).length > 300) return "";
    const frame = dom.closest(a, "nav, footer, [role=navigation], [role=contentinfo]");
    if (frame && !dom.closest(frame, "main, article, section, [role=main]")) return "";
    const dialog = dom.closest(a, "dialog, [role=dialog], [role=alertdialog]");
    if (dialog && /cookie|consent|gdpr/i.test(dom.text(dialog) + " " + dialog.className + " " + dialog.id)) return "";
    const text = whole(a, textOf(a));
    if (view(a, text)) return "";
    if (another(a, text)) return changes(a) ? "deed" : "placed";
    if (a.localName === "a" && dom.has(a, "download")) return changes(a) ? "deed" : "document";
    if (named(text))
      return /^(mailto|tel):/i.test(dom.attr(a, "href") || "")
        ? ""
        : deed(a, text)
          ? "deed"
          : a.localName === "a"
            ? "document"
            : "placed";
    if (a.localName !== "a" || !/^https?:$/.test(target(a).protocol) || dom.attr(a, "href").startsWith("#")) return "";
    const file = fileType.test(pathOf(a));
    if (!file && (!saysDocument(a) || labels.does(text) || /\?\s*$/.test(text))) return "";
    if (changes(a) || ([text, ...inner(a)].some(labels.acts) && !itself(a, text))) return "deed";
    return !file && labels.aside(text) ? "placed" : "document";
  };
  const isDocument = (a) => /^(document|placed)$/.test(kind(a));
  const fileInText =
    /[^\s/\\:*?"<>|](?:[^/\\:*?"<>|\n]*[^\s/\\:*?"<>|])?\.(?=[a-z0-9]*[a-z])[a-z0-9]{2,5}(?=$|[\s(,;[])/i;

  // standing leaves out what is a document only in the place of documents, and stands
  // elsewhere. Where no heading says which place that is, it is where they stand.
  let apart = []; // what names a file, and is not in the list
  const standing = (els) => {
    const kinds = new Map(els.map((el) => [el, kind(el)]));
    const sure = els.filter((el) => kinds.get(el) === "document"),
      placed = els.filter((el) => kinds.get(el) === "placed");
    apart = els.filter((el) => kinds.get(el) === "deed");
    if (!placed.length) return sure;
    const places = place.survey(sure.slice(0, 300)),
      headed = places.some((one) => one.documents);
    const buttons = placed.filter((el) => named(textOf(el)));
    const listed = (el) =>
      buttons.includes(el) ||
      (!place.menued(el) &&
        ((climb(el, place.ROW) && labels.titled(textOf(el))) ||
          /\/(attachments?|anhaenge?|pieces?-jointes?)\//i.test(pathOf(el))));
    const stands = (el) => {
      if (!buttons.includes(el)) {
        // "Details" beside a document is about it
        const row = climb(el, place.ROW),
          text = textOf(el);
        if (
          row &&
          (!/\s/.test(text) || labels.opens(text) || labels.more(text)) &&
          sure.some((other) => contains(row, other))
        )
          return false;
        if (visible(el) && place.outside(el)) return false;
      }
      return (
        !visible(el) || places.some((one) => (one.documents || one.anchored) && one.has(el)) || (!headed && listed(el))
      );
    };
    const found = new Set(sure.concat(placed.filter(stands)));
    apart.push(...buttons.filter((el) => !found.has(el)));
    return els.filter((el) => found.has(el));
  };
  // beside adds the controls of a list of documents that say download, or open what
  // their row names, where nothing else in their row is a document.
  const beside = (els) => {
    const found = new Set(els),
      near = new Set();
    for (const el of els) for (let at = el; at && !near.has(at); at = up(at)) near.add(at);
    const asks = (el) => {
      if (near.has(el) || dom.text(el).length > 640) return false;
      const raw =
        squeeze([dom.text(el), dom.attr(el, "aria-label"), dom.attr(el, "title"), dom.attr(el, "value")].join(" ")) ||
        squeeze(el.innerHTML.slice(0, 300));
      if (raw.length > 300 || (!labels.downloads(raw) && !labels.opens(raw))) return false;
      const label = place.labelOf(el),
        href = dom.attr(el, "href") || "";
      return (
        (labels.downloads(label) || labels.opens(label)) &&
        !labels.all(label) &&
        !labels.selected(label) &&
        !labels.more(label) &&
        !labels.aside(label) &&
        !labels.deeds(label) &&
        !inner(el).some(labels.deeds) &&
        !changes(el) &&
        !/^(mailto|tel):|^#./i.test(href) &&
        !place.outside(el)
      );
    };
    const controls = all(place.CONTROL).filter(asks);
    const places = controls.length ? place.survey([]) : [];
    for (const el of controls) {
      const one = places.find((one) => one.has(el));
      if (!one) continue;
      const row = climb(up(el), place.ROW),
        block = row && one.root !== row && contains(one.root, row) ? row : up(el);
      if (
        block === one.root ||
        (near.has(block) && [...found].some((item) => contains(block, item))) ||
        place.first(block, place.HEADING)
      )
        continue;
      const label = place.labelOf(el),
        rest = squeeze(dom.text(block)).replace(squeeze(dom.text(el)), "");
      if (!(labels.downloads(label) ? /\p{L}{3}/u.test(rest) : fileInText.test(rest))) continue;
      // What its row says is the document's name, perhaps.
      if (!labels.showing(label.replace(named(label), " "), rest.length <= 200 ? rest : "")) continue;
      found.add(el);
      for (let at = el; at && !near.has(at); at = up(at)) near.add(at);
    }
    return found.size === els.length ? els : inOrder([...found]);
  };
  const inOrder = (els) => els.sort((a, b) => (a.compareDocumentPosition(b) & 4 ? -1 : 1));

  // once leaves out the second way to a document: the same address without another
  // name of its own, as an icon beside the name.
  const once = (els) => {
    const names = new Map();
    return els.filter((el) => {
      const id = addressOf(el),
        refused = (one) => labels.refused(textOf(one));
      if (!id) return true;
      if (refused(el) && els.some((other) => other !== el && addressOf(other) === id && !refused(other))) return false;
      const label = labels.fold(textOf(el)),
        plain = !/\p{L}/u.test(label) || labels.downloads(label) || labels.opens(label);
      const name = plain ? "" : label;
      if (!names.has(id)) {
        names.set(id, new Set([name]));
        return true;
      }
      const known = names.get(id);
      if (!name || known.has(name) || known.has("")) {
        known.add(name);
        return false;
      }
      const row = climb(el, place.ROW);
      if (row && els.some((other) => other !== el && contains(row, other) && addressOf(other) === id)) return false;
      known.add(name);
      return true;
    });
  };

  // direct leaves out what is called like a file and leads elsewhere, such as to a page about it, where its row has a
  // link that downloads that file: not one that is called like it, too, which may be another.
  const direct = (els) => {
    const rows = Map.groupBy(els, (el) => climb(el, place.ROW));
    return els.filter((el) => {
      const row = climb(el, place.ROW),
        name = row && !dom.has(el, "download") && named(textOf(el));
      const leads = (one) => leadsTo(one) && pathOf(plainLink(one)).endsWith("/" + name);
      const downloads = (one) =>
        leads(one) && (dom.has(one, "download") || textOf(one) !== name || inner(one).some(labels.downloads));
      return !name || leads(el) || !rows.get(row).some(downloads);
    });
  };

  // --- hidden items ---

  const leadsTo = (el) => {
    const link = linkOf(el);
    return link ? describeLink(link) : "";
  };
  // addressOf tells where an item's document is: where that is made, by what it is made of.
  const addressOf = (el) => (ruled?.made ? heldBy(wayOf(el)) : leadsTo(el));
  // heldBy returns what of a way the address of its document is made of, or "".
  const heldBy = (way) => {
    const { attr } = ruled.made;
    if (!way) return "";
    if (attr === "text") return textOf(way);
    if (attr) return (attr === "value" ? way.value : null) ?? (dom.attr(way, attr) || "");
    const link = plainLink(way);
    if (way !== link && dom.has(way, "href")) return dom.attr(way, "href"); // an element of the portal's own
    return (link && target(link).href) || "";
  };
  const describeLink = (link) => {
    const raw = dom.attr(link, "href").trim(),
      to = target(link);
    if (raw.startsWith("data:")) return raw;
    const plain =
      typeof to.href === "string" &&
      /^https?:$/.test(to.protocol) &&
      raw !== "" &&
      !raw.startsWith("#") &&
      !(to.hash && to.href.split("#")[0] === address(link.ownerDocument).split("#")[0]);
    return plain ? to.href.replace(/#[\w-]*$/, "") : ""; // a plain fragment names a place in the document
  };
  const placeholder = /^(?:\s|\{\{[^}]*\}\}|\$\{[^}]*\}|<%[^%]*%>)*$/;
  const spoken =
    /(?:^|[^\p{L}])(?:p\.?o\.?|p\.?m\.?|order|bestellung|auftrag|commande|pedido|ordine|encomenda|zamowienie|purchase order|no\.?|nr\.?|#)\s*[:#]?\s*[a-z]{0,4}[- ]?\d{3,}|^[\s#]*[a-z]{0,4}[- ]?\d{4,}\s*$/iu;
  // anothers: what is hidden there is of another order.
  const anothers = (hidden) => {
    const own = rule.identity
      ? [hidden, ...find(hidden, "*")].filter((el) => checked(rule.identity, () => dom.matches(el, rule.identity)))
      : [];
    const said = own.map((el) => squeeze(numberText(el)) || el.value || "").filter((text) => numbers(text));
    const heads = [
      dom.attr(hidden, "aria-label") || "",
      ...find(hidden, place.HEADING).map((el) => squeeze(numberText(el))),
    ].filter((text) => !fileInText.test(text) && numbers(text) && spoken.test(labels.fold(text)));
    const texts = [...said, ...heads];
    return texts.length > 0 && !texts.some((text) => shows(text));
  };
  // present leaves out the hidden items that are none of this order's documents, or
  // repeat a visible one.
  const present = (els) => {
    const seen = els.filter(visible);
    if (seen.length === els.length) return els;
    const seenAt = new Set(seen.map(addressOf).filter(Boolean)),
      seenAs = new Set(seen.filter((el) => !addressOf(el)).map(nameOf));
    const judged = new Map();
    const visibles = new Set(seen);
    return els.filter((el) => {
      if (visibles.has(el)) return true;
      const at = addressOf(el);
      if (at ? seenAt.has(at) : seenAs.has(nameOf(el))) return false;
      if (!at && placeholder.test(dom.text(el) + (dom.attr(el, "aria-label") || "") + (dom.attr(el, "title") || "")))
        return false;
      const hidden = outermost(el);
      if (!judged.has(hidden)) judged.set(hidden, anothers(hidden));
      return !judged.get(hidden);
    });
  };
  const outermost = (el) => {
    let hidden = el;
    for (let outer = up(el); outer && !visible(outer); outer = up(outer)) hidden = outer;
    return hidden;
  };
  // kept: it is hidden, with another order that an application has kept in the page.
  const kept = (el) => !visible(el) && anothers(outermost(el));

  // own leaves out, without a recipe, what stands in a part whose heading names another order, or in a row
  // that does: a number alone may be a year, a line or a delivery, and PO1001-2 is a part of PO1001. What
  // a list of this order's documents has of another one is not listed, and is said.
  const own = (els) => {
    const judged = new Map();
    const part = (text) => shows(text.replace(/(\d)\s*[-/._]\s*\d{1,4}(?!\d)/g, "$1"));
    const named = (text) =>
      text.length <= 120 &&
      /\p{L}/u.test(text) &&
      /\d{3}/.test(text) &&
      !fileInText.test(text) &&
      alike(text) &&
      (shows(text) || !part(text));
    const others = (el) => {
      if (!el || el.localName === "body") return false;
      if (judged.has(el)) return judged.get(el);
      const heads = [...dom.children(el)]
        .filter((child) => /^(h[1-6]|header|legend|caption|summary)$/.test(child.localName))
        .map((head) => squeeze(numberText(head)))
        .filter(named);
      judged.set(el, heads.length ? !heads.some((text) => shows(text)) : others(up(el)));
      return judged.get(el);
    };
    // strange: its row names another order, and not this one.
    const strange = (el) => {
      const row = climb(el, place.ROW);
      if (!row || dom.text(row).length > 2000 || shows(numberText(row))) return false;
      const texts = [row, ...find(row, "*")].slice(0, 100).map((one) =>
        squeeze(
          [...one.childNodes]
            .filter((node) => node.nodeType === 3)
            .map((node) => node.data)
            .join(" "),
        ),
      );
      return texts.some((text) => text.length <= 120 && named(text));
    };
    const besides = (el) => {
      const head = elsewhere(el);
      return head !== "" && !labels.documents(head);
    };
    const found = els.filter((el) => !others(up(el)) && !besides(el)),
      foreign = found.filter(strange);
    if (!foreign.length) return found;
    const kept = found.filter((el) => !foreign.includes(el));
    place.survey([]);
    for (const el of foreign) {
      const list = climb(el, place.LIST),
        head = place.above(el)[0];
      if ((list && kept.some((other) => contains(list, other))) || (head && labels.heads(place.headText(head.el))))
        apart.push(el);
    }
    return kept;
  };

  // --- the list ---

  // denied returns what stands in place of all documents, and says that there are none: "No attachments".
  const denied = (els) => {
    if (els.length !== 1 || plainLink(els[0]) || !place.small(els[0], 80)) return "";
    const text = place.labelOf(els[0]);
    return labels.none(text) && labels.documents(text) && !named(text) ? text : "";
  };
  // turns: it is one of the controls with which one goes through the pages of a list, and no document.
  const turns = (el) => {
    if (!place.inPager(el) || !labels.turns(place.labelOf(el))) return false;
    const to = plainLink(el) && describeLink(plainLink(el));
    return !to || new URL(to).pathname === new URL(address(el.ownerDocument)).pathname;
  };
  const met = () => {
    if (ruled) {
      const els = present(all(ruled.item, ruled.frame)).filter((el) => !turns(el));
      return denied(els) ? [] : els;
    }
    if (!rule.auto) return [];
    return once(
      direct(
        own(
          present(
            beside(
              standing(
                all(
                  "a[href], a[download], button, [role=button], [role=link], input[type=button], input[type=submit], " +
                    "[onclick]",
                )
                  .filter(kind)
                  .filter(innermost),
              ),
            ),
          ),
        ),
      ),
    );
  };
  // innermost: no link or button within it is the document.
  const innermost = (el, _, els) =>
    dom.matches(el, "a, button") || !els.some((other) => other !== el && el.contains(other));
  const excluder = () => new Set((ruled ? ruled.exclude : []).flatMap((one) => picked(one)));
  let last = {}; // the list made last, and what it was made from
  const items = () => {
    const out = excluder(),
      els = met();
    last = { met: els, list: out.size ? els.filter((el) => !out.has(el)) : els };
    return last.list;
  };

  // picked returns what a selector meets; with a text, those of that, or of all controls, that say so and no more.
  const picked = ({ selector, text }, frame) => {
    const met = all(selector || place.CONTROL, frame);
    if (!text) return met;
    const says = (el) =>
      [place.labelOf(el), dom.attr(el, "aria-label") || ""].some((said) => labels.fold(said) === labels.fold(text));
    return met.filter(says).filter((el, _, those) => !those.some((other) => other !== el && contains(el, other)));
  };

  const isItem = (el) => checked(ruled.item, () => dom.matches(el, ruled.item));
  const within = (el, selector) => checked(selector, () => find(el, selector));
  const bestOf = (els) => (els.some(visible) ? els.filter(visible) : els);
  // ways are what the recipe's link meets in an item, and wayOf is what leads to its document:
  // the item itself where the recipe has no link, and null where that meets nothing.
  const ways = (el) => bestOf(within(el, ruled.link));
  const wayOf = (el) => (ruled && ruled.link && isItem(el) ? ways(el)[0] || null : el);
  // troubleOf says why it is not known what leads to the document: "none", "several" or "".
  const troubleOf = (el) => {
    if (!ruled || !ruled.link) return "";
    const found = ways(el),
      leads = (way) => (ruled.made ? heldBy(way) : plainLink(way) && describeLink(plainLink(way))),
      places = new Set(found.map((way) => leads(way) || way));
    return found.length ? (places.size > 1 ? "several" : "") : "none";
  };
  const linkOf = (el) => {
    const way = wayOf(el);
    return way && plainLink(way);
  };
  const plainLink = (el) => {
    if (el.localName === "a" && dom.has(el, "href")) return el;
    const inner = find(el, "a[href]");
    if (inner.length < 2) return inner[0] || null;
    for (const links of [inner, inner.filter(isDocument)]) {
      if (links.length && links.every((a) => describeLink(a) && describeLink(a) === describeLink(links[0])))
        return links[0];
    }
    return null;
  };
  const nameOf = (el) => {
    const name = calledBy(el);
    return /[\p{L}\p{N}]/u.test(name) ? name : ""; // which leaves it to the server
  };
  // ruledName is what the recipe's name finds in an item, or "".
  const ruledName = (el) => {
    if (!ruled?.name.selector) return "";
    const named = bestOf(within(el, ruled.name.selector))[0],
      { attr, match } = ruled.name;
    const text = !named
      ? ""
      : attr
        ? ((attr === "value" ? named.value : null) ?? dom.attr(named, attr))
        : /^(input|textarea|select)$/.test(named.localName)
          ? textOf(named)
          : dom.text(named);
    return part(squeeze(text), match);
  };
  const calledBy = (el) => {
    const link = linkOf(el);
    const name = ruledName(el);
    if (name) return name;
    if (link && dom.attr(link, "download")) return dom.attr(link, "download");
    if (rule.auto) {
      const text = shown(el) || dom.text(el) || "";
      for (const part of [...[...dom.children(el)].map((c) => dom.text(c)), ...text.split("\n")]) {
        const m = squeeze(part).match(fileInText);
        if (m && m.index === 0) return m[0];
      }
      const label = whole(el, textOf(el));
      const row = (!label || labels.downloads(label) || labels.opens(label)) && climb(up(el), place.ROW);
      const words = row && place.small(row, 200) ? place.said(row) : "",
        named = words.match(fileInText);
      if (named && named.index === 0) return named[0];
      const rest = label ? squeeze(words.replace(label, " ")) : words;
      if (/\p{L}/u.test(rest)) return rest;
    }
    const way = wayOf(el) || el,
      label = whole(way, textOf(way));
    return (!ruled?.name.selector && labels.nameless(label) && fileBeside(way)) || label;
  };
  // fileBeside returns the one file that the row of a control names, or "".
  const fileBeside = (control) => {
    const row = climb(up(control), place.ROW),
      words = row && place.small(row, 200) ? place.said(row) : "",
      named = words.match(fileInText);
    if (!named || named.index) return "";
    const besides = named[0].replace(/\.[^.]*$/, " ") + words.slice(named[0].length);
    return fileInText.test(besides) ? "" : named[0];
  };
  // press returns what is clicked for an item: the only control in it, or one that says
  // download, or the item itself.
  const press = (item) => linkOf(item) || pressIn(wayOf(item) || item);
  const pressIn = (el) => {
    if (dom.matches(el, "a, button, input, [role=button]")) return el;
    const inner = find(el, "a, button, [role=button], input[type=button], input[type=submit]");
    const loads = inner.filter((control) => labels.downloads(place.labelOf(control)));
    return inner.length === 1 ? inner[0] : loads.length === 1 ? loads[0] : el;
  };
  // refusedBy returns the label of what is clicked, or followed, where that must not be.
  const refusedBy = (pressed, link) => {
    const control = dom.matches(pressed, "a, button, input, [role=button], [role=link]");
    const label = control || dom.text(pressed).length <= 60 ? place.labelOf(pressed) : "";
    const forbids = (text) => labels.refused(text) || labels.acts(text),
      said = label ? [named(label) ? label.slice(0, 120) : label] : [];
    if (control && !link) said.push(...naming(pressed));
    const found = said.find(forbids);
    if (!found) return "";
    const file = link
      ? itself(link, label) || (ruled && named(label) && fileType.test(pathOf(link)) && !changes(link))
      : ruled && !control && fileInText.test(label);
    return file ? "" : found.slice(0, 80);
  };
  // inItem is what a selector meets in an item, which may be that itself.
  const inItem = (el, selector) => [
    ...(checked(selector, () => dom.matches(el, selector)) ? [el] : []),
    ...within(el, selector),
  ];
  // scripted are the items at one address that have different names: a script of the page tells them apart when
  // they are clicked. Without a recipe, what is clicked has to say that it is a document.
  const scripted = (list) => {
    const at = Map.groupBy(
      list.slice(0, 1000).filter((el) => !leadsTo(el).startsWith("data:")),
      leadsTo,
    );
    at.delete("");
    const apart = [...at.values()].filter((els) => els.length > 1 && new Set(els.map(nameOf)).size > 1).flat();
    if (!apart.length || !all("script, [onclick]").length) return new Set();
    const says = (label) => named(label) || labels.downloads(label) || labels.opens(label);
    return new Set(apart.filter((el) => ruled || says(place.labelOf(press(el)))));
  };
  const describe = (el, index) => {
    last.scripted ??= scripted(last.list || items());
    const link = linkOf(el),
      // What it is clicked for, or made of, has an address that is no document's.
      url = ruled?.then || ruled?.opens || ruled?.made || last.scripted.has(el) ? "" : addressOf(el);
    const where = ruled && ruled.where ? inItem(el, ruled.where) : [],
      pending = ruled && ruled.pending ? inItem(el, ruled.pending) : [];
    const scheme = link && !ruled?.made && !addressOf(el) && (target(link).protocol || "").toLowerCase();
    return {
      index,
      name: nameOf(el),
      url,
      value: ruled?.made ? String(addressOf(el)) : "",
      source: address(el.ownerDocument),
      where: bestOf(where)
        .slice(0, 50)
        .map((one) => squeeze(textOf(one)).slice(0, 1000)),
      pending: pending.some((one) => visible(one) || !visible(el)),
      way: troubleOf(el),
      refused: refusedBy(press(el), link),
      scheme: scheme && !/^(https?|javascript|blob|about):$/.test(scheme) ? scheme : "",
    };
  };

  // vague: the recipe leaves out whatever is an element of some kind, or nearly all that
  // the page links to, be it an item or not.
  const vague = (met, out) => {
    const kinds = ruled.exclude
      .filter(({ text }) => !text)
      .map(({ selector }) => selector)
      .filter((selector) => !/[.#:[]/.test(selector.replace(/\[href\]|:(any-)?link/g, "")));
    if (
      kinds.some((selector) => {
        const left = new Set(all(selector));
        return met.some((el) => left.has(el));
      })
    )
      return true;
    const links = all("a[href], button, [role=button]"),
      left = links.filter((el) => out.has(el));
    return left.length >= 0.8 * links.length && (left.length >= 5 || left.some((el) => !met.includes(el)));
  };
  // expanders returns what opens the place of documents, by the recipe, and what does more, and is not clicked.
  const expanders = (selector) => {
    const found = all(selector, ruled?.frame).filter(visible),
      more = found.filter((el) => labels.refused(place.labelOf(el)));
    return { met: found.filter((el) => !more.includes(el)), more, labelOf: place.labelOf };
  };
  // second returns what attachments.then meets that can be clicked, and why it must not be.
  // Of one that is around another, and of several links to one address, one is enough.
  const second = () => {
    const met = everywhere(ruled.then)
        .filter(visible)
        .map((el) => ({ el, pressed: pressIn(el) }))
        .filter(({ el, pressed }) => clickable(el) && clickable(pressed)),
      seen = new Set();
    return met
      .filter(({ el }) => !met.some((other) => other.el !== el && contains(el, other.el)))
      .filter(({ pressed }) => {
        const link = plainLink(pressed),
          to = (link && describeLink(link)) || pressed;
        return !seen.has(to) && seen.add(to);
      })
      .map(({ pressed }) => {
        const label = place.labelOf(pressed);
        return { el: pressed, refused: labels.keeps(label) ? "" : refusedBy(pressed, plainLink(pressed)) };
      });
  };
  // nexts are what attachments.next meets. What is found by its text alone may belong to something else on the page,
  // such as other orders: it counts where no heading stands between it and the documents.
  const nexts = () => {
    const met = picked(ruled.next, ruled.frame);
    if (ruled.next.selector || !met.length) return met;
    const heads = all(place.HEADING).filter(visible),
      listed = last.list || items();
    const follows = (a, b) => (a.compareDocumentPosition(b) & 5) === 4; // 5: in no document with it, or behind it
    const near = (el) => {
      const before = listed.filter((one) => follows(one, el)).at(-1),
        behind = listed.find((one) => follows(el, one));
      const apart = (a, b) => heads.some((head) => follows(a, head) && follows(head, b));
      return (before && !apart(before, el)) || (!before && behind && !apart(el, behind));
    };
    return met.filter(near);
  };
  // turners returns what attachments.next meets: how many there are, and of those that can be
  // used the first. One that is hidden with the items, as in a closed tab, is there; one that is
  // hidden alone has gone.
  const turners = () => {
    const hidden = (last.list || items()).filter((item) => !visible(item));
    const met = nexts(),
      there = met.filter((el) => visible(el) || hidden.some((item) => contains(outermost(el), item)));
    return { ...usable(there), met: met.length };
  };
  // usable returns which of these leads further: the first that can be used.
  const usable = (there) => {
    const on = there
      .map((el) => pressIn(el))
      .filter((el, i) => [el, there[i]].every((one) => clickable(one) && !dom.has(one, "disabled")));
    const label = on.length ? place.labelOf(on[0]) : "";
    return { met: there.length, el: on[0] ?? null, refused: labels.refused(label) ? label.slice(0, 80) : "" };
  };
  // printOf tells an item of one page of documents from those of another: by its address, else by
  // what its row says; "?" is before what says nothing but its name.
  const printOf = (el) => {
    const at = ruled.then || ruled.opens ? "" : addressOf(el),
      row = at ? null : climb(el, place.ROW);
    const text = row && place.small(row, 400) ? squeeze(dom.text(row)) : "";
    return (at || (text && text !== squeeze(dom.text(el))) ? "" : "?") + [at, nameOf(el), text].join("\n");
  };
  // clickable: a person could click it.
  const clickable = (el) =>
    !place.disabled(el) && el.ownerDocument.defaultView.getComputedStyle(el).pointerEvents !== "none";
  // withBelow adds by what the order's row of a list may go on under it: see extract.js.
  const withBelow = (facts, out) => {
    const under = rule.list ? eyes.below((el) => out.has(el)) : "";
    return under ? { ...facts, controls: [...facts.controls, under] } : facts;
  };
  // rowsToo says by what a list of orders has more rows than the page shows, where the recipe does not say what
  // leads to them: one of them may be the order's, too.
  const rowsToo = (rows, shown) => {
    const out = excluder();
    return rule.list && !rule.list.next && rows.length
      ? parts
          .rows(labels, place)(rows, shown, (el) => out.has(el))
          .slice(0, 80)
      : "";
  };
  // left quotes by what a page that is itself the document says that it shows a part of a list only, be it of
  // lines or of anything else: "1-10 of 92", or a pager that leads on.
  const left = () => {
    const says = (el) => {
      if (!place.small(el, 80) || !/\d/.test(dom.text(el))) return false;
      const text = place.said(el), // perhaps with a word for what it counts behind it
        said = labels.count(text) ?? labels.count(text.replace(/\s+\p{L}+[ .]*$/u, ""));
      return (
        said && !said.weak && ((said.to !== undefined && said.to < said.count) || (said.further && said.count > 0))
      );
    };
    const own = (el) => new URL(address(el.ownerDocument)).pathname;
    const leads = (el) =>
      place.inPager(el) &&
      !place.disabled(el) &&
      !place.disabled(up(el)) &&
      (/^[›»→⟩❯]+$/.test(place.labelOf(el)) || dom.matches(el, "[rel=next]") || labels.shows(place.labelOf(el))) &&
      (!/^https?:/.test(el.href ?? "") || target(el).pathname === own(el));
    const holds = (grid) => Number(dom.attr(grid, "aria-rowcount")) > find(grid, "tr, [role=row]").length;
    const shown = (selector, is) => all(selector).find((el) => visible(el) && !place.outside(el) && is(el));
    const grid = shown("[aria-rowcount]", holds);
    if (grid) return "aria-rowcount=" + dom.attr(grid, "aria-rowcount");
    const el =
      shown("body *:not(script, style, select, option, textarea)", says) || shown("a, button, [role=button]", leads);
    return el ? place.said(el) || place.labelOf(el) : "";
  };
  // further returns what the page says of documents besides: see more.js.
  const further = (list) => {
    if (!ruled && !rule.auto) return {};
    const found = last.list === list ? last.met : met(),
      out = excluder();
    const none = ruled && ruled.none ? all(ruled.none, ruled.frame).filter(visible) : [];
    if (ruled) place.keep(found.slice(0, 300));
    const selector = ruled && ruled.count !== "off" ? ruled.count : "";
    let counted = selector ? all(selector, ruled.frame) : [];
    if (counted.some(visible)) counted = counted.filter(visible);
    const excluded = (el) => {
      for (let at = el; out.size && at; at = up(at)) if (out.has(at)) return true;
      return eyes.used(el) && !labels.more(place.labelOf(el)); // there may be still more after "more"
    };
    const foreign = (text) => numbers(text) && spoken.test(labels.fold(text)) && !shows(text);
    const more = parts.more(labels, place, {
      all,
      own: (el) => {
        const link = linkOf(el);
        return link ? describeLink(link) : "";
      },
      excluded,
      apart: ruled ? [] : apart,
      marks: rule.list ? () => [] : eyes.marks,
      names: { of: nameOf, named, foreign },
      rule: { auto: rule.auto, count: ruled && ruled.count ? selector : undefined },
      turning: ruled && ruled.next ? { page: ruled.page, met: nexts() } : null,
    });
    const facts = more.facts(found, none, counted);
    if (ruled && !found.length && !facts.declared)
      facts.zero ||= denied(present(all(ruled.item, ruled.frame)).filter(visible));
    return {
      left: ruled?.whole ? left() : "",
      met: found.length,
      leftOut: found.length - list.length,
      leftOutVague: !!ruled && found.length > 0 && !list.length && vague(found, out),
      ...withBelow(facts, out),
      count: selector
        ? {
            met: counted.length,
            unreadable: counted.length > 0 && !counted.some((el) => labels.told(textOf(el)) !== null),
          }
        : null,
      ...(ruled && ruled.next ? { turn: turners(), prints: found.map(printOf) } : {}),
    };
  };

  // related returns the links that each selector of other pages of the order meets.
  const related = () =>
    (rule.related || []).map((selector) =>
      (selector ? bestOf(present(all(selector))) : []).map((el) => {
        const link = plainLink(el),
          to = link && target(link),
          label = place.labelOf(link || el);
        return {
          url: to && typeof to.href === "string" && /^https?:$/.test(to.protocol) ? to.href : "",
          refused: labels.refused(label) ? label.slice(0, 80) : "",
        };
      }),
    );
  // refusedLabel says by what an element may do more than show something, by its label, by all that it says,
  // and by the text that it was looked for by: {label, surely}. Chosen: it is not only found by that text.
  const refusedLabel = (label, said, told, chosen) => {
    const rest = (text) => labels.fold(text).replaceAll(labels.fold(told), " "),
      does = (text) => labels.refused(text) || labels.acts(text) || labels.deeds(rest(text));
    const doing = [label, said].find(does),
      may = doing ?? (chosen || labels.choosing(rest(label)) ? "" : label);
    return { label: may.slice(0, 80), surely: doing !== undefined };
  };
  // doing says of each of the texts on a control what it does, and whether it leaves a dialog and says no more.
  const doing = (texts) =>
    texts.map((text) => ({ does: refusedLabel(text, text, text, true).label !== "", leaves: labels.leaves(text) }));
  return {
    items,
    doing,
    refusedLabel,
    describe,
    press,
    expanders,
    second,
    turners,
    usable,
    further,
    rowsToo,
    inItem,
    related,
    kept,
    ruledName,
    fileBeside,
    picked,
    nexts,
  };
};
