// Does the fault that the page's plan names, when the page is loaded: see
// faults.go of package portal.
(function () {
  "use strict";
  var plan = JSON.parse(document.getElementById("page-plan").textContent);
  var faults = {
    loop: function () {
      for (;;);
    },
    dialogs: function () {
      for (;;) alert("Please confirm.");
    },
    hog: function () {
      var all = [];
      for (;;) all.push(new Array(1e6).fill(1.5));
    },
    deep: function () {
      // Half of it is enough, and twice as deep takes four times as long.
      var top = document.createElement("div");
      for (var i = 0, at = top; i < 10000; i++) at = at.appendChild(document.createElement("div"));
      document.querySelector("main").append(top);
      return document.body.innerText;
    },
    flood: function () {
      for (var i = 0; i < 20000; i++) console.error("render component", i, { state: "failed", props: { id: i } });
    },
    close: function () {
      window.open("", "_self");
      window.close();
    },
    navigate: function () {
      location.replace(location.pathname + "?" + Date.now());
    },
  };
  if (faults[plan.fault])
    window.addEventListener("load", function () {
      setTimeout(faults[plan.fault], 0);
    });
})();
