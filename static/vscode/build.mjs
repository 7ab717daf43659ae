// Builds the extension for VS Code: `node static/vscode/build.mjs FOLDER` (`.ci/task vscode` does
// so). It bundles `extension.js` with the language client, adds the licences of what is bundled,
// and has vsce pack it. Prints the path of the `.vsix`.
import { execFile } from "node:child_process";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "../editor/node_modules/esbuild/lib/main.js";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const folder = resolve(process.argv[2]);
const run = promisify(execFile);

const manifest = JSON.parse(await readFile(join(here, "package.json"), "utf8"));
const [, crate] = (await readFile(join(root, "Cargo.toml"), "utf8")).match(/^version = "(.*)"$/m);
if (manifest.version !== crate)
  throw new Error(`static/vscode/package.json is ${manifest.version}, Cargo.toml ${crate}`);

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const { metafile } = await build({
  entryPoints: [join(here, "extension.js")],
  outfile: join(folder, "extension.js"),
  bundle: true,
  minify: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["vscode"],
  legalComments: "none",
  metafile: true,
  absWorkingDir: root,
});

/** The packages that are bundled, by their folder. */
const bundled = new Set();
for (const name of Object.keys(metafile.inputs)) {
  const [found] = name.match(/^.*node_modules\/(@[^/]+\/)?[^/]+/) ?? [];
  if (found) bundled.add(join(root, found));
}
const licences = await Promise.all([...bundled].sort().map(licence));
await writeFile(join(folder, "licences.txt"), licences.join(`\n${"-".repeat(80)}\n`));

/** A package's name and the text of its licence. */
async function licence(place) {
  const { name, version, license } = JSON.parse(
    await readFile(join(place, "package.json"), "utf8"),
  );
  for (const file of ["License.txt", "LICENSE", "LICENSE.md", "license.txt", "LICENSE.txt"]) {
    const text = await readFile(join(place, file), "utf8").catch(() => null);
    if (text) return `${name} ${version} (${license})\n\n${text.replaceAll("\r", "").trim()}\n`;
  }
  throw new Error(`${name} has no file with its licence`);
}

for (const name of ["README.md", "languages"])
  await cp(join(here, name), join(folder, name), { recursive: true });
await cp(join(root, "LICENSE"), join(folder, "LICENSE"));
// All that it needs is bundled, and vsce refuses what is private.
const { dependencies: _, devDependencies: __, private: ___, ...shipped } = manifest;
await writeFile(join(folder, "package.json"), `${JSON.stringify(shipped, null, 2)}\n`);

const vsix = join(folder, `${manifest.name}-${manifest.version}.vsix`);
const vsce = join(here, "node_modules/@vscode/vsce/vsce");
const flags = ["package", "--no-dependencies", "--allow-missing-repository"];
await run(process.execPath, [vsce, ...flags, "--out", vsix], { cwd: folder });
console.log(vsix);
