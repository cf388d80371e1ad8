// watch.js keeps account of everything that can still change the page: timers,
// requests, elements that load. So a page is known to be settled by events, and not by
// waiting. It is told beside the page only, by accounts.js.

// Timers that are due later than this are not waited for, unless the page's clock runs ahead and it
// lists nothing: then those are that are due before far.
const horizon = 10000,
  far = 60000;
// What came round this often without a change of the page's elements is not waited for any more: a
// timer, interval or address is a poll then.
const idleRounds = 5,
  pollRounds = 10;
// Intervals that are longer are not waited for.
const longestInterval = 2000;
// So long something that goes on and on may be the page's work.
const patience = 3000;

const {
  setTimeout: realSetTimeout,
  setInterval: realSetInterval,
  clearTimeout: realClearTimeout,
  clearInterval: realClearInterval,
  requestAnimationFrame: realFrame,
  cancelAnimationFrame: realCancelFrame,
  eval: evaluate,
  Event: RealEvent,
  URL: RealURL,
} = window;
// Since the document began: where the page's clock has run ahead, performance.now
// has not begun at zero.
const time = performance.now.bind(performance),
  origin = time();
const now = () => time() - origin;
const delayed = (fn, ms) => apply(realSetTimeout, window, [fn, ms]);

let requests = 0;
let changes = 0;
let changed = now(),
  grown = changed;

const touch = () => {
  changed = now();
};
// fed is how often the page's elements changed right after a message of a stream.
const fedWithin = 100;
let heard = -fedWithin,
  fed = 0;
const change = () => {
  changes++;
  touch();
  grown = changed;
  if (grown - heard < fedWithin) fed++;
};

// --- what comes round and round ---

const rounds = bare();
const round = (id) => (rounds[id] ??= { idle: 0, spent: 0, changes });
const came = (id, ms) => {
  const r = round(id);
  r.idle = r.changes === changes ? r.idle + 1 : 0;
  r.changes = changes;
  r.spent += ms;
};
let live = false; // a stream of messages is open
let streams = false; // something goes on for ever that may still bring news
let asking = false; // the page's own scripts have asked for something
const worn = (id, most = idleRounds) => {
  const r = rounds[id];
  return !!r && (r.idle >= most || r.spent >= horizon);
};
const isPoll = (id) => {
  const poll = worn(id, pollRounds);
  streams ||= poll;
  return poll;
};
const { toString: sourceOf } = Function.prototype,
  { slice } = String.prototype;
const source = (kind, fn, ms) =>
  kind + ms + ":" + apply(slice, typeof fn === "string" ? fn : apply(sourceOf, fn, none), [0, 200]);

// What the page cannot bear to have its clock run ahead with, since it goes on
// in real time. Who waits beside the page is told when it begins to do so.
let unbearable = "",
  carriers = null;
const bearNot = (why) => {
  if (unbearable) return;
  unbearable = why;
  for (let c = carriers; c; c = c.next) {
    apply(setAttribute, c.carrier, ["unbearable", why]);
    apply(dispatch, c.carrier, [new RealEvent("turned")]);
  }
};

// --- timers ---

const timers = bare(),
  issued = bare();
