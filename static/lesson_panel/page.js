// The page as a lesson sees and sets it: through its links. The page writes what it shows into the
// present entry of the browser's history, and opens whatever link its address gets.

const DIALECTS = {
  c: "c",
  cimple: "cimple",
  bp: "bp",
  rem: "remopla",
  remopla: "remopla",
  pds: "pds",
  json: "json",
};
/** Most bytes that a link may inflate to. */
const INFLATED = 1 << 20;

/** Milliseconds after which the page has written what a link shows, unless that is as before. */
const WRITTEN = 1000;
/** Milliseconds that a button of the page may take to appear. */
const PATIENCE = 5000;
let last = null;
let went = 0;

/**
 * What the page shows, as the link to it; null while it has not said so. It writes nothing where it
 * shows what it has shown before.
 */
export function shown() {
  try {
    const link = JSON.parse(history.state)?.link;
    if (link) return (last = link);
  } catch {
    // Another page's entry.
  }
  return performance.now() - went > WRITTEN ? last : null;
}

/** The program of a lesson by its name, with what a link to it holds. */
function programOf(lesson, name) {
  const programs = lesson.steps.flatMap(({ parts }) =>
    parts.filter(({ kind }) => kind === "program"),
  );
  return programs.find((program) => program.name === name);
}

/**
 * What a step shows: all that was set since the last step that names a program. { example, link },
 * of which `link` holds what differs from the example; null if no step up to it shows anything.
 */
export function shownBy(lesson, index) {
  const shows = lesson.steps
    .slice(0, index + 1)
    .map(({ parts }) => parts.find(({ kind }) => kind === "show")?.settings ?? []);
  const isProgram = ({ key }) => key === "program" || key === "example";
  const from = shows.findLastIndex((settings) => settings.some(isProgram));
  if (from < 0) return null;
  const found = { example: null, link: {} };
  for (const setting of shows.slice(from).flat()) {
    if (setting.key === "example") found.example = setting.value;
    else if (setting.key === "program") {
      const { text, language } = programOf(lesson, setting.value);
      found.link.source = text;
      if (DIALECTS[language])
        found.link.options = { ...found.link.options, dialect: DIALECTS[language] };
    } else put(found.link, setting);
  }
  return found;
}

/** Puts a setting into a link. */
function put(link, { key, value }) {
  const option = { bits: Number, heap: Number, globals: String }[key];
  if (option) link.options = { ...link.options, [key]: option(value) };
  else if (key === "tab") link.view = value;
  else if (key === "step") link.step = Number(value);
  else if (key === "line") link.selection = Number(value);
  else if (key === "method") link.method = value;
  else if (key === "memory") link.memory = value === "true";
  else {
    const path = key.split(".");
    const last = path.pop();
    const place = path.reduce((object, word) => (object[word] = { ...object[word] }), link);
    place[last] = value;
  }
}

/** Has the page show what `shownBy` gives. */
export async function show({ example, link }) {
  if (!example) return go(`v1/${await pack(JSON.stringify({ options: {}, ...link }))}`);
  const { view, step, selection, options, ...more } = link;
  const dialect = DIALECTS[example.slice(example.lastIndexOf(".") + 1)];
  if (options) more.options = { ...(dialect && { dialect }), ...options };
  let fragment = `e=${example}`;
  if (view) fragment += `&tab=${view}`;
  if (step !== undefined) fragment += `&step=${step}`;
  if (selection !== undefined) fragment += `&line=${selection}`;
  if (Object.keys(more).length > 0) fragment += `&more=${await pack(JSON.stringify(more))}`;
  go(fragment);
}

/** Does what a solution says to what the page shows now; false if its text is another one. */
export async function solve(solution) {
  const now = shown();
  if (!now) return false;
  // A step is one of the run so far.
  const { step: _, ...link } = structuredClone(now);
  // Another step selects its own line.
  if (solution.some(({ key }) => key === "step")) delete link.selection;
  const presses = solution.filter(({ press }) => press !== undefined);
  for (const one of solution) {
    if (presses.includes(one)) continue;
    if (one.key !== undefined) put(link, one);
    else if (link.source.includes(one.replace))
      link.source = link.source.replace(one.replace, () => one.by);
    else return false;
  }
  go(`v1/${await pack(JSON.stringify(link))}`);
  for (const { press } of presses) if (!(await pressed(press))) return false;
  return true;
}

/** Presses the page's button with these words, once it is there; false if it does not come. */
async function pressed(words) {
  for (const end = performance.now() + PATIENCE; performance.now() < end; ) {
    await new Promise((done) => setTimeout(done, 100));
    const buttons = [...document.body.querySelectorAll("button:enabled")];
    const button = buttons.find(({ textContent }) => textContent.trim() === words);
    button?.click();
    if (button) return true;
  }
  return false;
}

function go(fragment) {
  // The same address again would be no news to the page.
  if (location.hash === `#${fragment}`)
    history.replaceState(null, "", `${location.pathname}${location.search}`);
  went = performance.now();
  location.hash = fragment;
}

/** Another word behind `?lesson=` in the address; null: none. The page's entry stays as it is. */
export function note(name, step) {
  const query = new URLSearchParams(location.search);
  query.delete("lesson");
  query.delete("at");
  if (name !== null) query.set("lesson", name);
  if (name !== null && step > 0) query.set("at", step + 1);
  const text = query.toString().replace(/=(?=&|$)/g, "");
  history.replaceState(
    history.state,
    "",
    `${location.pathname}${text && `?${text}`}${location.hash}`,
  );
}

/** A text, deflated, as base64url: what links hold. */
export async function pack(text) {
  const deflated = await through(new Blob([text]), new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of deflated) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The text that was packed; throws if it was cut or altered, or is too long. */
export async function unpack(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const inflated = await through(
    new Blob([Uint8Array.from(binary, (c) => c.charCodeAt(0))]),
    new DecompressionStream("deflate-raw"),
  );
  return new TextDecoder("utf-8", { fatal: true }).decode(inflated);
}

async function through(blob, stream) {
  const chunks = [];
  let length = 0;
  const reader = blob.stream().pipeThrough(stream).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    if (length > INFLATED) {
      await reader.cancel();
      throw new Error("it holds more than 1 MB of text");
    }
    chunks.push(next.value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
