// lexicon.js is one function: what a text says, by the phrases of scrape/words. Its argument has them folded and by
// their ideas, each as one text with "|" between two, the longest first: phrases count anywhere, alone where nothing
// else is said, and last are those of languages whose verbs come last. first are the first words of all phrases.
({ phrases, alone, last, first }) => {
  // fold writes a text as the phrases are written, but for the case: in plain letters without accents,
  // with single spaces. Package words does the same.
  // valueOf returns a digit of another script as ours; each script has its ten in a row.
  const valueOf = (digit) => {
    for (let value = 0, at = digit.codePointAt(0); ; value++)
      if (value === 9 || !/^\p{Nd}$/u.test(String.fromCodePoint(at - value - 1))) return value;
  };
  const fold = (text) => {
    let t = text || "";
    if (/[`\x7f-\uffff]/.test(t))
      t = t
        .replace(/[\u2018\u2019`\u00b4]/g, "'")
        .normalize("NFKD")
        .replace(/[\u0300-\u036f]|\p{Cf}/gu, "")
        .replace(/[^\P{Nd}0-9]/gu, valueOf)
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
  const anywhere = (idea) => (phrases[idea] ? phrases[idea].split("|") : []);
  const wholly = (idea) => once("alone " + idea, () => new Set(alone[idea].split("|")));

  // Taking all phrases apart on each page would take longer than all that is looked up on it.
  const firsts = new Set(first.split("|"));
  // wordsOf are those words of a folded text that phrases begin with, and where they begin.
  let latest = "",
    lower = "",
    tokens = [];
  const wordsOf = (folded) => {
    if (folded !== latest) {
      latest = folded;
      lower = folded.toLowerCase();
      tokens = [...lower.matchAll(/[\p{L}\p{N}]+/gu)].filter(([word]) => firsts.has(word));
    }
    return tokens;
  };
  const letter = /^[\p{L}\p{N}]/u;
  // endAt is where a phrase of an idea ends that begins with a word of the latest text, or 0.
  const endAt = (idea, word, begin) => {
    const all = phrases[idea];
    for (let at = 0; (at = all.indexOf(word, at)) >= 0; at += word.length) {
      if (at > 0 && all[at - 1] !== "|") continue;
      const close = all.indexOf("|", at),
        phrase = all.slice(at, close < 0 ? undefined : close),
        end = begin + phrase.length;
      if (lower.startsWith(phrase, begin) && !letter.test(lower.slice(end, end + 2))) return end;
    }
    return 0;
  };
  // spans are where phrases of an idea begin and end in a folded text, no letter or digit beside them. one: as soon as
  // there is one, that is enough.
  const spans = (idea, folded, one) => {
    const found = [];
    let end = 0;
    for (const { 0: word, index: begin } of wordsOf(folded)) {
      const to = begin < end ? 0 : endAt(idea, word, begin);
      if (!to) continue;
      found.push([begin, (end = to)]);
      if (one) break;
    }
    return found;
  };
  const finds = (idea, folded) => spans(idea, folded, true).length > 0;

  // says reports whether a title, heading or alert speaks of the idea.
  const says = (idea, text) => {
    const folded = fold(text);
    if (!folded) return false;
    if (finds(idea, folded)) return true;
    return (
      idea in alone &&
      folded
        .split(/\s[|\u2013\u2014\u00b7:-]+\s|[|\u00b7]/)
        .concat(folded)
        .some((part) => wholly(idea).has(part.replace(/^[\s.!:]+|[\s.!:]+$/g, "").toLowerCase()))
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
  const escaped = (all) => all.replace(/[\\^$.*+?()[\]{}/]/g, "\\$&");
  const pattern = (idea) => once("pattern " + idea, () => escaped(phrases[idea]));
  const endings = (idea) => escaped(last[idea]);
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
  return { fold, says, finds, rest, list, is, pattern, endings, parts, loading, stems, failing, fails, orderLabel };
};
