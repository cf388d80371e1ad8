// storage.js reads and writes what an origin keeps in a browser, in the shape of
// Playwright's storage state. It runs in a world of its own on an empty page of the origin,
// where no script of the portal runs.
const requested = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const items = (storage) => Object.keys(storage).map((name) => ({ name, value: storage.getItem(name) }));

const fill = (storage, list) => {
  storage.clear();
  for (const { name, value } of list) storage.setItem(name, value);
};

const arrays = {
  i8: Int8Array,
  ui8: Uint8Array,
  ui8c: Uint8ClampedArray,
  i16: Int16Array,
  ui16: Uint16Array,
  i32: Int32Array,
  ui32: Uint32Array,
  f32: Float32Array,
  f64: Float64Array,
  bi64: BigInt64Array,
  bui64: BigUint64Array,
};

const base64 = (bytes) => {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
};

const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

const isPlain = (value) => Object.getPrototypeOf(value) === Object.prototype;

// isJSON reports whether JSON says all of a value.
const isJSON = (value, above = []) => {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== "object") return typeof value === "string" || typeof value === "boolean";
  if (value === null) return true;
  if (above.includes(value) || !(Array.isArray(value) || isPlain(value))) return false;
  return Object.values(value).every((part) => isJSON(part, [...above, value]));
};

const special = [undefined, null, NaN, Infinity, -Infinity, -0];

class Unkept extends Error {}

// encode writes a value as Playwright does. What has no such form, such as a key that must
// not leave the browser, throws Unkept.
const encode = (value, seen = new Map()) => {
  const known = special.findIndex((s) => Object.is(s, value));
  if (known >= 0) return { v: Object.is(value, -0) ? "-0" : String(value) };
  if (typeof value === "bigint") return { bi: String(value) };
  if (typeof value !== "object") return value;
  if (value instanceof Date) return { d: value.toJSON() };
  if (value instanceof RegExp) return { r: { p: value.source, f: value.flags } };
  if (value instanceof Error) return { e: { n: value.name, m: value.message, s: value.stack ?? "" } };
  for (const [k, type] of Object.entries(arrays)) {
    if (value instanceof type)
      return { ta: { b: base64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)), k } };
  }
  if (seen.has(value)) return { ref: seen.get(value) };
  const id = seen.size + 1;
  seen.set(value, id);
  if (Array.isArray(value)) return { a: value.map((part) => encode(part, seen)), id };
  if (!isPlain(value)) throw new Unkept();
  return { o: Object.entries(value).map(([k, part]) => ({ k, v: encode(part, seen) })), id };
};

// decode is the inverse of encode.
const decode = (value, seen = new Map()) => {
  if (typeof value !== "object" || value === null) return value;
  if ("ref" in value) return seen.get(value.ref);
  if ("v" in value) return special.find((s) => (Object.is(s, -0) ? "-0" : String(s)) === value.v);
  if ("d" in value) return new Date(value.d);
  if ("u" in value) return String(value.u);
  if ("bi" in value) return BigInt(value.bi);
  if ("r" in value) return new RegExp(value.r.p, value.r.f);
  if ("e" in value) return Object.assign(new Error(value.e.m), { name: value.e.n, stack: value.e.s });
  if ("ta" in value) return new arrays[value.ta.k](bytesOf(value.ta.b).buffer);
  if ("a" in value) {
    const list = [];
    seen.set(value.id, list);
    for (const part of value.a) list.push(decode(part, seen));
    return list;
  }
  if (!("o" in value)) throw new Error("a value of an unknown kind");
  const object = {};
  seen.set(value.id, object);
  for (const { k, v } of value.o)
    Object.defineProperty(object, k, { value: decode(v, seen), enumerable: true, writable: true, configurable: true });
  return object;
};

const put = (record, name, value) => {
  if (isJSON(value)) record[name] = value;
  else record[name + "Encoded"] = encode(value);
};

const got = (record, name) => (name in record ? record[name] : decode(record[name + "Encoded"]));

const paths = (keyPath) => (Array.isArray(keyPath) ? { keyPathArray: keyPath } : { keyPath: keyPath ?? undefined });

const readStore = async (store) => {
  const records = [];
  const [keys, values] = await Promise.all([requested(store.getAllKeys()), requested(store.getAll())]);
  for (const [i, value] of values.entries()) {
    const record = {};
    try {
      if (store.keyPath === null) put(record, "key", keys[i]);
      put(record, "value", value);
      records.push(record);
    } catch (e) {
      if (!(e instanceof Unkept)) throw e;
    }
  }
  const indexes = [...store.indexNames].map((name) => {
    const { keyPath, multiEntry, unique } = store.index(name);
    return { name, ...paths(keyPath), multiEntry, unique };
  });
  return { name: store.name, autoIncrement: store.autoIncrement, ...paths(store.keyPath), records, indexes };
};

const readDatabase = async ({ name, version }) => {
  const database = await requested(indexedDB.open(name));
  try {
    const names = [...database.objectStoreNames];
    const transaction = names.length > 0 && database.transaction(names, "readonly");
    return {
      name,
      version,
      stores: await Promise.all(names.map((store) => readStore(transaction.objectStore(store)))),
    };
  } finally {
    database.close();
  }
};

const writeDatabase = async ({ name, version, stores }) => {
  await requested(indexedDB.deleteDatabase(name));
  const opening = indexedDB.open(name, version);
  opening.onupgradeneeded = () => {
    for (const { name, autoIncrement, keyPath, keyPathArray, indexes } of stores) {
      const store = opening.result.createObjectStore(name, { autoIncrement, keyPath: keyPathArray ?? keyPath });
      for (const { name, keyPath, keyPathArray, unique, multiEntry } of indexes ?? [])
        store.createIndex(name, keyPathArray ?? keyPath, { unique, multiEntry });
    }
  };
  const database = await requested(opening);
  try {
    if (stores.length === 0) return;
    const transaction = database.transaction(
      stores.map((store) => store.name),
      "readwrite",
    );
    const adding = [];
    for (const { name, keyPath, keyPathArray, records } of stores) {
      const store = transaction.objectStore(name);
      for (const record of records) {
        const key = (keyPathArray ?? keyPath) === undefined ? got(record, "key") : undefined;
        adding.push(requested(store.add(got(record, "value"), key)));
      }
    }
    await Promise.all(adding);
  } finally {
    database.close();
  }
};

// readStorage returns what the origin keeps.
globalThis.readStorage = async () => {
  const databases = (await indexedDB.databases()).filter((database) => database.name && database.version);
  return { localStorage: items(localStorage), indexedDB: await Promise.all(databases.map(readDatabase)) };
};

// writeStorage makes it what is given.
globalThis.writeStorage = async (state) => {
  fill(localStorage, state.localStorage ?? []);
  for (const database of await indexedDB.databases()) await requested(indexedDB.deleteDatabase(database.name));
  for (const database of state.indexedDB ?? []) await writeDatabase(database);
};

globalThis.writeSession = (list) => fill(sessionStorage, list);
