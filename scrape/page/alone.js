// alone.js is one function: it has extract.js, where that reads a document that was only
// parsed, also say what could make its page show something else than its text: scripts that
// run by themselves, and styles that hide.
(extract) => (rule, doc, eyes) => {
  const on = extract(rule, doc, eyes);
  const code = /^\s*$|javascript|ecmascript|^\s*module\s*$/i;
  // What runs without anybody doing anything.
  const handlers = (
    "load error pageshow readystatechange focus focusin toggle scroll resize message hashchange popstate begin " +
    "animationstart animationend animationiteration transitionrun transitionstart transitionend"
  )
    .split(" ")
    .map((name) => "[on" + name + "]")
    .join();
  const scripted = () =>
    on.all("script").some((el) => code.test(el.getAttribute("type") || "")) || on.all(handlers).length > 0;
  const styled = () =>
    on.all("link[rel~=stylesheet i]").length > 0 ||
    [...doc.childNodes].some((node) => node.nodeType === 7) ||
    on.all("style").some((el) => /display|visibility|@import|\\/i.test(el.textContent));
  return { ...on, read: (list) => ({ ...on.read(list), scripted: scripted(), styled: styled() }) };
};
