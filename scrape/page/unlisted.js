// unlisted.js is one function: what stands among the documents, and is none that is listed: a
// picture, the number behind a paperclip, a file of a comment; and a number beside the listed ones
// that is greater than theirs, in whatever language.
//
//   own(el)  the address of a link, or ""
//   hint()   what its sentences say that leaves open whether it has documents, see hints.js
//   apart(one, met)  a place of documents has none of those that were met, see hints.js
//   zero     what counts none, or ""
//   excluded(el)  the recipe leaves it out
//   offered  it is known already what was not used
//   counts   numbers on the page count documents, whatever else the recipe says
(labels, place, { all, own, rule, hint, apart, zero, counts, offered, excluded }) => {
  const { find, up, contains, visible, small } = place;
  const least = 48; // of a picture, in CSS pixels; icons are smaller
  const quoted = (text) => JSON.stringify(text.slice(0, 80));

  // picture returns what a place of documents shows in their stead, or "". Where it says that there
  // are none, its pictures are ornaments.
  const large = (el) => {
    const { width, height } = el.getBoundingClientRect();
    // A page that is only fetched has no sizes but those that it names.
    const named = !el.ownerDocument.defaultView && el.localName !== "iframe";
    return named
      ? ["width", "height"].every((side) => Number(el.getAttribute(side)) >= least)
      : width >= least && height >= least;
  };
  const painted = (el) =>
    !el.childElementCount &&
    !labels.squeeze(el.textContent) &&
    /url\(/.test(el.ownerDocument.defaultView?.getComputedStyle(el).backgroundImage ?? "");
  // unread: a frame has nothing that can be read.
  const unread = (el) => {
    try {
      return !/\p{L}{3}/u.test(el.contentDocument.body.textContent);
    } catch {
      return true;
    }
  };
  // sealed: an element of the page's own, of which nothing can be read.
  const sealed = (el) =>
    el.localName.includes("-") && !el.shadowRoot && !el.childElementCount && !labels.squeeze(el.textContent);
  // iconic: it leads somewhere, or is all that a row has, and says nothing. titled: a control asks for
  // something there, as for access.
  const icons = "img, svg, i[class]";
  const iconic = (el) => {
    if (el.matches("a[href]"))
      return (
        !!own(el) &&
        !/[\p{L}\p{N}]/u.test(place.labelOf(el)) &&
        !!place.first(el, icons) &&
        !record.test(String(place.target(el).pathname))
      );
    const row = el.matches(icons) && place.climb(el, place.ROW);
    return !!row && !place.said(row) && !place.first(row, "th") && !place.climb(el, place.CONTROL);
  };
  const titled = (el) => !offered && el.matches("a, button, [role=button]") && labels.titled(place.labelOf(el));
  const pictures = {
    __proto__: null,
    canvas: "a drawing",
    embed: "a viewer",
    object: "a viewer",
    iframe: "a viewer",
    video: "a film",
    progress: "a bar",
    meter: "a bar",
  };
  const shows = (el) =>
    el.matches("progress, meter, [role=progressbar]") ||
    titled(el) ||
    iconic(el) ||
    ((el.matches("img, canvas, svg, input[type=image], embed, object, video") ||
      (el.localName === "iframe" && unread(el)) ||
      sealed(el) ||
      painted(el)) &&
      large(el));
  const picture = (one) => {
    const inside = find(one.root, "*")
      .slice(0, 2000)
      .filter((el) => one.has(el) && visible(el) && !place.outside(el));
    const none = (el) => [place.said(el), el.getAttribute("alt") ?? "", place.labelOf(el)].some(labels.none);
    if (inside.some((el) => small(el, 120) && none(el))) return "";
    const el = inside.find(shows);
    if (!el || titled(el)) return el ? quoted(place.labelOf(el)) : "";
    if (sealed(el)) return "a part that cannot be read";
    return el.matches("a[href]") ? "a link without a name" : (pictures[el.localName] ?? "a picture");
  };
  // clipped returns what says a number of documents by a paperclip, or "". Where some are listed, it is
  // one of more than these, or than those of its comments.
  const clip = /[📎🖇]\ufe0f?\s*[([]?\s*([1-9]\d{0,2})(?![\d.,])/u,
    alone = /^[([]?\s*[1-9]\d{0,2}\s*[)\]]?$/;
  const several = "table, thead, tbody, ul, ol, dl";
  const clipped = (met) => {
    const found = all("*").filter(
        (el) =>
          el.childElementCount <= 3 &&
          !el.matches(several) &&
          !place.first(el, several) &&
          small(el, 40) &&
          clip.test(place.said(el)) &&
          visible(el),
      ),
      inner = found.filter((el) => !found.some((other) => other !== el && contains(el, other))),
      texts = inner.map((el) => [el, place.said(el)]);
    for (const icon of all("[class*=paperclip i]")) {
      const number = up(icon) && small(up(icon), 12) ? place.said(up(icon)) : "";
      if (alone.test(number) && visible(icon)) texts.push([icon, "📎 " + number]);
    }
    const theirs = (el) => {
      const row = place.climb(el, place.ROW),
        head = talking(el) && place.above(el)[0]?.el,
        around = (item) => (row ? contains(row, item) : !head || place.above(item).some((one) => one.el === head));
      return met.filter(around).length;
    };
    const told = texts.find(([el, text]) => !place.outside(el) && Number(text.match(clip)[1]) > theirs(el));
    return told ? told[1] : "";
  };
  // told returns the labels of links in comments that lead to what is stored, by their addresses, or to
  // what is not known to be anything else.
  const stored =
    /\d[^/]*\/(?:files?|attachments?|download|raw|blob|binary|pdf)\/?$|\/(blobs?|assets?|media|binar(y|ies)|contents?|objects?|uploads?|attach\w*|files?|docs?|dms|ecm|raw)\/[^?#]*\d[^/?#]*\/?$/i;
  const record =
    /(?:^|[/_-])(?:u|in|(?:user|supplier|vendor|company|person|contact|profile|member|order|requisition|project|product|item|comment|message|thread|post|ticket|task|help|support|term|tag|shipment|invoice|quote|contract|rfq|part|line|event|note|approval|material|location|warehouse|article|forum|topic|calendar)s?|people|companies|replies|deliver(?:y|ies)|activit(?:y|ies)|catalog\w*|track\w*|legal|home|log(?:in|out)|search|inbox|wiki|kb|stock)(?:[/_.-]|$)/i;
  const does = (el, label) =>
    !/[\p{L}\p{N}]/u.test(label) ||
    /^@|^\d.{0,23}$/.test(label) ||
    el.querySelector("time") ||
    [labels.idle, labels.aside, labels.does, labels.refused, labels.more, labels.opens].some((says) => says(label));
  const opaque = (el) => {
    const to = place.target(el),
      label = place.labelOf(el),
      href = (el.getAttribute("href") || "").trim();
    if (/^#$|^javascript:/i.test(href))
      return (
        [...up(el).childNodes].some((node) => node.nodeType === 3 && /\p{L}/u.test(node.data)) &&
        !does(el, label) &&
        !place.composes(el)
      );
    if (!own(el)) return false;
    const here = new URL(place.address(el.ownerDocument)),
      order = here.pathname.replace(/\/?$/, "/"),
      path = String(to.pathname).replace(/\d/.test(order) ? order : "", "/"); // below the order's own
    if (stored.test(path)) return true;
    return (
      to.host === here.host &&
      !record.test(path.replace(/([a-z])(?=[A-Z])/g, "$1-").toLowerCase()) &&
      /\d/.test(path.replace(/\/$/, "").replace(/^.*\//, "") + to.search) &&
      !does(el, label)
    );
  };
  // pictured: a comment shows a picture that is no portrait.
  const pictured = () =>
    all("img").some((el) => {
      const { width, height } = el.getBoundingClientRect();
      return width >= 200 && height >= 200 && visible(el) && talking(el) && !place.outside(el);
    });
  const comment = /(?:^|[-_\s])(?:comments?|messages?|conversation)(?:[-_\s]|$)/i;
  const commented = (el) => {
    for (let at = up(el), depth = 0; at && depth < 4; depth++, at = up(at))
      if (comment.test(place.classOf(at))) return true;
    return false;
  };
  const talking = (el) => place.above(el).some((head) => labels.talks(place.labelOf(head.el)));
  // told returns the labels of what stands in comments, or among the documents, and is none of those that
  // are listed. A recipe says which those are, so only what leads from comments to where theirs are, or to
  // what is stored, is told then, and what nobody could name.
  const shape = (a) =>
    String(place.target(a).pathname)
      .replace(/\d+/g, "0")
      .replace(/[^/]*$/, "");
  const told = (met) => {
    const known = new Set(met.map(own).filter(Boolean)),
      rows = new Set(met.map((el) => place.climb(el, place.ROW)).filter(Boolean)),
      shapes = new Set(met.filter((el) => own(el) && el.matches("a[href]")).map(shape)),
      places = place.survey(met.slice(0, 300)).filter((one) => one.documents);
    const free = (el) =>
      visible(el) &&
      !place.outside(el) &&
      !excluded(el) &&
      !met.some((item) => contains(item, el) || contains(el, item)) &&
      ![...rows].some((row) => contains(row, el));
    // lists: it stands among the listed ones, and is not about one of them, as "Favourite" in its card.
    const about = (el) => {
      let around = up(el);
      while (around && !met.some((item) => contains(around, item))) around = up(around);
      return around === up(el) || !met.every((item) => contains(around, item));
    };
    const lists = (el) =>
      places.some((one) => one.has(el) && met.some((item) => one.has(item))) &&
      (!about(el) || labels.paper(place.labelOf(el)));
    const is = (el) => {
      const kept = stored.test(place.target(el).pathname),
        nameless = !/[\p{L}\p{N}]/u.test(place.labelOf(el));
      return (
        opaque(el) &&
        ((talking(el) && (rule.auto || shapes.has(shape(el)))) ||
          (kept && (talking(el) || commented(el))) ||
          (lists(el) && (rule.auto || (kept && nameless))))
      );
    };
    const found = all("a[href]").filter((el) => !known.has(own(el)) && is(el) && free(el));
    // A caption has documents behind it.
    const bare = (el) =>
      small(el, 40) &&
      !el.matches("dt, th") &&
      !el.closest(place.TABLE + ", " + place.HEADING + ", label, option, select") &&
      labels.paper(place.said(el)) &&
      (rule.auto || !own(el)) &&
      lists(el) &&
      !met.some((item) => el.compareDocumentPosition(item) & 4) &&
      free(el);
    found.push(...(places.length ? all("*").filter((el) => !el.childElementCount && bare(el)) : []));
    return [...new Set(found.map((el) => place.labelOf(el) || String(place.target(el).pathname)))].slice(0, 8);
  };
  const unlisted = (met) => {
    const places = place.survey([]).filter((one) => one.documents && (!met.length || apart(one, met)));
    for (const one of zero ? [] : places) {
      const what = picture(one);
      if (what) return what + " stands under " + quoted(one.heads[0] ?? "") + ", and may be one";
    }
    const number = clipped(met);
    if (met.length) return hint() || (number ? "the page shows " + quoted(number) : "");
    if (number) return "the page shows " + quoted(number);
    if (pictured()) return "a picture in its comments may be one";
    const [link] = told([]);
    return link ? quoted(link) + " in its comments may be one" : hint();
  };

  // --- a number in an unknown language ---

  const bracketed = /^\P{N}*\p{L}\P{N}*?[([（［【]\s*(\d{1,3})\s*\p{L}{0,3}\s*[)\]）］】]$/u;
  const trailing = /^\P{N}*\p{L}\s+(\d{1,3})$/u;
  const range = /(\d{1,3})\s*[-–—〜～~]\s*(\d{1,3})/,
    part = /^\P{N}*?(\d{1,3})\s*(?:\/|\p{L}{1,6})\s*(\d{1,3})\P{N}*$/u;
  // numberOf returns the number that a heading or tab ends with, in brackets or in an element of its
  // own, or 0.
  const numberOf = (el, text) => {
    const m = text.match(bracketed) ?? (place.isTab(el) && text.match(trailing));
    if (m) return Number(m[1]);
    const badge = find(el, "*").find((one) => alone.test(place.said(one)) && text.endsWith(place.said(one)));
    return badge && /\p{L}/u.test(text) ? Number(place.said(badge).replace(/\D/g, "")) : 0;
  };
  // beside are the small texts around the items, and in none of their rows.
  const beside = (met) => {
    let around = met[0];
    while (around && !met.every((el) => contains(around, el))) around = up(around);
    if (around) around = up(around) ?? around;
    const rows = new Set(met.map((el) => place.climb(el, place.ROW)).filter(Boolean));
    return find(around, "*")
      .slice(0, 600)
      .filter((el) => small(el, 60) && !met.some((item) => contains(el, item) || contains(item, el)))
      .filter((el) => ![...rows].some((row) => contains(row, el)) && visible(el));
  };
  // greater returns a number of documents that is greater than that of the listed ones, or 0.
  const greater = (text, listed) => {
    const numbers = (text.match(/\d+/g) ?? []).map(Number),
      r = text.match(range),
      p = text.match(part);
    if (r && numbers.length === 3 && Number(r[1]) === 1 && Number(r[2]) === listed) return Math.max(...numbers);
    return p && numbers.length === 2 && Number(p[1]) === listed ? Number(p[2]) : 0;
  };
  const stranger = (met) => {
    const head = place.above(met[0])[0],
      heads = head ? [[head.el, place.headText(head.el)]] : [],
      panel = place.climb(met[0], "[role=tabpanel]");
    if (panel)
      for (const tab of all("[role=tab]").filter((el) => place.opens(el) === panel))
        heads.push([tab, place.labelOf(tab)]);
    for (const [el, text] of heads) {
      const count = text.length <= 60 ? numberOf(el, text) : 0;
      if (count > met.length && !place.outside(el)) return { count, text };
    }
    for (const el of beside(met)) {
      const text = place.said(el),
        count = greater(text, met.length);
      if (count > met.length && count < 1000) return { count, text };
    }
    return null;
  };
  return (met) => ({
    unlisted: rule.auto ? unlisted(met) : "",
    beside: met.length ? told(met) : [],
    stranger: met.length && counts ? stranger(met) : null,
  });
};
