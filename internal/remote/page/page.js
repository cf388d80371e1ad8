"use strict";
// Shows pictures of a browser's newest window, and sends what a person does to it.
const $ = (id) => document.getElementById(id);
const canvas = $("picture");
const keys = $("keys");
let state = {}; // what the server said last
let seen = 0; // the number of the picture's window
let over = false;

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const news = (text) => ($("news").textContent = text);

function end(text) {
  over = true;
  news(text);
  for (const button of document.querySelectorAll("nav button")) button.disabled = true;
  $("screen").hidden = true;
  for (const box of document.querySelectorAll("dialog")) box.close();
}

// ask returns an answer of the server, or null where there was none.
async function ask(address, options) {
  try {
    const answer = await fetch(address, options);
    if (answer.ok) return answer;
    if (answer.status === 403) end("This page is no longer valid. Use the address that poscrape has printed last.");
  } catch {
    if (!over) news("poscrape does not answer. Trying again…");
  }
  return null;
}

async function followState() {
  while (!over) {
    const answer = await ask(`state?after=${state.n || 0}`);
    if (answer) show(await answer.json().catch(() => state));
    else await pause(1000);
  }
}

async function followPictures() {
  let last = 0;
  while (!over) {
    const answer = await ask(`picture?after=${last}`);
    if (!answer) await pause(1000);
    if (!answer || answer.status === 204) continue;
    try {
      const bitmap = await createImageBitmap(await answer.blob());
      last = Number(answer.headers.get("X-Picture"));
      seen = Number(answer.headers.get("X-Window"));
      canvas.width = bitmap.width;
      canvas.height = bitmap.height;
      canvas.getContext("2d").drawImage(bitmap, 0, 0);
      bitmap.close();
      news("");
    } catch {
      await pause(200); // it was cut off
    }
  }
}

function show(now) {
  const before = state;
  state = now;
  if (now.over) return end(now.over);
  $("address").textContent = now.address;
  document.querySelector("[data-does=close]").hidden = now.windows < 2;
  document.querySelector("[data-does=confirm]").hidden = !now.confirm;
  if (JSON.stringify(before.dialog) !== JSON.stringify(now.dialog) || before.window !== now.window)
    showDialog(now.dialog);
  if ((before.menu && before.menu.id) !== (now.menu && now.menu.id)) showMenu(now.menu);
}

function showDialog(dialog) {
  const box = $("question");
  box.close();
  if (!dialog) return;
  $("message").textContent = dialog.message || (dialog.type === "beforeunload" ? "Leave this page?" : "");
  $("answer").hidden = dialog.type !== "prompt";
  $("answer").value = dialog.suggested;
  $("cancel").hidden = dialog.type === "alert";
  $("silence").hidden = !dialog.flood;
  box.showModal();
}

function answerDialog(accept, silence) {
  send({ type: "dialog", window: state.window, dialog: state.dialog?.id, accept, silence, text: $("answer").value });
  $("question").close();
  state.dialog = null; // the same question may come again
}

$("ok").onclick = () => answerDialog(true, false);
$("cancel").onclick = () => answerDialog(false, false);
$("silence").onclick = () => answerDialog(false, true);
$("answer").onkeydown = (event) => event.key === "Enter" && answerDialog(true, false);
$("question").oncancel = () => answerDialog(false, false);

function showMenu(menu) {
  const box = $("menu");
  const list = box.querySelector("ul");
  box.close();
  list.replaceChildren();
  if (!menu) return;
  let group = "";
  menu.options.forEach((option, index) => {
    if (option.group && option.group !== group) {
      const heading = document.createElement("li");
      heading.textContent = group = option.group;
      list.append(heading);
    }
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = option.label || "\u2013";
    button.disabled = option.disabled;
    if (option.selected) button.setAttribute("aria-current", "true");
    button.onclick = () => chooseOption(index);
    const item = document.createElement("li");
    item.append(button);
    list.append(item);
  });
  box.showModal();
  const current = list.querySelector("[aria-current]");
  if (current) current.focus();
}

function chooseOption(option) {
  if (!state.menu) return;
  send({ type: "menu", window: state.window, menu: state.menu.id, option });
  $("menu").close();
  keys.focus();
}