let pending = 0;
const begin = (timer) => {
  timers[timer] = true;
  pending++;
};
const end = (timer) => {
  if (!timers[timer]) return false;
  delete timers[timer];
  pending--;
  return true;
};
// Numbers are what the browser makes of them, once: objects may be another at each look.
const whole = (number) => {
  const n = +number | 0;
  return n > 0 ? n : 0;
};
// Code that is given as a text runs as a function, so that it can be counted.
const given = (fn) => (typeof fn === "function" ? fn : "" + fn);
const run = (fn, args) => (typeof fn === "string" ? evaluate(fn) : apply(fn, window, args));
// reloaders are timers that load the page again, whatever it shows.
const reloaders = bare(),
  reloads = /\breload\s*\(/,
  mayNot = /\bif\b|[?&|]/;
const reloader = (timer, fn, ms) => {
  const code = typeof fn === "string" ? fn : apply(sourceOf, fn, none);
  if (window !== window.top || ms > horizon || !apply(exec, reloads, [code]) || apply(exec, mayNot, [code]))
    return false;
  return (reloaders[timer] = true);
};
const issue = (timer) => {
  issued[timer] = true;
  return timer;
};

const reloading = () => {
  for (const timer in reloaders) if (reloaders[timer]) return true;
  return false;
};

// later issues a timer that is not waited for as others are.
const distant = bare();
let lates = 0;
const later = (fn, ms) => {
  if (ms <= horizon || now() + ms > far) return delayed(fn, ms);
  const timer = delayed(() => {
    passed(timer);
    return fn();
  }, ms);
  distant[timer] = true;
  lates++;
  return timer;
};
const passed = (timer) => {
  if (!distant[timer]) return;
  delete distant[timer];
  lates--;
  touch();
};

window.setTimeout = {
  setTimeout(fn, delay, ...args) {
    const ms = whole(delay),
      code = given(fn),
      id = source("timeout", code, ms);
    if (ms > horizon || isPoll(id)) return issue(later(() => run(code, args), ms));
    const timer = delayed(() => {
      delete issued[timer];
      delete reloaders[timer];
      end(timer);
      came(id, ms);
      touch();
      return run(code, args);
    }, ms);
    if (!reloader(timer, code, ms)) begin(timer);
    return issue(timer);
  },
}.setTimeout;
window.setInterval = {
  setInterval(fn, delay, ...args) {
    const ms = whole(delay),
      code = given(fn),
      id = source("interval", code, ms);
    const timer = apply(realSetInterval, window, [
      () => {
        came(id, ms);
        if (isPoll(id)) end(timer);
        return run(code, args);
      },
      ms,
    ]);
    if (!reloader(timer, code, ms) && ms <= longestInterval && !isPoll(id)) begin(timer);
    return issue(timer);
  },
}.setInterval;
// Pages clear all the numbers that there may be: those of poscrape's own timers as well.
const clear = (real, timer) => {
  const n = +timer | 0;
  end(n);
  passed(n);
  delete reloaders[n];
  if (issued[n]) apply(real, window, [n]);
  delete issued[n];
};
window.clearTimeout = {
  clearTimeout(timer) {
    clear(realClearTimeout, timer);
  },
}.clearTimeout;
window.clearInterval = {
  clearInterval(timer) {
    clear(realClearInterval, timer);
  },
}.clearInterval;

// --- drawing ---

// What pages have done or are told only when they are drawn, which they may not be
// unless that is asked for: of all that was wanted, so much was drawn.
let wanted = 0,
  served = 0,
  drawing = false;
// It is looked for so often: frames that are not shown are never drawn.
let drawingLooks = 100;
const turns = bare(); // callbacks that come round and round
let turning = 0;
const turned = (frame) => {
  if (turns[frame]) {
    delete turns[frame];
    turning--;
  }
};
const undrawn = () => wanted > served && drawingLooks > 0;
const draw = () => {
  drawing = true;
  apply(realFrame, window, [
    () => {
      const all = wanted; // what is wanted by now comes with this picture, or is told of it
      apply(realFrame, window, [
        () =>
          delayed(() => {
            served = all;
            drawing = false;
            if (wanted > served) draw();
          }, 0),
      ]);
    },
  ]);
};
const wantDrawn = () => {
  wanted++;
  if (!drawing) draw();
};
// Pictures lag far behind a clock that runs ahead, and pages measure one time by the other.
const lag = 100;
const drawnAt = (at) => (time() - at > lag ? time() : at);
window.requestAnimationFrame = {
  requestAnimationFrame(fn) {
    if (typeof fn !== "function") return apply(realFrame, window, [fn]); // which says what is wrong
    const id = source("frame", fn, 0);
    const turn = worn(id);
    if (!turn) wantDrawn();
    const frame = apply(realFrame, window, [
      (at) => {
        turned(frame);
        came(id, 0);
        return apply(fn, window, [drawnAt(at)]);
      },
    ]);
    if (turn) {
      turns[frame] = true;
      turning++;
    }
    return frame;
  },
}.requestAnimationFrame;
window.cancelAnimationFrame = {
  cancelAnimationFrame(frame) {
    const n = +frame | 0;
    turned(n);
    return apply(realCancelFrame, window, [n]);
  },
}.cancelAnimationFrame;
if (window.webkitRequestAnimationFrame) window.webkitRequestAnimationFrame = window.requestAnimationFrame;

// Idle time may never come while the page's clock runs ahead, so its callbacks have a
// time by which they run in any case.
const idleBy = 500;
if (window.requestIdleCallback) {
  const { requestIdleCallback: realIdle, cancelIdleCallback: realCancelIdle } = window;
  window.requestIdleCallback = {
    requestIdleCallback(fn, options) {
      const id = typeof fn === "function" && source("idle", fn, 0);
      if (!id || worn(id)) return apply(realIdle, window, [fn, options]);
      const by = whole(options?.timeout);
      const idle = apply(realIdle, window, [
        (deadline) => {
          end("idle" + idle);
          came(id, 0);
          touch();
          return apply(fn, window, [deadline]);
        },
        { __proto__: null, timeout: by && by < idleBy ? by : idleBy },
      ]);
      begin("idle" + idle);
      return idle;
    },
  }.requestIdleCallback;
  window.cancelIdleCallback = {
    cancelIdleCallback(idle) {
      const n = +idle | 0;
      end("idle" + n);
      return apply(realCancelIdle, window, [n]);
    },
  }.cancelIdleCallback;
}
// Tasks are timers with another name.
let tasks = 0;
around(window.Scheduler?.prototype, "postTask", (real, scheduler, args) => {
  if (args.length === 0 || typeof args[0] !== "function") return apply(real, scheduler, args);
  const options = args.length > 1 ? args[1] : undefined,
    ms = whole(options?.delay);
  const fn = args[0],
    id = source("task", fn, ms);
  const how = { __proto__: null, delay: ms, priority: options?.priority, signal: options?.signal };
  if (ms > horizon || isPoll(id)) return apply(real, scheduler, [fn, how]);
  const task = "task" + tasks++;
  const over = () => {
    if (end(task)) {
      came(id, ms);
      touch();
    }
  };
  begin(task);
  const result = apply(real, scheduler, [
    () => {
      over();
      return apply(fn, undefined, none);
    },
    how,
  ]);
  settled(result, over);
  return result;
});

// --- requests ---

const baseOf = getter(Node, "baseURI"),
  pathOf = getter(URL, "pathname"),
  paramsOf = getter(URL, "searchParams");
const { forEach: eachParam } = URLSearchParams.prototype;
const addressOf = (url) => {
  try {
    return new RealURL(url, apply(baseOf, document, none));
  } catch {
    return null;
  } // it will fail
};
const numberless = (text) => {
  let out = "",
    digits = false;
  for (let i = 0; i < text.length && i < 200; i++) {
    const digit = text[i] >= "0" && text[i] <= "9";
    if (!digit) out += text[i];
    else if (!digits) out += "#";
    digits = digit;
  }
  return out;
};
// The recipe may say of some addresses that they are not waited for.
const unwaited = "ignored",
  { exec } = RegExp.prototype,
  hrefOf = getter(URL, "href"),
  { indexOf } = String.prototype;
const patterns = ignored.map((pattern) => new RegExp(pattern));
const ignores = (address) => {
  if (!patterns.length || !address) return false;
  const href = apply(hrefOf, address, none),
    end = apply(indexOf, href, ["#"]),
    asked = end < 0 ? href : apply(slice, href, [0, end]);
  for (let i = 0; i < patterns.length; i++) if (apply(exec, patterns[i], [asked]) !== null) return true;
  return false;
};
// asks notes that the page asks its server for something, and names that. One that asks for the same again and
// again, without showing anything new, waits for what the server does in real time: but not where it asks several
// times at once, nor, a few times, as soon as it is answered.
const sameAsks = 3,
  chained = 50;
const asked = bare();
const asks = (kind, url, body) => {
  const address = addressOf(url);
  if (ignores(address)) return unwaited;
  let id = kind + (address ? apply(pathOf, address, none) : url) + "?";
  if (address)
    apply(eachParam, apply(paramsOf, address, none), [
      (_, name) => {
        id += name + ",";
      },
    ]);
  if (typeof body === "string") id += " " + numberless(body);
  const one = (asked[id] ??= { changes, times: 0, open: 0, over: 0, chain: 0 });
  if (one.changes !== changes) one.times = one.chain = 0;
  one.changes = changes;
  if (one.open > 0 || (one.times > 0 && now() - one.over < chained && one.chain++ < idleRounds)) return id;
  if (++one.times === sameAsks) bearNot("it asks its server for the same again and again");
  return id;
};
// under counts a request, until what it returns is called.
const under = (id) => {
  asking = true;
  if (id === unwaited || isPoll(id)) return () => {};
  const one = asked[id] ?? bare();
  requests++;
  one.open++;
  let open = true;
  return () => {
    if (!open) return;
    open = false;
    requests--;
    one.open--;
    one.over = now();
    came(id, 0);
    touch();
  };
};
// during counts a request of which the browser makes a promise, until that has settled.
const during = (id, ask) => {
  const over = under(id),
    promise = ask();
  settled(promise, over);
  return promise;
};
if (window.fetch) {
  const realFetch = window.fetch,
    urlOf = getter(Request, "url"),
    cacheOf = getter(Request, "cache"),
    referrerOf = getter(Request, "referrer"),
    policyOf = getter(Request, "referrerPolicy"),
    answered = getter(Response, "url");
  const isRequest = (value) => {
    try {
      return apply(urlOf, value, none) !== undefined;
    } catch {
      return false;
    }
  };
  // What the browser's cache has may be another order's, so the server is asked whether it still holds.
  const current = (input, init) => {
    const given = init !== undefined && init !== null,
      from = isRequest(input);
    if (given && (typeof init !== "object" || isRequest(init))) return init;
    const cache = init?.cache ?? (from ? apply(cacheOf, input, none) : "default");
    if (cache !== "default" && cache !== "force-cache") return init;
    const how = { __proto__: given ? init : null, cache: "no-cache" };
    return from && init?.referrer === undefined // which would be forgotten
      ? {
          __proto__: how,
          referrer: apply(referrerOf, input, none),
          referrerPolicy: init?.referrerPolicy ?? apply(policyOf, input, none),
        }
      : how;
  };
  window.fetch = {
    fetch(input, init) {
      let url = input;
      if (typeof input === "object" && input !== null) {
        try {
          url = apply(urlOf, input, none);
        } catch {
          url = input = "" + input;
        }
      }
      return during(asks("fetch:", "" + url, init?.body), () =>
        apply(realFetch, window, [input, current(input, init)]),
      );
    },
  }.fetch;
  for (const name of ["json", "text", "blob", "arrayBuffer", "formData", "bytes"]) {
    around(Response.prototype, name, (real, response) => {
      const address = addressOf(apply(answered, response, none));
      return during(ignores(address) ? unwaited : "body:" + (address ? apply(pathOf, address, none) : name), () =>
        apply(real, response, none),
      );
    });
  }
}
{
  const { open: realOpen, send: realSend } = XMLHttpRequest.prototype,
    sent = new WeakMap(),
    { get, set } = WeakMap.prototype;
  made("XMLHttpRequest", (request) => apply(set, sent, [request, { __proto__: null, address: "", over: null }]));
  // Another window's request may outlive this one: the page's own account has it then.
  const elsewhere = (request) => {
    try {
      window.top[mark](channel, request);
    } catch {
      told(request, ["loadend"], under("another window's"));
    }
  };
  XMLHttpRequest.prototype.open = {
    open(method, url, async, user, password) {
      const request = apply(get, sent, [this]),
        address = "" + url;
      if (request) {
        request.over?.();
        request.address = address;
      }
      return apply(realOpen, this, arguments.length > 2 ? [method, address, async, user, password] : [method, address]);
    },
  }.open;
  XMLHttpRequest.prototype.send = {
    send(body) {
      const request = apply(get, sent, [this]);
      if (!request) {
        elsewhere(this);
        return apply(realSend, this, [body]);
      }
      const over = (request.over = under(asks("xhr:", request.address, body)));
      told(this, ["loadend"], over);
      try {
        return apply(realSend, this, [body]);
      } catch (error) {
        over();
        throw error;
      }
    },
  }.send;
}

// --- work of the page that other processes and threads do: no clock drives it ---

let works = 0;
const working = () => {
  asking = true; // it may know more than its HTML says
  works++;
  return () => {
    works--;
    touch();
  };
};
const countCalls = (object, names, count) => {
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    around(object, name, (real, self, args) => count(apply(real, self, args), self, name));
  }
};
const countPromise = (result) => {
  if (isPromise(result)) settled(result, working());
  return result;
};
// What other processes or threads tell soon, or never: it is looked for so often.
const soon = bare();
const soonLooks = 60;
let due = 0,
  dues = 0;
