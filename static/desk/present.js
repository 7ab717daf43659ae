// The program that the page shows, and how another one takes its place: through the editor's text
// and the browser's history, whose entries the page writes and restores (`src/ui/app/history.rs`).
import { keep, programs } from "./shelf.js";

/** The editor's view. */
const editor = () => {
  const { EditorView } = globalThis.FaultlineEditor.shared;
  return EditorView.findFromDOM(document.querySelector(".cm-editor"));
};

const NOBODY = { file: null, kept: null, source: null };
/** What the present program belongs to: a file's handle, or a kept program's id. */
let belongs = NOBODY;
/** What the program that is about to be shown belongs to. */
let awaited = NOBODY;

/** The program that begins as this text belongs to a file or a kept program, once it is shown. */
export function belongsTo({ file = null, kept = null }, source) {
  awaited = { file, kept, source: source.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n") };
  if (editor()?.state.doc.toString() === awaited.source) belongs = awaited;
}

export const owner = () => belongs;

// All of the text was replaced, also by undo; the editor has the new one a moment later. A program
// that is not the awaited one belongs to nobody: it is never written over somebody else's file.
addEventListener("faultline-another", () =>
  setTimeout(() => {
    const text = editor()?.state.doc.toString();
    if (text === awaited.source) belongs = awaited;
    else if (text !== belongs.source) belongs = NOBODY;
    awaited = NOBODY;
  }),
);

/** Where this tab of the browser notes the kept program over a reload. */
const NOTED = "faultline.desk";
addEventListener("pagehide", () => {
  try {
    const { kept } = belongs;
    const text = editor()?.state.doc.toString();
    sessionStorage.setItem(NOTED, JSON.stringify(kept ? { kept, text } : {}));
  } catch {
    // Then it is kept as another program.
  }
});
try {
  const { kept, text } = JSON.parse(sessionStorage.getItem(NOTED)) ?? {};
  if (kept && text === editor()?.state.doc.toString()) belongs = { ...NOBODY, kept, source: text };
} catch {
  // Nothing was noted.
}

/** The present program: { source, options, method, name, example, link }. */
export function present() {
  let shown = null;
  try {
    shown = JSON.parse(history.state);
  } catch {
    // Another page's entry.
  }
  const source = editor()?.state.doc.toString() ?? "";
  const kept = programs().find(({ id }) => id === belongs.kept);
  const heading = document.querySelector(".source-bar h2")?.textContent.trim();
  const name = kept?.name || heading || "Program";
  // The page writes what it shows a moment later.
  const { options = {}, method, ...link } = shown?.link ?? {};
  return { source, options, method, name, example: shown?.example ?? undefined, link };
}

/**
 * Keeps the present program, so that another one can take its place: in its own place if it came
 * from there. Nothing happens to an empty one and to an example as it is in the gallery.
 */
export function keepPresent() {
  const program = present();
  const isExample = program.example && /^#e=[^&]*(&(tab|step|line)=[^&]*)*$/.test(location.hash);
  if (program.source.trim() && !isExample) keep(program, belongs.kept);
}

/** Shows a program: { source, options, method, name, example, link }, the rest of a link. */
export function show({ id, source, options = {}, method, name, example, link = {} }) {
  const whole = { view: "projection", ...link, source, options, ...(method && { method }) };
  const visit = { link: whole, name: name ?? null, example: example ?? null, lender: null };
  const entry = JSON.stringify(visit);
  // It is the person's own from now on: a reload, and the next visit, show it.
  try {
    const own = { source, options, name, example, ...(method && { method }) };
    localStorage.setItem("faultline.program", JSON.stringify(own));
  } catch {
    // Then it is lent, and the page says so with the first change.
  }
  history.pushState(entry, "", `${location.pathname}${location.search}`);
  dispatchEvent(new PopStateEvent("popstate", { state: entry }));
  belongsTo({ kept: id ?? null }, source);
}
