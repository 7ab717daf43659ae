// A WebAssembly module made small for delivery: wasm-opt at level 1, and functions that are alike
// side by side. What a module's compressed copy costs depends on that order, for compression finds
// again what it has just seen.
//
// wasm-opt orders functions by their names. So each function gets a name to be ordered by: that of
// the generic function or of the trait's method that it is an instance of, then its length. The
// names are not delivered.
import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isLater } from "./later.mjs";
import { split } from "./split.mjs";

const WASM_OPT = join(dirname(fileURLToPath(import.meta.url)), "../editor/node_modules/.bin/wasm-opt");
/** Numbers of sections, of kinds of imports, and of a part of the section of names. */
const [CUSTOM, IMPORTS, CODE] = [0, 2, 10];
const [FUNCTION, TABLE, MEMORY, GLOBAL] = [0, 1, 2, 3];
const FUNCTION_NAMES = 1;
const HAS_MAXIMUM = 1;

/** Makes the module in this file small. */
export async function optimize(file) {
  await inOrder(["-O1"], await readFile(file), file);
}

/** The same for the engine. What comes later goes into a file of its own, `restFile`. */
export async function optimizeInParts(file, restFile) {
  // With the names that the functions have.
  await wasmOpt(["-O1", "--debuginfo"], await readFile(file), file);
  const { first, rest } = split(await readFile(file), isLater);
  await Promise.all([inOrder([], first, file), inOrder([], rest, restFile)]);
}

/** Writes what wasm-opt makes of the module, with functions that are alike side by side. */
async function inOrder(passes, module, file) {
  await wasmOpt([...passes, "--reorder-functions-by-name"], withNamesToOrderBy(module), file);
}

async function wasmOpt(passes, module, file) {
  const given = `${file}.given`;
  await writeFile(given, module);
  await promisify(execFile)(WASM_OPT, [...passes, given, "-o", file]);
  await rm(given);
}

/** The module with other names of functions. */
export function withNamesToOrderBy(module) {
  const sections = [...sectionsOf(module)];
  const lengths = lengthsOf(sections);
  const isNames = ({ id, body }) => id === CUSTOM && text(reader(body)) === "name";
  const names = sections.find(isNames);
  if (!names) throw new Error("the module has no names of functions");
  const kept = sections.filter((section) => section !== names).map(({ whole }) => whole);
  const keys = [...namesOf(names.body)].map(([index, name]) => [index, keyOf(name, lengths.get(index) ?? 0)]);
  return Buffer.concat([module.subarray(0, 8), ...kept, nameSection(keys)]);
}

/** Generic arguments, the type of an `impl` and the compiler's hash are left out. */
export function keyOf(name, length) {
  const bare = name.replace(/::h[0-9a-f]{16}$/, "");
  // `<Type as Trait>::method`: what is left of the angle is the trait and the method.
  const ofTrait = bare.startsWith("<") ? bare.indexOf(" as ") : -1;
  const path = withoutArguments(ofTrait < 0 ? bare : bare.slice(ofTrait + 4));
  return `${path} ${String(length).padStart(7, "0")}`;
}

function withoutArguments(path) {
  let depth = 0;
  let kept = "";
  for (const letter of path) {
    if (letter === "<") depth += 1;
    else if (letter === ">") depth = Math.max(depth - 1, 0);
    else if (depth === 0) kept += letter;
  }
  return kept;
}

/** Each section: its number, what is in it, and all of its bytes. */
function* sectionsOf(module) {
  const at = reader(module, 8);
  while (at.position < module.length) {
    const start = at.position;
    const id = module[at.position++];
    const end = number(at) + at.position;
    yield { id, body: module.subarray(at.position, end), whole: module.subarray(start, end) };
    at.position = end;
  }
}

/** How many bytes each function has, by its index. Those that are imported come first. */
function lengthsOf(sections) {
  const body = (wanted) => reader(sections.find(({ id }) => id === wanted).body);
  let index = importedFunctions(body(IMPORTS));
  const lengths = new Map();
  const at = body(CODE);
  for (let left = number(at); left > 0; left--) {
    const length = number(at);
    lengths.set(index++, length);
    at.position += length;
  }
  return lengths;
}

function importedFunctions(at) {
  let count = 0;
  for (let left = number(at); left > 0; left--) {
    text(at);
    text(at);
    const kind = at.bytes[at.position++];
    if (kind === FUNCTION) {
      number(at);
      count += 1;
    } else {
      skipImported(kind, at);
    }
  }
  return count;
}

/** What is said of an import that is no function. */
function skipImported(kind, at) {
  if (kind === GLOBAL) {
    at.position += 2;
  } else if (kind === TABLE || kind === MEMORY) {
    if (kind === TABLE) at.position += 1;
    const hasMaximum = at.bytes[at.position++] & HAS_MAXIMUM;
    number(at);
    if (hasMaximum) number(at);
  } else {
    throw new Error(`the module has an import of the kind ${kind}`);
  }
}

/** Pairs of a function's index and its name. */
function* namesOf(body) {
  const at = reader(body);
  text(at);
  while (at.position < body.length) {
    const part = body[at.position++];
    const end = number(at) + at.position;
    if (part === FUNCTION_NAMES) {
      for (let left = number(at); left > 0; left--) yield [number(at), text(at)];
    }
    at.position = end;
  }
}

function nameSection(names) {
  const entries = names.map(([index, name]) => Buffer.concat([encoded(index), sized(Buffer.from(name))]));
  const part = sized(Buffer.concat([encoded(names.length), ...entries]));
  return Buffer.concat([Buffer.from([CUSTOM]), sized(Buffer.concat([sized(Buffer.from("name")), Buffer.from([FUNCTION_NAMES]), part]))]);
}

const reader = (bytes, position = 0) => ({ bytes, position });

/** LEB128. */
function number(at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = at.bytes[at.position++];
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return value;
  }
}

function text(at) {
  const length = number(at);
  at.position += length;
  return at.bytes.subarray(at.position - length, at.position).toString();
}

function encoded(value) {
  const bytes = [];
  for (; value >= 0x80; value = Math.floor(value / 0x80)) bytes.push((value % 0x80) | 0x80);
  return Buffer.from([...bytes, value]);
}

const sized = (bytes) => Buffer.concat([encoded(bytes.length), bytes]);
