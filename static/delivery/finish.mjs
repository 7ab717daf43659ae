// The last step of every build (Trunk runs it): prepares the built page for delivery.
//
// - Every script, style sheet and WebAssembly file is named after its content, so that browsers
//   may keep it for ever. Names and size of the engine are written into the page.
// - The service worker gets the list of the page's files, and the examples in one file.
// - The editor's search and its marks of diagnostics are fetched when they are needed.
// - What embeds the page elsewhere is bundled: the dialog that offers it, which the page fetches
//   when somebody asks for it, and the element `<faultline-program>`, whose name stays as it is.
// - The lessons' panel is bundled, and their titles are put into a list.
// - What keeps programs and questions, compares and saves files (`static/desk`) is bundled.
// - The page can be installed: a manifest, with icons.
// - Hosts that show `404.html` where there is no file show one that leads home.
// - The script that says why the page does not start (`start_page.js`) comes first in its head.
// - A release has a content security policy: what the page may load, and from where.
// - A release has its WebAssembly made small (`optimize.mjs`), and the engine in two parts
//   (`split.mjs`), of which the second is fetched when it is needed.
// - A release has each file compressed as well (`.br`, `.gz`), for servers that send those.
import { createHash } from "node:crypto";
import { readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const dist = process.env.TRUNK_STAGING_DIR;
const isRelease = process.env.TRUNK_PROFILE === "release";
/** The examples' titles and pictures, which the page fetches when it is opened. */
const LISTS = ["examples/index.json", "examples/pictures.json"];
const LICENCES = "licences.txt";
const MANIFEST = "manifest.webmanifest";
const ELEMENT = "faultline-program.js";
/** The name that static hosts know. */
const NOT_FOUND = "404.html";
/** The lessons' titles. */
const LESSONS = "lessons/index.json";
/** Smaller files are not worth a second and a third copy. */
const LEAST_COMPRESSED = 1000;

const path = (name) => join(dist, name);
const text = (name) => readFile(path(name), "utf8");
const hash = (content) => createHash("sha256").update(content).digest("hex").slice(0, 16);

/** A script as it is delivered: a release's has no blanks and comments. `format` is esbuild's. */
async function delivered(script, format) {
  if (!isRelease) return script;
  const { transform } = await import("../editor/node_modules/esbuild/lib/main.js");
  return (await transform(script, { minify: true, format, target: "es2022", legalComments: "inline" })).code;
}

/** A module of `static/embed` with what it imports. */
async function bundled(name, format) {
  const { build } = await import("../editor/node_modules/esbuild/lib/main.js");
  const entry = join(here, "..", "embed", name);
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, write: false, minify: isRelease, format, target: "es2022" });
  return outputFiles[0].contents;
}

/** Writes a file under a name with the hash of its content; that name. */
async function writeHashed(stem, extension, content) {
  const name = `${stem}-${hash(content)}.${extension}`;
  await writeFile(path(name), content);
  return name;
}

/** The engine: a script that waits for the compiled module, and the module. `rest` comes later. */
async function nameEngine(rest) {
  const wasm = await readFile(path("worker_bg.wasm"));
  const start = `const REST = ${JSON.stringify(rest)};\n${await readFile(join(here, "start_worker.js"), "utf8")}`;
  const script = `${await text("worker.js")}\n${start}`;
  const names = [await writeHashed("worker", "js", await delivered(script)), await writeHashed("worker", "wasm", wasm)];
  for (const name of await readdir(dist)) {
    if (/^worker(_bg)?\.(js|wasm|d\.ts|wasm\.d\.ts)$/.test(name)) await rm(path(name));
  }
  return [...names, wasm.length].join(" ");
}

/** Trunk names the page's own code after the compiler's output; what wasm-opt does counts too. */
async function nameApp(page) {
  const names = await readdir(dist);
  const wasm = only(names, /^app-[0-9a-f]+_bg\.wasm$/);
  const script = only(names, /^app-[0-9a-f]+\.js$/);
  const newWasm = await writeHashed("app", "wasm", await readFile(path(wasm)));
  const content = (await text(script)).replaceAll(wasm, newWasm);
  const newScript = await writeHashed("app", "js", await delivered(content, "esm"));
  await Promise.all([wasm, script].map((name) => rm(path(name))));
  return page.replaceAll(wasm, newWasm).replaceAll(script, newScript);
}