const expect = () => {
  const n = dues++;
  soon[n] = soonLooks;
  due++;
  return () => {
    if (!(n in soon)) return;
    delete soon[n];
    due--;
    touch();
  };
};
const awaited = () => {
  for (const n in soon) {
    if (soon[n] > 0) {
      soon[n]--;
      continue;
    }
    delete soon[n];
    due--;
  }
  return due > 0;
};
const countSoon = (result, _, name) => {
  const id = "soon:" + name;
  if (!isPromise(result) || worn(id)) return result;
  came(id, 0);
  settled(result, expect());
  return result;
};
// There are streams without end: of one that changes nothing, so many pieces are waited
// for, and more in so long a time.
const idleReads = 20,
  streamPatience = 6000;
const countRead = (result) => {
  if (!isPromise(result)) return result;
  const over = round("read").idle < idleReads || now() - grown < streamPatience ? expect() : () => {};
  settled(result, () => {
    over();
    came("read", 0);
  });
  return result;
};
const methods = (type) =>
  type
    ? ownKeys(type.prototype).filter(
        (name) =>
          name !== "constructor" &&
          typeof name === "string" &&
          typeof getOwnPropertyDescriptor(type.prototype, name).value === "function",
      )
    : [];
for (const type of [window.SubtleCrypto, window.CacheStorage, window.Cache, window.Blob]) {
  countCalls(type && type.prototype, methods(type), countPromise);
}
countCalls(window, ["createImageBitmap"], countPromise);
for (const [type, names] of [
  [window.CookieStore, ["get", "getAll", "set", "delete"]],
  [window.Permissions, ["query"]],
  [window.StorageManager, ["estimate", "persisted", "persist", "getDirectory"]],
  [window.ServiceWorkerContainer, ["register", "getRegistration", "getRegistrations"]],
  [window.NavigatorUAData, ["getHighEntropyValues"]],
  [window.FontFaceSet, ["load"]],
  [window.FontFace, ["load"]],
  [window.OffscreenCanvas, ["convertToBlob"]],
  [Document, ["hasStorageAccess"]],
])
  countCalls(type && type.prototype, names, countSoon);
