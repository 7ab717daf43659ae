// Bundles the editor into static/editor/dist/editor.js, a classic script that sets
// window.FaultlineEditor, and its search and diagnostics into search.js and lint.js beside it,
// modules that the editor fetches when they are needed. Trunk runs it before every build; it writes
// only when a bundle changed, so that `trunk serve` does not loop.
import { build } from "esbuild";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

/** CodeMirror's modules, as the editor has them. */
const shared = {
  name: "shared",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@codemirror\/(state|view)$/ }, ({ path }) => ({ path, namespace: "shared" }));
    onLoad({ filter: /.*/, namespace: "shared" }, () => ({ contents: "module.exports = window.FaultlineEditor.shared;" }));
  },
};

async function bundle(name, settings) {
  const result = await build({
    entryPoints: [join(here, name)],
    bundle: true,
    minify: true,
    target: "es2020",
    legalComments: "none",
    write: false,
    ...settings,
  });
  const target = join(here, "dist", name);
  const text = result.outputFiles[0].text;
  if (existsSync(target) && readFileSync(target, "utf8") === text) return;
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}

await bundle("editor.js", { format: "iife", globalName: "FaultlineEditor" });
await bundle("search.js", { format: "esm", plugins: [shared] });
await bundle("lint.js", { format: "esm", plugins: [shared] });
