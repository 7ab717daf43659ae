// The licences of what is shipped and is not ours: `node .ci/licences.mjs` checks that each npm
// package of the page and of the extension for VS Code has a licence of the list in
// `.ci/deny.toml`, and that `static/licences.txt` has the texts of all that is shipped with the
// page. The command prints that file and the page shows it. With `--write` it is written.
// `.ci/crates` checks the crates.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const file = join(root, "static/licences.txt");

/** Licences that are allowed. The first that a package offers is taken. */
const [, list] = readFileSync(join(root, ".ci/deny.toml"), "utf8").match(/^allow = \[([^\]]*)\]/m);
const allowed = list.match(/[^\s",]+/g);

/** What is shipped, and for which platform it is built. */
const builds = [
  { target: "x86_64-unknown-linux-gnu", features: "cli" },
  { target: "wasm32-unknown-unknown", features: "ui" },
];

const wrong = [];

/** The alternatives of an SPDX expression, each a list of licences that hold together. */
function alternatives(expression) {
  const words = expression.replaceAll("/", " OR ").match(/[()]|[^\s()]+/g) ?? [];
  const any = () => {
    let found = all();
    while (words[0] === "OR") {
      words.shift();
      found = [...found, ...all()];
    }
    return found;
  };
  const all = () => {
    let found = one();
    while (words[0] === "AND") {
      words.shift();
      const more = one();
      found = found.flatMap((left) => more.map((right) => [...left, ...right]));
    }
    return found;
  };
  const one = () => {
    const word = words.shift();
    if (word !== "(") return [[word]];
    const inside = any();
    words.shift();
    return inside;
  };
  return any();
}

/** The licences that are taken of an expression; null if none may be. */
function taken(expression) {
  const fit = alternatives(expression ?? "").filter((list) => list.every((licence) => allowed.includes(licence)));
  const rank = (list) => Math.max(...list.map((licence) => allowed.indexOf(licence)));
  return fit.sort((a, b) => rank(a) - rank(b))[0] ?? null;
}

/** The texts of the licences that are taken, as the package has them. */
function texts(folder, licences) {
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|unlicense|notice)/i.test(name));
  const [first] = licences;
  const short = { "Apache-2.0": /apache/i, "Unicode-3.0": /unicode/i }[first] ?? new RegExp(first.split("-")[0], "i");
  const fit = names.filter((name) => short.test(name) || licences.some((licence) => licence.startsWith("Unicode") && /unicode/i.test(name)));
  const chosen = fit.length > 0 ? fit : names.filter((name) => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(name));
  const notices = names.filter((name) => /^notice/i.test(name));
  return [...chosen, ...notices].sort().flatMap((name) => {
    const path = join(folder, name);
    try {
      return [readFileSync(path, "utf8").replaceAll("\r", "").replace(/[ \t]+$/gm, "").trim()];
    } catch {
      return []; // a folder
    }
  });
}

/** Crates of a build; is each shipped? */
function crates({ target, features }) {
  const options = ["metadata", "--locked", "--format-version", "1", "--filter-platform", target, "--no-default-features", "--features", features];
  const metadata = JSON.parse(execFileSync("cargo", options, { cwd: root, maxBuffer: 1 << 28 }));
  const packages = new Map(metadata.packages.map((found) => [found.id, found]));
  const nodes = new Map(metadata.resolve.nodes.map((node) => [node.id, node]));
  const shipped = new Set();
  const visit = (id) => {
    const isMacro = packages.get(id).targets.some((target) => target.kind.includes("proc-macro"));
    if (shipped.has(id) || isMacro) return;
    shipped.add(id);
    const normal = nodes.get(id).deps.filter((dep) => dep.dep_kinds.some(({ kind }) => kind === null));
    normal.forEach((dep) => visit(dep.pkg));
  };
  visit(metadata.resolve.root);
  const ours = new Set(metadata.workspace_members);
  return [...nodes.keys()].filter((id) => !ours.has(id)).map((id) => ({ ...packages.get(id), isShipped: shipped.has(id) }));
}

/** The npm packages that are bundled into the page, or into what is beside it. */
function bundled(place) {
  const folder = join(root, place);
  const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  const all = Object.entries(packages).filter(([path]) => path !== "");
  return all.map(([path, { version, license, dev }]) => ({
    name: path.replace(/^.*node_modules\//, ""),
    version,
    license,
    isShipped: !dev,
    folder: join(folder, path),
  }));
}

/** The items with the same key, in lists. */
function grouped(items, key) {
  const groups = new Map();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}

const found = new Map();
for (const crate of builds.flatMap(crates)) {
  const { name, version, license, isShipped } = crate;
  const known = found.get(`${name} ${version}`);
  found.set(`${name} ${version}`, { name, version, license, isShipped: isShipped || known?.isShipped, folder: dirname(crate.manifest_path) });
}

const packages = [...[...found.values()].filter(({ isShipped }) => isShipped), ...bundled("static/editor")];
// The extension for VS Code has a file of its own with their texts (`static/vscode/build.mjs`).
const beside = bundled("static/vscode").filter(({ isShipped }) => isShipped);
for (const { name, license } of [...packages, ...beside]) {
  if (!taken(license)) wrong.push(`${name} has the licence "${license}", which is not on the list of .ci/deny.toml`);
}
// A text that cannot be read is no reason to ship without it.
for (const { name, folder, isShipped } of packages) {
  if (isShipped && !existsSync(folder)) wrong.push(`${name} is not installed, so its licence cannot be read: run npm ci in static/editor`);
}

/** All that is shipped; packages whose texts are the same stand together. */
function written() {
  const shipped = packages.filter(({ isShipped, license }) => isShipped && taken(license));
  shipped.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const described = shipped.map(({ name, version, license, folder }) => {
    const licences = taken(license);
    const own = texts(folder, licences);
    return { title: `${name} ${version} (${licences.join(" AND ")})`, text: own.join("\n\n") || "Its package has no file with this licence; the licence is named in its manifest." };
  });
  const groups = [...grouped(described, ({ text }) => text)];
  const head = "Faultline contains these packages of others, under the licences that follow each list of names.\n";
  return [head, ...groups.map(([text, list]) => `${"-".repeat(80)}\n${list.map(({ title }) => title).join("\n")}\n\n${text}\n`)].join("\n");
}

if (wrong.length === 0) {
  if (process.argv.includes("--write")) writeFileSync(file, written());
  else if (!existsSync(file) || readFileSync(file, "utf8") !== written()) wrong.push("static/licences.txt is stale: run node .ci/licences.mjs --write and commit it");
}
for (const fault of wrong) console.error(`✗ ${fault}`);
if (wrong.length === 0) console.log(`${packages.length + beside.length} packages, all with a licence of the list`);
process.exit(wrong.length === 0 ? 0 : 1);
