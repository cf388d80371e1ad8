// The table of all orders: it is searched, filtered and sorted here, and shown a part at a time.
(() => {
  "use strict";
  const part = 100;
  const most = 2000; // rows on paper
  const byId = (id) => document.getElementById(id);
  const clock = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
  const texts = new Intl.Collator(undefined, { numeric: true });
  const view = { show: "all", reason: 0, search: "", sort: "", down: false, open: new Set() };
  let rows = [];
  let hits = [];
  let drawn = 0;

  // make returns an element. Its texts are texts, whatever stands in them.
  const make = (name, attributes, ...children) => {
    const el = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) if (value !== undefined) el.setAttribute(key, value);
    el.append(...children.filter((child) => child !== undefined && child !== ""));
    return el;
  };
  const words = (name) => name.replaceAll("_", " ");
  const link = (href, text, more) => (href ? make("a", { href, rel: "noreferrer noopener", ...more }, text) : text);

  const well = (row) => ["complete", "no_attachments", "skipped", "interrupted", "waiting"].includes(row.outcome);
  const documents = (row) => (row.docs ? row.docs.length : 0);
  const keys = {
    outcome: (row) => row.outcome,
    po: (row) => row.po,
    supplier: (row) => row.supplier,
    value: (row) => row.value,
    buyer: (row) => row.buyer,
    row: (row) => row.rows[0],
    docs: documents,
    ms: (row) => row.ms,
    why: (row) => row.why || row.unconfirmed,
  };

  const textOf = (row) => {
    const docs = (row.docs || []).map((doc) => doc.name + " " + (doc.why || ""));
    const tries = (row.tries || []).map((t) => t.why || "");
    const about = [
      row.po,
      words(row.outcome),
      row.supplier,
      row.amount,
      row.buyer,
      row.why,
      row.class,
      row.unconfirmed,
    ];
    return [...about, ...docs, ...tries, ...(row.facts || []).flat(), ...(row.differs || []).flat()]
      .join("\n")
      .toLowerCase();
  };

  const wanted = (row) =>
    (!view.reason || row.reason === view.reason) &&
    (view.show === "all" ||
      row.outcome === view.show ||
      (view.show === "attention" && !well(row)) ||
      (view.show === "confirmed" && row.confirmed) ||
      (view.show === "unconfirmed" && row.unconfirmed) ||
      (view.show === "differs" && row.differs));

  const compare = (a, b) => {
    const [x, y] = [keys[view.sort](a), keys[view.sort](b)];
    const none = (v) => v === undefined || v === "";
    if (none(x) || none(y)) return none(x) - none(y) || a.at - b.at; // what is not known stands last
    const order = typeof x === "number" ? x - y : texts.compare(x, y);
    return (view.down ? -order : order) || a.at - b.at;
  };

  // columns are the cells of a row, by what they are sorted by.
  const columns = {
    outcome: (row) => make("td", { class: "k" }, make("i", { class: "dot o-" + row.outcome }), words(row.outcome)),
    po: (row) => {
      const open = String(view.open.has(row.po));
      const toggle = make("button", { type: "button", class: "toggle", "aria-expanded": open }, row.po);
      return make("td", { class: "po" }, row.lacks ? make("em", {}, toggle) : toggle);
    },
    supplier: (row) => make("td", {}, row.supplier),
    value: (row) => make("td", { class: "n" }, row.amount),
    buyer: (row) => make("td", {}, row.buyer),
    row: (row) => make("td", { class: "n" }, row.rows.join(", ")),
    docs: (row) => make("td", { class: "n" }, row.docs ? (row.done || 0) + " of " + row.docs.length : ""),
    ms: (row) => make("td", { class: "n" }, row.took),
    why: (row) =>
      make(
        "td",
        { class: "what" },
        make("span", {}, row.why || (row.unconfirmed && "not confirmed: " + row.unconfirmed)),
      ),
  };
  const shown = () => [...byId("table").tHead.querySelectorAll("[data-sort]")].map((button) => button.dataset.sort);
  const cells = (row) => shown().map((name) => columns[name](row));

  const tableOf = (titles, lines) =>
    make(
      "table",
      {},
      make("thead", {}, make("tr", {}, ...titles.map((title) => make("th", { scope: "col" }, title)))),
      make(
        "tbody",
        {},
        ...lines.map((line) => make("tr", {}, ...line.map((cell) => make("td", {}, ...[cell].flat())))),
      ),
    );

  const evidence = (files) => (files || []).flatMap(([name, href]) => [link(href, name), " "]);

  const picture = (row) => {
    const files = new Set((row.tries || []).flatMap((t) => (t.evidence || []).map((file) => file[1])));
    const there = [...document.querySelectorAll("section img[data-evidence]")].find((img) =>
      files.has(img.dataset.evidence),
    );
    if (!there) return;
    const img = make("img", { src: there.src, alt: there.alt, width: there.width, height: there.height });
    return make("a", { class: "picture large", href: there.dataset.evidence }, img);
  };

  const detail = (row) => {
    const parts = [];
    if (row.why) parts.push(make("p", { class: "error" }, row.why));
    for (const [line, what, column, sheet, portal] of row.differs || []) {
      const text = [
        `Row ${line}, ${what}: the sheet says `,
        make("b", {}, sheet),
        ` in ${column}, the portal `,
        make("b", {}, portal),
      ];
      parts.push(make("p", { class: "error" }, ...text));
    }
    const facts = (row.facts || []).map(([name, text, wrong]) =>
      make(
        "div",
        {},
        make("dt", {}, name),
        make("dd", {}, text || "–", wrong ? make("span", { class: "bad" }, " " + wrong) : ""),
      ),
    );
    if (row.link) facts.unshift(make("div", {}, make("dt", {}, "Page"), make("dd", {}, link(row.link, row.link))));
    if (row.folder)
      facts.unshift(
        make(
          "div",
          {},
          make("dt", {}, "Folder"),
          make("dd", {}, link(row.folder + "/", decodeURIComponent(row.folder))),
        ),
      );
    if (facts.length) parts.push(make("dl", { class: "facts" }, ...facts));
    if (row.docs) {
      const lines = row.docs.map((doc) => [
        link(doc.link, doc.name, doc.saved ? { download: "" } : {}),
        doc.size,
        doc.type,
        [doc.state, doc.why ? ": " + doc.why : ""],
      ]);
      parts.push(tableOf(["Document", "Size", "Type", "State"], lines));
    }
    if (row.tries) {
      const lines = row.tries.map((t) => [
        (t.times ? t.times + " × " : "") + t.outcome,
        t.began ? clock.format(new Date(t.began)) : "",
        t.took,
        t.worker,
        [t.why, " ", ...evidence(t.evidence)],
      ]);
      parts.push(tableOf(["Attempts", "Began", "Took", "Worker", "Error and evidence"], lines));
    }
    parts.push(picture(row));
    return make("tr", { class: "detail" }, make("td", { colspan: shown().length }, ...parts));
  };

  const body = () => byId("table").tBodies[0];

  const draw = (upTo) => {
    const lines = [];
    for (; drawn < Math.min(upTo, hits.length); drawn++) {
      const row = hits[drawn];
      const tr = make("tr", { class: "order" }, ...cells(row));
      tr.dataset.at = row.at;
      lines.push(tr);
      if (view.open.has(row.po)) lines.push(detail(row));
    }
    body().append(...lines);
    byId("more").hidden = drawn >= hits.length;
    byId("more").textContent = "Show more: " + (hits.length - drawn).toLocaleString() + " are left";
  };

  const apply = (upTo = part) => {
    const parts = view.search.toLowerCase().split(/\s+/).filter(Boolean);
    hits = rows.filter((row) => {
      if (!wanted(row)) return false;
      if (parts.length && !row.text) row.text = textOf(row);
      return parts.every((word) => row.text.includes(word));
    });
    if (view.sort) hits.sort(compare);
    for (const th of byId("table").tHead.querySelectorAll("th")) {
      const here = th.firstElementChild.dataset.sort === view.sort;
      if (here) th.setAttribute("aria-sort", view.down ? "descending" : "ascending");
      else th.removeAttribute("aria-sort");
    }
    for (const chip of document.querySelectorAll(".chips [data-show]"))
      chip.setAttribute("aria-pressed", String(chip.dataset.show === view.show));
    const only = byId("reason");
    only.hidden = !view.reason;
    if (view.reason) only.textContent = titleOf(view.reason) + " ×";
    byId("shown").textContent =
      hits.length === rows.length
        ? ""
        : hits.length
          ? hits.length.toLocaleString() + " of " + rows.length.toLocaleString() + " orders"
          : "No order matches.";
    drawn = 0;
    body().replaceChildren();
    draw(upTo);
  };

  const titleOf = (reason) => {
    const heading = document.querySelector("#reason-" + reason + " h3");
    return heading ? heading.childNodes[1].textContent.trim() : "one reason";
  };

  const turn = (tr) => {
    const row = rows[tr.dataset.at];
    const open = !view.open.has(row.po);
    tr.querySelector(".toggle").setAttribute("aria-expanded", String(open));
    if (open) {
      view.open.add(row.po);
      tr.after(detail(row));
    } else {
      view.open.delete(row.po);
      tr.nextElementSibling.remove();
    }
  };

  const times = (within) => {
    for (const t of within.querySelectorAll("time")) {
      t.title = t.textContent;
      t.textContent = clock.format(new Date(t.dateTime));
    }
  };

  const commands = (within) => {
    if (!navigator.clipboard) return;
    for (const pre of within.querySelectorAll("pre")) {
      const text = pre.textContent;
      const copy = make("button", { type: "button" }, "Copy");
      copy.setAttribute("aria-label", "Copy " + text);
      copy.addEventListener("click", () =>
        navigator.clipboard.writeText(text).then(
          () => {
            copy.textContent = "Copied";
          },
          () => {
            copy.textContent = "Select and copy it";
          },
        ),
      );
      pre.append(copy);
    }
  };

  document.addEventListener("click", (e) => {
    const button = e.target.closest("button");
    const tr = e.target.closest("tr.order");
    if (button && button.dataset.show !== undefined) {
      view.show = view.show === button.dataset.show ? "all" : button.dataset.show;
      view.reason = 0;
    } else if (button && button.dataset.reason) {
      view.show = "all";
      view.reason = Number(button.dataset.reason);
    } else if (button && button.id === "reason") {
      view.reason = 0;
    } else if (button && button.dataset.sort) {
      view.down = view.sort === button.dataset.sort ? !view.down : false;
      view.sort = button.dataset.sort;
    } else if (button && button.id === "more") {
      const first = body().rows.length;
      draw(drawn + part);
      if (button.hidden) body().rows[first].querySelector(".toggle").focus({ preventScroll: true });
      return;
    } else {
      if (tr && !e.target.closest("a") && !String(getSelection())) turn(tr);
      return;
    }
    apply();
    if (button.hidden) document.querySelector(".chips [data-show=all]").focus(); // it was the reason's
    if (button.classList.contains("more")) byId("all").scrollIntoView();
  });
  let timer;
  document.addEventListener("input", (e) => {
    if (e.target.id !== "search") return;
    view.search = e.target.value;
    clearTimeout(timer);
    timer = setTimeout(apply, 80);
  });
  document.addEventListener("keydown", (e) => {
    if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey || e.target.closest("input")) return;
    e.preventDefault();
    byId("search").focus();
  });
  addEventListener("beforeprint", () => draw(most));

  // load shows the page's orders, as they are told in its own data.
  const load = () => {
    rows = JSON.parse(byId("rows").textContent);
    rows.forEach((row, at) => {
      row.at = at;
    });
    byId("table").hidden = rows.length === 0;
    if (rows.length === 0) byId("shown").textContent = "No order to show.";
    times(byId("report"));
    commands(byId("report"));
    const search = byId("search");
    if (search.value !== view.search) search.value = view.search;
    if (rows.length) apply(Math.max(part, drawn)); // what was shown stays
  };
  load();
  document.addEventListener("poscrape:load", load);
})();
