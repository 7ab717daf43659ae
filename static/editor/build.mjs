// Bundles the editor into static/editor/dist/editor.js, a classic script that sets
// window.FaultlineEditor. Trunk runs it before every build; it writes only when the bundle changed,
// so that `trunk serve` does not loop.
import { build } from "esbuild";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "dist", "editor.js");
const result = await build({
  entryPoints: [join(here, "editor.js")],
  bundle: true,
  format: "iife",
  globalName: "FaultlineEditor",
  minify: true,
  target: "es2020",
  legalComments: "none",
  write: false,
});
const text = result.outputFiles[0].text;
if (!existsSync(target) || readFileSync(target, "utf8") !== text) {
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}
