// The portal as an application of one page: see ApplicationPath of package portal.
(() => {
  const root = document.getElementById("application");
  const template = document.getElementById("order");
  const known = "application-orders";
  const opened = new Map();
  // What was opened before in this tab is there again after a reload, hidden.
  const remembered = () => JSON.parse(sessionStorage.getItem(known) || "[]");

  const save = async (file) => {
    const response = await fetch(file.href);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await response.blob());
    link.download = file.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };

  const draw = ({ order, documents }) => {
    const section = template.content.firstElementChild.cloneNode(true);
    const amount = Number(order.total).toLocaleString("en-US", { minimumFractionDigits: 2 });
    const values = { ...order, total: `${order.currency} ${amount}` };
    for (const name of ["number", "supplier", "buyer", "total", "issued"])
      section.querySelector(`.${name}`).value = values[name];
    const menu = section.querySelector(".menu");
    for (const file of documents) {
      const item = document.createElement("li");
      item.role = "none";
      const link = document.createElement("a");
      link.className = "document";
      link.role = "menuitem";
      link.textContent = file.name;
      link.addEventListener("click", () => save(file));
      item.append(link);
      menu.append(item);
    }
    section.querySelector(".open-menu").addEventListener("click", () => {
      menu.hidden = !menu.hidden;
    });
    section.hidden = true;
    root.append(section);
    return section;
  };

  const load = async (number) => {
    if (!opened.has(number)) {
      const headers = { Authorization: localStorage.getItem("door") || "none" };
      const response = await fetch(`/api/application/orders/${number}`, { headers });
      if (response.status === 401) location.href = "/door/sign-in"; // see Door
      if (!response.ok) return;
      opened.set(number, draw(await response.json()));
    }
    return opened.get(number);
  };

  const route = async () => {
    const number = decodeURIComponent((location.hash.match(/^#\/orders\/(.+)$/) || [])[1] || "");
    for (const section of opened.values()) section.hidden = true;
    if (!number) return;
    const section = await load(number);
    if (!section || !location.hash.endsWith(number)) return;
    section.hidden = false;
    sessionStorage.setItem(known, JSON.stringify([...new Set([...remembered(), number])].slice(-5)));
  };

  addEventListener("hashchange", route);
  Promise.all(remembered().map(load)).then(route);
})();
