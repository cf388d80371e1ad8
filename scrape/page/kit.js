// kit.js begins the function that runs in each frame's own world before the page's
// scripts, and that the scripts after it are part of. A page can replace whatever it can
// reach, so all that is used later is taken here, and called by apply: neither methods
// of arrays, maps, promises and texts, nor what looks those up (for-of, spreading,
// regular expressions, destructured arrays, dictionaries that inherit) may be used in
// anything that runs after the page's first script. Rest parameters, array literals,
// for-in and objects without a prototype are safe.
const { apply, construct, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
const none = [];
const bare = () => ({ __proto__: null });
const getter = (type, name) => type && getOwnPropertyDescriptor(type.prototype, name)?.get;
const { addEventListener: listen, removeEventListener: unlisten, dispatchEvent: dispatch } = EventTarget.prototype;
const {
  then,
  constructor: { prototype: promises },
} = Promise.prototype;
const { setAttribute, getAttribute, hasAttribute } = Element.prototype;

// isPromise reports whether a function of the browser has returned a promise.
const isPromise = (value) => typeof value === "object" && value !== null && getPrototypeOf(value) === promises;
// settled calls over when a promise has settled. A page that keeps it from being called
// keeps itself busy.
const settled = (promise, over) => {
  try {
    apply(then, promise, [over, over]);
  } catch {
    /* over is never called */
  }
};
// told calls over when the browser, and not a script, tells of one of the events.
const told = (target, kinds, over) => {
  const hear = (event) => {
    if (!event.isTrusted) return;
    for (let i = 0; i < kinds.length; i++) apply(unlisten, target, [kinds[i], hear, true]);
    over();
  };
  for (let i = 0; i < kinds.length; i++) apply(listen, target, [kinds[i], hear, true]);
};
// around puts a function in the place of an object's, that calls it by its own means.
const around = (object, name, call) => {
  const real = object && object[name];
  if (typeof real !== "function") return;
  object[name] = {
    [name](...args) {
      return call(real, this, args);
    },
  }[name];
};
// made calls note for each object that a constructor of the window makes. The real one
// cannot be reached any more.
const made = (name, note) => {
  const Real = window[name];
  if (!Real) return;
  const put = {
    [name]: function (...args) {
      if (!new.target) return apply(Real, this, args); // which says what is wrong
      const it = construct(Real, args, new.target === put ? Real : new.target);
      note(it, args);
      return it;
    },
  }[name];
  for (const key of ownKeys(Real)) defineProperty(put, key, getOwnPropertyDescriptor(Real, key));
  Object.setPrototypeOf(put, getPrototypeOf(Real));
  defineProperty(Real.prototype, "constructor", { value: put, writable: true, configurable: true });
  defineProperty(window, name, { value: put, writable: true, configurable: true });
};
// facts are what else is to be known beside the page: texts and numbers by their names.
const facts = bare();
