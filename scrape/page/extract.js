// extract.js is one function: what is read off a document, by the rule that it
// is given. The document is a page, or one that was only parsed; eyes know how to
// look at it. It changes nothing in it.
//
//   eyes.visible(el)   whether a person sees it
//   eyes.shown(el)     its text as a person sees it, lines kept, or undefined
//   eyes.target(a)     where a link leads: href, protocol, pathname, search, hash
//   eyes.resolve(el, href)  the same for an address that an element has, as a URL
//   eyes.address(doc)  where a document comes from
//   eyes.used(el)      whether it was clicked to show more; nothing was where there is none
//   eyes.flat          it has neither shadow roots nor frames that can be looked into
//
// It is made of the parts that the other files hold.
(parts) =>
  (rule, doc, { visible, shown, target, resolve, address, flat, used = () => false }) => {
    // A form or picture that is named "title" or "body" hides the document's own.
    const property = (doc, name) => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(doc);
    const query = (root, selector) =>
      (root.nodeType === 9 ? Document : DocumentFragment).prototype.querySelectorAll.call(root, selector);

    // --- finding things, in open shadow roots and frames of the same origin ---

    let known = null; // while nothing can change the document
    let orders = null; // what it lists of them, for as long
    let said = null; // what it says of its loading, for as long
    let read = null; // the texts of its elements, for as long
    // roots are all of the document, or of the frames that a selector meets.
    const roots = (frame) => (frame ? framed(frame) : known || walk(doc));
    const walk = (doc) => {
      if (flat) return [doc];
      const found = [];
      const visit = (root) => {
        found.push(root);
        const frames = new Set(query(root, "iframe, frame"));
        for (const el of query(root, "*")) {
          if (dom.shadow(el)) visit(dom.shadow(el));
          if (frames.has(el) && el.contentDocument) visit(el.contentDocument);
        }
      };
      visit(doc);
      return found;
    };
    const framed = (selector) => all(selector).flatMap((el) => (el.contentDocument ? walk(el.contentDocument) : []));
    // still looks at a document that does not change in the meantime: look is no
    // async function.
    const still = (look) => {
      const outer = known;
      known = outer || walk(doc);
      if (!outer) {
        said = null;
        orders = null;
        read = new Map();
      }
      try {
        return look();
      } finally {
        known = outer;
        if (!outer) read = null;
      }
    };
    // checked runs a query of the recipe; a selector that is none is named.
    const checked = (selector, run) => {
      try {
        return run();
      } catch (error) {
        throw error.name === "SyntaxError" ? Object.assign(error, { badSelector: selector }) : error;
      }
    };
    const all = (selector, frame) =>
      checked(selector, () => roots(frame).flatMap((root) => [...query(root, selector)]));
    const anyVisible = (selector, frame) => all(selector, frame).some(visible);

    // --- the order's row, where its page is a list of orders ---

    let row = null; // the one met last
    // listed returns the rows of the list, those of them that show the order's number, and what
    // the first of them show in the place for one.
    const listed = () => {
      if (!known) return list();
      return (orders ??= list());
    };
    const list = () => {
      const met = all(rule.list.row, rule.list.frame),
        seen = met.filter(visible),
        rows = seen.length ? seen : met, // a row may have no box of its own
        numbers = (el) =>
          inPlace(
            checked(rule.list.number, () => [
              ...(dom.matches(el, rule.list.number) ? [el] : []),
              ...Element.prototype.querySelectorAll.call(el, rule.list.number),
            ]).map((cell) => valueOf(cell, rule.list.attr)),
          ),
        { dated } = rule.list,
        names = (el) => areOurs(numbers(el)),
        // What row itself meets, with a text that has a digit in the one place for a number, is another order's.
        another = (el, texts) => texts.length === 1 && /\d/.test(texts[0]) && dom.matches(el, rule.list.row),
        numbered = (el) => {
          const texts = numbers(el),
            told = (text) => (dated ? text : number.holds(text) || number.resembles(text));
          return texts.some(told) || another(el, texts);
        };
      const hits = rows.filter(names);
      // A hidden row of the number that says the same is the same row once more, as for small screens.
      const hidden = seen.length && hits.length === 1 ? met.filter((el) => !visible(el) && names(el)) : [];
      return { rows, hits: [...hits, ...hidden.filter((el) => differs(el, hits[0]))], numbers, numbered };
    };
    // inPlace returns what counts of the texts that stand in the place for a number.
    const inPlace = (texts) =>
      texts
        .map((text) => part(squeeze(String(text ?? "")), rule.list.match))
        .filter((text) => text || !rule.list.match);
    // areOurs reports whether what shows these texts there is the order.
    const areOurs = (texts) => {
      const { dated } = rule.list,
        ours = (text) =>
          dated
            ? dated.includes(text.normalize("NFC").toLowerCase())
            : number.begins(text) && !lexicon.says("notFound", text),
        told = texts.filter((text) => (dated ? text : number.shows(text) || number.alike(text)));
      return told.length > 0 && told.every(ours);
    };
    // inData says which elements of a list in data are the order, by the texts that each shows in the
    // place for a number; how many have one; and what these are, or the first of them.
    const inData = (elements) => {
      const told = elements.map(inPlace),
        hits = [...told.keys()].filter((i) => areOurs(told[i]));
      return {
        hits,
        numbered: told.filter((texts) => texts.some(Boolean)).length,
        numbers: (hits.length ? hits.map((i) => told[i]) : told).flat().filter(Boolean).slice(0, 3),
      };
    };
    // differs: a row has a number or an address that another one has not.
    const differs = (row, other) => {
      const told = (el) => {
        const found = [...Element.prototype.querySelectorAll.call(el, "a[href]")].map((a) => dom.attr(a, "href"));
        const texts = doc.createTreeWalker(el, 4);
        for (let node; (node = texts.nextNode()); ) found.push(...(node.data.match(/\d+/g) || []));
        return found;
      };
      const known = new Set(told(other));
      return told(row).some((text) => !known.has(text));
    };
    const locate = () => {
      const { hits } = listed();
      row = hits.length === 1 ? hits[0] : null;
      return row;
    };
    // inRow reports whether an element is in the order's row, or there is no list.
    const inRow = (el) => {
      for (; rule.list && el !== row; el = dom.up(el) || el.getRootNode().host) if (!el) return false;
      return true;
    };
    // below returns by what the order's row may go on in the rows under it, which show no number of
    // their own: a cell that spans them, something to open there, or controls.
    const below = (left) => {
      if (!row) return "";
      const within = (el, selector) => [...Element.prototype.querySelectorAll.call(el, selector)];
      const spans = within(row, "[rowspan]").some((cell) => cell.rowSpan > 1 && dom.closest(cell, "tr") === row);
      if (spans) return "a cell that spans several rows";
      const menu = "[aria-haspopup]:not([aria-haspopup=false])",
        closed = within(row, "[aria-expanded=false][aria-controls]").find((el) => !dom.matches(el, menu));
      if (closed && !left(closed)) return squeeze(dom.text(closed)) || "a control that is not opened";
      const { numbered } = listed();
      const { item, frame } = rule.attachments || {},
        items = item ? all(item, frame) : [];
      for (let next = row.nextElementSibling; next && !numbered(next); next = next.nextElementSibling) {
        if (items.some((el) => next.contains(el) && !left(el)))
          return squeeze(dom.text(next)).slice(0, 80) || "the row below";
      }
      return "";
    };
    const own = (selector, frame) => {
      if (!rule.list) return all(selector, frame);
      return locate() ? all(selector, frame).filter(inRow) : [];
    };
    // part returns what a pattern finds in a text, its first group or all of it, or "".
    const part = (text, pattern) => {
      if (!pattern) return text;
      const m = text.slice(0, 2000).match(new RegExp(pattern, "u"));
      return m ? squeeze(m.length > 1 ? m[1] : m[0]) : "";
    };
    const squeeze = (text) =>
      (text || "")
        .replace(/[\u200b-\u200d\u2060]/g, "")
        .replace(/\s+/g, " ")
        .trim();
    // An option whose value is empty says what may be chosen ("Please select").
    const chosen = (select) => [...select.selectedOptions].filter((o) => dom.attr(o, "value") !== "");
    // unticked: it holds something only once it is ticked.
    const unticked = (el) => /^(checkbox|radio)$/.test(el.type) && el.localName === "input" && !el.checked;
    const textOf = (el) => {
      if (!read || !el) return readText(el);
      if (!read.has(el)) read.set(el, readText(el));
      return read.get(el);
    };
    const readText = (el) => {
      if (!el || unticked(el)) return "";
      if (el.localName === "select")
        return squeeze(
          chosen(el)
            .map((o) => dom.text(o))
            .join(", "),
        );
      if (/^(input|textarea)$/.test(el.localName)) return el.value || "";
      return squeeze((visible(el) ? shown(el) : undefined) ?? dom.text(el));
    };

    // numberText is an element's text for whoever looks for numbers in it. A badge or button right behind a number
    // is set off, as its margin sets it off for people: it makes no longer number. What may be a part of one, a
    // digit or a letter or two, is not.
    const numberText = (el) => {
      const text = textOf(el);
      if (!/\d\p{L}{3}/u.test(text) || text.length > 2000) return text;
      const begins = [];
      for (const one of [el, ...dom.all(el, "*")])
        for (const node of one.childNodes) if (node.nodeType === 3) begins.push(squeeze(node.data));
      const words = begins.map((said) => (said.match(/^\p{L}{3,}/u) || [])[0]).filter(Boolean);
      return text.replace(/(\d)(\p{L}{3,})/gu, (both, digit, after) =>
        words.some((word) => after.startsWith(word)) ? digit + " " + after : both,
      );
    };

    // --- readiness ---

    // notReady says which part of the ready rule is not met, "loading" where the page itself
    // says that it is not, or "". In brief, what the page says is not read.
    const notReady = (brief) => {
      const { gone, frame, apart } = rule.ready;
      if (!apart && absent()) return "selector";
      if (gone) return anyVisible(gone, frame) ? "gone" : "";
      return !brief && stillLoading() ? "loading" : "";
    };

    // unready: what is not waited for is not there.
    const unready = () => !!rule.ready.apart && absent();

    // absent: the selector meets nothing, or nothing that says something where it has to. A dash, the
    // place of a value, or a label without one is no value, and what is loading will be another one.
    const absent = () => {
      const { selector, frame, told } = rule.ready;
      if (!selector) return false;
      const met = all(selector, frame);
      if (!told) return met.length === 0;
      const texts = met.filter(visible).map(textOf);
      return !texts.some(tells) || texts.some((text) => blank.test(text) || lexicon.loading(text));
    };
    const blank = /\{\{.*?\}\}|\$\{.*?\}|<%|\[object \w+\]/;
    const nothing = /^(?:undefined|null|nan|n\/?a)$/i;
    const tells = (text) => {
      const value = squeeze(text).replace(/^[^:]{1,40}:(?!\S)/u, "");
      return /[\p{L}\p{N}]/u.test(value) && !nothing.test(squeeze(value));
    };

    const stillLoading = () => still(() => (said ??= rule.ready.gone ? "" : loading()));

    // --- texts ---

    const textLines = () =>
      roots()
        .flatMap((root) => ((root.nodeType !== 9 ? dom.text(root) : shown(property(root, "body"))) || "").split("\n"))
        .map(squeeze)
        .filter(Boolean);
    const pageText = () => textLines().join(" ");
    // marked returns which text of a marker the page shows, or "".
    const marked = (marker) => {
      const words = (marker.text || []).map(squeeze).filter(Boolean);
      if (!words.length) return "";
      const lower = pageText().toLowerCase();
      return words.find((t) => lower.includes(t.toLowerCase())) || "";
    };
    const title = () => squeeze(String(property(doc, "title")));

    // --- the parts ---

    const section = "section, article, main, form, [role=region], [role=main], [role=tabpanel], body";
    const around = (el) => dom.closest(el, section) || el;
    // place are the parts of the page that documents are in.
    const place = () => {
      const own = rule.attachments
        ? [...items(), ...(rule.attachments.none ? all(rule.attachments.none, rule.attachments.frame) : [])]
        : items();
      if (own.length) return [...new Set(own.map(around))];
      const named = all("h1, h2, h3, h4, h5, h6, legend, summary, [role=heading], [role=tab]").filter(
        (el) => visible(el) && lexicon.is("documentHeading", textOf(el).replace(/[\s([]*\d*[)\]:\s]*$/, "")),
      );
      return [...new Set(named.map(around))];
    };
    const numberPart = () => {
      const marks = still(() => identity(labels())).marks;
      return [...new Set(marks.length ? marks.map(around) : [property(doc, "body")])].filter(Boolean);
    };
    const lexicon = (parts.known ??= parts.lexicon(parts.words));
    const number = parts.number(rule, lexicon);
    const page = {
      all,
      roots: () => roots(),
      visible,
      textOf,
      numberText,
      title,
      address: () => String(property(doc, "URL")),
      here: () => address(doc),
      target,
      lines: textLines,
      marked,
      squeeze,
      place,
      numberPart,
      whole: !!rule.attachments?.whole,
      items: () => items(),
      lacking: (line) => parts.said.none(line) || markers().some((el) => linesOf(el).includes(line)),
      pairs: () => pairs(),
      told: (is) => !rule.auto && (lines().length > 0 || Object.values(ruledFields().fields).some((v) => v && is(v))),
      listed,
    };
    const held = parts.held(page);
    const drawn = parts.drawn({ visible, flat });
    const about = parts.identity(rule, page, number, lexicon);
    const { identity, astray } = about;
    const { hollow } = parts.substance(rule, page, number, lexicon);
    const shownOf = parts.shown(rule, {
      hashes: (parts.hashes ??= new Map()),
      roots: () => roots(),
      all,
      body: (root) => (root.nodeType === 9 ? property(root, "body") : null),
      visible,
      squeeze,
      numbers: (text) => number.shows(text) || number.alike(text),
      target,
      address,
    });
    const { refusal } = parts.refusal(rule, { ...page, hollow }, about, number, lexicon);
    const { loading, broken } = parts.loading({ ...page, quote: about.quote }, lexicon);

    // --- fields ---

    const pairs = () => {
      const found = [];
      const add = (label, el) => {
        const name = squeeze(label)
          .replace(/[:*]+$/, "")
          .trim();
        if (name && name.length <= 60 && el) found.push([name, held(el), el]);
      };
      for (const dt of all("dl > dt, dl > div > dt").filter(visible)) {
        const dd = dt.nextElementSibling;
        if (dd && dd.localName === "dd") add(shown(dt), dd);
      }
      for (const table of all("table").filter(visible)) {
        const rows = [...table.rows].slice(0, 500);
        const two = rows.every((row) => row.cells.length === 2);
        for (const row of rows) {
          if (two && row.cells[1].localName === "td" && !dom.closest(row, "thead"))
            add(shown(row.cells[0]), row.cells[1]);
          if (!two) for (const [label, value] of colonPairs([...row.cells])) add(label, value);
        }
      }
      for (const label of all("label").filter(visible)) {
        if (label.control && label.control.type !== "password") add(shown(label), label.control);
        else if (!label.control && label.nextElementSibling) add(shown(label), label.nextElementSibling);
      }
      for (const el of all(".label, .field-label, [class$='__label']").filter(visible)) {
        if (el.nextElementSibling && el.localName !== "label" && dom.children(el.parentNode).length === 2)
          add(shown(el), el.nextElementSibling);
      }
      for (const el of all("[itemprop]")) {
        if (dom.has(el, "content")) found.push([dom.attr(el, "itemprop"), dom.attr(el, "content")]);
        else add(dom.attr(el, "itemprop"), el);
      }
      return found.concat(linkedData());
    };
    // colonPairs are the labels and values of a row with several of them: "Supplier:", perhaps an empty cell, "ACME".
    const colonPairs = (cells) => {
      const label = (cell) => dom.text(cell).length <= 200 && /\S\s*[:：]$/.test(shown(cell).trim());
      const empty = (cell) => !squeeze(dom.text(cell)) && !dom.first(cell, "input, select, textarea, img");
      return cells.flatMap((cell, i) => {
        if (!label(cell)) return [];
        const value = cells[cells[i + 1] && empty(cells[i + 1]) ? i + 2 : i + 1];
        const fits = value && value.localName === "td" && dom.text(value).length <= 500 && !label(value);
        return fits && !dom.first(value, "th") ? [[shown(cell), value]] : [];
      });
    };
    const linkedData = () => {
      const found = [];
      for (const script of all('script[type="application/ld+json"]')) {
        let data;
        try {
          data = JSON.parse(dom.text(script));
        } catch {
          continue;
        }
        const visit = (value, name, depth) => {
          if (value === null || depth > 4 || found.length > 100) return;
          if (typeof value === "object") {
            for (const [key, inner] of Object.entries(value))
              if (!key.startsWith("@"))
                visit(inner, Array.isArray(value) ? name : name ? name + " " + key : key, depth + 1);
          } else if (name) found.push([name.replace(/([a-z])([A-Z])/g, "$1 $2"), squeeze(String(value))]);
        };
        visit(data, "", 0);
      }
      return found;
    };
    const slug = (name) =>
      name
        .normalize("NFKD")
        .replace(/[\u0300-\u036f]/g, "")
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, "_")
        .replace(/^_+|_+$/g, "");
    const autoFields = (found) => {
      const fields = {};
      for (const [name, value] of found) {
        const id = slug(name);
        if (id && !(id in fields) && value.length <= 2000 && Object.keys(fields).length < 200) fields[id] = value;
      }
      return fields;
    };
    const valueOf = (el, attr) => {
      if (!attr) return held(el);
      return attr === "value" ? (el.value ?? dom.attr(el, "value")) : dom.attr(el, attr);
    };
    // What is longer than a value can be is cut; whoever takes it sees that by its length.
    const cut = (text) => (text.length > rule.longest ? text.slice(0, rule.longest + 1) : text);
    const wholePage = "html, body, main"; // these hold values, and are none
    // ruledFields returns the fields, and the names of those for which several visible elements
    // with different texts were met. The first is taken.
    // What is yet to be matched is returned as all the texts that there are. differ are the texts of
    // fields whose locators find different ones: then none of them is taken.
    let anothers = () => ""; // what says that an element is in another order's part of the page
    const ruledFields = () => {
      const fields = {},
        texts = {},
        differ = {},
        ambiguous = [];
      if (rule.list) locate();
      anothers = rule.list ? () => "" : about.theirs(true);
      for (const f of rule.fields) {
        const ways = [f, ...f.also.map((also) => ({ ...f, label: "", ...also }))].map(valuesOf);
        // Where several elements match, visible ones win over hidden ones.
        const { values, firm, bare } = ways.find((way) => way.values.some((value) => value !== undefined)) || ways[0];
        if (f.match)
          texts[f.name] = [...new Set(ways.flatMap((way) => way.values).filter((value) => value !== undefined))]
            .slice(0, 500)
            .map(cut);
        if (f.match || !values.length || values[0] === undefined) continue;
        const told = ways.filter((way) => way.texts.size === 1),
          said = new Set(told.flatMap((way) => [...way.texts]));
        const odds =
          said.size > 1 || (said.size === 1 && ways.some((way) => way.texts.size > 1 && !way.texts.has([...said][0])));
        if (f.also.length && odds) {
          differ[f.name] = [...new Set(ways.flatMap((way) => [...way.texts]))].slice(0, 3).map(cut);
          continue;
        }
        fields[f.name] = cut(f.also.length && said.size ? [...said][0] : values[0]);
        const several = bare || values.some((value) => (value ?? values[0]) !== values[0]);
        if (firm && !(f.also.length && said.size) && several) ambiguous.push(f.name);
      }
      return { fields, texts, differ, ambiguous };
    };
    const valuesOf = (f) => {
      const els = f.label ? labelled(f.label, f.frame, f.under) : selected(f),
        seen = els.filter((one) => one.seen),
        told = (seen.length ? seen : els).map((one) => (f.lined && one.el ? linesOf(one.el) : drawnToo(f, one))),
        values = f.part ? told.map((text) => part(text ?? "", f.part) || undefined) : told;
      return {
        values,
        texts: new Set(values.filter((value) => value !== undefined)),
        firm: seen.length > 0 || f.label !== "",
        bare: els.some((one) => one.bare || unlike(f, one)),
      };
    };
    // drawnToo is a value, with what its text does not tell of what people see, or tells otherwise: then an
    // amount or a date cannot be read.
    const drawnToo = (f, { el, value }) => {
      if (!f.exact || f.attr || !el || !value) return value;
      const found = [...drawn.added(el), ...drawn.other(el)];
      return found.length ? value + " (" + found.join(", ") + ")" : value;
    };
    // unlike: people see other digits than the text has, or in another order.
    const unlike = (f, { el, seen, value }) =>
      !f.exact &&
      !f.attr &&
      !!el &&
      seen &&
      /\d/.test(value || "") &&
      value.length <= 200 &&
      drawn.other(el).length > 0;
    // linesOf is a text with the lines that its markup has it in.
    const breaks = /^(address|br|d[dlt]|div|h[1-6]|li|[ou]l|p|section|t[dhr]|table)$/;
    const linesOf = (el) => {
      if (dom.matches(el, "input, select, textarea")) return held(el);
      const shows = visible(el),
        walk = (node) =>
          [...node.childNodes]
            .map((child) => {
              if (child.nodeType === 3) return child.data.replace(/\s+/g, " ");
              if (child.nodeType !== 1 || dom.matches(child, "script, style, template")) return "";
              const ends = breaks.test(child.localName) ? "\n" : "";
              return ends + (shows && !visible(child) && child.localName !== "br" ? "" : walk(child)) + ends;
            })
            .join("");
      return walk(el).split("\n").map(squeeze).filter(Boolean).join("\n");
    };
    const selected = (f) =>
      own(f.selector, f.frame)
        .filter(
          (el) =>
            (f.attr || !dom.matches(el, wholePage)) &&
            !(f.attr === "value" && unticked(el)) &&
            !kept(el) &&
            !anothers(el),
        )
        .map((el) => {
          const value = valueOf(el, f.attr) ?? undefined;
          return { el, value: value && (f.attr ? String(value) : squeeze(String(value))), seen: visible(el) };
        });
    const names = rule.fields.map((f) => f.label).filter(Boolean);
    const { labelled, heading, norm, textsOf } = parts.labelled(
      { roots, query, visible, textOf, held, squeeze },
      names,
      (el) => !inRow(el) || astray(el) || kept(el) || !!anothers(el),
      () => rule.list && row,
    );
    // labels are what an order's number may be read by where the recipe does not say.
    const labels = () => (rule.auto || !(rule.identity || rule.list) ? pairs() : []);

    const lines = () => {
      if (!rule.lines) return [];
      const rows = own(rule.lines.row, rule.lines.frame),
        seen = rows.filter(visible);
      return (seen.length ? seen : rows).map((row) => {
        const line = {};
        for (const c of rule.lines.columns) {
          line[c.name] = cut(held(checked(c.selector, () => dom.first(row, c.selector))));
        }
        return line;
      });
    };

    // --- documents ---

    const listing = parts.listing(
      parts,
      rule,
      {
        visible,
        shown,
        target,
        address,
        used,
        edge: () => row,
        below,
        marks: () => still(() => identity(labels())).marks,
      },
      {
        all: own,
        everywhere: all,
        checked,
        textOf,
        numberText,
        part,
        shows: number.shows,
        numbers: (text) => number.holds(text) || number.alike(text),
        alike: number.alike,
        elsewhere: about.elsewhere,
      },
    );
    const { items, describe, press, expanders, second, turners, usable, further, inItem, related, kept, ruledName } =
      listing;

    // A marker says one thing. Where its elements differ in many texts, the selector is too
    // broad to say anything; and "No comments yet" says nothing of documents.
    const markers = () => {
      const docs = rule.attachments;
      if (!docs || !docs.none) return [];
      const strange = rule.list ? () => "" : about.theirs();
      return own(docs.none, docs.frame).filter((el) => visible(el) && !strange(el));
    };
    const vague = (found) => {
      const texts = [...new Set(found.slice(0, 50).map((el) => squeeze(dom.text(el))))];
      return texts.length > 3 || (texts.length > 0 && texts.every((text) => parts.said.elses(text)));
    };
    const none = () => {
      const found = markers();
      return found.length > 0 && !vague(found);
    };

    // sources lists where the document's scripts and frames come from, without queries.
    const sources = () =>
      [
        ...new Set(
          all("script[src], iframe, frame, object, embed").map((el) => {
            const from = dom.attr(el, "src") || dom.attr(el, "data");
            try {
              return el.localName + " " + (from ? resolve(el, from).host + resolve(el, from).pathname : "");
            } catch {
              return el.localName + " " + from;
            }
          }),
        ),
      ].sort();

    // opaque reports whether it has a frame that cannot be looked into although it comes from the
    // document's own host, or has no address.
    const opaque = () =>
      !flat &&
      all("iframe, frame").some((el) => {
        if (el.contentDocument) return false;
        try {
          const { host } = resolve(el, dom.attr(el, "src") || "about:blank");
          return dom.has(el, "srcdoc") || !host || host === document.location.host;
        } catch {
          return true;
        }
      });

    // met says which elements each selector of the recipe meets.
    const met = (list) => {
      const found = [];
      const look = (where, selector, frame, met = all) => {
        if (selector) found.push({ where, els: met(selector, frame) });
      };
      look("ready.selector", rule.ready.selector, rule.ready.frame);
      look("ready.gone", rule.ready.gone, rule.ready.frame);
      look("ready.frame", rule.ready.frame);
      look("identity.selector", rule.identity, rule.identityFrame);
      look("identity.frame", rule.identityFrame);
      look("not_found.selector", rule.notFound.selector);
      look("access_denied.selector", rule.accessDenied.selector);
      look("throttled.selector", rule.throttled.selector);
      look("login.expired.selector", rule.expired.selector);
      rule.walls.forEach((wall, i) => {
        look(`walls[${i}].selector`, wall.selector);
      });
      // inside are the elements that a selector meets first in each of the others.
      const inside = (list, selector) =>
        checked(selector, () => list.map((el) => Element.prototype.querySelector.call(el, selector)).filter(Boolean));
      if (rule.list && !rule.list.data) {
        const { rows, numbers } = listed();
        found.push({ where: "list.row", els: rows });
        found.push({ where: "list.number", els: rows.filter((el) => numbers(el).length) });
        look("list.next", rule.list.next, rule.list.frame);
        look("list.frame", rule.list.frame);
        locate();
      }
      for (const f of rule.fields) {
        const where = "fields." + f.name + ".selector";
        if (f.label) found.push({ where, els: labelled(f.label, f.frame, f.under).map((one) => one.el || one.at) });
        if (f.selector) found.push({ where, els: own(f.selector, f.frame).filter((el) => !kept(el)) });
        for (const [i, also] of f.also.entries())
          found.push({
            where: "fields." + f.name + ".also[" + i + "]",
            els: own(also.selector, f.frame).filter(
              (el) => !kept(el) && (!also.part || part(held(el) ?? "", also.part)),
            ),
          });
        look("fields." + f.name + ".frame", f.frame);
      }
      if (rule.lines) {
        look("lines.row", rule.lines.row, rule.lines.frame, own);
        look("lines.frame", rule.lines.frame);
        const rows = own(rule.lines.row, rule.lines.frame);
        for (const c of rows.length ? rule.lines.columns : [])
          found.push({ where: "lines.columns." + c.name, els: inside(rows, c.selector) });
      }
      for (const [i, selector] of (rule.related || []).entries()) look("related[" + i + "].link", selector, "", own);
      const docs = rule.attachments;
      if (docs) {
        look("attachments.item", docs.item, docs.frame, own);
        look("attachments.frame", docs.frame);
        if (docs.next) found.push({ where: "attachments.next", els: listing.nexts() });
        const late = docs.pending ? list.filter((el) => inItem(el, docs.pending).length) : [];
        const there = list.filter((el) => !late.includes(el));
        const within = (where, selector, list) => {
          if (selector && list.length) found.push({ where, els: inside(list, selector) });
        };
        within("attachments.link", docs.link, there);
        if (docs.name.match && list.length) found.push({ where: "attachments.name", els: list.filter(ruledName) });
        else within("attachments.name", docs.name.selector, list);
        if (docs.pending && list.length) found.push({ where: "attachments.pending", els: late });
        if (!list.length) look("attachments.none", docs.none, docs.frame, own);
        if (docs.count && docs.count !== "off") look("attachments.count", docs.count, docs.frame, own);
        for (const [i, one] of docs.exclude.entries())
          found.push({ where: "attachments.exclude[" + i + "]", els: listing.picked(one) });
      }
      return found;
    };
    // scripts returns the texts of the page's own scripts that hold data.
    const longest = 20 << 20;
    const scripts = () =>
      Object.fromEntries(
        (rule.scripts || []).map((selector) => [
          selector,
          all(selector)
            .slice(0, 50)
            .map((el) => dom.text(el).slice(0, longest)),
        ]),
      );

    // looks says how many they are.
    const looks = (list) => met(list).map(({ where, els }) => ({ where, met: els.length }));

    // headed: headings name other orders, and none this one.
    const headed = () => {
      if (rule.list) return false; // it is headed by what it lists
      const heads = all("h1, h2, h3, h4, h5, h6, [role=heading]").map(textOf);
      return heads.some(number.alike) && !heads.some(number.shows);
    };

    // expired returns what a dialog before the page says where the session has ended. One that warns
    // says when that will be.
    const expired = () =>
      all("dialog, [role=dialog], [role=alertdialog], [aria-modal=true]")
        .filter(visible)
        .map(textOf)
        .find((text) => text.length <= 300 && !/\d/.test(text) && lexicon.finds("signIn", lexicon.fold(text)))
        ?.slice(0, 80) || "";

    // report returns what there is to say of the document, with this list of items.
    const report = (list) =>
      still(() => {
        const found = labels(),
          id = identity(found);
        const { fields, texts, differ, ambiguous } = rule.auto
          ? { fields: autoFields(found), texts: {}, differ: {}, ambiguous: [] }
          : ruledFields();
        return {
          identity: id.shown,
          seen: id.seen,
          apart: !!id.apart,
          doubt: !!id.doubt,
          named: !!id.named,
          wide: !!id.wide,
          moreRows:
            rule.list?.row && id.shown === "sure"
              ? listing.rowsToo(listed().rows.filter(listed().numbered), listed().rows.length)
              : "",
          headed: headed(),
          theirs: rule.auto || rule.list ? "" : list.map(about.theirs()).find(Boolean) || "",
          unready: unready(),
          refusal: refusal(found, id),
          hollow: id.shown === "sure" ? hollow() : "",
          loading: stillLoading(),
          broken: broken(),
          fields,
          texts,
          differ,
          ambiguous,
          unloaded: Object.keys(fields).filter((name) => lexicon.loading(fields[name])),
          lines: lines(),
          none: none(),
          noneVague: vague(markers()),
          items: list.map(describe),
          ...further(list),
          visited: true,
          expired: list.length ? "" : expired(),
          sizes: sizes(),
          shown: shownOf(
            new Set(list.map((el) => dom.closest(el, "table, ul, ol, dl") || el)),
            rule.list ? locate() : null,
          ),
          related: related(),
          scripts: scripts(),
          looks: looks(list),
          sources: sources(),
          opaque: opaque(),
        };
      });
    // sizes are how many entries of lists the page, by its address or by those of its requests, has asked for at most.
    const sizes = () => {
      const asked = (flat ? [] : performance.getEntriesByType("resource")).filter((one) =>
        /^(?:fetch|xmlhttprequest)$/.test(one.initiatorType),
      );
      const found = [address(doc), ...asked.map((one) => one.name)].flatMap((url) =>
        [...new URL(url).searchParams].filter(
          ([name, value]) =>
            /size|limit|per_?page|top|take|first|max|rows|count/i.test(name) && /^\d{1,4}$/.test(value),
        ),
      );
      return [...new Set(found.map(([, value]) => Number(value)))];
    };
    // refuses reports whether the page is no order's, however long one waits.
    const refuses = () =>
      still(() => {
        const found = labels();
        return refusal(found, identity(found)).kind !== "";
      });

    // results returns what a search has found: how many elements, what the first of them say,
    // and those that show the order's number. Of several links to one address one is enough,
    // and so is one of what stands inside another.
    const results = (selector) =>
      still(() => {
        const found = all(selector).filter(visible);
        const links = (el) =>
          (dom.matches(el, "a[href]") ? [el] : [...Element.prototype.querySelectorAll.call(el, "a[href]")]).filter(
            visible,
          );
        const hits = [];
        for (const el of found) {
          const text = textOf(el);
          if (!number.shows(text) || number.leading(text)) continue;
          const own = links(el),
            showing = own.filter((a) => number.shows(textOf(a)));
          const press = showing.length ? showing[0] : own.length === 1 ? own[0] : el;
          const { href, protocol, hash } = dom.matches(press, "a[href]") ? target(press) : {};
          const to = /^https?:$/.test(protocol) && (hash.length > 1 || !href.endsWith("#")) ? href : "";
          const same = (other) =>
            (to && other.to === to) ||
            other.press.contains(press) ||
            press.contains(other.press) ||
            other.el.contains(el);
          if (!hits.some(same)) hits.push({ el, press, to, away: to !== "" && !/^(_self)?$/.test(press.target) });
        }
        return { met: found.length, says: found.slice(0, 3).map((el) => textOf(el).slice(0, 60)), hits };
      });

    // browse returns what the page shows of a list: how many rows are the order's, what leads to
    // the next page of the list, and by what that is told from this one.
    const browse = () =>
      still(() => {
        const { rows, hits, numbers } = listed();
        return {
          hits: hits.length,
          turn: usable(rule.list.next ? all(rule.list.next, rule.list.frame).filter(visible) : []),
          numbers: rows.flatMap(numbers),
          rows: all(rule.list.row, rule.list.frame).length,
        };
      });
    // listFrames are the frames that the list is said to be in and that can be looked into. An early one
    // has yet to be loaded, and may be another origin's then.
    const listFrames = () =>
      all(rule.list.frame)
        .filter((el) => el.contentDocument)
        .map((el) => ({
          visible: visible(el),
          early:
            address(el.contentDocument) === "about:blank" && !property(el.contentDocument, "body")?.firstElementChild,
        }));

    // numbersIn says whether a text shows the order's number, and which other one it shows: one made like
    // it, or one of these.
    const numbersIn = (text, others) => ({
      own: number.shows(text),
      other:
        number.other(text) || others.find((po) => parts.number({ ...rule, po, digits: "" }, lexicon).shows(text)) || "",
    });

    // inner is what describe.js and sights.js need besides.
    const inner = {
      ...page,
      met,
      pairs,
      slug,
      query,
      linesOf,
      held,
      selected,
      labelled,
      heading,
      norm,
      textsOf,
      kept,
      shows: number.shows,
      fileBeside: listing.fileBeside,
      forbids: (text) => parts.said.refused(text) || parts.said.acts(text),
      more: (text) => parts.said.more(text),
      empty: (text) => parts.said.none(text) && parts.said.documents(text),
    };
    return {
      all,
      property,
      notReady,
      refuses,
      items,
      press,
      none,
      still,
      read: report,
      results,
      browse,
      inData,
      listFrames,
      expanders,
      doing: listing.doing,
      refusedLabel: listing.refusedLabel,
      second,
      turners,
      describe,
      numbersIn,
      inner,
    };
  };