/** The other files that Trunk hashes, with the same length of the hash. */
async function nameRest(page) {
  for (const name of await readdir(dist)) {
    const [, stem, extension] = name.match(/^(style|editor)-[0-9a-f]+\.(css|js)$/) ?? [];
    if (!stem) continue;
    const next = `${stem}-${hash(await readFile(path(name)))}.${extension}`;
    await rename(path(name), path(next));
    page = page.replaceAll(name, next);
  }
  return page;
}

/** Puts an element at the beginning of the head, after the character set. */
function atHead(page, element) {
  const charset = page.match(/<meta charset="?utf-8"?\s*\/?>/i);
  if (!charset) throw new Error("index.html names no character set");
  const place = charset.index + charset[0].length;
  return page.slice(0, place) + element + page.slice(place);
}

function only(names, pattern) {
  const found = names.filter((name) => pattern.test(name));
  if (found.length !== 1) throw new Error(`${found.length} files match ${pattern} in ${dist}`);
  return found[0];
}

/**
 * All examples as one object from names to texts, without what the page itself fetches of them: the
 * lists, which become one line each.
 */
async function bundleExamples() {
  for (const name of LISTS) await writeFile(path(name), JSON.stringify(JSON.parse(await text(name))));
  const names = (await readdir(path("examples"))).filter((name) => !LISTS.includes(`examples/${name}`)).sort();
  const texts = await Promise.all(names.map(async (name) => [name, await text(join("examples", name))]));
  return writeHashed("examples", "json", JSON.stringify(Object.fromEntries(texts)));
}

/**
 * The lessons' panel as one module, which names its style sheet; and the list of the lessons, by
 * title, in the order of their names. Gives the module's name and those of all files of lessons.
 */
async function bundleLessons() {
  const { build } = await import("../editor/node_modules/esbuild/lib/main.js");
  const folder = join(here, "../lesson_panel");
  const made = async (entry, define) => {
    const options = { entryPoints: [join(folder, entry)], bundle: true, minify: isRelease, format: "esm", target: "es2022", write: false, define };
    return (await build(options)).outputFiles[0].text;
  };
  const style = await writeHashed("lessons", "css", await made("panel.css", {}));
  const module = await writeHashed("lessons", "js", await made("main.js", { STYLE: JSON.stringify(style) }));
  const { read } = await import("../lesson_panel/reader.js");
  const names = (await readdir(path("lessons"))).filter((name) => name.endsWith(".md")).sort();
  const list = await Promise.all(names.map(async (name) => {
    const { lesson, problems } = read(await text(join("lessons", name)));
    if (problems.length > 0) throw new Error(`lessons/${name}, line ${problems[0].line}: ${problems[0].message}`);
    return { name: name.slice(0, -3), title: lesson.title, about: lesson.about };
  }));
  await writeFile(path(LESSONS), JSON.stringify(list));
  return { module, files: [module, style, LESSONS, ...names.map((name) => `lessons/${name}`)] };
}

/** The desk as one module, which names its style sheet, and what keeps the questions. */
async function bundleDesk() {
  const { build } = await import("../editor/node_modules/esbuild/lib/main.js");
  const made = async (entry, define) => {
    const entryPoints = [join(here, "../desk", entry)];
    const options = { entryPoints, bundle: true, minify: isRelease, format: "esm", target: "es2022" };
    return (await build({ ...options, write: false, define })).outputFiles[0].text;
  };
  const style = await writeHashed("desk", "css", await made("desk.css", {}));
  const module = await made("open.js", { STYLE: JSON.stringify(style) });
  const desk = await writeHashed("desk", "js", module);
  return { desk, style, recorder: await writeHashed("recorder", "js", await made("recorder.js", {})) };
}

/** `later` are names of files that few visits need. */
async function writeServiceWorker(examples, later) {
  const names = (await readdir(dist, { withFileTypes: true })).filter((entry) => entry.isFile()).map((entry) => entry.name);
  const files = names.filter((name) => !["index.html", NOT_FOUND, ELEMENT, examples, ...later].includes(name)).sort();
  const unnamed = await Promise.all(["index.html", ...LISTS, ...later.filter((name) => !name.endsWith(".wasm"))].map(text));
  const version = hash([...unnamed, ...files, examples, ...later].join("\n"));
  const build = { version, files: ["./", ...files, ...LISTS], examples, later };
  const script = `const BUILD = ${JSON.stringify(build)};\n${await readFile(join(here, "offline.js"), "utf8")}`;
  await writeFile(path("offline.js"), await delivered(script));
}