around(window.Atomics, "waitAsync", (real, self, args) => {
  const result = apply(real, self, args);
  if (result.async) settled(result.value, expect());
  return result;
});
for (const type of [window.ReadableStreamDefaultReader, window.ReadableStreamBYOBReader])
  countCalls(type && type.prototype, ["read"], countRead);
let walked = false;
countCalls(ReadableStream.prototype, ["values", Symbol.asyncIterator], (pieces) => {
  if (!walked) countCalls(getPrototypeOf(pieces), ["next"], countRead);
  walked = true;
  return pieces;
});
// A page works in slices that it sends itself messages for. Each is there when another,
// which is sent after it, is.
{
  const realPost = MessagePort.prototype.postMessage,
    { start } = MessagePort.prototype,
    { MessageChannel: Channel } = window;
  const port1 = getter(Channel, "port1"),
    port2 = getter(Channel, "port2"),
    sent = bare();
  let echo,
    first = 0,
    last = 0;
  MessagePort.prototype.postMessage = {
    postMessage(...args) {
      const result = apply(realPost, this, args);
      if (now() - grown >= patience) return result;
      if (!echo) {
        const own = new Channel(),
          ear = apply(port1, own, none);
        echo = apply(port2, own, none);
        apply(listen, ear, [
          "message",
          () => {
            const over = sent[first];
            delete sent[first++];
            over();
          },
        ]);
        apply(start, ear, none);
      }
      sent[last++] = expect();
      apply(realPost, echo, [0]);
      return result;
    },
  }.postMessage;
}
// A lock may be kept for as long as the page is there: it is waited for until it is given.
around(window.LockManager?.prototype, "request", (real, locks, args) => {
  const at = args.length - 1,
    fn = at > 0 ? args[at] : undefined;
  if (typeof fn !== "function") return apply(real, locks, args);
  const over = expect();
  args[at] = (lock) => {
    over();
    return apply(fn, undefined, [lock]);
  };
  const result = apply(real, locks, args);
  settled(result, over);
  return result;
});
countCalls(window.WebAssembly, ["compile", "instantiate", "compileStreaming", "instantiateStreaming"], countPromise);
{
  const stateOf = getter(window.IDBRequest, "readyState"),
    requestOf = getter(window.IDBCursor, "request");
  const countRequest = (result) => {
    try {
      apply(stateOf, result, none);
    } catch {
      return result;
    } // it is no request
    told(result, ["success", "error", "blocked"], working());
    return result;
  };
  for (const type of [window.IDBFactory, window.IDBObjectStore, window.IDBIndex]) {
    countCalls(type && type.prototype, methods(type), countRequest);
  }
  countCalls(window.IDBCursor?.prototype, ["update", "delete"], countRequest);
  countCalls(window.IDBCursor?.prototype, ["continue", "advance", "continuePrimaryKey"], (result, cursor) => {
    countRequest(apply(requestOf, cursor, none));
    return result;
  });
}
countCalls(
  FileReader.prototype,
  ["readAsText", "readAsDataURL", "readAsArrayBuffer", "readAsBinaryString"],
  (result, reader) => {
    told(reader, ["loadend"], working());
    return result;
  },
);
// rolls: the page looks at what is in view, and may bring more when it is scrolled.
let rolls = false;
around(EventTarget.prototype, "addEventListener", (real, self, args) => {
  if (args[0] === "scroll" || args[0] === "scrollend") rolls = true;
  return apply(real, self, args);
});
for (const type of [window.IntersectionObserver, window.ResizeObserver]) {
  countCalls(type && type.prototype, ["observe"], (result) => {
    if (type === window.IntersectionObserver) rolls = true;
    wantDrawn();
    return result;
  });
}
{
  const finished = getter(window.ViewTransition, "finished");
  countCalls(Document.prototype, ["startViewTransition"], (transition) => {
    wantDrawn();
    settled(apply(finished, transition, none), working());
    return transition;
  });
}
// A web worker's own timers cannot be seen from here: its first answer is
// waited for, if it comes soon.
made("Worker", (worker) => {
  bearNot("it uses a web worker");
  streams = asking = true;
  const over = under("worker");
  told(worker, ["message", "error"], over);
  delayed(over, patience);
});
// A message of a stream may bring something in a moment, unless those before it have not.
const hearken = (stream, kind) =>
  apply(listen, stream, [
    kind,
    (event) => {
      if (!event.isTrusted) return;
      heard = now();
      if (!worn("message")) touch();
      came("message", 0);
    },
  ]);
