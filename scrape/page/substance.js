// substance.js is one function: whether a page that shows the order's number shows anything else of an
// order. A page that asks for something first may do so below the heading of the order that it is for.
(rule, page, number, lexicon) => {
  const { all, visible, textOf, lines, place, items, lacking, pairs, squeeze } = page;
  const beside =
    "header, nav, aside, footer, dialog, [role=banner], [role=navigation], [role=complementary], [role=dialog], " +
    "[role=alertdialog], [role=contentinfo]";
  const dialogs = "dialog, [role=dialog], [role=alertdialog], [aria-modal=true]";
  const says = (text) => /[\p{L}\p{N}]/u.test(text) && !number.shows(text);

  // cells are those of tables and lists of values, and none that a form is laid out by.
  const cells = () =>
    all("dd, table td").filter(
      (el) =>
        visible(el) &&
        !dom.closest(el, beside) &&
        !dom.first(el, "table, input:not([type=hidden]), button, select, textarea") &&
        says(textOf(el)),
    );
  // reached says how to reach somebody, which every page may.
  const reached = (text) => /@|:\/\//.test(text) || /^[+0][\d\s()-]{5,}$/.test(text);
  // A few values that can be changed, and sent, may be those of an account.
  const values = () => {
    const named = new Set(),
      changeable = new Set();
    for (const [name, value, el] of pairs()) {
      if (el && !dom.closest(el, beside) && number.shows(value) && lexicon.orderLabel(name)) named.add(name);
      if (!el || dom.closest(el, beside) || !says(value)) continue;
      const changes = dom.matches(el, "input, textarea, select") && !el.readOnly && !el.disabled;
      (changes && dom.closest(el, "form") ? changeable : named).add(name);
    }
    if (changeable.size > 3) for (const name of changeable) named.add(name);
    for (const line of lines()) {
      const m = line.match(/^([^:?!.]{1,40}):\s+(\S.*)$/u);
      if (m && says(m[2]) && !reached(m[2])) named.add(squeeze(m[1]));
    }
    return named;
  };
  const ready = rule.ready.selector && rule.ready.selector !== rule.identity;

  // some: more than two words, or two that end a sentence; or a few letters of a script that parts none.
  const some = (text) =>
    (text.match(/\p{L}+/gu) || []).length > (/[.!]$/.test(text) ? 1 : 2) ||
    /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]{5}/u.test(text);

  // hollow quotes what the page says where it has nothing of an order but the number, and says or asks for
  // something else; or returns "". That there are no documents may stand on any page.
  const hollow = () => {
    if (rule.list || ready || items().length > 0 || page.told(says)) return "";
    if (cells().length > 2 || values().size > 1) return "";
    const placed = place().length > 0;
    if (placed && page.whole) return ""; // it is itself the document
    const before = placed ? all(dialogs).filter(visible).map(textOf) : []; // what dialogs say is asked elsewhere
    const said = squeeze(
      lines()
        .filter((line) => !number.shows(line) && lexicon.rest(line, ["order", "number", "documentHeading"]) !== "")
        .filter((line) => !lacking(line) && !before.some((text) => text.includes(line)))
        .slice(0, 3)
        .join(" "),
    );
    const asks =
      !placed &&
      all("button, [role=button], input[type=submit], input[type=image]").some(
        (el) => visible(el) && !dom.closest(el, beside),
      );
    return asks || some(said) ? (said || "nothing").slice(0, 120) : "";
  };
  return { hollow };
};
