(() => {
  "use strict";
  const root = document.documentElement;
  root.classList.add("js");

  const clock = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
  for (const t of document.querySelectorAll("time")) {
    const at = new Date(t.dateTime);
    t.title = t.textContent;
    t.textContent = clock.format(at);
  }

  const orders = [...document.querySelectorAll(".order")];
  const chips = [...document.querySelectorAll("[data-show]")];
  const search = document.getElementById("search");
  const shown = document.getElementById("shown");
  let texts = null;
  let show = "all";

  const wanted = (order) =>
    show === "all" || order.dataset.outcome === show || (show === "attention" && order.classList.contains("unwell"));

  const apply = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length && !texts) texts = orders.map((o) => o.textContent.toLowerCase());
    let n = 0;
    orders.forEach((order, i) => {
      const hit = wanted(order) && words.every((w) => texts[i].includes(w));
      order.hidden = !hit;
      if (hit) n++;
    });
    for (const chip of chips) chip.setAttribute("aria-pressed", String(chip.dataset.show === show));
    shown.textContent = n === orders.length ? "" : n + " of " + orders.length + " shown";
    document.getElementById("nothing").hidden = n > 0;
  };

  for (const chip of chips) {
    chip.addEventListener("click", () => {
      show = show === chip.dataset.show ? "all" : chip.dataset.show;
      apply();
    });
  }
  let timer;
  search.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(apply, 120);
  });
  document.getElementById("unfold").addEventListener("click", (e) => {
    const open = e.currentTarget.getAttribute("aria-pressed") !== "true";
    e.currentTarget.setAttribute("aria-pressed", String(open));
    for (const order of orders) if (!order.hidden) order.open = open;
  });
  apply();
})();
