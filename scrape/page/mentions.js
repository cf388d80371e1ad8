// mentions.js is one function: where a page says in a few words that its order has documents, besides
// the places where it lists them: a label and what stands beside it, a column, the title of an icon, a
// word that can be clicked.
//
//   foreign(text)  it names another order
(labels, place, all, foreign) => {
  const { up, find, contains, visible, said, small, labelOf } = place;
  const { squeeze } = labels;
  const quoted = (text) => JSON.stringify(text.slice(0, 80));

  // fine: what stands beside a label of documents says that there are none, or how to bring some.
  const fine = (value) =>
    !/[\p{L}\p{N}✓✔☑🗹]/u.test(value) ||
    /^\P{L}*0\P{L}*$/u.test(value) ||
    labels.absence(value) ||
    labels.denies(value) ||
    labels.asks(value) ||
    labels.idle(value) ||
    labels.demands(value) ||
    labels.itself(value) ||
    labels.count(value)?.count === 0;
  // counted: it says a number of documents.
  const counted = (text) => {
    const count = labels.count(text);
    return count?.unit === "documents" && count.count > 0 && !count.pages && labels.bare(text);
  };
  // open: a text of a label and a value, or of a number, leaves open whether there are documents, or
  // says so.
  const pair = /^([^:|=·]{2,50}?)\s*(?:[:|=·]|\s[–—-]\s)\s*(\S.*)$/;
  const open = (text) => {
    if (text.length > 120 || !labels.documents(text)) return false;
    const m = text.match(pair);
    return m && labels.label(m[1]) ? !fine(m[2]) : counted(text) && !labels.asks(text);
  };

  // besides: a heading of documents says more of them than that: "Documents (restricted)".
  const besides = (head) => {
    const m = head.match(/[([–—:-]\s*(\p{L}[^)\]]*)[)\]]?$/u);
    return /[🔒🔐]/u.test(head) || (!!m && !labels.known(m[1]) && !fine(m[1]));
  };

  // --- a label and its value ---

  const icon = "img, svg, canvas, i[class], [class*=icon i]";

  const bound =
    "li, tr, section, article, main, body, form, fieldset, table, ul, ol, nav, " +
    "[role=row], [role=listitem], [role=tab], [role=tablist]";
  const valueOf = (node) => {
    if (node.nodeType === 3) return squeeze(node.data);
    if (node.nodeType !== 1 || /^(br|hr|script|style|template)$/.test(node.localName) || !visible(node)) return "";
    if (!small(node, 120) || node.matches("table, ul, ol, dl, " + place.HEADING)) return null;
    return chosen(node) || labelOf(node) || drawn(node);
  };
  // chosen is what is ticked or selected there, in a field that shows the order.
  const fields = "input[type=checkbox], [role=checkbox], [role=switch], select";
  const chosen = (el) => {
    const field = el.matches(fields) ? el : place.first(el, fields);
    if (!field) return "";
    if (field.localName === "select") return field.disabled ? squeeze(field.selectedOptions[0]?.textContent) : "";
    return field.checked || field.matches("[aria-checked=true]") ? "✓" : "";
  };
  // drawn is what an icon or a style shows instead of a text, where it is no sign for "no" or to edit.
  const nothing = /times|close|minus|ban|cross|xmark|plus|add|edit|pen|info|help|question|chevron|caret|arrow|angle/i;
  const drawn = (el) => {
    for (const one of [el, ...find(el, "*")].slice(0, 20)) {
      const view = one.ownerDocument.defaultView;
      for (const part of view ? ["::before", "::after"] : []) {
        const { content } = view.getComputedStyle(one, part);
        if (/^".*[\p{L}\p{N}]/u.test(content)) return content.replace(/^"|"$/g, "");
      }
      const { width } = one.getBoundingClientRect();
      const sign = place.classOf(one) + " " + (one.getAttribute("src") || "").replace(/^data:.*/, "");
      const drawnOf = width > 0 || /check|tick|yes|clip|attach|file/i.test(sign);
      if (one.matches(icon) && drawnOf && visible(one) && !nothing.test(sign) && !one.closest(place.CONTROL))
        return "an icon";
    }
    return "";
  };
  // beside returns the text that stands behind a label, "" where there is none, and null where what
  // stands there is no value.
  const beside = (el) => {
    for (let at = el, depth = 0; at && depth < 4 && !at.matches(bound); depth++, at = up(at)) {
      for (let node = at.nextSibling; node; node = node.nextSibling) {
        const value = valueOf(node),
          text = value && value.replace(/^[\s:|·=]+/, "");
        if (text === null) return null;
        if (text) return node.nodeType === 3 || first(at) ? text : null;
      }
    }
    return "";
  };
  const denied = (el) => {
    const value = beside(el);
    return !!value && fine(value);
  };
  // first: it is the first of two, or of one of several pairs.
  const first = (el) => {
    const row = [...up(el).children].filter((other) => other.localName === el.localName);
    return row.length <= 2 || /^(p|b|strong)$/.test(el.localName) || row.indexOf(el) % 2 === 0;
  };

  // --- columns ---

  const header = "th, [role=columnheader], thead td";
  // others: its row is another order's.
  const others = (el) => {
    const row = place.climb(el, place.ROW);
    return !!row && small(row, 400) && foreign(said(row));
  };
  // cellsUnder are those of a column below its header, without those of other orders.
  const cellsUnder = (head) => {
    const cell = head.closest(header),
      row = cell && up(cell),
      table = cell?.closest(place.TABLE);
    if (!row || !table || !row.matches(place.ROW)) return [];
    const at = [...row.children].indexOf(cell);
    return find(table, place.ROW)
      .slice(0, 300)
      .filter((other) => other !== row && other.children.length === row.children.length && !others(other))
      .map((other) => other.children[at])
      .filter((one) => one && !one.matches(header));
  };
  // column returns what stands under the header of a column, and says that there is something.
  const column = (head) => {
    for (const one of cellsUnder(head)) {
      const text = small(one, 60) ? chosen(one) || labelOf(one) : "";
      if (text ? !fine(text) && !/\d{4}/.test(text) && visible(one) : find(one, icon).some(visible))
        return text || "an icon";
    }
    return "";
  };

  // hint returns what leaves open whether there are documents, or "". Where the page says that there
  // are none, only numbers do. speaking are the elements with a text of their own, heads the headings of
  // places.
  const clickable = (el) => el.ownerDocument.defaultView?.getComputedStyle(el).cursor === "pointer";
  const labelling = (el) =>
    el.childElementCount <= 3 &&
    el.textContent.length <= 200 &&
    labels.documents(el.textContent) &&
    small(el, 50) &&
    labels.label(said(el)) &&
    !place.first(el, "input[type=file]") &&
    !el.closest(place.CONTROL + ", option, [role=tooltip], [role=menu], script, style, template, noscript") &&
    visible(el) &&
    !place.outside(el) &&
    !place.menued(el);
  const hint = (speaking, heads, none, met = []) => {
    const title = met.length ? "" : titled(none);
    if (title) return "the page shows " + quoted(title);
    const way = none || met.length ? "" : views();
    if (way) return quoted(way) + " was not used, and may show some";
    for (const el of speaking) {
      if (!labelling(el) || (met.length && (place.isTab(el) || met.some((item) => contains(up(up(el)), item)))))
        continue;
      const label = said(el),
        under = el.closest(header) && column(el);
      const tells = (text) =>
        text &&
        !(Number(text.replace(/\P{N}/gu, "") || NaN) <= met.length) &&
        (!none || /^\P{L}*[1-9]\d{0,2}\P{L}*$/u.test(text));
      if (tells(under)) return quoted(under) + " stands in the column " + quoted(label);
      const head = [...heads].some((one) => place.contains(one, el));
      const value = el.closest(header) || head ? "" : beside(el);
      if (tells(value) && !fine(value))
        return quoted(value) + " stands beside " + quoted(label) + ", and may mean anything";
      if (!none && !met.length && !value && !el.closest("label, " + header) && clickable(el))
        return quoted(label) + " can be clicked, and may show some";
    }
    return "";
  };

  // views returns what is chosen, or clicked, to see documents and is neither named so nor a control: a
  // choice of parts of the page, a tab that shows a paperclip.
  const views = () => {
    const order = (el) => visible(el) && !place.outside(el) && !place.menued(el) && !place.disabled(el);
    for (const el of all("select")) {
      const texts = [...el.options].map((option) => squeeze(option.textContent)),
        label = texts.find((text, i) => i !== el.selectedIndex && labels.label(text));
      if (label && !labels.label(texts[el.selectedIndex] ?? "") && !el.closest("form") && order(el)) return label;
    }
    const tab = all("[role=tab], [aria-expanded=false]").find(
      (el) =>
        el.textContent.length < 20 &&
        /^[^\p{L}]*[📎🖇]/u.test(said(el)) &&
        !el.matches("[aria-selected=true]") &&
        order(el),
    );
    return tab ? said(tab) : "";
  };

  // --- titles ---

  // titled returns what an icon is called that says so.
  const titled = (none) => titles((text, control) => counted(text) || (!none && !control && has(text)))?.text ?? "";
  const has = (text) => text.split(" ").length <= 4 && labels.claims(text) && !labels.named(text);
  const titles = (says) => {
    for (const el of all("[title], [aria-label], [alt], svg > title")) {
      const holder = el.localName === "title" ? el.parentElement : el,
        control = !!el.closest(place.CONTROL);
      const texts =
        el === holder ? ["title", "aria-label", "alt"].map((name) => el.getAttribute(name) ?? "") : [el.textContent];
      const said = texts.find((text) => text.length <= 80 && labels.documents(text) && says(text, control));
      if (said && visible(holder) && !place.outside(holder) && !place.menued(holder) && !others(holder))
        return { el: holder, text: squeeze(said) };
    }
    return null;
  };
  // more returns {count, text} where a label or the title of an icon counts more documents than were
  // met, or null.
  const more = (met) => {
    const rows = new Set(met.map((el) => place.climb(el, place.ROW)).filter(Boolean));
    const theirs = (el) =>
      [...rows].some((row) => place.contains(row, el)) || met.some((item) => place.contains(el, item));
    const number = (text) => Number(text.match(/^\P{L}*?([1-9]\d{0,2})\P{L}*$/u)?.[1] ?? 0);
    const title = titles((text) => counted(text) && labels.count(text).count > met.length);
    if (title && !theirs(title.el)) return { count: labels.count(title.text).count, text: title.text };
    for (const el of all("td, span, div, b, strong, p, label")) {
      const own = !el.childElementCount && el.textContent.length < 60 && el.textContent.match(pair);
      if (own && labels.label(own[1]) && !labels.single(own[1]) && Number(own[2]) > met.length)
        if (visible(el) && !theirs(el) && !place.outside(el) && !others(el))
          return { count: Number(own[2]), text: said(el) };
      if (!labelling(el) || el.closest(header) || theirs(el)) continue;
      const value = beside(el),
        count = value && !labels.single(said(el).replace(/\s*:$/, "")) ? number(value) : 0;
      if (count > met.length) return { count, text: said(el) + " " + value };
    }
    // A column of a list without any of those met counts more in all.
    for (const head of all(header)) {
      const table = labelling(head) && labels.several(said(head)) && head.closest(place.TABLE);
      if (!table || met.some((item) => contains(table, item))) continue;
      const numbers = cellsUnder(head)
          .map((cell) => (small(cell, 20) ? said(cell) : ""))
          .filter((text) => /^[1-9]\d{0,2}$/.test(text)),
        count = numbers.reduce((sum, text) => sum + Number(text), 0);
      if (count > met.length) return { count, text: said(head) + " " + numbers.join(", ") };
    }
    return null;
  };
  // ways are the labels of what can be clicked in such a column.
  const ways = (met) => {
    const found = new Set();
    for (const head of all(header)) {
      const table = labelling(head) && labels.several(said(head)) && head.closest(place.TABLE);
      if (!table || met.some((item) => contains(table, item))) continue;
      for (const cell of cellsUnder(head))
        for (const el of find(cell, "a, button, [role=button], [role=link]")) {
          const label = labelOf(el);
          if (
            visible(el) &&
            !place.disabled(el) &&
            ![labels.idle, labels.aside, labels.does].some((says) => says(label))
          )
            found.add(label || "an icon");
        }
    }
    return [...found];
  };
  return { ways, open, denied, besides, hint, more };
};
