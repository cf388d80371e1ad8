// signin.js is one function: what a page shows while somebody signs in. It is run beside
// the page's own scripts. wall is what the page asks for before it goes on: its kind, or the name of
// one of the recipe's.
(lexicon, texts, walls) => {
  const documents = [document];
  for (const frame of dom.all(document, "iframe, frame"))
    if (frame.contentDocument) documents.push(frame.contentDocument);
  const all = (selector) => documents.flatMap((d) => [...dom.all(d, selector)]).filter((el) => el.checkVisibility());
  const squeeze = (text) => text.replace(/\s+/g, " ").trim();
  const shown = squeeze(documents.map((d) => d.body?.innerText ?? "").join(" "));
  const holds = (list) => (list ?? []).some((t) => shown.toLowerCase().includes(squeeze(t).toLowerCase()));
  const said = [
    ...new Set(
      all("[role=alert], .alert, .error, .error-message, h1, h2")
        .map((el) => squeeze(el.innerText).slice(0, 200))
        .filter(Boolean),
    ),
  ];
  // What the title or the main heading says, the page is. Alerts, other headings and the few lines of a
  // short page may be news on the page that a sign-in leads to: they count where there is neither a main
  // heading nor a way on.
  const headings = all("h1").length ? all("h1").slice(0, 1) : all("h2, [role=heading]"),
    main = headings.length === 1 ? squeeze(headings[0].innerText) : "";
  const anywhere = [document.title, main, ...said, shown.length <= 250 ? shown : ""];
  const search = "[type=search], [role=search], search";
  const leads = all("nav, [role=navigation], " + search).length > 0,
    leadsOn = leads || all("a[href]").some((link) => !dom.closest(link, "form"));
  const says = (idea, texts) => texts.some((text) => lexicon.says(idea, text));
  // A page that waits for an app or a person may say so below another heading, beside links.
  const speaking = (idea) => {
    const banner = /^(approval|humanCheck)$/.test(idea) ? leads : leadsOn || main;
    return banner ? [document.title, main] : anywhere;
  };

  const ruled = (walls ?? []).find((w) => (w.selector && all(w.selector).length > 0) || holds(w.text));
  const known = [
    ...["newTerms", "passwordExpired", "dataWanted", "secondFactor", "approval", "survey", "humanCheck"],
    ...["locked", "choice", "consent"],
  ];

  const writable = all("input").filter(
    (el) => /^(text|tel|number|password)$/.test(el.type) && !el.readOnly && !dom.closest(el, search),
  );
  // forCode: a field is named or labelled as one for a code.
  const forCode = (el) => {
    const name = `${el.name} ${el.id}`.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
    const labels = [...(el.labels ?? [])].map((label) => label.innerText);
    return (
      /(^|[^a-z])(code|otp|totp|pin|tan|token|passcode|mfa|2fa)([^a-z]|$)/.test(name) ||
      says("codeWanted", [el.placeholder, dom.attr(el, "aria-label") ?? "", ...labels])
    );
  };
  const codeWanted = () =>
    !leads &&
    ((says("codeWanted", speaking("codeWanted")) && writable.some((el) => el.form || !leadsOn)) ||
      (says("codeWanted", anywhere) && writable.some((el) => el.form && forCode(el))));
  return {
    url: location.href,
    loaded: document.readyState === "complete",
    success: holds(texts),
    password: all("input[type=password]").length > 0,
    code: all("input[autocomplete~=one-time-code]").length > 0 || codeWanted(),
    captcha:
      all('iframe[src*="captcha"], iframe[src*="challenges.cloudflare.com"], [class*="captcha" i], [id*="captcha" i]')
        .length > 0,
    wall: ruled
      ? { kind: "wall", name: ruled.name }
      : { kind: known.find((idea) => says(idea, speaking(idea))) ?? "", name: "" },
    said: said.slice(0, 3),
  };
};
