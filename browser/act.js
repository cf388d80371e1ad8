// act.js is one script: what finds an element in a document, and everything that must be
// known before it is acted on. It runs in a world of its own that no script of the page can
// reach. Frames of other origins have a world of their own each: find tells of them.
globalThis.poscrapeActs ??= (() => {
  // A form or picture that is named "body" or "defaultView" hides the document's own.
  const property = (doc, name) => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(doc);
  const query = (root, selector) =>
    (root.nodeType === 9 ? Document : DocumentFragment).prototype.querySelectorAll.call(root, selector);
  const node = (name) => Object.getOwnPropertyDescriptor(Node.prototype, name).get;
  const [documentOf, parentOf] = [node("ownerDocument"), node("parentNode")];
  const element = Element.prototype;
  const shadowOf = Object.getOwnPropertyDescriptor(element, "shadowRoot").get;
  const { checkVisibility, getBoundingClientRect, getClientRects, matches, closest, getAttribute } = element;
  const windowOf = (el) => property(documentOf.call(el), "defaultView");

  let chosen = null; // the element that the last find was for
  let others = []; // and all that met the same
  let foreign = []; // the frames of other origins that it met
  let seen = { el: null }; // where the chosen one was
  let spot = null; // where it is clicked, in its own document
  let judged = null; // what was said last of what a click there does
  const closedRoots = new WeakMap(); // those that Go has handed over, by their hosts
  let scrolls = 0;
  let guard = null;
  let keys = null;
  let aside = null; // the frames that are kept from taking keys
  let origins = null; // those of the documents that may be looked into, or null for all of them
  let refused = []; // those of the others

  // frameAround returns the frame that an element's document is in, if that is no other origin's.
  const frameAround = (el) => {
    try {
      return windowOf(el)?.frameElement ?? null;
    } catch {
      return null;
    }
  };
  const passes = (doc) => origins === null || origins.includes(property(doc, "defaultView")?.origin);
  // trusted reports whether the chosen element is in such a document, and all around it in this world.
  const trusted = () => {
    for (let at = chosen; at; at = frameAround(at)) if (!passes(documentOf.call(at))) return false;
    return true;
  };
  const visible = (el) => {
    for (let at = el; at; at = frameAround(at)) {
      const box = getBoundingClientRect.call(at);
      if (!checkVisibility.call(at, { visibilityProperty: true }) || box.width <= 0 || box.height <= 0) return false;
    }
    return true;
  };
  const describe = (el) => {
    const part = (mark, text) => (text ? ` ${mark}="${text.slice(0, 40)}"` : "");
    const of = (mark) => part(mark, getAttribute.call(el, mark));
    return `<${el.localName}${of("id")}${of("class")}>`;
  };
  // inset returns where the content of a frame begins, from the frame's own corner.
  const inset = (frame) => {
    const style = getComputedStyle(frame);
    const px = (name) => Number.parseFloat(style.getPropertyValue(name)) || 0;
    return {
      x: px("border-left-width") + px("padding-left"),
      y: px("border-top-width") + px("padding-top"),
    };
  };
  // outer moves a point of an element's document into that of this world's window.
  const outer = (el, point) => {
    let { x, y } = point;
    for (let frame = frameAround(el); frame; frame = frameAround(frame)) {
      const box = getBoundingClientRect.call(frame),
        by = inset(frame);
      x += box.left + by.x;
      y += box.top + by.y;
    }
    return { x, y };
  };

  // scopes lists the documents and shadow roots in which to look; those of other origins'
  // frames go to foreign.
  const scopes = (frame, within) => {
    const found = [];
    [foreign, refused] = [[], []];
    const visit = (root, within) => {
      if (root.nodeType === 9 && !passes(root)) {
        refused.push(String(property(root, "defaultView")?.origin));
        return;
      }
      if (within) found.push(root);
      const frames = new Set(query(root, "iframe, frame"));
      for (const el of query(root, "*")) {
        const shadow = shadowOf.call(el);
        if (shadow) visit(shadow, within);
        if (!frames.has(el)) continue;
        const meant = frame !== "" && matches.call(el, frame),
          inside = within || meant;
        let doc = null;
        try {
          doc = el.contentDocument;
        } catch {
          /* another origin's */
        }
        if (doc) visit(doc, inside);
        else foreign.push({ el, within: inside, meant });
      }
    };
    visit(document, within);
    return found;
  };

  // labelOf returns what people read on a control, or a program reads to them, without what that leaves out:
  // the pictures of a font are words.
  const labelOf = (el) => {
    const pressed = el.localName === "input" && ["button", "submit", "reset"].includes(el.type);
    return plain(getAttribute.call(el, "aria-label") || (pressed ? el.value : readOn(el)) || el.title || "");
  };
  const unread = "[aria-hidden=true]";
  const readOn = (el) => {
    if (!el.innerText || !element.querySelector.call(el, unread)) return el.innerText;
    const visit = (node) => {
      if (node.nodeType === 3) return node.data;
      if (node.nodeType !== 1 || matches.call(node, unread + ", script, style")) return " ";
      if (node !== el && !checkVisibility.call(node, { visibilityProperty: true })) return " ";
      const text = [...node.childNodes].map(visit).join("");
      return /^(inline|contents)$/.test(getComputedStyle(node).display) ? text : " " + text + " ";
    };
    return visit(el);
  };
  // saidOf is all that is said of a control anywhere.
  const saidOf = (el) =>
    plain([el.innerText, getAttribute.call(el, "aria-label"), el.title, el.value].filter(Boolean).join(" "));
  // called are the names that a control may be looked for by.
  const called = (el) => [labelOf(el), ...(getAttribute.call(el, "aria-label") ? [] : [plain(el.innerText || "")])];
  const plain = (text) =>
    String(text)
      .normalize("NFKC")
      .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
      .replace(/\s+/g, " ")
      .trim()
      .toLowerCase();
  // alone reports whether a text stands in another one, and is no part of a longer word or number there.
  const alone = (text, part) => {
    for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
      const before = text.slice(0, at),
        behind = text.slice(at + part.length);
      if (/[\p{L}\p{N}][-._/]?$/u.test(before) || /^[-._/]?[\p{L}\p{N}]/u.test(behind)) continue;
      // "1234 5678" may be one number.
      if (/\d$/.test(part) && /^ \d{2,}(?![\p{L}\p{N}]|[-./,:]\d)/u.test(behind)) continue;
      if (/^\d/.test(part) && /(?<![\p{L}\p{N}]|\d[-./,:])\d{2,} $/u.test(before)) continue;
      return true;
    }
    return false;
  };
  // labelled returns the innermost of elements that have this label, or with part one that has it in
  // it. It may be written in any case.
  const labelled = (elements, label, part) => {
    const wanted = plain(label);
    const those = elements.filter((el) => called(el).some((name) => (part ? alone(name, wanted) : name === wanted)));
    return those.filter((el) => !those.some((other) => other !== el && holds(el, other)));
  };
  // names: it is the label of a field to type in, and no control.
  const names = (el) =>
    el.localName === "label" &&
    !!el.control &&
    !/^(checkbox|radio|button|submit|reset|image|file)$/.test(el.control.type);
  // find chooses an element: the first one that is visible, or else the first. With a label it is
  // the only visible one that has it.
  const find = (selector, frame, within, label, part, allowed) => {
    origins = allowed;
    let met = scopes(frame, within).flatMap((root) => [...query(root, selector || controls)]);
    if (label) met = labelled(selector ? met : met.filter((el) => !names(el)), label, part);
    chosen = met.find(visible) ?? met[0] ?? null;
    others = met;
    return {
      met: met.length,
      labels: label ? met.filter(visible).map((el) => labelOf(el).slice(0, 200)) : [],
      said: label ? met.filter(visible).map((el) => saidOf(el).slice(0, 400)) : [],
      visible: chosen !== null && visible(chosen),
      refused,
      frames: foreign.map(({ el, within, meant }) => {
        const box = getBoundingClientRect.call(el),
          by = inset(el);
        return { within, meant, visible: visible(el), ...outer(el, { x: box.left + by.x, y: box.top + by.y }) };
      }),
    };
  };
  // leadsTo returns the element, or the only link in it, if that is a link.
  const leadsTo = (el) => {
    if (matches.call(el, "a[href]")) return el;
    const inner = [...element.querySelectorAll.call(el, "a[href]")];
    return inner.length > 0 && inner.every((a) => a.href === inner[0].href) ? inner[0] : null;
  };
  // taken returns what each element that the last find was for holds: an attribute, its text, or where it
  // leads; and what people read on it.
  const taken = (attr) => {
    const text = (el) =>
      String((visible(el) && el.innerText) || el.textContent)
        .replace(/\s+/g, " ")
        .trim();
    const own = (el) => {
      if (attr === "text") return text(el);
      if (attr) return (attr === "value" ? el.value : null) ?? getAttribute.call(el, attr) ?? "";
      return leadsTo(el)?.href ?? getAttribute.call(el, "href") ?? "";
    };
    return others.slice(0, 1000).map((el) => ({
      value: String(own(el)).slice(0, 1 << 20),
      base: documentOf.call(el).baseURI,
      visible: visible(el),
      labels: [labelOf(el), text(el).slice(0, 200)],
    }));
  };
  const frameAt = (i) => foreign[i]?.el ?? null;
  const where = () => property(document, "URL");

  // at returns the innermost element at a point of a document.
  const at = (doc, { x, y }) => {
    let el = Document.prototype.elementFromPoint.call(doc, x, y);
    const within = () => el && (shadowOf.call(el) ?? closedRoots.get(el));
    for (let root = within(); root; root = within()) {
      const inner = root.elementFromPoint(x, y);
      if (!inner || inner === el) break;
      el = inner;
    }
    return el;
  };
  const holds = (outer, inner) => {
    for (let n = inner; n; n = n.assignedSlot ?? parentOf.call(n) ?? n.host ?? null) if (n === outer) return true;
    return false;
  };
  const controls =
    "a, button, input[type=button], input[type=submit], label, summary, select, [role=button], [role=link], " +
    "[role=menuitem], [role=option], [role=tab]";
  // meant reports whether a click on an element is one on what was chosen.
  const meant = (el) => {
    const label = closest.call(el, "label");
    return (
      holds(chosen, el) || (label && label.control === chosen) || holds(closest.call(chosen, controls) ?? chosen, el)
    );
  };
  const buttons = "button, input[type=button], input[type=submit], input[type=image], input[type=reset]";
  const sends = (el) => matches.call(el, buttons) && /^(submit|image)$/.test(el.type);
  const outside = (el) => el.assignedSlot ?? parentOf.call(el) ?? el.host ?? null;
  const upward = (el, is) => {
    for (let at = el; at; at = outside(at)) if (at.nodeType === 1 && is(at)) return at;
    return null;
  };
  const attributes = (el, ...names) => names.map((name) => getAttribute.call(el, name) ?? "").join(" ");
  const searching = (form, method) => {
    const fields = query(form.getRootNode(), "input");
    const asks = [...fields].filter(
      (el) => el.form === form && /^(text|search|number|tel)$/.test(el.type) && visible(el),
    );
    const marked =
      matches.call(form, "[role=search], [role=search] *, search *") || asks.some((el) => el.type === "search");
    return asks.length > 0 && (method === "get" || (method === "" && marked));
  };
  const dialogs = "dialog, [role=dialog], [role=alertdialog], [aria-modal=true]";
  // isCookieBanner reports whether an element is one, as no part of an order is by accident: it is called so (by
  // itself, by its label or heading), stands apart from the page, and has neither the page in it nor anything
  // to fill in. A name that only says consent needs a text about cookies.
  const isCookieBanner = (at) => {
    const within = (selector) => [...element.querySelectorAll.call(at, selector)];
    const cookie = /cookie/i,
      name = attributes(at, "class", "id"),
      label = attributes(at, "aria-label"),
      called = `${name} ${label} ${within("h1, h2, h3, h4, [role=heading]")[0]?.textContent}`;
    if (/^(html|body|main|article|nav|form)$/.test(at.localName) || within("main, [role=main], article, nav").length)
      return false;
    if (/onetrust|usercentrics|didomi/i.test(name)) return true;
    if (!cookie.test(called) && !(/consent|gdpr/i.test(called) && cookie.test(at.textContent.slice(0, 2000))))
      return false;
    const apart =
      matches.call(at, dialogs) ||
      /^(fixed|sticky)$/.test(getComputedStyle(at).position) ||
      (matches.call(at, "section, aside, [role=region]") && cookie.test(label));
    const ticked = /^(checkbox|radio|button|submit|reset|image|hidden)$/;
    return apart && within("input, select, textarea").every((el) => ticked.test(el.type));
  };
  const freeOf = (el, form, method) => {
    if (form && sends(el) && searching(form, method)) return "search";
    if (method !== "post" && upward(el, isCookieBanner)) return "cookies";
    const only = !sends(el) || !form || method === "dialog";
    return only && upward(el, (at) => matches.call(at, dialogs)) ? "dialog" : "";
  };
  // hostAt returns what is pressed, if it may have a shadow root that is closed, else null. opened takes that root.
  const hosting = /-|^(article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span)$/;
  const hostAt = () => {
    const hit = at(documentOf.call(chosen), spot);
    return hit && hosting.test(hit.localName) && !shadowOf.call(hit) && !closedRoots.has(hit) ? hit : null;
  };
  const opened = (root) => void closedRoots.set(root.host, root);
  // pressedAt returns what people take for one with what is pressed: the control that it is of, or else all from
  // it to the chosen element, or to what shows the hand of a link.
  const isControl = (el) => matches.call(el, controls + ", " + buttons);
  const pressedAt = (hit) => {
    const control = upward(hit, isControl) ?? upward(chosen, isControl);
    if (control) return [control.localName === "label" ? (control.control ?? control) : control];
    const hand = (el) => getComputedStyle(el).cursor === "pointer";
    const all = [];
    for (let el = hit; el; el = upward(outside(el), () => true)) {
      if (!holds(chosen, el) && !(all.length > 0 && hand(all.at(-1)) && hand(el))) break;
      all.push(el);
    }
    return all.length > 0 ? all : [chosen];
  };
  const textsOf = (el) => {
    const pictures = [...query(el.getRootNode(), "img[alt]")].filter((img) => holds(el, img));
    return [
      labelOf(el),
      el.innerText,
      el.title,
      attributes(el, "aria-label", "alt"),
      ...pictures.map((img) => img.alt),
      ...[...(el.labels ?? [])].map((label) => label.innerText),
    ];
  };
  const pressing = /^(Enter|Space| )$/; // the keys that do what a click does
  // judge says what a press on an element, or a key that it gets, does: the element and the form that act, and
  // what people read on it. It is null where nothing does but the typing.
  const judge = (hit, key) => {
    if (key && !isControl(hit)) {
      const types = matches.call(hit, "input, textarea, select") || hit.isContentEditable;
      if (types ? key !== "Enter" || !hit.form || hit.localName !== "input" : !pressing.test(key)) return null;
      if (types) {
        const form = hit.form;
        const el = [...query(form.getRootNode(), buttons)].find((one) => one.form === form && sends(one)) ?? form;
        return { el, form, texts: el === form ? [] : textsOf(el) };
      }
    }
    const all = key ? [hit] : pressedAt(hit);
    const el = all[0];
    const field = matches.call(el, "select, textarea, input") && !matches.call(el, buttons);
    if (field && !key && !/^(checkbox|radio)$/.test(el.type)) return null;
    const tip = upward(el, (at) => at.title);
    const texts = [...all.flatMap(textsOf), tip?.title];
    if (!texts.some(Boolean) && field) texts.push(upward(el, readOn)?.innerText); // a box to tick, and a text beside it
    return { el, form: sends(el) ? el.form : null, texts };
  };
  const saying = (texts) => [...new Set(texts.map((text) => plain(text ?? "").slice(0, 400)))].filter(Boolean);
  const pressed = (point) => {
    const hit = at(documentOf.call(chosen), point);
    return hit && judge(hit.ownerSVGElement ?? hit, "");
  };
  const same = (a, b) =>
    a?.el === b?.el && a?.form === b?.form && String(saying(a?.texts ?? [])) === String(saying(b?.texts ?? []));
  // shows: it is of a kind that opens a part of the page.
  const opening = "summary, [role=tab], [aria-expanded], [aria-haspopup]:not([aria-haspopup=false])";
  // deed says what a click on the chosen element does, or a key that it gets: what people read on the control
  // that acts, where its form is sent to, and whether that is free, as Go's Deed says.
  const deed = (key) => {
    judged = key ? judge(chosen, key) : pressed(spot);
    if (!judged) return { texts: [] };
    const { el, form, texts } = judged;
    const [method, action] = ["method", "action"].map(
      (name) =>
        (form && ((el !== form && getAttribute.call(el, "form" + name)) || getAttribute.call(form, name))) || "",
    );
    let to = "";
    try {
      to = form ? new URL(action, documentOf.call(form).baseURI).href : "";
    } catch {
      /* it leads nowhere */
    }
    const link = upward(el, (at) => matches.call(at, "a[href]"));
    const page = link && /^https?:$/.test(link.protocol) && !/^\s*(#|$)/.test(getAttribute.call(link, "href"));
    return {
      texts: saying(texts),
      action: to,
      free: freeOf(el, form, method.toLowerCase()),
      control: el === form || (key && !pressing.test(key)) ? "" : describe(el),
      opens: matches.call(el, opening),
      leads: page ? link.href : "",
      large: element.querySelectorAll.call(el, "*").length > 300,
    };
  };
  // acting is what the last deed was of.
  const acting = () => judged?.el;
  // covering describes what is in the way of a click at a point, or returns "".
  const covering = (point) => {
    const doc = documentOf.call(chosen);
    let hit = at(doc, point);
    if (!hit) return "it is out of sight";
    if (!meant(hit)) return "it is covered by " + describe(hit);
    for (let frame = frameAround(chosen); frame; frame = frameAround(frame)) {
      const box = getBoundingClientRect.call(frame),
        by = inset(frame);
      point = { x: point.x + box.left + by.x, y: point.y + box.top + by.y };
      hit = at(documentOf.call(frame), point);
      if (hit !== frame) return hit ? "its frame is covered by " + describe(hit) : "its frame is out of sight";
    }
    return "";
  };
  // over says what covers a frame of another origin at a point of this world's window, and
  // scrolls that into view.
  const over = (i, x, y) => {
    const frame = foreign[i]?.el;
    if (!frame) return "its frame is gone";
    let top = frame;
    for (let up = frameAround(frame); up; up = frameAround(up)) top = up;
    const hit = at(document, { x, y });
    if (hit === top) return "";
    const was = getBoundingClientRect.call(top);
    element.scrollIntoView.call(frame, { block: "center", inline: "center", behavior: "instant" });
    const is = getBoundingClientRect.call(top);
    const to = { x: x + is.left - was.left, y: y + is.top - was.top };
    if (to.x < 0 || to.x > innerWidth || to.y < 0 || to.y > innerHeight)
      scrollBy(to.x - innerWidth / 2, to.y - innerHeight / 2);
    return hit ? "its frame is covered by " + describe(hit) : "its frame is out of sight";
  };

  const fixed = ["date", "time", "datetime-local", "month", "week", "color", "range"]; // nobody types these
  const typed = ["text", "search", "url", "tel", "email", "password", "number"];
  const kind = () => {
    if (chosen.localName === "select") return "list";
    if (chosen.localName === "input")
      return fixed.includes(chosen.type) ? "fixed" : typed.includes(chosen.type) ? "text" : "";
    return chosen.localName === "textarea" || chosen.isContentEditable ? "text" : "";
  };
  const disabled = (el) => {
    for (let n = el; n; n = n.assignedSlot ?? parentOf.call(n) ?? n.host ?? null)
      if (n.nodeType === 1 && (matches.call(n, ":disabled") || getAttribute.call(n, "aria-disabled") === "true"))
        return true;
    return false;
  };
  const unfit = (purpose) => {
    if (disabled(chosen)) return "it is disabled";
    if (purpose === "fill" && !["text", "fixed"].includes(kind()))
      return describe(chosen) + " is no field to write into";
    if (purpose === "fill" && chosen.readOnly) return "it is read-only";
    if (purpose === "select" && kind() !== "list") return describe(chosen) + " is no list of options (select)";
    return "";
  };

  // ready says why the chosen element cannot be acted on now, or where to click on it. It
  // scrolls it into view; what has moved since it was last called is not ready.
  const ready = (purpose) => {
    if (!chosen?.isConnected) return { why: "it was gone again" };
    if (!visible(chosen)) return { why: "it is hidden" };
    const why = unfit(purpose);
    if (why) return { why };
    const boxes = [...getClientRects.call(chosen)];
    const box = boxes.reduce((a, b) => (b.width * b.height > a.width * a.height ? b : a), boxes[0]);
    const point = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    const now = { el: chosen, ...outer(chosen, point), width: box.width, height: box.height };
    const still = ["el", "x", "y", "width", "height"].every((name) => seen[name] === now[name]);
    seen = now;
    spot = point;
    if (!still) return { why: "it keeps moving" };
    const covered = purpose === "click" ? covering(point) : "";
    if (!covered) return { why: "", x: now.x, y: now.y };
    const block = ["center", "end", "start"][scrolls++ % 3];
    element.scrollIntoView.call(chosen, { block, inline: "center", behavior: "instant" });
    return { why: covered };
  };

  // keep lets mouse events, until let go, through to the chosen element alone. In the
  // windows around it, and in one that holds only its frame, it lets none through. Where it was judged what a click
  // does, a press goes to no other element, and to none that says something else by now.
  const kinds = ["pointerdown", "mousedown", "pointerup", "mouseup", "click"];
  const keep = (none, checked) => {
    letGo();
    const own = none ? null : chosen;
    const mine = { landed: false, changed: false, windows: none ? [window] : [windowOf(chosen)] };
    if (own) for (let f = frameAround(own); f; f = frameAround(f)) mine.windows.push(windowOf(f));
    mine.hear = (event) => {
      const path = event.composedPath();
      if (!event.isTrusted) return;
      if (event.type === "pointerdown" && own && checked)
        mine.changed = !same(judged, pressed({ x: event.clientX, y: event.clientY }));
      if (own && !mine.changed && (path.includes(own) || (path[0].nodeType === 1 && meant(path[0])))) {
        mine.landed = true;
        return;
      }
      event.stopImmediatePropagation();
      event.preventDefault();
    };
    for (const win of mine.windows)
      for (const name of kinds) EventTarget.prototype.addEventListener.call(win, name, mine.hear, { capture: true });
    guard = mine;
  };
  const landed = () => guard?.landed === true;
  const letGo = () => {
    for (const win of guard?.windows ?? [])
      for (const name of kinds)
        EventTarget.prototype.removeEventListener.call(win, name, guard.hear, { capture: true });
    guard = null;
  };

  // active returns what has the focus in a document, within its open shadow roots and those of no chosen element.
  const active = (doc) => {
    let el = property(doc, "activeElement");
    const inner = () => el && el !== chosen && shadowOf.call(el)?.activeElement;
    while (inner()) el = inner();
    return el;
  };
  // setAside has no frame take the keys, until let go, but those on the way to the chosen element: from
  // here, or in the i-th frame of another origin.
  const framed = "iframe, frame, object, embed, fencedframe";
  const setAside = (i) => {
    letKeysGo();
    const start = i < 0 ? chosen : foreign[i].el;
    const way = i < 0 ? [] : [start];
    for (let frame = frameAround(start); frame; frame = frameAround(frame)) way.push(frame);
    const docs = [...new Set([start, ...way].map((el) => documentOf.call(el)))];
    const [held, watches] = [[], []];
    const visit = (root) => {
      const inner = root.nodeType === 1 ? [root, ...element.querySelectorAll.call(root, "*")] : query(root, "*");
      for (const el of inner) {
        const shadow = shadowOf.call(el);
        if (shadow) visit(shadow);
        if (way.includes(el) || el.inert || !matches.call(el, framed)) continue;
        el.inert = true;
        held.push(el);
      }
      if (root.nodeType === 1) return;
      const watch = new MutationObserver((records) => {
        for (const { addedNodes } of records) for (const el of addedNodes) if (el.nodeType === 1) visit(el);
      });
      watch.observe(root, { childList: true, subtree: true });
      watches.push(watch);
    };
    docs.forEach(visit);
    aside = { way, docs, held, watches };
  };
  // onWay tells whether the frames on the way have the focus, and how many there are besides.
  const onWay = () => ({
    takes: aside.way.every((frame) => active(documentOf.call(frame)) === frame),
    frames: aside.held.length,
  });
  // thief returns the number, among foreign, of the frame that has the focus and is not on the way, or -1.
  const thief = () => {
    for (const el of aside.docs.map(active))
      if (el && matches.call(el, framed) && !aside.way.includes(el)) return foreign.push({ el }) - 1;
    return -1;
  };

  // keepKeys lets keys, until let go, through to the chosen field alone, and to its like: a code may
  // have a field for each digit, and some pages put another field in the place of one.
  const strokes = ["keydown", "keypress", "beforeinput"];
  const keepKeys = () => {
    setAside(-1);
    const [field, form, type, win] = [chosen, chosen.form, chosen.type, windowOf(chosen)];
    const like = (el) => el === field || (el?.localName === "input" && el.type === type && el.form === form);
    const mine = { win, like, heard: false, astray: false };
    mine.hear = (event) => {
      const path = event.composedPath();
      if (!event.isTrusted) return;
      if (path.includes(field) || like(path[0])) {
        mine.heard = true;
        return;
      }
      mine.astray = true;
      event.stopImmediatePropagation();
      event.preventDefault();
    };
    for (const name of strokes) EventTarget.prototype.addEventListener.call(win, name, mine.hear, { capture: true });
    keys = mine;
  };
  // keyed tells of the key that was sent since it was asked last: whether the field has heard it, or else
  // something else in its window; and whether the field takes the next one.
  const keyed = () => {
    const { heard, astray } = keys;
    keys.heard = keys.astray = false;
    const way = onWay();
    way.takes &&= trusted() && keys.like(active(documentOf.call(chosen)));
    return { heard, astray, value: content(), ...way };
  };
  const letKeysGo = () => {
    for (const name of keys ? strokes : [])
      EventTarget.prototype.removeEventListener.call(keys.win, name, keys.hear, { capture: true });
    for (const watch of aside?.watches ?? []) watch.disconnect();
    for (const el of aside?.held ?? []) el.inert = false;
    keys = aside = null;
  };

  // focus has the chosen element take the keys, and selects what is in it.
  const focus = (selecting) => {
    element.scrollIntoView.call(chosen, { block: "center", inline: "center", behavior: "instant" });
    HTMLElement.prototype.focus.call(chosen);
    if (selecting && chosen.isContentEditable)
      property(documentOf.call(chosen), "defaultView").getSelection().selectAllChildren(chosen);
    else if (selecting && chosen.select) chosen.select();
    return active(documentOf.call(chosen)) === chosen;
  };
  const content = () => (chosen.isContentEditable ? chosen.innerText : chosen.value) ?? "";
  // around returns the chosen field and all that its keys are heard by in its document, or null where the
  // field is too short for a text.
  const around = (text) => {
    if (chosen.maxLength >= 0 && chosen.maxLength < text.length) return null;
    const all = [];
    for (let n = chosen; n; n = n.assignedSlot ?? parentOf.call(n) ?? n.host ?? null) all.push(n);
    return all;
  };
  // set writes a text into the chosen field without any key, as a browser does that fills in what it has kept: the page
  // hears of it as of what a person writes. It reports whether the field had the focus in its document.
  const set = (text) => {
    const doc = documentOf.call(chosen);
    if (!trusted() || !focus(true)) return false;
    const before = { inputType: "insertText", data: text, bubbles: true, cancelable: true, composed: true };
    if (element.dispatchEvent.call(chosen, new InputEvent("beforeinput", before)) && active(doc) === chosen)
      Document.prototype.execCommand.call(doc, "insertText", false, text);
    return true;
  };
  // written tells what stands in the chosen field, and, if that is full, in it and its like behind it.
  const written = () => {
    const value = content();
    let spread = "";
    if (chosen.localName === "input") {
      const like = [...scopes("", true)]
        .flatMap((root) => [...query(root, "input")])
        .filter((el) => el.type === chosen.type && el.form === chosen.form && visible(el));
      for (const el of like.slice(like.indexOf(chosen))) {
        spread += el.value;
        if (el.value.length !== 1 && el.value.length !== el.maxLength) break;
      }
    }
    return { there: chosen.isConnected, value, spread, exact: chosen.type === "password" };
  };
  const changed = () => {
    for (const name of ["input", "change"])
      element.dispatchEvent.call(chosen, new Event(name, { bubbles: true, composed: true }));
  };
  // put gives a field a value that nobody types. It reports whether the field took it.
  const put = (text) => {
    if (kind() !== "fixed" || !trusted()) return false;
    chosen.value = text;
    changed();
    return chosen.value === text;
  };
  // sentAway returns the origin that the chosen field's form is sent to, if that is none of those that it may be in.
  const sentAway = () => {
    const form = chosen.form;
    if (origins === null || !form) return "";
    try {
      const to = new URL(getAttribute.call(form, "action") || "", documentOf.call(form).baseURI);
      return /^https?:$/.test(to.protocol) && !origins.includes(to.origin) ? to.origin : "";
    } catch {
      return ""; // it is no address
    }
  };
  const squeeze = (text) => text.replace(/\s+/g, " ").trim();
  const select = (wanted) => {
    const options = [...chosen.options];
    const valued = options.find((o) => o.value === wanted),
      texted = options.filter((o) => squeeze(o.textContent) === squeeze(wanted));
    if (valued && texted.length > 0 && !texted.includes(valued))
      return (
        `one of its options has the value ${JSON.stringify(wanted)} and shows ` +
        `${JSON.stringify(squeeze(valued.textContent))}, and another one shows it`
      );
    const option = valued ?? texted[0];
    if (!option) return "it has no such option";
    if (matches.call(option, ":disabled")) return "the option is disabled";
    for (const other of options) other.selected = other === option;
    changed();
    return "";
  };
  return {
    find,
    frameAt,
    taken,
    where,
    over,
    ready,
    hostAt,
    opened,
    deed,
    acting,
    keep,
    landed,
    letGo,
    setAside,
    onWay,
    thief,
    keepKeys,
    keyed,
    letKeysGo,
    around,
    set,
    focus,
    written,
    kind,
    put,
    select,
    sentAway,
  };
})();
