// hints.js is one function: what the sentences of a page say of documents where none is listed. A
// page that says that there are none is believed; one that says something else of them, or in their
// place something that is not known to mean that, may have some. Where some are listed, it may say
// that there are others.
//
//   mentions      what else says of documents, see mentions.js
//   named(text)   a text names a file
//   excluded(el)  the recipe leaves out what stands there
(labels, place, lexicon, mentions, { all, named, excluded }) => {
  const { find, contains, visible, said } = place;
  const aside =
    place.CONTROL +
    ", " +
    place.HEADING +
    ", label[for], label:has(input, select, textarea), select, textarea, th:not([scope=row]), dt, thead, " +
    "[role=columnheader], [role=tooltip], [role=menu], " +
    "script, style, noscript, template";
  const listed = place.TABLE + ", li, dl, [role=list], [role=row]";
  const inline = "b, strong, em, i, span, small, font, u, mark",
    flowing = inline + ", a, abbr, button, cite, code, input, label, q, s, select, sub, sup, time, var";

  // lines are the texts that these elements hold of their own, as a person reads them: one ends where a
  // block or a break stands. {el, node, text}: node is what it begins with. They are without the labels
  // of controls; what stands behind a label and is a link is judged as one.
  const own = (el) => [...el.childNodes].some((node) => node.nodeType === 3 && labels.squeeze(node.data));
  const without = (text, el) => labels.squeeze(text.replace(said(el), " "));
  const whole = (el) => {
    while (el.matches(inline) && [...place.up(el).children].every((one) => one.matches(inline))) el = place.up(el);
    return el;
  };
  const split = (el) => {
    const found = [];
    let line = null;
    const add = (node, text, plain) => {
      line ??= found[found.push({ el, node, text: "", plain: "" }) - 1];
      line.text += text;
      line.plain += plain;
    };
    for (const node of el.childNodes) {
      if (node.nodeType === 3) {
        if (line || labels.squeeze(node.data)) add(node, node.data, node.data);
      } else if (node.nodeType === 1) {
        if (!node.matches(flowing)) line = null;
        else if ((node.matches("a") || !node.matches(aside)) && node.textContent && place.seen(node)) {
          const text = find(node, aside).reduce(
            (rest, one) => (one.matches("a") ? rest : without(rest, one)),
            said(node),
          );
          // "<b>No documents yet</b> <span>Use the button ...": a sentence of its own.
          if (text)
            add(
              node,
              " " + text + (node.matches("b, strong") && labels.lacks(text) ? ". " : " "),
              " " + (node.matches("a") ? "" : find(node, "a").reduce(without, text)) + " ",
            );
        }
      }
    }
    return found
      .map((one) => ({ ...one, text: labels.squeeze(one.text), plain: labels.squeeze(one.plain) }))
      .filter(({ text, plain }) => plain && !/:$/.test(plain) && text.length <= 300);
  };
  const lines = (elements, counts = () => true, shown = visible) => {
    const seen = new Set(),
      found = [];
    for (const one of elements) {
      if (one.closest(aside) && !(one.matches("dt, label") && labels.states(one.textContent))) continue;
      if (one.closest("[role=combobox]") && place.inPager(one)) continue; // how many rows a page has
      const el = whole(one);
      if (seen.has(el)) continue;
      seen.add(el);
      const here = split(el).filter(({ text }) => counts(text));
      if (here.length && shown(el) && !place.outside(el, true)) found.push(...here);
    }
    return found;
  };

  const quoted = (text) => JSON.stringify(text.slice(0, 80));
  const telling = (text) =>
    /[\p{L}\p{N}✓✔☑🔒🔐📄📁📎]|[•●*]{3}/u.test(text) &&
    !/^\P{N}*0(?:\P{N}*$|\s*(?:\/|\p{L}{1,3})\s*\d)/u.test(text) &&
    !labels.asks(text) &&
    (labels.count(text)?.count !== 0 || /[1-9]/.test(text));
  // lacking: something of the page could not be had, or is not there yet.
  const lacking = (text) => {
    const folded = lexicon.fold(text);
    return (
      lexicon.fails(folded) || lexicon.waits(folded) || (lexicon.finds("error", folded) && !/try again/i.test(folded))
    );
  };
  const promises = (text) => labels.documents(text) && (labels.pending(text) || mentions.open(text));
  const denied = (el, text) => labels.limits(text) || labels.demands(text) || mentions.denied(el);
  const elsewhere = (el, text) =>
    text.length <= 120 &&
    !place.menued(el) &&
    (mentions.open(text) ||
      labels.amount(text) ||
      labels.attached(text) ||
      (named(text) && ![labels.asks, labels.demands, labels.limits].some((says) => says(text))) ||
      (!el.closest(listed) &&
        ((text.length <= 80 && labels.claims(text) && !labels.named(text) && !denied(el, text)) ||
          promises(text) ||
          lacking(text))));
  // told: a message for a moment says so of the order's documents.
  const told = (text) =>
    labels.documents(text) && (labels.claims(text) || promises(text) || lacking(text)) && !labels.asks(text);

  // A place that is folded holds what a person reads who unfolds it; what is hidden for itself is not
  // read there either.
  const folded = (el, one) => {
    const view = el.ownerDocument.defaultView;
    if (!view || !contains(one.root, el)) return false;
    const closed = one.root.matches("details") ? !one.root.open : !visible(one.root);
    for (let at = el; closed && at && at !== one.root; at = place.up(at)) {
      const { display, visibility } = view.getComputedStyle(at);
      if (display === "none" || visibility === "hidden") return false;
    }
    return closed;
  };
  // mailed returns the label of a link by which documents can be asked for.
  const mailed = (one) => {
    const link = find(one.root, "a[href^='mailto:' i], a[href^='tel:' i]").find(
      (el) => one.has(el) && labels.documents(said(el)) && !labels.refused(said(el)) && visible(el),
    );
    return link ? said(link) : "";
  };
  // folder returns the heading of a part that counts what it does not list: "Contracts (2)".
  const folder = (one, met) => {
    const head = find(one.root, place.HEADING).find(
      (el) =>
        place.small(el, 60) &&
        /\p{L}.*[([]\s*[1-9]\d{0,2}\s*[)\]]$/u.test(said(el)) &&
        one.has(el) &&
        !(one.head && contains(one.head, el)) &&
        !labels.others(said(el)) &&
        !labels.talks(said(el)) &&
        visible(el) &&
        !met.some((item) => place.above(item).some((above) => above.el === el)),
    );
    return head ? said(head) : "";
  };
  // shownIn returns what a field shows that cannot be changed, or what is drawn is called.
  const shownIn = (one) => {
    const texts = find(one.root, "textarea, [role=img][aria-label]:not(img, svg)")
      .filter((el) => one.has(el) && visible(el) && (el.matches("[role=img]") || el.readOnly || el.disabled))
      .filter((el) => !el.closest(place.CONTROL))
      .map((el) => labels.squeeze(el.value ?? el.getAttribute("aria-label")));
    return texts.find((text) => text && telling(text) && !labels.absence(text) && !labels.label(text)) ?? "";
  };
  const flat = "body, main, form, [role=main]";
  // narrowed returns what is chosen or typed there, which may leave documents out.
  const narrowed = (one) => {
    if (one.root.matches(flat)) return "";
    const field = find(one.root, "input[type=checkbox], input[type=radio], input[type=search], input[type=text]").find(
      (el) =>
        (/^(checkbox|radio)$/.test(el.type) ? el.checked : el.value.trim()) &&
        one.has(el) &&
        visible(el) &&
        !el.disabled &&
        !el.readOnly &&
        !el.closest(listed) &&
        !place.composes(el),
    );
    const label = field?.closest("label") ?? field?.labels?.[0];
    return field ? (label && said(label)) || field.value || "on" : "";
  };
  // styled returns a text that a style writes there.
  const styled = (one) => {
    const view = one.root.ownerDocument.defaultView;
    for (const el of view ? find(one.root, "*").slice(0, 500) : []) {
      if (el.childNodes.length && labels.squeeze(el.textContent)) continue;
      for (const part of ["::before", "::after"]) {
        const { content } = view.getComputedStyle(el, part);
        if (/^".*[\p{L}\p{N}].*[\p{L}\p{N}]/u.test(content) && one.has(el) && visible(el) && !el.closest(aside))
          return content.replace(/^"|"$/g, "");
      }
    }
    return "";
  };

  const apart = (one, met) =>
    !met.some((el) => one.has(el)) && !one.heads.some((head) => labels.related(head) || labels.demands(head));
  // hint returns what the page says that leaves open whether it has documents, or "". zero: it counts
  // none, so only what contradicts that says so. Where some were met, each place of documents that has
  // none of them is judged as if nothing was; but not one of those that are needed, or of other records.
  const hint = (zero, met = []) => {
    const places = place.survey([], labels.papers),
      everyOne = places.filter((one) => one.documents),
      ofDocuments = met.length ? everyOne.filter((one) => apart(one, met)) : everyOne,
      heads = new Set(places.map((one) => one.head).filter(Boolean));
    const around = (node) => {
      const fits = (one) => one.has(node) && !(one.head && contains(one.head, node));
      return (met.length ? places : ofDocuments).find(fits) ?? places.find(fits);
    };
    const shown = (el) => visible(el) || ofDocuments.some((one) => folded(el, one));
    const speaking = all("*").slice(0, 20000).filter(own);
    const read = lines(speaking, undefined, shown).map((one) => ({ ...one, under: around(one.node) }));
    const none = ({ text, under }) =>
      (labels.absence(text) || (labels.count(text)?.count === 0 && labels.zero(text))) &&
      (under || labels.documents(text));
    // Each place says it for itself, and one of documents, or what stands in none, for the rest of the page.
    const titles = all(place.HEADING)
      .filter((el) => place.small(el, 160) && labels.lacks(said(el)) && visible(el) && !place.outside(el))
      .map((el) => ({ el, node: el, text: said(el), under: around(el) }));
    const nothing = [...read, ...titles].filter(none),
      settled = new Set(nothing.map((one) => one.under)),
      settles = nothing.some(
        ({ node, under }) => under?.documents || (!under && place.above(node).every((head) => head.level < 2)),
      );
    const underneath = (text, one) =>
      quoted(text) + " stands under " + quoted(one.heads[0] ?? "") + ", and may mean anything";
    // Beside it only what asks for some, helps, or is a caption may stand; behind it, where no section
    // ends the place, whatever does not speak of documents.
    const speaks = (text) =>
      [labels.documents, labels.withheld, labels.pending, lacking, named].some((says) => says(text));
    const harmless = (one) => {
      const { el, node, text, under } = one,
        nothings = nothing.filter((other) => other.under === under);
      if (!nothings.length) return false;
      const behind = nothings.some((other) => other.node.compareDocumentPosition(node) & 4),
        head = place.above(node)[0]?.el;
      return (
        none(one) ||
        [labels.helps, labels.label, labels.columns].some((says) => says(text)) ||
        (head && head !== under.head && labels.talks(place.labelOf(head)) && !labels.documents(place.labelOf(head))) ||
        (behind ? under.root.matches(flat) && !el.closest(listed) && !speaks(text) : labels.caption(text))
      );
    };
    for (const one of read) {
      const { el, text, under } = one;
      if (!telling(text) || (met.length && !(ofDocuments.includes(under) && /\p{L}/u.test(text)))) continue;
      const message = place.outside(el);
      if (message) {
        if (told(text)) return "the page says " + quoted(text);
      } else if (zero) {
        if (under?.documents && (labels.pending(text) || lacking(text))) return underneath(text, under);
      } else if (under?.documents) {
        // "Notes and attachments"
        const notes = (met.length || settled.has(under)) && under.heads.some(labels.talks) && !speaks(text);
        if (!notes && !harmless(one)) return underneath(text, under);
      } else if (under ? !settled.has(under) : !settles) {
        const short = text.length <= 40 && !el.closest(listed) && !labels.demands(text);
        if (under && short) return underneath(text, under);
        if (elsewhere(el, text)) return "the page says " + quoted(text);
      }
    }
    for (const one of zero ? [] : ofDocuments) {
      if (settled.has(one)) {
        const choice = narrowed(one);
        if (choice) return quoted(choice) + " narrows what stands under " + quoted(one.heads[0] ?? "");
        continue;
      }
      const text = mailed(one) || styled(one);
      if (text && telling(text)) return underneath(text, one);
      const head = one.heads.find(mentions.besides);
      if (head) return "the page says " + quoted(head);
    }
    for (const one of zero ? [] : everyOne) {
      const text = folder(one, met) || (met.length ? "" : shownIn(one));
      if (text) return underneath(text, one);
    }
    if (everyOne.some((one) => met.some((el) => one.has(el)))) return "";
    return mentions.hint(speaking, heads, zero !== "" || settles, met);
  };

  // passing returns what a message that is shown for a moment says of documents that are not there.
  const passing = () => {
    const messages = all("[class*=toast i], [class*=snackbar i], [class*=notification i]").slice(0, 50);
    const inside = new Set(messages.flatMap((el) => [el, ...find(el, "*").slice(0, 100)]).filter(own));
    return lines(inside).find(({ text }) => labels.withheld(text) || promises(text))?.text ?? "";
  };
  // near are the elements of a place, and perhaps some more: those up to the next heading, where it
  // has one.
  const most = 2000;
  const near = (one) => {
    const found = [],
      walker = one.root.ownerDocument.createTreeWalker(one.root, 1);
    if (one.head) walker.currentNode = one.head;
    for (let el = walker.nextNode(); el && found.length < most; el = walker.nextNode()) {
      if (one.head && contains(one.head, el)) continue;
      if (one.head && el.matches(place.HEADING) && !one.has(el)) break;
      found.push(el);
    }
    return found;
  };
  // withheld returns what the page says, where it lists documents, of some that it does not list, or
  // "". What stands in the row of a document is of that one.
  const withheld = (met, auto) => {
    const rows = new Set(met.map((el) => place.climb(el, place.ROW)).filter(Boolean));
    const listed = (el) =>
      met.some((item) => contains(el, item) || contains(item, el)) || [...rows].some((row) => contains(row, el));
    for (const one of place.survey(met.slice(0, 300)).filter((one) => one.documents || one.anchored)) {
      const told = lines(near(one).filter(own), labels.withheld);
      const said = told.find(({ el, node }) => (one.has(el) || one.has(node)) && !excluded(el) && !listed(el));
      if (said) return said.text.slice(0, 120);
    }
    return auto ? passing().slice(0, 120) : "";
  };
  return { hint, withheld, apart };
};