/**
 * What the page may load: its own files and nothing else. Inline scripts are allowed one by one, by
 * the hash of their text. Only the dialog that offers to embed the page has a frame: the preview.
 * The editor makes a style element of its own, which has the nonce; style
 * attributes can load nothing, since pictures come from here alone. Pictures are drawn from blobs,
 * and the icon is a data address.
 */
function contentPolicy(page, nonce) {
  const inline = [...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(([, script]) => script);
  const hashes = inline.map((script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`);
  return [
    "default-src 'none'",
    `script-src 'self' 'wasm-unsafe-eval' ${hashes.join(" ")}`,
    "worker-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

async function compress(name) {
  const content = await readFile(path(name));
  if (content.length < LEAST_COMPRESSED) return;
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;
  const params = { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_SIZE_HINT]: content.length };
  const [br, gz] = await Promise.all([promisify(brotliCompress)(content, { params }), promisify(gzip)(content, { level: 9 })]);
  await Promise.all([writeFile(path(`${name}.br`), br), writeFile(path(`${name}.gz`), gz)]);
}

/** Makes the modules small; the name of the engine's part that comes later. */
async function makeSmall() {
  const { optimize, optimizeInParts } = await import("./optimize.mjs");
  const app = only(await readdir(dist), /^app-[0-9a-f]+_bg\.wasm$/);
  const rest = path("worker_rest.wasm");
  await Promise.all([optimize(path(app)), optimizeInParts(path("worker_bg.wasm"), rest)]);
  const content = await readFile(rest);
  await rm(rest);
  return writeHashed("worker-rest", "wasm", content);
}

const rest = isRelease ? await makeSmall() : "";
let page = await nameRest(await nameApp(await text("index.html")));
const sheet = await readFile(join(here, "..", "embed", "embed.css"));
const embed = [await writeHashed("embed", "js", await bundled("dialog.js", "esm")), await writeHashed("embed", "css", sheet)];
await writeFile(path(ELEMENT), await bundled(ELEMENT, "iife"));
const parts = await Promise.all(["search", "lint"].map(async (part) => {
  const content = await readFile(path(`${part}.js`));
  await rm(path(`${part}.js`));
  return writeHashed(part, "js", content);
}));
const metas = [`<meta name="faultline-engine" content="${await nameEngine(rest)}">`, `<meta name="faultline-embed" content="${embed.join(" ")}">`, `<meta name="faultline-editor" content="${parts.join(" ")}">`];
if (isRelease) metas.push(`<meta name="faultline-offline" content="offline.js">`);
if (!page.includes("<title>")) throw new Error("index.html has no title to write the engine's name before");
page = page.replace("<title>", `${metas.join("")}<title>`);
const lessons = await bundleLessons();
const { desk, style, recorder } = await bundleDesk();
const names = `const LESSONS = "./${lessons.module}", DESK = "./${desk}", RECORDER = "./${recorder}";`;
const start = `${names}\n${await readFile(join(here, "start_page.js"), "utf8")}`;
page = atHead(page, `<script>${await delivered(start)}</script>`);
if (isRelease) {
  const nonce = hash(page);
  page = atHead(page, `<meta name="faultline-nonce" content="${nonce}">`);
  page = atHead(page, `<meta http-equiv="Content-Security-Policy" content="${contentPolicy(page, nonce)}">`);
}
await writeFile(path("index.html"), page);
// What hosts show where there is no such file.
await writeFile(path(NOT_FOUND), await readFile(join(here, "not_found.html")));
if (isRelease) {
  const icons = (await readdir(path("icons"))).map((name) => `icons/${name}`).sort();
  await writeServiceWorker(await bundleExamples(), [rest, LICENCES, ...parts, ...embed, ...lessons.files, desk, style, MANIFEST, ...icons]);
  const all = await readdir(dist, { recursive: true });
  await Promise.all(all.filter((name) => [".html", ".js", ".json", ".css", ".md", ".txt", ".wasm"].includes(extname(name))).map(compress));
}
