// lexicon.js is one function: what a text says, by the phrases of scrape/words. Its argument has them
// folded and by their ideas, each as one text with "|" between two, the longest first. One that begins
// with "=" counts only where nothing else is said. last are those of languages whose verbs come last.
({ phrases, last }) => {
  // fold writes a text as the phrases are written, but for the case: in plain letters without accents,
  // with single spaces. Package words does the same.
  const fold = (text) => {
    let t = text || "";
    if (/[`\x7f-\uffff]/.test(t))
      t = t
        .replace(/[\u2018\u2019`\u00b4]/g, "'")
        .normalize("NFKD")
        .replace(/[\u0300-\u036f\u00ad\u200b-\u200d\u2060\ufeff]/g, "")
        .replace(/\u0142/g, "l")
        .replace(/\u0141/g, "L")
        .replace(/\u00df/g, "ss")
        .replace(/\u1e9e/g, "SS");
    return t.replace(/\s+/g, " ").trim();
  };
  const known = new Map();
  const once = (key, make) => {
    let value = known.get(key);
    if (value === undefined) known.set(key, (value = make()));
    return value;
  };
  const phrasesOf = (idea) => once("phrases " + idea, () => phrases[idea].split("|"));
  const anywhere = (idea) => phrasesOf(idea).filter((phrase) => phrase[0] !== "=");
  const alone = (idea) =>
    once("alone " + idea, () => new Set(phrasesOf(idea).flatMap((p) => (p[0] === "=" ? p.slice(1) : []))));

  // byWord are the phrases of an idea that are found anywhere, by their first words.
  const byWord = (idea) =>
    once("words " + idea, () => {
      const all = new Map();
      for (const phrase of anywhere(idea)) {
        const [first] = phrase.match(/^[\p{L}\p{N}]+/u);
        if (all.has(first)) all.get(first).push(phrase);
        else all.set(first, [phrase]);
      }
      return all;
    });
  // wordsOf are the words of a folded text, and where they begin.
  let latest = "",
    lower = "",
    tokens = [];
  const wordsOf = (folded) => {
    if (folded !== latest) {
      latest = folded;
      lower = folded.toLowerCase();
      tokens = [...lower.matchAll(/[\p{L}\p{N}]+/gu)];
    }
    return tokens;
  };
  // spans are where phrases of an idea begin and end in a folded text, no letter or digit beside them. first: as
  // soon as there is one, that is enough.
  const letter = /^[\p{L}\p{N}]/u;
  const spans = (idea, folded, first) => {
    const all = byWord(idea),
      found = [];
    let end = 0;
    for (const token of wordsOf(folded)) {
      const begin = token.index;
      if (begin < end || !all.has(token[0])) continue;
      const phrase = all
        .get(token[0])
        .find(
          (p) =>
            p === token[0] ||
            (lower.startsWith(p, begin) && !letter.test(lower.slice(begin + p.length, begin + p.length + 2))),
        );
      if (!phrase) continue;
      found.push([begin, (end = begin + phrase.length)]);
      if (first) break;
    }
    return found;
  };
  const finds = (idea, folded) => spans(idea, folded, true).length > 0;

  // says reports whether a title, heading or alert speaks of the idea.
  const says = (idea, text) => {
    const folded = fold(text);
    if (!folded) return false;
    if (finds(idea, folded)) return true;
    const set = alone(idea);
    return (
      set.size > 0 &&
      folded
        .split(/\s[|\u2013\u2014\u00b7:-]+\s|[|\u00b7]/)
        .concat(folded)
        .some((part) => set.has(part.replace(/^[\s.!:]+|[\s.!:]+$/g, "").toLowerCase()))
    );
  };
  // rest is what is left of a text without what these ideas say, without numbers and marks.
  const without = (folded, idea) => {
    let left = "",
      from = 0;
    for (const [begin, end] of spans(idea, folded)) {
      left += lower.slice(from, begin) + " ";
      from = end;
    }
    return from ? left + lower.slice(from) : folded;
  };
  const letters = (folded) =>
    folded
      .toLowerCase()
      .replace(/[^\p{L}]+/gu, " ")
      .trim();
  const rest = (text, ideas) => letters(ideas.reduce(without, fold(text)));
  // list is an idea's phrases, as they are and run together, and is reports whether a text is one of them.
  const list = (idea) =>
    once("list " + idea, () => new Set(anywhere(idea).flatMap((phrase) => [phrase, phrase.replace(/[ .]/g, "")])));
  const is = (idea, text) => list(idea).has(fold(text).toLowerCase());

  // pattern finds the phrases of an idea in a text in small letters, and endings those that may end it.
  // parts are their words.
  const escaped = (all) => all.map((phrase) => phrase.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|");
  const pattern = (idea) => once("pattern " + idea, () => escaped(anywhere(idea)));
  const endings = (idea) => escaped(last[idea].split("|"));
  const parts = (idea) => once("parts " + idea, () => anywhere(idea).flatMap((phrase) => phrase.split(" ")));

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
    const sure = /\.\.|…|\d/.test(folded) || rest(folded, ["small"]) !== letters(folded);
    return sure && !rest(folded, ["loading", "loaded", "loadedToo", "small"]);
  };
  // failing is in each of the phrases by which something could not be had.
  const failing =
    /load|charg|carg|caric|carreg|lad|laden|wczyt|retriev|fetch|unavail|error|fehler|erreur|errore|erro|fout|b[łl]|went wrong|abgerufen/i;

  // fails reports whether a text says that something could not be had. only: it says that, and nothing else.
  const only = (folded, idea) =>
    finds(idea, folded) &&
    !rest(folded.replace(/\S*\d\S*/g, " "), [idea, "order", "documentHeading", "loaded", "besides"]);
  const fails = (folded) =>
    finds("failed", folded) ||
    (finds("unavailable", folded) && finds("documentHeading", folded)) ||
    ["unavailable", "denied", "error"].some((idea) => only(folded, idea));

  // orderLabel reports whether a label announces the order's number.
  const orderLabel = (label) => {
    const parts = fold(label)
      .toLowerCase()
      .replace(/p\.\s?o\.?/g, "po")
      .split(/[^\p{L}\p{N}°]+/u)
      .filter(Boolean);
    let named = false;
    for (const part of parts) {
      if (is("order", part) || part === "purchase") {
        named ||= part !== "purchase";
        continue;
      }
      const compound = part.match(/^(.+?)(?:s?(?:nummer|number|nr|no))$/);
      if (compound && is("order", compound[1])) {
        named = true;
        continue;
      }
      if (!is("number", part) && !is("small", part) && !/^(compra|acquisto|bon)$/.test(part)) return false;
    }
    return named;
  };
  return {
    fold,
    says,
    finds,
    rest,
    list,
    is,
    pattern,
    endings,
    parts,
    loading,
    stems,
    failing,
    fails,
    orderLabel,
  };
};
