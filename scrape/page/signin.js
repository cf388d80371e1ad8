// signin.js is one function: what a page shows while somebody signs in. It is run beside
// the page's own scripts. wall is what the page asks for before it goes on: its kind, or the name of
// one of the recipe's.
(lexicon, texts, walls) => {
  const documents = [document];
  for (const frame of document.querySelectorAll("iframe, frame"))
    if (frame.contentDocument) documents.push(frame.contentDocument);
  const all = (selector) =>
    documents.flatMap((d) => [...d.querySelectorAll(selector)]).filter((el) => el.checkVisibility());
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
  const speaking = [document.title, ...said, shown.length <= 250 ? shown : ""];
  const says = (idea) => speaking.some((text) => lexicon.says(idea, text));

  const ruled = (walls ?? []).find((w) => (w.selector && all(w.selector).length > 0) || holds(w.text));
  const known = ["newTerms", "passwordExpired", "dataWanted", "secondFactor", "approval", "survey", "humanCheck"];
  const writable = all("input").some((el) => /^(text|tel|number|password)$/.test(el.type) && !el.readOnly);
  return {
    url: location.href,
    loaded: document.readyState === "complete",
    success: holds(texts),
    password: all("input[type=password]").length > 0,
    code: all("input[autocomplete~=one-time-code]").length > 0 || (writable && says("codeWanted")),
    captcha:
      all('iframe[src*="captcha"], iframe[src*="challenges.cloudflare.com"], [class*="captcha" i], [id*="captcha" i]')
        .length > 0,
    wall: ruled ? { kind: "wall", name: ruled.name } : { kind: known.find(says) ?? "", name: "" },
    said: said.slice(0, 3),
  };
};