$("menu").oncancel = () => chooseOption(-1);
$("menu").querySelector(":scope > button").onclick = () => chooseOption(-1);

// What is done is sent in its order, and what comes meanwhile together.
let waiting = [];
let sending = false;

async function send(event) {
  const last = waiting[waiting.length - 1];
  if (event.action === "mouseMoved" && last && last.action === "mouseMoved") waiting.pop();
  waiting.push(event);
  if (sending) return;
  sending = true;
  while (waiting.length > 0 && !over) {
    const body = JSON.stringify(waiting);
    waiting = [];
    await ask("input", { method: "POST", body });
  }
  sending = false;
}

const modifiers = (event) =>
  (event.altKey ? 1 : 0) | (event.ctrlKey || event.metaKey ? 2 : 0) | (event.shiftKey ? 8 : 0);

function mouse(event, action, more) {
  const box = canvas.getBoundingClientRect();
  const x = (event.clientX - box.left - canvas.clientLeft) / canvas.clientWidth;
  const y = (event.clientY - box.top - canvas.clientTop) / canvas.clientHeight;
  send({
    type: "mouse",
    window: seen,
    action,
    x,
    y,
    modifiers: modifiers(event),
    held: event.buttons,
    button: "none",
    ...more,
  });
}

const buttons = ["left", "middle", "right"];
let clicks = { count: 0, at: 0, x: 0, y: 0 };

canvas.onpointerdown = (event) => {
  event.preventDefault();
  keys.focus({ preventScroll: true });
  canvas.setPointerCapture(event.pointerId);
  const again = event.timeStamp - clicks.at < 500 && Math.hypot(event.clientX - clicks.x, event.clientY - clicks.y) < 5;
  clicks = { count: again ? clicks.count + 1 : 1, at: event.timeStamp, x: event.clientX, y: event.clientY };
  mouse(event, "mousePressed", { button: buttons[event.button], clicks: clicks.count });
};
canvas.onpointerup = (event) => mouse(event, "mouseReleased", { button: buttons[event.button], clicks: clicks.count });
canvas.onpointermove = (event) => mouse(event, "mouseMoved", { button: event.buttons & 1 ? "left" : "none" });
canvas.oncontextmenu = (event) => event.preventDefault();
canvas.addEventListener(
  "wheel",
  (event) => {
    if (event.ctrlKey) return; // zooms this page
    event.preventDefault();
    const line = event.deltaMode === 0 ? 1 : event.deltaMode === 1 ? 30 : 600;
    mouse(event, "mouseWheel", { dx: event.deltaX * line, dy: event.deltaY * line });
  },
  { passive: false },
);

function key(event, down) {
  if (event.isComposing || event.key === "Process" || event.key === "Unidentified" || event.key === "Dead") return;
  if (event.key === "Escape" && event.shiftKey) {
    if (down) document.querySelector("nav button").focus();
    return;
  }
  const ctrl = (event.ctrlKey || event.metaKey) && !event.getModifierState("AltGraph");
  if (ctrl && event.code === "KeyV") return; // its text comes as a paste
  event.preventDefault();
  if (["Control", "Meta", "Alt", "AltGraph", "Shift"].includes(event.key)) return;
  const text = event.key.length === 1 && !ctrl ? event.key : "";
  const held = text && event.getModifierState("AltGraph") ? modifiers(event) & 8 : modifiers(event);
  send({
    type: "key",
    window: seen,
    down,
    key: event.key,
    code: event.code,
    keyCode: event.keyCode,
    modifiers: held,
    text: down ? text : "",
  });
}

keys.onkeydown = (event) => key(event, true);
keys.onkeyup = (event) => key(event, false);
keys.onpaste = (event) => {
  event.preventDefault();
  send({ type: "text", window: seen, text: event.clipboardData.getData("text/plain") });
};
// What an input method or a telephone's keyboard has written.
const written = () => {
  if (keys.value) send({ type: "text", window: seen, text: keys.value });
  keys.value = "";
};
keys.oninput = (event) => event.isComposing || written();
keys.oncompositionend = written;

for (const button of document.querySelectorAll("[data-does]")) {
  button.onclick = () => send({ type: button.dataset.does, window: state.window });
}

followState();
followPictures();