const { addEventListener: listenStream } = window.EventSource?.prototype ?? {},
  streamState = getter(window.EventSource, "readyState");
// The messages of an event stream may have names of their own.
if (listenStream)
  window.EventSource.prototype.addEventListener = {
    addEventListener(kind, ...rest) {
      const name = "" + kind;
      try {
        apply(streamState, this, none);
        if (name !== "message" && name !== "open" && name !== "error") hearken(this, name);
      } catch {
        /* it is none */
      }
      return apply(listenStream, this, [name, ...rest]);
    },
  }.addEventListener;
for (const [name, what] of [
  ["EventSource", "an event stream"],
  ["WebSocket", "a web socket"],
  ["WebTransport", "a web transport"],
  ["SharedWorker", "a shared worker"],
  ["RTCPeerConnection", "a peer connection"],
]) {
  made(name, (stream) => {
    streams = asking = true;
    bearNot("it uses " + what);
    if (name !== "EventSource" && name !== "WebSocket") return;
    live = true;
    hearken(stream, "message");
  });
}
// Another window has functions that nobody keeps account of.
around(window, "open", (real, _, args) => {
  streams = asking = true;
  bearNot("it opens another window");
  return apply(real, window, args);
});

// --- what the page shows ---

// Animations that end, and may bring something when they do. They are driven by
// what is drawn, so looks are counted and not time: some ten seconds of them.
let looks = 600;
let moved = false;
const { getAnimations } = Document.prototype,
  playState = getter(Animation, "playState"),
  effectOf = getter(Animation, "effect");
