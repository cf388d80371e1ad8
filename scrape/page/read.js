// read.js is one function: it sets up what reads a page, in a world of its own that no
// script of the page can reach. read waits until the page is settled by the rule that it
// is given, and returns everything that poscrape wants of it, as extract reads
// it. It changes nothing on the page. Where something has to be waited for that the
// page's clock does not drive, it returns what, and is to be called again after
// that; and where the page's clock must not run ahead (rule.ahead), it says why.
(channel, accountsOf, extract) => {
  if (window !== window.top) return; // frames are looked into from the page
  // A form or picture that is named "title" or "body" hides the document's own.
  const property = (doc, name) => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(doc);
  const { look, turned } = accountsOf(channel, property);
  // Since the document began: where the page's clock has run ahead, performance.now
  // has not begun at zero.
  const origin = performance.now(),
    now = () => performance.now() - origin;
  const pause = (ms) => new Promise((over) => setTimeout(over, ms));
  let grown = 0; // when it may have grown in a way that no account tells

  const documentOf = Object.getOwnPropertyDescriptor(Node.prototype, "ownerDocument").get;
  const { checkVisibility } = Element.prototype,
    drawn = { visibilityProperty: true };
  const visible = (el) => {
    if (!checkVisibility.call(el, drawn)) return false;
    for (let win = documentOf.call(el).defaultView; win && win.frameElement; win = win.parent) {
      if (!checkVisibility.call(win.frameElement, drawn)) return false;
    }
    return true;
  };
  const expanded = new WeakSet(); // what was clicked to show more
  const closed = (el) => !expanded.has(el) && Element.prototype.getAttribute.call(el, "aria-expanded") !== "true";
  const eyes = {
    visible,
    shown: (el) => (el ? dom.shown(el) : undefined),
    target: (a) => a,
    resolve: (el, href) => new URL(href, el.baseURI),
    address: (doc) => (doc.location.href === "about:srcdoc" ? document : doc).location.href,
    flat: false,
    used: (el) => expanded.has(el),
  };
  // told returns what was read, without the elements in it.
  const told = (page) => (page.turn ? { ...page, turn: { ...page.turn, el: undefined, on: !!page.turn.el } } : page);
  // What one reading that is called several times keeps of itself.
  const reading = {};
  let roll = {}; // and of the scrolling of its list; what may bring another one begins it anew
  let list = [],
    again = () => [],
    moves = false; // its rows may be drawn for other orders
  let many = 0; // items were listed last
  let shown = [], // the items that were listed last
    before = new WeakSet(); // those of the page of documents before

  const read = async (rule) => {
    const began = now();
    let state; // how the page is
    const { all, notReady, refuses, items, press, none, expanders, still, read } = extract(rule, document, eyes);

    // foreignFrame: a part of the page that is another host's, and too large for a
    // counter, cannot be looked into.
    const foreignFrame = () =>
      all("iframe, frame").some((el) => {
        const box = el.getBoundingClientRect();
        return !el.contentDocument && visible(el) && box.width > 80 && box.height > 80;
      });

    const unsettled = () =>
      state.busy ||
      (Math.min(state.quiet, now() - grown) < rule.ready.quietMs && !state.none ? "the page keeps changing" : "") ||
      (streamed() ? "a stream of the page keeps bringing documents" : "") ||
      (reloads() ? "the page is about to load itself again" : "");
    const reloads = () => state.reloads && now() - began < rule.reloadMs;
    // streamed: a message of a stream has brought items, and so long none came after it.
    const streamQuiet = 6000;
    const streamed = () => reading.streamedAt !== undefined && now() - reading.streamedAt < streamQuiet;
    const heed = () => {
      // So long a message may take that brings items.
      if (rule.streamMs && state.live) reading.streamedAt ??= now() - streamQuiet + rule.streamMs;
      if (!state.streams || rule.late || reading.fed === state.fed) return;
      const keys = [...keysOf(items())].sort().join("\n");
      if (reading.fed < state.fed && keys !== reading.keys) {
        reading.streamedAt = now();
        reading.streamed = true;
      }
      reading.fed = state.fed;
      reading.keys = keys;
    };

    // Before a page counts as one that lists nothing, the mouse moves over it, and it is
    // drawn once: some load their scripts when a person first stirs, what is mounted when
    // it comes into view has to be scrolled to, and animations end only when they are drawn.
    const undrawn = () => {
      if (reading.drawn) return false;
      reading.drawn = true;
      const el = property(document, "scrollingElement");
      if (el && el.scrollHeight > window.innerHeight) {
        reading.scrolled = true;
        el.scrollTop = el.scrollHeight;
      }
      return true;
    };
    // blank is where a page has nothing that minds the mouse, as menus do: its ground, or else what is largest.
    const blank = () => {
      const share = [0.97, 0.75, 0.5, 0.25, 0.01];
      const spots = share.flatMap((y) => share.map((x) => ({ x: innerWidth * x, y: innerHeight * y })));
      const size = ({ x, y }) => {
        const el = Document.prototype.elementFromPoint.call(document, x, y);
        if (!el || el.localName === "html" || el.localName === "body") return Infinity;
        if (/^(?:i?frame|object|embed|a|button)$/.test(el.localName)) return 0;
        const { width, height } = Element.prototype.getBoundingClientRect.call(el);
        return width * height;
      };
      return spots
        .map((at) => ({ ...at, size: size(at) }))
        .reduce((one, other) => (other.size > one.size ? other : one));
    };
    // A page that draws itself again and again is drawn for some seconds more, before it
    // counts as one that lists nothing: it may count its pictures, or their time.
    const turning = () => {
      if (rule.late || !state.turning) return false;
      reading.turns = (reading.turns ?? 0) + 1;
      return rule.ahead ? reading.turns <= rule.turnMs / 40 : now() - began < rule.turnMs;
    };
    // Where something polls or streams for ever and nothing is listed, news are
    // waited for this long: scripts mount documents after up to eight seconds.
    const patience = 8000;
    // keysOf tells items apart: by where they lead, as their texts may change, unless that is a
    // script's, or that of several.
    const keysOf = (els) => {
      const lead = els.map((el) => dom.attr(el, "href") || ""),
        times = new Map();
      for (const to of lead) times.set(to, (times.get(to) ?? 0) + 1);
      const own = (to) => times.get(to) === 1 && !/^(#|javascript:|$)/i.test(to);
      return new Set(els.map((el, i) => (own(lead[i]) ? lead[i] : lead[i] + "\n" + dom.text(el))));
    };
    // rolling are what holds items, and can be scrolled further.
    const rolling = () => {
      const around = new Set(),
        pages = new Set();
      for (const item of items()) {
        pages.add(property(documentOf.call(item), "scrollingElement"));
        for (let el = item; el && !around.has(el); el = dom.up(el) ?? el.getRootNode().host) around.add(el);
      }
      const rolls = (el) => (pages.has(el) && state.rolls) || /auto|scroll/.test(getComputedStyle(el).overflowY);
      const further = (el) => el && el.scrollHeight > el.clientHeight + 2 && rolls(el);
      return [...new Set([...around, ...pages])].filter(further);
    };
    const maxRolls = 50;
    // unroll says how lists that go on when they are scrolled stand: "over" once they have been, as far
    // as they go; else what has to be waited for. It scrolls what holds items, again as long as that
    // brings further ones, and then back, after which all that it has seen has to be there. Of a list
    // that takes away items in exchange, only a part ever is. A list that has others since is unrolled
    // anew. Only when it is drawn is a list told that it was scrolled (roll.at), however far the page's
    // clock has gone on by then.
    const unroll = () => {
      if (rule.late) return "over";
      if (roll.known && !roll.done && roll.at === undefined && !state.none) return "drawn";
      const keys = keysOf(items());
      if (roll.done && [...keys].some((key) => !roll.known.has(key))) roll = {};
      if (roll.done) return "over";
      const { known, back } = roll,
        grown = !known || [...keys].some((key) => !known.has(key)),
        lost = !!known && [...known].some((key) => !keys.has(key));
      if (known && grown) roll.slowest = Math.max(roll.slowest ?? 0, now() - state.quiet - roll.at);
      if (known && !grown && stirs()) return "time";
      roll.known = new Set([...(known ?? []), ...keys]);
      if (lost && (grown || back)) roll.inParts = "taken away";
      if (back && (!grown || roll.inParts)) return over();
      roll.rounds = (roll.rounds ?? 0) + 1;
      if (grown && roll.rounds > maxRolls) roll.inParts ??= "too long";
      const boxes = grown && !roll.inParts ? rolling() : [];
      for (const el of boxes) el.scrollTop = el.scrollHeight;
      roll.boxes = new Set([...(roll.boxes ?? []), ...boxes]);
      roll.at = undefined;
      if (boxes.length) return "drawn";
      for (const el of roll.boxes) el.scrollTop = 0;
      roll.back = roll.boxes.size > 0; // what it shows at its beginning has to be drawn again
      return roll.back ? "drawn" : over();
    };
    const over = () => {
      roll.done = true;
      return "over";
    };
    // stirs: something of the page goes on that no account waits for any more, such as a timer that came
    // with each scrolling. So long it may yet bring what the last scrolling has asked for: twice as long
    // as any took so far.
    const stirs = () => state.streams && now() - roll.at < Math.max(2 * (roll.slowest ?? 0), rule.ahead ? 2000 : 500);
    const closes = () => !!rule.attachments?.closed?.some((one) => expanders(one).met.some(closed));
    // listed: what there is to look for is there, or what would show it, or the portal says that it is not, also
    // once the page was drawn: what is below may not have been asked for before.
    const listed = () =>
      items().length > 0 ||
      closes() ||
      (reading.drawn && none()) ||
      (!rule.auto && !rule.attachments && (!rule.lines || all(rule.lines.row, rule.lines.frame).length > 0));
    // Where the page's clock runs ahead, the proof that nothing is listed costs
    // next to nothing: so much quiet is asked for, as long as it may be hoped for.
    const proof = 10000,
      hope = 20000;
    const quietEnough = () =>
      !rule.ahead || (!state.late && (now() >= hope || Math.min(state.quiet, now() - grown) >= proof));

    try {
      let missing = "",
        why = "";
      for (let wait = 15; ; wait = rule.ahead ? Math.min(wait * 1.5, state.late ? 2000 : 500) : 15) {
        state = look(rule.refresh);
        const loaded = property(document, "readyState") === "complete";
        if (state.none && !loaded) state.busy = "the page is still loading";
        if (rule.ahead && state.unbearable) return { realTime: state.unbearable };
        if (rule.ahead && reloads()) return { realTime: "it loads itself again" };
        const ended = still(() => {
          heed();
          why = unsettled();
          missing = notReady(why !== "");
          return !missing && !why && listed();
        });
        const unrolled = ended && still(unroll);
        if (unrolled === "over") break;
        if (unrolled === "drawn") return { again: "drawn" };
        if (rule.glance) return { again: !rule.late && loaded && state.working ? "drawn" : "time" };
        const rests = !missing && !why && !ended;
        if (rests && undrawn()) {
          const { x, y } = blank();
          return { again: "moved", x, y };
        }
        const turns = rests && quietEnough() && turning();
        if (turns && rule.ahead) return { again: "drawn" };
        if (!turns && rests && quietEnough() && !(state.streams && now() < patience)) break;
        // A settled page that refuses will not show the order, however long one waits.
        if (missing === "selector" && !why && refuses()) break;
        if (rule.late) break;
        if (rule.ahead && !loaded) return { again: "loaded" };
        if (rule.ahead && state.working) return { again: "drawn" };
        if (now() - began >= rule.ready.timeoutMs) break;
        await Promise.race(rule.ahead ? [pause(wait), turned] : [pause(wait)]);
      }
      if (reading.scrolled) property(document, "scrollingElement").scrollTop = 0;
      return still(() => {
        const listed = items();
        list = listed.map(press);
        shown = listed;
        again = () => items().map(press);
        moves = !!rule.list;
        many = listed.length;
        return {
          lively: state.streams,
          streams: state.live,
          streamed: !!reading.streamed,
          turned: !!reading.turns,
          url: document.location.href,
          charset: property(document, "characterSet"),
          clock: state.none ? 0 : Date.now(),
          notReady: why ? notReady() : missing,
          unsettled: why,
          parsed: property(document, "readyState") !== "loading",
          unseen: foreignFrame() ? "a frame of another host cannot be read" : "",
          inParts: roll.inParts ?? (roll.known && !roll.done ? "unfinished" : ""),
          asks: state.asks,
          closed: closes(),
          kept: listed.filter((el) => before.has(el)).length,
          ...told(read(listed)),
        };
      });
    } catch (error) {
      if (error.badSelector) return { badSelector: error.badSelector };
      throw error;
    }
  };

  // more returns by how many items the list is longer than when it was read.
  const more = () => again().length - many;
  // click clicks an item of the list, which is made anew where the page has drawn its
  // items again. From then on it counts what links with a download attribute ask for.
  let counting = false,
    links = 0;
  const click = (index) => {
    if (!counting && window.navigation) {
      counting = true;
      EventTarget.prototype.addEventListener.call(navigation, "navigate", (e) => {
        if (e.downloadRequest !== null) links++;
        if (e.downloadRequest !== null || !e.destination.sameDocument) asked = true;
      });
    }
    if (!stands(index)) return false;
    asked = false;
    known = new Set(shownFiles());
    const el = list[index];
    if (dom.matches(el, FILE)) save(fileOf(el));
    else clickOn(el);
    return true;
  };
  // The files that the page has made, and shows within itself: Chrome asks for none, where it shows no PDF.
  const FILE = "embed[src^='blob:'], object[data^='blob:']";
  const fileOf = (el) => Element.prototype.getAttribute.call(el, el.localName === "embed" ? "src" : "data");
  const shownFiles = () => [...Document.prototype.querySelectorAll.call(document, FILE)].map(fileOf);
  let known = new Set(); // those that were there before the click
  // saveShown has Chrome download the file that the page shows since the click, if it shows one.
  const saveShown = () => {
    const now = shownFiles().filter((file) => !known.has(file));
    if (now.length === 1) save(now[0]);
    known = new Set(shownFiles());
  };
  const save = (href) => {
    const link = Document.prototype.createElement.call(document, "a");
    link.href = href;
    link.download = "";
    HTMLElement.prototype.click.call(link);
  };
  // stands reports whether an item is still there: a menu closes when one of its entries is clicked.
  const stands = (index) => {
    if (moves || !list[index]?.isConnected) list = again();
    return !!list[index]?.isConnected;
  };
  let pressed = false, // an item
    asked = false; // since then, for another document, or a download
  const clickOn = (el) => {
    pressed = true;
    Element.prototype.scrollIntoView.call(el, { block: "center" });
    try {
      HTMLElement.prototype.click.call(el);
    } catch {
      // it is a picture's part
      EventTarget.prototype.dispatchEvent.call(el, new MouseEvent("click", { bubbles: true, cancelable: true }));
    }
  };
  // then says how many elements attachments.then meets that can be clicked, and whether the page
  // is at rest. If it is, or hurried, and there is only one, which may be clicked, that is clicked.
  const then = (rule, go, hurried) => {
    const { none, busy, quiet } = look(),
      met = extract(rule, document, eyes).second(),
      refused = met.map((one) => one.refused).find(Boolean) || "",
      rests = none || (!busy && quiet >= rule.ready.quietMs),
      clicked = go && pressed && !asked && (rests || hurried) && met.length === 1 && !refused;
    if (clicked) clickOn(met[0].el);
    return { met: met.length, refused, rests, clicked, asked, left: !pressed };
  };
  // rest waits until the page is at rest, for so long at most.
  const rest = async (quietMs, ms) => {
    for (const began = now(); now() - began < ms; await pause(15)) {
      const { none, busy, quiet } = look();
      if (none || (!busy && quiet >= quietMs)) return;
    }
  };

  // What may have to be waited for, and the page's clock does not drive: that the
  // page is loaded; that it has been drawn anew, and what watches for that was told; that it
  // may have grown, and has to be quiet once more.
  const events = {
    loaded: (over) => (property(document, "readyState") === "complete" ? over() : addEventListener("load", over, true)),
    drawn: (over) =>
      requestAnimationFrame(() => {
        roll.at ??= now();
        requestAnimationFrame(() => setTimeout(over, 0));
      }),
    grown: (over) => {
      grown = now();
      setTimeout(over, 50);
    },
  };
  const wait = async (event, ms) => {
    if (!look().none) await Promise.race([pause(ms), new Promise(events[event])]);
  };

  // waitsFor says what the page has under way: what its clock brings, nothing, or
  // anything else.
  const waitsFor = () => {
    const { busy } = look();
    return /^timers|drawn$/.test(busy) ? "time" : busy;
  };
  // idle waits for so long until the page has nothing under way, and says what it still
  // has, and how many downloads its links have asked for since the first click.
  const idle = async (ms) => {
    for (const began = now(); ; await pause(15)) {
      const { none, busy } = look(),
        why = none ? "it keeps no account of itself" : busy;
      if (!why || none || now() - began >= ms) return { why, links };
    }
  };
  // found says what a search has found for an order, and goes to the one result that shows
  // its number; what another window would show is left to the caller.
  const text = () => property(document, "body")?.innerText ?? "";
  const found = (rule, selector, follow) => {
    const { met, says, hits } = extract(rule, document, eyes).results(selector);
    const hit = hits.length === 1 ? hits[0] : undefined;
    if (follow && hit && !hit.away) HTMLElement.prototype.click.call(hit.press);
    return { met, says, hits: hits.length, to: hit?.away ? hit.to : "", shows: document.location.href + "\n" + text() };
  };
  // expand clicks the next element that a selector meets and that was not clicked yet, and
  // returns how many it meets, whether it has clicked one, and the label of one that must not be clicked.
  const expand = (rule, selector) => {
    const { met, more, labelOf } = extract(rule, document, eyes).expanders(selector);
    const el = met.find(closed),
      refused = more.find(closed);
    if (el) {
      expanded.add(el);
      roll = {};
      HTMLElement.prototype.click.call(el);
    }
    return { met: met.length, clicked: el !== undefined, refused: refused ? labelOf(refused).slice(0, 80) : "" };
  };
  // listed says what the page shows of a list of orders: see extract.js.
  const listed = (rule) => {
    const { hits, turn, numbers, rows } = extract(rule, document, eyes).browse();
    return { hits, turn: { met: turn.met, on: turn.el !== null, refused: turn.refused }, numbers, rows };
  };
  const inData = (rule, elements) => extract(rule, document, eyes).inData(elements);
  const listFrames = (rule) => extract(rule, document, eyes).listFrames();
  // turn clicks what leads to the next page of documents, or of a list of orders. It returns
  // whether there was anything, and the address that a link leads to where no script of the page
  // sees to that.
  const turn = (rule, ofList) => {
    const page = extract(rule, document, eyes),
      { el } = ofList ? page.browse().turn : page.turners();
    if (!el) return { pressed: false, to: "" };
    let to = "";
    const last = (e) => {
      const link = e.composedPath().find((at) => at.localName === "a" && dom.has(at, "href"));
      if (!link || e.defaultPrevented || documentOf.call(link) !== document) return;
      const there = new URL(link.href),
        here = new URL(property(document, "URL"));
      there.hash = here.hash = "";
      if (/^https?:$/.test(there.protocol) && there.href !== here.href) {
        e.preventDefault();
        to = link.href;
      }
    };
    before = new WeakSet(shown);
    roll = {};
    Element.prototype.scrollIntoView.call(el, { block: "center" });
    EventTarget.prototype.addEventListener.call(window, "click", last);
    HTMLElement.prototype.click.call(el);
    EventTarget.prototype.removeEventListener.call(window, "click", last);
    return { pressed: true, to };
  };
  // described has a function look at the page by means of what the rule makes of it.
  const described = (rule, look) => {
    const known = extract(rule, document, eyes);
    return known.still(() => look(known));
  };
  // refusedLabel says whether what bears a label may do more than show something, see listing.js.
  const refusedLabel = (rule, ...label) => extract(rule, document, eyes).refusedLabel(...label);
  const doing = (rule, texts) => extract(rule, document, eyes).doing(texts);
  const numbersIn = (rule, text, others) => extract(rule, document, eyes).numbersIn(text, others);
  globalThis.poscrape = {
    refusedLabel,
    doing,
    numbersIn,
    expand,
    turn,
    listed,
    inData,
    listFrames,
    found,
    read,
    described,
    click,
    saveShown,
    more,
    stands,
    then,
    rest,
    idle,
    wait,
    waitsFor,
  };
};
