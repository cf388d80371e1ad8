// accounts.js is one function: it asks the accounts that watch.js keeps in the page's
// own world, and its frames', how the page is. The answers come on an element that is
// not in the page: an event that only watch.js knows the name of hands it over, so no
// script of the page can hear a question, or answer it.
(channel, property) => {
  const { dispatchEvent } = EventTarget.prototype,
    { createElement } = Document.prototype;
  const send = (target, event) => dispatchEvent.call(target, event);
  const carriers = new WeakMap();

  const frames = () => {
    const found = [];
    const visit = (win) => {
      try {
        if (win.document) found.push(win);
      } catch {
        return;
      }
      for (let i = 0; i < win.frames.length; i++) visit(win.frames[i]);
    };
    visit(window);
    return found;
  };
  // runs reports whether a document may run scripts: it parses as one that does.
  const runs = (doc) => {
    const probe = createElement.call(doc, "div");
    probe.innerHTML = "<noscript><i></i></noscript>";
    return !probe.querySelector("i");
  };
  let unbearable = "",
    turn; // once a page does not bear something, it never will
  const turned = new Promise((over) => {
    turn = over;
  });
  const carrierOf = (win) => {
    let carrier = carriers.get(win.document);
    if (carrier) return carrier;
    carrier = createElement.call(document, "div");
    send(win, new MouseEvent(channel, { relatedTarget: carrier }));
    if (!carrier.hasAttribute("here")) return null;
    carrier.addEventListener("turned", () => {
      unbearable ||= carrier.getAttribute("unbearable");
      turn();
    });
    carriers.set(win.document, carrier);
    return carrier;
  };

  // leadsOn returns where a page is about to go: "on" to another, or to "itself"; or "". said is its Refresh header.
  const horizon = 10;
  const leadsOn = (doc, said) => {
    const meta = Document.prototype.querySelector.call(doc, 'meta[http-equiv="refresh" i]'),
      text = meta?.getAttribute("content") || said || "",
      m = text.match(/^\s*(\d+(?:\.\d+)?)\s*(?:$|[;,]\s*(?:url\s*=\s*)?['"]?([^'"]*))/i);
    if (!m || Number(m[1]) > horizon) return "";
    const here = property(doc, "URL").split("#")[0];
    try {
      return m[2]?.trim() && new URL(m[2].trim(), doc.baseURI).href.split("#")[0] !== here ? "on" : "itself";
    } catch {
      return "";
    }
  };

  // account returns what a frame's account says, or undefined if there is none, since the
  // frame runs no scripts. One that should have an account and does not answer is not settled.
  const account = (win, refresh) => {
    const doc = win.document,
      carrier = carrierOf(win),
      leads = leadsOn(doc, win === window ? refresh : "");
    if (!carrier)
      return runs(doc) ? { busy: "a frame of the page gives no account of itself", quiet: 0, flags: "" } : undefined;
    send(carrier, new Event("look"));
    const busy =
      property(doc, "readyState") !== "complete"
        ? "the page is still loading"
        : leads === "on"
          ? "the page is about to lead on to another"
          : carrier.getAttribute("busy");
    const facts = {};
    for (const { name, value } of carrier.attributes) if (name.startsWith("fact-")) facts[name.slice(5)] = value;
    return {
      busy,
      quiet: Number(carrier.getAttribute("quiet")),
      flags: carrier.getAttribute("flags") + (leads === "itself" && win === window ? "reloads " : ""),
      fed: Number(carrier.getAttribute("fed")),
      unbearable: carrier.getAttribute("unbearable"),
      facts,
    };
  };

  // look returns how the page is, with all its frames that can be looked into. refresh is its Refresh header.
  const look = (refresh) => {
    const all = frames()
        .map((win) => account(win, refresh))
        .filter(Boolean),
      has = (flag) => all.some((a) => a.flags.includes(flag));
    return {
      none: all.length === 0, // it runs no scripts
      // busy says what keeps the page from being settled, or is empty.
      busy: all.map((a) => a.busy).find(Boolean) || "",
      quiet: Math.min(...all.map((a) => a.quiet)),
      unbearable: unbearable || all.map((a) => a.unbearable).find(Boolean) || "",
      streams: has("streams"),
      // A stream of messages is open.
      live: has("live"),
      // So often a message of a stream has changed its elements.
      fed: all.reduce((sum, a) => sum + (a.fed || 0), 0),
      asks: has("asks"),
      working: has("works"),
      // It is drawn again and again for something that has not changed it so far.
      turning: has("turning"),
      // Timers of it are due that are not waited for in real time.
      late: has("late"),
      // It is about to load itself again.
      reloads: has("reloads"),
      // It may bring more when it is scrolled.
      rolls: has("rolls"),
      facts: all.map((a) => a.facts),
    };
  };
  carrierOf(window); // before the page's first script
  return { look, turned };
};