const { getComputedTiming } = AnimationEffect.prototype;
const animated = () => {
  let moves = false;
  const all = looks > 0 ? apply(getAnimations, document, none) : none;
  for (let i = 0; i < all.length && !moves; i++) {
    const effect = apply(playState, all[i], none) === "running" && apply(effectOf, all[i], none);
    moves = !!effect && apply(getComputedTiming, effect, none).endTime <= horizon;
  }
  if (moves) looks--;
  if (moved && !moves) wantDrawn(); // an end is told when the page is drawn after it
  moved = moves;
  return moves;
};
// A picture may begin an animation that is over before anyone looks.
let looked = false;
const follow = () =>
  apply(realFrame, window, [
    () => {
      if (looked) return;
      delayed(animated, 0);
      follow();
    },
  ]);
follow();

const typeOf = getter(Node, "nodeType"),
  nameOf = getter(Element, "localName"),
  lengthOf = getter(NodeList, "length"),
  countOf = getter(HTMLCollection, "length");
const kindOf = getter(MutationRecord, "type"),
  addedOf = getter(MutationRecord, "addedNodes"),
  removedOf = getter(MutationRecord, "removedNodes");
const loadingOf = getter(HTMLIFrameElement, "loading"),
  stateOf = getter(Document, "readyState");
