// extract.js is the one evaluation that every tool makes but poscrape, which has
// its own: a function of how long, in milliseconds, documents may be mounted
// after the page has been parsed. It returns as soon as there is one.
async (patience) => {
  const parsed = () => performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd > 0;
  if (!parsed()) {
    await new Promise((over) => document.addEventListener("DOMContentLoaded", over, { once: true }));
  }
  const list = document.getElementById("attachments");
  const listed = () => [...list.querySelectorAll("a.attachment")];
  if (patience > 0 && listed().length === 0) {
    await new Promise((over) => {
      new MutationObserver(() => {
        if (listed().length > 0) over();
      }).observe(list, { childList: true, subtree: true });
      setTimeout(over, patience);
    });
  }
  const text = (element) => element.textContent.trim();
  const fields = {};
  for (const name of ["supplier", "buyer", "currency", "total", "issued"]) {
    fields[name] = text(document.getElementById(name));
  }
  return {
    po: text(document.getElementById("po-number")),
    fields,
    documents: listed().map((anchor) => ({
      name: text(anchor.querySelector(".filename")),
      size: text(anchor.parentElement.querySelector(".size")),
      url: anchor.href,
    })),
  };
};
