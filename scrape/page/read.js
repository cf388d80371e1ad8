// read.js makes one function: it waits until the page is settled by the rule that it
// is given, and returns everything that poscrape wants of it, as extract reads
// it. It changes nothing on the page. Where something has to be waited for that the
// page's clock does not drive, it returns what, and is to be called again after
// that; and where the page's clock must not run ahead (rule.ahead), it says why.
((extract) => async (rule) => {
  const watchKey = Symbol.for("poscrape.watch");
  const listKey = Symbol.for("poscrape.list");
  const own = window[watchKey];
  const now = own ? own.now : performance.now.bind(performance);
  // What one reading that is called several times keeps of itself.
  const reading = own ? own.reading : {};
  const began = now();

  const visible = (el) => {
    if (!el.checkVisibility || !el.checkVisibility({ visibilityProperty: true })) return false;
    for (let win = el.ownerDocument.defaultView; win && win.frameElement; win = win.parent) {
      if (!win.frameElement.checkVisibility({ visibilityProperty: true })) return false;
    }
    return true;
  };
  const { all, property, notReady, pageText, marked, items, none, still, read } = extract(rule, document, {
    visible,
    shown: (el) => el?.innerText,
    target: (a) => a,
    resolve: (el, href) => new URL(href, el.baseURI),
    address: (doc) => (doc.location.href === "about:srcdoc" ? document : doc).location.href,
    flat: false,
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

  // Before a page counts as one that lists nothing, it is drawn once: what is
  // mounted when it comes into view has to be scrolled to, and animations end only
  // when they are drawn.
  const undrawn = () => {
    if (reading.drawn) return false;
    reading.drawn = true;
    const el = document.scrollingElement;
    if (!el || el.scrollHeight <= window.innerHeight) return rule.ahead;
    reading.scrolled = true;
    el.scrollTop = el.scrollHeight;
    return true;
  };
  // A page that draws itself again and again is drawn for some two seconds more, before
  // it counts as one that lists nothing: it may count its pictures, or their time.
  const turning = () => !rule.late && watches().some((w) => w.turning()) &&
    (rule.ahead ? (reading.turns = (reading.turns ?? 0) + 1) <= 50 : now() - began < 2000);
  // Where something polls or streams for ever and nothing is listed, news are
  // waited for this long: scripts mount documents after up to eight seconds.
  const patience = 8000;
  // listed: what there is to look for is there, or the portal says that it is not.
  const listed = () => items().length > 0 || none() ||
    !rule.auto && !rule.attachments && (!rule.lines || all(rule.lines.row).length > 0);
  // Where the page's clock runs ahead, the proof that nothing is listed costs
  // next to nothing: so much quiet is asked for, as long as it may be hoped for.
  const proof = 10000, hope = 20000;
  const quietEnough = () => !rule.ahead || now() >= hope || Math.min(...watches().map((w) => w.quiet())) >= proof;

  try {
    let missing = "", why = "";
    for (let wait = 15; ; wait = rule.ahead ? Math.min(wait * 1.5, 500) : 15) {
      const unbearable = rule.ahead && watches().map((w) => w.unbearable()).find(Boolean);
      if (unbearable) return { realTime: unbearable };
      const ended = still(() => {
        missing = notReady();
        why = unsettled();
        return !missing && !why && listed();
      });
      if (ended) break;
      if (rule.glance) return { again: !rule.late && property(document, "readyState") === "complete" && watches().some((w) => w.working()) ? "drawn" : "time" };
      if (!missing && !why && undrawn()) return { again: "drawn" };
      const turns = !missing && !why && quietEnough() && turning();
      if (turns && rule.ahead) return { again: "drawn" };
      if (!turns && !missing && !why && quietEnough() && !(watches().some((w) => w.streams()) && now() < patience)) break;
      // A settled page that refuses will not show the order, however long one waits.
      if (missing === "selector" && !why) {
        if (marked(rule.notFound, pageText) || marked(rule.accessDenied, pageText)) break;
      }
      if (rule.late) break;
      if (rule.ahead && property(document, "readyState") !== "complete") return { again: "loaded" };
      if (rule.ahead && watches().some((w) => w.working())) return { again: "drawn" };
      if (now() - began >= rule.ready.timeoutMs) break;
      await Promise.race([pause(wait), ...(rule.ahead ? watches().map((w) => w.turned) : [])]);
    }
    if (reading.scrolled) document.scrollingElement.scrollTop = 0;
    return still(() => {
      const list = items();
      Object.defineProperty(window, listKey, { value: { list, again: items }, configurable: true });
      return {
        url: document.location.href, clock: own ? own.date() : 0,
        notReady: missing, unsettled: why || (!list.length && foreignFrame() ? "a frame of another host cannot be read" : ""),
        asks: watches().some((w) => w.asks()),
        ...read(list),
      };
    });
  } catch (error) {
    if (error.badSelector) return { badSelector: error.badSelector };
    throw error;
  }
})
