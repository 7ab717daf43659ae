// The programs that the browser keeps under names: { id, name, source, options, method, example,
// kept, before, undone }. `before` is what it was before its last changes, so that they can be
// undone; `undone`: they are, and `before` is what they made. Every call reads what is there now,
// since another tab may have written it, and changes it at once or not at all.

const KEY = "faultline.programs";
/** Where a list that cannot be read is put before another one is written over it. */
const UNREAD = "faultline.programs.unread";
/** Most characters of a name. */
export const LONGEST_NAME = 80;

/** What is thrown where the browser keeps nothing (more). */
export class Full extends Error {
  constructor() {
    super(
      "The browser does not let the page save anything, or its memory for this page is full. Nothing was lost or changed: delete a program, or save this one as a file.",
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

/** Does the browser let the page keep anything? */
export function isOpen() {
  try {
    return localStorage.length >= 0;
  } catch {
    return false;
  }
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
 * Keeps a program as a new one with a free name. The kept program; the one that is there already if
 * it is the same.
 */
export function keep(program) {
  const list = programs();
  const there = list.find((one) => same(one, program));
  if (there) return there;
  const made = entry(program, newId(), free(program.name, list));
  write([made, ...list]);
  return made;
}

/**
 * Keeps a program under the name that a person gives it, in the place of the one that has this
 * name, if there is one. The kept program, and whether it took another one's place.
 */
export function keepAs(program, name) {
  const list = programs();
  const old = list.find((one) => one.name === titled(name));
  if (old && same(old, program)) return { program: old, isUpdate: false };
  const made = old ? changed(old, program, true) : entry(program, newId(), titled(name));
  write([made, ...list.filter((one) => one !== old)]);
  return { program: made, isUpdate: Boolean(old) };
}

/**
 * Writes a changed program to its place. `known` is what this tab has seen there last; where
 * another tab has written something else since, the program is kept as a new one. `isFirst`: the
 * first change since it was opened, to which undo leads back. The kept program, null if it was
 * deleted; and whether it is a new one.
 */
export function update(id, program, known, isFirst) {
  const list = programs();
  const old = list.find((one) => one.id === id);
  if (!old || same(old, program)) return { program: old ?? null, isNew: false };
  const isNew = !same(old, known);
  const made = isNew
    ? entry(program, newId(), free(old.name, list))
    : changed(old, program, isFirst);
  write([made, ...list.filter((one) => one !== old || isNew)]);
  return { program: made, isNew };
}

/** Undoes the last changes of a program, or brings them back: the program then. */
export function undoChanges(id) {
  const list = programs();
  const old = list.find((one) => one.id === id);
  if (!old?.before) return null;
  const made = { ...changed(old, old.before, true), undone: !old.undone };
  write(list.map((one) => (one === old ? made : one)));
  return made;
}

/** Browsers have `crypto.randomUUID` only where a page comes from this machine or by https. */
const newId = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

function entry({ source, options = {}, method, example }, id, name) {
  return { id, name, source, options, method, example, kept: Date.now() };
}

/** A program with what was changed in it. `isFirst`: undo leads back to what it is now. */
function changed(old, program, isFirst) {
  const { source, options, method, example } = old;
  const before = isFirst || !old.before ? { source, options, method, example } : old.before;
  return { ...entry(program, old.id, old.name), before };
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
  // A person's own from now on (`ui::frame::shelf`).
  delete one.tab;
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
