// watch.js runs in each frame before the page's own scripts. It keeps account of
// everything that can still change the page: timers, requests, elements that
// load. So a page is known to be settled by events, and not by waiting.
(() => {
  const key = Symbol.for("poscrape.watch");
  const Promise = window.Promise; // libraries put their own in its place
  // A frame's window may be used for another document.
  if (window[key]) return window[key].attend();

  // Timers that are due later than this are not waited for.
  const horizon = 10000;
  // A timer, interval or address that came round this often without a change of
  // the page's elements is a poll, and not waited for any more.
  const idleRounds = 5;
  // So long something that goes on and on may be the page's work.
  const patience = 3000;

  const realSetTimeout = window.setTimeout.bind(window);
  const realSetInterval = window.setInterval.bind(window);
  const realClearTimeout = window.clearTimeout.bind(window);
  const realClearInterval = window.clearInterval.bind(window);
  const realFrame = window.requestAnimationFrame.bind(window);
  const realCancelFrame = window.cancelAnimationFrame.bind(window);
  // Since the document began: where the page's clock has run ahead, performance.now
  // has not begun at zero.
  const time = performance.now.bind(performance), origin = time();
  const now = () => time() - origin;
  const date = Date.now.bind(Date);

  const timers = new Set();
  const rounds = new Map();
  let requests = 0;
  let changes = 0;
  let changed = now(), grown = changed;

  const touch = () => { changed = now(); };
  const change = () => { changes++; touch(); grown = changed; };

  const round = (id) => {
    let r = rounds.get(id);
    if (!r) rounds.set(id, (r = { idle: 0, spent: 0, changes }));
    return r;
  };
  const came = (id, ms) => {
    const r = round(id);
    r.idle = r.changes === changes ? r.idle + 1 : 0;
    r.changes = changes;
    r.spent += ms;
  };
  let streams = false; // something goes on for ever that may still bring news
  let asking = false; // the page's own scripts have asked for something
  const worn = (id) => {
    const r = rounds.get(id);
    return !!r && (r.idle >= idleRounds || r.spent >= horizon);
  };
  const isPoll = (id) => {
    const poll = worn(id);
    streams ||= poll;
    return poll;
  };
  const source = (kind, fn, ms) => kind + ms + ":" + (Object.hasOwn(fn, "toString") ? fn.toString() : Function.prototype.toString.call(fn)).slice(0, 200);
  // Code that is given as a text runs as a function, so that it can be counted.
  const callable = (fn) => {
    if (typeof fn === "function") return fn;
    const run = () => (0, eval)(String(fn));
    run.toString = () => String(fn);
    return run;
  };
  // What the page cannot bear to have its clock run ahead with, since it goes on
  // in real time, and the promise that is kept when it begins to do so.
  let unbearable = "", turn;
  const turned = new Promise((over) => { turn = over; });
  const bearNot = (why) => { unbearable ||= why; turn(); };
  const stateOf = Object.getOwnPropertyDescriptor(Document.prototype, "readyState").get;
  const readyState = () => stateOf.call(window.document);

  window.setTimeout = function setTimeout(fn, delay, ...args) {
    const ms = Math.max(0, Number(delay) || 0);
    if (ms > horizon) return realSetTimeout(fn, delay, ...args);
    fn = callable(fn);
    const id = source("timeout", fn, ms);
    if (isPoll(id)) return realSetTimeout(fn, delay, ...args);
    const timer = realSetTimeout(function (...given) {
      timers.delete(timer);
      came(id, ms);
      touch();
      return fn.apply(this, given);
    }, delay, ...args);
    timers.add(timer);
    return timer;
  };
  window.setInterval = function setInterval(fn, delay, ...args) {
    const ms = Math.max(0, Number(delay) || 0);
    if (ms > horizon / idleRounds) return realSetInterval(fn, delay, ...args);
    fn = callable(fn);
    const id = source("interval", fn, ms);
    const timer = realSetInterval(function (...given) {
      came(id, ms);
      if (isPoll(id)) timers.delete(timer);
      return fn.apply(this, given);
    }, delay, ...args);
    if (!isPoll(id)) timers.add(timer);
    return timer;
  };
  window.clearTimeout = function clearTimeout(timer) { timers.delete(timer); return realClearTimeout(timer); };
  window.clearInterval = function clearInterval(timer) { timers.delete(timer); return realClearInterval(timer); };

  // What pages have done or are told only when they are drawn, which they may not be
  // unless that is asked for: of all that was wanted, so much was drawn.
  let wanted = 0, served = 0, drawing = false;
  // It is looked for so often: frames that are not shown are never drawn.
  let drawingLooks = 100;
  const turns = new Set(); // callbacks that come round and round
  const undrawn = () => wanted > served && drawingLooks > 0;
  const drawn = () => new Promise((over) => realFrame(() => {
    const all = wanted; // what is wanted by now comes with this picture, or is told of it
    realFrame(() => realSetTimeout(() => { served = all; over(); }, 0));
  }));
  const draw = () => {
    drawing = true;
    drawn().then(() => { drawing = false; if (wanted > served) draw(); });
  };
  const wantDrawn = () => {
    wanted++;
    if (!drawing) draw();
  };
  window.requestAnimationFrame = function requestAnimationFrame(fn) {
    if (typeof fn !== "function") return realFrame(fn); // which says what is wrong
    const id = source("frame", fn, 0);
    const turn = worn(id);
    if (!turn) wantDrawn();
    const frame = realFrame(function (...given) {
      turns.delete(frame);
      came(id, 0);
      return fn.apply(this, given);
    });
    if (turn) turns.add(frame);
    return frame;
  };
  window.cancelAnimationFrame = function cancelAnimationFrame(frame) { turns.delete(frame); return realCancelFrame(frame); };

  if (window.webkitRequestAnimationFrame) window.webkitRequestAnimationFrame = window.requestAnimationFrame;

  // Idle time may never come while the page's clock runs ahead, so its callbacks have a
  // time by which they run in any case.
  const idleBy = 500;
  if (window.requestIdleCallback) {
    const realIdle = window.requestIdleCallback.bind(window), realCancelIdle = window.cancelIdleCallback.bind(window);
    window.requestIdleCallback = function requestIdleCallback(fn, options) {
      const id = typeof fn === "function" && source("idle", fn, 0);
      if (!id || worn(id)) return realIdle(fn, options);
      const idle = realIdle(function (...given) {
        timers.delete("idle" + idle);
        came(id, 0);
        touch();
        return fn.apply(this, given);
      }, { timeout: Math.min(options?.timeout || idleBy, idleBy) });
      timers.add("idle" + idle);
      return idle;
    };
    window.cancelIdleCallback = function cancelIdleCallback(idle) { timers.delete("idle" + idle); return realCancelIdle(idle); };
  }

  // asks notes that the page asks its server for something. One that asks for the
  // same again and again, without showing anything new, waits for what the server
  // does in real time.
  const sameAsks = 3;
  const asked = new Map();
  const asks = (id, url, body) => {
    let names = "";
    try { names = [...new URL(url, document.baseURI).searchParams.keys()].sort().join(); } catch { /* it will fail */ }
    const key = id + "?" + names + " " + (typeof body === "string" ? body.slice(0, 200).replace(/\d+/g, "#") : "");
    const before = asked.get(key);
    const times = before && before.changes === changes ? before.times + 1 : 1;
    asked.set(key, { changes, times });
    if (times === sameAsks) bearNot("it asks its server for the same again and again");
    return id;
  };
  // during counts a request until its promise has settled.
  const during = (id, promise) => {
    asking = true;
    if (isPoll(id)) return promise;
    requests++;
    const over = () => { requests--; came(id, 0); touch(); };
    promise.then(over, over);
    return promise;
  };
  const addressOf = (input) => {
    try { return new URL(input instanceof Request ? input.url : input, document.baseURI).pathname; } catch { return String(input); }
  };
  if (window.fetch) {
    const realFetch = window.fetch.bind(window);
    window.fetch = function fetch(input, init) {
      const url = input instanceof Request ? input.url : input;
      return during(asks("fetch:" + addressOf(input), url, init && init.body), realFetch(input, init));
    };
    for (const name of ["json", "text", "blob", "arrayBuffer", "formData", "bytes"]) {
      const read = Response.prototype[name];
      if (!read) continue;
      Response.prototype[name] = function () { return during("body:" + addressOf(this.url || name), read.call(this)); };
    }
  }
  const realOpen = XMLHttpRequest.prototype.open, realSend = XMLHttpRequest.prototype.send;
  const addresses = new WeakMap();
  XMLHttpRequest.prototype.open = function (method, url, ...rest) {
    addresses.set(this, { id: "xhr:" + addressOf(url), url });
    return realOpen.call(this, method, url, ...rest);
  };
  XMLHttpRequest.prototype.send = function (...args) {
    const { id, url } = addresses.get(this) || { id: "xhr:" };
    during(asks(id, url, args[0]), new Promise((over) => this.addEventListener("loadend", over, { once: true })));
    return realSend.apply(this, args);
  };

  // Work of the page that other processes and threads do: no clock drives it.
  let works = 0;
  const working = (promise) => {
    asking = true; // it may know more than its HTML says
    works++;
    const over = () => { works--; touch(); };
    promise.then(over, over);
    return promise;
  };
  const countCalls = (object, names, count) => {
    for (const name of names) {
      const real = object && object[name];
      if (typeof real !== "function") continue;
      object[name] = function (...args) { return count(real.apply(this, args), this, name); };
    }
  };
  const countPromise = (result) => result instanceof Promise ? working(result) : result;
  // What other processes or threads tell soon, or never: it is looked for so often.
  const soon = new Map();
  const soonLooks = 60;
  const awaitSoon = (promise) => {
    const entry = {};
    soon.set(entry, soonLooks);
    const over = () => { if (soon.delete(entry)) touch(); };
    promise.then(over, over);
    return over;
  };
  const countSoon = (result, _, name) => {
    const id = "soon:" + name;
    if (!(result instanceof Promise) || worn(id)) return result;
    came(id, 0);
    awaitSoon(result);
    return result;
  };
  // There are streams without end: of one that changes nothing, so many pieces are waited
  // for, and more in so long a time.
  const idleReads = 20, streamPatience = 6000;
  const countRead = (result) => {
    if (!(result instanceof Promise)) return result;
    if (round("read").idle < idleReads || now() - grown < streamPatience) awaitSoon(result);
    result.then(() => came("read", 0), () => {});
    return result;
  };
  const awaited = () => {
    for (const [entry, left] of soon) { if (left) soon.set(entry, left - 1); else soon.delete(entry); }
    return soon.size > 0;
  };
  const methods = (type) => type ? Object.getOwnPropertyNames(type.prototype).filter((name) => name !== "constructor" &&
    typeof Object.getOwnPropertyDescriptor(type.prototype, name).value === "function") : [];
  for (const type of [window.SubtleCrypto, window.CacheStorage, window.Cache, window.Blob]) {
    countCalls(type && type.prototype, methods(type), countPromise);
  }
  countCalls(window, ["createImageBitmap"], countPromise);
  for (const [type, names] of [
    [window.CookieStore, ["get", "getAll", "set", "delete"]], [window.Permissions, ["query"]],
    [window.StorageManager, ["estimate", "persisted", "persist", "getDirectory"]],
    [window.ServiceWorkerContainer, ["register", "getRegistration", "getRegistrations"]],
    [window.NavigatorUAData, ["getHighEntropyValues"]],
    [window.FontFaceSet, ["load"]], [window.FontFace, ["load"]], [window.OffscreenCanvas, ["convertToBlob"]],
    [Document, ["hasStorageAccess"]],
  ]) countCalls(type && type.prototype, names, countSoon);
  for (const type of [window.ReadableStreamDefaultReader, window.ReadableStreamBYOBReader]) countCalls(type && type.prototype, ["read"], countRead);
  let walked = false;
  countCalls(ReadableStream.prototype, ["values", Symbol.asyncIterator], (pieces) => {
    if (!walked) countCalls(Object.getPrototypeOf(pieces), ["next"], countRead);
    walked = true;
    return pieces;
  });
  // A page works in slices that it sends itself messages for. Each is there when another,
  // which is sent after it, is.
  const realPost = MessagePort.prototype.postMessage;
  const sent = [];
  let echo;
  MessagePort.prototype.postMessage = function postMessage(...args) {
    const result = realPost.apply(this, args);
    if (now() - grown >= patience) return result;
    if (!echo) {
      echo = new MessageChannel();
      echo.port1.onmessage = () => sent.shift()();
    }
    awaitSoon(new Promise((over) => { sent.push(over); }));
    realPost.call(echo.port2, 0);
    return result;
  };
  // A lock may be kept for as long as the page is there: it is waited for until it is given.
  const realLock = window.LockManager && LockManager.prototype.request;
  if (realLock) LockManager.prototype.request = function request(name, ...rest) {
    const fn = rest.pop();
    let over = () => {};
    const result = realLock.call(this, name, ...rest, typeof fn === "function" ? (lock) => { over(); return fn(lock); } : fn);
    over = awaitSoon(result);
    return result;
  };
  // Tasks are timers with another name.
  const realTask = window.Scheduler && Scheduler.prototype.postTask;
  if (realTask) Scheduler.prototype.postTask = function postTask(fn, options) {
    const ms = Number(options?.delay) || 0, id = typeof fn === "function" && source("task", fn, ms);
    if (!id || ms > horizon || isPoll(id)) return realTask.call(this, fn, options);
    const timer = {};
    const over = () => { if (timers.delete(timer)) { came(id, ms); touch(); } };
    timers.add(timer);
    const result = realTask.call(this, () => { over(); return fn(); }, options);
    result.catch(over);
    return result;
  };
  countCalls(window.WebAssembly, ["compile", "instantiate", "compileStreaming", "instantiateStreaming"], countPromise);
  const eventOf = (target, ...kinds) => new Promise((over) => { for (const kind of kinds) target.addEventListener(kind, over, { once: true }); });
  const countRequest = (result) => {
    if (window.IDBRequest && result instanceof IDBRequest) working(eventOf(result, "success", "error", "blocked"));
    return result;
  };
  for (const type of [window.IDBFactory, window.IDBObjectStore, window.IDBIndex, window.IDBCursor]) {
    countCalls(type && type.prototype, methods(type), countRequest);
  }
  countCalls(window.IDBCursor && IDBCursor.prototype, ["continue", "advance", "continuePrimaryKey"],
    (result, cursor) => { countRequest(cursor.request); return result; });
  countCalls(FileReader.prototype, ["readAsText", "readAsDataURL", "readAsArrayBuffer", "readAsBinaryString"],
    (result, reader) => { working(eventOf(reader, "loadend")); return result; });
  for (const type of [window.IntersectionObserver, window.ResizeObserver]) {
    countCalls(type && type.prototype, ["observe"], (result) => { wantDrawn(); return result; });
  }
  countCalls(Document.prototype, ["startViewTransition"], (transition) => { wantDrawn(); working(transition.finished); return transition; });
  // Animations that end, and may bring something when they do. They are driven by
  // what is drawn, so looks are counted and not time: some ten seconds of them.
  let looks = 600;
  let moved = false;
  const animated = () => {
    const moves = looks > 0 && document.getAnimations().some((a) => a.playState === "running" && a.effect &&
      a.effect.getComputedTiming().endTime <= horizon) && looks-- > 0;
    if (moved && !moves) wantDrawn(); // an end is told when the page is drawn after it
    moved = moves;
    return moves;
  };

  // A web worker's own timers cannot be seen from here: its first answer is
  // waited for, if it comes soon.
  if (window.Worker) {
    window.Worker = class Worker extends window.Worker {
      constructor(url, options) {
        super(url, options);
        bearNot("it uses a web worker");
        during("worker:" + addressOf(url), new Promise((over) => {
          for (const kind of ["message", "error"]) this.addEventListener(kind, over, { once: true });
          realSetTimeout(over, patience);
        }));
      }
    };
  }

  for (const [name, what] of [["EventSource", "an event stream"], ["WebSocket", "a web socket"], ["WebTransport", "a web transport"],
    ["SharedWorker", "a shared worker"], ["RTCPeerConnection", "a peer connection"]]) {
    if (!window[name]) continue;
    window[name] = class extends window[name] {
      constructor(...args) { super(...args); streams = asking = true; bearNot("it uses " + what); }
    };
  }

  const framesOf = (node) => node.localName === "iframe" ? [node] : Element.prototype.getElementsByTagName.call(node, "iframe");
  const observer = new MutationObserver((records) => {
    // Until the page is loaded it counts as busy, and to look at each of its nodes
    // takes a tenth of the time of loading it.
    if (readyState() !== "complete") { change(); return; }
    for (const r of records) {
      if (r.type === "attributes") { change(); continue; }
      let elements = false;
      for (const list of [r.addedNodes, r.removedNodes]) {
        for (const node of list) {
          if (node.nodeType !== 1) continue;
          elements = true;
          if (list !== r.addedNodes) continue;
          if (node.localName === "script" && node.src) asking = true;
          for (const frame of framesOf(node)) {
            asking = true;
            if (frame.loading === "lazy") wantDrawn();
          }
        }
      }
      if (elements) change();
      else if (now() < patience) touch(); // texts that go on changing for long are clocks and counters
    }
  });
  const watched = { subtree: true, childList: true, characterData: true, attributes: true,
    attributeFilter: ["href", "src", "hidden", "disabled", "download", "open", "aria-busy", "aria-hidden"] };
  const realAttach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (init) {
    const root = realAttach.call(this, init);
    observer.observe(root, watched);
    return root;
  };
  for (const kind of ["load", "error"]) window.addEventListener(kind, touch);
  // Frames that are loaded when they come into view.
  const lazyFrames = () => { if (Document.prototype.querySelector.call(document, "iframe[loading=lazy i]")) wantDrawn(); };
  const attend = () => {
    observer.observe(document, watched);
    for (const kind of ["load", "error"]) document.addEventListener(kind, touch, true);
    document.addEventListener("DOMContentLoaded", lazyFrames);
  };
  attend();

  // leadsOn: a meta element sends the reader on to another page soon.
  const leadsOn = () => {
    const meta = Document.prototype.querySelector.call(document, 'meta[http-equiv="refresh" i]');
    const m = meta && (meta.content || "").match(/^\s*(\d+(?:\.\d+)?)\s*[;,]\s*url\s*=\s*['"]?([^'"]+)/i);
    if (!m || Number(m[1]) * 1000 > horizon) return false;
    try { return new URL(m[2].trim(), document.baseURI).href.split("#")[0] !== document.location.href.split("#")[0]; } catch { return false; }
  };

  // What read.js asks: busy says what keeps the page from being settled, or "".
  Object.defineProperty(window, key, { value: {
    attend, now,
    pause: (ms) => new Promise((over) => realSetTimeout(over, ms)),
    quiet: () => now() - changed,
    streams: () => streams,
    date,
    // For read.js, which may be called several times.
    reading: {},
    unbearable: () => unbearable,
    turned,
    working: () => works > 0 || soon.size > 0 || animated() || undrawn(),
    drawn, touch,
    asks: () => asking,
    // It is drawn again and again for something that has not changed it so far.
    turning: () => turns.size > 0,
    busy: () => {
      const undone = undrawn();
      if (undone) drawingLooks--;
      if (readyState() !== "complete") return "the page is still loading";
      const answers = awaited();
      if (leadsOn()) return "the page is about to lead on to another";
      if (requests > 0) return "requests of the page are under way";
      if (works > 0 || answers) return "the page is at work";
      if (animated()) return "parts of the page are moving";
      if (undone || undrawn()) return "the page waits to be drawn";
      if (timers.size > 0) return "timers of the page are pending";
      return "";
    },
  } });
})();
