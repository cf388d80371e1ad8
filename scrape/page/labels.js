// labels.js is one function over what lexicon.js knows: what the text of a
// heading, a tab, a pager or a control says of documents.
(lexicon) => {
  const squeeze = (text) =>
    (text || "")
      .replace(/[\u200b-\u200d\u2060]/g, "")
      .replace(/\s+/g, " ")
      .trim();
  const fold = (text) => lexicon.fold(text).toLowerCase();
  // Patterns are made when they are first asked for: few pages need all of them.
  const any = (...ideas) => "(?:" + ideas.map(lexicon.pattern).join("|") + ")";
  const apart = (pattern) => "(?<![\\p{L}\\p{N}])" + pattern + "(?![\\p{L}\\p{N}])";
  const late = (pattern) => {
    let re;
    const made = () => (re ??= new RegExp(pattern, "u"));
    return {
      test: (text) => made().test(text),
      [Symbol.match]: (text) => text.match(made()),
      [Symbol.replace]: (text, by) => text.replace(made(), by),
    };
  };
  const finds = (pattern) => late(pattern).test;
  const says =
    (...ideas) =>
    (text) =>
      ideas.some((idea) => lexicon.finds(idea, text));

  const documents = any("documents");
  const saysDocuments = says("documents");
  const saysMore = (text) => lexicon.finds("more", text) || /^\+\s?\d{1,4}$/.test(text);
  const saysAll = says("all");
  const saysShow = says("show");
  const saysDownload = says("download");
  const saysNoName = finds("^[^\\p{L}\\p{N}]*(?:" + any("download", "show") + "[^\\p{L}\\p{N}]*)+$");
  const atEnds = (pattern) => finds("^[^\\p{L}\\p{N}]*" + pattern + "|" + pattern + "[^\\p{L}\\p{N}]*$");
  const isAside = atEnds(apart(any("aside"))),
    isIdle = atEnds("(?!" + apart(any("topics")) + ")" + apart(any("aside")));
  const views = finds(
    "^[^\\p{L}]*" +
      any("views") +
      "(?:\\s+\\(?(?:pdf|csv|excel|xlsx?|xml|word|html|" +
      any("filler", "order") +
      ")\\)?)*[\\s.…]*$",
  );
  const saysNone = says("none");
  const known = new Set();
  const spread = (set, ideas) => {
    for (const idea of ideas) for (const part of lexicon.parts(idea)) set.add(part);
  };
  spread(known, ["show", "more", "all", "whole", "filler", "entries", "documents", "counting", "versions"]);
  const own = new Set(); // what may stand beside a zero that is the list's own
  spread(own, ["documents", "entries", "filler", "all", "order", "counting", "makes"]);

  const wordsOf = (t) => t.match(/\p{L}[\p{L}']*/gu) || [];
  const tokensOf = (t) => t.match(/[\p{L}\p{N}][\p{L}\p{N}']*/gu) || [];

  // --- counts ---

  const number = "(\\d{1,3}(?:[.,' ]\\d{3})+(?!\\d)|\\d{1,6})";
  const value = (text) => Number(text.replace(/\D/g, ""));
  const of = "\\s*(?:\\/|" + apart(any("of")) + ")\\s*";
  const begin = "(?<![\\p{L}\\p{N}.,/-])",
    end = "(?![\\p{L}\\p{N}/]|[.,]\\d)",
    unit = any("documents", "entries");
  const range = late(`${begin}${number}\\s*(?:-|–|—|${apart(any("to"))})\\s*${number}${of}(?:~\\s*)?${number}${end}`);
  const paged = late(`${apart(any("page"))}\\s*:?\\s*${number}?${of}${number}${end}`);
  const part = late(`${begin}${number}${of}${number}\\s+(?:\\p{L}+\\s+)?${apart(unit)}`);
  const exact = late("^\\(?\\s*" + number + of + number + "\\s*\\)?$");
  const showing = late("^(?:" + any("counting") + "\\s+)+" + number + of + number + "[ .]*$");
  const entries = any("entries");
  const total = late(`^(?:${any("totals")}\\s*:?\\s*${number}(?:\\s+${entries})?|${number}\\s+${entries})[ .]*$`);
  const further = `${number}\\s+(?:${unit}\\s+)?${any("more", "rest")}(?:\\s+${unit})?`;
  const rest = late(`^(?:[+…. ]|${any("filler")})*${further}[ .…]*$|^\\+\\s?(\\d{1,3})$`);
  const grouped = late("[(\\[]\\s*" + number + "\\s+" + apart(documents) + "\\s*[)\\]]");
  const bracketed = late(
    `${apart(documents)}[^()\\[\\]\\d]{0,40}[(\\[]\\s*(?:\\d+${of})?${number}\\+?\\s*(?:${unit})?\\s*[)\\]]`,
  );
  const trailing = late(apart(documents) + "\\s*[:·•|–-]?\\s*" + number + "\\+?$");
  const leading = late(
    "^[^\\p{L}\\p{N}]*(?:" + any("entries") + "\\s*:?\\s*)?" + number + "\\+?\\s+(?:\\p{L}+\\s+)?" + apart(documents),
  );
  const stated = late("^(?:(?:" + any("counting") + ")\\s+)+" + number + "\\s+(?:\\p{L}+\\s+)?" + apart(documents));
  const unitAfter = late("^\\s*[)\\]]?\\s*(\\p{L}[\\p{L}']*)");
  const unitBefore = late("(\\p{L}[\\p{L}']*)\\s*[:(]?\\s*$");
  const isOther = finds("^" + any("others") + "$");
  const isUnit = finds(`^${unit}$`);
  // count returns what a text says of a number of documents, or null: {count, unit, from,
  // to}. unit is "documents" where it says so, "others" where it counts something else,
  // and "" where it does not say. pages: it counts pages; further: it counts what is not
  // shown; sure: it stands in brackets; weak: it is a mere "2 of 9"; entries: it is of
  // whatever is listed there; plain: it is a mere "Total: 9".
  const clipped = /[📎🖇]\ufe0f?\s*[([]?\s*(\d{1,3})(?![\d.,])/u;
  const count = (text) => {
    const t = fold(text);
    if (!/\d/.test(t) || t.length > 200) return null;
    const unitOf = (m) => {
      const near = [
        (t.slice(m.index + m[0].length).match(unitAfter) || [])[1],
        (t.slice(0, m.index).match(unitBefore) || [])[1],
      ].filter(Boolean);
      if (saysDocuments(t)) return "documents";
      if (near.length && isUnit(near[0])) return "";
      return near.some(isOther) ? "others" : "";
    };
    let m = t.match(paged);
    if (m) return { count: value(m[2]), pages: true, unit: saysDocuments(t) ? "documents" : "" };
    m = t.match(range);
    if (m && value(m[1]) <= value(m[2]) && value(m[2]) <= value(m[3]))
      return { count: value(m[3]), from: value(m[1]), to: value(m[2]), unit: unitOf(m) };
    m = t.match(part);
    if (m && lexicon.finds("quota", t)) return null;
    if (m && value(m[1]) <= value(m[2]))
      return { count: value(m[2]), from: 1, to: value(m[1]), unit: saysDocuments(t) ? "documents" : "" };
    m = t.match(showing);
    if (m && value(m[1]) <= value(m[2]))
      return { count: value(m[2]), from: 1, to: value(m[1]), unit: "", entries: true };
    m = t.match(exact);
    if (m && value(m[1]) <= value(m[2])) return { count: value(m[2]), from: 1, to: value(m[1]), unit: "", weak: true };
    m = t.match(rest);
    if (m) return { count: value(m[1] ?? m[2]), further: true, unit: "" };
    m = t.match(clipped);
    if (m) return { count: value(m[1]), unit: "documents", sure: true };
    m = t.match(bracketed) || t.match(grouped);
    if (m) return { count: value(m[1]), unit: "documents", sure: true };
    m = t.match(trailing) || (!lexicon.finds("limits", t) && (t.match(leading) || t.match(stated)));
    if (m && !isYear(value(m[1]))) return { count: value(m[1]), unit: "documents" };
    m = t.match(total);
    return m && !isYear(value(m[1] || m[2]))
      ? { count: value(m[1] || m[2]), unit: "", entries: true, plain: /\d[ .]*$/.test(t) }
      : null;
  };
  // zero: the 0 that a text says is of the list itself, and not of what is selected,
  // archived or new in it.
  const zero = (text) => wordsOf(fold(text)).every((token) => own.has(token));
  const isYear = (n) => n >= 1990 && n < 2100;
  // bare: the text says a number of documents, and little more.
  const bare = (text) => wordsOf(fold(text)).every((token) => known.has(token) || /^(k|m|g)?(b|o)$/.test(token));
  // told returns the number that a text is asked for: "3", "(3)", "3 files", or null.
  const told = (text) => {
    const said = count(text);
    if (said && !said.pages && !said.further) return said.count;
    const m = fold(text).match(new RegExp(number, "u"));
    return m ? value(m[1]) : null;
  };

  // --- headings ---

  // heads: the text is the heading or tab of documents: some words, and no sentence.
  const heads = (text) => {
    const t = fold(text);
    return (
      t.length <= 60 &&
      !/\d{5}/.test(t) &&
      saysDocuments(t) &&
      !lexicon.finds("about", t) &&
      !none(t) &&
      !isAside(t.replace(/[^\p{L}']+$/u, "")) &&
      t.split(" ").length <= 7
    );
  };

  // --- controls ---

  // shows: the control shows more of a list, or the documents.
  const shows = (text) => {
    const t = fold(text);
    if (!t || t.length > 80 || isAside(t) || none(t)) return false;
    if (saysDocuments(t)) return saysMore(t) || saysAll(t) || saysShow(t);
    return (
      wordsOf(t).every((token) => known.has(token)) &&
      (saysMore(t) || ((saysAll(t) || lexicon.finds("whole", t)) && saysShow(t)))
    );
  };
  // turns: the control leads through the pages of a list, and says nothing else: "Previous", "Page 2", "»".
  const turning = new Set(),
    passing = new Set();
  spread(turning, ["more", "earlier"]);
  spread(passing, ["page", "filler"]);
  const turns = (text) => {
    const t = fold(text),
      tokens = tokensOf(t);
    if (!tokens.length) return t.length > 0 && t.length <= 3;
    const step = (token) => turning.has(token) || /^\d{1,3}$/.test(token);
    return t.length <= 40 && tokens.some(step) && tokens.every((token) => step(token) || passing.has(token));
  };
  // titled: it ends or begins as a control aside would, and is a title: "Change request".
  const titled = (text) => {
    const t = fold(text);
    const others = [isIdle, refused, does, saysShow, saysMore, saysDocuments];
    return / /.test(t) && isAside(t) && !others.some((is) => is(t));
  };
  // none: the text says that there are no documents.
  const none = (text) => {
    const t = fold(text);
    return (saysNone(t) && (saysDocuments(t) || t.length <= 20)) || /^[-–—]+$/.test(t);
  };
  // elses: the text says that there are none of something else: "No comments yet".
  const lacksElse = late(apart(any("none")) + "\\s+(?:\\p{L}+\\s+)?" + apart(any("talks")));
  const elses = (text) => {
    const t = fold(text);
    return t.length <= 120 && !saysDocuments(t) && lacksElse.test(t);
  };
  const numbered = late("^" + any("page") + "\\s+\\d+$");
  // promised returns {count, further}: how many documents the control is about, and
  // whether they are further ones; or null.
  const promised = (text) => {
    const t = fold(text),
      m = t.match(/(?<![\p{L}\p{N}.,/-])(\d{1,4})\+?(?![\p{L}\p{N}.,/])/u);
    const said = count(text);
    if (numbered.test(t)) return null;
    if (said && (said.to !== undefined || said.further)) return { count: said.count, further: !!said.further };
    return m && /\p{L}/u.test(t) ? { count: value(m[1]), further: saysMore(t) } : null;
  };

  // --- what must not be clicked ---

  const joint = "(?:" + lexicon.pattern("nouns") + ")";
  // begins returns a judge of what a label begins with, or ends with in German and Dutch: one of these ideas.
  // A verb that a word is made of, or the whole name of a file, is none: "Sign-off",
  // "Approve.pdf".
  const begins = (...ideas) => {
    const verb = late("^" + any(...ideas) + "(?![\\p{L}\\p{N}_-])(?!\\s+" + joint + "(?:\\s|')|\\s*\\.\\p{L})");
    const atEnd = late("^.{0,60}\\s(?:" + ideas.map(lexicon.endings).join("|") + ")[^\\p{L}\\p{N}]*$");
    return (text) => {
      const t = fold(text).replace(/^[^\p{L}\p{N}]+/u, "");
      return t.length <= 120 && (verb.test(t) || atEnd.test(t));
    };
  };
  // refused: what bears the label does more than show something.
  const refused = begins("refused", "leaves");
  // keeps: it brings a document to where the reader keeps it, and does no more: "Save as PDF".
  const keeps = finds(
    "^" + any("keeps") + "(?:\\s+\\(?(?:pdf|csv|excel|xlsx?|xml|word|zip|" + documents + ")\\)?)*[\\s.…]*$",
  );
  // acts: it does something to a document. makes: it brings in or makes one. does: either,
  // or it is help.
  const acts = begins("acts"),
    makes = begins("makes"),
    does = begins("acts", "makes", "help");

  // deeds: the text says anywhere that something is done, be it to the order or to a document.
  const deeds = finds(
    "(?<![\\p{L}\\p{N}_-])" + any("refused", "leaves", "acts") + "(?![\\p{L}\\p{N}_-])(?!\\s+" + joint + "(?:\\s|'))",
  );
  // within reports whether a text says no more than some words, numbers, and words of another text.
  const within =
    (ideas, set = new Set()) =>
    (text, besides = "") => {
      if (!set.size) spread(set, ideas);
      const t = fold(text),
        others = new Set(tokensOf(fold(besides)));
      return !deeds(t) && tokensOf(t).every((token) => /\d/.test(token) || set.has(token) || others.has(token));
    };
  // first is a text without what only shows at its beginning: "View and sign the order" is "sign the order".
  const steps = late("^(?:[^\\p{L}\\p{N}]+|" + apart(any("show", "download", "filler")) + ")+");
  const first = (text) => fold(text).replace(steps, "");
  // verbs: one of the words that an address or a name in the page's code is made of does something.
  const doing = new Set();
  const verbs = (text) => {
    if (!doing.size)
      for (const idea of ["refused", "leaves", "acts"])
        for (const one of lexicon.pattern(idea).split("|")) doing.add(one);
    return text
      .replace(/(\p{Ll})(?=\p{Lu})/gu, "$1 ")
      .split(/[^\p{L}]+/u)
      .some((word) => word !== "firma" && doing.has(fold(word)));
  };

  // The same texts stand on one order's page after the other.
  const kept = (judge) => {
    const known = new Map();
    return (text) => {
      const short = text || "";
      if (short.length > 200) return judge(short);
      if (!known.has(short)) {
        if (known.size > 2000) known.clear();
        known.set(short, judge(short));
      }
      return known.get(short);
    };
  };
  const folding = (judge) => kept((text) => judge(fold(text)));
  return {
    squeeze,
    fold,
    page: any("page"),
    told,
    bare,
    promised,
    count: kept(count),
    heads: kept(heads),
    shows: kept(shows),
    refused: kept(refused),
    leaves: folding(finds("^" + any("leaves") + "$")),
    keeps: folding(keeps),
    selected: folding(says("selected")),
    zero: kept(zero),
    titled: kept(titled),
    turns: kept(turns),
    none: kept(none),
    elses: kept(elses),
    single: folding(finds("^" + any("single") + "$")),
    several: folding(says("several")),
    others: folding(says("others")),
    views: folding(views),
    acts: kept(acts),
    makes: kept(makes),
    does: kept(does),
    deeds: folding(deeds),
    begun: kept((text) => refused(first(text)) || acts(first(text))),
    verbs: kept(verbs),
    showing: within(["kinds"]),
    choosing: within(["show", "filler", "order", "beside"]),
    aside: folding((text) => isAside(text) || views(text) || /\?\s*$/.test(text)),
    documents: folding(saysDocuments),
    downloads: folding(saysDownload),
    nameless: folding(saysNoName),
    opens: folding(saysShow),
    all: folding(saysAll),
    related: folding(says("related")),
    more: folding(saysMore),
  };
};
