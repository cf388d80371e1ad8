// How the run goes on: what the server tells is shown, the report is asked for again, and
// buttons steer.
(() => {
  "use strict";
  const byId = (id) => document.getElementById(id);
  const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
  const number = (n) => n.toLocaleString();
  let now = null;
  let over = false;
  let shown = { done: -1, at: 0, rest: 3000, asking: false };

  const say = (text) => {
    byId("said").textContent = text;
  };

  const post = async (what, body) => {
    say("…");
    try {
      const answer = await fetch(what, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body || {}),
      });
      say(answer.ok ? "" : await answer.text());
    } catch {
      say("poscrape does not answer; has the run ended?");
    }
  };

  const duration = (ms) => {
    const minutes = Math.round(ms / 60000);
    if (minutes < 1) return "less than a minute";
    return minutes < 60 ? minutes + " min" : Math.floor(minutes / 60) + " h " + (minutes % 60) + " min";
  };

  // card returns a worker's part of the page, made where it is missing.
  const card = (id) => {
    let li = byId("worker-" + id);
    if (!li) {
      li = document.createElement("li");
      li.id = "worker-" + id;
      const [screen, about, order, note] = ["span", "div", "b", "small"].map((name) => document.createElement(name));
      screen.className = "screen";
      about.append(order, note);
      li.append(screen, about);
      byId("workers").append(li);
    }
    return li;
  };

  const showWorker = (worker, taken) => {
    const li = card(worker.id);
    const orders = worker.tasks.length
      ? worker.tasks.join(", ")
      : worker.draining
        ? "draining"
        : worker.state.toLowerCase();
    li.querySelector("b").textContent = orders;
    li.querySelector("small").textContent =
      `${worker.id} · ${number(worker.processed)} done, ${number(worker.failed)} failed`;
    if (taken && li.dataset.taken !== taken) {
      li.dataset.taken = taken;
      const img = document.createElement("img");
      img.alt = `What ${worker.id} showed at ${clock.format(new Date(taken))}`;
      img.addEventListener("load", () => li.querySelector(".screen").replaceChildren(img));
      img.src = "picture/" + encodeURIComponent(worker.id) + "?" + encodeURIComponent(taken);
    }
  };

  const show = (event) => {
    now = event;
    const s = event.status;
    over = event.ended;
    byId("status").textContent = over ? "ENDED" : s.status;
    byId("progress").max = Math.max(1, s.total - s.skipped);
    byId("progress").value = s.well + s.not_well;
    const parts = [
      `${number(s.well + s.not_well)} of ${number(s.total - s.skipped)} orders`,
      `${number(s.not_well)} need attention`,
    ];
    parts.push(`${Math.round(s.rate_per_minute)} a minute`);
    if (s.eta_ms !== null && !over) parts.push(duration(s.eta_ms) + " left");
    byId("figures").textContent = parts.join(" · ");
    byId("why").textContent = over ? "" : s.reason;
    byId("sign-in").hidden = over || !event.sign_in;
    byId("wanted").textContent = `${s.workers.busy} of ${s.workers.wanted} busy`;
    const paused = s.holds.some((hold) => hold.owner === "person");
    byId("pause").textContent = paused ? "Go on" : "Pause";
    byId("pause").dataset.do = paused ? "resume" : "pause";
    for (const button of byId("live").querySelectorAll("button")) button.disabled = over;
    const there = new Set(event.workers.map((worker) => "worker-" + worker.id));
    for (const li of [...byId("workers").children]) if (!there.has(li.id)) li.remove();
    for (const worker of event.workers) showWorker(worker, event.pictures[worker.id]);
    if (over) say("The run has ended. Its report is report.html in the session folder.");
    renew();
  };

  // counterpart returns what stands in the report in place of an element that stood there before: by
  // its id, by its data, by its text, or in its part of the report.
  const counterpart = (was) => {
    if (was.id && byId(was.id)) return byId(was.id);
    const part = was.parentElement && was.parentElement.closest("[id]");
    const within = (part && byId(part.id)) || byId("report");
    const like = [...within.querySelectorAll(was.tagName)].filter((el) => el.tabIndex >= 0);
    const data = JSON.stringify(was.dataset);
    return (
      (data !== "{}" && like.find((el) => JSON.stringify(el.dataset) === data)) ||
      like.find((el) => el.textContent === was.textContent) ||
      like[0] ||
      byId("search")
    );
  };

  // renew asks for the report again where orders have ended since, and not too often.
  const renew = async () => {
    const done = now.status.well + now.status.not_well;
    if (shown.asking || over || document.hidden || done === shown.done || Date.now() - shown.at < shown.rest) return;
    const began = Date.now();
    shown.asking = true;
    try {
      const answer = await fetch("./");
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const open = new Set([...document.querySelectorAll("#report details[open]")].map((el) => el.id));
      const known = new Set([...document.querySelectorAll("#report details")].map((el) => el.id));
      for (const el of page.querySelectorAll("#report details")) if (known.has(el.id)) el.open = open.has(el.id);
      const focused = byId("report").contains(document.activeElement) ? document.activeElement : null;
      const at = byId("search").selectionStart;
      byId("rows").textContent = page.getElementById("rows").textContent;
      byId("report").replaceWith(document.adoptNode(page.getElementById("report")));
      document.dispatchEvent(new Event("poscrape:load"));
      if (focused) counterpart(focused).focus({ preventScroll: true });
      if (document.activeElement === byId("search")) byId("search").setSelectionRange(at, at);
      shown = { ...shown, done };
    } catch {
      // it is asked for again
    } finally {
      shown = { ...shown, asking: false, at: Date.now(), rest: Math.max(3000, 10 * (Date.now() - began)) };
    }
  };

  byId("live").addEventListener("click", (e) => {
    const button = e.target.closest("button");
    if (!button || !now) return;
    const wanted = now.status.workers.wanted;
    if (button.id === "fewer") post("scale", { workers: wanted - 1 });
    else if (button.id === "more-workers") post("scale", { workers: wanted + 1 });
    else if (button.id === "stop" && !confirm("Stop the run? Orders in progress are finished; it can be resumed."))
      return;
    else if (button.id === "stop-now" && !confirm("Stop at once? Orders in progress are put back; it can be resumed."))
      return;
    else if (button.dataset.do) post(button.dataset.do);
  });

  // What does not answer is said not to, once, with how old is what is shown.
  const patience = 6000;
  let heard = Date.now();
  let silent = false;
  setInterval(() => {
    if (over || silent || Date.now() - heard < patience) return;
    silent = true;
    say(`No answer since ${clock.format(new Date(heard))}: what is shown is from then. Is its process stopped?`);
  }, 1000);

  const events = new EventSource("events");
  events.addEventListener("message", (e) => {
    heard = Date.now();
    if (silent) say("");
    silent = false;
    show(JSON.parse(e.data));
    if (over) events.close();
  });
  events.addEventListener("error", () => {
    if (!over) say("poscrape does not answer; trying again …");
  });
  events.addEventListener("open", () => say(""));
})();
