// Comments and documents end by column 100, code of the page (`src/ui`) by column 120:
// `node .ci/columns.mjs` names every line that does not.
//
// Code is the formatter's, so in source files only comment lines count; but it leaves `html!` and
// long texts as they are, hence the limit for the page. Exempt are rows of Markdown
// tables, fenced blocks (also in comments), lines whose longest word alone takes 60
// columns (a link, an address), golden texts, and lock files.
import { readFileSync, readdirSync } from "node:fs";
import { extname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const MOST = 100;
const MOST_CODE = 120;
const PAGE = join("src", "ui");
const UNBREAKABLE = 60;
const root = fileURLToPath(new URL("..", import.meta.url));

// Folders without texts of our own, and the golden texts.
const skipped = new Set([".git", "target", "dist", "node_modules", "out", "golden"]);

/** How a comment line of this file starts; every line of a document counts; null: not checked. */
function counts(path) {
  const slashes = /^\s*(\/\/|\/\*|\*(\s|$))|[;,{})]\s+\/\/ [^"`]*$/;
  const hash = /^\s*#/;
  const byExtension = {
    ".css": slashes,
    ".js": slashes,
    ".mjs": slashes,
    ".rs": slashes,
    ".md": /^/,
    ".sh": hash,
    ".toml": hash,
  };
  const extension = extname(path);
  if (extension in byExtension) return byExtension[extension];
  return path === "Makefile" || path.startsWith(".ci/") ? hash : null;
}

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!skipped.has(entry.name)) yield* files(path);
    } else if (entry.isFile()) {
      yield relative(root, path);
    }
  }
}

/** The lines of a file that are too long: [number, columns]. */
function tooLong(path) {
  const comment = counts(path);
  const isPage = path.startsWith(PAGE) && path.endsWith(".rs");
  if (!comment) return [];
  let fenced = false;
  return readFileSync(join(root, path), "utf8")
    .split("\n")
    .map((line, k) => [k + 1, line])
    .filter(([, line]) => {
      const text = line.replace(/^\s*(\/\/[/!]?)?\s*/, "");
      if (text.startsWith("```")) fenced = !fenced;
      if (fenced || text.startsWith("|")) return false;
      const columns = [...line].length;
      if (isPage && columns > MOST_CODE) return true;
      if (columns <= MOST || !comment.test(line)) return false;
      return !line.split(/\s+/).some((word) => [...word].length >= UNBREAKABLE);
    })
    .map(([number, line]) => [number, [...line].length]);
}

const found = [...files(root)]
  .sort()
  .flatMap((path) => tooLong(path).map(([number, columns]) => `${path}:${number}: ${columns} columns`));
if (found.length > 0) {
  console.error(`${found.join("\n")}\n${found.length} lines end after column ${MOST} (comments, documents) or ${MOST_CODE} (code of the page): wrap them.`);
  process.exit(1);
}
