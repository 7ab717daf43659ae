// Opening and saving files where the browser has the File System Access API: what was opened is
// saved to the same file. Elsewhere the page opens as before, and saving downloads the program.
import { say } from "./say.js";
import { belongsTo, owner, present } from "./present.js";

const EXTENSIONS = [".c", ".i", ".cimple", ".bp", ".rem", ".pds", ".json"];
/** The page opens no longer files, in bytes (`src/ui/frame/files.rs`). */
const LONGEST = 1 << 20;
const types = [{ description: "Programs", accept: { "text/plain": EXTENSIONS } }];
const ENDINGS = { "Boolean program": "bp", Remopla: "rem", "Pushdown system": "pds", C: "c", Java: "java" };

/** Lets a person choose a file, and opens it. */
export async function openFile() {
  const [handle] = await chosen(() => showOpenFilePicker({ id: "programs", types }));
  if (handle) await openHandle(handle);
}

/** Opens a file by its handle. */
export async function openHandle(handle) {
  await give(await handle.getFile(), handle);
}

/** Opens a file that was dropped: it is saved to the same file, if its handle can be had. */
export async function openDropped(handle, file) {
  const found = await handle.catch(() => null);
  await give(file, found?.kind === "file" ? found : null);
}

/** Gives a file to the page, which opens it, or says what is wrong with it. */
async function give(file, handle) {
  const input = await pageInput();
  const carried = new DataTransfer();
  carried.items.add(file);
  // Before the page shows it: whoever types at once types into this file.
  if (handle && file.size <= LONGEST) belongsTo({ file: handle }, await file.text());
  input.files = carried.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

/** The page's own field for files, once the page is drawn. */
async function pageInput() {
  let input = null;
  while (!(input = document.querySelector(".file-input"))) await new Promise(requestAnimationFrame);
  return input;
}

/** Saves the program: to the file that it came from, to one that is chosen, or as a download. */
export async function saveFile() {
  const { source, name } = present();
  let { file } = owner();
  if (!file && "showSaveFilePicker" in globalThis) {
    const suggestedName = fileName(name);
    [file] = await chosen(() => showSaveFilePicker({ id: "programs", suggestedName, types }));
    if (!file) return;
  }
  if (!file) {
    download(fileName(name), source);
    return say(`Saved as ${fileName(name)}, where the browser puts downloads.`);
  }
  try {
    // Line ends stay as they are in the file.
    const isDos = (await (await file.getFile()).text()).includes("\r\n");
    const writable = await file.createWritable();
    await writable.write(isDos ? source.replaceAll("\n", "\r\n") : source);
    await writable.close();
  } catch (error) {
    const why =
      error.name === "NotAllowedError" ? "the browser was not allowed to write it" : error.message;
    return say(`${file.name} was not saved: ${why}. The program is still here.`, true);
  }
  belongsTo({ file, kept: owner().kept }, source);
  say(`Saved to ${file.name}.`);
}

/** What a picker gives, as a list; an empty one if the person gave up. */
async function chosen(pick) {
  try {
    return [await pick()].flat();
  } catch (error) {
    if (error.name !== "AbortError") say(`The browser opens no files here: ${error.message}`, true);
    return [];
  }
}

/** A name with the extension of the program's language. */
function fileName(name) {
  const plain = name.replace(/[\\/:*?"<>|]+/g, "-");
  if (/\.\w+$/.test(plain)) return plain;
  const select = document.querySelector(".dialect select");
  const [words = ""] = select?.selectedOptions[0]?.textContent.split(",") ?? [];
  return `${plain}.${select?.value || ENDINGS[words] || "cimple"}`;
}

function download(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
