// print.js is one function: it returns what tells pages apart that their scripts may treat
// differently. These are the scripts, and the shape of all data that they could make
// documents of: which keys and attributes there are, whether lists and texts are empty,
// numbers zero, and short words such as states as they are. Free texts, numbers and how
// long a list is do not matter; a file that is named in the data and not linked does. tags
// keeps what counts of each tag from page to page.
(tags) => (doc, source, hidden, sources) => {
  // hash is 53 bits of a text (cyrb53); nothing secret depends on it.
  const hash = (text) => {
    let a = 0xdeadbeef,
      b = 0x41c6ce57;
    for (let i = 0; i < text.length; i++) {
      const c = text.charCodeAt(i);
      a = Math.imul(a ^ c, 2654435761);
      b = Math.imul(b ^ c, 1597334677);
    }
    a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
    b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
    return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
  };

  // --- files that are named, and linked ---

  const file =
    /^[^"'<>{}\n]*\.(?:pdf|docx?|xlsx?|xlsm|pptx?|csv|tsv|txt|xml|json|zip|7z|rtf|od[tsp]|msg|eml|mht|mhtml|ics|vcf|tiff?|heic|vsdx?|p7m|p7s|dwg|dxf|step|stp|edi)(?:[?#][^\s]*)?$/i;
  const last = (address) => {
    const name = address.split(/[?#]/)[0].split("/").pop();
    try {
      return decodeURIComponent(name);
    } catch {
      return name;
    }
  };
  let linked;
  const links = () => {
    if (linked) return linked;
    linked = new Set();
    for (const a of doc.querySelectorAll("a[href]")) {
      const href = a.getAttribute("href");
      linked.add(href).add(last(href)).add(a.textContent.trim());
    }
    return linked;
  };
  const unlinked = new Set();
  const mind = (text) => {
    const name = text.length < 1000 && file.test(text) ? text : "";
    if (name && !links().has(name) && !links().has(last(name))) unlinked.add(name);
    return name !== "";
  };

  // --- shapes ---

  const word = /^(?:[a-z]+(?:[-_][a-z]+)*|[A-Z]+(?:[-_][A-Z]+)*)$/;
  const ofText = (text) => {
    const bare = text.trim();
    if (bare === "") return "none";
    if (bare[0] === "{" || bare[0] === "[") return ofData(bare);
    if (mind(bare)) return "file";
    if (/^[-+]?\d[\d.,]*$/.test(bare)) return /[1-9]/.test(bare) ? "number" : "zero";
    if (bare.length <= 16 && word.test(bare)) return bare;
    if (/^(?:https?:)?\/\/|^\.{0,2}\//.test(bare)) return "address";
    return bare[0] === "<" ? ofMarkup(bare) : "text";
  };
  const ofValue = (value, depth) => {
    switch (typeof value) {
      case "string":
        return ofText(value);
      case "number":
        return value ? "number" : "zero";
      case "object":
        if (value === null || depth > 12) break;
        if (Array.isArray(value))
          return "[" + [...new Set(value.map((each) => ofValue(each, depth + 1)))].sort().join() + "]";
        // Keys that hold a digit are most often numbers of something.
        return (
          "{" +
          [
            ...new Set(
              Object.keys(value).map(
                (key) => key.replace(/[\w-]*\d[\w-]*/g, "#") + ":" + ofValue(value[key], depth + 1),
              ),
            ),
          ]
            .sort()
            .join() +
          "}"
        );
    }
    return String(value);
  };
  // ofCode leaves a script as it is, but for its texts and numbers, and for repetitions.
  const literal = /"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|`(?:[^`\\]|\\[^])*`|\b\d[\w.]*/g;
  const ofCode = (text) => {
    let code = text
      .replace(literal, (found) => {
        if (!/^["'`]/.test(found)) return /[1-9]/.test(found) ? "number" : "zero";
        return '"' + ofText(found.slice(1, -1).replace(/\\(["'`\\/])/g, "$1")).replace(/"/g, "") + '"';
      })
      .replace(/\s+/g, " ");
    // What stands several times in a row, as in a list, counts once.
    for (
      let shorter;
      (shorter = code.replace(
        /(\{[^{}[\]]*\}|\[[^{}[\]]*\]|"[^"]*"|\bnumber\b|\bzero\b)(?:\s*,\s*\1)+(?=\s*[,\]])/g,
        "$1",
      )) !== code;
    )
      code = shorter;
    return code;
  };
  const ofData = (text) => {
    try {
      return ofValue(JSON.parse(text), 0);
    } catch {
      return text.length > 1 << 16 ? "long" : ofCode(text);
    }
  };
  const ofMarkup = (text) => {
    for (const [value] of text.matchAll(/[^\s"'<>=]+\.\w{2,4}(?=["'<>\s?#])/g)) mind(value);
    return (
      "<" + [...new Set(Array.from(text.matchAll(/<([a-z][\w-]*)/gi), (m) => m[1].toLowerCase()))].sort().join() + ">"
    );
  };

  // --- the page ---

  const found = new Set();
  // What these attributes hold is the same for scripts and for a reader of the page.
  const plain = new Set(
    (
      "id href src srcset sizes title alt for name width height colspan rowspan type rel target lang dir " +
      "placeholder download action method " +
      "headers scope role tabindex datetime charset media summary label border cellpadding cellspacing align " +
      "valign d points viewbox fill stroke transform x y x1 y1 x2 y2 " +
      "cx cy r rx ry xmlns version integrity nonce crossorigin aria-label aria-labelledby aria-describedby " +
      "aria-controls onclick style class value content shadowrootmode shadowrootclonable shadowrootdelegatesfocus " +
      "shadowrootserializable"
    ).split(" "),
  );
  const shape = (name, value) => name.replace(/\d+/g, "#") + "=" + ofText(value);
  const decoded = (value) => {
    if (!value.includes("&")) return value;
    const area = doc.createElement("textarea");
    area.innerHTML = value;
    return area.textContent;
  };
  const attribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;
  // shapesOf returns what counts of one tag. Tags are read in the source, where those of one
  // order's page are mostly those of the one before.
  const shapesOf = (tag) => {
    const all = {},
      shapes = [];
    const [element] = tag.slice(1).match(/^[^\s/>]+/);
    for (const [, name, ...values] of tag.slice(1 + element.length, -1).matchAll(attribute))
      all[name.toLowerCase()] ??= decoded(values.find((v) => v !== undefined) ?? "");
    for (const [name, value] of Object.entries(all)) {
      if (name === "class") for (const one of value.trim().split(/\s+/)) shapes.push("." + one.replace(/\d+/g, "#"));
      else if (name === "style")
        for (const [how] of value.matchAll(/\b(?:display|visibility)\s*:\s*[\w-]+/g))
          shapes.push(how.replace(/\s/g, ""));
      else if (!plain.has(name)) shapes.push(shape(name, value));
    }
    if (/^input$/i.test(element) && /^hidden$/i.test(all.type))
      shapes.push(shape("input " + all.name, all.value || ""));
    if (/^meta$/i.test(element) && !/^(viewport|description|keywords|author|generator)$/i.test(all.name)) {
      shapes.push(shape("meta " + (all.name || all.property || ""), all.content || ""));
    }
    return shapes;
  };
  const outer = source.replace(/(<script\b[^>]*>)[^]*?<\/script\s*>/gi, "$1");
  for (const [tag] of outer.matchAll(/<[a-z](?:[^"'>]|"[^"]*"|'[^']*')*>/gi)) {
    let shapes = tags.get(tag);
    if (!shapes) {
      shapes = shapesOf(tag);
      if (tags.size > 5000) tags.clear();
      // Whether a file that it names is linked depends on the page.
      if (tag.length <= 1000 && !shapes.some((one) => one.includes("file"))) tags.set(tag, shapes);
    }
    for (let i = 0; i < shapes.length; i++) found.add(shapes[i]);
  }
  // What the source has none of is not looked for in each element.
  const has = (pattern) => pattern.test(outer);
  const templates = has(/<template/i),
    texts = has(/<textarea|>\s*(?:[{[]|&#(?:x0*[57]b|0*(?:91|123));|&l(?:brack|brace|sqb|cub);)/i);
  const visit = (root) => {
    for (const el of root.querySelectorAll("*")) {
      if (el.localName === "template" && el.content) {
        found.add("template " + ofMarkup(el.innerHTML));
        visit(el.content);
      }
      if (el.childElementCount) continue;
      const start = el.localName === "script" ? "" : el.textContent.trimStart()[0];
      if (start === "{" || start === "[" || el.localName === "textarea") found.add(shape(el.localName, el.textContent));
    }
  };
  if (templates || texts) visit(doc);
  const own = [];
  for (const el of doc.querySelectorAll("script:not([src])")) {
    if (!el.type || /javascript|ecmascript|^module$/i.test(el.type)) own.push(ofCode(el.textContent));
    else own.push(el.type + " " + ofText(el.textContent));
  }
  for (const el of doc.querySelectorAll("[onload], [onerror]"))
    own.push(ofCode(el.getAttribute("onload") || el.getAttribute("onerror")));
  for (const [, comment] of source.matchAll(/<!--([^]*?)-->/g))
    if (/[<{[]/.test(comment)) own.push("comment " + ofText(comment));
  for (const text of hidden) own.push("noscript " + ofMarkup(text));
  return hash([...sources, ...[...new Set(own)].sort(), ...[...found].sort(), unlinked.size].join("\n"));
};
