// rows.js is one function: by what a page says that a list of orders has more rows than it shows: a count, a
// page that is not shown, or a control that was not used; or "". It changes nothing.
//
//   labels  what texts say, see labels.js
//   place   how to look at parts of a page, see place.js
//   rows    those that show a number, and shown how many are met at all
(labels, place) => (rows, shown, excluded) => {
  const { find, first, visible } = place;
  const outer = (el) => dom.up(el) || el.getRootNode().host || null;
  const PART = "section, article, main, body, fieldset, details, [role=tabpanel], [role=region], [role=main]";
  let list = outer(rows[0]);
  while (list && !rows.every((row) => list.contains(row))) list = outer(list);
  if (!list) return "";
  list = dom.closest(list, place.LIST) || list;

  const cells = "td, [role=cell], [role=gridcell]";
  const counted = () => {
    const grid = dom.closest(list, "[aria-rowcount]") || first(list, "[aria-rowcount]"),
      count = grid ? Number(dom.attr(grid, "aria-rowcount")) : NaN;
    if (!(count > 0)) return "";
    return count > find(grid, "tr, [role=row]").length ? "aria-rowcount=" + count : "";
  };

  // blocks are what stands in and around the list, up to the next list: pagers, and what counts its rows.
  const holds = (el) => rows.some((row) => el.contains(row));
  const other = (el) =>
    [el, ...find(el, place.TABLE)].some((one) => dom.matches(one, place.TABLE) && first(one, cells));
  const blocks = () => {
    const found = find(list, "tr, li, tfoot, [role=row], nav, div").filter(
      (el) => !holds(el) && !rows.some((row) => row.contains(el)) && !dom.closest(el, "thead"),
    );
    for (let at = list; at && !dom.matches(at, "body"); at = outer(at)) {
      for (const [step, heads] of [
        ["previousElementSibling", false],
        ["nextElementSibling", true],
      ])
        for (let el = at[step]; el && !other(el) && !(heads && dom.matches(el, place.HEADING)); el = el[step])
          found.push(el);
      if (dom.matches(at, PART)) break;
    }
    return found.filter((el) => visible(el) && !place.outside(el) && dom.text(el).length <= 2000);
  };
  const more = (said) => {
    if (!said || said.weak || said.plain || said.further) return false;
    if (said.pages) return said.count > 1;
    return said.to !== undefined ? said.count > said.to || said.from > 1 : !!said.entries && said.count > shown;
  };
  const says = (block) =>
    [block, ...find(block, "*").slice(0, 200)]
      .filter((el) => visible(el) && place.small(el, 120) && !dom.matches(el, "select, option, script, style"))
      .map(place.said)
      .find((text) => more(labels.count(text))) || "";
  const current = /(^|[-_\s])(active|current|selected)([-_\s]|$)/i;
  const leads = (block) => {
    const numbers = /^[\d\s.…‹›«»<>|→←-]+$/.test(place.small(block, 120) ? place.said(block) : "");
    const control = [block, ...find(block, "a, button, [role=button], [role=link]")].find((el) => {
      if (!dom.matches(el, "a, button, [role=button], [role=link]")) return false;
      if (!visible(el) || place.disabled(el) || excluded(el) || place.outside(el)) return false;
      if (dom.has(el, "aria-current") || [el, outer(el)].some((at) => current.test(place.classOf(at)))) return false;
      const label = place.labelOf(el);
      if (labels.more(label) && labels.shows(label) && !labels.documents(label)) return true;
      return (numbers || place.inPager(el)) && /^(?:\d{1,4}|[›»>→]+)$/.test(label);
    });
    return control ? place.labelOf(control) : "";
  };
  const around = blocks();
  return counted() || around.map(says).find(Boolean) || around.map(leads).find(Boolean) || "";
};
