// signin.js is one function: what a page shows while somebody signs in. It is run beside
// the page's own scripts.
(texts) => {
  const documents = [document];
  for (const frame of document.querySelectorAll("iframe, frame"))
    if (frame.contentDocument) documents.push(frame.contentDocument);
  const all = (selector) =>
    documents.flatMap((d) => [...d.querySelectorAll(selector)]).filter((el) => el.checkVisibility());
  const squeeze = (text) => text.replace(/\s+/g, " ").trim();
  const text = squeeze(documents.map((d) => d.body?.innerText ?? "").join(" ")).toLowerCase();
  const said = all("[role=alert], .alert, .error, .error-message, h1, h2").map((el) =>
    squeeze(el.innerText).slice(0, 200),
  );
  return {
    url: location.href,
    loaded: document.readyState === "complete",
    success: (texts ?? []).some((t) => text.includes(squeeze(t).toLowerCase())),
    password: all("input[type=password]").length > 0,
    code: all("input[autocomplete~=one-time-code]").length > 0,
    captcha:
      all('iframe[src*="captcha"], iframe[src*="challenges.cloudflare.com"], [class*="captcha" i], [id*="captcha" i]')
        .length > 0,
    said: [...new Set(said.filter(Boolean))].slice(0, 3),
  };
};
