// number.js is one function: whether a text shows the order's number, standing alone.
(rule, { fold: plainly, says, list, is, rest, finds }) => {
  // Scripts without spaces between words have none beside a number either.
  const scripts = "[\\u0e00-\\u0eff\\u1000-\\u11ff\\u1780-\\u17ff\\u3040-\\u30ff\\u3400-\\u9fff\\uac00-\\ud7af]",
    seam = new RegExp(`(?<=${scripts})(?=[A-Za-z0-9#])|(?<=[A-Za-z0-9])(?=${scripts})`, "gu");
  const fold = (text) => {
    const t = plainly(text);
    return /[\u0e00-\uffff]/.test(t) ? t.replace(seam, " ") : t;
  };
  const po = fold(rule.po),
    after = fold(rule.digits);
  const bound = after && po.endsWith(after) ? po.slice(0, -after.length) : "";
  const [, letters, tail] = bound ? ["", bound, after] : po.match(/^(\p{L}*)[-_#:./ ]*(.*)$/u);
  const own = tail ? letters.replace(/[^\p{L}\p{N}]+$/u, "").toLowerCase() : "";
  const digits = tail || po;
  const prefixes = rule.prefixes.map((p) => fold(p).toLowerCase());
  const bareEnough = own === "" || prefixes.includes(own);
  const literal = new RegExp(digits.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu");

  // A run of digits about as long as the order's own, or as its longest, is an order number too; a year is none.
  const length = digits.replace(/\D/g, "").length,
    longest = Math.max(1, ...(digits.match(/\d+/g) ?? []).map((run) => run.length));
  const like = new RegExp("\\d{" + (longest >= 7 ? longest - 2 : longest) + ",}");

  const joined = /^[-/._\u2010-\u2013]$/; // what keeps a number from standing alone
  const kinds = (name) => [name, name.replace(/s$/, "")].some((n) => is("otherKind", n) || is("contact", n));
  // leads says what stands before the digits: "own" is the order's prefix, "bare" nothing of
  // account, and "" something that makes it another number. What stands apart, as in
  // "Invoice (1001)", does so only where it is known as the name of something else.
  const leads = (head) => {
    let prefixed = false,
      apart = false;
    for (;;) {
      const [, word, gap] = head.match(/((?:[\p{L}\p{N}°]+\.)*[\p{L}\p{N}°]+)?([^\p{L}\p{N}°]*)$/u);
      const name = (word || "").replace(/\./g, "").toLowerCase();
      const tight = gap === "" || joined.test(gap);
      if (!prefixed && /[€$£¥]/.test(gap)) return "";
      if (!word || (!tight && prefixed)) return prefixed ? "own" : "bare";
      apart ||= !tight && /[,;|()[\]{}"!?<>=•·\u2014]/.test(gap);
      head = head.slice(0, head.length - gap.length - word.length);
      if (!prefixed && (own ? name === own : prefixes.includes(name))) {
        prefixed = true;
        continue;
      }
      if (own && !prefixed && (name === "po" || prefixes.includes(name))) return "";
      if (is("number", name)) continue;
      if (is("order", name)) {
        const before = (head.match(/(\p{L}+)[ -]*$/u) || [])[1];
        return prefixed ? "own" : before && is("otherOrder", before.toLowerCase()) ? "" : "bare";
      }
      if (!tight && is("linking", name)) {
        apart = true;
        continue;
      }
      if (/^\d+$/.test(name) && is("contact", (head.match(/(\p{L}+)[^\p{L}\p{N}]*$/u) || ["", ""])[1].toLowerCase()))
        return ""; // the last page of so many
      const [, whose] = (name === "page" && head.match(/(\p{L}+)(?: details?)? $/iu)) || [];
      if (whose && is("order", whose.toLowerCase())) return "bare"; // the order's page
      return kinds(name) || (!apart && (tight || /^\p{Lu}{2,5}$/u.test(word))) ? "" : "bare";
    }
  };
  const follows = (rest, lead) =>
    !/^(?:[\p{L}\p{N}]|[-/._\u2010-\u2013][\p{L}\p{N}])/u.test(rest) &&
    (lead === "own" || !/^(?:,\d| ?[€$£¥%])/.test(rest));

  // counted: what stands there is how many orders there are.
  const counted = (head, rest) =>
    !/[\p{L}\p{N}#°]\W*$/u.test(head) && says("orders", (rest.match(/^ (\p{L}+)/u) || ["", ""])[1]);

  // at is where a text shows the order's number, or -1.
  const at = (t) => {
    for (const m of t.matchAll(literal)) {
      const head = t.slice(Math.max(0, m.index - 100), m.index),
        lead = leads(head);
      if (!lead || (lead === "bare" && (!bareEnough || counted(head, t.slice(m.index + m[0].length))))) continue;
      if (follows(t.slice(m.index + m[0].length, m.index + m[0].length + 4), lead)) return m.index;
    }
    return -1;
  };
  const shows = (text) => at(fold(text)) >= 0;
  // holds reports whether a text has an order number in it, be it this one or another.
  const holds = (text) => like.test(fold(text));
  // alike reports whether a text shows a number as this portal's orders have them.
  const prefix = (own ? [own] : prefixes).map((p) => p.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|");
  const around = "[^\\p{L}\\d]{0,3}",
    begun = `(?:${prefix || "(?!)"})[ _#.:-]*\\d`;
  const shape = new RegExp(
    `(?<!\\p{L})${begun}|^${around}\\d{${Math.max(length - 1, 1)},${length + 1}}${around}$`,
    "iu",
  );
  const alike = (text) => shape.test(fold(text));
  // resembles reports whether a text is made of groups as the order's number is: "2026-0002", as "2026-0001".
  const joints = (text) => text.replace(/[\p{L}\p{N}]+/gu, "");
  const resembles = (text) => {
    const t = fold(text).trim();
    return joints(po) !== "" && joints(t) === joints(po) && /\d/.test(t);
  };
  // leading reports whether a text is about another order, and only then names this one:
  // "Order PO1002 (replaces PO1001)".
  const long = `\\d{${Math.max(length - 1, 5)},${Math.max(length + 1, 5)}}(?!\\d)`;
  const another = new RegExp(`(?<![\\p{L}\\d])(?:${begun}{${Math.max(length - 1, 3)},}|${long})`, "iu");
  const leading = (text) => {
    const t = fold(text),
      m = t.match(another);
    if (!m || m.index + m[0].length >= at(t)) return false;
    const before = t.slice(0, m.index);
    return (/\D/.test(m[0]) || finds("order", before)) && rest(before, ["order", "number", "small"]) === "";
  };
  // refers reports whether a text names this order only as what the page's own one was made of, or
  // takes the place of: "Copy of order PO1001".
  const reference = new RegExp(
    "(?:^|[^\\p{L}])(?:" +
      "cop(?:y|ied|ie|ia|iad[oa]) (?:of|from|d[aei]|del?|della)|kopie (?:von|van|der)|kopia|kopiert von|" +
      "replac(?:es|ed|ing|ement (?:for|of))|supersed(?:es|ing)|successor (?:of|to)|follow-?up (?:of|to|for)|" +
      "based on|previously|formerly|was|instead of|in place of|split (?:from|off)|(?:created|derived) from|cancels|" +
      "ersetzt|ersatz f[uü]r|nachfolger (?:von|der|zu)|basiert auf|fr[uü]her|vormals|ehemals|zuvor|anstelle von|" +
      "anstatt|remplace|anciennement|au lieu de|annule|sustituye|reemplaza|anteriormente|antes|en lugar de|anula|" +
      "sostituisce|precedentemente|invece di|annulla|substitui|em vez de|vervangt|voorheen|in plaats van|" +
      "zast[eę]puje|poprzednio|dawniej|zamiast)[ :]*$",
    "iu",
  );
  const refers = (text) => {
    const t = fold(text),
      where = at(t);
    if (where < 0) return false;
    let before = t.slice(0, where),
      m;
    const named = before.replace(/[^\p{L}]+$/u, "");
    if (own && named.toLowerCase().endsWith(own)) before = named.slice(0, -own.length);
    while (
      (m = before.match(/(\p{L}+)[^\p{L}\p{N}]*$/u)) &&
      (is("order", m[1].toLowerCase()) || is("number", m[1].toLowerCase()))
    )
      before = before.slice(0, m.index);
    return reference.test(before);
  };
  // others reports whether a text shows a number made as the order's is that is another one.
  const others = (text) => {
    const t = fold(text);
    return [...t.matchAll(new RegExp(another.source, "giu"))].some(([one]) => !shows(one));
  };
  // other returns a number in a text that is made as the order's is, and is another one, or "". With the
  // prefix it may be longer, as in "PO1001-2". A bare one has as many digits, and stands behind a word for
  // orders or a "#"; or the order's own has no letters, is long, and begins alike.
  const form = digits.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replace(/\d+/g, (run) => `\\d{${run.length}}`);
  const plain = /^\d+(?:[-/.]\d+)*$/.test(digits) && !/^\d{1,4}[-/.]\d\d?[-/.]\d{1,4}$/.test(digits),
    year = /^(?:19|20)\d\d$/;
  const bare = new RegExp(`(?<![\\p{L}\\p{N}])${form}(?!\\p{N})`, "giu");
  const serial = `(?:${form}\\d*|\\d{${Math.max(length - 1, 3)},})`;
  const marked = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${prefix || "(?!)"})[ _#.:-]*${serial}(?:[-/_][\\p{L}\\p{N}]+)*`,
    "giu",
  );
  // behindOrder: a word for orders stands before it; before what may be a year, with one for numbers.
  const behindOrder = (head, one) => {
    for (let before = head; ; ) {
      const [, word] = before.match(/(\p{L}+)[^\p{L}\p{N}\n]{0,3}\n?[^\p{L}\p{N}\n]{0,3}$/u) || [];
      if (!word) return false;
      if (is("order", word.toLowerCase())) return before !== head || !year.test(one);
      if (!is("number", word.toLowerCase())) return false;
      before = before.slice(0, before.lastIndexOf(word));
    }
  };
  const other = (text) => {
    const t = fold(text);
    for (const [one] of t.matchAll(marked)) if (!shows(one)) return one;
    if (!plain || !bareEnough) return "";
    for (const { 0: one, index } of t.matchAll(bare)) {
      const head = t.slice(Math.max(0, index - 100), index);
      const ordered = behindOrder(head, one) || /#\s*$/.test(head);
      const begins = longest >= 7 && one.slice(0, 3) === digits.slice(0, 3);
      if (one === digits || !(ordered || begins) || leads(head) !== "bare") continue;
      if (follows(t.slice(index + one.length, index + one.length + 4), "bare")) return one;
    }
    return "";
  };
  // together reports whether a text names this order as one of several: "Orders PO1001 and PO1002".
  // Without a prefix, neither what may be a year nor a quantity is another one.
  const escaped = (word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const order = [...list("order"), ...list("number")].map(escaped).join("|");
  const unjoined = "(?<![\\p{L}\\p{N}]|\\d[-./,:])",
    ends = "(?![\\p{L}\\p{N}]|[-/._][\\p{L}\\p{N}]|,\\d)";
  const member = new RegExp(`${unjoined}(${prefix || "(?!)"})?[ _#.:-]*(${form})${ends}`, "giu");
  const wordAnd = "[,;]?\\s*(?<![\\p{L}\\p{N}])(?:and|und|et|y|e|i|en|oraz)(?![\\p{L}\\p{N}])";
  const and = new RegExp(`^\\s*(?:[,;&+]|${wordAnd})\\s*(?:(?:${order})[ .:#]*)*$`, "iu");
  const together = (text) => {
    const t = fold(text),
      members = [...t.matchAll(member)].map((m) => ({ m, from: m.index, to: m.index + m[0].length }));
    const another = ({ m, to }) => {
      const [next, word] = t.slice(to).match(/^(?:\s+(\p{L}+)|\s*[€$£¥%])/u) || [];
      return (
        m[2] !== digits &&
        (m[1] || (!year.test(m[2]) && (!next || (word && (is("linking", word.toLowerCase()) || and.test(next))))))
      );
    };
    return members.some(
      (one, i) =>
        one.m[2] === digits &&
        [members[i - 1], members[i + 1]].some(
          (other) =>
            other && another(other) && and.test(t.slice(Math.min(one.to, other.to), Math.max(one.from, other.from))),
        ),
    );
  };
  // second reports whether another number follows: one with a prefix of orders, or where this one stands
  // bare, a bare one as long as it. A short one may be a year or a quantity, unless it is quoted alike.
  const followed = new RegExp(`(?<![\\p{L}\\p{N}])${begun}{${Math.max(length - 1, 3)},}`, "iu");
  const bareLike = new RegExp(
    "(?<![\\p{L}\\p{N}]|\\d[-./,:])\\d{" + length + "}(?![\\p{L}\\p{N}]|[-./,:]\\d| ?[€$£¥%])",
    "gu",
  );
  const second = (text, bare, quote) => {
    const rest = text.replace(literal, " ");
    if (followed.test(rest)) return true;
    return (
      bare &&
      [...rest.matchAll(bareLike)].some(
        (m) =>
          length >= 5 || (/[^\p{L}\p{N}\s]/u.test(quote) && quote === rest.slice(Math.max(m.index - 1, 0), m.index)),
      )
    );
  };
  // begins reports whether a text begins with the order's number, but for words such as "order", and
  // shows no other one behind it.
  const begins = (text) => {
    const t = fold(text),
      i = at(t);
    if (i < 0 || /\d/.test(t.slice(0, i))) return false;
    const before = rest(t.slice(0, i), ["order", "number"]).toLowerCase(),
      named = before === own || prefixes.includes(before);
    return (before === "" || named) && !second(t.slice(i), !named || !before, t.slice(Math.max(i - 1, 0), i));
  };
  return { begins, shows, holds, alike, resembles, leading, refers, others, other, together };
};
