// answers.js runs in each frame before the page's own scripts, and before watch.js, which
// counts what it wraps here. It tells of answers that the page's scripts got and that are
// not what they asked for: a sign-in form, or JSON that is none. The page can hide that
// from itself, but not make a good answer of a bad one. Of what is asked for again and
// again it tells when the page has changed in between. As long as it reads an answer, the page is
// at work: reading.count.
(() => {
  const name = "poscrapePart";
  const tell = window[name];
  if (typeof tell !== "function" || !delete window[name]) return;

  const { apply } = Reflect;
  const { parse, stringify } = JSON;
  const realFetch = window.fetch,
    { URL, Request, String } = window;
  const { then } = Promise.prototype,
    { test, exec, [Symbol.replace]: replace } = RegExp.prototype;
  const { clone, text } = Response.prototype,
    { Headers } = window,
    { get: headerOf } = Headers.prototype;
  const { open, send, getResponseHeader, setRequestHeader } = XMLHttpRequest.prototype,
    { addEventListener } = EventTarget.prototype;
  const { get: mapGet, set: mapSet } = WeakMap.prototype,
    { trim } = String.prototype;
  const { text: blobText } = Blob.prototype,
    { TextDecoder, MutationObserver } = window,
    { decode } = TextDecoder.prototype,
    { observe } = MutationObserver.prototype;
  const getter = (type, property) => Object.getOwnPropertyDescriptor(type.prototype, property).get;
  const responseStatus = getter(Response, "status"),
    responseHeaders = getter(Response, "headers");
  const requestURL = getter(Request, "url"),
    requestMethod = getter(Request, "method"),
    requestHeaders = getter(Request, "headers"),
    baseURI = getter(Node, "baseURI");
  const [xhrStatus, xhrText, xhrType, xhrAnswer] = ["status", "responseText", "responseType", "response"].map((p) =>
    getter(XMLHttpRequest, p),
  );
  const typeOf = getter(Node, "nodeType"),
    lengthOf = getter(NodeList, "length"),
    addedOf = getter(MutationRecord, "addedNodes"),
    removedOf = getter(MutationRecord, "removedNodes");
  const { querySelector } = Document.prototype,
    { checkVisibility } = Element.prototype;

  const jsonType = /^\s*(application|text)\/([\w.-]+\+)?json\s*(;|$)/i;
  const pageType = /^\s*(text\/html|application\/xhtml\+xml)\s*(;|$)/i;
  // A sign-in form asks for a password, or for the name alone at first.
  const signIn =
    /<input\b[^>]*\b(type\s*=\s*["']?password\b|autocomplete\s*=\s*(["'][^"'>]*\b)?username\b|name\s*=\s*["']?loginfmt\b)/i;
  const signInInput = "input[type=password i], input[autocomplete~=username i], input[name=loginfmt i]";
  // What some servers put before JSON, so that no other site's scripts can run it.
  const guard = /^\)\]\}'?,?|^while\s*\(\s*1\s*\)\s*;?|^for\s*\(\s*;\s*;\s*\)\s*;?|^\{\}\s*&&/;
  const says = (pattern, string) => apply(test, pattern, [string]);

  const reads = (string) => {
    try {
      parse(string);
      return true;
    } catch {
      return false;
    }
  };
  const isJSON = (string) => {
    const bare = apply(trim, apply(replace, guard, [apply(trim, string, []), ""]), []);
    if (!bare || reads(bare)) return true;
    for (let begin = 0, end; begin < bare.length; begin = end + 1) {
      // one value a line
      end = bare.indexOf("\n", begin);
      if (end < 0) end = bare.length;
      const line = apply(trim, bare.slice(begin, end), []);
      if (line && !reads(line)) return false;
    }
    return true;
  };
  // cut: the text is the beginning of JSON, or a page; with any other that is not JSON the page has its own way.
  const cut = (string) => {
    const bare = apply(trim, apply(replace, guard, [apply(trim, string, []), ""]), []);
    if (bare[0] === "<") return true;
    try {
      parse(bare);
    } catch ({ message }) {
      const at = apply(exec, /position (\d+)/, [message]);
      return says(/^Un(expected end|terminated)/, message) || (!!at && +at[1] >= bare.length);
    }
    return false;
  };
  const form = "was answered with a sign-in form",
    broken = "was answered with broken JSON",
    odd = "was answered with something else than the JSON that it is announced as",
    noData = "was answered with a web page in place of JSON";
  // wrong returns what is wrong with an answer, or "".
  const wrong = (type, string, asked) => {
    if (string === "" && says(jsonType, type))
      return asked.method === "GET" ? "was answered with an empty body in place of JSON" : "";
    if (!says(pageType, type)) {
      if (isJSON(string)) return "";
      asked.odd = !cut(string);
      return asked.odd && !asked.data ? odd : broken;
    }
    if (says(signIn, string)) return form;
    asked.page = !isJSON(string);
    return asked.page && asked.data ? noData : "";
  };
  // wantsData: an answer in JSON is asked for, and no page.
  const wantsData = (accept) => !!accept && says(/\bjson\b/i, accept) && !says(/html/i, accept);
  const looks = (status, type) =>
    status >= 200 && status < 300 && status !== 204 && status !== 205 && (says(jsonType, type) || says(pageType, type));

  let told = false;
  const note = (request, why) => {
    if (!why && !told) return;
    told = true;
    tell(stringify({ __proto__: null, method: request.method, url: request.url, body: request.body, why }));
  };
  // data: JSON is asked for; page: a web page was the answer, which is none; odd: neither was.
  const request = (method, url, body, accept) => {
    let full = "";
    try {
      full = new URL(String(url), apply(baseURI, window.document, [])).href;
    } catch {
      /* it will fail */
    }
    return {
      __proto__: null,
      method: String(method || "GET").toUpperCase(),
      url: full,
      body: typeof body === "string" ? body : "",
      data: wantsData(accept),
      page: false,
      odd: false,
    };
  };

  // hear judges what a promise brings, once that is there.
  const hear = (promise, type, asked) => {
    const read = () => {
      reading.count--;
    };
    reading.count++;
    apply(then, promise, [
      (string) => {
        read();
        note(asked, wrong(type, string, asked));
      },
      read,
    ]);
  };

  // What is asked for again and again: the page is watched from the second time on, and
  // whether it has changed since the last answer is told.
  const rounds = { __proto__: null };
  let paths = 0,
    changes = -1;
  const elements = (list) => {
    for (let i = 0, n = apply(lengthOf, list, []); i < n; i++) if (apply(typeOf, list[i], []) === 1) return true;
    return false; // texts alone are clocks and counters
  };
  const watch = () => {
    changes = 0;
    const observer = new MutationObserver((records) => {
      for (let i = 0; i < records.length; i++)
        if (elements(apply(addedOf, records[i], [])) || elements(apply(removedOf, records[i], []))) changes++;
    });
    apply(observe, observer, [window.document, { __proto__: null, subtree: true, childList: true }]);
  };
  const came = (asked) => {
    const path = asked.method + apply(replace, /[?#][^]*$/, [asked.url, ""]),
      round = rounds[path];
    if (!round) {
      if (paths++ < 1000) rounds[path] = { __proto__: null, changes: -1 };
      return;
    }
    if (changes < 0) watch();
    if (round.changes >= 0 && round.changes !== changes)
      tell(stringify({ __proto__: null, method: asked.method, url: asked.url, body: asked.body, changed: true }));
    round.changes = changes;
  };

  // By what the page has of them: requests, and answers.
  const requests = new WeakMap();
  const look = (asked, response) => {
    const status = apply(responseStatus, response, []);
    const type = apply(headerOf, apply(responseHeaders, response, []), ["content-type"]) || "";
    if (!looks(status, type)) return;
    apply(mapSet, requests, [response, asked]);
    hear(apply(text, apply(clone, response, []), []), type, asked);
  };
  const { json } = Response.prototype;
  Response.prototype.json = {
    json() {
      const asked = apply(mapGet, requests, [this]);
      if (asked) {
        asked.data = true;
        if (asked.page) note(asked, noData);
        if (asked.odd) note(asked, broken);
      }
      return apply(json, this, []);
    },
  }.json;
  if (realFetch)
    window.fetch = function fetch(...args) {
      const answer = apply(realFetch, this === undefined ? window : this, args);
      try {
        const [input, init] = args;
        const accept = (headers) => apply(headerOf, headers, ["accept"]),
          own = init?.headers && accept(new Headers(init.headers));
        const asked =
          input instanceof Request
            ? request(
                init?.method || apply(requestMethod, input, []),
                apply(requestURL, input, []),
                init?.body,
                own || accept(apply(requestHeaders, input, [])),
              )
            : request(init?.method, input, init?.body, own);
        apply(then, answer, [
          (response) => {
            came(asked);
            try {
              look(asked, response);
            } catch {
              /* it is read already */
            }
          },
          () => {
            came(asked);
          },
        ]);
      } catch {
        /* what cannot be asked for fails by itself */
      }
      return answer;
    };

  XMLHttpRequest.prototype.open = function (...args) {
    try {
      apply(mapSet, requests, [this, request(args[0], args[1])]);
    } catch {
      /* it fails */
    }
    return apply(open, this, args);
  };
  XMLHttpRequest.prototype.setRequestHeader = function (...args) {
    try {
      const asked = apply(mapGet, requests, [this]);
      if (asked && says(/^accept$/i, String(args[0]))) asked.data = wantsData(String(args[1]));
    } catch {
      /* it fails */
    }
    return apply(setRequestHeader, this, args);
  };
  const heard = (xhr, asked) => {
    const status = apply(xhrStatus, xhr, []),
      type = apply(getResponseHeader, xhr, ["content-type"]) || "";
    if (!looks(status, type)) return;
    switch (apply(xhrType, xhr, [])) {
      case "":
      case "text":
        return note(asked, wrong(type, apply(xhrText, xhr, []), asked));
      case "blob":
        return hear(apply(blobText, apply(xhrAnswer, xhr, []), []), type, asked);
      case "arraybuffer":
        return note(asked, wrong(type, apply(decode, new TextDecoder(), [apply(xhrAnswer, xhr, [])]), asked));
      case "document":
        return note(asked, apply(querySelector, apply(xhrAnswer, xhr, []), [signInInput]) ? form : "");
      case "json": {
        // A page of another kind is null here, and so are the answers "null" and "".
        const length = Number(apply(getResponseHeader, xhr, ["content-length"]) ?? 1000);
        const least = apply(getResponseHeader, xhr, ["content-encoding"]) ? 40 : 8;
        const none = apply(xhrAnswer, xhr, []) === null && length > least;
        return note(asked, !none ? "" : says(pageType, type) ? noData : broken);
      }
    }
  };
  XMLHttpRequest.prototype.send = function (...args) {
    const asked = apply(mapGet, requests, [this]);
    if (asked) {
      if (typeof args[0] === "string") asked.body = args[0];
      apply(addEventListener, this, [
        "loadend",
        () => {
          came(asked);
          try {
            heard(this, asked);
          } catch {
            /* it is another kind of answer */
          }
        },
      ]);
    }
    return apply(send, this, args);
  };

  // A frame that shows a sign-in form is no part of the page either.
  if (window !== window.top) {
    // Its window may be used for another document, which cannot be replaced on it.
    apply(addEventListener, window, [
      "DOMContentLoaded",
      () => {
        const input = apply(querySelector, window.document, [signInInput]);
        if (input && apply(checkVisibility, input, [])) note(request("GET", window.location.href), form);
      },
    ]);
  }
})();
