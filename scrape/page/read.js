// read.js is one function: it waits until the page is settled by the rule it is
// given, and returns everything that poscrape wants of it, as extract reads it.
// It changes nothing on the page.
(async (rule, extract) => {
  const watchKey = Symbol.for("poscrape.watch");
  const listKey = Symbol.for("poscrape.list");
  const own = window[watchKey];
  const now = own ? own.now : performance.now.bind(performance);
  const began = now();

  const visible = (el) => {
    if (!el.checkVisibility || !el.checkVisibility({ visibilityProperty: true })) return false;
    for (let win = el.ownerDocument.defaultView; win && win.frameElement; win = win.parent) {
      if (!win.frameElement.checkVisibility({ visibilityProperty: true })) return false;
    }
    return true;
  };
  const { all, property, notReady, pageText, marked, items, none, read } = extract(rule, document, {
    visible,
    shown: (el) => el?.innerText,
    target: (a) => a,
    resolve: (el, href) => new URL(href, el.baseURI),
    address: (doc) => (doc.location.href === "about:srcdoc" ? document : doc).location.href,
  });

  // --- settling ---

  const frames = () => {
    const found = [];
    const visit = (win) => {
      try { if (win.document) found.push(win); } catch { return; }
      for (let i = 0; i < win.frames.length; i++) visit(win.frames[i]);
    };
    visit(window);
    return found;
  };
  const watches = () => frames().map((win) => win[watchKey]).filter(Boolean);
  const pause = own ? own.pause : (ms) => new Promise((over) => setTimeout(over, ms));
  const unsettled = () => {
    if (!own) return property(document, "readyState") === "complete" ? "" : "the page is still loading";
    for (const w of watches()) {
      const why = w.busy();
      if (why) return why;
    }
    return Math.min(...watches().map((w) => w.quiet())) < rule.ready.quietMs ? "the page keeps changing" : "";
  };

  // foreignFrame: a part of the page that is another host's, and too large for a
  // counter, cannot be looked into.
  const foreignFrame = () => all("iframe, frame").some((el) => {
    try { if (el.contentDocument) return false; } catch { /* another origin's */ }
    const box = el.getBoundingClientRect();
    return visible(el) && box.width > 80 && box.height > 80;
  });

  // --- the reading ---

  // What is mounted when it comes into view has to be scrolled to, once.
  let scrolled = false;
  const scroll = () => {
    const el = document.scrollingElement;
    if (scrolled || !el || el.scrollHeight <= window.innerHeight) return false;
    scrolled = true;
    el.scrollTop = el.scrollHeight;
    return true;
  };
  // rendered waits until the page has been drawn anew, and what watches for that
  // has been told; a page that is never drawn is not waited for.
  const rendered = () => Promise.race([pause(2000), new Promise((over) =>
    requestAnimationFrame(() => requestAnimationFrame(() => pause(0).then(over))))]);
  // Where something polls or streams for ever and nothing is listed, news are
  // waited for this long: scripts mount documents after up to eight seconds.
  const patience = 8000;

  try {
    let missing = "", why = "";
    for (;;) {
      missing = notReady();
      why = unsettled();
      if (!missing && !why && (items().length || none())) break;
      if (!missing && !why && scroll()) { await rendered(); continue; }
      if (!missing && !why && !(watches().some((w) => w.streams()) && now() < patience)) break;
      // A settled page that refuses will not show the order, however long one waits.
      if (missing === "selector" && !why) {
        const text = pageText();
        if (marked(rule.notFound, text) || marked(rule.accessDenied, text)) break;
      }
      if (now() - began >= rule.ready.timeoutMs) break;
      await pause(15);
    }
    if (scrolled) document.scrollingElement.scrollTop = 0;
    const list = items();
    Object.defineProperty(window, listKey, { value: { list, again: items }, configurable: true });
    return {
      url: document.location.href,
      notReady: missing, unsettled: why || (!list.length && foreignFrame() ? "a frame of another host cannot be read" : ""),
      asks: watches().some((w) => w.asks()),
      ...read(list),
    };
  } catch (error) {
    if (error.badSelector) return { badSelector: error.badSelector };
    throw error;
  }
})
