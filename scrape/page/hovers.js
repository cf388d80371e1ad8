// hovers.js keeps account of the elements that a page wants to be told of when a person points at
// them, or enters them: what it shows then is not in the page before.
const pointing = {
  __proto__: null,
  mouseenter: 1,
  mouseover: 1,
  pointerenter: 1,
  pointerover: 1,
  focus: 1,
  focusin: 1,
};
const mostPointed = 2000;
const pointed = bare();
let pointeds = 0;
const { MouseEvent: RealMouse } = window;
// point notes what listens to an event, where it is one of these.
const point = (el, kind) => {
  if (typeof kind !== "string" || !(kind in pointing)) return;
  if (pointeds < mostPointed && el !== window && el !== document) pointed[pointeds++] = el;
};
for (const kind in pointing) {
  const name = "on" + kind,
    own = getOwnPropertyDescriptor(HTMLElement.prototype, name);
  if (!own) continue;
  const put = {
    set [name](fn) {
      if (typeof fn === "function") point(this, kind);
      apply(own.set, this, [fn]);
    },
  };
  defineProperty(HTMLElement.prototype, name, { ...own, set: getOwnPropertyDescriptor(put, name).set });
}
// tellPointed hands each of them over on a carrier, see watch.js.
const tellPointed = (carrier) => {
  for (let i = 0; i < pointeds; i++)
    try {
      apply(dispatch, carrier, [new RealMouse("pointed", { __proto__: null, relatedTarget: pointed[i] })]);
    } catch {
      /* it is no element */
    }
};
