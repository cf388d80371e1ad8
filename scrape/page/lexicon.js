// lexicon.js is one function: what a text says, by the words of words.js, as lexicon.go
// prepares them: for each idea all that is found anywhere, as a pattern, and all that counts
// alone; and the first words of all phrases, with their ideas.
(words) => {
  const fold = (text) =>
    (text || "")
      .normalize("NFKC")
      .replace(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, "")
      .replace(/[\u2018\u2019]/g, "'")
      .replace(/\s+/g, " ")
      .trim();
  const known = new Map();
  const once = (key, make) => {
    let value = known.get(key);
    if (value === undefined) known.set(key, (value = make()));
    return value;
  };
  const anywhere = (idea) =>
    once(
      "any " + idea,
      () => new RegExp("(?<![\\p{L}\\p{N}])(?:" + words.ideas[idea].any + ")(?![\\p{L}\\p{N}])", "giu"),
    );
  const whole = (idea) => once("whole " + idea, () => new Set(words.ideas[idea].alone));
  // begins reports whether a phrase of the idea may stand in a text, by its words: that takes
  // less than to look for all of them.
  let latest = "",
    tokens = [];
  const begins = (idea, folded) => {
    if (folded !== latest) {
      latest = folded;
      tokens = folded.toLowerCase().match(/[\p{L}\p{N}]+/gu) || [];
    }
    return (
      words.ideas[idea].odd ||
      tokens.some((token) => Object.hasOwn(words.first, token) && words.first[token].includes(idea))
    );
  };
  const finds = (idea, folded) => {
    if (folded.length <= 1000 && !begins(idea, folded)) return false;
    const r = anywhere(idea);
    r.lastIndex = 0;
    return r.test(folded);
  };

  // says reports whether a title, heading or alert speaks of the idea.
  const says = (idea, text) => {
    const folded = fold(text);
    if (!folded) return false;
    if (finds(idea, folded)) return true;
    const set = whole(idea);
    return (
      set.size > 0 &&
      folded
        .split(/\s[|\u2013\u2014\u00b7:-]+\s|[|\u00b7]/)
        .concat(folded)
        .some((part) => set.has(part.replace(/^[\s.!:…]+|[\s.!:…]+$/g, "").toLowerCase()))
    );
  };
  // rest is what is left of a text without what these ideas say, without numbers and marks.
  const rest = (text, ideas) =>
    ideas
      .reduce((left, idea) => left.replace(anywhere(idea), " "), fold(text))
      .replace(/[^\p{L}]+/gu, " ")
      .trim();
  // list is all single words of an idea, and its phrases as if they were one word.
  const list = (idea) => once("list " + idea, () => new Set(words.ideas[idea].list));

  const stems =
    /load|l[aä]d|charg|carg|car[ri]ic|carreg|caricam|wait|wart|moment|instant|geduld|patient|atte[ns]|aguard|esper|fetch|retriev|search|[łl]adow|wczyt|czeka|chwil/i;
  // loading reports whether this, and nothing else, is what the text says: that something is
  // still on its way.
  const loading = (text) => {
    if (!text || text.length > 120 || !stems.test(text)) return false;
    const folded = fold(text);
    if (!finds("loading", folded)) return false;
    const left = rest(folded, ["loading", "loaded", "small"]);
    if (!left) return true;
    const sure = /\.\.|…|\d/.test(folded) || rest(folded, ["small"]) !== folded.replace(/[^\p{L}]+/gu, " ").trim();
    return sure && !rest(folded, ["loading", "loaded", "loadedToo", "small"]);
  };
  // failing is in each of the phrases by which something could not be had.
  const failing =
    /load|charg|carg|caric|carreg|lad|laden|wczyt|retriev|fetch|unavail|error|fehler|erreur|errore|erro|fout|b[łl]|went wrong|abgerufen/i;

  // fails reports whether a text says that something could not be had. only: it says that, and nothing else.
  const only = (folded, idea) =>
    finds(idea, folded) &&
    !rest(folded.replace(/\S*\d\S*/g, " "), [idea, "order", "documents", "loaded", "besides", "small"]);
  const fails = (folded) =>
    finds("failed", folded) ||
    (finds("unavailable", folded) && finds("documents", folded)) ||
    ["unavailable", "denied", "error"].some((idea) => only(folded, idea));
  // waits reports whether a text says that something is on its way, whatever that is.
  const waits = (folded) => finds("loading", folded) && folded.match(anywhere("loading")).length > 1;

  // orderLabel reports whether a label announces the order's number.
  const orderLabel = (label) => {
    const parts = fold(label)
      .toLowerCase()
      .replace(/p\.\s?o\.?/g, "po")
      .split(/[^\p{L}\p{N}°]+/u)
      .filter(Boolean);
    const order = list("order"),
      number = list("number"),
      small = list("small");
    let named = false;
    for (const part of parts) {
      if (order.has(part) || part === "purchase") {
        named ||= part !== "purchase";
        continue;
      }
      const compound = part.match(/^(.+?)(?:s?(?:nummer|number|nr|no))$/);
      if (compound && order.has(compound[1])) {
        named = true;
        continue;
      }
      if (!number.has(part) && !small.has(part) && !/^(compra|acquisto|bon)$/.test(part)) return false;
    }
    return named;
  };
  return { fold, says, finds, rest, list, loading, stems, failing, fails, waits, orderLabel };
};
