// The npm package `faultline`: the engine as a module, for Node and for pages.
import init, * as engine from "./engine.js";

/** The options that a call knows; anything else is a mistake. */
const KNOWN = new Set([
  "dialect",
  "defines",
  "bits",
  "globals",
  "checks",
  "error",
  "label",
  "heap",
  "model",
  "saturation",
  "projection",
  "switches",
  "timeout",
  "maxNodes",
  "maxSteps",
]);

/** A program that cannot be read: `diagnostics` say where and why. */
export class ProgramError extends Error {
  constructor(diagnostics) {
    const first = diagnostics.find(({ severity }) => severity === "error") ?? diagnostics[0];
    super(first ? `line ${first.line}: ${first.message}` : "the program cannot be read");
    this.name = "ProgramError";
    this.diagnostics = diagnostics;
  }
}

let loading = null;

/** Loads the engine, once. A call does so by itself; a page may do it early. */
export function load() {
  loading ??= start().catch((problem) => {
    // The next call tries again.
    loading = null;
    throw problem;
  });
  return loading;
}

async function start() {
  const address = new URL("./engine_bg.wasm", import.meta.url);
  if (address.protocol !== "file:") return init({ module_or_path: address });
  // Node reads what a page would fetch.
  const { readFile } = await import("node:fs/promises");
  return init({ module_or_path: await readFile(address) });
}

/** Can a run of the program fail? */
export async function check(source, options = {}) {
  return call("check", source, options);
}

/** Can a program with threads fail within a bound on context switches? */
export async function threads(source, options = {}) {
  return call("threads", source, options);
}

async function call(name, source, options) {
  if (typeof source !== "string") throw new TypeError("the program must be a string");
  const unknown = Object.keys(options).filter((key) => !KNOWN.has(key));
  if (unknown.length > 0)
    throw new TypeError(`unknown option ${unknown.join(", ")}; known are ${[...KNOWN].join(", ")}`);
  await load();
  const { report, diagnostics, refusal } = JSON.parse(
    engine[name](source, JSON.stringify(options)),
  );
  if (refusal) throw new TypeError(refusal);
  if (!report) throw new ProgramError(diagnostics);
  return { ...report, diagnostics };
}
