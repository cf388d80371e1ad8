// Does what is odd about a page: see odd.go of package portal.
(() => {
  const plan = JSON.parse(document.getElementById("odd-plan").textContent);
  const rows = plan.Rows || [];
  const comments = document.getElementById("comments");
  const list = document.querySelector("#attachments .files");

  const element = (name, className, text) => {
    const node = document.createElement(name);
    node.className = className;
    if (text) node.textContent = text;
    return node;
  };

  // A link to a document, or a button that does something with it.
  const item = (row, click) => {
    const way = element(click ? "button" : "a", "attachment");
    way.append(element("span", "filename", row.Name));
    if (click) way.addEventListener("click", () => click(row));
    else way.href = row.Href;
    const node = element("li", "document");
    node.append(way, " ", element("span", "size", row.Size), " ", element("span", "state", row.State));
    return node;
  };

  const put = (place, click) => place.replaceChildren(...rows.map((row) => item(row, click)));

  const download = (row) => {
    const made = document.createElement("a");
    made.href = row.Href;
    made.download = row.Name;
    made.click();
  };

  const comment = () => {
    const files = element("ul", "files");
    files.append(...rows.map((row) => item(row)));
    for (const link of files.querySelectorAll("a")) link.target = "_blank";
    comments.append(element("p", "comment", "Please see the attached."), files);
  };

  const manners = {
    comments: () => setTimeout(comment, 500),
    collapsed: () => {
      const button = element("button", "show-comments", "Show comments");
      button.setAttribute("aria-expanded", "false");
      button.addEventListener("click", () => {
        if (button.getAttribute("aria-expanded") === "true") return;
        button.setAttribute("aria-expanded", "true");
        setTimeout(comment, 200);
      });
      comments.append(button);
    },
    tab: () => {
      for (const tab of document.querySelectorAll("[role=tab]"))
        tab.addEventListener("click", () => {
          for (const other of document.querySelectorAll("[role=tab]")) {
            other.setAttribute("aria-selected", String(other === tab));
            document.getElementById(other.getAttribute("aria-controls")).hidden = other !== tab;
          }
        });
    },
    shadow: () => {
      const files = element("ul", "files");
      files.append(...rows.map((row) => item(row)));
      list.parentElement.append(element("div", "host"));
      document.querySelector(".host").attachShadow({ mode: "open" }).append(files);
    },
    windows: () => put(list, (row) => open(row.Href)),
    rerender: () => {
      const click = (row) => {
        download(row);
        setTimeout(() => put(list, click), 50);
      };
      put(list, click);
    },
    prompt: () => prompt("What is your name?"),
    alert: () =>
      put(list, (row) => {
        alert("The document is confidential.");
        download(row);
      }),
    confirm: () =>
      put(list, (row) => {
        confirm("Do you want to take a survey afterwards?");
        download(row);
      }),
    unload: () => {
      addEventListener("beforeunload", (event) => event.preventDefault());
      put(list, download);
    },
    pages: () => {
      const size = 2,
        last = Math.ceil(rows.length / size);
      const pager = element("p", "pager"),
        next = element("button", "next", "Next");
      list.after(pager);
      const show = (page) => {
        list.replaceChildren(...rows.slice((page - 1) * size, page * size).map((row) => item(row)));
        pager.replaceChildren(`Page ${page} of ${last} `, next);
        next.disabled = page === last;
        next.onclick = () => setTimeout(() => show(page + 1), 150);
      };
      show(1);
    },
    menu: () =>
      put(list, (row) => {
        document.querySelector(".menu")?.remove();
        const menu = element("div", "menu"),
          save = element("button", "save", "Save as PDF");
        menu.append(save);
        document.body.append(menu);
        save.addEventListener("click", async () => {
          const made = document.createElement("a");
          made.href = URL.createObjectURL(await (await fetch(row.Href)).blob());
          made.download = row.Name;
          made.click();
          menu.remove();
        });
      }),
    never: () => put(list, (row) => row === rows[0] && download(row)),
    history: () => {
      history.replaceState({}, "", `${location.pathname}?view=details`);
      setTimeout(() => history.pushState({}, "", `${location.pathname}?view=documents`), 100);
    },
    idle: () =>
      setTimeout(() => {
        location.href = "/login";
      }, 15 * 60_000),
  };
  addEventListener("load", () => manners[plan.How]?.());
})();
