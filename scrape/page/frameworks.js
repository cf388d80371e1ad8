// frameworks.js asks what a page's application is built with whether it is busy. All of it is
// the page's own, which may lie, throw or never answer: "busy" is a reason to wait, and
// anything else is none to believe that the page is settled.

// So long an Angular application without a change counts as busy: one with a timer that
// comes round for ever is never stable.
const unstable = 3000;

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
  Angular: (unchanged) => {
    if (unchanged >= unstable) return false;
    const all = window.getAllAngularTestabilities();
    for (let i = 0; i < all.length; i++) if (all[i].isStable() === false) return true;
    return false;
  },
};
// frameworkBusy says which of them is busy, or nothing. So long the page's elements have not changed.
const frameworkBusy = (unchanged) => {
  for (const name in says) {
    try {
      if (says[name](unchanged)) return name + " says that it is busy";
    } catch {
      /* it is another thing of that name, or not there yet */
    }
  }
  return "";
};
