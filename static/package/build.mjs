// Builds the npm package: `node static/package/build.mjs FOLDER`, after wasm-bindgen has
// written `engine.js` and `engine_bg.wasm` into FOLDER (`.ci/task package` does both). Prints the
// tarball's path.
import { execFile } from "node:child_process";
import { copyFile, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const folder = resolve(process.argv[2]);
const run = promisify(execFile);

const { version } = JSON.parse(await readFile(join(here, "package.json"), "utf8"));
const [, crate] = (await readFile(join(root, "Cargo.toml"), "utf8")).match(/^version = "(.*)"$/m);
if (version !== crate)
  throw new Error(`static/package/package.json is ${version}, Cargo.toml ${crate}`);

for (const name of ["package.json", "index.js", "index.d.ts", "README.md"])
  await copyFile(join(here, name), join(folder, name));
for (const name of ["LICENSE", "static/licences.txt"])
  await copyFile(join(root, name), join(folder, name.split("/").at(-1)));
for (const name of ["engine.d.ts", "engine_bg.wasm.d.ts"])
  await rm(join(folder, name), { force: true });

const wasm = join(folder, "engine_bg.wasm");
await run(join(root, "static/editor/node_modules/.bin/wasm-opt"), [
  "-O1",
  "--strip-debug",
  wasm,
  "-o",
  wasm,
]);

const { build } = await import("../editor/node_modules/esbuild/lib/main.js");
const { outputFiles } = await build({
  entryPoints: [join(root, "static/embed/faultline-program.js")],
  bundle: true,
  write: false,
  format: "esm",
  target: "es2022",
});
await writeFile(join(folder, "faultline-program.js"), outputFiles[0].contents);

const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder], {
  cwd: folder,
});
console.log(join(folder, JSON.parse(stdout)[0].filename));
