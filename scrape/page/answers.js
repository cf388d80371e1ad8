// answers.js runs in each frame before the page's own scripts, and before watch.js, which
// counts what it wraps here. It tells of answers that the page's scripts got and that are
// not what they asked for: a sign-in form, or JSON that is none. The page can hide that
// from itself, but not make a good answer of a bad one.
(() => {
  const name = "poscrapePart";
  const tell = window[name];
  if (typeof tell !== "function" || !delete window[name]) return;

  const { apply } = Reflect;
  const { parse, stringify } = JSON;
  const realFetch = window.fetch, { URL, Request, String } = window;
  const { then } = Promise.prototype, { test, [Symbol.replace]: replace } = RegExp.prototype;
  const { clone, text } = Response.prototype, { get: headerOf } = Headers.prototype;
  const { open, send, getResponseHeader } = XMLHttpRequest.prototype, { addEventListener } = EventTarget.prototype;
  const { get: mapGet, set: mapSet } = WeakMap.prototype, { trim } = String.prototype;
  const getter = (type, property) => Object.getOwnPropertyDescriptor(type.prototype, property).get;
  const responseStatus = getter(Response, "status"), responseHeaders = getter(Response, "headers");
  const requestURL = getter(Request, "url"), requestMethod = getter(Request, "method"), baseURI = getter(Node, "baseURI");
  const [xhrStatus, xhrText, xhrType, xhrAnswer] = ["status", "responseText", "responseType", "response"].map((p) => getter(XMLHttpRequest, p));
  const { querySelector } = Document.prototype, { checkVisibility } = Element.prototype;

  const jsonType = /^\s*(application|text)\/([\w.-]+\+)?json\s*(;|$)/i;
  const pageType = /^\s*(text\/html|application\/xhtml\+xml)\s*(;|$)/i;
  const password = /<input\b[^>]*\btype\s*=\s*["']?password\b/i;
  // What some servers put before JSON, so that no other site's scripts can run it.
  const guard = /^\)\]\}'?,?|^while\s*\(\s*1\s*\)\s*;?|^for\s*\(\s*;\s*;\s*\)\s*;?|^\{\}\s*&&/;
  const says = (pattern, string) => apply(test, pattern, [string]);

  const reads = (string) => { try { parse(string); return true; } catch { return false; } };
  const isJSON = (string) => {
    const bare = apply(trim, apply(replace, guard, [apply(trim, string, []), ""]), []);
    if (!bare || reads(bare)) return true;
    for (let begin = 0, end; begin < bare.length; begin = end + 1) { // one value a line
      end = bare.indexOf("\n", begin);
      if (end < 0) end = bare.length;
      const line = apply(trim, bare.slice(begin, end), []);
      if (line && !reads(line)) return false;
    }
    return true;
  };
  // wrong returns what is wrong with an answer, or "".
  const wrong = (type, string, method) => {
    if (string === "" && says(jsonType, type)) return method === "GET" ? "was answered with an empty body in place of JSON" : "";
    if (says(pageType, type)) return says(password, string) ? "was answered with a sign-in form" : "";
    return isJSON(string) ? "" : "was answered with broken JSON";
  };
  const looks = (status, type) => status >= 200 && status < 300 && status !== 204 && status !== 205 &&
    (says(jsonType, type) || says(pageType, type));

  let told = false;
  const note = (request, why) => {
    if (!why && !told) return;
    told = true;
    tell(stringify({ __proto__: null, method: request.method, url: request.url, body: request.body, why }));
  };
  const request = (method, url, body) => {
    let full = "";
    try { full = new URL(String(url), apply(baseURI, window.document, [])).href; } catch { /* it will fail */ }
    return { method: String(method || "GET").toUpperCase(), url: full, body: typeof body === "string" ? body : "" };
  };

  const look = (asked, response) => {
    const status = apply(responseStatus, response, []);
    const type = apply(headerOf, apply(responseHeaders, response, []), ["content-type"]) || "";
    if (!looks(status, type)) return;
    apply(then, apply(text, apply(clone, response, []), []), [(string) => note(asked, wrong(type, string, asked.method)), () => {}]);
  };
  if (realFetch) window.fetch = function fetch(...args) {
    const answer = apply(realFetch, this === undefined ? window : this, args);
    try {
      const [input, init] = args;
      const asked = input instanceof Request
        ? request(init?.method || apply(requestMethod, input, []), apply(requestURL, input, []), init?.body)
        : request(init?.method, input, init?.body);
      apply(then, answer, [(response) => { try { look(asked, response); } catch { /* it is read already */ } }, () => {}]);
    } catch { /* what cannot be asked for fails by itself */ }
    return answer;
  };

  const requests = new WeakMap();
  XMLHttpRequest.prototype.open = function (...args) {
    try { apply(mapSet, requests, [this, request(args[0], args[1])]); } catch { /* it fails */ }
    return apply(open, this, args);
  };
  const heard = (xhr, asked) => {
    const status = apply(xhrStatus, xhr, []), type = apply(getResponseHeader, xhr, ["content-type"]) || "";
    if (!looks(status, type)) return;
    switch (apply(xhrType, xhr, [])) {
      case "": case "text":
        return note(asked, wrong(type, apply(xhrText, xhr, []), asked.method));
      case "json": {
        // A page of another kind is null here, and so are the answers "null" and "".
        const length = Number(apply(getResponseHeader, xhr, ["content-length"]) ?? 1000);
        const least = apply(getResponseHeader, xhr, ["content-encoding"]) ? 40 : 8;
        const none = apply(xhrAnswer, xhr, []) === null && length > least && says(jsonType, type);
        return note(asked, none ? "was answered with broken JSON" : "");
      }
    }
  };
  XMLHttpRequest.prototype.send = function (...args) {
    const asked = apply(mapGet, requests, [this]);
    if (asked) {
      if (typeof args[0] === "string") asked.body = args[0];
      apply(addEventListener, this, ["loadend", () => { try { heard(this, asked); } catch { /* it is another kind of answer */ } }]);
    }
    return apply(send, this, args);
  };

  // A frame that shows a sign-in form is no part of the page either.
  if (window !== window.top) {
    // Its window may be used for another document, which cannot be replaced on it.
    apply(addEventListener, window, ["DOMContentLoaded", () => {
      const input = apply(querySelector, window.document, ["input[type=password i]"]);
      if (input && apply(checkVisibility, input, [])) note(request("GET", window.location.href), "was answered with a sign-in form");
    }]);
  }
})();