const { getElementsByTagName, attachShadow: realAttach } = Element.prototype,
  { observe } = MutationObserver.prototype;
const { querySelector } = Document.prototype;
const lazily = (frame) => {
  asking = true;
  if (apply(loadingOf, frame, none) === "lazy") wantDrawn();
};
// hasElements reports whether a list of nodes has elements, and looks at those that were added.
const hasElements = (list, added) => {
  let elements = false;
  for (let i = 0, n = apply(lengthOf, list, none); i < n; i++) {
    const node = list[i];
    if (apply(typeOf, node, none) !== 1) continue;
    elements = true;
    if (!added) continue;
    const name = apply(nameOf, node, none);
    if (name === "iframe") {
      try {
        lazily(node);
      } catch {
        /* of another namespace */
      }
    }
    if (name === "script" && apply(hasAttribute, node, ["src"])) asking = true;
    const frames = apply(getElementsByTagName, node, ["iframe"]);
    for (let j = 0, all = apply(countOf, frames, none); j < all; j++) {
      try {
        lazily(frames[j]);
      } catch {
        /* of another namespace */
      }
    }
  }
  return elements;
};
const observer = new MutationObserver((records) => {
  // Until the page is loaded it counts as busy, and to look at each of its nodes
  // takes a tenth of the time of loading it.
  if (apply(stateOf, document, none) !== "complete") {
    change();
    return;
  }
  for (let i = 0; i < records.length; i++) {
    const r = records[i];
    if (apply(kindOf, r, none) === "attributes") {
      change();
      continue;
    }
    const added = hasElements(apply(addedOf, r, none), true),
      removed = hasElements(apply(removedOf, r, none), false);
    if (added || removed) change();
    else if (now() < patience) touch(); // texts that go on changing for long are clocks and counters
  }
});
// The browser goes through the list by the list's own means, which a page may replace.
const filter = ["href", "src", "hidden", "disabled", "download", "open", "aria-busy", "aria-hidden"];
filter[Symbol.iterator] = () => {
  let at = 0;
  return {
    __proto__: null,
    next: () => ({ __proto__: null, done: at >= filter.length, value: at < filter.length ? filter[at++] : undefined }),
  };
};
const watched = {
  __proto__: null,
  subtree: true,
  childList: true,
  characterData: true,
  attributes: true,
  attributeFilter: filter,
};
Element.prototype.attachShadow = {
  attachShadow(init) {
    // A closed root could hold documents that nobody can look for.
    const root = apply(realAttach, this, [
      init && init.mode === "closed" ? { __proto__: null, ...init, mode: "open" } : init,
    ]);
    apply(observe, observer, [root, watched]);
    return root;
  },
}.attachShadow;

// --- what is told beside the page ---

const { stopImmediatePropagation } = Event.prototype,
  carrierOf = getter(MouseEvent, "relatedTarget");
