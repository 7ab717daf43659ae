// The programs that the browser keeps under names: { id, name, source, options, method, example,
// kept }. Every call reads what is there now, since another tab may have written it, and changes it
// at once or not at all.

const KEY = "faultline.programs";
/** Where a list that cannot be read is put before another one is written over it. */
const UNREAD = "faultline.programs.unread";
/** Most characters of a name. */
export const LONGEST_NAME = 80;

/** What is thrown where the browser keeps nothing (more). */
export class Full extends Error {
  constructor() {
    super(
      "The browser's store is full or closed. Nothing was lost or changed: delete a program, or save this one as a file.",
    );
  }
}

const isProgram = (one) => typeof one?.id === "string" && typeof one.source === "string";

/** All of them, the one that was kept last first. */
export function programs() {
  let found = [];
  try {
    found = JSON.parse(localStorage.getItem(KEY)) ?? [];
  } catch {
    // A store that is closed, or what is no list of ours.
  }
  const list = Array.isArray(found) ? found.filter(isProgram) : [];
  return list.map((one) => ({ options: {}, kept: 0, ...one, name: titled(one.name) }));
}

function write(list) {
  try {
    const before = localStorage.getItem(KEY);
    if (before !== null && !isList(before)) localStorage.setItem(UNREAD, before);
    localStorage.setItem(KEY, JSON.stringify(list));
  } catch {
    throw new Full();
  }
}

function isList(text) {
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
}

/** A name that people can read. */
const titled = (name) =>
  String(name ?? "")
    .trim()
    .slice(0, LONGEST_NAME) || "Program";

/** The name, or the name with a number that no other program has. */
function free(name, list) {
  const taken = new Set(list.map((one) => one.name));
  let made = titled(name);
  for (let k = 2; taken.has(made); k++) made = `${titled(name)} (${k})`;
  return made;
}

const same = (a, b) =>
  a.source === b.source && JSON.stringify(a.options ?? {}) === JSON.stringify(b.options ?? {});

/**
 * Keeps a program: in the place of the one with this `id`, or as a new one with a free name. The
 * kept program; the one that is there already if it is the same.
 */
export function keep(program, id = null) {
  const list = programs();
  const old = list.find((one) => one.id === id) ?? list.find((one) => same(one, program));
  if (old && same(old, program)) return old;
  const rest = list.filter((one) => one !== old);
  const made = entry(program, old?.id, old?.name ?? free(program.name, list));
  write([made, ...rest]);
  return made;
}

/**
 * Keeps a program under the name that a person gives it: in the place of the one with this `id` if
 * that is its name, else as a new one. The kept program.
 */
export function keepAs(program, name, id) {
  const list = programs();
  const own = list.find((one) => one.id === id && one.name === titled(name));
  if (own) return keep(program, id);
  const made = entry(program, undefined, free(name, list));
  write([made, ...list]);
  return made;
}

/** Browsers have `crypto.randomUUID` only where a page comes from this machine or by https. */
const newId = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

function entry({ source, options = {}, method, example }, id = newId(), name) {
  return { id, name, source, options, method, example, kept: Date.now() };
}

/** Gives a program another name; the name that it has then. */
export function rename(id, name) {
  const list = programs();
  const one = list.find((other) => other.id === id);
  if (!one) return null;
  one.name = free(
    name,
    list.filter((other) => other !== one),
  );
  write(list);
  return one.name;
}

/** Takes a program away: what `restore` needs to bring it back. */
export function remove(id) {
  const list = programs();
  const at = list.findIndex((one) => one.id === id);
  if (at < 0) return null;
  const [program] = list.splice(at, 1);
  write(list);
  return { program, at };
}

/** Brings back what was taken away, to its place. */
export function restore({ program, at }) {
  const list = programs().filter((one) => one.id !== program.id);
  list.splice(Math.min(at, list.length), 0, { ...program, name: free(program.name, list) });
  write(list);
}
