// Does what the page's plan says: see the plan type of package portal.
(function () {
  "use strict";
  var source = document.getElementById("page-plan");
  if (!source) return;
  var plan = JSON.parse(source.textContent);
  var section = document.getElementById("attachments");
  var list = section.querySelector(".files");

  function element(name, className, text) {
    var node = document.createElement(name);
    node.className = className;
    if (text) node.textContent = text;
    return node;
  }

  function row(file) {
    var anchor = element("a", "attachment");
    anchor.href = file.href;
    anchor.append(element("span", "tile " + file.kind), element("span", "filename", file.name));
    var item = document.createElement("li");
    item.append(anchor, element("span", "size", file.size));
    return item;
  }

  function mount(files) {
    var spinner = section.querySelector(".spinner");
    if (spinner) spinner.remove();
    list.append.apply(list, files.map(row));
  }

  // The link of the blob is made when it is needed, and forgotten at once.
  function save(event) {
    var anchor = event.target.closest("a[data-content]");
    if (!anchor) return;
    event.preventDefault();
    if (anchor.dataset.how) {
      mixUp(anchor);
      return;
    }
    fetch(anchor.dataset.content)
      .then(function (answer) {
        return answer.blob();
      })
      .then(function (blob) {
        var made = document.createElement("a");
        made.href = URL.createObjectURL(blob);
        made.download = anchor.querySelector(".filename").textContent;
        document.body.append(made);
        made.click();
        made.remove();
        setTimeout(function () {
          URL.revokeObjectURL(made.href);
        }, 10000);
      });
  }

  function download(address) {
    var made = document.createElement("a");
    made.href = address;
    made.download = "";
    made.click();
  }

  // Downloads that come late, or more than once: see mixups.go of package portal.
  function mixUp(anchor) {
    download(anchor.dataset.content);
    if (anchor.dataset.how !== "doubled") return;
    download(anchor.dataset.content);
    var others = list.querySelectorAll("a[data-content]");
    setTimeout(function () {
      download(others[0].dataset.content);
    }, 700);
  }

  list.addEventListener("click", save);
  for (var i = 0; i < plan.console; i++) {
    console.log("hydrate component", i, { state: "mounted", props: { id: i, path: "root/" + i } });
  }
  plan.waves.forEach(function (wave) {
    setTimeout(mount, wave.after, wave.files);
  });
  if (plan.list) {
    setTimeout(function () {
      fetch(plan.list)
        .then(function (answer) {
          return answer.json();
        })
        .then(mount);
    }, plan.listAfter);
  }
  if (plan.poll) {
    setInterval(function () {
      fetch("/api/news").catch(function () {});
    }, plan.poll);
  }
  window.addEventListener("load", function () {
    if (plan.alert) alert(plan.alert);
    if (plan.confirm) confirm(plan.confirm);
  });
})();
