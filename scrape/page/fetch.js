// fetch.js is one function: it makes the reader that fetches an order's page, in a
// world of its own that no script of the portal can reach, and reads it without
// showing it. The reader stays for as long as the tab stays on its page.
(extract, inert, print) => {
  const running = new Map();
  const refused = (why, more) => Object.assign(new Error(why), { refused: { why, ...more } });

  const unanswered = (why, { status, headers }) =>
    refused(why + status, { status, retryAfter: headers.get("retry-after") || "" });

  // Content types of pages, and how each is parsed.
  const parsers = { "text/html": "html", "application/xhtml+xml": "xml" };
  const accept =
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8," +
    "application/signed-exchange;v=b3;q=0.7";

  const ask = async (url, signal) => {
    if (new URL(url).origin !== location.origin)
      throw refused("the tab is not at the order's host", { elsewhere: true });
    if (navigator.serviceWorker?.controller) throw refused("a service worker of the portal would answer for it");
    let response;
    try {
      response = await fetch(url, {
        credentials: "include",
        redirect: "manual",
        cache: "no-store",
        headers: { accept },
        signal,
      });
    } catch {
      throw refused("it could not be fetched");
    }
    if (response.type === "opaqueredirect") throw refused("its address led on to another", { led: true });
    if (response.status !== 200) throw unanswered("it answered with status ", response);
    if (response.headers.get("refresh")) throw refused("it leads on to another page");
    if (/^\s*attachment/i.test(response.headers.get("content-disposition") || ""))
      throw refused("it is a document and no page");
    return response;
  };

  // So many bytes, compressed or not, are read at once: piece by piece takes longer.
  const small = 1 << 18;
  // body returns all bytes, at most so many.
  const body = async (response, limit) => {
    const parts = [];
    let size = 0;
    try {
      const announced = response.headers.get("content-length");
      if (announced !== null && Number(announced) <= small) {
        parts.push(new Uint8Array(await response.arrayBuffer()));
        size = parts[0].length;
      } else {
        const reader = response.body.getReader();
        for (;;) {
          const { done, value } = await reader.read();
          if (done) break;
          size += value.length;
          if (size > limit) {
            reader.cancel().catch(() => {});
            break;
          }
          parts.push(value);
        }
      }
    } catch {
      throw refused("it ended before all of it was there");
    }
    if (size > limit) throw refused("it is larger than " + limit + " bytes");
    if (parts.length === 1) return parts[0];
    const bytes = new Uint8Array(size);
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  };

  const decoder = (label) => {
    try {
      return label ? new TextDecoder(label) : null;
    } catch {
      return null;
    }
  };
  const announced = (type) => decoder((type.match(/;\s*charset\s*=\s*["']?([^\s;"']+)/i) || [])[1]);
  // charset finds out how the bytes are to be read as a browser does: by their
  // mark, what the server says, and what stands in the first of them.
  const charset = (bytes, type) => {
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return decoder("utf-8");
    if (bytes[0] === 0xfe && bytes[1] === 0xff) return decoder("utf-16be");
    if (bytes[0] === 0xff && bytes[1] === 0xfe) return decoder("utf-16le");
    const said = announced(type);
    if (said) return said;
    const start = new TextDecoder("windows-1252").decode(bytes.subarray(0, 1024)).replace(/<!--[^]*?-->/g, "");
    const written = decoder(
      (start.match(/<meta[^>]*\bcharset\s*=\s*["']?\s*([^\s"'/>;]+)/i) ||
        start.match(/^<\?xml[^>]*\bencoding\s*=\s*["']([^"']+)/) ||
        [])[1],
    );
    if (written) return written.encoding.startsWith("utf-16") ? decoder("utf-8") : written;
    // A browser guesses by all that the page says; that is not done again here.
    if (bytes.some((b) => b > 0x7f)) throw refused("it does not say its character set");
    return decoder("windows-1252");
  };

  const parse = (text, kind) => {
    if (kind === "xml") {
      const doc = new DOMParser().parseFromString(text, "application/xhtml+xml");
      if (doc.querySelector("parsererror")) throw refused("it is no valid XHTML");
      return doc;
    }
    return Document.parseHTMLUnsafe
      ? Document.parseHTMLUnsafe(text)
      : new DOMParser().parseFromString(text, "text/html");
  };

  // why returns what keeps a document from standing for its page, or "".
  const unfit = (doc, refresh) => {
    if (refresh || doc.querySelector('meta[http-equiv="refresh" i]')) return "it leads on to another page";
    if (doc.querySelector("iframe, frame, object, embed")) return "it has frames, which may hold documents";
    return "";
  };

  // run does work that can be aborted by its id, and returns what was refused.
  const run = async (id, work) => {
    const abort = new AbortController();
    running.set(id, abort);
    try {
      return await work(abort.signal);
    } catch (error) {
      if (error.refused) return error.refused;
      if (error.badSelector) return { badSelector: error.badSelector };
      throw error;
    } finally {
      running.delete(id);
    }
  };

  const read = (id, url, limit, rule) =>
    run(id, async (signal) => {
      const response = await ask(url, signal);
      const type = response.headers.get("content-type") || "";
      const kind = parsers[type.split(";")[0].trim().toLowerCase()];
      if (!kind) throw refused("it is no HTML page");
      const bytes = await body(response, limit);
      const how = charset(bytes, type);
      const text = how.decode(bytes);
      const doc = parse(text, kind);
      // Where scripts run, what stands in these is a text.
      const hidden = [];
      for (const el of doc.querySelectorAll("noscript")) {
        hidden.push(el.innerHTML);
        el.textContent = "";
      }
      const eyes = inert(doc, url, how.encoding === "utf-8", !/shadowroot/i.test(text));
      const on = extract(rule, doc, eyes);
      const found = on.still(() => ({ ...on.read(on.items()), notReady: on.notReady() }));
      return {
        url,
        charset: how.encoding,
        ...found,
        print: print(doc, text, hidden, found.sources),
        unfit:
          unfit(doc, response.headers.get("refresh")) ||
          (eyes.ambiguous() ? "its addresses depend on its character set" : ""),
      };
    });

  // get asks for data.
  const get = (id, asked, limit) =>
    run(id, async (signal) => {
      const response = await fetch(asked.url, {
        method: asked.method,
        body: asked.body,
        credentials: asked.alone && new URL(asked.url).origin !== document.location.origin ? "omit" : "include",
        redirect: "manual",
        cache: "no-store",
        headers: { accept: "application/json", ...asked.headers },
        signal,
      }).catch(() => {
        throw refused("could not be loaded");
      });
      if (response.type === "opaqueredirect") throw refused("led on to another address");
      if (response.status < 200 || response.status > 299) throw unanswered("was answered with status ", response);
      const bytes = await body(response, limit).catch(() => {
        throw refused("was cut off, or is longer than " + limit + " bytes");
      });
      const said = (name) => response.headers.get(name) || "";
      return {
        status: response.status,
        type: said("content-type"),
        link: said("link"),
        total: said("x-total-count"),
        range: said("content-range"),
        text: (announced(said("content-type")) || decoder("utf-8")).decode(bytes),
      };
    });

  // delivers asks for a link, and says by the head of the answer whether that is a file.
  const delivers = (id, url) =>
    run(id, async (signal) => {
      const response = await fetch(url, { credentials: "include", cache: "no-store", signal });
      response.body?.cancel().catch(() => {}); // its head is enough
      const type = response.headers.get("content-type") || "";
      const disposition = response.headers.get("content-disposition") || "";
      if (!response.ok) return { delivers: "" };
      if (/^\s*attachment/i.test(disposition) || /filename/i.test(disposition)) return { delivers: "file" };
      if (/\bhtml\b/i.test(type)) return { delivers: "page" };
      return {
        delivers: /^\s*text\//i.test(type) && !/\.\w{2,5}$/.test(new URL(response.url).pathname) ? "page" : "file",
      };
    }).catch(() => ({ delivers: "" }));

  // stored returns what a cookie, or the page's storage, has under a name.
  const stored = (kind, name) => {
    if (kind === "storage")
      return [localStorage, sessionStorage].map((storage) => storage.getItem(name)).filter((text) => text !== null);
    const texts = document.cookie.split("; ").filter((pair) => pair.startsWith(name + "="));
    return texts.map((pair) => {
      const text = pair.slice(name.length + 1);
      try {
        return decodeURIComponent(text);
      } catch {
        return text;
      }
    });
  };

  globalThis.poscrape = {
    read,
    stored,
    get,
    delivers,
    abort: (id) => {
      const abort = running.get(id);
      if (abort) abort.abort();
    },
  };
};
