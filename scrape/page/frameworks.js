// frameworks.js asks what a page's application is built with whether it is busy. All of it is
// the page's own, which may lie, throw or never answer: "busy" is a reason to wait, and
// anything else is none to believe that the page is settled.

// So long an Angular application without a change counts as busy: one with a timer that
// comes round for ever is never stable. A pause between two looks counts as longestPause at
// most, as a machine that stands still says nothing about the page.
const unstable = 3000,
  longestPause = 500;
const { min } = Math;
let unstableFor = 0,
  lookedAt = 0;

const says = {
  __proto__: null,
  "SAP UI5": () =>
    window.sap.ui.getCore?.().getUIDirty?.() === true ||
    window.sap.ui.require?.("sap/ui/core/Rendering")?.isPending?.() === true ||
    window.sap.ui.require?.("sap/ui/test/autowaiter/_autoWaiter")?.hasToWait?.() === true,
  "Oracle ADF": () => window.AdfPage.PAGE.isSynchronizedWithServer() === false,
  "Oracle JET": () => {
    const name = "ojs/ojcontext",
      context = window.requirejs?.defined?.(name) ? window.requirejs(name) : window.oj.Context;
    return context.getPageContext().getBusyContext().isReady() === false;
  },
  Angular: () => {
    const all = window.getAllAngularTestabilities();
    for (let i = 0; i < all.length; i++) if (all[i].isStable() === false) return unstableFor < unstable;
    return false;
  },
};
// frameworkBusy says which of them is busy, or nothing. The page's elements have not changed
// since the time grown.
const frameworkBusy = (at, grown) => {
  if (grown > lookedAt) unstableFor = 0;
  else unstableFor += min(at - lookedAt, longestPause);
  lookedAt = at;
  for (const name in says) {
    try {
      if (says[name]()) return name + " says that it is busy";
    } catch {
      /* it is another thing of that name, or not there yet */
    }
  }
  return "";
};
