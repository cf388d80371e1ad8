// identity.js is one function: whether a page is about the order.
//
// identity(found) returns {shown, seen, marks, others}. shown is "sure" where the page says
// that it is about the order, "mentioned" where its number merely stands somewhere, "other"
// where it says that it is about another one, and "" where it shows no number in the place
// for one. seen quotes what was found there; marks are the elements that show the number;
// list is set where the page lists orders, this one perhaps among them; titled where its
// title alone says which order it is about; apart where the other number is not said to be an order's; doubt
// where another order's number stands under a label that says as much as that of this one; and named where
// the number stands where the recipe says, under a label or in a heading, whatever else does.
(rule, page, number, lexicon) => {
  const { all, visible, textOf, numberText, title, lines, squeeze, target, here } = page;
  const quote = (texts) => squeeze(texts.filter(Boolean).join(", ")).slice(0, 80);
  const headings = () => {
    const [main, ...lower] = ["h1", "h2, [role=heading]", "h3", "h4", "h5"].map((level) => all(level).filter(visible));
    return main.length ? main : (lower.find((els) => els.length) || []).slice(0, 1);
  };

  // ours: a text that is to name the page's order names this one, and none before it. What names it
  // as what was copied or replaced does not, where another number is shown as the page's own.
  const ours = (text) => number.shows(text) && !number.leading(text) && !(number.refers(text) && owned(text));
  const another = (text) => number.alike(text) && !number.shows(text);
  const owned = (text) =>
    number.others(text) ||
    number.other(text) !== "" ||
    page.pairs().some(([name, value]) => (lexicon.orderLabel(name) || lexicon.is("number", name)) && another(value)) ||
    spoken().some(another) ||
    all("h1, h2, h3").some((el) => visible(el) && another(numberText(el)));

  // repeated: two elements stand in the same place of like rows.
  const repeated = (a, b) => {
    for (; a !== b; a = dom.up(a), b = dom.up(b)) {
      if (!a || !b || a.localName !== b.localName) return false;
    }
    return true;
  };
  // among reports whether the order is only one of several that are listed alike.
  const among = (own, others) =>
    own.length > 0 &&
    !headed() &&
    own.every((el) => el && others.filter((other) => other && other !== el && repeated(el, other)).length >= 2);
  const headed = () => headings().some((el) => ours(numberText(el)));
  // linked: the number is the text of a link to another page, far: at another path, that has it in its address.
  const linked = (el, far = false) => {
    const link =
      el && (dom.closest(el, "a[href]") ?? (dom.children(el).length === 1 ? dom.first(el, "a[href]") : null));
    if (!link || !ours(textOf(link))) return false;
    const { pathname, search, href } = target(link),
      plain = (url) =>
        String(url)
          .replace(far ? /[?#].*$/s : /#.*$/s, "")
          .replace(/\/$/, "");
    const last = [String(pathname).replace(/\/$/, "").replace(/^.*\//s, ""), ...new URLSearchParams(search).values()];
    return plain(href) !== plain(here()) && last.some(ours);
  };
  const answer = (shown, seen, marks = [], list = false) => ({ shown, seen: quote(seen), marks, list });

  const bySelector = () => {
    const met = all(rule.identity, rule.identityFrame),
      els = met.filter((el) => !dom.matches(el, "html, body, main")),
      seen = els.filter(visible);
    const looked = (seen.length ? seen : els).map((el) => ({ el, texts: [numberText(el), el.value || ""] }));
    const own = looked.filter(({ texts }) => texts.some(ours)).map(({ el }) => el);
    const others = looked.filter(({ el, texts }) => !own.includes(el) && texts.some(number.alike)).map(({ el }) => el);
    const texts = looked.flatMap(({ texts }) => texts[0] || texts[1]);
    if (own.length) {
      const listed = among(own, others) || (own.every((el) => linked(el, true)) && !headed() && !ours(title()));
      return listed ? answer("", texts.slice(0, 3), [], true) : answer("sure", texts.slice(0, 1), own);
    }
    const shown = texts.some((t) => (/\d{2}/.test(t) && number.holds(t)) || number.alike(t)) ? "other" : "";
    if (els.length ? !texts.some((t) => t.length > large) : !met.length) return answer(shown, texts.slice(0, 3));
    const numbers = (els.length ? texts : lines()).flatMap((t) => t.match(/\p{L}{0,5}[-#]?\d{3,}/gu) ?? []);
    return { ...answer(shown, [...new Set(numbers.filter(number.alike))].slice(0, 3)), wide: true };
  };
  const large = 200; // characters of a text that does more than name an order

  // spoken are the lines of the page that are a label and a number: "PO number: 1001".
  const spokenPairs = () =>
    lines()
      .map(
        (line) =>
          line.match(/^([^\d:#]{1,40}?)\s*[:#]\s*(\S.{0,60})$/u) ||
          line.match(/^(\D{1,40}?)\s+([\p{L}]{0,5}[-# ]?\d[\p{L}\d-]*)$/u),
      )
      .filter((m) => m && lexicon.orderLabel(m[1]) && number.holds(m[2]))
      .map((m) => [m[1], m[2]]);
  const spoken = () => spokenPairs().map(([, value]) => value);

  // What is typed into a search says what somebody looked for, and what stands under
  // "recently viewed" what somebody looked at.
  const searching =
    /search|find|look ?up|suche|recherch|chercher|buscar|b[uú]squeda|cerca|ricerca|pesquis|procurar|zoek|szukaj|wyszuk/i;
  const results =
    /^(search results?|results?|suchergebnis\w*|ergebnis\w*|treffer|r[eé]sultats?|resultados?|risultat[io]|(zoek)?resultaten|wyniki)(?![\p{L}\d])/iu;
  const recent =
      /recent|viewed|related|similar|zuletzt|verwandt|[aä]hnlich|r[eé]cent|li[eé]e?s\b|recien|relacionad|correlat|gerelateerd|ostatnio|powi[aą]zan/i,
    past = /history|verlauf|historique|historial|cronologia|hist[oó]rico|geschiedenis|historia/i;
  const typed = (el) => {
    if (!/^(input|textarea)$/.test(el.localName) || el.readOnly || el.disabled) return false;
    if (
      el.type === "search" ||
      dom.closest(el, "[role=search]") ||
      [title(), ...headings().map(textOf)].some((text) => searching.test(text) || results.test(text))
    )
      return true;
    const form = dom.closest(el, "form");
    return (
      !!form &&
      [...dom.all(form, "button, input[type=submit], input[type=button]")].some((control) =>
        searching.test(textOf(control)),
      )
    );
  };
  // headOf is what the part of the page that an element stands in is called.
  const headOf = (el) => {
    const part = dom.closest(el, "aside, section, article, nav, [role=region], [role=complementary]");
    const head = part && dom.first(part, "h1, h2, h3, h4, h5, h6, [role=heading]");
    return part ? (dom.attr(part, "aria-label") || "") + " " + (head ? dom.text(head) : "") : "";
  };
  const beside = (el) => [recent, past].some((words) => words.test(headOf(el)));
  // elsewhere is what the part is called that an element stands in, where that shows other orders.
  const elsewhere = (el) => (recent.test(headOf(el)) ? squeeze(headOf(el)) : "");
  // told is the text of an element, and the same with its parts kept from each other: a number and the word behind
  // it may be two.
  const told = (el) => {
    const parts = (at) =>
      [...at.childNodes].map((node) => (node.nodeType === 3 ? node.data : node.nodeType === 1 ? parts(node) : ""));
    return [numberText(el), dom.text(el), parts(el).flat(Infinity).join(" ")];
  };
  // asked: it is a part of a search or filter, in whose form no order is shown.
  const filtering = /filt/i;
  const asked = (el) => {
    if (!/^(input|textarea|select)$/.test(el.localName)) return false;
    if (el.type === "search" || dom.closest(el, "[role=search], search")) return true;
    const form = dom.closest(el, "form");
    return (
      !!form &&
      !told(form).some(number.shows) &&
      [...dom.all(form, "button:not([type=button]), input[type=submit]")].some((control) =>
        [searching, filtering].some((words) => words.test(textOf(control))),
      )
    );
  };
  // elses: a part of the page around it has a heading that names another order, and not this one.
  const elses = (el) => {
    for (let at = dom.up(el); at && at.localName !== "body"; at = dom.up(at)) {
      const said = [...dom.all(at, ":scope > :is(h1, h2, h3, h4, h5, h6, header, legend, caption, summary)")];
      const heads = said.filter((head) => told(head).some(number.alike));
      if (heads.length) return !heads.some((head) => told(head).some(number.shows));
    }
    return false;
  };
  // theirs tells of an element which other order's number the part of the page around it shows in the place for
  // this one's, where the page shows several orders in parts of their own; else "". alike: only parts like this
  // order's.
  const theirs = (alike) => {
    const lead = (rule.po.match(/^\p{L}+(?=\d)/u) || [""])[0].toUpperCase();
    const numbered = (text) =>
      text.length <= large &&
      (number.shows(text) || number.alike(text) || (lead && new RegExp("(?<!\\p{L})" + lead + "\\d", "iu").test(text)));
    const places = (rule.identity ? all(rule.identity, rule.identityFrame).filter(visible) : headings())
      .map((el) => ({ el, text: textOf(el) }))
      .filter(({ text }) => numbered(text));
    const own = places.filter(({ text }) => number.shows(text));
    const others = places.filter(
      (place) => !own.includes(place) && (!alike || own.some(({ el }) => repeated(el, place.el))),
    );
    if (!own.length || !others.length) return () => "";
    return (el) => {
      for (let at = dom.up(el); at && at.localName !== "body"; at = dom.up(at)) {
        if (own.some((place) => at.contains(place.el))) return "";
        const told = others.filter(
          (place) => at.contains(place.el) && !el.contains(place.el) && !place.el.contains(el),
        );
        if (told.length) return dom.matches(at, "tr, td, dl, dd, p") ? "" : quote(told.map(({ text }) => text));
      }
      return "";
    };
  };
  // astray: what stands there is not of the order that the page shows.
  const astray = (el) => asked(el) || beside(el) || elses(el);
  // ofOtherKind: the number in a text is said to be that of something else, such as an invoice.
  const ofOtherKind = (text) => lexicon.says("otherKind", text) && !lexicon.says("order", text);
  const says = (el) => !el || (!typed(el) && !beside(el));

  // rival returns what shows that the page is another order's, or may be: its number, made as this one is, stands
  // under a label that says more than that of this one, or as much, and neither heading nor title name this one.
  const reference =
    /(?<!\p{L})(?:ref|reference|réf|référence|referenz|referencia|riferimento|referência|referentie)(?!\p{L})/iu;
  const rival = (own, named) => {
    // What is only referred to is not the page's order where a heading, or the title, names another one.
    const titled = [...headings().map(numberText), title()].filter(
      (text) => another(text) || (!number.shows(text) && number.other(text) !== ""),
    );
    if (titled.length && !headed() && own.every(([name]) => reference.test(name)))
      return { ...answer("other", [titled[0], own[0].slice(0, 2).join(" ")]), labelled: true };
    const letters = (value) => /^[^\p{L}\d]*\p{L}/u.test(value),
      others = named.filter(([, value]) => own.some(([, mine]) => letters(mine) === letters(value)));
    if (!others.length || headed() || ours(title())) return null;
    const rank = (pairs) => Math.min(...pairs.map(([name]) => (reference.test(name) ? 1 : 0))),
      [mine, theirs] = [rank(own), rank(others)];
    const told = [...others.slice(0, 2), own[0]].map(([name, value]) => name + " " + value);
    if (theirs > mine) return null;
    return theirs < mine ? { ...answer("other", told), labelled: true } : { ...answer("mentioned", told), doubt: true };
  };
  const byItself = (found) => {
    const labels = found.filter(
      ([name, value, el]) => lexicon.orderLabel(name) && (number.holds(value) || number.shows(value)) && says(el),
    );
    const seen = labels.filter(([, , el]) => el),
      named = seen.length ? seen : labels;
    const mine = named.filter(([, value]) => ours(value)),
      own = mine.map(([, , el]) => el);
    const others = named.filter(([, value]) => !ours(value) && number.alike(value));
    if (own.length) {
      const rest = others.map(([, , el]) => el),
        listed = among(own, rest) || (own.every((el) => linked(el)) && !headed() && !ours(title()));
      const told = named.slice(0, 3).map(([, value]) => value);
      return listed
        ? answer("", told, [], true)
        : (rival(mine, others) ?? answer("sure", told.slice(0, 1), own.filter(Boolean)));
    }
    if (others.length) {
      const told = others.map(([name, value]) => name + " " + value);
      return { ...answer("other", told, [], others.length >= 3 && !headed()), labelled: true };
    }
    const heads = headings().filter((el) => number.holds(numberText(el)) && !results.test(textOf(el)));
    if (heads.length) {
      const own = heads.filter((el) => ours(numberText(el)));
      const texts = heads.map(numberText);
      return own.length
        ? answer("sure", [numberText(own[0])], own)
        : { ...answer("other", texts), apart: texts.every(ofOtherKind) };
    }
    if (number.holds(title()))
      return { ...answer(ours(title()) ? "sure" : "other", [title()]), titled: true, apart: ofOtherKind(title()) };
    const said = spoken();
    if (new Set(said).size >= 3) return answer("", said.slice(0, 3), [], true);
    if (said.length) {
      const pairs = spokenPairs(),
        [these, others] = [ours, another].map((is) => pairs.filter(([, value]) => is(value)));
      if (!these.length) return answer("other", said.slice(0, 3));
      return rival(these, others) ?? answer("sure", said.slice(0, 3));
    }
    const text = lines().join(" ");
    return answer(
      named.length ? "other" : number.shows(text) ? "mentioned" : "",
      named.map(([name, value]) => name + " " + value),
    );
  };

  // byRow: of the orders that the page lists, one is this one.
  const byRow = () => {
    const { rows, hits, numbers } = page.listed(),
      texts = (hits.length ? hits : rows).flatMap(numbers).filter(Boolean);
    if (hits.length === 1) return answer("sure", texts.slice(0, 1), hits);
    return answer(hits.length ? "several" : "", texts.slice(0, 3));
  };

  // joint: what names the order names another one beside it, and no line names this one alone.
  const joint = ({ shown, seen, marks }) => {
    if (shown !== "sure") return false;
    const texts = marks.length ? marks.flatMap((el) => [numberText(el), el.value || ""]).filter(number.shows) : [seen];
    return texts.every(number.together) && !spoken().some((line) => ours(line) && !number.together(line));
  };
  const identity = (found) => {
    if (rule.list) return byRow();
    const said = rule.identity ? bySelector() : byItself(found);
    if (joint(said)) return { ...said, shown: "mentioned", doubt: true, named: true };
    const alone = !rule.identity && !said.list && !said.labelled && (headed() || spoken().some(ours));
    return { ...said, named: said.shown === "sure" || !!said.doubt || alone };
  };
  return { identity, astray, theirs, elsewhere, headings, quote, spoken: () => spoken().some(ours) };
};
