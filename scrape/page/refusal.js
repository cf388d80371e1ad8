// refusal.js is one function: what a page is that is not the order. It returns
// {kind, text, name, ruled, weak}: kind is that of a wall (wall, newTerms, ...), signIn, throttled,
// notFound, denied, maintenance, error, list or ""; text quotes the page, and ruled says that the recipe tells it so.
// weak: it would not be believed of a page that shows the order.
(rule, page, { headings, spoken, quote }, number, lexicon) => {
  const { all, visible, textOf, numberText, title, lines, marked } = page;
  const { address } = page;
  const none = { kind: "", text: "", ruled: false };
  const kinds = [
    ...["newTerms", "passwordExpired", "dataWanted", "secondFactor", "approval", "survey", "humanCheck"],
    ...["locked", "choice", "consent", "signIn", "maintenance", "denied", "notFound", "error"],
  ];

  const ordered = ["order", "orders", "number", "loaded"];

  // itself reports whether a heading that shows the number is the refusal: nothing else is
  // said there. "Order 1001 not found" is one, "1001: Access Denied signs" is none.
  const itself = (text, idea) => {
    if (!lexicon.says(idea, text)) return false;
    if (!number.holds(text)) return true;
    const left = lexicon.rest(text.replace(/\S*\d\S*/g, " "), [idea, ...ordered, "loading", "small"]);
    return left === "" || !content();
  };
  // wholly reports whether a text says nothing but the refusal, whatever number it names.
  const wholly = (text, idea) => {
    const bare = text.replace(/\S*\d\S*/g, " ");
    return (
      text.length <= 300 &&
      (lexicon.says(idea, text) || lexicon.says(idea, bare)) &&
      lexicon
        .rest(bare, [idea, ...ordered, "besides"])
        .split(" ")
        .every((word) => !word || kinds.some((kind) => lexicon.says(kind, word)))
    );
  };
  // content: the page has what only an order has, besides its heading.
  const content = () => {
    let cells = 0;
    return all("dt, table td").some((el) => visible(el) && ++cells === 4) || page.items().length > 0;
  };
  // bare: it has neither that, nor fields of another kind.
  const bare = (found) => found.filter(([, , el]) => el).length < 4 && !content();
  const refusing = (text) => kinds.concat("orders").find((idea) => itself(text, idea));

  // spoken: an element speaks by the heading or alert that it is a part of.
  const speech = (el) => textOf(dom.closest(el, "h1, h2, h3, [role=heading], [role=alert], p") || el);
  // shown: the page shows the order, and what shows it is neither a refusal, nor what was
  // typed into a search.
  const shown = (id) =>
    id.shown === "sure" &&
    (id.marks.length === 0
      ? !refusing(title())
      : id.marks.some(
          (el) =>
            !refusing(speech(el)) &&
            !(
              /^(input|textarea)$/.test(el.localName) &&
              !el.readOnly &&
              !el.disabled &&
              headings().some((h) => refusing(textOf(h)))
            ),
        ));

  // --- sign-in forms ---

  const beside =
    "header, nav, aside, footer, dialog, [role=banner], [role=navigation], [role=complementary], [role=dialog], " +
    "[role=alertdialog]";
  const formOf = (el) => dom.closest(el, "form, dialog, section, fieldset") || dom.up(el);
  const changes = (field) => {
    const form = formOf(field);
    return (
      dom.attr(field, "autocomplete") === "new-password" ||
      lexicon.finds("changePassword", lexicon.fold(textOf(form))) ||
      dom.all(form, "input[type=password]").length > 1
    );
  };
  // wall is a visible sign-in form that stands in the way of the order, or nothing.
  const wall = (id, found) =>
    all('input[type="password"]')
      .filter(visible)
      .find((field) => {
        if (changes(field)) return false;
        // In a frame beside the order, it stands in place of a part of the page: see answers.js.
        if (shown(id) && id.marks.length && id.marks.every((el) => el.ownerDocument !== field.ownerDocument))
          return false;
        if (
          !shown(id) ||
          (!dom.closest(field, beside) && [title(), ...headings().map(textOf)].some((t) => lexicon.says("signIn", t)))
        )
          return true;
        const form = formOf(field);
        const outside = id.marks.some((el) => !form.contains(el));
        if (rule.identity || rule.list) return !outside;
        const labelled = found.some(
          ([name, value, el]) => lexicon.orderLabel(name) && number.shows(value) && !(el && form.contains(el)),
        );
        return !labelled && !dom.closest(field, beside);
      });

  // asksWho: a form asks for nothing but who signs in.
  const nameLike =
    /user|login|log_?on|e?-?mail|identif|account|konto|benutzer|kennung|usuario|utente|gebruiker|loginfmt/i;
  const asksWho = () =>
    all("input")
      .filter(visible)
      .some((field) => {
        const form = dom.closest(field, "form");
        if (!form || dom.closest(form, beside) || !/^(text|email|tel)$/.test(field.type) || field.readOnly)
          return false;
        const others = [...dom.all(form, "input, textarea, select")].filter(
          (el) => el !== field && visible(el) && !/^(submit|button|image|reset|checkbox|hidden)$/.test(el.type),
        );
        const named = [field.autocomplete, field.name, field.id].join(" ");
        return (
          others.length === 0 &&
          dom.first(form, "button, input[type=submit], input[type=image]") !== null &&
          (field.type === "email" || nameLike.test(named))
        );
      });

  // --- what the page says ---

  // head is what the main heading says where it says that this is no order. What has an order's
  // content may be titled by what was ordered ("Scheduled maintenance") or by a part of it;
  // but where its only h1 is nothing but another refusal, the number is that of the refusal.
  const head = (id, found) => {
    const heads = headings().filter((el) => !dom.closest(el, apart)),
      one = heads.length === 1 && heads[0].localName === "h1";
    for (const text of heads.map(textOf)) {
      const kind = kinds.find((idea) => wholly(text, idea)) || kinds.find((idea) => itself(text, idea));
      if (kind && ((wholly(text, kind) && (id.titled || (one && kind !== "maintenance"))) || bare(found)))
        return { kind, text };
    }
    const list = id.titled && heads.map(textOf).find((text) => lexicon.says("orders", text));
    return list && !below() && !spoken() ? { kind: "list", text: list } : null;
  };
  // below: a heading below the main one shows the order, and none shows another.
  const below = () => {
    const heads = all("h2, h3, [role=heading]").filter((el) => visible(el) && number.holds(numberText(el)));
    return heads.length > 0 && heads.every((el) => number.shows(numberText(el)));
  };
  const apart =
    "dialog, aside, nav, footer, [role=dialog], [role=alertdialog], [role=complementary], [role=navigation]";

  // instead is what an alert says in place of the order, or one of the few lines that there
  // are. What was not found must be the order: a search in it may find nothing.
  const instead = (found) => {
    if (!bare(found)) return null;
    const said = alerts(),
      few = lines();
    if (few.join(" ").length <= 250)
      said.push(...few.filter((text) => kinds.some((kind) => lexicon.finds(kind, lexicon.fold(text)))));
    for (const text of said) {
      const kind = kinds.find((idea) => wholly(text, idea)),
        folded = lexicon.fold(text);
      if (kind === "notFound" && (!lexicon.finds("order", folded) || lexicon.finds("loaded", folded))) continue;
      if (kind && !(kind === "maintenance" && /\d/.test(text))) return { kind, text };
    }
    return null;
  };

  // speaking are the texts by which a page says what it is: its title, its main heading, alerts
  // outside of dialogs, and all of it where that is little.
  const alerts = () =>
    all("[role=alert], .alert, .alert-danger, .error, .error-message, .message-error")
      .filter((el) => visible(el) && !dom.closest(el, "dialog, [role=dialog], [role=alertdialog]"))
      .map(textOf);
  const speaking = () => {
    const text = lines().join(" ");
    return [...headings().map(textOf), title(), ...alerts(), text.length <= 250 ? text : ""].filter(
      (t) => t && t.length <= 600,
    );
  };

  // saying are the texts of a page that shows nothing of the order but its number, less that.
  const saying = () => {
    const left = lines().filter((line) => !number.shows(line)),
      text = left.join(" "),
      heads = all("h1, h2, h3, [role=heading]").filter((el) => visible(el) && !dom.closest(el, apart));
    return [...heads.map(textOf), title(), ...alerts(), ...(text.length <= 400 ? [...left, text] : [])].filter(
      (t) => t && t.length <= 600 && !number.shows(t),
    );
  };

  // further adds to a word that says no more than that there was an error what stands below it.
  const further = (text) => {
    const said = lines(),
      at = said.indexOf(text);
    return at < 0 || text.length > 24 ? text : [text, ...said.slice(at + 1, at + 4)].join(" ");
  };

  // telling is the line of a page's text that says it, where the text is too long to be quoted whole.
  const telling = (text, kind) =>
    (text.length > 80 && lines().find((line) => lexicon.says(kind, line) || wholly(line, kind))) || text;

  const refusal = (found, id) => {
    const ruled = [
      ["throttled", rule.throttled],
      ["signIn", rule.expired],
      ...rule.walls.map((marker) => ["wall", marker]),
      ["notFound", rule.notFound],
      ["denied", rule.accessDenied],
    ];
    if (rule.expired.address.some((pattern) => new RegExp(pattern).test(address())))
      return { kind: "signIn", text: quote([title()]), ruled: true };
    for (const [kind, { selector, name }] of ruled) {
      const met = selector ? all(selector).filter(visible) : [];
      if (met.length) return { kind, text: quote(met.map(textOf)), name, ruled: true };
    }
    const is = shown(id);
    for (const [kind, marker] of ruled) {
      const said = !is && marked(marker);
      if (said) return { kind, text: said, name: marker.name, ruled: true };
    }
    if (wall(id, found))
      return { kind: "signIn", text: quote(headings().map(textOf)) || quote([title()]), ruled: false };
    const empty = is && page.hollow() !== "";
    if (is) {
      const no = head(id, found) || instead(found);
      if (no || !empty) return no ? { kind: no.kind, text: quote([no.text]), ruled: false } : none;
    }
    const said = empty ? saying() : speaking();
    for (const kind of kinds) {
      const text = said.find((t) => lexicon.says(kind, t) || wholly(t, kind));
      const weak = () => alerts().includes(text) && !bare(found);
      const told = () => quote([kind === "error" ? further(text) : telling(text, kind)]);
      if (text) return { kind, text: told(), ruled: false, weak: weak() };
    }
    // A field for a one-time code, where nothing of an order is.
    const code = said.find((t) => lexicon.says("codeWanted", t));
    if (code && bare(found) && all("input:not([type=hidden], [type=checkbox])").some(visible))
      return { kind: "signIn", text: quote([code]), ruled: false };
    // What the recipe fills in first when it signs in, where nothing of an order is.
    if (rule.expired.entry && bare(found) && all(rule.expired.entry).some(visible))
      return { kind: "signIn", text: quote(headings().map(textOf)) || quote([title()]), ruled: false };
    if (bare(found) && asksWho())
      return { kind: "signIn", text: quote(headings().map(textOf)) || quote([title()]), ruled: false, weak: true };
    if (empty) return none;
    const list =
      id.list ||
      (said.slice(0, 2).some((t) => lexicon.says("orders", t)) && id.shown !== "other" && id.shown !== "sure");
    return list ? { kind: "list", text: id.seen || quote(said.slice(0, 1)), ruled: false } : none;
  };
  return { refusal };
};
