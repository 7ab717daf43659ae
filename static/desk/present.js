// The program that the page shows, and how another one takes its place: through the editor's text
// and the browser's history, whose entries the page writes and restores (`src/ui/app/history.rs`).
import { say } from "./say.js";
import { keep, programs, update } from "./shelf.js";

/** Milliseconds after an edit until a kept program is updated. */
const REST = 500;
/** Where a tab, and the browser for the next tab, note which kept program is shown. */
const NOTED = "faultline.desk";
/** Where the page keeps the program (`ui::frame::store`). */
const SLOT = "faultline.program";

/** The editor's view. */
const editor = () => {
  const { EditorView } = globalThis.FaultlineEditor.shared;
  return EditorView.findFromDOM(document.querySelector(".cm-editor"));
};

const NOBODY = { file: null, kept: null, source: null };
/**
 * What the present program belongs to: a file's handle, or a kept program's id. `seen` is what this
 * tab has seen of the kept program last; `isFirst`: nothing was changed since it was opened.
 */
let belongs = NOBODY;
/** What the program that is about to be shown belongs to. */
let awaited = NOBODY;

/** The program that begins as this text belongs to a file or a kept program, once it is shown. */
export function belongsTo({ file = null, kept = null }, source) {
  const seen = programs().find(({ id }) => id === kept);
  const text = source.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  awaited = { file, kept: seen ? kept : null, source: text, seen, isFirst: true };
  if (editor()?.state.doc.toString() === awaited.source) settle(awaited);
}

export const owner = () => belongs;

function settle(owner) {
  belongs = owner;
  forgetPending();
  note();
  watch();
}

// All of the text was replaced, also by undo; the editor has the new one a moment later. A program
// that is not the awaited one belongs to nobody: it is never written over somebody else's file.
addEventListener("faultline-another", () => {
  // The editor may have the new one already: what was typed until now is written first.
  if (pending) updateKept(pending.toString());
  setTimeout(() => {
    const text = editor()?.state.doc.toString();
    if (text === awaited.source) settle(awaited);
    else if (text !== belongs.source) settle(NOBODY);
    awaited = NOBODY;
  });
});

// A kept program follows its edits.

let watched = null;
let timer = 0;
/** The editor's text after an edit that is not written yet. */
let pending = null;
let isTold = false;

function forgetPending() {
  clearTimeout(timer);
  pending = null;
}

/** Hears the editor's edits from now on. */
function watch() {
  const view = editor();
  if (!view || watched === view) return;
  watched = view;
  const { EditorView, StateEffect } = globalThis.FaultlineEditor.shared;
  const heard = EditorView.updateListener.of(({ docChanged, state }) => {
    if (!docChanged) return;
    forgetPending();
    pending = state.doc;
    timer = setTimeout(() => updateKept(), REST);
  });
  view.dispatch({ effects: StateEffect.appendConfig.of(heard) });
}

/**
 * Writes what was changed in the present program to the kept program that it is. `text`: what the
 * editor has, or had.
 */
export function updateKept(text) {
  try {
    writeKept(text);
    isTold = false;
  } catch ({ message }) {
    if (!isTold) say(message, true);
    isTold = true;
  }
}

/** As `updateKept`; throws where the store takes nothing. */
function writeKept(text) {
  forgetPending();
  if (!belongs.kept) return;
  const { seen, isFirst } = belongs;
  const now = present(text);
  if (now.source === seen.source && !now.isWritten) return;
  const { program, isNew } = update(belongs.kept, now, seen, isFirst);
  if (!program) return settle(NOBODY);
  const isChanged = program.source !== seen.source;
  belongs = { ...belongs, kept: program.id, seen: program, isFirst: isFirst && !isChanged };
  if (!isNew) return;
  note();
  say(
    `“${seen.name}” was changed in another tab too. What you have here is kept as “${program.name}”.`,
  );
}

addEventListener("pagehide", () => updateKept());
document.addEventListener("visibilitychange", () => document.hidden && updateKept());

// Over a reload, and for the next visit.

function note() {
  for (const store of ["sessionStorage", "localStorage"])
    try {
      if (belongs.kept) globalThis[store].setItem(NOTED, belongs.kept);
      else globalThis[store].removeItem(NOTED);
    } catch {
      // Then it is kept as another program.
    }
}

/**
 * The page was opened with this text as the person's own: if it is the kept program that was shown
 * here last, it is that program still.
 */
export function resume(text) {
  let noted = [];
  try {
    noted = [sessionStorage.getItem(NOTED), localStorage.getItem(NOTED)];
  } catch {
    // Nothing was noted.
  }
  const one = programs().find(({ id, source }) => noted.includes(id) && source === text);
  if (one) settle({ ...NOBODY, kept: one.id, source: text, seen: one, isFirst: false });
}

/**
 * The present program: { source, options, method, name, example, link }. `isWritten`: the page has
 * written its options, which it does a moment after a change.
 */
export function present(source = editor()?.state.doc.toString() ?? "") {
  let shown = null;
  try {
    shown = JSON.parse(history.state);
  } catch {
    // Another page's entry.
  }
  const kept = programs().find(({ id }) => id === belongs.kept);
  const heading = document.querySelector(".source-bar h2")?.textContent.trim();
  const name = kept?.name || heading || "Program";
  const isWritten = shown?.link?.source === source;
  // Until then those of the kept program hold.
  const before = isWritten || !kept ? (shown?.link ?? {}) : kept;
  const { options = {}, method } = before;
  const { options: _, method: __, ...link } = shown?.link ?? {};
  return { source, options, method, name, example: shown?.example ?? undefined, link, isWritten };
}

/**
 * Keeps the present program, so that another one can take its place: in its own place if it came
 * from there. Nothing happens to an empty one and to an example as it is in the gallery.
 */
export function keepPresent() {
  writeKept();
  if (belongs.kept) return;
  const program = present();
  const isExample = program.example && /^#e=[^&]*(&(tab|step|line)=[^&]*)*$/.test(location.hash);
  if (program.source.trim() && !isExample) keep(program);
}

/** Shows a program: { source, options, method, name, example, link }, the rest of a link. */
export function show({ id, source, options = {}, method, name, example, link = {} }) {
  const whole = { view: "projection", ...link, source, options, ...(method && { method }) };
  const visit = { link: whole, name: name ?? null, example: example ?? null, lender: null };
  const entry = JSON.stringify(visit);
  // The present program's changes are written, or were undone.
  belongs = NOBODY;
  // It is the person's own from now on: a reload, and the next visit, show it. What another tab has
  // written there is kept.
  try {
    const there = JSON.parse(localStorage.getItem(SLOT));
    if (there?.source?.trim() && !there.example && there.source !== present().source) keep(there);
    const own = { source, options, name, example, ...(method && { method }) };
    localStorage.setItem(SLOT, JSON.stringify(own));
  } catch {
    // Then it is lent, and the page says so with the first change.
  }
  history.pushState(entry, "", `${location.pathname}${location.search}`);
  dispatchEvent(new PopStateEvent("popstate", { state: entry }));
  belongsTo({ kept: id ?? null }, source);
}