// answer writes on the carrier what keeps the page from being settled, or nothing.
const answer = (carrier) => {
  looked = true;
  attend();
  const undone = undrawn(),
    answers = awaited(),
    moves = animated();
  if (undone) drawingLooks--;
  let busy = "";
  if (requests > 0 || reading.count > 0) busy = "requests of the page are under way";
  else if (works > 0 || answers) busy = "the page is at work";
  else if (moves) busy = "parts of the page are moving";
  else if (undone || undrawn()) busy = "the page waits to be drawn";
  else if (pending > 0) busy = "timers of the page are pending";
  else busy = frameworkBusy(now(), grown);
  apply(setAttribute, carrier, ["busy", busy]);
  apply(setAttribute, carrier, ["quiet", now() - changed]);
  apply(setAttribute, carrier, ["unbearable", unbearable]);
  apply(setAttribute, carrier, ["fed", fed]);
  apply(setAttribute, carrier, [
    "flags",
    (streams ? "streams " : "") +
      (live ? "live " : "") +
      (asking ? "asks " : "") +
      (turning > 0 ? "turning " : "") +
      (lates > 0 ? "late " : "") +
      (reloading() ? "reloads " : "") +
      (rolls || window.onscroll || document.onscroll ? "rolls " : "") +
      (works > 0 || due > 0 || moves || undrawn() ? "works " : ""),
  ]);
  for (const name in facts) apply(setAttribute, carrier, ["fact-" + name, facts[name]]);
};
// greet takes an element, which is not in the page, by which accounts.js asks from then on.
const greet = (event) => {
  apply(stopImmediatePropagation, event, none);
  const carrier = apply(carrierOf, event, none);
  if (!carrier) return;
  carriers = { carrier, next: carriers };
  apply(listen, carrier, ["look", () => answer(carrier), true]);
  apply(setAttribute, carrier, ["here", ""]);
};

// Frames that are loaded when they come into view.
const lazyFrames = () => {
  if (apply(querySelector, document, ["iframe[loading=lazy i]"])) wantDrawn();
};
let attended = null;
// attend begins with a document, of which a frame's window may have several.
const attend = () => {
  if (attended === document) return;
  attended = document;
  hear();
  apply(observe, observer, [document, watched]);
};
// hear listens to what is told of the document. Where it listens already, that has no effect.
const hear = () => {
  apply(listen, window, [channel, greet, true]);
  apply(listen, window, ["pagehide", leave, true]);
  for (let i = 0; i < 2; i++) {
    apply(listen, window, [i ? "load" : "error", touch]);
    apply(listen, document, [i ? "load" : "error", touch, true]);
  }
  apply(listen, document, ["DOMContentLoaded", lazyFrames]);
};
// Who opens a document anew takes its listeners away, and those of its window.
const windowOf = getter(Document, "defaultView");
for (const name of ["open", "write", "writeln"]) {
  around(Document.prototype, name, (real, self, args) => {
    const result = apply(real, self, args),
      view = apply(windowOf, self, none);
    if (view) {
      try {
        view[mark]?.(channel);
      } catch {
        /* another origin's */
      }
    }
    return result;
  });
}
let elsewheres = 0;
defineProperty(window, mark, {
  value: (word, request) => {
    if (word !== channel) return;
    if (request) told(request, ["loadend"], under("another window's " + elsewheres++));
    else hear();
  },
});

// While a page is left, its clocks go on at each look: one that waits for them in a loop
// would keep the next page from being shown, or for ever where they stand still.
const RealDate = Date,
  { now: realDate } = Date,
  { now: realTime } = Performance.prototype;
const leave = (event) => {
  if (!event.isTrusted) return;
  let ticks = 0;
  const date = () => apply(realDate, RealDate, none) + (ticks += 5);
  const put = {
    Date: function (...args) {
      if (!new.target) return "" + new RealDate(date());
      return construct(RealDate, args.length ? args : [date()], new.target);
    },
  }.Date;
  put.prototype = RealDate.prototype;
  put.parse = RealDate.parse;
  put.UTC = RealDate.UTC;
  put.now = date;
  const replace = (object, name, value) =>
    defineProperty(object, name, { __proto__: null, value, writable: true, configurable: true });
  replace(RealDate, "now", date);
  replace(window, "Date", put);
  replace(
    Performance.prototype,
    "now",
    {
      now() {
        return apply(realTime, this, none) + (ticks += 5);
      },
    }.now,
  );
};
attend();
