// paper.js is one function: it returns what a print of the page shows, and what it would lack. Where
// keep is true, it also keeps what that is at each time that the page is printed.
(keep) => {
  const words = (text) => text.replace(/\s+/g, " ").trim();
  const visible = (el) => el.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const whole = () => document.body.checkVisibility({ opacityProperty: true });
  const all = (selector) => [...document.querySelectorAll(selector)].filter(visible);
  const named = (el) => {
    const first = el.classList[0];
    return el.localName + (el.id ? `#${el.id}` : first ? `.${first}` : "");
  };

  const pictured = (el) => (el.localName === "img" ? el.naturalWidth > 0 : el.getBoundingClientRect().width > 0);
  const blank = (text) => words(text) === "" && (!whole() || !all("img, canvas, svg, video, iframe").some(pictured));

  // hides reports whether text of a box is out of its sight.
  const hides = (box) => {
    if (box.localName === "textarea") return true;
    const { top, bottom } = box.getBoundingClientRect();
    const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (texts.nextNode()) {
      const text = texts.currentNode;
      if (words(text.data) === "" || !visible(text.parentElement)) continue;
      range.selectNodeContents(text);
      const at = range.getBoundingClientRect();
      if (at.height > 1 && at.width > 1 && (at.top >= bottom - 2 || at.bottom <= top + 2)) return true;
    }
    return false;
  };
  // The page's own scroll is that of its root, or of its body where the root has none: paper takes it whole.
  const pageScrolls = (box) =>
    box === document.documentElement ||
    (box === document.body && getComputedStyle(document.documentElement).overflowY === "visible");
  // A line may be cut off by rounding, and a menu is no part of a document.
  const scrolls = (box) => {
    const cut = box.scrollHeight - box.clientHeight;
    if (box.clientHeight < 50 || cut <= 20 || pageScrolls(box) || box.closest("select, nav, [role=navigation]")) {
      return false;
    }
    const style = getComputedStyle(box).overflowY;
    return (/auto|scroll/.test(style) || (/hidden|clip/.test(style) && cut >= 100)) && visible(box) && hides(box);
  };

  // What counts visits has a pixel for a picture.
  const tiny = (el) =>
    [el.getAttribute("width"), el.getAttribute("height"), el.style.width, el.style.height].some(
      (size) => size && parseFloat(size) <= 2 && !size.endsWith("em"),
    );
  const broken = (img) => img.getAttribute("src") && img.complete && img.naturalWidth === 0 && !tiny(img);
  const holdsPDF = (el) => {
    const box = el.getBoundingClientRect();
    const type = el.getAttribute("type") || "";
    const path = (el.getAttribute("src") || el.getAttribute("data") || "").replace(/[?#].*/, "");
    return box.width >= 50 && box.height >= 50 && (/^application\/pdf\b/i.test(type) || /\.pdf$/i.test(path));
  };

  const look = () => {
    if (!/^(text\/html|application\/xhtml\+xml)$/.test(document.contentType) || !document.body) {
      return { type: document.contentType };
    }
    const text = whole() ? document.body.innerText : "";
    const box = [...document.querySelectorAll("*")].find(scrolls);
    return {
      text,
      blank: blank(text),
      scrolls: box ? named(box) : "",
      broken: all("img")
        .filter(broken)
        .map((img) => img.currentSrc || img.src),
      pdf: all("embed, object, iframe").filter(holdsPDF).map(named)[0] || "",
    };
  };
  if (keep) {
    const kept = new Map();
    globalThis.keptPrints = kept;
    addEventListener("beforeprint", () => {
      const paper = look();
      kept.set(JSON.stringify(paper), paper);
    });
  }
  return look();
};
